"""Environment reads of configuration files that a framework fills in: Spring, Rails, Symfony, HOCON, serverless."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.guards import Coping
from heuristics.code.reads_found import Found, Phase
from heuristics.code.reads_jvm import PLACEHOLDER, spellings
from heuristics.code.syntax import Node, parse

_SPRING = pattern(r"(^|/)(application|bootstrap)[\w.-]*\.(ya?ml|properties)$")
_SERVERLESS = pattern(r"(^|/)serverless[\w.-]*\.ya?ml$")
_SYMFONY = pattern(r"%env\((?:(default):([^:)]*):)?(?:[a-z_]+:)*([A-Z][A-Z0-9_]*)\)%")
_RUBY_READ = pattern(
    r"""ENV(?:\.fetch\(\s*["'](?P<fetched>\w+)["']\s*\)?\s*(?P<default>[,{][^%]*)?|\[\s*["'](?P<got>\w+)["']\s*\]\s*(?P<either>\|\|[^%]*)?)"""
)


def reads_of_configuration(path: str, text: str, language: str) -> Iterator[Found]:
    """The placeholders of one file, each on its own line."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith(("#", "//")):
            continue
        at = _place(text, number, line)
        if _SPRING.search(path):
            yield from _spring(line, at)
        elif _SERVERLESS.search(path):
            yield from _serverless(line, at)
        if "<%" in line:
            yield from _embedded_ruby(line, at)
        for match in _SYMFONY.finditer(line):
            coping = Coping("default", match[2] or None) if match[1] else Coping("required")
            yield Found(match[3], at, coping, is_strict=not match[1])
        if language == "conf" and path.endswith("application.conf"):
            for optional, name in re.findall(r"\$\{(\??)([A-Z][A-Z0-9_]*)\}", line):
                yield Found(name, at, Coping("optional" if optional else "required"), is_strict=not optional)


def _place(text: str, number: int, line: str) -> Node:
    """A node that stands for a whole line of a file without a grammar."""
    root = parse("x", "python")
    if root is None:
        raise AssertionError("the smallest program parses")
    return Node("line", True, 0, len(line), number, number, text, None, [], root._grammar)  # noqa: FBT003, SLF001 # pyright: ignore[reportPrivateUsage] - a leaf of our own


def _spring(line: str, at: Node) -> Iterator[Found]:
    for match in PLACEHOLDER.finditer(line):
        if re.fullmatch(r"[A-Z][A-Z0-9_]*", match[1]):
            yield Found(
                match[1],
                at,
                Coping("default", match[3]) if match[2] else Coping("required"),
                is_strict=not match[2],
                aliases=spellings(match[1]),
            )


def _serverless(line: str, at: Node) -> Iterator[Found]:
    """`${env:X}` and `${ssm:/name}` are looked up when the service is deployed; a second part is the fallback."""
    phase: Phase = "build"
    for source, name, fallback in re.findall(
        r"\$\{(env|ssm|aws:ssm|secretsmanager)(?:\([^)]*\))?:([^,}~]+)[^,}]*(?:,\s*([^}]*))?\}", line
    ):
        coping = Coping("default", fallback.strip("\"' ")) if fallback else Coping("required")
        yield Found(name.strip(), at, coping, "env" if source == "env" else "secret", is_strict=not fallback, phase=phase)


def _embedded_ruby(line: str, at: Node) -> Iterator[Found]:
    for match in _RUBY_READ.finditer(line):
        default = match["default"] or match["either"]
        plain = re.sub(r"""^[,{|\s]+|["'\s)}%>]+$|["']""", "", default or "")
        if default:
            yield Found(match["fetched"] or match["got"], at, Coping("default", plain))
        else:
            yield Found(match["fetched"] or match["got"], at, Coping("required"), is_strict=match["fetched"] is not None)
