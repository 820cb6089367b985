"""Has a range judged in a process of its own, and makes the result that the store keeps."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

from bot.changes.pull_request import PullRequest
from bot.evaluation.evaluate import Request, unfinished
from bot.github.mirror import Fetched
from bot.jobs.allowance import Allowance, allowance_of
from bot.jobs.child import ChildFailed, child_environment, child_folder, evaluating_in, spent_in
from bot.jobs.child_job import ChildJob, ChildResult
from bot.jobs.known import known_before
from bot.jobs.policy_at import policy_at
from bot.jobs.ports import Ports
from bot.jobs.rerun import TRIGGERS
from bot.report.citations import cited_lines
from bot.report.json import json_report
from bot.storage.app_rows import EvaluationFilter, EvaluationRow, EvaluationState, Outcome, RepositoryRow, Result, TrajectoryRow
from gonogo.errors import GonogoError, StageFailed
from gonogo.evaluation import Conclusion, Evaluation, Failure
from gonogo.forge import PullRequestFacts
from gonogo.policy import Policy
from gonogo.trajectory import Role, trajectory_id
from gonogo.verdict import LedgerEntry, Verdict


async def judged(
    ports: Ports,
    row: EvaluationRow,
    facts: PullRequestFacts | None,
    fetched: Fetched,
    *,
    repository: RepositoryRow,
    started: float,
) -> Result:
    """Evaluate what was fetched; cancelled, the process ends at once and what models cost so far is counted."""
    if fetched.merge_base_sha is None:
        raise StageFailed("changes", f"{row.head_sha[:12]} and {row.base_ref} have no common history")
    environment = dict(os.environ)
    allowance = await allowance_of(ports, row, environment)
    job = _job(ports, row, facts, fetched, repository=repository, started=started, allowance=allowance)
    before = await known_before(ports, row)
    job = job.model_copy(update={"earlier": before.earlier, "reusable": before.reusable, "looks_again": row.trigger in TRIGGERS})
    environment = child_environment(
        environment,
        database_url=ports.settings.database_url.get_secret_value() if job.production == "live" else None,
        asks_model=allowance.investigator != "rules",
        max_cost=allowance.max_cost,
    )
    with child_folder(evaluating_in(ports.settings.data_dir)) as place:
        try:
            child = await ports.run_child(job, environment=environment, place=place)
            result = await ports.stored(result_of, child)  # a large report takes seconds: the lease is kept meanwhile
        except ChildFailed as error:
            spent = spent_in(place)
            what = Failure(stage="evaluation", why=str(error), what_to_do="evaluate it again; the log of the worker has more")
            told = could_not(row, what, await standing_policy(ports, row))
            return replace(told, cost=spent.cost, input_tokens=spent.input_tokens, output_tokens=spent.output_tokens)
        except asyncio.CancelledError:
            spent = spent_in(place)
            if spent.cost:
                await asyncio.shield(
                    asyncio.to_thread(
                        ports.store.add_spending,
                        row.id,
                        cost=spent.cost,
                        input_tokens=spent.input_tokens,
                        output_tokens=spent.output_tokens,
                    )
                )
            raise
    if result.outcome is Outcome.NOTHING and row.pull_request_id is not None:
        pull_request = await ports.stored(ports.store.pull_request, row.pull_request_id)
        return replace(result, has_comment=pull_request is not None and pull_request.comment_id is not None)
    return result


def _job(
    ports: Ports,
    row: EvaluationRow,
    facts: PullRequestFacts | None,
    fetched: Fetched,
    *,
    repository: RepositoryRow,
    started: float,
    allowance: Allowance,
) -> ChildJob:
    settings = ports.settings
    full_name = f"{repository.owner}/{repository.name}"
    words = PullRequest(title=facts.title, body=facts.body, author=facts.author) if facts else PullRequest()
    place = {"base_branch": row.base_ref, "repository": full_name, "number": row.number}
    return ChildJob(
        mirror=fetched.folder,
        repository=full_name,
        base_sha=fetched.base_sha,
        head_sha=fetched.head_sha,
        pull_request=words.model_copy(update=place),
        production=_production(settings.production),
        investigator=allowance.investigator,
        steps=settings.steps,
        deadline_s=settings.deadline,
        started=started,
        memory_bytes=settings.memory_mb * 2**20,
        notes=(allowance.note,) if allowance.note else (),
    )


def _production(named: str | None) -> str | None:
    """A folder is the operator's, so it counts from where the worker was started."""
    return str(Path(named).absolute()) if named and named not in ("live", "none") else named


