"""Which instances of Terraform's resources lose their address, or get another name under it, when a block is counted or keyed otherwise.

`count` gives addresses by number, `for_each` by key, a plain block the bare one. Terraform itself moves a plain block to `[0]`
and back; everything else needs a `moved` block (https://developer.hashicorp.com/terraform/language/modules/develop/refactoring).
"""

import re
from collections.abc import Iterator, Mapping
from posixpath import dirname
from typing import Literal, cast

from gonogo.change import Side
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place
from heuristics.rule import RuleContext

Form = Literal["plain", "count", "each"]
_TERRAFORM = (".tf", ".tofu")
_MOVED = pattern(r"(?m)^\s*moved\s*\{(?P<body>[^{}]{0,600})\}")
_FROM = pattern(r"(?m)^\s*from\s*=\s*(?P<address>\S.*?)\s*(?:#.*|//.*)?$")
_TO = pattern(r"(?m)^\s*to\s*=\s*(?P<address>\S.*?)\s*(?:#.*|//.*)?$")
_META = pattern(r"\s*(?:count|for_each)\s*=")
_CHAINED = 10


class Move(Record):
    """A `moved` block."""

    origin: str
    target: str
    place: Place


class LostInstance(Record):
    """One instance of base whose address head no longer has, or has for a thing of another name."""

    before: str
    """Its address at base."""
    after: str | None
    """The address at head of what has its name."""
    name: str
    declared: Declared
    """At head the element of its name, else the block."""
    place: Place
    is_renamed: bool = False
    """The address stays and stands for another name now."""
    moved: Place | None = None
    """The `moved` block that keeps it."""


def regrouped(context: RuleContext) -> tuple[LostInstance, ...]:
    """Instances of blocks that are counted or keyed in another way at head, those that a `moved` block keeps among them."""
    return tuple(_regrouped(context))


def handled(context: RuleContext) -> set[tuple[str, str]]:
    """Kind and bare address of the blocks that `regrouped` speaks of."""
    return {(i.declared.kind, root_of(i.before)) for i in context.once(regrouped)}


def root_of(address: str) -> str:
    """`module.a["x"].aws_t.b["k"]` → the address without the last index."""
    return re.sub(r"\[[^\[\]]*\]$", "", address)


def _regrouped(context: RuleContext) -> Iterator[LostInstance]:
    base, head = (_groups(context.declared[side].resources) for side in ("base", "head"))
    moves: list[Move] | None = None
    for key in sorted(base.keys() & head.keys(), key=str):
        old, new = _form(base[key]), _form(head[key])
        if old is None or new is None or (old == new and (old != "count" or _names(base[key][0]) == _names(head[key][0]))):
            continue
        if old == new == "count" and (not _names(base[key][0]) or not _names(head[key][0])):
            continue
        moves = moves if moves is not None else moves_in(context)
        yield from _lost(context, base[key], head[key], old, new, moves)


def _groups(resources: tuple[Declared, ...]) -> dict[tuple[str, str, str, str], list[Declared]]:
    found: dict[tuple[str, str, str, str], list[Declared]] = {}
    for one in resources:
        if one.file.endswith(_TERRAFORM):
            found.setdefault((one.kind, root_of(one.address), dirname(one.file), one.environment or ""), []).append(one)
    return found


def _form(group: list[Declared]) -> Form | None:
    if any("for_each_key" in d.settings for d in group):
        return "each"
    if len(group) != 1:
        return None
    if "count" in group[0].settings:
        return "count"
    return None if group[0].is_conditional else "plain"


def _names(block: Declared) -> tuple[str, ...]:
    setting = block.settings.get("count_names")
    value = setting.value if setting is not None else None
    return tuple(str(v) for v in cast("list[object]", value)) if isinstance(value, list | tuple) else ()


def _instances(group: list[Declared], form: Form, root: str) -> dict[str, str]:
    """Address → physical name, as far as it is known."""
    if form == "count":
        names = _names(group[0])
        if not names and group[0].name is not None:
            names = (group[0].name,)
        return {f"{root}[{i}]": name for i, name in enumerate(names)}
    return {d.address: d.name for d in group if d.name is not None}


