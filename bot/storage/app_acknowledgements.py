"""Risks that people took with a reason, and the record of who did what."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.storage.app_ending import Place, ask, check_key, generation_of
from bot.storage.app_publication_rows import AcknowledgementRow, AuditRow, OutboxKind
from bot.storage.app_redaction import redacted_json
from bot.storage.app_tables import ACKNOWLEDGEMENT, AUDIT, EVALUATION
from bot.storage.app_transactions import Transactions
from gonogo.redaction import redacted
from gonogo.word import Json


class Acknowledgements(Transactions):
    """They hold for the change that was acknowledged; `conclude` expires those of another one."""

    def acknowledge(self, evaluation_id: str, *, trajectory: str, reason: str, login: str) -> AcknowledgementRow | None:
        """Take a risk: one trajectory by its id, or `*` for all of this evaluation. Audited; check and comment are asked for anew.

        The same person taking the same risk of the same evaluation again changes nothing. None: the evaluation is not the newest
        of its pull request, or it has not concluded, so there is nothing to take.
        """
        with self._writing() as connection:
            query = sa.select(EVALUATION).where(EVALUATION.c.id == evaluation_id, EVALUATION.c.pull_request_id.is_not(None))
            about = connection.execute(query).mappings().first()
            generation = generation_of(connection, about["subject"]) if about is not None else None
            if about is None or about["generation"] != generation or about["state"] != "concluded":
                return None
            now = self._now(connection)
            given = {
                "pull_request_id": about["pull_request_id"], "evaluation_id": evaluation_id, "trajectory": trajectory, "login": login,
            }  # fmt: skip
            same = sa.select(ACKNOWLEDGEMENT).where(
                ACKNOWLEDGEMENT.c.expired_at.is_(None), *(ACKNOWLEDGEMENT.c[name] == value for name, value in given.items())
            )
            known = connection.execute(same).mappings().first()
            if known is not None:
                return AcknowledgementRow(**known)
            values = given | {
                "reason": redacted(reason), "at": now, "head_sha": about["head_sha"], "fingerprint": about["fingerprint"],
            }  # fmt: skip
            row = connection.execute(sa.insert(ACKNOWLEDGEMENT).values(values).returning(ACKNOWLEDGEMENT)).mappings().one()
            detail = {"evaluation": evaluation_id, "trajectory": trajectory, "reason": reason}
            _note(connection, login, "acknowledge", about["subject"], about["repository_id"], detail, now)
            place = Place(about["subject"], about["generation"], evaluation_id, about["repository_id"], about["installation_id"])
            ask(connection, OutboxKind.CHECK, check_key(about["repository_id"], about["head_sha"]), place, now=now)
            ask(connection, OutboxKind.COMMENT, str(about["pull_request_id"]), place, now=now)
            return AcknowledgementRow(**row)

    def acknowledgements(self, pull_request_id: int, *, with_expired: bool = False) -> list[AcknowledgementRow]:
        """Those that hold, the oldest first; with the expired ones too."""
        query = sa.select(ACKNOWLEDGEMENT).where(ACKNOWLEDGEMENT.c.pull_request_id == pull_request_id)
        if not with_expired:
            query = query.where(ACKNOWLEDGEMENT.c.expired_at.is_(None))
        with self._reading() as connection:
            rows = connection.execute(query.order_by(ACKNOWLEDGEMENT.c.number)).mappings()
            return [AcknowledgementRow(**row) for row in rows]

    def expire_acknowledgements(self, pull_request_id: int, why: str) -> int:
        """End all of a pull request's; how many held."""
        with self._writing() as connection:
            ended = (
                sa.update(ACKNOWLEDGEMENT)
                .where(ACKNOWLEDGEMENT.c.pull_request_id == pull_request_id, ACKNOWLEDGEMENT.c.expired_at.is_(None))
                .values(expired_at=self._now(connection), expired_because=redacted(why))
            )
            return connection.execute(ended).rowcount

    def audit(
        self, *, login: str, action: str, subject: str, repository_id: int | None = None, detail: Mapping[str, Json] | None = None
    ) -> None:
        """Note who did what; `detail` is redacted."""
        with self._writing() as connection:
            _note(connection, login, action, subject, repository_id, detail or {}, self._now(connection))

    def audited(
        self, *, subject: str | None = None, repository_ids: Sequence[int] | None = None, limit: int = 100
    ) -> list[AuditRow]:
        """What was done, the newest first."""
        query = sa.select(AUDIT).order_by(AUDIT.c.number.desc()).limit(limit)
        if subject is not None:
            query = query.where(AUDIT.c.subject == subject)
        if repository_ids is not None:
            query = query.where(AUDIT.c.repository_id.in_(sorted(repository_ids)))
        with self._reading() as connection:
            return [AuditRow(**row) for row in connection.execute(query).mappings()]


def _note(
    connection: sa.Connection,
    login: str,
    action: str,
    subject: str,
    repository_id: int | None,
    detail: Mapping[str, Any],
    now: datetime,
) -> None:
    connection.execute(
        sa.insert(AUDIT).values(
            at=now, login=login, action=action, subject=subject, repository_id=repository_id, detail=redacted_json(detail)
        )
    )
