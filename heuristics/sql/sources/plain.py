"""Plain SQL migrations of every runner: which part goes up, and in which transaction it runs."""

import json
import re
from collections.abc import Callable

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.sql.sources.written import ReadMigration, SourceFile, Written

_UP_MARK = pattern(
    r"^\s*--\s*(?:\+goose\s+up|\+micrate\s+up|\+migrate\s+up(?P<loose>.*notransaction)?|migrate:up(?P<dbmate>.*)|up\s+migration|@up|up)\s*$",
    re.IGNORECASE,
)
_DOWN_MARK = pattern(
    r"^\s*--\s*(?:\+goose\s+down|\+micrate\s+down|\+migrate\s+down.*|migrate:down.*|down\s+migration|@down|@?undo|down|rollback)\s*$"
    r"|^\s*-{4}\s*create above\s*/\s*drop below\s*-{4}",
    re.IGNORECASE,
)
_NO_TRANSACTION = pattern(
    r"^\s*--\s*(?:\+goose\s+no\s+transaction|no-transaction|migrate:up\s+.*transaction:\s*false|atlas:txmode\s+none"
    r"|\+migrate\s+up\s+notransaction|postgres-migrations\s+disable-transaction|disable-transaction|transaction:\s*false"
    r"|refinery:\s*no_transaction|@?no_?transaction)\b|^\s*-{4}\s*tern:\s*disable-tx",
    re.IGNORECASE | re.MULTILINE,
)
_CONCURRENT = pattern(r"\bconcurrently\b|\bvacuum\b|\balter\s+type\b[^;]{0,200}\badd\s+value\b", re.IGNORECASE)


class Runner(Record):
    """A runner of SQL files: its name, and how it wraps them.

    `wraps`: "file" (one transaction for each), "run" (one for all pending), "string" (the file is sent in one message, so
    several statements are an implicit transaction), "none" (each statement by itself), "unknown".
    """

    name: str
    wraps: str
    applies: Callable[[SourceFile], bool]


def runner_of(source: SourceFile) -> Runner:
    """The runner that this file's place, name and marks belong to."""
    return next(r for r in RUNNERS if r.applies(source))


def read_plain(source: SourceFile) -> ReadMigration:
    """The statements a SQL file runs going up."""
    runner = runner_of(source)
    text = up_part(source.text)
    wraps = runner.wraps
    if _NO_TRANSACTION.search(text) is not None or _is_loose(source, runner, text):
        wraps = "none" if wraps != "string" else wraps
    transaction = {"file": f"{source.path}#file", "run": f"{runner.name}#run"}.get(wraps)
    written: list[Written] = []
    for line, part in _parts(text, runner):
        end = line + part.count("\n")
        note = "the runner of this file is not recognised" if wraps == "unknown" else ""
        written.append(
            Written(sql=part, line=line, end_line=end, transaction=transaction, is_one_string=wraps == "string", note=note)
        )
    return ReadMigration(framework=runner.name, migration_id=migration_id(source.path), written=tuple(written))


def up_part(text: str) -> str:
    """The text with everything that only runs going down blanked out, line for line."""
    lines = text.split("\n")
    if not any(_DOWN_MARK.match(line) for line in lines):
        return text
    kept: list[str] = []
    is_up = True
    for line in lines:
        if _DOWN_MARK.match(line) is not None:
            is_up = False
        elif _UP_MARK.match(line) is not None:
            is_up = True
        kept.append(line if is_up else "")
    return "\n".join(kept)


def migration_id(path: str) -> str | None:
    """The id of a migration by its file name, or by its folder where the file is always called the same."""
    name = path.rpartition("/")[2]
    if name.lower() in ("migration.sql", "up.sql"):
        name = path.rpartition("/")[0].rpartition("/")[2]
    found = re.match(r"[VvRrBb]?(\d+(?:[._]\d+)*)", name)
    return found.group(1) if found is not None else name.rpartition(".")[0] or name


