"""Watches production after a merge, and notes whether the verdict was right."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from bot.jobs.live_gates import OpenProduction
from bot.jobs.ports import Ports
from bot.outcomes.after_merge import Aftermath, aftermath
from bot.storage.app_publication_rows import MergeOutcomeRow
from gonogo.errors import GonogoError
from gonogo.evaluation import Evaluation
from gonogo.verdict import Verdict

log = logging.getLogger("gonogo.worker")


async def watch_merges(ports: Ports, production: OpenProduction) -> int:
    """Move every merge on: deployed after a set time, watched for a set time, then compared; how many were settled."""
    now, settled = ports.clock(), 0
    for row in await ports.stored(ports.store.merge_outcomes, states=("waiting", "watching")):
        watching = _watched(row, now, ports)
        if watching != row:
            await ports.stored(ports.store.save_merge_outcome, watching)
        if watching.watched_until is not None and watching.watched_until <= now:
            settled += await _settle(watching, ports, production)
    return settled


def _watched(row: MergeOutcomeRow, now: datetime, ports: Ports) -> MergeOutcomeRow:
    """With the time of its deployment: as GitHub told it, else a set time after the merge."""
    deployed_at = row.deployed_at
    if deployed_at is None and now >= row.merged_at + timedelta(seconds=ports.settings.deploys_within):
        deployed_at = row.merged_at
    if deployed_at is None:
        return row
    until = row.watched_until or deployed_at + timedelta(seconds=ports.settings.watches_for)
    return replace(row, deployed_at=deployed_at, watched_until=until, state="watching")


async def _settle(row: MergeOutcomeRow, ports: Ports, production: OpenProduction) -> bool:
    """Compare and keep; False when production did not answer, which is tried again."""
    kept = await ports.stored(ports.store.documents, row.evaluation_id) if row.evaluation_id else None
    evaluation = Evaluation.model_validate_json(kept.document) if kept and kept.document else None
    if evaluation is None or evaluation.verdict is None:
        await ports.stored(ports.store.save_merge_outcome, replace(row, state="nothing-to-watch"))
        return True
    try:
        found = await ports.stored(_looked_up, evaluation, row, production)
    except GonogoError as error:
        log.warning("production is not reached, a merge is compared later", extra={"why": str(error)})
        return False
    state = "done" if found.was_right is not None else "nothing-to-watch"
    await ports.stored(
        ports.store.save_merge_outcome, replace(row, state=state, was_right=found.was_right, detail=found.to_json())
    )
    return True


def _looked_up(evaluation: Evaluation, row: MergeOutcomeRow, production: OpenProduction) -> Aftermath:
    assert row.deployed_at is not None
    assert row.watched_until is not None
    ids = {f.resource for f in evaluation.forecasts} | {a.resource for a in evaluation.affected}
    with production() as provider:
        return aftermath(
            is_go=evaluation.verdict is Verdict.GO,
            forecasts=evaluation.forecasts,
            series=provider.series(ids),
            alarms=provider.alarms(ids),
            since=row.deployed_at,
            until=row.watched_until,
        )
