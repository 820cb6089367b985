"""`graph_neighbours`: what a resource depends on, and what depends on it."""

from typing import Literal

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool, cut_to
from gonogo.resource import Relation


class GraphNeighbours(Arguments):
    """Around which resource, over which edges."""

    resource: str
    relation: Relation | None = None
    direction: Literal["out", "in", "both"] = "both"


def _run(arguments: GraphNeighbours, desk: Desk) -> Answer:
    over = f" over {arguments.relation.value}" if arguments.relation else ""
    query = f"neighbours of {arguments.resource}{over}, {arguments.direction}"
    edges = [
        e
        for e in desk.facts.edges(arguments.resource)
        if arguments.relation in (None, e.relation)
        and (arguments.direction == "both" or arguments.resource == (e.source if arguments.direction == "out" else e.target))
    ]
    listed = sorted({f"{e.source} {e.relation.value} {e.target} ({e.origin.value})" for e in edges})
    lines, cut = cut_to(listed, how="name a relation or a direction")
    return Answer(query, desk.facts.source, "the whole graph", lines, where=f"edges of {arguments.resource} in {desk.facts.source}", cut=cut)  # fmt: skip


TOOL = Tool("graph_neighbours", "Edges of a resource in the graph of production.", GraphNeighbours, _run)
