"""Who is signed in, in signed cookies: only sessions that were signed out are kept on our side (`bot.storage.app_sessions`), and
nothing of GitHub's is in them but the login.

A cookie is read by any web process of the App. Signed is not secret: what is in it may be known, but not changed.
"""

import hmac
import secrets
from dataclasses import asdict, dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any, Literal, cast

from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import Request
from starlette.responses import Response

SESSION_FOR = timedelta(hours=8)
SIGN_IN_WITHIN = timedelta(minutes=10)


@dataclass(frozen=True)
class Viewer:
    """A person who signed in. `nonce` tells this session from the person's others."""

    id: int
    login: str
    nonce: str

    @classmethod
    def of(cls, *, number: int, login: str) -> "Viewer":
        """A new session."""
        return cls(number, login, secrets.token_urlsafe(12))


@dataclass(frozen=True)
class Begun:
    """A sign-in that GitHub has not answered yet; `next` is the page that was asked for."""

    state: str
    verifier: str
    next: str

    @classmethod
    def towards(cls, page: str) -> "Begun":
        """With a state and a verifier that nobody can guess. Only a page of ours is gone to."""
        is_ours = page.startswith("/") and not page.startswith(("//", "/\\")) and page.isprintable()
        return cls(secrets.token_urlsafe(24), secrets.token_urlsafe(48), page if is_ours else "/")


class Sessions:
    """Writes and reads the two cookies. `key` signs them; behind https they are never sent without it."""

    def __init__(self, key: bytes, *, is_https: bool) -> None:
        self._key, self._is_https = key, is_https
        prefix = "__Host-" if is_https else ""
        self._session, self._begun = f"{prefix}gonogo", f"{prefix}gonogo-sign-in"

    def viewer(self, request: Request) -> Viewer | None:
        """Who signed in, as the cookie says; None when nobody did, or it was too long ago. Whether it was ended, `Parts.viewer` knows."""
        told = self._read(request, self._session, "session", SESSION_FOR)
        try:
            return Viewer(**told) if told is not None else None
        except TypeError:
            return None

    def begun(self, request: Request) -> Begun | None:
        """The sign-in that this browser began."""
        told = self._read(request, self._begun, "sign-in", SIGN_IN_WITHIN)
        try:
            return Begun(**told) if told is not None else None
        except TypeError:
            return None

    def begin(self, response: Response, begun: Begun) -> None:
        """Remember it in this browser."""
        self._write(response, self._begun, "sign-in", asdict(begun), SIGN_IN_WITHIN)

    def open(self, response: Response, viewer: Viewer) -> None:
        """Sign in; the sign-in that led here is used up."""
        self._write(response, self._session, "session", asdict(viewer), SESSION_FOR)
        self._forget(response, self._begun)

    def close(self, response: Response) -> None:
        """Sign out in this browser."""
        self._forget(response, self._session)

    def form_token(self, viewer: Viewer) -> str:
        """What every form of this session must carry: another site cannot know it."""
        return hmac.new(self._key, f"form {viewer.id} {viewer.nonce}".encode(), sha256).hexdigest()

    def is_form_of(self, viewer: Viewer, token: str) -> bool:
        """Whether a form came from a page of this session."""
        return hmac.compare_digest(self.form_token(viewer).encode(), token.encode())

    def _read(self, request: Request, name: str, salt: str, lasts: timedelta) -> dict[str, Any] | None:
        try:
            told = self._serializer(salt).loads(request.cookies.get(name, ""), max_age=int(lasts.total_seconds()))
        except BadData:
            return None
        return cast("dict[str, Any]", told) if isinstance(told, dict) else None

    def _write(self, response: Response, name: str, salt: str, told: dict[str, Any], lasts: timedelta) -> None:
        same_site: Literal["lax"] = "lax"  # GitHub's redirect back must bring it
        response.set_cookie(
            name,
            self._serializer(salt).dumps(told),
            max_age=int(lasts.total_seconds()),
            path="/",
            secure=self._is_https,
            httponly=True,
            samesite=same_site,
        )

    def _forget(self, response: Response, name: str) -> None:
        response.delete_cookie(name, path="/", secure=self._is_https, httponly=True, samesite="lax")

    def _serializer(self, salt: str) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self._key, salt=f"gonogo {salt}", signer_kwargs={"digest_method": sha256})
