"""What became of what was merged: watched deployments, whether the verdict was right, prevented incidents."""

from collections.abc import Collection
from dataclasses import asdict
from datetime import datetime

import sqlalchemy as sa

from bot.storage.app_publication_rows import MergeOutcomeRow, PreventedRow
from bot.storage.app_redaction import redacted_json
from bot.storage.app_tables import MERGE_OUTCOME, PREVENTED
from bot.storage.app_transactions import Transactions, Upsert, upsert

_MERGED = Upsert(MERGE_OUTCOME, key=("pull_request_id",))
_WATCHED = Upsert(MERGE_OUTCOME, key=("pull_request_id",), update=tuple(c.name for c in MERGE_OUTCOME.c)[1:])
_PREVENTED = Upsert(PREVENTED, key=("pull_request_id",), update=tuple(c.name for c in PREVENTED.c)[1:])


class Outcomes(Transactions):
    """One row a merged pull request each; written again they replace themselves, so a repetition counts nothing twice."""

    def record_merge(self, row: MergeOutcomeRow) -> bool:
        """Begin to wait for what becomes of a merged pull request; False: it is known, and stays as it is."""
        with self._writing() as connection:
            return upsert(connection, _MERGED, asdict(row) | {"detail": redacted_json(row.detail)})

    def save_merge_outcome(self, row: MergeOutcomeRow) -> None:
        """Write how far it is: deployed, watched, right or wrong."""
        with self._writing() as connection:
            values = asdict(row) | {"detail": redacted_json(row.detail)}
            upsert(connection, _WATCHED, values)

    def merge_outcome(self, pull_request_id: int) -> MergeOutcomeRow | None:
        """What became of one; None when its merge was not recorded."""
        with self._reading() as connection:
            query = sa.select(MERGE_OUTCOME).where(MERGE_OUTCOME.c.pull_request_id == pull_request_id)
            row = connection.execute(query).mappings().first()
            return MergeOutcomeRow(**row) if row else None

    def merge_outcomes(
        self,
        *,
        states: Collection[str] | None = None,
        repository_ids: Collection[int] | None = None,
        since: datetime | None = None,
        limit: int = 1000,
    ) -> list[MergeOutcomeRow]:
        """Those in one of these states, of these repositories, merged since then; the newest first."""
        query = sa.select(MERGE_OUTCOME).order_by(MERGE_OUTCOME.c.merged_at.desc()).limit(limit)
        if states is not None:
            query = query.where(MERGE_OUTCOME.c.state.in_(sorted(states)))
        if repository_ids is not None:
            query = query.where(MERGE_OUTCOME.c.repository_id.in_(sorted(repository_ids)))
        if since is not None:
            query = query.where(MERGE_OUTCOME.c.merged_at >= since)
        with self._reading() as connection:
            return [MergeOutcomeRow(**row) for row in connection.execute(query).mappings()]

    def save_prevented(self, row: PreventedRow) -> None:
        """Count a prevented incident, once a pull request, with its evidence."""
        with self._writing() as connection:
            values = asdict(row) | {"trajectory": redacted_json(row.trajectory), "evidence": redacted_json(row.evidence)}
            upsert(connection, _PREVENTED, values)

    def prevented(
        self, *, installation_id: int | None = None, repository_ids: Collection[int] | None = None, since: datetime | None = None
    ) -> list[PreventedRow]:
        """Prevented incidents, the newest first; who counts by week groups them by `merged_at`."""
        query = sa.select(PREVENTED).order_by(PREVENTED.c.merged_at.desc())
        if installation_id is not None:
            query = query.where(PREVENTED.c.installation_id == installation_id)
        if repository_ids is not None:
            query = query.where(PREVENTED.c.repository_id.in_(sorted(repository_ids)))
        if since is not None:
            query = query.where(PREVENTED.c.merged_at >= since)
        with self._reading() as connection:
            return [PreventedRow(**row) for row in connection.execute(query).mappings()]
