"""What was found out about a pull request before, for the process that evaluates it again."""

from datetime import timedelta

from bot.jobs.child_job import Known
from bot.jobs.ports import Ports
from bot.storage.app_rows import EvaluationFilter, EvaluationRow, EvaluationState, Outcome
from gonogo.record import Record

HOLDS_FOR = timedelta(hours=24)
"""A verdict is given again for no longer than this after production was asked: production moves."""
_MOST = 8


class Before(Record):
    """`earlier` is the last verdict, however old; `reusable` those that hold, newest first."""

    earlier: Known | None = None
    reusable: tuple[Known, ...] = ()


async def known_before(ports: Ports, row: EvaluationRow) -> Before:
    """The last evaluations of the same pull request that came to a verdict; a merge group is evaluated afresh."""
    if row.pull_request_id is None:
        return Before()
    which = EvaluationFilter(
        pull_request_id=row.pull_request_id,
        states=(EvaluationState.CONCLUDED,),
        outcomes=(Outcome.GO, Outcome.NO_GO, Outcome.NOTHING),
        limit=_MOST,
    )
    since = await ports.stored(ports.store.now) - HOLDS_FOR
    earlier: Known | None = None
    reusable: list[Known] = []
    for before in await ports.stored(ports.store.evaluations_of, which):
        holds = before.fingerprint is not None and before.judged_at is not None and before.judged_at >= since
        if not holds and earlier is not None:
            continue
        kept = await ports.stored(ports.store.documents, before.id)
        if kept.document is None:
            continue
        known = Known(id=before.id, document=kept.document)
        earlier = earlier or known
        if holds:
            reusable.append(known)
    return Before(earlier, tuple(reusable))
