"""Pull requests as they were seen last, the check run of a commit, and what has no verdict yet."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bot.storage.app_publication_rows import CheckRunRow
from bot.storage.app_rows import Because, EvaluationState, PullRequestFacts, PullRequestRow
from bot.storage.app_tables import (
    CHECK_RUN,
    EVALUATION,
    INSTALLATION,
    OUTBOX,
    PULL_REQUEST,
    REPOSITORY,
    SUBJECT,
    UNCONCLUDED,
)
from bot.storage.app_transactions import Transactions, Upsert, upsert
from gonogo.redaction import redacted

_SUBJECT_NAME = sa.literal("pr:").concat(sa.cast(PULL_REQUEST.c.id, sa.Text))
_SEEN = sa.select(PULL_REQUEST, sa.func.coalesce(SUBJECT.c.generation, 0).label("generation")).join(
    SUBJECT, SUBJECT.c.name == _SUBJECT_NAME, isouter=True
)


_SEEN_BY_ID = _SEEN.where(PULL_REQUEST.c.id == sa.bindparam("pull_request_id"))
_READ = Upsert(
    PULL_REQUEST,
    key=("id",),
    update=tuple(c.name for c in PULL_REQUEST.c if c.name not in ("id", "comment_id")),
    only_if=lambda proposed: sa.or_(
        proposed.updated_at > PULL_REQUEST.c.updated_at,
        sa.and_(proposed.updated_at == PULL_REQUEST.c.updated_at, PULL_REQUEST.c.merged_at.is_(None)),
    ),
)
_SHOWN = Upsert(
    CHECK_RUN,
    key=("repository_id", "head_sha", "name"),
    update=("check_run_id", "external_id", "conclusion", "published_at"),
)


class PullRequests(Transactions):
    """Pull requests and our check runs."""

    def see_pull_request(self, facts: PullRequestFacts) -> PullRequestRow:
        """Write a reading of a pull request unless a later one is there; what is known after it.

        Two readings of one second: the one that arrives later counts, but a merge is never undone.
        """
        values = {name: getattr(facts, name) for name in PullRequestFacts.__slots__} | {"title": redacted(facts.title)}
        with self._writing() as connection:
            upsert(connection, _READ, values)
            return _row(connection.execute(_SEEN_BY_ID, {"pull_request_id": facts.id}).mappings().one())

    def pull_request(self, pull_request_id: int) -> PullRequestRow | None:
        """By GitHub's numeric id; None when it was never seen."""
        with self._reading() as connection:
            row = connection.execute(_SEEN_BY_ID, {"pull_request_id": pull_request_id}).mappings().first()
            return _row(row) if row else None

    def pull_request_numbered(self, repository_id: int, number: int) -> PullRequestRow | None:
        """By the number that people see."""
        return self._one(sa.and_(PULL_REQUEST.c.repository_id == repository_id, PULL_REQUEST.c.number == number))

    def pull_requests_with_head(self, repository_id: int, head_sha: str) -> list[PullRequestRow]:
        """The open ones whose head is this commit, by number."""
        return self._many(
            sa.and_(
                PULL_REQUEST.c.repository_id == repository_id, PULL_REQUEST.c.head_sha == head_sha, PULL_REQUEST.c.state == "open"
            )
        )

    def pull_requests_merged_as(self, repository_id: int, sha: str) -> list[PullRequestRow]:
        """Those that were merged as this commit."""
        return self._many(sa.and_(PULL_REQUEST.c.repository_id == repository_id, PULL_REQUEST.c.merge_sha == sha))

    def open_pull_requests(self, repository_id: int) -> list[PullRequestRow]:
        """Those of a repository that were open when they were seen last, by number."""
        return self._many(sa.and_(PULL_REQUEST.c.repository_id == repository_id, PULL_REQUEST.c.state == "open"))

    def open_pull_requests_without_verdict(self, *, limit: int = 1000) -> list[PullRequestRow]:
        """Open ones, where we may work, whose head and base nobody evaluates, has evaluated, or cancelled on purpose.

        A draft's evaluation does not count once it is a draft no more.
        """
        of_this = sa.and_(
            EVALUATION.c.subject == SUBJECT.c.name,
            EVALUATION.c.generation == SUBJECT.c.generation,
            EVALUATION.c.head_sha == PULL_REQUEST.c.head_sha,
            EVALUATION.c.base_ref == PULL_REQUEST.c.base_ref,
            sa.or_(EVALUATION.c.is_draft.is_(sa.false()), PULL_REQUEST.c.is_draft),
            sa.or_(EVALUATION.c.state != EvaluationState.CANCELLED, EVALUATION.c.cancelled_because == Because.COMMAND),
        )
        query = (
            _SEEN.join(REPOSITORY, REPOSITORY.c.id == PULL_REQUEST.c.repository_id)
            .join(INSTALLATION, INSTALLATION.c.id == REPOSITORY.c.installation_id)
            .where(PULL_REQUEST.c.state == "open", REPOSITORY.c.state == "active", INSTALLATION.c.state == "active")
            .where(~sa.exists().where(of_this))
            .order_by(PULL_REQUEST.c.updated_at.desc())
            .limit(limit)
        )
        with self._reading() as connection:
            return [_row(row) for row in connection.execute(query).mappings()]

    def set_comment(self, pull_request_id: int, comment_id: int | None) -> None:
        """Remember our one comment; None when it was deleted."""
        with self._writing() as connection:
            changed = sa.update(PULL_REQUEST).where(PULL_REQUEST.c.id == pull_request_id)
            connection.execute(changed.values(comment_id=comment_id))

    def see_check_run(
        self, repository_id: int, head_sha: str, name: str, *, check_run_id: int, external_id: str, conclusion: str | None
    ) -> None:
        """Remember what GitHub shows under this name on this commit; conclusion None: in progress."""
        with self._writing() as connection:
            values = {
                "repository_id": repository_id, "head_sha": head_sha, "name": name, "check_run_id": check_run_id,
                "external_id": external_id, "conclusion": conclusion, "published_at": self._now(connection),
            }  # fmt: skip
            upsert(connection, _SHOWN, values)

    def check_run(self, repository_id: int, head_sha: str, name: str) -> CheckRunRow | None:
        """Our check run of this name on this commit, if we made one."""
        query = sa.select(CHECK_RUN).where(
            CHECK_RUN.c.repository_id == repository_id, CHECK_RUN.c.head_sha == head_sha, CHECK_RUN.c.name == name
        )
        with self._reading() as connection:
            row = connection.execute(query).mappings().first()
            return CheckRunRow(**row) if row else None

    def forgotten_check_runs(self, *, before: datetime) -> list[CheckRunRow]:
        """Those that GitHub shows in progress since before then although nobody evaluates the commit and nothing waits to be written.

        For the sweep: a worker died between two writes.
        """
        evaluated = sa.and_(
            EVALUATION.c.repository_id == CHECK_RUN.c.repository_id,
            EVALUATION.c.head_sha == CHECK_RUN.c.head_sha,
            EVALUATION.c.state.in_(UNCONCLUDED),
        )
        key = sa.cast(CHECK_RUN.c.repository_id, sa.Text) + ":" + CHECK_RUN.c.head_sha + ":" + CHECK_RUN.c.name
        waiting = sa.and_(OUTBOX.c.kind == "check", OUTBOX.c.done_at.is_(None), OUTBOX.c.key == key)
        query = (
            sa.select(CHECK_RUN)
            .join(REPOSITORY, REPOSITORY.c.id == CHECK_RUN.c.repository_id)
            .join(INSTALLATION, INSTALLATION.c.id == REPOSITORY.c.installation_id)
            .where(REPOSITORY.c.state == "active", INSTALLATION.c.state == "active")
            .where(CHECK_RUN.c.conclusion.is_(None), CHECK_RUN.c.published_at < before)
            .where(~sa.exists().where(evaluated), ~sa.exists().where(waiting))
        )
        with self._reading() as connection:
            return [CheckRunRow(**row) for row in connection.execute(query).mappings()]

    def _one(self, which: sa.ColumnElement[bool]) -> PullRequestRow | None:
        with self._reading() as connection:
            row = connection.execute(_SEEN.where(which)).mappings().first()
            return _row(row) if row else None

    def _many(self, which: sa.ColumnElement[bool]) -> list[PullRequestRow]:
        with self._reading() as connection:
            return [_row(row) for row in connection.execute(_SEEN.where(which).order_by(PULL_REQUEST.c.number)).mappings()]


def _row(row: Mapping[Any, Any]) -> PullRequestRow:
    return PullRequestRow(**row)
