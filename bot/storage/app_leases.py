"""Who works on an evaluation: claims, heartbeats, and what nobody works on any more."""

from collections.abc import Collection
from datetime import datetime, timedelta

import sqlalchemy as sa

from bot.storage.app_evaluations import evaluation_row
from bot.storage.app_rows import EvaluationRow, EvaluationState
from bot.storage.app_tables import EVALUATION, SUBJECT, UNCONCLUDED
from bot.storage.app_transactions import Transactions

_NEWEST = EVALUATION.c.generation == (
    sa.select(SUBJECT.c.generation).where(SUBJECT.c.name == EVALUATION.c.subject).scalar_subquery()
)


class Leases(Transactions):
    """A lease is taken, kept and lost by one UPDATE each: whoever's UPDATE found the row has it.

    `owner` names one worker's try (a new one a claim), not a host.
    """

    def claim(self, evaluation_id: str, owner: str, ttl: timedelta) -> EvaluationRow | None:
        """Take an evaluation that is queued, or whose worker let its lease expire; None: somebody has it, or it is over.

        `attempt` of the row says how often it was claimed.
        """
        with self._writing() as connection:
            now = self._now(connection)
            is_free = sa.or_(
                EVALUATION.c.state == EvaluationState.QUEUED,
                sa.and_(EVALUATION.c.state == EvaluationState.RUNNING, EVALUATION.c.lease_until < now),
            )
            claimed = (
                sa.update(EVALUATION)
                .where(EVALUATION.c.id == evaluation_id, is_free, _NEWEST)
                .values(
                    state=EvaluationState.RUNNING,
                    lease_owner=owner,
                    lease_until=now + ttl,
                    attempt=EVALUATION.c.attempt + 1,
                    started_at=sa.func.coalesce(EVALUATION.c.started_at, sa.literal(now, EVALUATION.c.started_at.type)),
                )
                .returning(EVALUATION)
            )
            row = connection.execute(claimed).mappings().first()
            return evaluation_row(row) if row else None

    def heartbeat(self, evaluation_id: str, owner: str, ttl: timedelta) -> bool:
        """Keep a lease for `ttl` from now; False: it is lost, cancelled or superseded, so stop at once and write nothing."""
        with self._writing() as connection:
            kept = _mine(evaluation_id, owner).values(lease_until=self._now(connection) + ttl)
            return connection.execute(kept).rowcount == 1

    def release(self, evaluation_id: str, owner: str) -> bool:
        """Give an evaluation back to the queue, unfinished: this worker is shutting down."""
        with self._writing() as connection:
            given = _mine(evaluation_id, owner).values(state=EvaluationState.QUEUED, lease_owner=None, lease_until=None)
            return connection.execute(given).rowcount == 1

    def see_range(
        self, evaluation_id: str, owner: str, *, head_sha: str, base_ref: str, base_sha: str, is_draft: bool, is_fork: bool
    ) -> bool:
        """Write which range is really evaluated, as the API told it once; False: the lease is lost."""
        with self._writing() as connection:
            seen = _mine(evaluation_id, owner).values(
                head_sha=head_sha, base_ref=base_ref, base_sha=base_sha, is_draft=is_draft, is_fork=is_fork
            )
            return connection.execute(seen).rowcount == 1

    def is_current(self, evaluation_id: str) -> bool:
        """Whether it is the newest of its subject and not cancelled: only then may anything be written to GitHub for it."""
        return evaluation_id in self.current_of([evaluation_id])

    def current_of(self, evaluation_ids: Collection[str]) -> frozenset[str]:
        """Those of these that are current, in one query: for a worker that watches several."""
        query = sa.select(EVALUATION.c.id).where(
            EVALUATION.c.id.in_(sorted(evaluation_ids)), EVALUATION.c.state != EvaluationState.CANCELLED, _NEWEST
        )
        with self._reading() as connection:
            return frozenset(connection.execute(query).scalars())

    def expired_leases(self) -> list[EvaluationRow]:
        """Evaluations whose worker died: they can be claimed again."""
        with self._reading() as connection:
            now = self._now(connection)
            query = sa.select(EVALUATION).where(EVALUATION.c.state == EvaluationState.RUNNING, EVALUATION.c.lease_until < now)
            return [evaluation_row(row) for row in connection.execute(query.order_by(EVALUATION.c.created_at)).mappings()]

    def waiting(self, *, before: datetime) -> list[EvaluationRow]:
        """Evaluations that were queued before then and that nobody claimed: their job may be lost."""
        query = sa.select(EVALUATION).where(EVALUATION.c.state == EvaluationState.QUEUED, EVALUATION.c.created_at < before)
        with self._reading() as connection:
            return [evaluation_row(row) for row in connection.execute(query.order_by(EVALUATION.c.created_at)).mappings()]

    def unconcluded(self) -> int:
        """How many evaluations are queued or running."""
        query = sa.select(sa.func.count()).select_from(EVALUATION).where(EVALUATION.c.state.in_(UNCONCLUDED))
        with self._reading() as connection:
            return connection.execute(query).scalar_one()


def _mine(evaluation_id: str, owner: str) -> sa.Update:
    return sa.update(EVALUATION).where(
        EVALUATION.c.id == evaluation_id,
        EVALUATION.c.state == EvaluationState.RUNNING,
        EVALUATION.c.lease_owner == owner,
        _NEWEST,
    )
