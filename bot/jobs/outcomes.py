"""What is noted when a pull request is merged and when it is deployed; who watches production afterwards begins from these rows."""

from dataclasses import replace
from datetime import datetime

from bot.jobs.ports import Ports
from bot.storage.app_publication_rows import MergeOutcomeRow
from bot.storage.app_rows import EvaluationState, PullRequestRow, RepositoryRow
from gonogo.forge import DeploymentFacts


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


async def deployed(repository: RepositoryRow, deployment: DeploymentFacts, at: datetime, ports: Ports) -> None:
    """Note when what was merged as this commit came to production; the first time counts."""
    if not deployment.is_production:
        return
    for pull_request in await ports.stored(ports.store.pull_requests_merged_as, repository.id, deployment.sha):
        known = await ports.stored(ports.store.merge_outcome, pull_request.id)
        if known is not None and known.deployed_at is None:
            await ports.stored(ports.store.save_merge_outcome, replace(known, deployed_at=at, state="watching"))
