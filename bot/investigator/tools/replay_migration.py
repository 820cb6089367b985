"""`replay_migration`: what statements lock and rewrite, on a throw-away database where one can be had."""

from pydantic import Field

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool


class ReplayMigration(Arguments):
    """What to replay."""

    statements: list[str] = Field(max_length=20)


def _run(arguments: ReplayMigration, desk: Desk) -> Answer:
    del desk
    query = f"replay of {len(arguments.statements)} statements"
    why = (
        "no throw-away database is available in this evaluation. Locks of the migrations in this change stand in the findings, "
        "by the truth table of the engine; table sizes and rates are in database_statistics"
    )
    return Answer(query, "shadow database", where=why, is_error=True)


TOOL = Tool(
    "replay_migration", "Replays statements on a throw-away database and says which locks they took.", ReplayMigration, _run
)
