"""Every statement of some migrations, with its facts and findings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from gonogo.change import Side
from gonogo.finding import Finding
from gonogo.ports import SourceTree
from heuristics.lint.alternatives import checked
from heuristics.lint.found import findings_of, is_advice
from heuristics.rules.migrations.statement_not_analysed import INFO as NOT_ANALYSED
from heuristics.sql import Catalog, Dialect, Effect, Simulated, simulate, statement_effect
from heuristics.sql.histories import Migration, histories
from heuristics.sql.model.draft import stronger


@dataclass(frozen=True, slots=True)
class Linted:
    """One statement as the runner sends it.

    `facts` is what it does in its place: locks are those held while it runs, its own and those that its transaction took
    before. `advice` are findings that only facts of production can settle.
    """

    file: str
    line: int
    end_line: int
    sql: str
    framework: str
    dialect: Dialect
    is_analysed: bool
    note: str
    facts: Effect
    findings: tuple[Finding, ...] = ()
    advice: tuple[Finding, ...] = ()


def lint(
    files: Collection[str],
    tree: SourceTree,
    *,
    dialect: Dialect,
    server_version: int | None = None,
    schema: Catalog | None = None,
) -> Iterator[Linted]:
    """All statements of these migration files, file by file, in the order they run; a file that is no migration has none.

    `dialect` unknown: each SQL file's own words decide, else PostgreSQL. `schema` is what is there before; without it the
    migrations that stand beside these say so.
    """
    trees: Mapping[Side, SourceTree] = {"base": tree, "head": tree}
    for migration in histories(files, tree, dialect=dialect, schema=schema):
        yield from _of_file(migration, trees, server_version)


def _of_file(migration: Migration, trees: Mapping[Side, SourceTree], server_version: int | None) -> Iterator[Linted]:
    played = simulate(migration.operations, engine="", server_version=server_version, catalog=migration.before)
    for _, group in groupby(played, key=lambda s: (s.operation.statement.line, s.operation.statement.sql)):
        steps = list(group)
        statement = steps[0].operation.statement
        found = [
            checked(finding, _step_of(finding, steps), before=migration.before, server_version=server_version, trees=trees)
            for finding in findings_of(steps, trees)
        ]
        yield Linted(
            file=migration.file,
            line=statement.line,
            end_line=statement.end_line,
            sql=statement.sql,
            framework=statement.framework,
            dialect=statement.dialect,
            is_analysed=all(s.operation.statement.is_analysed for s in steps),
            note=next((s.operation.statement.note for s in steps if s.operation.statement.note), ""),
            facts=_in_its_place(steps),
            findings=tuple(f for f in found if not is_advice(f, statement.dialect)),
            advice=tuple(f for f in found if is_advice(f, statement.dialect)),
        )


def _step_of(finding: Finding, steps: Sequence[Simulated]) -> Simulated:
    """The operation that the finding is about."""
    return next(
        (
            s
            for s in steps
            if s.operation.action.value == finding.facts.get("action")
            and list(s.operation.columns) == finding.facts.get("columns", [])
            and s.operation.name == finding.facts.get("name")
        ),
        steps[0],
    )


def _in_its_place(steps: Sequence[Simulated]) -> Effect:
    locks: dict[str, str] = {}
    for step in steps:
        for table, mode in step.held.items():
            locks[table] = stronger(locks.get(table), mode)
    return replace(statement_effect(steps), locks=dict(sorted(locks.items())))


def unread(file: str, why: str) -> Linted:
    """A file whose text can't be had, as one statement that was not analysed."""
    finding = Finding(rule=NOT_ANALYSED.id, file=file, line=1, message=f"not analysed: {why}")
    return Linted(
        file=file, line=1, end_line=1, sql="", framework="", dialect="unknown", is_analysed=False, note=why, facts=Effect(),
        findings=(finding,),
    )  # fmt: skip