def _parts(text: str, runner: Runner) -> list[tuple[int, str]]:
    """The pieces that are sent apart: drizzle has its own break, the others are one script."""
    if runner.name != "drizzle" or "--> statement-breakpoint" not in text:
        return [(1, text)]
    found: list[tuple[int, str]] = []
    line = 1
    for part in text.split("--> statement-breakpoint"):
        found.append((line, part))
        line += part.count("\n")
    return found


def _is_loose(source: SourceFile, runner: Runner, text: str) -> bool:
    """Settings beside the file that take its transaction away."""
    if runner.name == "flyway":
        settings = source.tree.text(f"{source.path}.conf") or ""
        return "executeintransaction=false" in settings.replace(" ", "").lower() or _CONCURRENT.search(text) is not None
    if runner.name == "diesel":
        settings = source.tree.text(f"{source.path.rpartition('/')[0]}/metadata.toml") or ""
        return re.search(r"run_in_transaction\s*=\s*false", settings) is not None
    return False


def _beside(source: SourceFile, *names: str) -> bool:
    folder = source.path.rpartition("/")[0]
    above = folder.rpartition("/")[0]
    return any(source.tree.text(f"{place}/{name}".lstrip("/")) is not None for name in names for place in (folder, above))


def _mentions(source: SourceFile, word: str, *files: str) -> bool:
    return any(word in (source.tree.text(f) or "") for f in files)


def _name(source: SourceFile) -> str:
    return source.path.rpartition("/")[2]


def _marked(pattern: str) -> Callable[[SourceFile], bool]:
    mark = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    return lambda source: mark.search(source.text) is not None


def _is_drizzle(source: SourceFile) -> bool:
    folder = source.path.rpartition("/")[0]
    journal = source.tree.text(f"{folder}/meta/_journal.json".lstrip("/"))
    if journal is None:
        return "--> statement-breakpoint" in source.text
    try:
        json.loads(journal)
    except (ValueError, RecursionError):
        return False
    return True


def _is_d1(source: SourceFile) -> bool:
    files = ("wrangler.toml", "wrangler.json", "wrangler.jsonc")
    return source.dialect == "sqlite" and (_beside(source, *files) or any(source.tree.text(f) is not None for f in files))


def _uses_crate(crate: str) -> Callable[[SourceFile], bool]:
    return lambda source: any(
        crate in (source.tree.text(p) or "")
        for p in ("Cargo.toml", f"{source.path.split('/migrations')[0]}/Cargo.toml", f"{source.path.split('/')[0]}/Cargo.toml")
    )


def _uses_package(word: str) -> Callable[[SourceFile], bool]:
    return lambda source: _mentions(source, f'"{word}"', "package.json", f"{source.path.split('/')[0]}/package.json")


RUNNERS = (
    Runner("goose", "file", _marked(r"^\s*--\s*\+goose\b")),
    Runner("dbmate", "file", _marked(r"^\s*--\s*migrate:up\b")),
    Runner("sql-migrate", "file", _marked(r"^\s*--\s*\+migrate\b")),
    Runner("tern", "file", _marked(r"^-{4}\s*create above")),
    Runner("node-pg-migrate", "file", _marked(r"^\s*--\s*up migration\b")),
    Runner("drizzle", "run", _is_drizzle),
    Runner("prisma", "string", lambda s: _name(s) == "migration.sql"),
    Runner("diesel", "file", lambda s: _name(s) == "up.sql"),
    Runner("flyway", "file", lambda s: re.match(r"[VvRr](?:\d[\d._]*)?__", _name(s)) is not None),
    Runner("sqitch", "none", lambda s: "/deploy/" in f"/{s.path}" and s.tree.text("sqitch.plan") is not None),
    Runner("supabase", "file", lambda s: "supabase/migrations/" in s.path),
    Runner("atlas", "file", lambda s: _beside(s, "atlas.sum")),
    Runner("d1", "none", _is_d1),
    Runner("sqlx", "file", _uses_crate("sqlx")),
    Runner("refinery", "file", _uses_crate("refinery")),
    Runner("golang-migrate", "string", lambda s: _name(s).endswith(".up.sql")),
    Runner("knex", "file", _uses_package("knex")),
    Runner("postgres-migrations", "file", _uses_package("postgres-migrations")),
    Runner("sql", "unknown", lambda _: True),
)
