"""Who asks: an App by its JWT, an installation or a user by a token; and what they may do."""

import base64
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import jwt

from tests.github.grants import ROLES, allows
from tests.github.keys import rsa_key
from tests.github.world import Account, App, Installation, Repository, Token, World, now

DOCS = "https://docs.github.com/rest"


class Refusal(Exception):
    """GitHub's answer to what cannot be done."""

    def __init__(
        self, status: int, message: str, *, errors: list[Any] | None = None, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.errors, self.headers = status, message, errors, dict(headers or {})

    def body(self) -> dict[str, Any]:
        errors = {} if self.errors is None else {"errors": self.errors}
        return {"message": self.message, **errors, "documentation_url": DOCS, "status": str(self.status)}


@dataclass(frozen=True)
class Bearer:
    """Exactly one of the three is set."""

    app: App | None = None
    token: Token | None = None

    @property
    def installation(self) -> Installation | None:
        return self.token.installation if self.token else None

    @property
    def user(self) -> Account | None:
        return self.token.user if self.token else None


def bearer_of(world: World, authorization: str | None) -> Bearer:
    """Read the header; 401 with GitHub's words when it is not good."""
    scheme, _, value = (authorization or "").partition(" ")
    if scheme.lower() == "basic":
        value = base64.b64decode(value).decode().partition(":")[2]
    elif scheme.lower() not in {"bearer", "token"}:
        raise Refusal(401, "Requires authentication")
    if value.count(".") == 2 and not value.startswith(("ghs_", "ghu_")):
        return Bearer(app=_app_of(world, value))
    token = world.tokens.get(value)
    if token is None or token.is_revoked or token.expires_at <= now() or (token.installation and token.installation.is_deleted):
        raise Refusal(401, "Bad credentials")
    if token.installation and token.installation.suspended_at:
        raise Refusal(403, "This installation has been suspended")
    return Bearer(token=token)


def new_token(world: World, kind: str, app: App, *, lasts: timedelta = timedelta(hours=1), **what: Any) -> Token:
    """A token in the form of 2026: `ghs_`, the App's id and a JWT-like rest, far longer than 40 characters."""
    rest = ".".join(base64.urlsafe_b64encode(secrets.token_bytes(n)).decode().rstrip("=") for n in (24, 120, 32))
    token = Token(f"{kind}_{app.id}_{rest}", now() + lasts, app=app, **what)
    world.tokens[token.value] = token
    return token


def require(bearer: Bearer, repository: Repository, world: World, grants: tuple[tuple[str, str], ...]) -> None:
    """One of the grants `(permission, level)` on this repository: 404 when it is out of sight, 403 when the grant is missing."""
    if bearer.user is not None:
        role = repository.role(bearer.user.login)
        if role == "none":
            raise Refusal(404, "Not Found")
        if any(level == "write" for _, level in grants) and ROLES.index(role) < ROLES.index("write"):
            raise Refusal(403, "Resource not accessible by integration")
        return
    token, installation = bearer.token, bearer.installation
    if token is None or installation is None:
        raise Refusal(401, "Bad credentials")
    if not world.sees(installation, repository) or (
        token.repository_ids is not None and repository.id not in token.repository_ids
    ):
        raise Refusal(404, "Not Found")
    # permissions that were taken away since hold at once
    if not any(
        allows(token.permissions, name, level) and allows(installation.permissions, name, level) for name, level in grants
    ):
        wanted = "; ".join(f"{name}={level}" for name, level in grants)
        raise Refusal(403, "Resource not accessible by integration", headers={"X-Accepted-GitHub-Permissions": wanted})


def _app_of(world: World, value: str) -> App:
    """RS256 only; `iss` is the App's id or client id; it lives ten minutes at most."""
    try:
        claims = json.loads(base64.urlsafe_b64decode(value.split(".")[1] + "=="))
    except ValueError as bad:
        raise Refusal(401, "A JSON web token could not be decoded") from bad
    issuer = str(claims.get("iss", ""))
    app = next((a for a in world.apps.values() if issuer in {str(a.id), a.client_id}), None)
    if app is None:
        raise Refusal(401, "A JSON web token could not be decoded")
    try:
        claims = jwt.decode(
            value,
            rsa_key(app.private_key).public_key(),
            algorithms=["RS256"],
            options={"require": ["iat", "exp", "iss"], "verify_iss": False},
        )  # pyright: ignore[reportArgumentType]
    except jwt.ExpiredSignatureError as late:
        raise Refusal(
            401,
            "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
        ) from late
    except jwt.ImmatureSignatureError as early:
        raise Refusal(
            401, "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
        ) from early
    except jwt.MissingRequiredClaimError as missing:
        raise Refusal(401, f"Missing '{missing.claim}' claim in assertion") from missing
    except jwt.InvalidTokenError as bad:
        raise Refusal(401, "A JSON web token could not be decoded") from bad
    if claims["exp"] > now().timestamp() + 600:
        raise Refusal(401, "'Expiration time' claim ('exp') is too far in the future")
    return app
