"""`gonogo lint`: reads migrations alone, in an editor or before a commit."""

import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gonogo.errors import CallError

if TYPE_CHECKING:
    from gonogo.policy import Policy
    from gonogo.ports import SourceTree
    from heuristics.lint import LintReport
    from heuristics.sql import Catalog, Dialect


class LintFormat(StrEnum):
    """How the findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


class DialectChoice(StrEnum):
    """Which database the migrations are for."""

    POSTGRES = "postgres"
    MYSQL = "mysql"
    MARIADB = "mariadb"
    SQLITE = "sqlite"


def lint(
    files: Annotated[
        list[str] | None, typer.Argument(help="Migrations, folders of them, or - for standard input.", metavar="FILES")
    ] = None,
    repo: Annotated[Path | None, typer.Option(help="A git repository, instead of FILES.")] = None,
    ref: Annotated[str | None, typer.Option(help="The commit whose migrations are linted (default: HEAD).")] = None,
    dialect: Annotated[DialectChoice | None, typer.Option(help="The database (default: what the repository uses).")] = None,
    server_version: Annotated[str | None, typer.Option(help="Its version, as 15 or 8.0.36.", metavar="VERSION")] = None,
    schema: Annotated[Path | None, typer.Option(help="The schema before, as pg_dump writes it.", metavar="FILE.sql")] = None,
    stdin_name: Annotated[str, typer.Option(help="What - is called.", metavar="PATH")] = "migration.sql",
    format: Annotated[LintFormat, typer.Option(help="How the findings are printed.")] = LintFormat.TEXT,  # noqa: A002  the option's name
) -> int:
    """Say of every statement of migrations what it locks, reads and rewrites, and what would be safe.

    Example: gonogo lint db/migrations/0114.sql --dialect postgres --server-version 15 --schema schema.sql

    Exit status: 0 nothing found, 1 findings that nobody accepted, 2 the call is wrong.
    """
    if files and (repo is not None or ref is not None):
        raise CallError("pass FILES, or --repo and --ref, not both")
    if not files and repo is None and ref is None:
        raise CallError("nothing to lint; pass FILES, - for standard input, or --repo PATH --ref REF")
    own: Dialect = dialect.value if dialect is not None else "unknown"
    catalog, own = _schema(schema, own)
    version = _version(server_version, own)
    lint_one = _Linter(own, version, catalog)
    reports = _of_files(files, stdin_name, lint_one) if files else [_of_repository(repo or Path(), ref or "HEAD", lint_one)]
    _print(reports, format)
    return 1 if any(report.open_findings for report, _ in reports) else 0


Shown = dict[str, str]
"""Path from the root → the path as the caller wrote it."""


class _Linter:
    """One way to lint, for every repository that the files belong to."""

    def __init__(self, dialect: "Dialect", version: int | None, schema: "Catalog | None") -> None:
        self._dialect: Dialect = dialect
        self._version, self._schema = version, schema
        self._today = datetime.now(UTC).date()

    def __call__(self, files: Sequence[str], tree: "SourceTree", policy: "Policy") -> "LintReport":
        from bot.report.rule_pages import page_ids  # noqa: PLC0415  the rules load when the call is known to be right
        from heuristics.lint import lint as lint_migrations  # noqa: PLC0415
        from heuristics.lint import with_acceptances  # noqa: PLC0415
        from heuristics.sql import guess_dialect  # noqa: PLC0415

        dialect = self._dialect if self._dialect != "unknown" else guess_dialect(tree)
        found = list(lint_migrations(files, tree, dialect=dialect, server_version=self._version, schema=self._schema))
        entries = (*policy.accept, *policy.accepted_everywhere)
        return with_acceptances(found, files, tree, entries=entries, today=self._today, known=page_ids())


def _of_files(files: Sequence[str], stdin_name: str, lint_one: _Linter) -> "list[tuple[LintReport, Shown]]":
    from dataclasses import replace  # noqa: PLC0415

    from bot.changes.given import given_files  # noqa: PLC0415
    from heuristics.lint.statements import unread  # noqa: PLC0415
    from heuristics.sql.paths import is_migration_path  # noqa: PLC0415

    reports: list[tuple[LintReport, Shown]] = []
    for given in given_files(files, stdin_name=stdin_name, is_migration=is_migration_path):
        readable = [path for path in given.files if given.tree.text(path) is not None]
        report = lint_one(readable, given.tree, _policy(given.policy_text))
        closed = tuple(unread(path, given.tree.why_not(path)) for path in given.files if path not in readable)
        linted = {statement.file for statement in report.statements}
        skipped = tuple((p, "it is no migration") for p in readable if p not in linted and not p.endswith(".sql"))
        report = replace(report, statements=(*report.statements, *closed), skipped=skipped)
        reports.append((report, dict(given.shown)))
    return reports


def _of_repository(repo: Path, ref: str, lint_one: _Linter) -> "tuple[LintReport, Shown]":
    from bot.changes.commit import tree_at  # noqa: PLC0415
    from bot.changes.settings_file import settings_text  # noqa: PLC0415
    from heuristics.sql.paths import is_migration_path  # noqa: PLC0415

    with tree_at(repo, ref) as tree:
        files = [path for path in tree.paths() if is_migration_path(path) and tree.text(path) is not None]
        return lint_one(files, tree, _policy(settings_text(tree))), {}


def _policy(text: str | None) -> "Policy":
    from bot.report.rule_pages import page_ids  # noqa: PLC0415
    from gonogo.policy import Policy  # noqa: PLC0415
    from gonogo.policy_file import PLACES, read_policy  # noqa: PLC0415

    return Policy() if text is None else read_policy(text, source=PLACES[0], known=page_ids)


def _schema(file: Path | None, dialect: "Dialect") -> "tuple[Catalog | None, Dialect]":
    if file is None:
        return None, dialect
    from bot.changes.folder import FolderTree  # noqa: PLC0415
    from heuristics.lint import read_schema_file  # noqa: PLC0415

    tree = FolderTree(file.parent, [file.name])
    if tree.text(file.name) is None:
        raise CallError(f"--schema {file}: {tree.why_not(file.name)}")
    catalog, written_in = read_schema_file(file.name, tree, dialect=dialect)
    if not catalog.relations:
        raise CallError(f"--schema {file}: no table was found in it; write it with pg_dump --schema-only or mysqldump --no-data")
    return catalog, written_in


def _version(text: str | None, dialect: "Dialect") -> int | None:
    from heuristics.sql.engines import version_number  # noqa: PLC0415

    if text is None:
        return None
    number = version_number("postgres" if dialect == "unknown" else dialect, text)
    if number is None:
        raise CallError(f"--server-version '{text}' is no version; write it like 15 or 8.0.36")
    return number


def _print(reports: "list[tuple[LintReport, Shown]]", chosen: LintFormat) -> None:
    match chosen:
        case LintFormat.JSON:
            from bot.report.lint_json import lint_json  # noqa: PLC0415

            text = lint_json(reports)
        case LintFormat.SARIF:
            from bot.report.sarif_lint import lint_sarif  # noqa: PLC0415

            text = lint_sarif([report for report, _ in reports])
        case LintFormat.TEXT:
            from bot.report.lint_text import lint_text  # noqa: PLC0415

            text = lint_text(reports, colour=sys.stdout.isatty() and "NO_COLOR" not in os.environ)
    from bot.entrypoints.cli.output import say  # noqa: PLC0415

    say(text)
