"""Signing in at the loopback GitHub, and making an App from a manifest."""

import base64
import hashlib
import json
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tests.github.asking import client
from tests.github.server import FakeGitHub
from tests.github.world import App

BACK = "http://127.0.0.1:8000/sign-in/back"


@pytest.fixture
def app(github: FakeGitHub) -> App:
    return github.apps.register(callback_urls=["http://127.0.0.1:8000"])


def asked(github: FakeGitHub, app: App, **query: str) -> dict[str, str]:
    """What the browser is sent back with."""
    with httpx.Client(verify=False) as browser:
        answer = browser.get(f"{github.web_url}/login/oauth/authorize",
                             params={"client_id": app.client_id, "redirect_uri": BACK, "state": "s-1"} | query)  # fmt: skip
    assert answer.status_code == 302, answer.text
    back = urlsplit(answer.headers["location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == BACK
    return {name: values[0] for name, values in parse_qs(back.query).items()}


def exchanged(github: FakeGitHub, app: App, code: str, **more: str) -> dict[str, str]:
    body = {"client_id": app.client_id, "client_secret": app.client_secret, "code": code} | more
    with httpx.Client(verify=False) as asking:
        return asking.post(f"{github.web_url}/login/oauth/access_token", data=body, headers={"Accept": "application/json"}).json()


def test_a_code_becomes_a_token_of_the_person_once(github: FakeGitHub, app: App) -> None:
    github.desk.who = "rita"
    back = asked(github, app)
    token = exchanged(github, app, back["code"])
    with client(github, token["access_token"]) as ask:
        person = ask.get("/user").json()

    assert back["state"] == "s-1"
    assert (token["token_type"], person["login"]) == ("bearer", "rita")
    assert exchanged(github, app, back["code"])["error"] == "bad_verification_code"


def test_a_wrong_secret_is_an_error_with_status_200(github: FakeGitHub, app: App) -> None:
    assert exchanged(github, app, asked(github, app)["code"], client_secret="wrong")["error"] == "incorrect_client_credentials"


def test_who_refuses_comes_back_with_access_denied(github: FakeGitHub, app: App) -> None:
    github.desk.who = None

    assert asked(github, app)["error"] == "access_denied"


def test_an_address_that_was_not_registered_is_refused(github: FakeGitHub, app: App) -> None:
    with httpx.Client(verify=False) as browser:
        answer = browser.get(
            f"{github.web_url}/login/oauth/authorize", params={"client_id": app.client_id, "redirect_uri": "http://evil.example/"}
        )

    assert answer.status_code == 400


def test_a_challenge_needs_its_verifier(github: FakeGitHub, app: App) -> None:
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"v" * 43).digest()).decode().rstrip("=")

    def error(**more: str) -> str | None:
        code = asked(github, app, code_challenge=challenge, code_challenge_method="S256")["code"]
        return exchanged(github, app, code, **more).get("error")

    assert error(code_verifier="w" * 43) == "bad_verification_code"
    assert error() == "bad_verification_code"
    assert error(code_verifier="v" * 43) is None


def a_manifest(**more: object) -> dict[str, object]:
    return {"name": "gonogo acme", "url": "http://127.0.0.1:8000", "redirect_url": BACK, "default_permissions": {"checks": "write", "pull_requests": "read"},
            "hook_attributes": {"url": "http://127.0.0.1:8000/webhooks/github"}, "default_events": ["pull_request"]} | more  # fmt: skip


def pressed_create(github: FakeGitHub, manifest: dict[str, object]) -> httpx.Response:
    with httpx.Client(verify=False) as browser:
        return browser.post(
            f"{github.web_url}/organizations/acme/settings/apps/new",
            params={"state": "s-2"},
            data={"manifest": json.dumps(manifest)},
        )


def test_a_manifest_becomes_an_app_whose_secrets_are_given_once(github: FakeGitHub) -> None:
    location = pressed_create(github, a_manifest()).headers["location"]
    query = parse_qs(urlsplit(location).query)
    with client(github) as ask:
        made = ask.post(f"/app-manifests/{query['code'][0]}/conversions")
        again = ask.post(f"/app-manifests/{query['code'][0]}/conversions")

    app = github.world.apps[made.json()["id"]]
    assert (made.status_code, again.status_code, query["state"]) == (201, 404, ["s-2"])
    assert (made.json()["slug"], made.json()["webhook_secret"], made.json()["client_secret"]) == (
        "gonogo-acme",
        app.webhook_secret,
        app.client_secret,
    )
    assert made.json()["pem"].startswith("-----BEGIN RSA PRIVATE KEY-----")
    assert (app.permissions, app.events, app.webhook_url) == (
        {"checks": "write", "pull_requests": "read"},
        ["pull_request"],
        "http://127.0.0.1:8000/webhooks/github",
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"default_permissions": {"variables": "read"}},
        {"redirect_url": None},
        {"url": None},
        {"hook_attributes": {"active": True}},
        {"name": "n" * 35},
        {"default_events": ["merge_group"]},
        {"default_events": ["installation"]},
    ],
)
def test_a_manifest_that_github_would_refuse_is_refused(github: FakeGitHub, wrong: dict[str, object]) -> None:
    manifest = {key: value for key, value in a_manifest(**wrong).items() if value is not None}

    assert pressed_create(github, manifest).status_code == 422
