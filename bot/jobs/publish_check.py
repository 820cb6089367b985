"""Brings the check run of one commit up to date: in progress, the worst verdict of what has this head, or cancelled."""

from typing import cast, get_args

from bot.github.client import RepositoryClient
from bot.jobs.check_truth import Truth, external_id_of, truth_of
from bot.jobs.ports import Ports
from bot.jobs.published import outcome_of_row, page_of, published_of
from bot.jobs.still_current import still_current
from bot.report.check_run import check_output
from bot.report.published import Other, Published
from bot.storage.app_ending import CHECK_NAME
from bot.storage.app_publication_rows import CheckRunRow, OutboxRow
from bot.storage.app_rows import EvaluationFilter, EvaluationRow, EvaluationState
from gonogo.forge import CheckOutput, Conclusion

_CALLS = 25
_LOOKS = 3
"""Heads may move while they are looked at: then the truth is another one."""


async def write_check(ports: Ports, row: OutboxRow) -> str | None:
    """Write it; None, or why there is nothing to write."""
    repository_id, head_sha, name = row.key.split(":", 2)
    repository = await ports.stored(ports.store.repository, int(repository_id))
    if repository is None or repository.state != "active":
        return "the repository is not ours to write to"
    forge = ports.forge(repository, limit=_CALLS)
    known = await ports.stored(ports.store.check_run, repository.id, head_sha, name)
    if name != CHECK_NAME:
        return await _write_other(ports, forge, row, known, head_sha=head_sha, name=name)
    for _ in range(_LOOKS):
        rows = await ports.stored(ports.store.worst_of, repository.id, head_sha)
        if not rows:
            return await _leave(ports, forge, known, repository_id=repository.id, head_sha=head_sha)
        shown = {one.id: await published_of(ports, one) for one in rows}
        truth = truth_of(rows, {at: published.concluded.conclusion for at, published in shown.items()})
        if truth.conclusion is None or await _all_current(ports, forge, rows):
            others = tuple(_other(one, shown[one.id]) for one in truth.others if one.number is not None)
            await _write(ports, forge, truth, await published_of(ports, truth.shown, others=others), known)
            return None
    return "heads move faster than they can be looked at"


async def _all_current(ports: Ports, forge: RepositoryClient, rows: list[EvaluationRow]) -> bool:
    """Look at GitHub once more; an evaluation whose head or base is another one now has been overtaken by this very look."""
    concluded = [one for one in rows if one.number is not None and one.state is EvaluationState.CONCLUDED]
    return all([await still_current(ports, forge, one) is not None for one in concluded])


def _other(row: EvaluationRow, published: Published) -> Other:
    assert row.number is not None
    return Other(number=row.number, outcome=outcome_of_row(row), conclusion=published.concluded.conclusion or "")


async def _write(ports: Ports, forge: RepositoryClient, truth: Truth, published: Published, known: CheckRunRow | None) -> None:
    external_id = external_id_of(truth.shown)
    if truth.conclusion is None and known is not None and (known.conclusion, known.external_id) == (None, external_id):
        return  # it says so already
    output = await ports.stored(check_output, published)
    at = await forge.publish_check(
        name=CHECK_NAME,
        head_sha=truth.shown.head_sha,
        external_id=external_id,
        status="in_progress" if truth.conclusion is None else "completed",
        conclusion=truth.conclusion,
        output=output,
        details_url=page_of(ports, truth.shown),
        check_run_id=known.check_run_id if known is not None else None,
    )
    await _see(ports, truth.shown, CHECK_NAME, at, external_id, truth.conclusion)


async def _leave(
    ports: Ports, forge: RepositoryClient, known: CheckRunRow | None, *, repository_id: int, head_sha: str
) -> str | None:
    """No pull request has this head any more: what was under way on it is shown as cancelled, a verdict stays as it is.

    A check run that we don't know of may have been made right before a worker died.
    """
    which = EvaluationFilter(repository_ids=(repository_id,), head_sha=head_sha, limit=1)
    last = next(iter(await ports.stored(ports.store.evaluations_of, which)), None)
    if last is None or (known is not None and known.conclusion is not None):
        return "the commit was left, and its check has ended"
    at = known.check_run_id if known is not None else None
    if at is None:
        at = next((r.id for r in await forge.check_runs(head_sha, CHECK_NAME) if r.status != "completed"), None)
    if at is None:
        return "the commit was left before it had a check"
    published = await published_of(ports, last)
    output = await ports.stored(check_output, published)
    external_id = external_id_of(last)
    at = await forge.publish_check(
        name=CHECK_NAME,
        head_sha=head_sha,
        external_id=external_id,
        status="completed",
        conclusion="cancelled",
        output=output,
        details_url=page_of(ports, last),
        check_run_id=at,
    )
    await _see(ports, last, CHECK_NAME, at, external_id, "cancelled")
    return None


async def _write_other(
    ports: Ports, forge: RepositoryClient, row: OutboxRow, known: CheckRunRow | None, *, head_sha: str, name: str
) -> str | None:
    """A check run of another name says what was asked for, word by word."""
    about = await ports.stored(ports.store.evaluation, row.evaluation_id) if row.evaluation_id is not None else None
    if about is None:
        return "there is no evaluation to hang it on"
    told = {name: str(row.payload.get(name) or "") for name in ("title", "summary", "text", "conclusion")}
    conclusion = cast("Conclusion", told["conclusion"]) if told["conclusion"] in get_args(Conclusion) else None
    at = await forge.publish_check(
        name=name,
        head_sha=head_sha,
        external_id=external_id_of(about),
        status="in_progress" if conclusion is None else "completed",
        conclusion=conclusion,
        output=CheckOutput(title=told["title"], summary=told["summary"], text=told["text"]),
        details_url=page_of(ports, about),
        check_run_id=known.check_run_id if known is not None else None,
    )
    await _see(ports, about, name, at, external_id_of(about), conclusion)
    return None


async def _see(
    ports: Ports, evaluation: EvaluationRow, name: str, at: int, external_id: str, conclusion: Conclusion | None
) -> None:
    await ports.stored(
        ports.store.see_check_run,
        evaluation.repository_id,
        evaluation.head_sha,
        name,
        check_run_id=at,
        external_id=external_id,
        conclusion=conclusion,
    )
