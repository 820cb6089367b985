"""`database_statistics`: size, rates and definition of a table or an index."""

import json
from typing import Any

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool, cut_to


class DatabaseStatistics(Arguments):
    """Of what."""

    resource: str
    table: str | None = None
    index: str | None = None


def _run(arguments: DatabaseStatistics, desk: Desk) -> Answer:
    what = f"index {arguments.index}" if arguments.index else f"table {arguments.table}" if arguments.table else "the server"
    query = f"statistics of {what} in {arguments.resource}"
    found = desk.facts.database(arguments.resource)
    if found is None:
        return Answer(query, desk.facts.source, where=f"{desk.facts.source}: no statistics of {arguments.resource} were read")
    part: Any = found.index(arguments.index) if arguments.index else found.table(arguments.table) if arguments.table else None
    if arguments.index or arguments.table:
        there = [i.name for i in found.indexes] if arguments.index else [t.name for t in found.tables]
        lines = _fields(part.model_dump(mode="json", by_alias=True)) if part is not None else []
        if part is not None and arguments.table:
            lines += [f"index {i.name}: {i.definition}" for i in found.indexes if i.table == part.name]
    else:
        there = []
        lines = [f"engine = {found.engine} {found.version}", *(f"settings.{k} = {v}" for k, v in sorted(found.settings.items()))]
        lines += [f"table {t.name}: {t.row_estimate} rows" for t in found.tables]
    shown, cut = cut_to(lines, how="name a table or an index")
    where = f"{what} of {arguments.resource}; it has {', '.join(sorted(there)[:40]) or 'none'}"
    return Answer(
        query, desk.facts.source, f"since {found.stats_reset}" if found.stats_reset else "as read", shown, where=where, cut=cut
    )


def _fields(values: dict[str, Any]) -> list[str]:
    flat = {**values.pop("more", {}), **values}
    return [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in sorted(flat.items()) if v not in (None, "")]


TOOL = Tool("database_statistics", "Statistics of a table or an index, or of the server.", DatabaseStatistics, _run)
