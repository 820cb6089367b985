"""`replay_migration`: what statements lock, rewrite and fail with, tried out on a throw-away database where one can be had."""

from pydantic import Field

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool, cut_to
from gonogo.errors import ShadowUnavailable
from gonogo.shadow import Replayed


class ReplayMigration(Arguments):
    """What to replay."""

    statements: list[str] = Field(
        max_length=20, description="PostgreSQL, in the order in which they would run, in one transaction"
    )


_WITHOUT = (
    "Locks of the migrations in this change stand in the findings, by the truth table of the engine; table sizes and rates are in "
    "database_statistics"
)


def _run(arguments: ReplayMigration, desk: Desk) -> Answer:
    query = f"replay of {len(arguments.statements)} statements"
    try:
        replay = desk.facts.replay(arguments.statements)
    except ShadowUnavailable as error:
        return Answer(query, "shadow database", where=f"{error}. {_WITHOUT}", is_error=True)
    if replay is None:
        why = f"no throw-away database is available in this evaluation. {_WITHOUT}"
        return Answer(query, "shadow database", where=why, is_error=True)
    lines = [line for each in replay.statements for line in _told(each)]
    lines += [f"note: {note}" for note in replay.notes]
    kept, cut = cut_to(lines)
    source = f"{replay.server}, a throw-away database with production's schema and no rows: times and rows say nothing"
    return Answer(query, source, lines=kept, cut=cut)


def _told(each: Replayed) -> list[str]:
    said = f"locks: {', '.join(each.locks) or 'none beyond those held'}"
    if each.rewrites:
        said += f"; rewrites: {', '.join(each.rewrites)}"
    if each.outside:
        said += "; it can't run in a transaction and ran by itself"
    if each.error:
        said += f"; failed with {each.sqlstate}: {each.error}"
    return [" ".join(each.statement.split()), f"  {said}"]


TOOL = Tool(
    "replay_migration",
    "Replays PostgreSQL statements on a throw-away database and says which locks they took, what they rewrote, and their SQLSTATE.",
    ReplayMigration,
    _run,
)
