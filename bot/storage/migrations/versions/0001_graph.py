"""The graph: nodes, edges, what was asked when, and what manifests declare."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_number = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_instant = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Make the six tables."""
    op.create_table(
        "scope",
        sa.Column("number", _number, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("provider", "account", "region", "service", "status", "why")),
        sa.Column("asked_at", _instant, nullable=False),
        sa.Column("answered_at", _instant),
        sa.UniqueConstraint("provider", "account", "region", "service", name="uq_scope_provider_account_region_service"),
        comment="what was asked last of one service of one region of one account, and when it last answered in full",
    )
    op.create_table(
        "node",
        sa.Column("number", _number, primary_key=True),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("id", "kind", "name", "account", "region")),
        sa.Column("attributes", sa.JSON, nullable=False),
        sa.Column(
            "scope",
            _number,
            sa.ForeignKey("scope.number", name="fk_node_scope"),
            comment="null: only named by an edge, never listed",
        ),
        sa.Column("in_degree", sa.Integer, nullable=False, server_default="0"),
        sa.Column("first_seen", _instant),
        sa.Column("last_seen", _instant),
        sa.Column("retired_at", _instant, comment="a scope that answered in full no longer listed it"),
        sa.UniqueConstraint("id", name="uq_node_id"),
    )
    op.create_index("ix_node_kind_name", "node", ["kind", "name"])
    op.create_index("ix_node_scope", "node", ["scope"])
    op.create_table(
        "edge",
        sa.Column("source", _number, sa.ForeignKey("node.number", name="fk_edge_source"), primary_key=True),
        sa.Column("relation", sa.Text, primary_key=True),
        sa.Column("target", _number, sa.ForeignKey("node.number", name="fk_edge_target"), primary_key=True),
        sa.Column(
            "scope",
            _number,
            sa.ForeignKey("scope.number", name="fk_edge_scope"),
            primary_key=True,
            comment="the collector that saw it",
        ),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("evidence", sa.Text, nullable=False),
        sa.Column("seen_at", _instant, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_edge_target_relation_source", "edge", ["target", "relation", "source"])
    op.create_index("ix_edge_scope", "edge", ["scope"])
    op.create_table(
        "alias",
        sa.Column("value", sa.Text, primary_key=True, comment="a URL, host or endpoint, in lower case"),
        sa.Column("node", _number, sa.ForeignKey("node.number", name="fk_alias_node"), primary_key=True),
        sa.Column("scope", _number, sa.ForeignKey("scope.number", name="fk_alias_scope"), primary_key=True),
        sa.Column("seen_at", _instant, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_alias_node", "alias", ["node"])
    op.create_table(
        "declared",
        sa.Column("number", _number, primary_key=True),
        sa.Column("repository", sa.Text, nullable=False),
        sa.Column("root", sa.Text, nullable=False, comment="folder of the manifest's root module or stack"),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("environment", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, comment="null: the provider makes one up"),
        sa.Column("file", sa.Text, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("is_conditional", sa.Boolean, nullable=False),
        sa.Column("commit", sa.Text, nullable=False),
        comment="identity: repository, root, kind, address, environment",
    )
    op.create_index("ix_declared_repository", "declared", ["repository"])
    op.create_index("ix_declared_kind_name", "declared", ["kind", "name"])
    op.create_table(
        "realises",
        sa.Column(
            "declared",
            _number,
            sa.ForeignKey("declared.number", ondelete="CASCADE", name="fk_realises_declared"),
            primary_key=True,
        ),
        sa.Column("node", _number, sa.ForeignKey("node.number", name="fk_realises_node"), primary_key=True),
        sa.Column("evidence", sa.Text, nullable=False),
        comment="which live node a declaration is, and why; apart from both, so that a wrong match can be withdrawn",
    )
    op.create_index("ix_realises_node", "realises", ["node"])
