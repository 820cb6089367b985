"""Secrets and variables that a deploying pipeline reads from now on, and the variable of the program that each becomes.

GitHub Actions puts the empty string where a secret does not exist
(https://docs.github.com/actions/security-guides/using-secrets-in-github-actions); so do GitLab CI and CircleCI with variables.
"""

import re
from collections.abc import Iterator
from typing import Literal

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_production_code, reads_of
from heuristics.code.reads import Read
from heuristics.rule import RuleContext

_WORKFLOW = pattern(r"(?:^|.*/)\.github/(?:workflows|actions)/.*\.ya?ml")
_SECRET = pattern(r"\$\{\{[^}]*?\b(?P<what>secrets|vars)(?:\.(?P<name>\w+)|\[\s*'(?P<quoted>\w+)'\s*\])(?P<rest>[^}]*)\}\}")
_GIVEN = pattern(r"^\s*-?\s*[\"']?(?P<name>[A-Za-z_]\w*)[\"']?\s*[:=]")
_ENVIRONMENT = pattern(r"(?m)^\s{2,8}environment:\s*\S|^\s{2,8}environment:\s*$")
_AUTOMATIC = frozenset({"GITHUB_TOKEN", "ACTIONS_STEP_DEBUG", "ACTIONS_RUNNER_DEBUG"})


class PipelineName(Record):
    """A name that a deploying workflow reads at head and no workflow read at base."""

    name: str
    what: Literal["secrets", "vars"]
    place: Place
    given_as: tuple[str, ...]
    """Variables of the program that get its value."""
    read: Read | None
    """Where production code reads one of them."""
    guard: Place | None
    """Where the code raises on an empty value."""
    has_environment: bool
    """A job of the workflow has an environment, which may have secrets of its own."""


def pipeline_names(context: RuleContext) -> tuple[PipelineName, ...]:
    """Each name once, where a deploying workflow of this change reads it without an alternative."""
    return tuple(_found(context))


def _found(context: RuleContext) -> Iterator[PipelineName]:
    deploying = {
        d.file for d in context.declared["head"].resources if d.kind == "github.workflow" and d.part_of is None
    }  # fmt: skip
    told: set[str] = set()
    for file in context.changes.files:
        path = file.head_path
        if path is None or path not in deploying or not _WORKFLOW.fullmatch(path) or not file.hunks:
            continue
        text = context.head.text(path) or ""
        lines, added = text.split("\n"), set(file.added_lines())
        for number in sorted(added):
            for match in _SECRET.finditer(lines[number - 1][:600]) if number <= len(lines) else ():
                name = match["name"] or match["quoted"]
                if name in told or name.upper() in _AUTOMATIC or "||" in match["rest"] or _is_read_at_base(context, name):
                    continue
                told.add(name)
                given = _given_as(lines, number, text)
                read = _read(context, given)
                yield PipelineName(
                    name,
                    "vars" if match["what"] == "vars" else "secrets",
                    Place(file=path, line=number),
                    given,
                    read,
                    _guard(context, read) if read is not None else None,
                    bool(_ENVIRONMENT.search(text)),
                )


def _is_read_at_base(context: RuleContext, name: str) -> bool:
    return any(_WORKFLOW.fullmatch(p.file) for places in context.base.search({name}).values() for p in places)


def _given_as(lines: list[str], number: int, text: str) -> tuple[str, ...]:
    """The variable of the line, and what commands of the workflow set from it: `NAME=$VARIABLE`."""
    given = _GIVEN.match(lines[number - 1])
    names = [given["name"]] if given is not None else []
    names += re.findall(r"([A-Z_][A-Z0-9_]*)=[\"']?\$\{\{\s*(?:secrets|vars)\.", lines[number - 1])
    for name in tuple(names):
        names += re.findall(rf"([A-Za-z_]\w*)=[\"']?\$\{{?{re.escape(name)}\b", text)
    return tuple(dict.fromkeys(names))


def _read(context: RuleContext, names: tuple[str, ...]) -> Read | None:
    if not names:
        return None
    places = context.head.search(set(names)).values()
    paths = {p.file for listed in places for p in listed if is_production_code(p.file)}
    found = [r for r in reads_of(context.head, paths) if r.name in names and not r.is_test]
    return min(found, key=lambda r: (r.requirement != "required", r.file, r.line), default=None)


def _guard(context: RuleContext, read: Read) -> Place | None:
    """The line that raises, exits or panics where the value is empty: beside the read, or in what it is passed to."""
    lines = (context.head.text(read.file) or "").split("\n")
    if read.line > len(lines):
        return None
    here = lines[read.line - 1]
    held = re.match(r"\s*(?:(?:export\s+)?(?:const|let|var|val|final\s+\w+|String)\s+)?([A-Za-z_]\w*)\s*(?::=|=)(?!=)", here)
    if held is not None:
        for number in range(read.line, min(len(lines), read.line + 8)):
            if _is_empty_check(lines[number], held[1]) and _fails(lines[number : number + 3]):
                return Place(file=read.file, line=number + 1)
    taker = next((m for m in re.findall(r"([A-Za-z_]\w*)\(", here.partition(read.name)[0]) if m not in _READERS), None)
    if taker is None:
        return None
    declared = re.compile(rf"\b(?:class|def|function|func|fun|struct)\s+(?:\([^)]*\)\s*)?{re.escape(taker)}\b")
    for place in (p for listed in context.head.search({taker}).values() for p in listed):
        body = (context.head.text(place.file) or "").split("\n")
        if not is_production_code(place.file) or not declared.search(body[place.line - 1]):
            continue
        window = body[place.line - 1 : place.line + 12]
        for at, text in enumerate(window):
            if _is_empty_check(text, r"\w+") and _fails(window[at : at + 3]):
                return Place(file=place.file, line=place.line + at)
    return None


_READERS = frozenset({"get", "getenv", "Getenv", "env", "fetch", "str", "String", "require", "config", "LookupEnv"})


def _is_empty_check(text: str, name: str) -> bool:
    return bool(
        re.search(rf"\bif\s*\(?\s*(?:not\s+|!\s*)(?:self\.|this\.)?{name}\b|\bunless\s+{name}\b|\b{name}\s*={{2,3}}\s*[\"']{{2}}|\blen\(\s*{name}\s*\)\s*==\s*0|\b{name}\.(?:isBlank|isEmpty|empty\?|blank\?)", text)
    )  # fmt: skip


def _fails(lines: list[str]) -> bool:
    return bool(
        re.search(r"\b(?:raise|throw|panic|abort|sys\.exit|os\.Exit|process\.exit|log\.Fatal\w*|exit)\b", " ".join(lines))
    )
