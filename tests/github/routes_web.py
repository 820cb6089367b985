"""The part of GitHub that people see: signing in, making an App from a manifest."""

import base64
import hashlib
import json
import secrets
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from tests.github.acts_apps import Apps
from tests.github.asked import Ask
from tests.github.authority import Refusal, new_token
from tests.github.desk import Code
from tests.github.grants import EVENT_NEEDS, UNSUBSCRIBED, allows
from tests.github.hub import Hub
from tests.github.shapes import description
from tests.github.world import now

web = APIRouter()
api = APIRouter()


@web.get("/login/oauth/authorize")
async def authorize(request: Request) -> Response:
    """The person agrees at once: back with a code and the state as it came."""
    hub, query = _hub(request), dict(request.query_params)
    app = next((a for a in hub.world.apps.values() if a.client_id == query.get("client_id")), None)
    if app is None:
        return HTMLResponse("Not Found", 404)
    target = query.get("redirect_uri") or (app.callback_urls[0] if app.callback_urls else "")
    if not any(target == known or target.startswith(known.rstrip("/") + "/") for known in app.callback_urls):
        return HTMLResponse("The redirect_uri is not associated with this application.", 400)
    back = {"state": query["state"]} if "state" in query else {}
    if hub.desk.who is None:
        return _to(target, {"error": "access_denied", "error_description": "The user has denied your application access."} | back)
    challenge = query.get("code_challenge") if query.get("code_challenge_method") == "S256" else None
    code = secrets.token_hex(10)
    hub.desk.codes[code] = Code(
        app, hub.world.account(hub.desk.who), now() + timedelta(minutes=10), query.get("redirect_uri"), challenge
    )
    return _to(target, {"code": code} | back)


@web.post("/login/oauth/access_token")
async def access_token(request: Request) -> Response:
    """Errors are answered with 200, as GitHub does; JSON only when it was asked for."""
    hub, raw = _hub(request), await request.body()
    is_json = "json" in request.headers.get("content-type", "")
    given: dict[str, Any] = dict(request.query_params) | (json.loads(raw or b"{}") if is_json else dict(parse_qsl(raw.decode())))
    app = next((a for a in hub.world.apps.values() if a.client_id == given.get("client_id")), None)
    code = _hub(request).desk.codes.pop(str(given.get("code")), None)
    body: dict[str, Any]
    if app is None or app.client_secret != given.get("client_secret"):
        body = {
            "error": "incorrect_client_credentials",
            "error_description": "The client_id and/or client_secret passed are incorrect.",
        }
    elif (
        code is None
        or code.app is not app
        or code.ends_at <= now()
        or code.user is None
        or not _verified(code, given.get("code_verifier"))
    ):
        body = {"error": "bad_verification_code", "error_description": "The code passed is incorrect or expired."}
    elif code.redirect_uri and given.get("redirect_uri", code.redirect_uri) != code.redirect_uri:
        body = {"error": "redirect_uri_mismatch", "error_description": "The redirect_uri MUST match the registered callback URL."}
    else:
        token = new_token(hub.world, "ghu", app, lasts=timedelta(hours=8), user=code.user)
        body = {"access_token": token.value, "expires_in": 28_800, "refresh_token": f"ghr_{secrets.token_hex(20)}",
                "refresh_token_expires_in": 15_811_200, "token_type": "bearer", "scope": ""}  # fmt: skip
    if "json" in request.headers.get("accept", ""):
        return JSONResponse(body)
    return Response(urlencode(body), media_type="application/x-www-form-urlencoded")


@web.post("/settings/apps/new")
@web.post("/organizations/{owner}/settings/apps/new")
async def new_app(request: Request, owner: str = "olivia") -> Response:
    """The person presses 'Create': back to the manifest's redirect_url with a code that is good for an hour."""
    manifest: dict[str, Any] = json.loads(dict(parse_qsl((await request.body()).decode()))["manifest"])
    permissions: dict[str, str] = manifest.get("default_permissions", {})
    events: list[str] = manifest.get("default_events", [])
    hook: dict[str, Any] = manifest.get("hook_attributes", {})
    if wrong := _wrong_in(manifest, permissions, events, hook):
        return HTMLResponse(f"Invalid GitHub App manifest: {wrong}", 422)
    app = Apps(_hub(request)).register(
        str(manifest.get("name") or "an-app").lower().replace(" ", "-"), owner=owner, webhook_url=hook.get("url"),
        permissions=permissions, events=events, callback_urls=manifest.get("callback_urls", []),
    )  # fmt: skip
    code = secrets.token_hex(20)
    _hub(request).desk.codes[code] = Code(app, None, now() + timedelta(hours=1))
    state = request.query_params.get("state")
    return _to(manifest["redirect_url"], {"code": code} | ({"state": state} if state else {}))


@api.post("/app-manifests/{code}/conversions")
async def convert(request: Request, ask: Ask, code: str) -> Response:
    """Once: the App with its secrets."""
    found = _hub(request).desk.codes.pop(code, None)
    if found is None or found.ends_at <= now() or found.user is not None:
        raise Refusal(404, "Not Found")
    app = found.app
    secrets_of = {"client_secret": app.client_secret, "webhook_secret": app.webhook_secret, "pem": app.private_key}
    return JSONResponse(ask.facts.app(app) | {"client_id": app.client_id} | secrets_of, 201)


def _verified(code: Code, verifier: Any) -> bool:
    if code.challenge is None:
        return True
    digest = hashlib.sha256(str(verifier).encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=") == code.challenge


def _wrong_in(manifest: dict[str, Any], permissions: dict[str, str], events: list[str], hook: dict[str, Any]) -> list[str]:
    """What GitHub's form would refuse."""
    known = {"metadata", *description()["components"]["schemas"]["app-permissions"]["properties"]}
    wrong = [f"{key} is missing" for key in ("url", "redirect_url") if not manifest.get(key)]
    wrong += ["hook_attributes.url is missing"] if hook and not hook.get("url") else []
    wrong += ["name is longer than 34 characters"] if len(str(manifest.get("name") or "")) > 34 else []
    wrong += [f"default_permissions: {name} is not known" for name in sorted(set(permissions) - known)]
    return wrong + [
        f"default_events: {event} is not supported by the permissions"
        for event in events
        if event in UNSUBSCRIBED or not allows(permissions, EVENT_NEEDS.get(event, "metadata"), "read")
    ]


def _to(target: str, query: dict[str, str]) -> Response:
    return RedirectResponse(f"{target}{'&' if '?' in target else '?'}{urlencode(query)}", 302)


def _hub(request: Request) -> Hub:
    return request.scope["hub"]
