"""One evaluation, from the queue to a stored verdict: claimed, kept by a lease, given up within a second when it is overtaken.

claim → range (read once) → check in progress → code → judged in a process of its own → head read again → verdict stored.
What is stored is published by `publish`; nothing here writes to GitHub but through the outbox.
"""

import asyncio
import logging
import secrets
from dataclasses import replace
from datetime import timedelta
from time import monotonic

from sqlalchemy.exc import SQLAlchemyError

from bot.github.client import RepositoryClient
from bot.github.mirror import Fetched, Source
from bot.jobs.begin import begin
from bot.jobs.facts import seen_pull_request
from bot.jobs.failing import Postponed, failed
from bot.jobs.judge import could_not, judged, standing_policy
from bot.jobs.ports import Ports
from bot.jobs.range import WAITS_S, Expected, settled
from bot.storage.app_rows import Because, EvaluationRow, RepositoryRow, Result
from gonogo.errors import ForgeError, NotFoundYet
from gonogo.evaluation import Failure
from gonogo.forge import PullRequestFacts

LEASE = timedelta(seconds=15)
BEAT_S = 5.0
LOOK_S = 0.25
"""Between two looks whether it is still the newest: what is overtaken ends within a second."""
GIVEN_UP_AFTER = 16
"""Claims: whatever it is that ends the worker each time, the pull request must not wait for ever."""
CALLS = 25
"""REST calls of one evaluation."""
_STORE_TRIES, _STORE_WAIT_S = 10, 1.0

log = logging.getLogger("gonogo.worker")


class Overtaken(Exception):
    """Superseded, cancelled or taken over: nothing of it may be written any more."""


async def evaluate(ports: Ports, evaluation_id: str) -> None:
    """Evaluate it, if nobody else does; a verdict, or another attempt later, or nothing when it was overtaken."""
    started, owner = monotonic(), f"{ports.worker_id}:{secrets.token_hex(4)}"
    row = await ports.stored(ports.store.claim, evaluation_id, owner, LEASE)
    if row is None:
        return
    told = {"evaluation": row.id, "subject": row.subject, "generation": row.generation, "attempt": row.attempt}
    log.info("evaluation begins", extra=told)
    result: Result | Postponed | None = None
    try:
        try:
            async with asyncio.TaskGroup() as tasks:
                watching = tasks.create_task(_watch(ports, row.id, owner))
                result = await _result(ports, row, owner, started)
                watching.cancel()
        except* Overtaken:
            result = None
        ended = await _end(ports, row.id, owner, result)
    except asyncio.CancelledError:  # the worker ends: another one goes on
        await ports.stored(ports.store.release, row.id, owner)
        raise
    log.info("evaluation ended", extra=told | {"how": ended, "seconds": monotonic() - started})


async def _end(ports: Ports, evaluation_id: str, owner: str, result: Result | Postponed | None) -> str:
    """Store what came of it; how it ended, for the log."""
    match result:
        case None:
            return "overtaken"
        case Postponed():
            await ports.stored(ports.store.heartbeat, evaluation_id, owner, result.wait)  # nobody claims it before
            return f"tried again in {result.wait.total_seconds():.0f} s: {result.why}"
        case Result():
            return result.outcome.value if await _conclude(ports, evaluation_id, owner, result) else "overtaken"


async def _result(ports: Ports, row: EvaluationRow, owner: str, started: float) -> Result | Postponed | None:
    """Go through the steps; None when it was overtaken, or is nothing for us to evaluate."""
    repository = await ports.stored(ports.store.repository, row.repository_id)
    if repository is None or repository.state != "active":
        await ports.stored(ports.store.cancel, row.subject, Because.SUSPENDED)
        return None
    if row.attempt > GIVEN_UP_AFTER:
        what = Failure(stage="evaluation", why=f"it was begun {row.attempt - 1} times and its worker ended each time")
        return could_not(row, what, await standing_policy(ports, row))
    forge = ports.forge(repository, limit=CALLS)
    try:
        result = await _steps(ports, row, owner, started, repository=repository, forge=forge)
    except Overtaken:
        return None
    except Exception as error:  # noqa: BLE001  whatever it is, it must not stay 'evaluating'
        return await failed(ports, row, error)
    return replace(result, rest_calls=forge.calls) if result is not None else None


