"""What waits to be written to GitHub: taken under a lease, done once, put off when GitHub says so.

A row says that something has to be written, not what: the content is made from the store when it is written. So a row that is asked
for twice is written once, and a write never overtakes another one to the same place: (kind, key) has one row at a time.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.storage.app_ending import CHECK_NAME, Place, ask, check_key
from bot.storage.app_publication_rows import OutboxKind, OutboxRow
from bot.storage.app_rows import EvaluationRow
from bot.storage.app_tables import INSTALLATION, OUTBOX, SUBJECT
from bot.storage.app_transactions import Transactions
from gonogo.redaction import redacted
from gonogo.word import Json

LEASE = timedelta(seconds=60)
"""How long a publisher has for what it took: above every time limit of a call to GitHub."""


_NOW = sa.bindparam("now", type_=OUTBOX.c.not_before.type)
_DUE = (
    sa.select(OUTBOX.c.number)
    .join(INSTALLATION, INSTALLATION.c.id == OUTBOX.c.installation_id, isouter=True)
    .where(OUTBOX.c.done_at.is_(None), OUTBOX.c.not_before <= _NOW)
    .where(sa.or_(OUTBOX.c.leased_until.is_(None), OUTBOX.c.leased_until <= _NOW))
    .where(sa.or_(INSTALLATION.c.id.is_(None), INSTALLATION.c.state == "active"))
    .where(sa.or_(INSTALLATION.c.held_until.is_(None), INSTALLATION.c.held_until <= _NOW))
    .order_by(OUTBOX.c.not_before, OUTBOX.c.number)
    .limit(sa.bindparam("most", type_=sa.Integer))
)


class Outbox(Transactions):
    """`outbox_done`, `outbox_later` and `outbox_drop` take the row as `outbox_take` gave it: they act only for its lease."""

    def outbox_take(self, owner: str, *, limit: int = 10, lease: timedelta = LEASE) -> list[OutboxRow]:
        """Lease what is due, the longest due first; nobody else gets these rows until the lease ends.

        Left out: what an installation that is held, suspended or deleted would have to take. `attempts` counts this try.
        """
        with self._reading() as connection:  # most looks find nothing, and take no turn to write
            if connection.execute(_DUE, {"now": self._now(connection), "most": 1}).first() is None:
                return []
        with self._writing() as connection:
            now = self._now(connection)
            due = _DUE.with_for_update(of=OUTBOX, skip_locked=True)
            numbers = list(connection.execute(due, {"now": now, "most": limit}).scalars())
            if not numbers:
                return []
            taken = (
                sa.update(OUTBOX)
                .where(OUTBOX.c.number.in_(numbers))
                .values(lease_owner=owner, leased_until=now + lease, attempts=OUTBOX.c.attempts + 1)
            )
            connection.execute(taken)
            return _rows(connection, OUTBOX.c.number.in_(numbers))

    def outbox_done(self, row: OutboxRow) -> bool:
        """It was written. False: it was asked for anew meanwhile and is due again, or the lease was lost."""
        with self._writing() as connection:
            now = self._now(connection)
            if connection.execute(_leased(row, is_same=True).values(done_at=now, leased_until=None, error=None)).rowcount:
                return True
            connection.execute(_leased(row, is_same=False).values(leased_until=None))
            return False

    def outbox_later(self, row: OutboxRow, not_before: datetime, error: str) -> bool:
        """It could not be written: not before then again. What was asked for anew meanwhile waits as well."""
        with self._writing() as connection:
            later = _leased(row).values(not_before=not_before, leased_until=None, error=redacted(error))
            return connection.execute(later).rowcount == 1

    def outbox_drop(self, row: OutboxRow, why: str) -> bool:
        """It is not to be written: superseded, gone, or impossible. False: it was asked for anew meanwhile, or the lease was lost."""
        with self._writing() as connection:
            now = self._now(connection)
            dropped = _leased(row, is_same=True).values(done_at=now, leased_until=None, error=redacted(why))
            if connection.execute(dropped).rowcount:
                return True
            connection.execute(_leased(row, is_same=False).values(leased_until=None))
            return False

    def ask_check(self, evaluation: EvaluationRow, name: str = CHECK_NAME, payload: Mapping[str, Json] | None = None) -> None:
        """Have the check run of its head brought up to date."""
        with self._writing() as connection:
            key = check_key(evaluation.repository_id, evaluation.head_sha, name)
            ask(connection, OutboxKind.CHECK, key, _place(evaluation), now=self._now(connection), payload=payload)

    def ask_comment(self, evaluation: EvaluationRow) -> None:
        """Have the pull request's comment brought up to date, now: after `unlocked` too. A merge group has none."""
        if evaluation.pull_request_id is None:
            return
        with self._writing() as connection:
            ask(connection, OutboxKind.COMMENT, str(evaluation.pull_request_id), _place(evaluation), now=self._now(connection))

    def ask_answer(
        self,
        kind: OutboxKind,
        key: str,
        payload: Mapping[str, Json],
        *,
        subject: str,
        repository_id: int,
        installation_id: int,
        evaluation_id: str | None = None,
        not_before: datetime | None = None,
        most_an_hour: int | None = None,
    ) -> bool:
        """Have a reply or a reaction written; `key` says to what (`{comment id}`), so that it is written once.

        False: about this subject `most_an_hour` others of its kind were asked for within the hour, and this one is not.
        """
        with self._writing() as connection:
            fence = sa.select(SUBJECT.c.generation).where(SUBJECT.c.name == subject).with_for_update()
            generation = connection.execute(fence).scalar_one_or_none()
            now = self._now(connection)
            if most_an_hour is not None and _others_this_hour(connection, kind, key, subject, now=now) >= most_an_hour:
                return False
            place = Place(subject, generation or 0, evaluation_id, repository_id, installation_id)
            ask(connection, kind, key, place, now=now, payload=payload, not_before=not_before)
            return True

    def outbox_pending(self, *, subject: str | None = None) -> list[OutboxRow]:
        """What waits, of one subject or of all, the longest due first."""
        which = OUTBOX.c.done_at.is_(None)
        with self._reading() as connection:
            return _rows(connection, which if subject is None else sa.and_(which, OUTBOX.c.subject == subject))


