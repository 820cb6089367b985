"""The tables, as SQLAlchemy knows them; `migrations/` brings a database there."""

from datetime import UTC, datetime
from typing import override

import sqlalchemy as sa

METADATA = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


class Utc(sa.TypeDecorator[datetime]):
    """An instant that comes back aware: SQLite keeps none of the zone it was given."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    @override
    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    @override
    def process_result_value(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        return value if value is None or value.tzinfo is not None else value.replace(tzinfo=UTC)


_Instant = Utc()

SCOPE = sa.Table(
    "scope",
    METADATA,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("provider", sa.Text, nullable=False),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("region", sa.Text, nullable=False),
    sa.Column("service", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("why", sa.Text, nullable=False),
    sa.Column("asked_at", _Instant, nullable=False),
    sa.Column("answered_at", _Instant),
    sa.UniqueConstraint("provider", "account", "region", "service"),
    comment="what was asked last of one service of one region of one account, and when it last answered in full",
)

NODE = sa.Table(
    "node",
    METADATA,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("account", sa.Text, nullable=False),
    sa.Column("region", sa.Text, nullable=False),
    sa.Column("attributes", sa.JSON, nullable=False),
    sa.Column("scope", _Number, sa.ForeignKey("scope.number"), comment="null: only named by an edge, never listed"),
    sa.Column("in_degree", sa.Integer, nullable=False, server_default="0"),
    sa.Column("first_seen", _Instant),
    sa.Column("last_seen", _Instant),
    sa.Column("retired_at", _Instant, comment="a scope that answered in full no longer listed it"),
    sa.Index(None, "kind", "name"),
    sa.Index(None, "scope"),
)

EDGE = sa.Table(
    "edge",
    METADATA,
    sa.Column("source", _Number, sa.ForeignKey("node.number"), primary_key=True),
    sa.Column("relation", sa.Text, primary_key=True),
    sa.Column("target", _Number, sa.ForeignKey("node.number"), primary_key=True),
    sa.Column("scope", _Number, sa.ForeignKey("scope.number"), primary_key=True, comment="the collector that saw it"),
    sa.Column("origin", sa.Text, nullable=False),
    sa.Column("evidence", sa.Text, nullable=False),
    sa.Column("seen_at", _Instant, nullable=False),
    sa.Index(None, "target", "relation", "source"),
    sa.Index(None, "scope"),
    sqlite_with_rowid=False,
)

ALIAS = sa.Table(
    "alias",
    METADATA,
    sa.Column("value", sa.Text, primary_key=True, comment="a URL, host or endpoint, in lower case"),
    sa.Column("node", _Number, sa.ForeignKey("node.number"), primary_key=True),
    sa.Column("scope", _Number, sa.ForeignKey("scope.number"), primary_key=True),
    sa.Column("seen_at", _Instant, nullable=False),
    sa.Index(None, "node"),
    sqlite_with_rowid=False,
)

DECLARED = sa.Table(
    "declared",
    METADATA,
    sa.Column("number", _Number, primary_key=True),
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
    sa.Index(None, "repository"),
    sa.Index(None, "kind", "name"),
    comment="identity: repository, root, kind, address, environment",
)

REALISES = sa.Table(
    "realises",
    METADATA,
    sa.Column("declared", _Number, sa.ForeignKey("declared.number", ondelete="CASCADE"), primary_key=True),
    sa.Column("node", _Number, sa.ForeignKey("node.number"), primary_key=True),
    sa.Column("evidence", sa.Text, nullable=False),
    sa.Index(None, "node"),
    comment="which live node a declaration is, and why; apart from both, so that a wrong match can be withdrawn",
)
