"""The code of a repository: a bare copy on this host's disk, brought up to date by git before each evaluation.

One folder a repository, named by its number, so that a rename changes nothing. What happens in it happens under a lock that all
processes of the host share; a copy that turns out broken is made anew.
"""

import asyncio
import logging
import os
import re
import secrets
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from bot.github.git_process import run_git
from bot.github.mirror_disk import locked, remove, tidy_after_a_kill
from bot.github.mirror_fetch import (
    LOCAL_TIMEOUT_S,
    Broken,
    Fetch,
    Source,
    TooLarge,
    Wanted,
    commit_of,
    has_commit,
    kept_as,
    merge_base,
)
from bot.github.mirror_packs import broken_seal, put_together, seal
from gonogo.errors import ForgeUnavailable, Gone, StageFailed
from gonogo.record import Record

__all__ = ["Fetched", "Mirrors", "Source"]

FETCH_TIMEOUT_S = 120.0
CREATE_TIMEOUT_S = 900.0
"""The first copy of a repository has all of its history."""
MAX_BYTES = 20 * 1024**3
"""Of one copy."""
_log = logging.getLogger("gonogo.github")
_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class Fetched(Record):
    """What is on the disk now. `merge_base_sha` is None when both have no history in common."""

    folder: Path
    base_sha: str
    head_sha: str
    merge_base_sha: str | None


class Mirrors:
    """The copies below one folder."""

    def __init__(
        self,
        data_dir: Path,
        *,
        fetch_timeout_s: float = FETCH_TIMEOUT_S,
        create_timeout_s: float = CREATE_TIMEOUT_S,
        max_bytes: int = MAX_BYTES,
    ) -> None:
        self._root = data_dir / "mirrors"
        self._fetch_timeout_s, self._create_timeout_s, self._max_bytes = fetch_timeout_s, create_timeout_s, max_bytes

    def folder(self, repository_id: int) -> Path:
        """Where the copy of a repository is, or will be."""
        return self._root / f"{repository_id}.git"

    async def fetch(self, source: Source, *, base_ref: str, head_ref: str, head_sha: str, base_sha: str | None = None) -> Fetched:
        """Bring base and head here. Refs are whole: `refs/heads/main`, `refs/pull/7/head`, a merge group's `refs/heads/gh-readonly-…`.

        Head is exactly `head_sha`, also when the ref has moved on since; base is `base_sha` when given, else where its branch
        stands. Raises NotFoundYet while GitHub does not show the head, Gone for a base branch or a repository that is not there,
        Forbidden without `contents: read`, ForgeUnavailable when the network, GitHub or the time fails, StageFailed for the disk.
        """
        _check(head_sha, *([base_sha] if base_sha else []))
        async with self._locked(source.repository_id) as lock:
            folder = self.folder(source.repository_id)
            wanted = Wanted(base_ref=base_ref, head_ref=head_ref, head_sha=head_sha, base_sha=base_sha)
            if folder.is_dir():
                await asyncio.to_thread(tidy_after_a_kill, folder)
                why = await asyncio.to_thread(broken_seal, folder)
                if why is None:
                    try:
                        return await self._brought(folder, source, wanted, lock, self._fetch_timeout_s)
                    except (Broken, TooLarge) as error:
                        why = str(error)
                _log.warning("a copy is broken and made anew: repository %s, %s", source.repository_id, why)
            return await self._made(folder, source, wanted, lock)

    async def discard(self, repository_id: int) -> None:
        """Remove a copy: of a repository that is ours to read no more, or one in which something could not be read."""
        async with self._locked(repository_id):
            await asyncio.to_thread(remove, self.folder(repository_id))

    async def _made(self, folder: Path, source: Source, wanted: Wanted, lock: int) -> Fetched:
        """A new copy, beside its place, and then in it."""
        for left in [*self._root.glob(f".new-{source.repository_id}-*"), *self._root.glob(f".gone-{source.repository_id}.git-*")]:
            await asyncio.to_thread(remove, left)
        new = self._root / f".new-{source.repository_id}-{os.getpid()}-{secrets.token_hex(4)}"
        try:
            done = await run_git("init", "--bare", "--quiet", "--template=", folder=new, timeout_s=LOCAL_TIMEOUT_S)
            if done.status:
                raise StageFailed("changes", f"no copy of the repository could be begun: {done.said.strip()[:300]}")
            fetched = await self._brought(new, source, wanted, lock, self._create_timeout_s)
            await asyncio.to_thread(remove, folder)
            new.rename(folder)
        except Broken as error:
            raise ForgeUnavailable(f"a new copy of the repository could not be made: {error}") from error
        finally:
            await asyncio.to_thread(remove, new)
        return Fetched(folder, fetched.base_sha, fetched.head_sha, fetched.merge_base_sha)

    async def _brought(self, folder: Path, source: Source, wanted: Wanted, lock: int, timeout_s: float) -> Fetched:
        fetched = await self._fetched(Fetch(folder, source, lock, timeout_s, self._max_bytes), folder, wanted)
        await put_together(folder, lock)
        await asyncio.to_thread(seal, folder)
        return fetched

    async def _fetched(self, fetch: Fetch, folder: Path, wanted: Wanted) -> Fetched:
        has_head = await has_commit(folder, wanted.head_sha)
        base_sha = wanted.base_sha
        if base_sha is None or not has_head or not await has_commit(folder, base_sha):
            has_base = await fetch.refs(wanted, has_head=has_head)
            if base_sha is None:
                base_sha = await commit_of(folder, kept_as(wanted.base_ref)) if has_base else None
            if base_sha is None:
                raise Gone(f"GitHub has no branch {wanted.base_ref}")
        for sha, where in ((wanted.head_sha, "head"), (base_sha, "base")):
            if not await has_commit(folder, sha):
                await fetch.commit(sha, where=where)
        return Fetched(folder, base_sha, wanted.head_sha, await merge_base(folder, base_sha, wanted.head_sha))

    def _locked(self, repository_id: int) -> AbstractAsyncContextManager[int]:
        return locked(self._root / f"{repository_id}.lock", timeout_s=self._create_timeout_s)


def _check(*shas: str) -> None:
    for sha in shas:
        if not _SHA.fullmatch(sha):
            raise ValueError(f"{sha!r} is not the id of a commit")
