"""How big the things are that a program takes whole: files, objects, bodies, messages; in bytes, from metrics and logs."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, base_unit, captures, statistic_reading
from bot.investigator.case import Case
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource

_SIZE = pattern(
    r"(?i).*(import|export|object|file|blob|upload|download|payload|body|message|input|attachment|document|report|request|response|content|record|batch|archive|image|video|item|csv|feed)"
    r"\w*(bytes|size|length)(_bytes)?([.{/_].*)?|.*\b(bytes|size)_per_(file|object|import|message|request|upload)([.{].*)?"
)
_NOT_ONE = pattern(
    r"(?i).*(memory|heap|disk|volume|bucketsize|total_?size|per_?second|persec|\brate\b|network|bytes_?(in|out|sent|received)$|(sent|received|in|out)_?bytes$|storage|table|queue|cache|log).*"
)
_BYTES = r"(?:bytes|content_?length|(?:object|file|body|payload)_?size|size_?(?:in_?)?bytes|length_?bytes)"
_IN_UNITS = r"(?:(?:object|file|body|payload)_?)?(?:size|length)_?(?:in_?)?"
_ABOUT = r"(?=.*(?:object|file|import|download|upload|blob|attachment|document|s3://|gs://|\bkey\b))"
_UNITS = (("kb", 1e3), ("kib", 1024.0), ("mb", 1e6), ("mib", 1024.0**2), ("gb", 1e9), ("gib", 1024.0**3))
_TAKES = (Relation.READS_FROM, Relation.CONNECTS_TO, Relation.DEPENDS_ON)


def greatest_item(case: Case, program: Resource) -> Reading | None:
    """The biggest single thing that was measured at the program, or at what it reads from, in bytes; None when none was."""
    return max(_sizes(case, program), key=lambda r: r.value, default=None)


def _sizes(case: Case, program: Resource) -> Iterator[Reading]:
    yield from _measured(case, program.id)
    yield from _logged(case, program.id)
    sources = [e.target for e in case.out_of(program.id, *_TAKES)] + [e.source for e in case.into(program.id, Relation.TRIGGERS)]
    for source in dict.fromkeys(sources):
        yield from _measured(case, source)


def _measured(case: Case, resource: str) -> Iterator[Reading]:
    case.asked.append(f"sizes of single objects or messages at {resource}")
    for series in case.production.series_of(resource):
        name = series.metric.rsplit("/", 1)[-1]
        if _SIZE.fullmatch(name) and not _NOT_ONE.fullmatch(name) and base_unit(series)[1] == "B":
            reading = statistic_reading(series, "max")
            if reading is not None:
                yield reading


def _logged(case: Case, resource: str) -> Iterator[Reading]:
    for field, factor in ((_BYTES, 1.0), *((_IN_UNITS + unit, factor) for unit, factor in _UNITS)):
        tried = rf"(?i)^{_ABOUT}(?:.*[^\w])?{field}[\"']?\s?[=:]\s?[\"']?(?P<size>\d{{1,15}}(?:\.\d{{1,6}})?)(?![\w.])"
        reading = captures(case, resource, tried, "size", "max", factor=factor, unit="B")
        if reading is not None:
            yield reading
