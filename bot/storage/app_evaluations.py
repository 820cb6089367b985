"""Begins evaluations: every new head, retarget or re-run raises the generation and ends what is overtaken."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.storage.app_ending import CHECK_NAME, Ended, ask, check_key, end_unconcluded, generation_of, withdraw
from bot.storage.app_publication_rows import OutboxKind
from bot.storage.app_rows import (
    Because,
    EvaluationRow,
    EvaluationState,
    Outcome,
    group_subject,
    pull_request_subject,
)
from bot.storage.app_tables import CHECK_RUN, EVALUATION, OUTBOX, PULL_REQUEST, REPOSITORY, SUBJECT, UNCONCLUDED
from bot.storage.app_transactions import Transactions, Upsert, upsert_counted


@dataclass(frozen=True, slots=True)
class Raised:
    """The evaluation that stands now; `is_new` False when the same event, or the same head, has one already."""

    evaluation: EvaluationRow
    is_new: bool


class Evaluations(Transactions):
    """Generations of what is evaluated. At most one evaluation of a subject has not ended, and it is the newest."""

    def raise_generation(
        self,
        pull_request_id: int,
        *,
        head_sha: str,
        base_ref: str,
        base_sha: str,
        trigger: str,
        before_sha: str | None = None,
        delivery: str | None = None,
        unless_known: bool = False,
    ) -> Raised:
        """Queue an evaluation of a pull request that `see_pull_request` has written (LookupError else).

        In the same transaction every older one that has not ended becomes `cancelled`, a comment that waits to be written is
        withdrawn, and the check of the head that was left is asked for, so that it does not stay in progress.
        `delivery` (the event's GUID) makes a repetition harmless. `unless_known` raises nothing when this head on this base is
        queued, running, concluded, or was cancelled by a command: for the sweep, and for events that may be repeated.
        """
        given = {"head_sha": head_sha, "base_ref": base_ref, "base_sha": base_sha, "before_sha": before_sha}
        told = {**given, "subject": pull_request_subject(pull_request_id), "trigger": trigger, "delivery": delivery}
        try:
            with self._writing() as connection:
                about = connection.execute(_ABOUT, {"asked": pull_request_id}).mappings().first()
                if about is None:
                    raise LookupError(f"pull request {pull_request_id} or its repository was never seen")
                return self._begin(connection, {**about, **told}, unless_known=unless_known)
        except _Standing as found:
            return Raised(found.evaluation, is_new=False)

    def start_group(
        self,
        repository_id: int,
        *,
        head_sha: str,
        base_sha: str,
        base_ref: str,
        trigger: str = "merge_group",
        delivery: str | None = None,
    ) -> Raised:
        """Queue an evaluation of a merge group's combined diff; one that stands for this head already is kept."""
        given = {"head_sha": head_sha, "base_ref": base_ref, "base_sha": base_sha}
        told = {**given, "subject": group_subject(head_sha), "trigger": trigger, "delivery": delivery}
        query = sa.select(REPOSITORY.c.id.label("repository_id"), REPOSITORY.c.installation_id)
        try:
            with self._writing() as connection:
                about = connection.execute(query.where(REPOSITORY.c.id == repository_id)).mappings().first()
                if about is None:
                    raise LookupError(f"repository {repository_id} was never seen")
                return self._begin(connection, {**about, **told}, unless_known=trigger == "merge_group")
        except _Standing as found:
            return Raised(found.evaluation, is_new=False)

    def cancel(self, subject: str, because: Because, why: str = "") -> int:
        """Cancel what has not ended of a subject and ask for its check to say so; how many were (0 or 1)."""
        with self._writing() as connection:
            now = self._now(connection)
            if generation_of(connection, subject) is None:
                return 0
            ended = end_unconcluded(connection, EVALUATION.c.subject == subject, because=because, now=now, why=why)
            for one in ended:
                ask(connection, OutboxKind.CHECK, check_key(one.place.repository_id, one.head_sha), one.place, now=now)
            return len(ended)

    def _begin(self, connection: sa.Connection, values: Mapping[str, Any], *, unless_known: bool) -> Raised:
        subject, head = values["subject"], values["head_sha"]
        raised = {"name": subject, "repository_id": values["repository_id"], "generation": 1}
        generation = upsert_counted(connection, _RAISED, raised)
        of_event, newest = _of_event_and_newest(connection, values, generation - 1)
        standing = of_event or (newest if unless_known and newest is not None and _stands(newest, values) else None)
        if standing is not None:
            raise _Standing(standing)

        now = self._now(connection)
        ended: Sequence[Ended] = ()
        if newest is not None and newest.state in UNCONCLUDED:
            ended = end_unconcluded(connection, EVALUATION.c.subject == subject, because=Because.SUPERSEDED, now=now)
        row = {**values, "id": _new_id(now, head), "generation": generation, "created_at": now}
        begun = connection.execute(_BEGIN, row | {"state": EvaluationState.QUEUED}).mappings().one()
        if newest is not None and newest.state is EvaluationState.CONCLUDED:
            comments = sa.and_(OUTBOX.c.subject == subject, OUTBOX.c.kind == OutboxKind.COMMENT)
            withdraw(connection, comments, now=now, why="a newer evaluation has begun")
        for one in ended:
            if one.head_sha != head and (one.had_started or _has_check(connection, one.place.repository_id, one.head_sha)):
                ask(connection, OutboxKind.CHECK, check_key(one.place.repository_id, one.head_sha), one.place, now=now)
        return Raised(evaluation_row(begun), is_new=True)


class _Standing(Exception):
    """There is nothing to begin; the generation that was raised to lock the subject is taken back with the transaction."""

    def __init__(self, evaluation: EvaluationRow) -> None:
        self.evaluation = evaluation
        super().__init__(evaluation.id)


def evaluation_row(row: Mapping[Any, Any]) -> EvaluationRow:
    """The row as a value."""
    values = dict(row)
    values["state"] = EvaluationState(values["state"])
    values["outcome"] = Outcome(values["outcome"]) if values["outcome"] else None
    values["cancelled_because"] = Because(values["cancelled_because"]) if values["cancelled_because"] else None
    return EvaluationRow(**values)


_ABOUT = (
    sa.select(
        PULL_REQUEST.c.id.label("pull_request_id"),
        PULL_REQUEST.c.number,
        PULL_REQUEST.c.is_draft,
        PULL_REQUEST.c.is_fork,
        PULL_REQUEST.c.repository_id,
        REPOSITORY.c.installation_id,
    )
    .join(REPOSITORY, REPOSITORY.c.id == PULL_REQUEST.c.repository_id)
    .where(PULL_REQUEST.c.id == sa.bindparam("asked"))
)


_RAISED = Upsert(SUBJECT, key=("name",), counted="generation")
_BEGIN = sa.insert(EVALUATION).returning(EVALUATION)
_OF_SUBJECT = sa.select(EVALUATION).where(EVALUATION.c.subject == sa.bindparam("subject"))
_PRESENT = EVALUATION.c.generation == sa.bindparam("generation")
_NEWEST = _OF_SUBJECT.where(_PRESENT)
_OF_EVENT_AND_NEWEST = _OF_SUBJECT.where(sa.or_(_PRESENT, EVALUATION.c.delivery == sa.bindparam("delivery")))


def _of_event_and_newest(
    connection: sa.Connection, values: Mapping[str, Any], generation: int
) -> tuple[EvaluationRow | None, EvaluationRow | None]:
    """The evaluation that this very event began, and that of the present generation."""
    delivery = values["delivery"]
    asked = {"subject": values["subject"], "generation": generation, "delivery": delivery}
    query = _NEWEST if delivery is None else _OF_EVENT_AND_NEWEST
    found = [evaluation_row(row) for row in connection.execute(query, asked).mappings()]
    of_event = next((e for e in found if delivery is not None and e.delivery == delivery), None)
    return of_event, next((e for e in found if e.generation == generation), None)


def _stands(newest: EvaluationRow, values: Mapping[str, Any]) -> bool:
    """Whether the newest evaluation answers for the same head on the same base, and was not cancelled by itself."""
    is_alive = newest.state is not EvaluationState.CANCELLED or newest.cancelled_because is Because.COMMAND
    is_same = newest.head_sha == values["head_sha"] and newest.base_ref == values["base_ref"]
    return is_alive and is_same and (not newest.is_draft or values.get("is_draft", False))


def _has_check(connection: sa.Connection, repository_id: int, head_sha: str) -> bool:
    query = sa.select(CHECK_RUN.c.check_run_id).where(
        CHECK_RUN.c.repository_id == repository_id, CHECK_RUN.c.head_sha == head_sha, CHECK_RUN.c.name == CHECK_NAME
    )
    return connection.execute(query).first() is not None


def _new_id(made_at: datetime, head_sha: str) -> str:
    """Sorts by time, says which commit, never the same twice."""
    return f"{made_at:%Y%m%dT%H%M%SZ}-{head_sha[:8]}-{secrets.token_hex(4)}"
