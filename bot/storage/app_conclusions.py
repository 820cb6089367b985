"""Ends evaluations with a verdict, finds verdicts that still hold, and counts what models cost."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import sqlalchemy as sa

from bot.storage.app_ending import Place, ask, check_key, generation_of
from bot.storage.app_publication_rows import OutboxKind
from bot.storage.app_redaction import redacted_json, redacted_text
from bot.storage.app_rows import VERDICTS, Documents, EvaluationState, Outcome, Result, TrajectoryRow
from bot.storage.app_tables import ACKNOWLEDGEMENT, EVALUATION, EVALUATION_DOCUMENT, TRAJECTORY
from bot.storage.app_transactions import Transactions
from gonogo.redaction import redacted


class Conclusions(Transactions):
    """Verdicts: stored first, published from the outbox after."""

    def conclude(self, evaluation_id: str, owner: str, result: Result) -> bool:
        """Store the verdict and ask for check and comment, all in one transaction, if the lease is owned and nothing newer began.

        False: it was superseded, cancelled or taken over; nothing is stored but what it cost. Called again after it succeeded
        (the answer was lost), it is True and writes nothing. Every text is redacted before it is written.
        """
        if result.outcome is Outcome.CANCELLED:
            raise ValueError("an evaluation is cancelled by `cancel` or by a newer generation, never concluded as cancelled")
        told, kept = _told(result), _documents(result)
        with self._writing() as connection:
            query = sa.select(EVALUATION.c.subject).where(EVALUATION.c.id == evaluation_id)
            subject = connection.execute(query).scalar_one_or_none()
            generation = generation_of(connection, subject) if subject is not None else None
            if generation is None:
                return False
            now = self._now(connection)
            concluded = connection.execute(
                sa.update(EVALUATION)
                .where(
                    EVALUATION.c.id == evaluation_id,
                    EVALUATION.c.state == EvaluationState.RUNNING,
                    EVALUATION.c.lease_owner == owner,
                    EVALUATION.c.generation == generation,
                )
                .values(**told, concluded_at=now, judged_at=_judged_at(connection, result, now), lease_until=None)
                .returning(
                    EVALUATION.c.repository_id, EVALUATION.c.installation_id, EVALUATION.c.head_sha, EVALUATION.c.pull_request_id
                )
            ).first()
            if concluded is None:
                return _count_late(connection, evaluation_id, owner, result)
            repository_id, installation_id, head_sha, pull_request_id = concluded
            _keep_documents(connection, evaluation_id, kept, result.trajectories)
            place = Place(str(subject), generation, evaluation_id, repository_id, installation_id)
            if pull_request_id is not None:
                _expire(connection, pull_request_id, head_sha=head_sha, fingerprint=result.fingerprint, now=now)
            ask(connection, OutboxKind.CHECK, check_key(repository_id, head_sha), place, now=now)
            if pull_request_id is not None and result.has_comment:
                ask(connection, OutboxKind.COMMENT, str(pull_request_id), place, now=now)
            return True

    def known_fingerprint(self, repository_id: int, pull_request_id: int | None, fingerprint: str, since: datetime) -> str | None:
        """The newest evaluation that answered this very question since then, its reuses included; None: judge it anew.

        It counts from when production was asked: reusing a verdict does not make it younger. Another pull request's counts when
        `pull_request_id` is None.
        """
        query = sa.select(EVALUATION.c.id).where(
            EVALUATION.c.repository_id == repository_id,
            EVALUATION.c.fingerprint == fingerprint,
            EVALUATION.c.state == EvaluationState.CONCLUDED,
            EVALUATION.c.outcome.in_(sorted(VERDICTS)),
            EVALUATION.c.judged_at >= since,
        )
        if pull_request_id is not None:
            query = query.where(EVALUATION.c.pull_request_id == pull_request_id)
        with self._reading() as connection:
            return connection.execute(query.order_by(EVALUATION.c.concluded_at.desc()).limit(1)).scalar_one_or_none()

    def documents(self, evaluation_id: str) -> Documents:
        """Report and Evaluation of one evaluation, as JSON text."""
        query = sa.select(EVALUATION_DOCUMENT.c.report, EVALUATION_DOCUMENT.c.document)
        with self._reading() as connection:
            row = connection.execute(query.where(EVALUATION_DOCUMENT.c.evaluation_id == evaluation_id)).first()
            return Documents(*row) if row else Documents(None, None)

    def trajectories(self, evaluation_id: str) -> list[TrajectoryRow]:
        """Its trajectories, as lists need them; by id."""
        query = sa.select(*(c for c in TRAJECTORY.c if c.name != "evaluation_id"))
        with self._reading() as connection:
            rows = connection.execute(
                query.where(TRAJECTORY.c.evaluation_id == evaluation_id).order_by(TRAJECTORY.c.id)
            ).mappings()
            return [_trajectory(row) for row in rows]

    def add_spending(self, evaluation_id: str, *, cost: float, input_tokens: int = 0, output_tokens: int = 0) -> None:
        """Count what a model cost although the evaluation did not conclude with it (dollars): a child that was killed."""
        with self._writing() as connection:
            connection.execute(
                _spending(sa.update(EVALUATION), cost, input_tokens, output_tokens).where(EVALUATION.c.id == evaluation_id)
            )

    def spent(self, pull_request_id: int, day: date) -> float:
        """Dollars paid for evaluations of a pull request that began on that day (UTC)."""
        return self._spent(EVALUATION.c.pull_request_id == pull_request_id, day)

    def spent_by_installation(self, installation_id: int, day: date) -> float:
        """Dollars paid for evaluations of an installation that began on that day (UTC)."""
        return self._spent(EVALUATION.c.installation_id == installation_id, day)

    def _spent(self, whose: sa.ColumnElement[bool], day: date) -> float:
        begins = datetime.combine(day, time(), UTC)
        query = sa.select(sa.func.coalesce(sa.func.sum(EVALUATION.c.cost), 0.0)).where(
            whose, EVALUATION.c.created_at >= begins, EVALUATION.c.created_at < begins + timedelta(days=1)
        )
        with self._reading() as connection:
            return connection.execute(query).scalar_one()


def _trajectory(row: Mapping[Any, Any]) -> TrajectoryRow:
    values: dict[str, Any] = dict(row)
    values["rules"] = tuple(values["rules"])
    return TrajectoryRow(**values)


def _told(result: Result) -> dict[str, Any]:
    return {
        "state": EvaluationState.CONCLUDED,
        "outcome": result.outcome,
        "summary": redacted(result.summary),
        "impact": result.impact,
        "fingerprint": result.fingerprint,
        "reused_from": result.reused_from,
        "policy": redacted_json(result.policy),
        "policy_error": redacted(result.policy_error) if result.policy_error else None,
        "is_shadow": result.is_shadow,
        "is_gated": result.is_gated,
        "steps": result.steps,
        "rest_calls": result.rest_calls,
        "input_tokens": EVALUATION.c.input_tokens + result.input_tokens,
        "output_tokens": EVALUATION.c.output_tokens + result.output_tokens,
        "cost": EVALUATION.c.cost + result.cost,
        "error": redacted(result.error) if result.error else None,
    }


def _judged_at(connection: sa.Connection, result: Result, now: datetime) -> datetime:
    if result.reused_from is None:
        return now
    first = sa.select(EVALUATION.c.judged_at).where(EVALUATION.c.id == result.reused_from)
    return connection.execute(first).scalar_one_or_none() or now


def _documents(result: Result) -> dict[str, str | None]:
    return {"report": redacted_text(result.report), "document": redacted_text(result.document)}


def _keep_documents(
    connection: sa.Connection, evaluation_id: str, documents: Mapping[str, str | None], trajectories: Sequence[TrajectoryRow]
) -> None:
    if any(documents.values()):
        connection.execute(sa.insert(EVALUATION_DOCUMENT).values(evaluation_id=evaluation_id, **documents))
    rows = {
        t.id: asdict(t) | {"evaluation_id": evaluation_id, "rules": list(t.rules), "title": redacted(t.title)}
        for t in trajectories
    }
    if rows:
        connection.execute(sa.insert(TRAJECTORY), list(rows.values()))


def _expire(connection: sa.Connection, pull_request_id: int, *, head_sha: str, fingerprint: str | None, now: datetime) -> None:
    """What was acknowledged was another change: neither this commit nor the same content at another one."""
    given = ACKNOWLEDGEMENT.c
    is_same = given.head_sha == head_sha
    if fingerprint is not None:
        is_same = sa.or_(is_same, sa.and_(given.fingerprint.is_not(None), given.fingerprint == fingerprint))
    connection.execute(
        sa.update(ACKNOWLEDGEMENT)
        .where(given.pull_request_id == pull_request_id, given.expired_at.is_(None), ~is_same)
        .values(expired_at=now, expired_because="the change is another one")
    )


def _count_late(connection: sa.Connection, evaluation_id: str, owner: str, result: Result) -> bool:
    """True when this very owner has concluded it before; else what it cost is counted, once."""
    mine = sa.and_(EVALUATION.c.id == evaluation_id, EVALUATION.c.lease_owner == owner)
    state = connection.execute(sa.select(EVALUATION.c.state).where(mine)).scalar_one_or_none()
    if state == EvaluationState.CANCELLED:
        late = _spending(sa.update(EVALUATION), result.cost, result.input_tokens, result.output_tokens)
        connection.execute(late.where(mine).values(lease_owner=None))
    return state == EvaluationState.CONCLUDED


def _spending(update: sa.Update, cost: float, input_tokens: int, output_tokens: int) -> sa.Update:
    return update.values(
        cost=EVALUATION.c.cost + cost,
        input_tokens=EVALUATION.c.input_tokens + input_tokens,
        output_tokens=EVALUATION.c.output_tokens + output_tokens,
    )