async def _steps(
    ports: Ports, row: EvaluationRow, owner: str, started: float, *, repository: RepositoryRow, forge: RepositoryClient
) -> Result | None:
    facts: PullRequestFacts | None = None
    if row.number is not None:
        facts = await _facts(ports, forge, row)
        if facts is None:
            return None
        seen = {"head_sha": facts.head_sha, "base_ref": facts.base_ref, "base_sha": facts.base_sha}
        row = replace(row, **seen, is_draft=facts.is_draft, is_fork=facts.is_fork)
        await _see_range(ports, row, owner)
    await ports.stored(ports.store.ask_check, row)
    is_first = not ports.mirrors.folder(repository.id).is_dir()
    fetched = await _code(ports, row, repository, forge)
    if is_first:  # the copy with all of its history is made once, and takes its own time
        started = monotonic()
    row = replace(row, base_sha=fetched.base_sha)
    await _see_range(ports, row, owner)
    result = await judged(ports, row, facts, fetched, repository=repository, started=started)
    return result if await _still_there(ports, forge, row) else None


async def _facts(ports: Ports, forge: RepositoryClient, row: EvaluationRow) -> PullRequestFacts | None:
    """The pull request as it is now; None when it was closed."""
    assert row.number is not None
    expected = Expected(before_sha=row.before_sha, base_ref=row.base_ref if row.trigger == "edited" else None)
    facts = await settled(forge, row.number, expected, sleep=ports.sleep, is_last_try=row.attempt > 2)
    await ports.stored(ports.store.see_pull_request, seen_pull_request(facts, now=ports.clock()))
    if facts.state == "closed":
        await ports.stored(ports.store.cancel, row.subject, Because.CLOSED)
        return None
    return facts


async def _see_range(ports: Ports, row: EvaluationRow, owner: str) -> None:
    is_ours = await ports.stored(
        ports.store.see_range,
        row.id,
        owner,
        head_sha=row.head_sha,
        base_ref=row.base_ref,
        base_sha=row.base_sha,
        is_draft=row.is_draft,
        is_fork=row.is_fork,
    )
    if not is_ours:
        raise Overtaken


async def _code(ports: Ports, row: EvaluationRow, repository: RepositoryRow, forge: RepositoryClient) -> Fetched:
    """Base and head on our disk. A pull request's refs may show its head a little later than the API does."""
    source = Source(repository.id, ports.github.access.git_url(repository.owner, repository.name), forge.git_token)
    if row.number is not None:
        refs = {"base_ref": f"refs/heads/{row.base_ref}", "head_ref": f"refs/pull/{row.number}/head"}
        base_sha = None
    else:
        refs = {"base_ref": f"refs/heads/{row.base_ref}", "head_ref": row.head_sha}  # the queue deletes the group's branch
        base_sha = row.base_sha
    for wait in (*WAITS_S, None):
        try:
            return await ports.mirrors.fetch(source, **refs, head_sha=row.head_sha, base_sha=base_sha)
        except NotFoundYet:
            if wait is None:
                raise
            await ports.sleep(wait)
    raise AssertionError


async def _still_there(ports: Ports, forge: RepositoryClient, row: EvaluationRow) -> bool:
    """Whether head and base are still what was judged; else the new ones are evaluated.

    When GitHub does not answer now, the verdict is stored all the same: the publisher looks again.
    """
    if row.number is None:
        return True
    try:
        facts = await forge.pull_request(row.number)
    except ForgeError:
        return True
    pull_request = await ports.stored(ports.store.see_pull_request, seen_pull_request(facts, now=ports.clock()))
    if facts.state == "closed":
        await ports.stored(ports.store.cancel, row.subject, Because.CLOSED)
        return False
    if (facts.head_sha, facts.base_ref) == (row.head_sha, row.base_ref):
        return True
    raised = await begin(ports, pull_request, trigger="head moved", unless_known=True)
    return raised.evaluation.id == row.id  # then it was an old reading


async def _conclude(ports: Ports, evaluation_id: str, owner: str, result: Result) -> bool:
    """Store the verdict, also when the database is away for some seconds; False: it was overtaken."""
    for attempt in range(_STORE_TRIES):
        try:
            return await ports.stored(ports.store.conclude, evaluation_id, owner, result)
        except SQLAlchemyError:
            if attempt == _STORE_TRIES - 1:
                raise
            await asyncio.sleep(_STORE_WAIT_S)
    raise AssertionError


async def _watch(ports: Ports, evaluation_id: str, owner: str) -> None:
    """Keep the lease; raise Overtaken as soon as the evaluation is not the newest, or the lease is lost."""
    beat_at = kept_at = monotonic()
    while True:
        await asyncio.sleep(LOOK_S)
        try:
            if monotonic() - beat_at >= BEAT_S:
                beat_at = monotonic()
                is_ours = await ports.stored(ports.store.heartbeat, evaluation_id, owner, LEASE)
            else:
                is_ours = await ports.stored(ports.store.is_current, evaluation_id)
        except SQLAlchemyError as error:
            log.warning("the database does not answer", extra={"evaluation": evaluation_id, "why": type(error).__name__})
            is_ours = monotonic() - kept_at < LEASE.total_seconds()
        else:
            kept_at = monotonic()
        if not is_ours:
            raise Overtaken
