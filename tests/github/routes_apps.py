"""`/app`, installations, tokens, webhook deliveries, limits: what an App asks about itself."""

import time
from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from tests.github.asked import Ask, Asked
from tests.github.authority import Refusal, new_token
from tests.github.grants import allows
from tests.github.mail import Delivery
from tests.github.shapes import Json, example
from tests.github.world import Installation, Repository, stamp

router = APIRouter()


@router.get("/app")
async def get_app(ask: Ask) -> Any:
    app = ask.app()
    return ask.facts.app(app) | {
        "installations_count": sum(i.app is app and not i.is_deleted for i in ask.world.installations.values())
    }


@router.get("/app/installations")
async def list_installations(ask: Ask) -> Response:
    app = ask.app()
    mine = [i for i in ask.world.installations.values() if i.app is app and not i.is_deleted]
    return ask.listed([ask.facts.installation(i) for i in mine])


@router.get("/app/installations/{number}")
async def get_installation(ask: Ask, number: int) -> Any:
    return ask.facts.installation(_installation(ask, number))


@router.get("/repos/{owner}/{name}/installation")
async def repository_installation(ask: Ask, owner: str, name: str) -> Any:
    app, repository = ask.app(), ask.world.repository(owner, name)
    found = next((i for i in ask.world.installations_of(repository) if i.app is app), None) if repository else None
    if found is None:
        raise Refusal(404, "Not Found")
    return ask.facts.installation(found)


@router.post("/app/installations/{number}/access_tokens")
async def make_token(ask: Ask, number: int) -> Response:
    installation = _installation(ask, number)
    if installation.suspended_at:
        raise Refusal(403, "This installation has been suspended")
    asked: dict[str, str] = ask.json.get("permissions") or dict(installation.permissions)
    if any(not allows(installation.permissions, name, level) for name, level in asked.items()):
        raise Refusal(422, "The permissions requested are not granted to this installation.")
    seen = [r for r in ask.world.repositories.values() if ask.world.sees(installation, r)]
    ids, names = ask.json.get("repository_ids"), ask.json.get("repositories")
    chosen = [r for r in seen if (ids and r.id in ids) or (names and r.name in names)]
    if len(chosen) != len(set(ids or ())) + len(set(names or ())):
        raise Refusal(
            422, "There is at least one repository that does not exist or is not accessible to the parent installation."
        )
    permissions = asked | {"metadata": "read"}
    token = new_token(ask.world, "ghs", installation.app, installation=installation, permissions=permissions,
                      repository_ids={r.id for r in chosen} if chosen else None)  # fmt: skip
    body: Json = {"token": token.value, "expires_at": stamp(token.expires_at), "permissions": permissions,
                  "repository_selection": "selected" if chosen else installation.selection}  # fmt: skip
    if chosen:
        body["repositories"] = [ask.facts.repository(r) for r in chosen]
    return JSONResponse(body, 201)


@router.get("/installation/repositories")
async def installation_repositories(ask: Ask) -> Response:
    token = ask.bearer.token
    if token is None or token.installation is None:
        raise Refusal(
            403, "You must authenticate with an installation access token in order to list repositories for an installation."
        )
    seen = [r for r in ask.world.repositories.values() if ask.world.sees(token.installation, r)]
    return _repositories(ask, [r for r in seen if token.repository_ids is None or r.id in token.repository_ids],
                         selection=token.installation.selection)  # fmt: skip


@router.get("/user")
async def get_user(ask: Ask) -> Any:
    if ask.bearer.user is None:
        raise Refusal(403, "Resource not accessible by integration")
    return ask.facts.account(ask.bearer.user) | {"name": ask.bearer.user.login.title(), "email": None}


@router.get("/user/installations")
async def user_installations(ask: Ask) -> Response:
    token = ask.bearer.token
    mine = [
        i for i in ask.world.installations.values() if token and i.app is token.app and not i.is_deleted and _readable(ask, i)
    ]
    shown, headers = ask.page([ask.facts.installation(i) for i in mine])
    return JSONResponse({"total_count": len(mine), "installations": list(shown)}, headers=headers)


