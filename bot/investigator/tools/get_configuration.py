"""`get_configuration`: the live configuration of a resource."""

import json

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool, cut_to
from context_graph.readings import configured, is_configured


class GetConfiguration(Arguments):
    """Whose configuration."""

    resource: str
    key: str | None = None
    """A key in normal form, dotted into nested values; None: every key."""


def _run(arguments: GetConfiguration, desk: Desk) -> Answer:
    query = f"configuration {arguments.key or 'keys'} of {arguments.resource}"
    found = desk.facts.resource(arguments.resource)
    if found is None:
        return Answer(query, desk.facts.source, where=f"{desk.facts.source}: this resource's configuration was not read")
    keys = [arguments.key] if arguments.key else sorted(found.attributes)
    present = [k for k in keys if is_configured(found, k)]
    lines = [f"{k} = {json.dumps(configured(found, k), ensure_ascii=False, default=str)}" for k in present]
    shown, cut = cut_to(lines, how="ask for one key")
    where = (
        f"the keys of {arguments.resource}: {', '.join(sorted(found.attributes)) or 'none'}; a missing key is unknown, not absent"
    )
    return Answer(query, desk.facts.source, f"{found.kind} {found.name}", shown, where=where, cut=cut)


TOOL = Tool("get_configuration", "Live configuration of a resource: one key, or all of them.", GetConfiguration, _run)