def result_of(child: ChildResult) -> Result:
    """What the store keeps of a judged range."""
    evaluation = Evaluation.model_validate_json(child.document)
    blocking = evaluation.blockers()
    return Result(
        outcome=outcome_of(evaluation),
        summary=evaluation.summary,
        impact=blocking[0].trajectory.impact.value if blocking else None,
        report=json_report(evaluation),
        document=child.document,
        trajectories=tuple(_trajectory(entry, evaluation, is_blocking=entry in blocking) for entry in evaluation.ranked()),
        fingerprint=evaluation.judged.fingerprint or None,
        reused_from=child.reused,
        policy=child.policy,
        policy_error=child.policy_error,
        is_shadow=bool(child.policy.get("shadow")),
        is_gated=bool(child.policy.get("live_gate")),
        steps=evaluation.budget.steps_used,
        input_tokens=evaluation.model.input_tokens,
        output_tokens=evaluation.model.output_tokens,
        cost=evaluation.model.cost,
        error=evaluation.failures[0].why if evaluation.failures else None,
    )


def could_not(row: EvaluationRow, failure: Failure, policy: Policy | None) -> Result:
    """Say that a range could not be evaluated, and why; `policy` decides what the check makes of it, None where it is not known."""
    evaluation = unfinished(failure, Request(), repository_id="", base=row.base_sha, head=row.head_sha)
    return Result(
        outcome=Outcome.COULD_NOT,
        summary=evaluation.summary,
        report=json_report(evaluation),
        document=evaluation.model_dump_json(),
        policy=policy.model_dump(mode="json") if policy is not None else None,
        is_shadow=policy is not None and policy.shadow,
        error=failure.why,
        has_comment=row.pull_request_id is not None,
    )


async def standing_policy(ports: Ports, row: EvaluationRow) -> Policy | None:
    """The repository's settings at this base, else as its last evaluation found them; None: nothing is known of them."""
    folder = ports.mirrors.folder(row.repository_id)
    if folder.is_dir():
        try:
            return (await ports.stored(policy_at, folder, row.base_sha))[0]
        except GonogoError:  # the base has not arrived yet
            pass
    which = EvaluationFilter(repository_ids=(row.repository_id,), states=(EvaluationState.CONCLUDED,), limit=1)
    last = next(iter(await ports.stored(ports.store.evaluations_of, which)), None)
    return Policy.model_validate(last.policy) if last is not None and last.policy is not None else None


def outcome_of(evaluation: Evaluation) -> Outcome:
    """In the words of the store; a no-go that was proved stays one although a later stage failed."""
    if evaluation.verdict is None:
        return Outcome.COULD_NOT
    if evaluation.verdict is Verdict.NO_GO:
        return Outcome.NO_GO
    return Outcome.NOTHING if evaluation.conclusion is Conclusion.NOTHING_TO_EVALUATE else Outcome.GO


def _trajectory(entry: LedgerEntry, evaluation: Evaluation, *, is_blocking: bool) -> TrajectoryRow:
    trajectory = entry.trajectory
    starts = trajectory.model_copy(update={"links": tuple(link for link in trajectory.links if link.role is Role.TRIGGER)})
    lines = cited_lines([entry.model_copy(update={"trajectory": starts})])
    rules = dict.fromkeys(f.rule for f in evaluation.findings if (f.side, f.file, f.line) in lines)
    return TrajectoryRow(
        id=trajectory_id(trajectory),
        playbook=trajectory.playbook or "",
        status=entry.status.value,
        impact=trajectory.impact.value,
        resource=trajectory.resource,
        metric=trajectory.metric,
        title=trajectory.title,
        rules=tuple(rules),
        blocks=is_blocking,
    )
