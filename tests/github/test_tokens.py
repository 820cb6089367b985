"""The loopback GitHub believes only good JWTs and tokens, and only as far as they reach."""

import time

import httpx
import jwt
import pytest

from tests.github.asking import as_app, as_installation, as_person, client
from tests.github.conftest import Shop
from tests.github.server import FakeGitHub
from tests.github.world import now


def test_an_app_is_known_by_its_id_and_by_its_client_id(shop: Shop) -> None:
    with as_app(shop.github, shop.app, iss=shop.app.client_id) as by_client_id:
        names = {asking.get("/app").json()["slug"] for asking in (shop.app_asks, by_client_id)}

    assert names == {"gonogo"}


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"exp": 1_000_000_000}, "'Expiration time' claim"),
        ({"exp": None}, "Missing 'exp' claim"),
        ({"iat": None}, "Missing 'iat' claim"),
        ({"iss": "77"}, "could not be decoded"),
    ],
)
def test_a_bad_claim_is_401_with_the_reason(shop: Shop, claims: dict[str, int | None], said: str) -> None:
    with as_app(shop.github, shop.app, **claims) as asking:
        answer = asking.get("/app")

    assert answer.status_code == 401
    assert said in answer.json()["message"]


def test_a_jwt_signed_by_another_way_or_key_is_401(shop: Shop) -> None:
    claims = {"iat": int(time.time()), "exp": int(time.time()) + 60, "iss": str(shop.app.id)}

    with client(shop.github, jwt.encode(claims, "a-shared-secret-of-thirty-two-bytes!", "HS256")) as asking:
        assert asking.get("/app").status_code == 401


def test_a_token_is_opaque_long_and_good_for_an_hour(shop: Shop) -> None:
    answer = shop.app_asks.post(f"/app/installations/{shop.installation.id}/access_tokens").json()

    assert answer["token"].startswith("ghs_")
    assert len(answer["token"]) > 200
    assert answer["permissions"]["checks"] == "write"
    assert answer["repository_selection"] == "all"


def test_a_narrowed_token_reaches_only_its_repositories_and_permissions(shop: Shop) -> None:
    shop.github.repositories.create("acme/other")
    with as_installation(
        shop.github, shop.installation, repository_ids=[shop.repository.id], permissions={"pull_requests": "read"}
    ) as ask:
        assert ask.get("/repos/acme/shop/pulls/1").status_code == 200
        assert ask.get("/repos/acme/other").status_code == 404
        assert [r["full_name"] for r in ask.get("/installation/repositories").json()["repositories"]] == ["acme/shop"]
        refused = ask.get("/repos/acme/shop/contents/app.py")

    assert refused.status_code == 403
    assert refused.json()["message"] == "Resource not accessible by integration"
    assert refused.headers["x-accepted-github-permissions"] == "contents=read"


@pytest.mark.parametrize(
    "asked", [{"permissions": {"contents": "write"}}, {"repository_ids": [4]}, {"repositories": ["nothing"]}]
)
def test_more_than_was_granted_is_422(shop: Shop, asked: dict[str, object]) -> None:
    assert shop.app_asks.post(f"/app/installations/{shop.installation.id}/access_tokens", json=asked).status_code == 422


def test_a_permission_that_was_taken_away_is_missing_at_once(shop: Shop) -> None:
    shop.github.apps.accept_permissions(shop.installation, {"metadata": "read", "pull_requests": "read"})

    assert shop.new_check().status_code == 403


def test_a_suspended_installation_gets_no_token_and_its_old_one_is_refused(shop: Shop) -> None:
    shop.github.apps.suspend(shop.installation)
    minted = shop.app_asks.post(f"/app/installations/{shop.installation.id}/access_tokens")
    used = shop.ask.get("/repos/acme/shop")

    assert (minted.status_code, used.status_code) == (403, 403)
    assert "suspended" in minted.json()["message"]
    shop.github.apps.unsuspend(shop.installation)
    assert shop.ask.get("/repos/acme/shop").status_code == 200


def test_revoked_expired_and_unknown_tokens_are_401(shop: Shop) -> None:
    with as_installation(shop.github, shop.installation) as expired:
        list(shop.github.world.tokens.values())[-1].expires_at = now()
        answers = [expired.get("/repos/acme/shop")]
    with client(shop.github, "ghs_nobody") as unknown, client(shop.github) as nobody:
        answers += [unknown.get("/repos/acme/shop"), nobody.get("/repos/acme/shop")]
    shop.github.apps.revoke_tokens()
    answers.append(shop.ask.get("/repos/acme/shop"))

    assert [a.status_code for a in answers] == [401, 401, 401, 401]


def test_a_deleted_installation_has_no_door(shop: Shop) -> None:
    shop.github.apps.uninstall(shop.installation)

    assert shop.app_asks.post(f"/app/installations/{shop.installation.id}/access_tokens").status_code == 404
    assert shop.ask.get("/repos/acme/shop").status_code == 401
    assert shop.app_asks.get("/app/installations").json() == []


def test_the_app_finds_its_installations_and_that_of_a_repository(shop: Shop) -> None:
    listed: list[dict[str, object]] = shop.app_asks.get("/app/installations").json()
    one = shop.app_asks.get("/repos/acme/shop/installation").json()

    assert [i["id"] for i in listed] == [shop.installation.id] == [one["id"]]
    assert one["permissions"]["merge_queues"] == "read"
    assert shop.app_asks.get("/repos/acme/nothing/installation").status_code == 404


def test_a_person_sees_what_their_role_allows(shop: Shop, github: FakeGitHub) -> None:
    reader = github.repositories.give(shop.repository, "rita", "read")
    stranger = github.world.account("sam")

    def seen(asking: httpx.Client) -> tuple[int, int]:
        with asking:
            return asking.get("/repos/acme/shop").status_code, len(asking.get("/user/installations").json()["installations"])

    assert seen(as_person(github, shop.app, reader)) == (200, 1)
    assert seen(as_person(github, shop.app, stranger)) == (404, 0)
