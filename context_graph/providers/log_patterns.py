"""Log lines into patterns with counts: numbers, ids and secrets are masked first, then drain3 finds the wordings."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from context_graph.redaction import redact_text
from gonogo.context import LogLine, LogPattern
from gonogo.pattern import pattern
from gonogo.word import ResourceId

if TYPE_CHECKING:
    from drain3 import TemplateMiner

MAX_CLUSTERS = 1_000
"""Wordings that are kept apart of one resource; without a bound, lines that are all different make the miner slow and large."""

MAX_WORDINGS = 20_000
"""Different masked lines of one resource that are mined; the report says how many lines were beyond."""

MAX_LINES = 200_000
"""Lines of one resource that are read; of more, every nth."""

LONGEST = 1_000
"""Characters of a line that are mined: what follows is a payload."""

_MASKS = pattern(
    r"(?P<uuid>\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b)"
    r"|(?P<time>\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)"
    r"|(?P<ip>\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b)"
    r"|(?P<email>\b[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}\b)"
    r"|(?P<id>\b0x[0-9a-fA-F]+\b|\b(?=[0-9a-f]{0,40}\d)[0-9a-f]{8,64}\b|\b[A-Za-z]{1,12}[-_](?=[A-Za-z0-9]{0,40}\d)[A-Za-z0-9]{8,64}\b)"
    r"|(?P<number>(?<![A-Za-z_])[+-]?\d+(?:[.,:]\d+)*)"
)


@dataclass(frozen=True)
class Mined:
    """Patterns of one resource, most frequent first. `read` of `given` lines were mined."""

    patterns: tuple[LogPattern, ...]
    read: int
    given: int

    @property
    def share(self) -> float:
        """Of the given lines, those that were mined."""
        return self.read / self.given if self.given else 1.0


def mine(resource: ResourceId, lines: Sequence[LogLine], *, max_lines: int = MAX_LINES) -> Mined:
    """Patterns of these lines of one resource. Needs drain3, the extra `gonogo[logs]`."""
    every = -(-len(lines) // max_lines) if len(lines) > max_lines else 1
    wordings: dict[str, _Lines] = {}
    read = 0
    for line in lines[::every]:
        text = masked(line.message)
        seen = wordings.get(text)
        if seen is None:
            if len(wordings) >= MAX_WORDINGS:
                continue
            seen = wordings[text] = _Lines(line)
        seen.add(line)
        read += 1
    return Mined(tuple(_patterns(resource, wordings)), read=read, given=len(lines))


def masked(message: str) -> str:
    """A message as it is mined: without secrets, with masks for what varies, on one line."""
    return " ".join(_MASKS.sub(_mask, redact_text(message[:LONGEST])).split())


def _mask(found: Any) -> str:
    return f"<{found.lastgroup}>"


class _Lines:
    """Lines of one wording."""

    __slots__ = ("count", "example", "first", "last")

    def __init__(self, line: LogLine) -> None:
        self.count, self.first, self.last, self.example = 0, line, line, line

    def add(self, line: LogLine) -> None:
        self.count += 1
        if line.timestamp < self.first.timestamp:
            self.first = line
        if line.timestamp > self.last.timestamp:
            self.last = line


def _patterns(resource: ResourceId, wordings: dict[str, _Lines]) -> Iterator[LogPattern]:
    """Wordings that differ in a word or two become one pattern; its count is that of all of them."""
    miner: Any = _miner()
    of: dict[int, list[_Lines]] = {}
    templates: dict[int, str] = {}
    for text, seen in wordings.items():
        found = miner.add_log_message(text)
        cluster = int(found["cluster_id"])
        templates[cluster] = str(found["template_mined"])
        of.setdefault(cluster, []).append(seen)
    for cluster, some in sorted(of.items(), key=lambda item: (-sum(s.count for s in item[1]), item[0])):
        first, last = min(s.first.timestamp for s in some), max(s.last.timestamp for s in some)
        example = some[0].example
        yield LogPattern(
            resource=resource,
            template=templates[cluster],
            count=sum(s.count for s in some),
            severity=_worst(s.example.severity for s in some),
            first=first,
            last=last,
            example=redact_text(example.message[:LONGEST]),
        )


_SEVERITIES = ("FATAL", "ERROR", "WARN", "INFO", "DEBUG")


def _worst(said: Iterable[str]) -> str:
    found = {s.upper() for s in said}
    return next((s for s in _SEVERITIES if s in found), "")


def _miner() -> "TemplateMiner":
    from drain3 import TemplateMiner  # noqa: PLC0415  an extra
    from drain3.template_miner_config import TemplateMinerConfig  # noqa: PLC0415

    settings = TemplateMinerConfig()
    settings.drain_max_clusters = MAX_CLUSTERS
    settings.drain_sim_th = 0.5
    settings.drain_depth = 4
    settings.drain_max_children = 100
    settings.parametrize_numeric_tokens = False  # masked already
    settings.masking_instructions = []
    settings.profiling_enabled = False
    return TemplateMiner(config=settings)


def expression_of(template: str) -> str:
    """A regular expression that finds the lines of a pattern, to be cited: words as they stand, `.*?` for what varies."""
    parts = _VARIABLE.split(template)
    return r".*?".join(_SPACES.sub(r"\\s+", _literal(part)) for part in parts)


_VARIABLE = pattern(r"<(?:\*|uuid|time|ip|email|id|number)>")
_SPACES = pattern(r"\s+")


def _literal(text: str) -> str:
    return "".join(f"\\{c}" if c in r".^$*+?{}[]\|()" else c for c in text)
