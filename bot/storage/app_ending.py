"""Inside a transaction: ends evaluations that are overtaken, asks for writes to GitHub, and withdraws them.

Whatever does several of these does them in this order (subject, evaluations, acknowledgements, outbox), so that two
transactions never wait for each other.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from bot.storage.app_publication_rows import OutboxKind
from bot.storage.app_redaction import redacted_json
from bot.storage.app_rows import Because, EvaluationState, Outcome
from bot.storage.app_tables import EVALUATION, OUTBOX, SUBJECT, UNCONCLUDED
from bot.storage.app_transactions import Upsert, upsert
from gonogo.redaction import redacted
from gonogo.word import Json

CHECK_NAME = "gonogo"
"""The one name of our required check, for any base."""


class Place(NamedTuple):
    """For whom something is written, and where."""

    subject: str
    generation: int
    evaluation_id: str | None
    repository_id: int
    installation_id: int


class Ended(NamedTuple):
    """An evaluation that was cancelled just now; `had_started` when a worker had claimed it."""

    place: Place
    head_sha: str
    had_started: bool


_GENERATION = sa.select(SUBJECT.c.generation).where(SUBJECT.c.name == sa.bindparam("subject")).with_for_update()
_ASKED = Upsert(
    OUTBOX,
    key=("kind", "key"),
    update=(*Place._fields, "payload", "not_before", "attempts", "error"),
    counted="revision",
    pending=OUTBOX.c.done_at.is_(None),
)


def check_key(repository_id: int, head_sha: str, name: str = CHECK_NAME) -> str:
    """The outbox key of one check run: pull requests with one head share it."""
    return f"{repository_id}:{head_sha}:{name}"


def generation_of(connection: sa.Connection, subject: str) -> int | None:
    """The generation of a subject, its row locked to the end of the transaction; None when it was never evaluated."""
    return connection.execute(_GENERATION, {"subject": subject}).scalar_one_or_none()


def end_unconcluded(
    connection: sa.Connection, whose: sa.ColumnElement[bool], *, because: Because, now: datetime, why: str = ""
) -> Sequence[Ended]:
    """Cancel those of these evaluations that have not ended: whoever works on one finds out at the next step."""
    ended = connection.execute(
        sa.update(EVALUATION)
        .where(whose, EVALUATION.c.state.in_(UNCONCLUDED))
        .values(
            state=EvaluationState.CANCELLED,
            outcome=Outcome.CANCELLED,
            cancelled_because=because,
            error=redacted(why) or None,
            concluded_at=now,
            lease_until=None,
        )
        .returning(
            EVALUATION.c.subject,
            EVALUATION.c.generation,
            EVALUATION.c.id,
            EVALUATION.c.repository_id,
            EVALUATION.c.installation_id,
            EVALUATION.c.head_sha,
            EVALUATION.c.started_at,
        )
    )
    return [Ended(Place(*place), head, started is not None) for *place, head, started in ended]


def ask(
    connection: sa.Connection,
    kind: OutboxKind,
    key: str,
    place: Place,
    *,
    now: datetime,
    payload: Mapping[str, Json] | None = None,
    not_before: datetime | None = None,
) -> None:
    """Have something written to GitHub. What is asked for already is asked for anew: its revision rises, its waiting ends."""
    values = {
        "kind": kind, "key": key, **place._asdict(), "payload": redacted_json(payload or {}),
        "created_at": now, "not_before": not_before or now, "attempts": 0, "error": None,
    }  # fmt: skip
    upsert(connection, _ASKED, values)


def withdraw(connection: sa.Connection, which: sa.ColumnElement[bool], *, now: datetime, why: str) -> None:
    """Take back what waits to be written."""
    connection.execute(
        sa.update(OUTBOX).where(which, OUTBOX.c.done_at.is_(None)).values(done_at=now, leased_until=None, error=redacted(why))
    )
