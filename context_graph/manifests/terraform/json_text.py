"""JSON that is written as a text with interpolations: its tree, each interpolation where it stands.

`"[${local.web}, ${local.app}]"` of two encoded objects, or a policy in a heredoc with `"${aws_sqs_queue.jobs.arn}"`.
"""

from collections.abc import Sequence
from dataclasses import replace

from context_graph.manifests.json_source import JsonError, read_json
from context_graph.manifests.node import MAX_DEPTH, Node, Reference
from gonogo.pattern import pattern

_MARK = pattern("\ue000(\\d{1,6})\ue001")
_STRING = pattern(r'"(?:[^"\\\n]|\\.)*+"?')
MAX_PIECES = 2_000


def json_tree(pieces: Sequence[str | Node], line: int) -> Node | None:
    """The tree of a text whose interpolations are nodes; None when it is not JSON or has no reference to place.

    `line` is the line on which the text begins.
    """
    values = [piece for piece in pieces if isinstance(piece, Node)]
    first = pieces[0] if pieces else ""
    if not isinstance(first, str) or not first.lstrip().startswith(("{", "[")) or len(pieces) > MAX_PIECES:
        return None
    if not any(value.references or isinstance(value.value, dict | list) for value in values):
        return None
    stripped = first.lstrip()
    begins = line + first.count("\n", 0, len(first) - len(stripped))
    try:
        root = read_json(_marked([stripped, *pieces[1:]]), first_line=begins)
    except JsonError:
        return None
    return _filled(root, values, 0)


def nested_references(value: Node) -> tuple[Reference, ...]:
    """What the value and everything in it refers to."""
    return tuple(reference for _, below in value.mentions() for reference in below.references)


def _marked(pieces: Sequence[str | Node]) -> str:
    """The text with a mark for every interpolation, in quotes of its own where it stands in none."""
    written: list[str] = []
    is_open = False
    number = 0
    for piece in pieces:
        if isinstance(piece, Node):
            mark = f"\ue000{number}\ue001"
            written.append(mark if is_open else f'"{mark}"')
            number += 1
        else:
            is_open = _ends_open(piece, is_open=is_open)
            written.append(piece)
    return "".join(written)


def _ends_open(text: str, *, is_open: bool) -> bool:
    """True when a string is still open at the end of the text."""
    found = list(_STRING.finditer('"' + text if is_open else text))
    last = found[-1] if found else None
    is_whole = last is not None and len(last[0]) > 1 and last[0].endswith('"') and not last[0].endswith('\\"')
    return last is not None and last.end() == len(text) + is_open and not is_whole


def _filled(node: Node, values: Sequence[Node], depth: int) -> Node:
    if depth > MAX_DEPTH:
        return node
    if isinstance(node.value, dict):
        return replace(node, value={key: _filled(below, values, depth + 1) for key, below in node.value.items()})
    if isinstance(node.value, list):
        return replace(node, value=[_filled(below, values, depth + 1) for below in node.value])
    if not isinstance(node.value, str) or "\ue000" not in node.value:
        return node
    alone = _MARK.fullmatch(node.value)
    if alone is not None:
        return values[int(alone[1])]
    inside = [values[int(number)] for number in _MARK.findall(node.value)]
    references = tuple(dict.fromkeys(reference for value in inside for reference in nested_references(value)))
    written = _MARK.sub(lambda m: values[int(m[1])].string() or f"${{{values[int(m[1])].text}}}", node.value)
    is_known = all(value.string() is not None for value in inside)
    return Node(written if is_known else None, node.line, text=written, is_known=is_known, references=references)
