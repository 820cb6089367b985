"""The text of a Helm template as a tree: what is printed, what is worked out, and the blocks of `define`, `if` and `with`."""

import re
from dataclasses import field

from gonogo.pattern import pattern
from gonogo.record import Record

MAX_SIZE = 200_000
MAX_DEPTH = 40
_ACTION = pattern(
    r"\{\{(-?\s{0,20}/\*(?:[^*]|\*(?!/)){0,4000}\*/\s{0,20}-?|(?:[^{}\"`]|\"[^\"\n]{0,500}\"|`[^`]{0,500}`){0,600})\}\}"
)
_WORD = pattern(r"(define|if|else|with|range|block|end)\b\s*(.*)", re.DOTALL)
_SET = pattern(r"(\$\w{1,100})\s*:?=\s*(.*)", re.DOTALL)
_QUOTED = pattern(r"\"([^\"]{1,200})\"")


class Part(Record):
    """A piece of a template."""


class Text(Part):
    """What is printed as it stands."""

    text: str


class Action(Part):
    """An expression, and the variable that it is kept in instead of being printed."""

    expression: str
    sets: str | None = None


class Branch(Record):
    """What stands under a condition; without one it is the last `else`."""

    condition: str | None
    parts: list[Part] = field(default_factory=list[Part])
    sets: str | None = None


class Block(Part):
    """`if`, `with`, `range`, `define` or `block` with its branches."""

    keyword: str
    branches: list[Branch] = field(default_factory=list[Branch])


def definitions_in(text: str) -> dict[str, list[Part]]:
    """Name → body of every `define` of the text."""
    found: dict[str, list[Part]] = {}
    stack: list[Block] = []
    top = Branch(None)
    for part, keyword, rest in _pieces(text[:MAX_SIZE]):
        here = stack[-1].branches[-1] if stack else top
        if part is not None:
            here.parts.append(part)
        elif keyword == "end":
            if (
                stack
                and (closed := stack.pop()).keyword in ("define", "block")
                and (name := _QUOTED.search(closed.branches[0].condition or ""))
            ):
                found[name.group(1)] = closed.branches[0].parts
        elif keyword == "else":
            if stack:
                stack[-1].branches.append(_branch(rest.removeprefix("if ").removeprefix("with ") if rest else None))
        elif len(stack) >= MAX_DEPTH:
            return found
        else:
            block = Block(keyword, [_branch(rest)])
            here.parts.append(block)
            stack.append(block)
    return found


def variables_in(text: str) -> dict[str, str]:
    """Variable → the expression that it is given; one that is given several is left out."""
    given: dict[str, set[str]] = {}
    for part, _, _ in _pieces(text[:MAX_SIZE]):
        if isinstance(part, Action) and part.sets is not None:
            given.setdefault(part.sets, set()).add(part.expression)
    return {name: next(iter(several)) for name, several in given.items() if len(several) == 1}


def conditional_lines(text: str) -> frozenset[int]:
    """The lines that stand under an `if`, a `with` or a `range`, counted from 1."""
    found: set[int] = set()
    stack: list[tuple[str, int]] = []
    line, at = 1, 0
    for match in _ACTION.finditer(text[:MAX_SIZE]):
        line, at = line + text.count("\n", at, match.start()), match.start()
        word = _WORD.fullmatch(_inner(match.group(1)))
        if word is None or word.group(1) == "else":
            continue
        if word.group(1) != "end":
            stack.append((word.group(1), line))
        elif stack and (opened := stack.pop())[0] in ("if", "with", "range"):
            found.update(range(opened[1], line + 1))
    return frozenset(found)


def _inner(written: str) -> str:
    return written.removeprefix("-").removesuffix("-").strip()


def _branch(condition: str | None) -> Branch:
    sets = _SET.fullmatch(condition) if condition is not None else None
    return Branch(sets.group(2), sets=sets.group(1)) if sets is not None else Branch(condition)


def _pieces(text: str) -> list[tuple[Part | None, str, str]]:
    """(part, "", "") for what is printed; (None, keyword, rest) for what opens, turns or closes a block."""
    found: list[tuple[Part | None, str, str]] = []
    at = 0
    is_trimmed = False
    for match in _ACTION.finditer(text):
        between = text[at : match.start()]
        between = between.lstrip() if is_trimmed else between
        between = between.rstrip() if match.group(1).startswith("-") else between
        if between:
            found.append((Text(between), "", ""))
        at, is_trimmed = match.end(), match.group(1).endswith("-")
        action = _inner(match.group(1))
        word, sets = _WORD.fullmatch(action), _SET.fullmatch(action)
        if action.startswith("/*"):
            continue
        if word is not None:
            found.append((None, word.group(1), word.group(2)))
        elif sets is not None:
            found.append((Action(sets.group(2), sets.group(1)), "", ""))
        else:
            found.append((Action(action), "", ""))
    rest = text[at:].lstrip() if is_trimmed else text[at:]
    return [*found, (Text(rest), "", "")] if rest else found