@router.get("/user/installations/{number}/repositories")
async def user_repositories(ask: Ask, number: int) -> Response:
    found = ask.world.installations.get(number)
    if found is None or not (readable := _readable(ask, found)):
        raise Refusal(404, "Not Found")
    return _repositories(ask, readable, selection=found.selection)


@router.get("/app/hook/deliveries")
async def list_deliveries(ask: Ask) -> Response:
    """Newest first; `cursor` is the id of the first one of the page."""
    app = ask.app()
    mine = [d for d in reversed(ask.hub.mail.deliveries) if d.app is app and d.status != "pending"]
    if "status" in ask.query:
        mine = [d for d in mine if (d.status_code < 400 and d.status_code > 0) == (ask.query["status"] == "success")]
    if "redelivery" in ask.query:
        mine = [d for d in mine if d.is_redelivery == (ask.query["redelivery"] == "true")]
    if cursor := ask.query.get("cursor"):
        mine = [d for d in mine if d.id <= int(cursor.removeprefix("v1_"))]
    size = min(int(ask.query.get("per_page", 30)), 100)
    more = {"Link": f'<{ask.address(cursor=f"v1_{mine[size].id}")}>; rel="next"'} if len(mine) > size else {}
    return JSONResponse([_delivery(d) for d in mine[:size]], headers=more)


@router.get("/app/hook/deliveries/{number}")
async def get_delivery(ask: Ask, number: int) -> Any:
    found = _find(ask, number)
    sent = {"headers": found.request_headers, "payload": found.payload}
    return _delivery(found) | {"url": found.app.webhook_url, "request": sent,
                               "response": {"headers": found.response_headers, "payload": found.response_body}}  # fmt: skip


@router.post("/app/hook/deliveries/{number}/attempts")
async def redeliver(ask: Ask, number: int) -> Response:
    """Really sends it again, with the same GUID."""
    ask.hub.mail.redeliver(_find(ask, number))
    return JSONResponse({}, 202)


@router.get("/rate_limit")
async def rate_limit(ask: Ask) -> Any:
    used = sum(call.path != "/rate_limit" for call in ask.hub.record.calls)
    core = {"limit": 5000, "remaining": max(5000 - used, 0), "reset": int(time.time()) + 3600, "used": used}
    return {"resources": example("rate-limit-overview")["resources"] | {"core": core}, "rate": core}


@router.get("/meta")
async def meta(ask: Ask) -> Any:
    return example("api-overview")


def _installation(ask: Asked, number: int) -> Installation:
    found = ask.world.installations.get(number)
    if found is None or found.app is not ask.app() or found.is_deleted:
        raise Refusal(404, "Not Found")
    return found


def _repositories(ask: Asked, repositories: list[Repository], *, selection: str) -> Response:
    shown, headers = ask.page(repositories)
    return JSONResponse({"total_count": len(repositories), "repository_selection": selection,
                         "repositories": [ask.facts.repository(r) for r in shown]}, headers=headers)  # fmt: skip


def _readable(ask: Asked, installation: Installation) -> list[Repository]:
    """What of the installation the signed-in user may read."""
    user = ask.bearer.user
    if user is None:
        raise Refusal(403, "You must authenticate with an access token authorized to a GitHub App in order to list installations")
    return [r for r in ask.world.repositories.values() if ask.world.sees(installation, r) and r.role(user.login) != "none"]


def _find(ask: Asked, number: int) -> Delivery:
    app = ask.app()
    found = next((d for d in ask.hub.mail.deliveries if d.id == number and d.app is app), None)
    if found is None:
        raise Refusal(404, "Not Found")
    return found


def _delivery(delivery: Delivery) -> Json:
    return {
        "id": delivery.id, "guid": delivery.guid, "delivered_at": stamp(delivery.delivered_at), "redelivery": delivery.is_redelivery,
        "duration": delivery.duration_s, "status": delivery.status, "status_code": delivery.status_code, "event": delivery.event,
        "action": delivery.action, "installation_id": delivery.installation_id, "repository_id": delivery.repository_id,
        "throttled_at": None,
    }  # fmt: skip