def _lost(
    context: RuleContext, base: list[Declared], head: list[Declared], old: Form, new: Form, moves: list[Move]
) -> Iterator[LostInstance]:
    root = root_of(base[0].address)
    after = _instances(head, new, root)
    before = _instances(base, old, root)
    by_name = {name: address for address, name in after.items()}
    if not before and old == "count":  # which number stands for which is not known: what has a name at head was one of them
        before = {f"{root}[*]{name}": name for name in by_name}
    elements = {d.address: d for d in head}
    for address, name in before.items():
        target, move = _resolved(address, moves) if "[*]" not in address else _moved_to(by_name[name], moves)
        if target == address and "[*]" not in address:
            target = _implied(address, root, old, new)
        declared = elements.get(by_name.get(name, ""), elements.get(root, head[0]))
        at = _meta_line(context, declared)
        if target in after:
            if after[target] == name:
                if move is not None:
                    yield LostInstance(address, target, name, declared, at, moved=move.place)
                continue
            yield LostInstance(address, target, name, declared, at, is_renamed=True)
            continue
        if target in elements:
            continue
        yield LostInstance(address.partition("[*]")[0], by_name.get(name), name, declared, at)


def _implied(address: str, root: str, old: Form, new: Form) -> str:
    """Where Terraform moves an instance by itself."""
    if old == "plain" and new == "count":
        return f"{root}[0]"
    return root if (old, new) == ("count", "plain") and address == f"{root}[0]" else address


def is_moved(context: RuleContext, before: str, after: str) -> bool:
    """Whether `moved` blocks of head, also those of a whole module, take one address to the other."""
    return _resolved(before, moves_in(context))[0] == after


def _moved_to(address: str, moves: list[Move]) -> tuple[str, Move | None]:
    found = next((m for m in moves if m.target == address or address.endswith("." + m.target)), None)
    return (address, found) if found is not None else ("", None)


def _resolved(address: str, moves: list[Move]) -> tuple[str, Move | None]:
    taken: list[Move] = []
    for _ in range(_CHAINED):
        step = _step(address, [m for m in moves if m not in taken])
        if step is None:
            break
        taken.append(step[0])
        address = step[1]
    return address, taken[-1] if taken else None


def _step(address: str, moves: list[Move]) -> tuple[Move, str] | None:
    for move in moves:
        target = _moved(address, move)
        if target is not None and target != address:
            return move, target
    return None


def _moved(address: str, move: Move) -> str | None:
    """The address after the move; a move of a module or of a whole block takes its instances along."""
    at = address.find(move.origin)
    while at >= 0:
        rest = address[at + len(move.origin) :]
        if (at == 0 or address[at - 1] == ".") and (not rest or rest[0] in ".["):
            return address[:at] + move.target + rest
        at = address.find(move.origin, at + 1)
    return None


def moves_in(context: RuleContext, side: Side = "head") -> list[Move]:
    """Every `moved` block of a side, with spaces as Terraform prints addresses."""
    tree = context.trees[side]
    found: list[Move] = []
    for place in (p for listed in tree.search({"moved"}).values() for p in listed):
        if not place.file.endswith(_TERRAFORM):
            continue
        text = tree.text(place.file) or ""
        for block in _MOVED.finditer(text):
            origin, target = _FROM.search(block["body"]), _TO.search(block["body"])
            at = text.count("\n", 0, block.start("body")) + 1
            if origin is not None and target is not None and at == place.line:
                found.append(
                    Move(_normal(origin["address"]), _normal(target["address"]), Place(file=place.file, line=at, side=side))
                )
    return found


def _normal(address: str) -> str:
    return re.sub(r"\s+", "", address)


def _meta_line(context: RuleContext, declared: Declared) -> Place:
    """The line of `count` or `for_each`; the block's own without one."""
    lines = (context.head.text(declared.file) or "").split("\n")
    spot: Mapping[int, str] = dict(enumerate(lines[declared.line - 1 : declared.end_line], start=declared.line))
    at = next((n for n, text in spot.items() if _META.match(text)), max(1, declared.line))
    return Place(file=declared.file, line=at, side="head")
