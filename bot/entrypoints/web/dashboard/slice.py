"""The part of production's graph that a change can reach, as a picture: the repository on the left, what depends on it to the right."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from markupsafe import Markup, escape

from bot.report.evidence_text import short
from gonogo.record import Record
from gonogo.resource import AffectedResource

MAX_NODES = 40
"""More than this is no picture any more: the list below it has all."""

_BOX_WIDTH, _BOX_HEIGHT, _ACROSS, _DOWN, _EDGE = 168, 40, 60, 14, 6


class Node(Record):
    """A resource, in `column` steps from the repository, in the `row`th place of its column."""

    id: str
    label: str
    kind: str
    column: int
    row: int
    is_named: bool


class Slice(Record):
    """Nodes and the (source, target) pairs between them; `left_out` counts resources that are only in the list."""

    nodes: Sequence[Node]
    edges: Sequence[tuple[str, str]]
    left_out: int


def slice_of(affected: Sequence[AffectedResource]) -> Slice:
    """The paths to what is nearest, as far as a picture goes."""
    columns: dict[str, int] = {}
    edges: dict[tuple[str, str], None] = {}
    shown = 0
    for one in sorted(affected, key=lambda a: len(a.path)):
        path = one.path or (one.resource,)
        if len({*columns, *path}) > MAX_NODES:
            break
        for at, resource in enumerate(path):
            columns.setdefault(resource, at)
        edges |= dict.fromkeys(pairwise(path))
        shown += 1
    kinds: dict[str, str] = {a.resource: a.kind for a in affected}
    named: set[str] = {a.resource for a in affected if a.is_named}
    rows: dict[int, int] = {}
    nodes: list[Node] = []
    for resource, column in columns.items():
        rows[column] = rows.get(column, -1) + 1
        nodes.append(Node(resource, short(resource), kinds.get(resource, ""), column, rows[column], is_named=resource in named))
    return Slice(nodes, list(edges), len(affected) - shown)


def picture(drawn: Slice) -> Markup:
    """As SVG, in its natural size: a wide one is scrolled, never shrunk."""
    tallest = max(node.row for node in drawn.nodes) + 1
    widest = max(node.column for node in drawn.nodes) + 1
    width = widest * (_BOX_WIDTH + _ACROSS) - _ACROSS + 2 * _EDGE
    height = tallest * (_BOX_HEIGHT + _DOWN) - _DOWN + 2 * _EDGE
    says = f"What the change can reach: {len(drawn.nodes)} resources in {widest} steps. The list after it says the same."
    opening = f'<svg class="slice" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(says)}">'
    return Markup(f"{opening}{''.join(_elements(drawn))}</svg>")  # noqa: S704  every text in it went through `escape`


def _elements(drawn: Slice) -> Iterator[str]:
    places = {node.id: _place(node) for node in drawn.nodes}
    for source, target in drawn.edges:
        (x1, y1), (x2, y2) = places[source], places[target]
        start, end, middle = x1 + _BOX_WIDTH, x2, (x1 + _BOX_WIDTH + x2) / 2
        yield f'<path d="M{start} {y1 + _BOX_HEIGHT / 2} C{middle} {y1 + _BOX_HEIGHT / 2} {middle} {y2 + _BOX_HEIGHT / 2} {end} {y2 + _BOX_HEIGHT / 2}"/>'
    for node in drawn.nodes:
        x, y = places[node.id]
        kind = "start" if node.column == 0 else "named" if node.is_named else ""
        yield f'<g class="{kind}"><title>{escape(node.id)}</title><rect x="{x}" y="{y}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" rx="7"/>'
        yield f'<text x="{x + 10}" y="{y + (17 if node.kind else 24)}">{escape(_cut(node.label, 23))}</text>'
        if node.kind:
            yield f'<text class="kind" x="{x + 10}" y="{y + 32}">{escape(_cut(node.kind, 27))}</text>'
        yield "</g>"


def _place(node: Node) -> tuple[int, int]:
    return _EDGE + node.column * (_BOX_WIDTH + _ACROSS), _EDGE + node.row * (_BOX_HEIGHT + _DOWN)


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"
