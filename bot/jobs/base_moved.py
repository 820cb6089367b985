"""A base branch moved: pull requests that change files in the same folders, or whose settings changed, are evaluated again."""

import asyncio
from pathlib import Path, PurePosixPath

from bot.changes.git import Git
from bot.github.mirror import Source
from bot.jobs.begin import begin
from bot.jobs.ports import Ports
from bot.storage.app_rows import EvaluationState
from gonogo.errors import NotFoundYet, StageFailed

_SETTINGS = frozenset({".github/gonogo.yml", ".github/gonogo.yaml"})


async def base_moved(ports: Ports, *, repository_id: int, branch: str, before: str, after: str) -> int:
    """How many evaluations were begun. Verdicts on anything else still hold: the same content gives the same fingerprint."""
    repository = await ports.stored(ports.store.repository, repository_id)
    opened = [r for r in await ports.stored(ports.store.open_pull_requests, repository_id) if r.base_ref == branch]
    if repository is None or repository.state != "active" or not opened:
        return 0
    ref, forge = f"refs/heads/{branch}", ports.forge(repository)
    source = Source(repository.id, ports.github.access.git_url(repository.owner, repository.name), forge.git_token)
    try:
        fetched = await ports.mirrors.fetch(source, base_ref=ref, head_ref=ref, head_sha=after, base_sha=before)
    except NotFoundYet:  # pushed over meanwhile: that push has an event of its own
        return 0
    changed = await asyncio.to_thread(paths_between, fetched.folder, before, after)
    begun = 0
    for row in opened:
        newest = await ports.stored(ports.store.newest, row.subject)
        if newest is None or newest.state is not EvaluationState.CONCLUDED or newest.base_sha == after:
            continue
        if changed & _SETTINGS or await asyncio.to_thread(_is_touched, fetched.folder, newest.base_sha, newest.head_sha, changed):
            raised = await begin(ports, row, trigger="base moved", delivery=f"base:{after}")
            begun += raised.is_new
    return begun


def paths_between(folder: Path, old: str, new: str) -> frozenset[str]:
    """Paths that differ between two commits."""
    listed = Git(folder).text("diff", "--name-only", "--no-renames", "-z", old, new, "--")
    return frozenset(path for path in listed.split("\0") if path)


def _is_touched(folder: Path, base: str, head: str, changed: frozenset[str]) -> bool:
    """Whether the change from the merge base to head lies in a folder in which something changed; unreadable: it may."""
    try:
        git = Git(folder)
        own = paths_between(folder, git.merge_base(base, head), head)
    except StageFailed:
        return True
    return bool({PurePosixPath(p).parent for p in own} & {PurePosixPath(p).parent for p in changed})