def _others_this_hour(connection: sa.Connection, kind: OutboxKind, key: str, subject: str, *, now: datetime) -> int:
    column = OUTBOX.c
    which = (
        column.kind == kind.value,
        column.subject == subject,
        column.key != key,
        column.created_at > now - timedelta(hours=1),
    )
    return connection.execute(sa.select(sa.func.count(column.key.distinct())).where(*which)).scalar_one()


def _leased(row: OutboxRow, *, is_same: bool | None = None) -> sa.Update:
    """The row while its lease is ours; `is_same` False when it was asked for anew, None whether or not."""
    mine = sa.update(OUTBOX).where(
        OUTBOX.c.number == row.number,
        OUTBOX.c.lease_owner == row.lease_owner,
        OUTBOX.c.leased_until == row.leased_until,
        OUTBOX.c.done_at.is_(None),
    )
    if is_same is None:
        return mine
    return mine.where(OUTBOX.c.revision == row.revision if is_same else OUTBOX.c.revision != row.revision)


def _place(evaluation: EvaluationRow) -> Place:
    return Place(evaluation.subject, evaluation.generation, evaluation.id, evaluation.repository_id, evaluation.installation_id)


def _rows(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[OutboxRow]:
    columns = [c for c in OUTBOX.c if c.name != "done_at"]
    is_current = sa.or_(SUBJECT.c.generation.is_(None), SUBJECT.c.generation == OUTBOX.c.generation).label("is_current")
    query = sa.select(*columns, is_current).join(SUBJECT, SUBJECT.c.name == OUTBOX.c.subject, isouter=True).where(which)
    return [_row(row) for row in connection.execute(query.order_by(OUTBOX.c.not_before, OUTBOX.c.number)).mappings()]


def _row(row: Mapping[Any, Any]) -> OutboxRow:
    values: dict[str, Any] = dict(row)
    values["kind"], values["is_current"] = OutboxKind(values["kind"]), bool(values["is_current"])
    return OutboxRow(**values)
