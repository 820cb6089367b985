"""Which files of a repository are migrations, and what reads each."""

import re

from gonogo.pattern import pattern

_FOLDERS = (
    r"(?:^|/)(?:db/)?(?:migrations?|migrate|post_migrate|changesets?|changelogs?|db-migrations?|sql-migrations?|schema_migrations?"
    r"|versions|alembic)(?:/|$)"
)
_FOLDER = pattern(_FOLDERS, re.IGNORECASE)
_SQL_FOLDER = pattern(r"(?:^|/)(?:deploy|drizzle|upgrades?|schema-changes)(?:/|$)", re.IGNORECASE)
_SQL_SKIP = pattern(
    r"(?:^|[._/-])(?:down|rollback|revert|undo|seed|seeds|fixtures?|testdata|snapshot)(?:[._-]|/|$)", re.IGNORECASE
)
_FLYWAY = pattern(r"(?:^|/)[VvRr](?:\d[\d._]*)?__[^/]+\.sql$")
_NUMBERED_SQL = pattern(r"(?:^|/)\d{3,}[^/]*\.sql$")
_SCHEMA_FILES = frozenset({"structure.sql", "schema.sql", "dump.sql", "init.sql"})
_VENDORED = pattern(
    r"(?:^|/)(?:node_modules|vendor|\.venv|venv|site-packages|dist|build|target|examples?|docs?|fixtures|testdata)/"
)


def is_migration_path(path: str) -> bool:
    """True when a file of that path is a migration by its name and place alone."""
    return kind_of(path) is not None


def kind_of(path: str) -> str | None:
    """What reads the file: `sql`, `python`, `ruby`, `javascript`, `elixir`, `php`, `liquibase`; None for no migration."""
    if _VENDORED.search(path) is not None:
        return None
    name = path.rpartition("/")[2].lower()
    folder = path.rpartition("/")[0]
    extension = name.rpartition(".")[2]
    in_folder = _FOLDER.search(f"{folder}/") is not None
    match extension:
        case "sql":
            is_inside = in_folder or _SQL_FOLDER.search(f"{folder}/") is not None
            return "sql" if _is_sql(path, name, in_folder=is_inside) else None
        case "py":
            return "python" if in_folder and name not in ("__init__.py", "env.py", "conftest.py") else None
        case "rb":
            return "ruby" if re.search(r"(?:^|/)(?:migrate|post_migrate|migrations)/\d+_\w+\.rb$", path) is not None else None
        case "ts" | "js" | "mjs" | "cjs" | "mts" | "cts":
            if name.endswith((".d.ts", ".spec.ts", ".test.ts", ".test.js", ".spec.js")) or name.startswith(
                ("index.", "knexfile.")
            ):
                return None
            return "javascript" if in_folder else None
        case "exs" | "ex":
            return "elixir" if in_folder and re.match(r"\d+_", name) is not None else None
        case "php":
            return "php" if in_folder and re.match(r"(?:\d{4}_\d{2}_\d{2}_\d+_|version\d+)", name) is not None else None
        case "xml" | "yaml" | "yml" | "json":
            return "liquibase" if _is_changelog(path, name) else None
        case _:
            return None


_GIVEN = {
    "py": "python", "rb": "ruby", "ts": "javascript", "js": "javascript", "mjs": "javascript", "cjs": "javascript", "mts": "javascript",
    "cts": "javascript", "exs": "elixir", "ex": "elixir", "php": "php", "xml": "liquibase", "yaml": "liquibase", "yml": "liquibase",
    "json": "liquibase",
}  # fmt: skip


def given_kind_of(path: str) -> str:
    """What reads a file that somebody says is a migration, wherever it stands: by its ending, else as SQL."""
    return kind_of(path) or _GIVEN.get(path.rpartition("/")[2].lower().rpartition(".")[2], "sql")


def _is_sql(path: str, name: str, *, in_folder: bool) -> bool:
    if (
        name in _SCHEMA_FILES
        or _SQL_SKIP.search(name) is not None
        or re.search(r"/(?:revert|verify|down|rollback)/", path) is not None
    ):
        return False
    return (
        in_folder
        or _FLYWAY.search(path) is not None
        or (name in ("migration.sql", "up.sql"))
        or _NUMBERED_SQL.search(path) is not None
    )


def _is_changelog(path: str, name: str) -> bool:
    if name.startswith(("package", "tsconfig", "_journal", "snapshot")) or "/meta/" in path:
        return False
    return (
        re.search(r"(?:^|/)(?:db/)?(?:changelogs?|changesets?|liquibase)(?:/|$)", path, re.IGNORECASE) is not None
        or "changelog" in name
    )
