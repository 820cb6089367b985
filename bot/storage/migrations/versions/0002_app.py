"""The GitHub App: installations, pull requests, evaluations, what waits to be published, and what became of it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_instant = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the thirteen tables."""
    op.create_table(
        "installation",
        sa.Column("id", sa.BigInteger, autoincrement=False, nullable=False, comment="GitHub's"),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False, comment="active, suspended or deleted"),
        sa.Column("permissions", sa.JSON, nullable=False),
        sa.Column("held_until", _instant, comment="GitHub asked us to wait: nothing is published to it before"),
        sa.Column("updated_at", _instant, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_installation"),
    )
    op.create_table(
        "repository",
        sa.Column("id", sa.BigInteger, autoincrement=False, nullable=False, comment="GitHub's; owner and name may change"),
        sa.Column("installation_id", sa.BigInteger, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("default_branch", sa.Text, nullable=False),
        sa.Column("is_private", sa.Boolean, nullable=False),
        sa.Column("state", sa.Text, nullable=False, comment="active, archived or removed"),
        sa.Column("updated_at", _instant, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_repository"),
    )
    op.create_index("ix_repository_installation_id", "repository", ["installation_id"])
    op.create_index("ix_repository_owner_name", "repository", ["owner", "name"])
    op.create_table(
        "pull_request",
        sa.Column("id", sa.BigInteger, autoincrement=False, nullable=False, comment="GitHub's, not the number people see"),
        sa.Column("repository_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False, comment="open or closed"),
        sa.Column("is_draft", sa.Boolean, nullable=False),
        sa.Column("is_fork", sa.Boolean, nullable=False),
        sa.Column("is_locked", sa.Boolean, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("head_sha", sa.Text, nullable=False),
        sa.Column("base_ref", sa.Text, nullable=False),
        sa.Column("base_sha", sa.Text, nullable=False),
        sa.Column("comment_id", sa.BigInteger, comment="our one comment"),
        sa.Column("merged_at", _instant),
        sa.Column("merge_sha", sa.Text),
        sa.Column("updated_at", _instant, nullable=False, comment="GitHub's: an older event changes nothing"),
        sa.PrimaryKeyConstraint("id", name="pk_pull_request"),
    )
    op.create_index("ix_pull_request_repository_id_head_sha", "pull_request", ["repository_id", "head_sha"])
    op.create_index("ix_pull_request_repository_id_merge_sha", "pull_request", ["repository_id", "merge_sha"])
    op.create_index("ix_pull_request_repository_id_number", "pull_request", ["repository_id", "number"])
    op.create_table(
        "subject",
        sa.Column("name", sa.Text, nullable=False, comment="pr:{pull request id} or group:{head sha}"),
        sa.Column("repository_id", sa.BigInteger, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False, comment="the fence: what is of an older one is superseded"),
        sa.PrimaryKeyConstraint("name", name="pk_subject"),
        comment="what is evaluated; its row is locked first by everything that raises a generation or concludes",
    )
    op.create_table(
        "evaluation",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("pull_request_id", sa.BigInteger),
        sa.Column("repository_id", sa.BigInteger, nullable=False),
        sa.Column("installation_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer),
        sa.Column("head_sha", sa.Text, nullable=False),
        sa.Column("base_ref", sa.Text, nullable=False),
        sa.Column("base_sha", sa.Text, nullable=False),
        sa.Column("before_sha", sa.Text),
        sa.Column("trigger", sa.Text, nullable=False),
        sa.Column("delivery", sa.Text, comment="the GUID of the event; the same event raises a generation once"),
        sa.Column("state", sa.Text, nullable=False, comment="queued, running, concluded or cancelled"),
        sa.Column("outcome", sa.Text, comment="go, no-go, nothing, could-not or cancelled"),
        sa.Column("cancelled_because", sa.Text),
        sa.Column("attempt", sa.Integer, server_default="0", nullable=False),
        sa.Column("lease_owner", sa.Text),
        sa.Column("lease_until", _instant),
        sa.Column("is_draft", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("is_fork", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("is_shadow", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("is_gated", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.Column("created_at", _instant, nullable=False),
        sa.Column("started_at", _instant),
        sa.Column("concluded_at", _instant),
        sa.Column("judged_at", _instant, comment="when production was asked; of a reused verdict, that of the first"),
        sa.Column("fingerprint", sa.Text),
        sa.Column("reused_from", sa.Text),
        sa.Column("summary", sa.Text, server_default="", nullable=False),
        sa.Column("impact", sa.Text, comment="the worst of what blocks: high, medium or low"),
        sa.Column("policy", sa.JSON),
        sa.Column("policy_error", sa.Text),
        sa.Column("steps", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("input_tokens", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("output_tokens", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("rest_calls", sa.BigInteger, server_default="0", nullable=False),
        sa.Column("cost", sa.Float, server_default="0", nullable=False, comment="US dollars paid to models"),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_evaluation"),
        sa.UniqueConstraint("subject", "delivery", name="uq_evaluation_subject_delivery"),
        sa.UniqueConstraint("subject", "generation", name="uq_evaluation_subject_generation"),
    )
    op.create_index("ix_evaluation_created_at_id", "evaluation", ["created_at", "id"])
    op.create_index("ix_evaluation_installation_id_created_at", "evaluation", ["installation_id", "created_at"])
    op.create_index("ix_evaluation_outcome", "evaluation", ["outcome"])
    op.create_index("ix_evaluation_pull_request_id_created_at", "evaluation", ["pull_request_id", "created_at"])
    op.create_index("ix_evaluation_repository_id_fingerprint", "evaluation", ["repository_id", "fingerprint"])
    op.create_index("ix_evaluation_repository_id_head_sha", "evaluation", ["repository_id", "head_sha"])
    op.create_index(
        "uq_evaluation_unconcluded",
        "evaluation",
        ["subject"],
        unique=True,
        sqlite_where=sa.text("state IN ('queued', 'running')"),
        postgresql_where=sa.text("state IN ('queued', 'running')"),
    )
    op.create_table(
        "evaluation_document",
        sa.Column("evaluation_id", sa.Text, nullable=False),
        sa.Column("report", sa.Text, comment="gonogo.report/1"),
        sa.Column("document", sa.Text, comment="the Evaluation, as it is read back"),
        sa.ForeignKeyConstraint(
            ["evaluation_id"], ["evaluation.id"], name="fk_evaluation_document_evaluation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("evaluation_id", name="pk_evaluation_document"),
        comment="apart from the evaluation, since lists never need what may be some 100 kB",
    )
    op.create_table(
        "trajectory",
        sa.Column("evaluation_id", sa.Text, nullable=False),
        sa.Column("id", sa.Text, nullable=False, comment="gonogo.trajectory.trajectory_id"),
        sa.Column("playbook", sa.Text, nullable=False),
        sa.Column("rules", sa.JSON, nullable=False, comment="ids of the rules whose findings it starts from"),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("impact", sa.Text, nullable=False),
        sa.Column("resource", sa.Text, nullable=False),
        sa.Column("metric", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("blocks", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["evaluation_id"], ["evaluation.id"], name="fk_trajectory_evaluation_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("evaluation_id", "id", name="pk_trajectory"),
    )
    op.create_index("ix_trajectory_playbook", "trajectory", ["playbook"])
    op.create_table(
        "check_run",
        sa.Column("repository_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("head_sha", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("check_run_id", sa.BigInteger, nullable=False),
        sa.Column("external_id", sa.Text, nullable=False),
        sa.Column("conclusion", sa.Text, comment="null: GitHub shows it in progress"),
        sa.Column("published_at", _instant, nullable=False),
        sa.PrimaryKeyConstraint("repository_id", "head_sha", "name", name="pk_check_run"),
    )
    op.create_table(
        "outbox",
        sa.Column("number", _number, nullable=False),
        sa.Column("kind", sa.Text, nullable=False, comment="check, comment, reply or reaction"),
        sa.Column("key", sa.Text, nullable=False, comment="what it writes to: one write at a time to each"),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("generation", sa.Integer, nullable=False),
        sa.Column("evaluation_id", sa.Text),
        sa.Column("repository_id", sa.BigInteger, nullable=False),
        sa.Column("installation_id", sa.BigInteger, nullable=False),
        sa.Column("payload", sa.JSON, nullable=False),
        sa.Column("revision", sa.Integer, server_default="1", nullable=False, comment="rises when it is asked for again"),
        sa.Column("attempts", sa.Integer, server_default="0", nullable=False),
        sa.Column("created_at", _instant, nullable=False),
        sa.Column("not_before", _instant, nullable=False),
        sa.Column("lease_owner", sa.Text),
        sa.Column("leased_until", _instant),
        sa.Column("done_at", _instant),
        sa.Column("error", sa.Text),
        sa.PrimaryKeyConstraint("number", name="pk_outbox"),
    )
    op.create_index(
        "ix_outbox_due",
        "outbox",
        ["not_before"],
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )
    op.create_index("ix_outbox_subject", "outbox", ["subject"])
    op.create_index(
        "uq_outbox_pending",
        "outbox",
        ["kind", "key"],
        unique=True,
        sqlite_where=sa.text("done_at IS NULL"),
        postgresql_where=sa.text("done_at IS NULL"),
    )
    op.create_table(
        "acknowledgement",
        sa.Column("number", _number, nullable=False),
        sa.Column("pull_request_id", sa.BigInteger, nullable=False),
        sa.Column("evaluation_id", sa.Text, nullable=False),
        sa.Column("trajectory", sa.Text, nullable=False, comment="its id; * for all of the evaluation"),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("login", sa.Text, nullable=False),
        sa.Column("at", _instant, nullable=False),
        sa.Column("head_sha", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text),
        sa.Column("expired_at", _instant),
        sa.Column("expired_because", sa.Text),
        sa.PrimaryKeyConstraint("number", name="pk_acknowledgement"),
    )
    op.create_index("ix_acknowledgement_pull_request_id", "acknowledgement", ["pull_request_id"])
    op.create_table(
        "audit",
        sa.Column("number", _number, nullable=False),
        sa.Column("at", _instant, nullable=False),
        sa.Column("login", sa.Text, nullable=False),
        sa.Column("action", sa.Text, nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("repository_id", sa.BigInteger),
        sa.Column("detail", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_audit"),
    )
    op.create_index("ix_audit_repository_id_at", "audit", ["repository_id", "at"])
    op.create_index("ix_audit_subject", "audit", ["subject"])
    op.create_table(
        "merge_outcome",
        sa.Column("pull_request_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("repository_id", sa.BigInteger, nullable=False),
        sa.Column("evaluation_id", sa.Text, comment="null: it was merged before there was a verdict"),
        sa.Column("merged_at", _instant, nullable=False),
        sa.Column("merge_sha", sa.Text),
        sa.Column("deployed_at", _instant),
        sa.Column("watched_until", _instant),
        sa.Column("state", sa.Text, nullable=False, comment="waiting, watching, done or nothing-to-watch"),
        sa.Column("was_right", sa.Boolean),
        sa.Column("detail", sa.JSON, nullable=False, comment="per metric: what was forecast and what was observed"),
        sa.PrimaryKeyConstraint("pull_request_id", name="pk_merge_outcome"),
    )
    op.create_index("ix_merge_outcome_repository_id_merged_at", "merge_outcome", ["repository_id", "merged_at"])
    op.create_index("ix_merge_outcome_state", "merge_outcome", ["state"])
    op.create_table(
        "prevented",
        sa.Column("pull_request_id", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("installation_id", sa.BigInteger, nullable=False),
        sa.Column("repository_id", sa.BigInteger, nullable=False),
        sa.Column("flagged_evaluation_id", sa.Text, nullable=False),
        sa.Column("cleared_evaluation_id", sa.Text, nullable=False),
        sa.Column("merged_at", _instant, nullable=False),
        sa.Column("trajectory", sa.JSON, nullable=False),
        sa.Column("evidence", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("pull_request_id", name="pk_prevented"),
    )
    op.create_index("ix_prevented_installation_id_merged_at", "prevented", ["installation_id", "merged_at"])
