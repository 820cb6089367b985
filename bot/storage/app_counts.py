"""Counts for `/metrics`: from the tables, so that any process of any host tells the same."""

from typing import Any

import sqlalchemy as sa

from bot.storage.app_dashboard_rows import Counts
from bot.storage.app_rows import EvaluationState, Outcome
from bot.storage.app_tables import ACKNOWLEDGEMENT, EVALUATION, OUTBOX, PREVENTED, UNCONCLUDED
from bot.storage.app_transactions import Transactions


class Counting(Transactions):
    """What happened so far, and what waits."""

    def counts(self) -> Counts:
        """All of it, in a few queries."""
        column = EVALUATION.c
        ended = sa.select(column.outcome, sa.func.count()).where(column.outcome.is_not(None)).group_by(column.outcome)
        unended = (
            sa.select(column.state, sa.func.count(), sa.func.min(column.created_at))
            .where(column.state.in_(UNCONCLUDED))
            .group_by(column.state)
        )
        sums = sa.select(
            sa.func.coalesce(sa.func.sum(column.cost), 0.0),
            sa.func.coalesce(sa.func.sum(column.input_tokens), 0),
            sa.func.coalesce(sa.func.sum(column.output_tokens), 0),
            sa.func.count(column.reused_from),
        )
        waiting = sa.select(sa.func.count(), sa.func.count(OUTBOX.c.error)).where(OUTBOX.c.done_at.is_(None))
        with self._reading() as connection:
            outcomes = {Outcome(outcome): count for outcome, count in connection.execute(ended)}
            waits = list(connection.execute(unended))
            cost, input_tokens, output_tokens, reused = connection.execute(sums).one()
            writes, failing = connection.execute(waiting).one()
            now = self._now(connection)
            return Counts(
                outcomes={outcome: outcomes.get(outcome, 0) for outcome in Outcome},
                states={EvaluationState(s): next((n for at, n, _ in waits if at == s), 0) for s in UNCONCLUDED},
                oldest_unconcluded_s=max(((now - since).total_seconds() for _, _, since in waits), default=0.0),
                waiting_writes=writes,
                failing_writes=failing,
                prevented=_number(connection, PREVENTED),
                acknowledgements=_number(connection, ACKNOWLEDGEMENT),
                cost=float(cost),
                input_tokens=int(input_tokens),
                output_tokens=int(output_tokens),
                reused=reused,
                took_s=_took(connection),
            )


def _number(connection: sa.Connection, table: sa.Table) -> int:
    return connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()


def _took(connection: sa.Connection) -> tuple[float, float]:
    """The database subtracts instants: SQLite keeps them as text and PostgreSQL as instants."""
    column = EVALUATION.c
    seconds: sa.ColumnElement[Any] = (
        sa.func.extract("epoch", column.concluded_at - column.created_at)
        if connection.dialect.name == "postgresql"
        else (sa.func.julianday(column.concluded_at) - sa.func.julianday(column.created_at)) * 86400
    )
    query = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(seconds), 0)).where(
        column.state == EvaluationState.CONCLUDED, column.concluded_at.is_not(None)
    )
    count, total = connection.execute(query).one()
    return float(count), float(total)
