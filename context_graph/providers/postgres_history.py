"""Which migrations a database has, by the table that its runner keeps."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gonogo.pattern import pattern

MAX_MIGRATIONS = 10_000

Part = Callable[..., list[dict[str, Any]]]

RUNNERS: Mapping[str, tuple[str, str]] = {
    "alembic_version": ("version_num", ""),
    "django_migrations": ("app || '.' || name", "ORDER BY id"),
    "schema_migrations": ("version::text", "ORDER BY version"),  # Rails, golang-migrate, dbmate, Ecto
    "flyway_schema_history": ("coalesce(version, script)", "WHERE success ORDER BY installed_rank"),
    "databasechangelog": ("id", "ORDER BY orderexecuted"),  # Liquibase
    "knex_migrations": ("name", "ORDER BY id"),
    "_prisma_migrations": ("migration_name", "WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY started_at"),
    "goose_db_version": (
        "version_id::text",
        "WHERE version_id > 0 AND id IN (SELECT max(id) FROM {table} GROUP BY version_id) AND is_applied ORDER BY id",
    ),
    "SequelizeMeta": ("name", "ORDER BY name"),
    "_sqlx_migrations": ("version::text", "WHERE success ORDER BY version"),
    "refinery_schema_history": ("version::text", "ORDER BY version"),
    "__diesel_schema_migrations": ("version", "ORDER BY version"),
    "__EFMigrationsHistory": ('"MigrationId"', 'ORDER BY "MigrationId"'),
    "phinxlog": ("version::text", "ORDER BY version"),
    "doctrine_migration_versions": ("version", "ORDER BY version"),
    "mikro_orm_migrations": ("name", "ORDER BY id"),
    "pgmigrations": ("name", "ORDER BY id"),
    "gorp_migrations": ("id", "ORDER BY id"),
    "_yoyo_migration": ("migration_id", "ORDER BY applied_at_utc"),
    "atlas_schema_revisions": ("version", "ORDER BY version"),
    "__drizzle_migrations": ("hash", "ORDER BY id"),
    "kysely_migration": ("name", "ORDER BY name"),
    "sql_migrations": ("id", "ORDER BY id"),
    "changes": ("change", "ORDER BY committed_at"),  # Sqitch, in its schema `sqitch`
}
"""Table of a runner → the expression that names a migration, and which rows count. Source: each runner's documentation."""

_ONLY_IN = {"changes": "sqitch"}
_PLAIN = pattern(r"[A-Za-z_][A-Za-z0-9_$]{0,62}")


def applied_migrations(relations: Sequence[Mapping[str, Any]], part: Part) -> tuple[list[str] | None, list[str]]:
    """Ids of what was applied, oldest first, of all runners together; None when no runner's table was read. And why not."""
    found: list[str] | None = None
    why: list[str] = []
    for row in relations:
        schema, name = str(row["schema"]), str(row["name"])
        expression, rest = RUNNERS.get(name, ("", ""))
        if not expression or schema != _ONLY_IN.get(name, schema) or not _PLAIN.fullmatch(schema):
            continue
        if not row["may_select"]:
            why.append(f"SELECT on {schema}.{name} is not granted; run: GRANT SELECT ON {_quoted(schema, name)} TO the role")
            continue
        table = _quoted(schema, name)
        query = f"SELECT ({expression})::text AS id FROM {table} {rest.format(table=table)} LIMIT {MAX_MIGRATIONS}"  # noqa: S608  names from the catalog, quoted
        rows = part("applied migrations", query)
        found = [*(found or []), *(r["id"] for r in rows if r["id"] is not None)]
    return found, why


def _quoted(schema: str, name: str) -> str:
    return f'"{schema}"."{name}"'
