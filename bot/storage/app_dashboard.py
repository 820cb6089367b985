"""Reads for the dashboard. Every question names the repositories that its viewer may read; what is of others is never counted."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.storage.app_dashboard_rows import Blocked, Listed, Merged, Override, Spending, Wanted
from bot.storage.app_evaluations import evaluation_row
from bot.storage.app_rows import EvaluationState, Outcome, RepositoryRow
from bot.storage.app_tables import ACKNOWLEDGEMENT, EVALUATION, MERGE_OUTCOME, PULL_REQUEST, REPOSITORY, TRAJECTORY, storable
from bot.storage.app_transactions import Transactions

MAX_ROWS = 20_000
"""Evaluations that a page of figures looks at: the newest."""

_SHA = re.compile(r"[0-9a-f]{6,40}")


class Dashboard(Transactions):
    """Questions of pages."""

    def repositories_evaluated(self, *, limit: int) -> list[RepositoryRow]:
        """Those that have evaluations and were not removed, evaluated last first."""
        last = (
            sa.select(EVALUATION.c.repository_id, sa.func.max(EVALUATION.c.created_at).label("at"))
            .group_by(EVALUATION.c.repository_id)
            .subquery()
        )
        query = (
            sa.select(*REPOSITORY.c)
            .join(last, last.c.repository_id == REPOSITORY.c.id)
            .where(REPOSITORY.c.state != "removed")
            .order_by(last.c.at.desc())
            .limit(limit)
        )
        with self._reading() as connection:
            return [RepositoryRow(**row) for row in connection.execute(query).mappings()]

    def listed(self, wanted: Wanted) -> list[Listed]:
        """A page of evaluations."""
        query = _listed().order_by(EVALUATION.c.created_at.desc(), EVALUATION.c.id.desc()).limit(wanted.limit)
        with self._reading() as connection:
            return [_listed_of(row) for row in connection.execute(query.where(*_conditions(wanted))).mappings()]

    def one(self, evaluation_id: str) -> Listed | None:
        """One evaluation, whoever may read it."""
        with self._reading() as connection:
            row = connection.execute(_listed().where(EVALUATION.c.id == evaluation_id)).mappings().first()
            return _listed_of(row) if row else None

    def spending(self, repository_ids: Sequence[int], *, since: datetime) -> list[Spending]:
        """Concluded evaluations since then, the newest first."""
        column = EVALUATION.c
        query = (
            sa.select(column.created_at, column.started_at, column.concluded_at, column.cost, column.steps, column.reused_from)
            .where(
                column.repository_id.in_(repository_ids),
                column.state == EvaluationState.CONCLUDED,
                column.concluded_at >= since,
            )
            .order_by(column.concluded_at.desc())
            .limit(MAX_ROWS)
        )
        with self._reading() as connection:
            return [
                Spending(
                    concluded_at=concluded,
                    waited=(started or concluded) - created,
                    took=concluded - created,
                    cost=cost,
                    steps=steps,
                    is_reused=reused is not None,
                )
                for created, started, concluded, cost, steps, reused in connection.execute(query)
            ]

    def merged(self, repository_ids: Sequence[int], *, since: datetime) -> list[Merged]:
        """What was merged since then, the newest first."""
        column = MERGE_OUTCOME.c
        query = (
            sa.select(
                REPOSITORY.c.owner, REPOSITORY.c.name, PULL_REQUEST.c.number, PULL_REQUEST.c.title, EVALUATION.c.outcome, EVALUATION.c.impact,
                column.evaluation_id, column.merged_at, column.state, column.was_right, column.detail,
            )
            .join(REPOSITORY, REPOSITORY.c.id == column.repository_id)
            .join(PULL_REQUEST, PULL_REQUEST.c.id == column.pull_request_id)
            .join(EVALUATION, EVALUATION.c.id == column.evaluation_id, isouter=True)
            .where(column.repository_id.in_(repository_ids), column.merged_at >= since)
            .order_by(column.merged_at.desc())
            .limit(MAX_ROWS)
        )  # fmt: skip
        with self._reading() as connection:
            return [_merged_of(row) for row in connection.execute(query).mappings()]

    def overrides(self, repository_ids: Sequence[int], *, since: datetime, limit: int = 200) -> list[Override]:
        """Risks that were taken since then, the newest first."""
        column = ACKNOWLEDGEMENT.c
        query = (
            sa.select(
                REPOSITORY.c.owner, REPOSITORY.c.name, EVALUATION.c.number, TRAJECTORY.c.title, column.evaluation_id, column.trajectory,
                PULL_REQUEST.c.title.label("pull_request"),
                column.reason, column.login, column.at, column.expired_at, column.expired_because,
            )
            .join(EVALUATION, EVALUATION.c.id == column.evaluation_id)
            .join(REPOSITORY, REPOSITORY.c.id == EVALUATION.c.repository_id)
            .join(PULL_REQUEST, PULL_REQUEST.c.id == EVALUATION.c.pull_request_id, isouter=True)
            .join(
                TRAJECTORY,
                sa.and_(TRAJECTORY.c.evaluation_id == column.evaluation_id, TRAJECTORY.c.id == column.trajectory),
                isouter=True,
            )
            .where(EVALUATION.c.repository_id.in_(repository_ids), column.at >= since)
            .order_by(column.number.desc())
            .limit(limit)
        )  # fmt: skip
        with self._reading() as connection:
            return [_override_of(row) for row in connection.execute(query).mappings()]

    def blocked(self, repository_ids: Sequence[int], *, since: datetime) -> list[Blocked]:
        """Every trajectory that blocked since then."""
        given = ACKNOWLEDGEMENT.c
        taken = (
            sa.exists()
            .where(given.evaluation_id == TRAJECTORY.c.evaluation_id)
            .where(sa.or_(given.trajectory == TRAJECTORY.c.id, given.trajectory == "*"))
        )
        query = (
            sa.select(TRAJECTORY.c.playbook, TRAJECTORY.c.rules, taken)
            .join(EVALUATION, EVALUATION.c.id == TRAJECTORY.c.evaluation_id)
            .where(TRAJECTORY.c.blocks, EVALUATION.c.repository_id.in_(repository_ids), EVALUATION.c.created_at >= since)
            .limit(MAX_ROWS)
        )
        with self._reading() as connection:
            return [Blocked(playbook, tuple(rules), was_taken=bool(was)) for playbook, rules, was in connection.execute(query)]


def _listed() -> sa.Select[Any]:
    return (
        sa.select(*EVALUATION.c, REPOSITORY.c.owner, REPOSITORY.c.name, PULL_REQUEST.c.title, PULL_REQUEST.c.author)
        .join(REPOSITORY, REPOSITORY.c.id == EVALUATION.c.repository_id)
        .join(PULL_REQUEST, PULL_REQUEST.c.id == EVALUATION.c.pull_request_id, isouter=True)
    )


def _conditions(wanted: Wanted) -> list[sa.ColumnElement[bool]]:
    column = EVALUATION.c
    found: list[sa.ColumnElement[bool]] = [column.repository_id.in_(wanted.repository_ids)]
    if wanted.outcomes is not None:
        found.append(column.outcome.in_(sorted(wanted.outcomes)))
    if wanted.states is not None:
        found.append(column.state.in_(sorted(wanted.states)))
    if text := storable(wanted.text.strip()):
        found.append(_says(text))
    if wanted.after is not None:
        at, last = wanted.after
        found.append(sa.or_(column.created_at < at, sa.and_(column.created_at == at, column.id < last)))
    return found


def _says(text: str) -> sa.ColumnElement[bool]:
    number = text.removeprefix("#")
    ways: list[sa.ColumnElement[bool]] = [
        PULL_REQUEST.c.title.icontains(text, autoescape=True),
        PULL_REQUEST.c.author.icontains(text, autoescape=True),
        EVALUATION.c.base_ref.icontains(text, autoescape=True),
        EVALUATION.c.summary.icontains(text, autoescape=True),
    ]
    if number.isascii() and number.isdigit() and len(number) <= 9:
        ways.append(EVALUATION.c.number == int(number))
    if _SHA.fullmatch(text.lower()):
        ways.append(EVALUATION.c.head_sha.startswith(text.lower(), autoescape=True))
    return sa.or_(*ways)


def _listed_of(row: Mapping[Any, Any]) -> Listed:
    values: dict[str, Any] = dict(row)
    owner, name, title, author = (values.pop(key) for key in ("owner", "name", "title", "author"))
    return Listed(evaluation_row(values), owner, name, title, author)


def _merged_of(row: Mapping[Any, Any]) -> Merged:
    values: dict[str, Any] = dict(row)
    repository = f"{values.pop('owner')}/{values.pop('name')}"
    outcome = values.pop("outcome")
    return Merged(repository=repository, outcome=Outcome(outcome) if outcome else None, **values)


def _override_of(row: Mapping[Any, Any]) -> Override:
    values: dict[str, Any] = dict(row)
    return Override(repository=f"{values.pop('owner')}/{values.pop('name')}", **values)
