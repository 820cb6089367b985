"""Tokens of installations: for one repository, with no more permissions than the work needs, renewed before they end.

https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import field
from datetime import datetime, timedelta
from typing import Any

from bot.github.answers import Token as TokenAnswer
from bot.github.answers import read_as
from bot.github.app_manifest import PERMISSIONS
from bot.github.calls import Calls
from bot.github.failures import has
from bot.github.shapes import Installation
from gonogo.errors import Forbidden, Gone, NotFoundYet, Refused, Suspended
from gonogo.record import Record

RENEW_BEFORE = timedelta(minutes=5)
FOR_THE_API: Mapping[str, str] = {p.name: p.level for p in PERMISSIONS}
FOR_GIT: Mapping[str, str] = {"contents": "read", "metadata": "read"}


class Scope(Record):
    """What a token is for. Without a repository it reaches all of the installation, to list them."""

    installation_id: int
    repository_id: int | None
    permissions: tuple[tuple[str, str], ...]


class Token(Record):
    """An opaque text of any length: since April 2026 GitHub's are longer than 40 characters."""

    text: str = field(repr=False)
    expires_at: datetime
    granted: Mapping[str, str]


class Tokens:
    """The tokens of one App, made when they are needed."""

    def __init__(self, as_app: Calls) -> None:
        self._as_app = as_app
        self._held: dict[Scope, Token] = {}
        self._making: defaultdict[Scope, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def of(self, scope: Scope) -> Token:
        """A token that is good for five minutes at least."""
        async with self._making[scope]:
            held = self._held.get(scope)
            if held is None or held.expires_at - self._as_app.now < RENEW_BEFORE:
                held = self._held[scope] = await self._made(scope)
            return held

    def held(self, scope: Scope) -> Token | None:
        """The token at hand, however old."""
        return self._held.get(scope)

    def forget(self, scope: Scope, text: str) -> None:
        """Drop a token that GitHub refused, unless a new one is there already."""
        held = self._held.get(scope)
        if held is not None and held.text == text:
            del self._held[scope]

    async def _made(self, scope: Scope) -> Token:
        wanted = dict(scope.permissions)
        try:
            return await self._asked(scope, wanted)
        except Refused as refused:
            granted = await self._granted(scope.installation_id)
            held = {name: level for name, level in wanted.items() if has(granted, name, level)}
            held |= {n: granted[n] for n in wanted if n not in held and n in granted}
            if held == wanted:
                raise
            if not held or scope.permissions == tuple(FOR_GIT.items()):
                missing = next(name for name in wanted if name not in granted)
                raise Forbidden(
                    f"the installation has not granted {missing}: its owner accepts it in the App's settings", permission=missing
                ) from refused
            return await self._asked(scope, held)

    async def _asked(self, scope: Scope, permissions: Mapping[str, str]) -> Token:
        body: dict[str, Any] = {"permissions": permissions}
        if scope.repository_id is not None:
            body["repository_ids"] = [scope.repository_id]
        path = f"/app/installations/{scope.installation_id}/access_tokens"
        try:
            answer = await self._as_app.change("POST", path, body, is_content=False)  # a token too many does no harm
        except Gone as error:
            raise Suspended("the App is no longer installed there", is_removed=True) from error
        except NotFoundYet as error:
            raise Gone(f"repository {scope.repository_id} is not among those that the App was given") from error
        made = read_as(TokenAnswer, answer)
        return Token(made.token, made.expires_at, made.permissions or dict(permissions))

    async def _granted(self, installation_id: int) -> Mapping[str, str]:
        answer = await self._as_app.get(f"/app/installations/{installation_id}")
        return read_as(Installation, answer).permissions


class InstallationAuthority:
    """Calls as an installation, within a scope."""

    def __init__(self, tokens: Tokens, scope: Scope) -> None:
        self._tokens, self._scope = tokens, scope

    async def token(self) -> str | None:
        """A token of the scope."""
        return (await self._tokens.of(self._scope)).text

    async def refused(self, token: str) -> None:
        """Make the next one anew."""
        self._tokens.forget(self._scope, token)

    def granted(self) -> Mapping[str, str]:
        """What the token at hand may do."""
        held = self._tokens.held(self._scope)
        return held.granted if held else {}


class AppAuthority:
    """Calls as the App itself: githubkit signs them."""

    async def token(self) -> str | None:
        """None: signed."""
        return None

    async def refused(self, token: str) -> None:
        """There is no token to forget."""

    def granted(self) -> Mapping[str, str]:
        """An App has no permissions of its own in a repository."""
        return {}
