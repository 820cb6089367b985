"""When a model's comparison counts as computed.

The limit is a number on a line that this change writes, the figure held against it is a reading of the same kind from the same
resource, and both are cited. Everything else stays a question.
"""

import re

from bot.investigator.case import Case
from bot.investigator.drafts import DraftLink, DraftTrajectory
from context_graph.readings import same_number
from gonogo.evidence import Evidence, FileEvidence, MetricEvidence
from gonogo.record import Record
from gonogo.trajectory import Comparison, Role


class Pair(Record):
    """A kind of metric and the words by which a line sets its limit, with the statistics that make a steady reading."""

    metric: str
    limit: str
    statistics: tuple[str, ...]
    units: tuple[tuple[str, float], ...]
    """Unit of the metric → factor to the base unit."""
    written: tuple[tuple[str, float], ...] = ()
    """Words on the line → factor of its number to the base unit; the last entry is what a bare number means."""


_SECONDS = (("seconds", 1.0), ("second", 1.0), ("s", 1.0), ("milliseconds", 1e-3), ("ms", 1e-3), ("microseconds", 1e-6))
_BYTES = (("bytes", 1.0), ("kilobytes", 1e3), ("megabytes", 1e6), ("mib", 2.0**20), ("mebibytes", 2.0**20), ("gigabytes", 1e9), ("gib", 2.0**30))  # fmt: skip
_WRITTEN_SECONDS = ((r"milli|(?:_|\b|\d)ms\b|[a-z]Ms\b", 1e-3), (r"minute|\dm\b", 60.0), ("", 1.0))
_WRITTEN_BYTES = ((r"\dGi?B?\b|gib|gigabyte", 2.0**30), ("", 2.0**20))
_COUNTS = (("count", 1.0), ("", 1.0), ("none", 1.0))

PAIRS: tuple[Pair, ...] = (
    Pair(r"duration|latency|response_?time", r"time_?-?out", ("p50", "p95", "p99", "mean"), _SECONDS, _WRITTEN_SECONDS),
    Pair(r"age_?of_?oldest|message_?age", r"retention|visibility|ttl", ("p50", "p95", "p99", "mean"), _SECONDS, _WRITTEN_SECONDS),
    Pair(r"memory", r"memory|heap", ("p95", "p99", "max"), _BYTES, _WRITTEN_BYTES),
    Pair(r"concurren|in_?flight", r"concurren", ("p95", "p99", "max"), _COUNTS),
    Pair(r"connections", r"connections|pool", ("p95", "p99", "max"), _COUNTS),
    Pair(r"replicas|running_?tasks|desired", r"replicas|max_?(?:size|capacity|count)", ("p95", "p99", "max"), _COUNTS),
)
"""Which reading may be held against which setting."""

_NUMBER = re.compile(r"(?<![\w.])\d+(?:[_,]\d{3})*(?:\.\d+)?")


def is_borne_out(comparison: Comparison, link: DraftLink, draft: DraftTrajectory, case: Case) -> bool:
    """Whether both figures stand in citations of the chain, are of one kind, and the harmful side is the larger one."""
    if link.role is not Role.HARM or comparison.operator not in (">", ">="):
        return False
    readings = [e for e in link.evidence if isinstance(e, MetricEvidence) and e.resource == draft.resource]
    lines = [e for each in draft.links for e in each.evidence if isinstance(e, FileEvidence) and _writes(e, case)]
    return any(_is_pair(comparison, reading, line, pair) for reading in readings for line in lines for pair in PAIRS)


def _is_pair(comparison: Comparison, reading: MetricEvidence, line: FileEvidence, pair: Pair) -> bool:
    """The figure is the reading and the limit is the number that the line sets, both on one scale."""
    factor = dict(pair.units).get(reading.unit.lower())
    setting = re.search(pair.limit, line.quote, re.IGNORECASE)
    if factor is None or setting is None or reading.statistic not in pair.statistics:
        return False
    number = _NUMBER.search(line.quote, setting.end())
    if number is None or not re.search(pair.metric, reading.metric, re.IGNORECASE):
        return False
    written = next((f for words, f in pair.written if re.search(words, line.quote)), 1.0)
    limit = float(number[0].replace("_", "").replace(",", "")) * written
    return any(
        same_number(comparison.observed * scale, reading.value * factor) and same_number(comparison.limit * scale, limit)
        for scale in (factor, 1.0)
    )


def _writes(evidence: Evidence, case: Case) -> bool:
    """Whether the citation is one line that this change adds."""
    if not isinstance(evidence, FileEvidence) or evidence.side != "head" or evidence.end_line is not None:
        return False
    file = case.diff.changes.file(evidence.file)
    return file is not None and evidence.line in file.added_lines()
