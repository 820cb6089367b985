"""Something that was taken piece by piece and is now held in memory whole, against the memory of the program."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, base_unit, number, quote, quote_place, quote_removed, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.item_sizes import greatest_item
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.runners import runners
from bot.investigator.playbook import PlaybookInfo
from gonogo.context import Statistic
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.hot.whole_reads import WholeRead, whole_reads
from heuristics.limits.raised_heaps import container_mib

INFO = PlaybookInfo(id="whole-read", question="Does the biggest thing that it reads fit into its memory?")

_MIB = 1024.0**2
_LIMITS = ("memory_limit_mib", "memory_mib", "memory_mb", "memory_limit_mb", "mem_limit_mib", "memory")
_USED = pattern(r"(?i).*(memory|mem|rss|working_?set).*")
_NOT_USED = pattern(r"(?i).*(limit|request|free|available|swap|cache|heap|failcnt|reserv|container_memory_max).*")
_PARSED = 10.0
"""What rows and objects of a parser take at the most, as a multiple of the bytes that they were read from."""
_AT_ONCE = 8.0
"""How many are held at the same time where nothing says it."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a function, when it is known what runs it."""
    for found in case.diff.once(whole_reads):
        programs = runners(case, found.place.file)
        if len(programs) == 1:
            yield _chain(case, found, programs[0])


def _chain(case: Case, found: WholeRead, program: Resource) -> Trajectory:
    line = quote_place(case, found.place)
    gone = quote_removed(case, found.place.file, found.base_line)
    size = greatest_item(case, program)
    rate = request_rate(case, program.id)
    claim = f"{program.name} runs this code in production"
    return Trajectory(
        title=f"{program.name} holds whole files in memory and is killed",
        impact=Impact.HIGH,
        resource=ResourceId(program.id),
        metric="memory",
        links=(
            trigger(f"{found.function} no longer reads piece by piece", gone[0], line),
            mechanism("all of it is held in memory at once" + (", and what is parsed from it too" if found.is_parsed else ""), line, *gone[1:]),
            exposure(f"{claim}, and takes up to {_in_words(size.value)} at once", size, rate)
            if size is not None
            else unknown(Role.EXPOSURE, claim, "How big is the biggest thing that it reads?", f"the sizes of what {program.name} reads, 14 days"),
            _harm(case, program, size, is_parsed=found.is_parsed),
        ),
        make_safe="Keep reading in pieces, or refuse what is bigger than the memory allows before it is read.",
        path=tuple(dict.fromkeys((ResourceId(program.id), *([size.evidence.resource] if size is not None else [])))),
        undo="Deploy the version before; what was cut off has to be read again.",
    )  # fmt: skip


def _harm(case: Case, program: Resource, size: Reading | None, *, is_parsed: bool) -> Link:
    limit, said = _limit(case, program)
    if size is not None and limit is not None:
        usual, peak = _used(case, program, "p50", limit), _used(case, program, "max", limit)
        base = usual.value if usual is not None else 0.0
        least = size.value + base
        together = number(case, program.id, "container_concurrency", "concurrency", "max_concurrency", "threads")
        at_once = (
            together.value if together is not None and together.value >= 1 else 1.0 if "lambda" in program.kind else _AT_ONCE
        )
        most = size.value * at_once * (_PARSED if is_parsed else 2.0) + (peak.value if peak is not None else limit)
        says = f"one of {_in_words(size.value)} and the {_in_words(base)} in use need more than the {_in_words(limit)} of {program.name}"
        if least > limit:
            return harm(says, size, usual, said, comparison=compare(round(least), ">", round(limit), "B"))
        if most <= limit:
            says = f"{at_once:g} at once, parsed, and what is in use today need at most {_in_words(most)} of {_in_words(limit)}"
            return harm(says, size, peak, together, said, comparison=compare(round(most), ">", round(limit), "B"))
    what = _in_words(limit) if limit is not None else "the memory"
    question = f"How much memory does the biggest thing that {program.name} reads take?"
    query = f"the sizes of what {program.name} reads and its memory at the peak, 14 days; or read the biggest one in a test"
    return unknown(Role.HARM, f"it needs more than {what} of {program.name}", question, query, size, said)


def _limit(case: Case, program: Resource) -> tuple[float | None, Evidence | None]:
    live = number(case, program.id, *_LIMITS)
    if live is not None and live.value > 0:
        return live.value * _MIB, live.evidence
    declared = container_mib(case.diff)
    if declared is None:
        return None, None
    return declared[0] * _MIB, quote(case, declared[1].file, declared[1].line, side=declared[1].side)


def _used(case: Case, program: Resource, statistic: Statistic, limit: float) -> Reading | None:
    """Memory in use in bytes; a percentage is of the limit."""
    found: list[Reading] = []
    for series in case.production.series_of(program.id):
        if not _USED.fullmatch(series.metric) or _NOT_USED.fullmatch(series.metric):
            continue
        reading = statistic_reading(series, statistic)
        factor = {"B": 1.0, "%": limit / 100}.get(base_unit(series)[1])
        if reading is not None and factor is not None and reading.value * factor <= limit * 1.05:
            found.append(Reading(reading.value * factor, "B", reading.evidence))
    return max(found, key=lambda r: r.value, default=None)


def _in_words(size: float) -> str:
    for unit, factor in (("GiB", 1024.0**3), ("MiB", _MIB), ("KiB", 1024.0)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size:.0f} bytes"
