"""Reads evaluations for pages, comments and metrics; never a document."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from bot.storage.app_evaluations import evaluation_row
from bot.storage.app_rows import EvaluationFilter, EvaluationRow, EvaluationState, Outcome
from bot.storage.app_tables import ACKNOWLEDGEMENT, EVALUATION, PULL_REQUEST, SUBJECT, TRAJECTORY
from bot.storage.app_transactions import Transactions


class PlaybookCount(NamedTuple):
    """How often trajectories of a playbook blocked, and how often somebody took that risk all the same."""

    playbook: str
    blocked: int
    acknowledged: int


class Listing(Transactions):
    """Evaluations, newest first."""

    def evaluation(self, evaluation_id: str) -> EvaluationRow | None:
        """One evaluation, or None."""
        with self._reading() as connection:
            row = connection.execute(sa.select(EVALUATION).where(EVALUATION.c.id == evaluation_id)).mappings().first()
            return evaluation_row(row) if row else None

    def newest(self, subject: str) -> EvaluationRow | None:
        """The evaluation of the subject's present generation, whatever became of it."""
        query = sa.select(EVALUATION).join(
            SUBJECT, sa.and_(SUBJECT.c.name == EVALUATION.c.subject, SUBJECT.c.generation == EVALUATION.c.generation)
        )
        with self._reading() as connection:
            row = connection.execute(query.where(EVALUATION.c.subject == subject)).mappings().first()
            return evaluation_row(row) if row else None

    def evaluations_of(self, which: EvaluationFilter) -> list[EvaluationRow]:
        """A page of those that fit."""
        query = sa.select(EVALUATION).order_by(EVALUATION.c.created_at.desc(), EVALUATION.c.id.desc()).limit(which.limit)
        with self._reading() as connection:
            return [evaluation_row(row) for row in connection.execute(query.where(*_conditions(which))).mappings()]

    def worst_of(self, repository_id: int, head_sha: str) -> list[EvaluationRow]:
        """The newest evaluation of everything open whose head this is; of what is closed when nothing is open. By number.

        The check of a commit says the worst of these; none at all means that the commit was left.
        """
        query = (
            sa.select(EVALUATION, (PULL_REQUEST.c.state == "closed").label("is_closed"))
            .join(SUBJECT, sa.and_(SUBJECT.c.name == EVALUATION.c.subject, SUBJECT.c.generation == EVALUATION.c.generation))
            .join(PULL_REQUEST, PULL_REQUEST.c.id == EVALUATION.c.pull_request_id, isouter=True)
            .where(EVALUATION.c.repository_id == repository_id, EVALUATION.c.head_sha == head_sha)
            .order_by(EVALUATION.c.number, EVALUATION.c.created_at)
        )
        with self._reading() as connection:
            found = [dict(row) for row in connection.execute(query).mappings()]
        closed = [bool(row.pop("is_closed")) for row in found]
        return [evaluation_row(row) for row, is_closed in zip(found, closed, strict=True) if not is_closed or all(closed)]

    def gated(self) -> list[EvaluationRow]:
        """The newest evaluations of open pull requests whose verdict rests on a live gate: evaluated again when it closes."""
        query = (
            sa.select(EVALUATION)
            .join(SUBJECT, sa.and_(SUBJECT.c.name == EVALUATION.c.subject, SUBJECT.c.generation == EVALUATION.c.generation))
            .join(PULL_REQUEST, PULL_REQUEST.c.id == EVALUATION.c.pull_request_id)
            .where(EVALUATION.c.state == EvaluationState.CONCLUDED, EVALUATION.c.is_gated, PULL_REQUEST.c.state == "open")
            .order_by(EVALUATION.c.created_at)
        )
        with self._reading() as connection:
            return [evaluation_row(row) for row in connection.execute(query).mappings()]

    def outcome_counts(self) -> Mapping[Outcome, int]:
        """How many evaluations ended in which outcome, of all processes and all time."""
        query = sa.select(EVALUATION.c.outcome, sa.func.count()).where(EVALUATION.c.outcome.is_not(None))
        with self._reading() as connection:
            counted = {Outcome(outcome): count for outcome, count in connection.execute(query.group_by(EVALUATION.c.outcome))}
        return {outcome: counted.get(outcome, 0) for outcome in Outcome}

    def playbook_counts(self, repository_ids: Collection[int], *, since: datetime) -> list[PlaybookCount]:
        """How often each playbook blocked since then, and how often it was acknowledged; by name."""
        acknowledged = (
            sa.exists()
            .where(ACKNOWLEDGEMENT.c.evaluation_id == TRAJECTORY.c.evaluation_id)
            .where(sa.or_(ACKNOWLEDGEMENT.c.trajectory == TRAJECTORY.c.id, ACKNOWLEDGEMENT.c.trajectory == "*"))
        )
        query = (
            sa.select(TRAJECTORY.c.playbook, sa.func.count(), sa.func.sum(sa.case((acknowledged, 1), else_=0)))
            .join(EVALUATION, EVALUATION.c.id == TRAJECTORY.c.evaluation_id)
            .where(TRAJECTORY.c.blocks, EVALUATION.c.repository_id.in_(sorted(repository_ids)), EVALUATION.c.created_at >= since)
            .group_by(TRAJECTORY.c.playbook)
            .order_by(TRAJECTORY.c.playbook)
        )
        with self._reading() as connection:
            return [PlaybookCount(name, blocked, int(taken)) for name, blocked, taken in connection.execute(query)]


def _conditions(which: EvaluationFilter) -> list[sa.ColumnElement[bool]]:
    column = EVALUATION.c
    equal = {
        column.installation_id: which.installation_id,
        column.pull_request_id: which.pull_request_id,
        column.number: which.number,
        column.head_sha: which.head_sha,
    }
    among = {column.repository_id: which.repository_ids, column.state: which.states, column.outcome: which.outcomes}
    found = [*(c == value for c, value in equal.items() if value is not None)]
    found += [c.in_(sorted(values)) for c, values in among.items() if values is not None]
    if which.since is not None:
        found.append(column.created_at >= which.since)
    if which.until is not None:
        found.append(column.created_at < which.until)
    if which.after is not None:
        at, last = which.after
        found.append(sa.or_(column.created_at < at, sa.and_(column.created_at == at, column.id < last)))
    return found
