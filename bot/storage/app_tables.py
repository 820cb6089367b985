"""The tables of the GitHub App; `migrations/versions` from 0002 on brings a database there.

Events come in any order, so a row never needs the row of its installation, repository or pull request to be there first.
What is true at most once is a unique index, not a check before a write.
"""

import re
from typing import override

import sqlalchemy as sa

from bot.storage.tables import METADATA, Utc


class Storable(sa.TypeDecorator[str]):
    """Text of strangers: what PostgreSQL refuses (NUL) and UTF-8 cannot hold (half a surrogate pair) becomes U+FFFD."""

    impl = sa.Text
    cache_ok = True

    @override
    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return None if value is None else storable(str(value))


_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """The same for text that is compared with what an expression makes of a column, which has not the column's type."""
    return _UNSTORABLE.sub("\ufffd", text)


_Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_Instant = Utc()
_Text = Storable()

UNCONCLUDED = ("queued", "running")
"""States of an evaluation that has not ended."""

INSTALLATION = sa.Table(
    "installation",
    METADATA,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False, comment="GitHub's"),
    sa.Column("account", _Text, nullable=False),
    sa.Column("state", _Text, nullable=False, comment="active, suspended or deleted"),
    sa.Column("permissions", sa.JSON, nullable=False),
    sa.Column("held_until", _Instant, comment="GitHub asked us to wait: nothing is published to it before"),
    sa.Column("updated_at", _Instant, nullable=False),
)

REPOSITORY = sa.Table(
    "repository",
    METADATA,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False, comment="GitHub's; owner and name may change"),
    sa.Column("installation_id", sa.BigInteger, nullable=False),
    sa.Column("owner", _Text, nullable=False),
    sa.Column("name", _Text, nullable=False),
    sa.Column("default_branch", _Text, nullable=False),
    sa.Column("is_private", sa.Boolean, nullable=False),
    sa.Column("state", _Text, nullable=False, comment="active, archived or removed"),
    sa.Column("updated_at", _Instant, nullable=False),
    sa.Index(None, "installation_id"),
    sa.Index(None, "owner", "name"),
)

PULL_REQUEST = sa.Table(
    "pull_request",
    METADATA,
    sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False, comment="GitHub's, not the number people see"),
    sa.Column("repository_id", sa.BigInteger, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("state", _Text, nullable=False, comment="open or closed"),
    sa.Column("is_draft", sa.Boolean, nullable=False),
    sa.Column("is_fork", sa.Boolean, nullable=False),
    sa.Column("is_locked", sa.Boolean, nullable=False),
    sa.Column("title", _Text, nullable=False),
    sa.Column("author", _Text, nullable=False),
    sa.Column("head_sha", _Text, nullable=False),
    sa.Column("base_ref", _Text, nullable=False),
    sa.Column("base_sha", _Text, nullable=False),
    sa.Column("comment_id", sa.BigInteger, comment="our one comment"),
    sa.Column("merged_at", _Instant),
    sa.Column("merge_sha", _Text),
    sa.Column("updated_at", _Instant, nullable=False, comment="GitHub's: an older event changes nothing"),
    sa.Index(None, "repository_id", "number"),
    sa.Index(None, "repository_id", "head_sha"),
    sa.Index(None, "repository_id", "merge_sha"),
)

SUBJECT = sa.Table(
    "subject",
    METADATA,
    sa.Column("name", _Text, primary_key=True, comment="pr:{pull request id} or group:{head sha}"),
    sa.Column("repository_id", sa.BigInteger, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False, comment="the fence: what is of an older one is superseded"),
    comment="what is evaluated; its row is locked first by everything that raises a generation or concludes",
)

