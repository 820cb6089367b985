"""The App on GitHub: its installations, its webhook deliveries, and the door to each repository."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

import httpx

from bot.github.access import GitHubAccess
from bot.github.answers import App, DeliveryAnswer, read_as, read_item
from bot.github.calls import Calls, Tools
from bot.github.client import RepositoryClient
from bot.github.identity import Identity
from bot.github.shapes import Installation, Repository
from bot.github.spacing import MemorySpacing, Spacing
from bot.github.tokens import FOR_THE_API, AppAuthority, InstallationAuthority, Scope, Tokens
from bot.github.wire import Wire
from gonogo.forge import AppFacts, Delivery, InstallationFacts, RepositoryFacts

CALLS_PER_EVALUATION = 25
_TO_LIST = (("metadata", "read"),)


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


class GitHubApp:
    """Speaks as the App. One for a process; `aclose` it, or use it in `async with`.

    `spacing` is shared by all processes when it is `redis_spacing(...)`; by default each process keeps to itself.
    """

    def __init__(
        self,
        access: GitHubAccess,
        *,
        clock: Callable[[], datetime] = utc_now,
        spacing: Spacing | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.access = access
        self._wire = Wire(access, transport=transport)
        self._tools = Tools(self._wire, spacing or MemorySpacing(clock), clock, sleep)
        self._as_app = Calls(self._tools, AppAuthority(), key="app")
        self._tokens = Tokens(self._as_app)
        self._identity = Identity(access.app_id, self.app)
        self._app: AppFacts | None = None

    async def __aenter__(self) -> Self:
        """Nothing is opened before the first call."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._wire.aclose()

    def repository(
        self,
        installation_id: int,
        owner: str,
        name: str,
        repository_id: int,
        *,
        limit: int | None = CALLS_PER_EVALUATION,
        used: int = 0,
    ) -> RepositoryClient:
        """One repository, with a budget of calls: `used` of `limit` were made before by the same evaluation; None for a sweep."""
        scope = Scope(installation_id, repository_id, tuple(FOR_THE_API.items()))
        calls = Calls(self._tools, InstallationAuthority(self._tokens, scope), key=str(installation_id), limit=limit, used=used)
        return RepositoryClient(calls, self._tokens, self._identity, owner=owner, name=name, scope=scope)

    async def app(self) -> AppFacts:
        """The App as it is registered; asked once."""
        if self._app is None:
            self._app = read_as(App, await self._as_app.get("/app")).facts()
        return self._app

    async def installations(self) -> Sequence[InstallationFacts]:
        """Every account that the App is on."""
        return [read_item(Installation, i).facts() async for i in self._as_app.pages("/app/installations")]

    async def installation(self, installation_id: int) -> InstallationFacts:
        """One of them; Gone when the App was removed."""
        return read_as(Installation, await self._as_app.get(f"/app/installations/{installation_id}")).facts()

    async def installation_repositories(self, installation_id: int) -> Sequence[RepositoryFacts]:
        """The repositories that the account has given to the App. Raises Suspended."""
        scope = Scope(installation_id, None, _TO_LIST)
        calls = Calls(self._tools, InstallationAuthority(self._tokens, scope), key=str(installation_id))
        return [read_item(Repository, r).facts() async for r in calls.pages("/installation/repositories", of="repositories")]

    async def hook_deliveries(self, *, since: datetime) -> Sequence[Delivery]:
        """Attempts of GitHub to deliver webhooks since then, newest first. GitHub keeps them for 3 days (a server of one's own: 7)."""
        found: list[Delivery] = []
        async for item in self._as_app.pages("/app/hook/deliveries"):
            delivery = read_item(DeliveryAnswer, item).facts()
            if delivery.delivered_at < since:
                break
            found.append(delivery)
        return found

    async def redeliver(self, delivery_id: int) -> None:
        """Ask GitHub to deliver once more, under the same GUID."""
        await self._as_app.create(f"/app/hook/deliveries/{delivery_id}/attempts")
