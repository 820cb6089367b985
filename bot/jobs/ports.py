"""What the jobs of a worker act through: the store, GitHub, the copies of repositories, the queue, the time."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from bot.github.app import GitHubApp
from bot.github.client import RepositoryClient
from bot.github.mirror import Mirrors
from bot.jobs.child import RunChild, run_child
from bot.jobs.redis_commands import Queue
from bot.server_settings import ServerSettings
from bot.storage.app_rows import RepositoryRow
from bot.storage.app_store import AppStore
from gonogo.record import Record


def utc_now() -> datetime:
    """The time now."""
    return datetime.now(UTC)


class Ports(Record):
    """One worker's. The store blocks, so it is called in a thread: `await ports.stored(ports.store.claim, …)`."""

    settings: ServerSettings
    store: AppStore
    github: GitHubApp
    mirrors: Mirrors
    queue: Queue
    worker_id: str
    run_child: RunChild = run_child
    """Evaluates one range in a process of its own."""
    clock: Callable[[], datetime] = utc_now
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def stored[**P, T](self, call: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """The answer of a call that blocks."""
        return await asyncio.to_thread(call, *args, **named)

    def forge(self, repository: RepositoryRow, *, limit: int | None = None, used: int = 0) -> RepositoryClient:
        """The door to a repository; `limit` and `used` are REST calls."""
        return self.github.repository(
            repository.installation_id, repository.owner, repository.name, repository.id, limit=limit, used=used
        )
