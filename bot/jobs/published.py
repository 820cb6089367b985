"""Reads from the store everything that is shown of one evaluation."""

from collections.abc import Sequence

from pydantic import ValidationError

from bot.jobs.ports import Ports
from bot.report.conclusions import Outcome
from bot.report.published import BASE_COPY_NOTE, Acknowledged, Earlier, Other, Published
from bot.storage.app_rows import Because, EvaluationFilter, EvaluationRow, EvaluationState
from gonogo.evaluation import Evaluation
from gonogo.policy import Policy
from gonogo.policy_file import PLACES

_OLDER = 20
_WHY = {
    Because.SUPERSEDED: "a newer commit, base or request came while it was being evaluated",
    Because.COMMAND: "somebody asked for it with /gonogo cancel",
    Because.CLOSED: "the pull request was closed",
    Because.DESTROYED: "the merge queue has no more need of it",
    Because.SUSPENDED: "gonogo may not work here at present",
}


async def published_of(ports: Ports, row: EvaluationRow, *, others: Sequence[Other] = ()) -> Published:
    """What is shown of it; `others` share its check run."""
    kept = await ports.stored(ports.store.documents, row.id)
    evaluation = _evaluation(kept.document)
    return Published(
        number=row.number,
        head_sha=row.head_sha,
        evaluation=evaluation,
        outcome=outcome_of_row(row),
        why=_WHY[row.cancelled_because] if row.cancelled_because is not None else row.error or "",
        generation=row.generation,
        policy=_policy(row),
        policy_note=BASE_COPY_NOTE if evaluation is not None and _edits_settings(evaluation) else "",
        policy_error=row.policy_error or "",
        is_draft=row.is_draft,
        is_fork=row.is_fork,
        history=await _history(ports, row),
        others=others,
        acknowledgements=await _acknowledgements(ports, row),
        rest_calls=row.rest_calls or None,
        took_s=(row.concluded_at - row.created_at).total_seconds() if row.concluded_at is not None else None,
        dashboard_url=page_of(ports, row),
        web_url=ports.settings.github_url,
    )


def outcome_of_row(row: EvaluationRow) -> Outcome:
    """How it stands, in the words of the report."""
    return Outcome(row.outcome.value) if row.outcome is not None else Outcome(row.state.value)


def page_of(ports: Ports, row: EvaluationRow) -> str:
    """The page of an evaluation on the dashboard."""
    return f"{ports.settings.public_url}/evaluations/{row.id}"


def _evaluation(document: str | None) -> Evaluation | None:
    """The Evaluation that was kept; one that another version kept in another form is not shown."""
    try:
        return Evaluation.model_validate_json(document) if document is not None else None
    except ValidationError:
        return None


def _policy(row: EvaluationRow) -> Policy:
    try:
        return Policy.model_validate(row.policy or {})
    except ValidationError:
        return Policy()


def _edits_settings(evaluation: Evaluation) -> bool:
    return any(path in PLACES for file in evaluation.judged.files for path in (file.base_path, file.head_path))


async def _history(ports: Ports, row: EvaluationRow) -> tuple[Earlier, ...]:
    if row.pull_request_id is None:
        return ()
    which = EvaluationFilter(pull_request_id=row.pull_request_id, states=(EvaluationState.CONCLUDED,), limit=_OLDER)
    return tuple(
        Earlier(
            head_sha=older.head_sha,
            outcome=outcome_of_row(older),
            at=older.concluded_at,
            summary=older.summary,
            url=page_of(ports, older),
        )
        for older in await ports.stored(ports.store.evaluations_of, which)
        if older.generation < row.generation
    )


async def _acknowledgements(ports: Ports, row: EvaluationRow) -> tuple[Acknowledged, ...]:
    if row.pull_request_id is None:
        return ()
    given = await ports.stored(ports.store.acknowledgements, row.pull_request_id, with_expired=True)
    return tuple(
        Acknowledged(
            trajectory=one.trajectory, login=one.login, reason=one.reason, at=one.at, expired_because=one.expired_because or ""
        )
        for one in given
    )
