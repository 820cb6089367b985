"""What each migration runner does with an older id, an edited file, a missing file and two heads."""

from typing import Literal

from gonogo.record import Record

OnOlder = Literal["applies", "skips", "fails", "graph", "unknown"]
OnEdit = Literal["ignores", "fails", "warns", "runs_again", "unknown"]


class RunnerFacts(Record):
    """One runner's semantics; `unknown` where they were not confirmed."""

    name: str
    on_older: OnOlder
    on_edit: OnEdit
    on_missing: OnEdit
    has_heads: bool = False
    """Migrations form a graph: two heads stop the deploy."""


_FACTS = {
    f.name: f
    for f in (
        RunnerFacts("flyway", "fails", "fails", "fails"),
        RunnerFacts("liquibase", "applies", "fails", "ignores"),
        RunnerFacts("golang-migrate", "skips", "ignores", "fails"),
        RunnerFacts("goose", "fails", "ignores", "ignores"),
        RunnerFacts("dbmate", "applies", "ignores", "ignores"),
        RunnerFacts("sqitch", "applies", "fails", "fails"),
        RunnerFacts("rails", "applies", "ignores", "ignores"),
        RunnerFacts("django", "graph", "ignores", "fails", has_heads=True),
        RunnerFacts("alembic", "graph", "ignores", "fails", has_heads=True),
        RunnerFacts("prisma", "applies", "warns", "warns"),
        RunnerFacts("drizzle", "skips", "ignores", "ignores"),
        RunnerFacts("knex", "applies", "ignores", "fails"),
        RunnerFacts("typeorm", "applies", "ignores", "ignores"),
        RunnerFacts("sequelize", "applies", "ignores", "ignores"),
        RunnerFacts("node-pg-migrate", "fails", "ignores", "fails"),
        RunnerFacts("ecto", "applies", "ignores", "ignores"),
        RunnerFacts("laravel", "applies", "ignores", "ignores"),
        RunnerFacts("diesel", "applies", "ignores", "ignores"),
        RunnerFacts("sqlx", "applies", "fails", "fails"),
        RunnerFacts("refinery", "fails", "fails", "fails"),
        RunnerFacts("atlas", "fails", "fails", "fails"),
        RunnerFacts("d1", "applies", "ignores", "ignores"),
        RunnerFacts("supabase", "fails", "ignores", "fails"),
    )
}


def runner_facts(name: str) -> RunnerFacts:
    """The semantics of a runner by the framework's name."""
    return _FACTS.get(name, RunnerFacts(name, "unknown", "unknown", "unknown"))
