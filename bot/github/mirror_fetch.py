"""Fetches commits of GitHub's into a copy on the disk, each exactly as it was asked for."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path

from bot.github.git_process import Ended, RefMissing, TokenRefused, failure, network_config, run_git
from bot.github.mirror_packs import bytes_in
from gonogo.errors import Forbidden, ForgeUnavailable, NotFoundYet, StageFailed
from gonogo.record import Record

LOCAL_TIMEOUT_S = 60.0
_LOOK_S = 0.5
"""Between two looks at the size of what is arriving."""


class Source(Record):
    """Which repository, where it is read, and by whose word.

    `token` is asked for a token to read with; when one was refused it is asked again, with that one.
    """

    repository_id: int
    url: str
    token: Callable[[str | None], Awaitable[str]]


class Wanted(Record):
    """The commits to bring. Without `base_sha`, base is where its branch stands."""

    base_ref: str
    head_ref: str
    head_sha: str
    base_sha: str | None


class Broken(Exception):
    """The copy on our disk is not as git left it."""


class TooLarge(StageFailed):
    """More than the disk is to hold; a copy that has grown old may have it of commits that nobody needs any more."""


class Fetch(Record):
    """Into one copy. `lock` is the descriptor of its lock."""

    folder: Path
    source: Source
    lock: int
    timeout_s: float
    max_bytes: int

    async def refs(self, wanted: Wanted, *, has_head: bool) -> bool:
        """Branch and head in one go; when the head's ref is not there, the branch alone. Whether the branch is there."""
        base = f"+{wanted.base_ref}:{kept_as(wanted.base_ref)}"
        head = [] if has_head else [wanted.head_ref]  # under no name: nothing here is ever dropped, and names would pile up
        for refspecs in ([base, *head], [base]) if head else ([base],):
            with suppress(RefMissing):
                await self._run(*refspecs)
                return True
        return False

    async def commit(self, sha: str, *, where: str) -> None:
        """A commit by its id, although no branch may hold it any more."""
        try:
            await self._run(sha)
        except RefMissing as error:
            raise NotFoundYet(f"GitHub does not show the {where} commit {sha[:12]}") from error
        if not await has_commit(self.folder, sha):
            raise Broken(f"the {where} commit {sha[:12]} was fetched and cannot be read")

    async def _run(self, *refspecs: str) -> None:
        refused: str | None = None
        for is_last in (False, True):
            token = await self.source.token(refused)
            ended = await self._watched(refspecs, token)
            if ended.status == 0:
                return
            error = failure(ended, f"fetching {' '.join(r.partition(':')[0].lstrip('+') for r in refspecs)}")
            if isinstance(error, TokenRefused):
                refused = token
                if is_last:
                    raise Forbidden(f"{error}; the App needs contents: read", permission="contents") from error
            elif error is None:
                raise Broken(ended.said.strip()[-300:])
            elif is_last or not isinstance(error, ForgeUnavailable):
                raise error

    async def _watched(self, refspecs: Sequence[str], token: str) -> Ended:
        """git, ended when more arrives than the disk is to hold."""
        args = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--force", self.source.url)
        running = asyncio.ensure_future(
            run_git(
                *args,
                *refspecs,
                folder=self.folder,
                timeout_s=self.timeout_s,
                config=network_config(self.source.url, token),
                keep_open=[self.lock],
            )
        )
        try:
            while not running.done():
                await asyncio.wait({running}, timeout=_LOOK_S)
                if not running.done() and bytes_in(self.folder) > self.max_bytes:
                    why = f"the repository has more than {self.max_bytes / 1024**3:.1f} GiB"
                    raise TooLarge("changes", why, "exclude it from the App, or give it a worker with a larger limit")
            return running.result()
        finally:
            running.cancel()
            await asyncio.wait({running})


def kept_as(ref: str) -> str:
    """Under which name we keep a ref of GitHub's: one that never stands in the way of another, as `a` would for `a/b`."""
    return f"refs/gonogo/ref/{hashlib.sha256(ref.encode()).hexdigest()[:32]}"


async def has_commit(folder: Path, sha: str) -> bool:
    """Whether a commit and its tree are there and readable."""
    done = await run_git("cat-file", "-e", f"{sha}^{{tree}}", folder=folder, timeout_s=LOCAL_TIMEOUT_S)
    if "not a git repository" in done.said or "bad config" in done.said:
        raise Broken(done.said.strip()[:300])
    return done.status == 0


async def commit_of(folder: Path, ref: str) -> str | None:
    """The commit that a ref of ours stands at."""
    done = await run_git("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}", folder=folder, timeout_s=LOCAL_TIMEOUT_S)
    return done.out.strip() or None


async def merge_base(folder: Path, base: str, head: str) -> str | None:
    """The commit from which both went apart; None without a common history."""
    done = await run_git("merge-base", base, head, folder=folder, timeout_s=LOCAL_TIMEOUT_S)
    if done.status not in (0, 1):
        raise Broken(done.said.strip()[:300])
    return done.out.split()[0] if done.out.strip() else None
