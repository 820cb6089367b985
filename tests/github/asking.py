"""A plain HTTP client for tests of the loopback GitHub itself: as an App, an installation or a person."""

import time
from typing import Any

import httpx
import jwt

from tests.github.authority import new_token
from tests.github.keys import rsa_key
from tests.github.server import FakeGitHub
from tests.github.world import Account, App, Installation


def as_app(github: FakeGitHub, app: App, **claims: Any) -> httpx.Client:
    """With a JWT of the App; `claims` replace its own, None leaves one out."""
    now = int(time.time())
    said = {"iat": now - 60, "exp": now + 540, "iss": str(app.id)} | claims
    return client(github, jwt.encode({k: v for k, v in said.items() if v is not None}, rsa_key(app.private_key), "RS256"))


def as_installation(github: FakeGitHub, installation: Installation, **narrowed: Any) -> httpx.Client:
    """With a fresh token of the installation; `narrowed` is the body that asks for it."""
    with as_app(github, installation.app) as asking:
        answer = asking.post(f"/app/installations/{installation.id}/access_tokens", json=narrowed)
    assert answer.status_code == 201, answer.text
    return client(github, answer.json()["token"])


def as_person(github: FakeGitHub, app: App, person: Account) -> httpx.Client:
    """With a token that the person gave the App."""
    return client(github, new_token(github.world, "ghu", app, user=person).value)


def client(github: FakeGitHub, token: str | None = None, *, timeout_s: float = 10) -> httpx.Client:
    headers = {"User-Agent": "tests"} | ({"Authorization": f"Bearer {token}"} if token else {})
    return httpx.Client(base_url=github.api_url, headers=headers, timeout=timeout_s, trust_env=False, verify=False)


def token_of(asking: httpx.Client) -> str:
    return asking.headers["authorization"].removeprefix("Bearer ")
