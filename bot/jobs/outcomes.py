"""What is noted when a pull request is merged and when it is deployed; who watches production afterwards begins from these rows."""

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

from bot.jobs.ports import Ports
from bot.outcomes.prevented import Flagged, Judged, Prevented, prevented
from bot.storage.app_publication_rows import MergeOutcomeRow, PreventedRow
from bot.storage.app_rows import EvaluationFilter, EvaluationState, Outcome, PullRequestRow, RepositoryRow
from gonogo.forge import DeploymentFacts

_MOST = 200
"""Evaluations of one pull request that are looked through for what was flagged."""


async def merged(row: PullRequestRow, ports: Ports) -> None:
    """Keep which verdict stood when it was merged."""
    newest = await ports.stored(ports.store.newest, row.subject)
    stood = newest is not None and newest.state is EvaluationState.CONCLUDED and newest.head_sha == row.head_sha
    assert row.merged_at is not None
    await ports.stored(
        ports.store.record_merge,
        MergeOutcomeRow(
            pull_request_id=row.id,
            repository_id=row.repository_id,
            evaluation_id=newest.id if newest is not None and stood else None,
            merged_at=row.merged_at,
            merge_sha=row.merge_sha,
        ),
    )
    await _count_prevented(row, ports)


async def _count_prevented(row: PullRequestRow, ports: Ports) -> None:
    """Keep what was flagged, changed and found gone before it was merged, with the proof that stood in the report."""
    which = EvaluationFilter(
        pull_request_id=row.id,
        states=(EvaluationState.CONCLUDED,),
        outcomes=(Outcome.GO, Outcome.NO_GO, Outcome.NOTHING),
        limit=_MOST,
    )
    newest_first = await ports.stored(ports.store.evaluations_of, which)
    history: list[Judged] = []
    for one in reversed(newest_first):
        rows = await ports.stored(ports.store.trajectories, one.id)
        flagged = tuple(
            Flagged(
                id=t.id,
                playbook=t.playbook,
                resource=t.resource,
                status=t.status,
                impact=t.impact,
                title=t.title,
                metric=t.metric,
            )
            for t in rows
        )
        history.append(Judged(id=one.id, head_sha=one.head_sha, trajectories=flagged))
    found = prevented(history, merged_head=row.head_sha)
    repository = await ports.stored(ports.store.repository, row.repository_id)
    if found is None or repository is None or row.merged_at is None:
        return
    await ports.stored(
        ports.store.save_prevented,
        PreventedRow(
            pull_request_id=row.id,
            installation_id=repository.installation_id,
            repository_id=row.repository_id,
            flagged_evaluation_id=found.flagged.id,
            cleared_evaluation_id=found.cleared.id,
            merged_at=row.merged_at,
            trajectory=_said_of(found),
            evidence=await _proof_of(found, ports),
        ),
    )


def _said_of(found: Prevented) -> dict[str, Any]:
    risk = found.risk
    return {
        "id": risk.id,
        "title": risk.title,
        "impact": risk.impact,
        "playbook": risk.playbook,
        "resource": risk.resource,
        "metric": risk.metric,
    }


async def _proof_of(found: Prevented, ports: Ports) -> dict[str, Any]:
    """The links as they were proved when it was flagged, and which head was found without it."""
    kept = await ports.stored(ports.store.documents, found.flagged.id)
    report: dict[str, Any] = json.loads(kept.report or "{}")
    trajectories: list[dict[str, Any]] = report.get("trajectories") or []
    links: list[Any] = next((t["links"] for t in trajectories if t.get("id") == found.risk.id), list[Any]())
    return {"flagged_head": found.flagged.head_sha, "cleared_head": found.cleared.head_sha, "how": found.how, "links": links}


async def deployed(repository: RepositoryRow, deployment: DeploymentFacts, at: datetime, ports: Ports) -> None:
    """Note when what was merged as this commit came to production; the first time counts."""
    if not deployment.is_production:
        return
    for pull_request in await ports.stored(ports.store.pull_requests_merged_as, repository.id, deployment.sha):
        known = await ports.stored(ports.store.merge_outcome, pull_request.id)
        if known is not None and known.deployed_at is None:
            await ports.stored(ports.store.save_merge_outcome, replace(known, deployed_at=at, state="watching"))