EVALUATION = sa.Table(
    "evaluation",
    METADATA,
    sa.Column("id", _Text, primary_key=True),
    sa.Column("subject", _Text, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("pull_request_id", sa.BigInteger),
    sa.Column("repository_id", sa.BigInteger, nullable=False),
    sa.Column("installation_id", sa.BigInteger, nullable=False),
    sa.Column("number", sa.Integer),
    sa.Column("head_sha", _Text, nullable=False),
    sa.Column("base_ref", _Text, nullable=False),
    sa.Column("base_sha", _Text, nullable=False),
    sa.Column("before_sha", _Text),
    sa.Column("trigger", _Text, nullable=False),
    sa.Column("delivery", _Text, comment="the GUID of the event; the same event raises a generation once"),
    sa.Column("state", _Text, nullable=False, comment="queued, running, concluded or cancelled"),
    sa.Column("outcome", _Text, comment="go, no-go, nothing, could-not or cancelled"),
    sa.Column("cancelled_because", _Text),
    sa.Column("attempt", sa.Integer, nullable=False, server_default="0"),
    sa.Column("lease_owner", _Text),
    sa.Column("lease_until", _Instant),
    *(sa.Column(n, sa.Boolean, nullable=False, server_default=sa.false()) for n in ("is_draft", "is_fork", "is_shadow", "is_gated")),
    sa.Column("created_at", _Instant, nullable=False),
    sa.Column("started_at", _Instant),
    sa.Column("concluded_at", _Instant),
    sa.Column("judged_at", _Instant, comment="when production was asked; of a reused verdict, that of the first"),
    sa.Column("fingerprint", _Text),
    sa.Column("reused_from", _Text),
    sa.Column("summary", _Text, nullable=False, server_default=""),
    sa.Column("impact", _Text, comment="the worst of what blocks: high, medium or low"),
    sa.Column("policy", sa.JSON),
    sa.Column("policy_error", _Text),
    *(sa.Column(n, sa.BigInteger, nullable=False, server_default="0") for n in ("steps", "input_tokens", "output_tokens", "rest_calls")),
    sa.Column("cost", sa.Float, nullable=False, server_default="0", comment="US dollars paid to models"),
    sa.Column("error", _Text),
    sa.UniqueConstraint("subject", "generation"),
    sa.UniqueConstraint("subject", "delivery"),
    sa.Index(None, "repository_id", "head_sha"),
    sa.Index(None, "repository_id", "fingerprint"),
    sa.Index(None, "pull_request_id", "created_at"),
    sa.Index(None, "installation_id", "created_at"),
    sa.Index(None, "created_at", "id"),
    sa.Index(None, "outcome"),
)  # fmt: skip
sa.Index(
    "uq_evaluation_unconcluded",
    EVALUATION.c.subject,
    unique=True,
    sqlite_where=EVALUATION.c.state.in_(UNCONCLUDED),
    postgresql_where=EVALUATION.c.state.in_(UNCONCLUDED),
)

EVALUATION_DOCUMENT = sa.Table(
    "evaluation_document",
    METADATA,
    sa.Column("evaluation_id", _Text, sa.ForeignKey("evaluation.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("report", _Text, comment="gonogo.report/1"),
    sa.Column("document", _Text, comment="the Evaluation, as it is read back"),
    comment="apart from the evaluation, since lists never need what may be some 100 kB",
)

TRAJECTORY = sa.Table(
    "trajectory",
    METADATA,
    sa.Column("evaluation_id", _Text, sa.ForeignKey("evaluation.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("id", _Text, primary_key=True, comment="gonogo.trajectory.trajectory_id"),
    sa.Column("playbook", _Text, nullable=False),
    sa.Column("rules", sa.JSON, nullable=False, comment="ids of the rules whose findings it starts from"),
    sa.Column("status", _Text, nullable=False),
    sa.Column("impact", _Text, nullable=False),
    sa.Column("resource", _Text, nullable=False),
    sa.Column("metric", _Text, nullable=False),
    sa.Column("title", _Text, nullable=False),
    sa.Column("blocks", sa.Boolean, nullable=False),
    sa.Index(None, "playbook"),
)

CHECK_RUN = sa.Table(
    "check_run",
    METADATA,
    sa.Column("repository_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("head_sha", _Text, primary_key=True),
    sa.Column("name", _Text, primary_key=True),
    sa.Column("check_run_id", sa.BigInteger, nullable=False),
    sa.Column("external_id", _Text, nullable=False),
    sa.Column("conclusion", _Text, comment="null: GitHub shows it in progress"),
    sa.Column("published_at", _Instant, nullable=False),
)

OUTBOX = sa.Table(
    "outbox",
    METADATA,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("kind", _Text, nullable=False, comment="check, comment, reply or reaction"),
    sa.Column("key", _Text, nullable=False, comment="what it writes to: one write at a time to each"),
    sa.Column("subject", _Text, nullable=False),
    sa.Column("generation", sa.Integer, nullable=False),
    sa.Column("evaluation_id", _Text),
    sa.Column("repository_id", sa.BigInteger, nullable=False),
    sa.Column("installation_id", sa.BigInteger, nullable=False),
    sa.Column("payload", sa.JSON, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False, server_default="1", comment="rises when it is asked for again"),
    sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
    sa.Column("created_at", _Instant, nullable=False),
    sa.Column("not_before", _Instant, nullable=False),
    sa.Column("lease_owner", _Text),
    sa.Column("leased_until", _Instant),
    sa.Column("done_at", _Instant),
    sa.Column("error", _Text),
    sa.Index(None, "subject"),
)
sa.Index(
    "uq_outbox_pending",
    OUTBOX.c.kind,
    OUTBOX.c.key,
    unique=True,
    sqlite_where=OUTBOX.c.done_at.is_(None),
    postgresql_where=OUTBOX.c.done_at.is_(None),
)
sa.Index(
    "ix_outbox_due",
    OUTBOX.c.not_before,
    sqlite_where=OUTBOX.c.done_at.is_(None),
    postgresql_where=OUTBOX.c.done_at.is_(None),
)

ACKNOWLEDGEMENT = sa.Table(
    "acknowledgement",
    METADATA,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("pull_request_id", sa.BigInteger, nullable=False),
    sa.Column("evaluation_id", _Text, nullable=False),
    sa.Column("trajectory", _Text, nullable=False, comment="its id; * for all of the evaluation"),
    sa.Column("reason", _Text, nullable=False),
    sa.Column("login", _Text, nullable=False),
    sa.Column("at", _Instant, nullable=False),
    sa.Column("head_sha", _Text, nullable=False),
    sa.Column("fingerprint", _Text),
    sa.Column("expired_at", _Instant),
    sa.Column("expired_because", _Text),
    sa.Index(None, "pull_request_id"),
)

AUDIT = sa.Table(
    "audit",
    METADATA,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("at", _Instant, nullable=False),
    sa.Column("login", _Text, nullable=False),
    sa.Column("action", _Text, nullable=False),
    sa.Column("subject", _Text, nullable=False),
    sa.Column("repository_id", sa.BigInteger),
    sa.Column("detail", sa.JSON, nullable=False),
    sa.Index(None, "subject"),
    sa.Index(None, "repository_id", "at"),
)

MERGE_OUTCOME = sa.Table(
    "merge_outcome",
    METADATA,
    sa.Column("pull_request_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("repository_id", sa.BigInteger, nullable=False),
    sa.Column("evaluation_id", _Text, comment="null: it was merged before there was a verdict"),
    sa.Column("merged_at", _Instant, nullable=False),
    sa.Column("merge_sha", _Text),
    sa.Column("deployed_at", _Instant),
    sa.Column("watched_until", _Instant),
    sa.Column("state", _Text, nullable=False, comment="waiting, watching, done or nothing-to-watch"),
    sa.Column("was_right", sa.Boolean),
    sa.Column("detail", sa.JSON, nullable=False, comment="per metric: what was forecast and what was observed"),
    sa.Index(None, "state"),
    sa.Index(None, "repository_id", "merged_at"),
)

PREVENTED = sa.Table(
    "prevented",
    METADATA,
    sa.Column("pull_request_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("installation_id", sa.BigInteger, nullable=False),
    sa.Column("repository_id", sa.BigInteger, nullable=False),
    sa.Column("flagged_evaluation_id", _Text, nullable=False),
    sa.Column("cleared_evaluation_id", _Text, nullable=False),
    sa.Column("merged_at", _Instant, nullable=False),
    sa.Column("trajectory", sa.JSON, nullable=False),
    sa.Column("evidence", sa.JSON, nullable=False),
    sa.Index(None, "installation_id", "merged_at"),
)

ENDED_SESSION = sa.Table(
    "ended_session",
    METADATA,
    sa.Column("nonce", _Text, primary_key=True),
    sa.Column("until", _Instant, nullable=False, comment="its cookie is refused after that anyway"),
)
