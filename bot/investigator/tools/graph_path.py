"""`graph_path`: the shortest way through the graph between two resources, whichever way its edges point."""

from collections import deque

from bot.investigator.desk import Desk
from bot.investigator.tools.tool import Answer, Arguments, Tool
from gonogo.resource import Edge

_FARTHEST = 6
_MOST_VISITED = 400


class GraphPath(Arguments):
    """From where to where."""

    a: str
    b: str


def _run(arguments: GraphPath, desk: Desk) -> Answer:
    query = f"path between {arguments.a} and {arguments.b}"
    came: dict[str, tuple[str, Edge] | None] = {arguments.a: None}
    pending = deque([(arguments.a, 0)])
    while pending and arguments.b not in came and len(came) < _MOST_VISITED:
        here, distance = pending.popleft()
        if distance == _FARTHEST:
            continue
        for edge in sorted(desk.facts.edges(here), key=lambda e: (e.source, e.target, e.relation.value)):
            there = edge.target if edge.source == here else edge.source
            if there not in came:
                came[there] = (here, edge)
                pending.append((there, distance + 1))
    steps: list[str] = []
    at = arguments.b
    while (step := came.get(at)) is not None:
        at, edge = step
        steps.insert(0, f"{edge.source} {edge.relation.value} {edge.target} ({edge.origin.value})")
    searched = f"{len(came)} resources within {_FARTHEST} edges of {arguments.a} in {desk.facts.source}"
    return Answer(query, desk.facts.source, searched, steps, where=searched)


TOOL = Tool("graph_path", "The shortest path between two resources, as edges.", GraphPath, _run)
