"""Who may see what: GitHub's own answer for each repository, asked as the App and believed for a minute at most."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from bot.github.app import GitHubApp
from bot.storage.app_rows import RepositoryRow
from gonogo.errors import ForgeError, Gone, Suspended
from gonogo.forge import Permission
from gonogo.record import Record

log = logging.getLogger("gonogo.web")

BELIEVED_FOR = timedelta(seconds=60)
_MOST_REMEMBERED = 50_000
_AT_A_TIME = 8


class Readable(Record):
    """Of the repositories asked about: which the viewer may read, and of how many GitHub did not answer (they are not shown)."""

    repositories: Sequence[RepositoryRow]
    unanswered: int = 0


class Access:
    """Permissions of people, asked of GitHub. What was answered is believed for BELIEVED_FOR; what was not is no permission."""

    def __init__(self, github: GitHubApp, *, clock: Callable[[], datetime]) -> None:
        self._github, self._clock = github, clock
        self._known: dict[tuple[str, int], tuple[datetime, bool]] = {}
        self._turns = asyncio.Semaphore(_AT_A_TIME)

    async def readable(self, login: str, repositories: Sequence[RepositoryRow]) -> Readable:
        """Those of the repositories that the person may read on GitHub now."""
        answers = await asyncio.gather(*(self._may_read(login, one) for one in repositories))
        return Readable([one for one, may in zip(repositories, answers, strict=True) if may], sum(may is None for may in answers))

    async def _may_read(self, login: str, repository: RepositoryRow) -> bool | None:
        """None: GitHub did not answer."""
        key = (login.lower(), repository.id)
        known = self._known.get(key)
        if known is not None and self._clock() - known[0] < BELIEVED_FOR:
            return known[1]
        async with self._turns:
            client = self._github.repository(
                repository.installation_id, repository.owner, repository.name, repository.id, limit=None
            )
            asked = self._clock()
            try:
                may = (await client.permission(login)) is not Permission.NONE
            except (Suspended, Gone):
                may = False  # the App is no longer there: nobody can show that they may read it
            except ForgeError as error:
                log.warning("permission not asked", extra={"repository": repository.id, "why": type(error).__name__})
                return None
        if len(self._known) >= _MOST_REMEMBERED:
            self._known.clear()
        self._known[key] = (asked, may)
        return may
