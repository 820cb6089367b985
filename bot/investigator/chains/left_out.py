"""Which messages a new filter leaves out: what publishers were seen to send, held against the old filter and the new."""

import re
from collections.abc import Iterator, Mapping, Sequence

from bot.investigator.asking import Reading, log_count, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism
from bot.investigator.facts.consumers import readers_of
from bot.investigator.facts.traffic import dimensions_of, per_second, statistic_reading
from gonogo.evidence import FileEvidence, LogEvidence
from gonogo.resource import Declared, Relation, Resource
from gonogo.trajectory import Link, Refutation
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.delivery import RemovedConsumer
from heuristics.delivery.filters import Allowed, filter_of, lets_through

_SEEN_ENOUGH = 5
_SHOWN_SAFE = 20


def settle_filter(
    case: Case, lost: RemovedConsumer, source: Resource | None, program: Resource | None, arriving: Reading | None
) -> list[Link] | None:
    """Links that confirm or refute; None when nothing that was read says what is sent."""
    before, after = _declared(case, lost)
    if before is None or after is None:
        return None
    old, new = filter_of(before), filter_of(after)
    changed = [f for f in dict.fromkeys((*old, *new)) if set(old.get(f, ())) != set(new.get(f, ()))]
    if not new or not changed:
        return None
    if set(new) <= set(old) and all(set(old[f]) <= set(new.get(f, old[f])) for f in changed):
        at = quote(case, lost.place.file, lost.place.line)
        claim = f"{lost.name} would no longer see what the filter leaves out; the new filter takes all that the old one took"
        return [harm(claim, refuting=(at,), refutation=Refutation.UNCHANGED)]
    for resource in _senders(case, source, program):
        for field in changed:
            found = _held(
                case, lost, resource, field, old.get(field, ()), new.get(field, ()), arriving, is_only=len(changed) == 1
            )
            if found:
                return found
    behind = arriving if arriving is not None and program is not None and arriving.evidence.resource == program.id else None
    return _by_code(case, lost, changed, old, new, behind)


def _held(
    case: Case, lost: RemovedConsumer, resource: str, field: str, old: Sequence[Allowed], new: Sequence[Allowed], arriving: Reading | None, *, is_only: bool
) -> list[Link]:  # fmt: skip
    """One field of the filter against the values that one resource was seen to send."""
    if not new:
        return []
    seen = _values(case, resource, field)
    passed = {v: n for v, n in seen.items() if not old or lets_through(old, v)}
    kept = {v: n for v, n in passed.items() if lets_through(new, v)}
    gone = [v for v in passed if v not in kept]
    if (
        gone
        and not any(lets_through(new, v) for v in seen)
        and sum(passed.values()) >= _SEEN_ENOUGH
        and not _is_new_in_code(case, new)
    ):
        cited = _lines(case, resource, field, gone)
        name = case.production.resource(resource) or resource
        label = name.name if isinstance(name, Resource) else name
        shown = ", ".join(gone[:4])
        links: list[Link] = [
            mechanism(f"{label} sends {field} {shown}; the new filter takes {_told(new)} and matches none of it", cited, *_published(case, field))
        ]  # fmt: skip
        if arriving is not None:
            daily = round(arriving.value * 86_400, 3)
            links += [
                exposure(f"{lost.name} gets messages {per_second(arriving.value)} on average", arriving),
                harm(f"none of {daily:,.0f} messages a day arrives any more, and nothing fails", arriving, cited, comparison=compare(daily, ">", 0, "messages a day")),
            ]  # fmt: skip
        elif cited is not None:
            links.append(harm("nothing arrives any more, and nothing fails", cited, comparison=compare(cited.count, ">", 0, "sampled messages")))  # fmt: skip
        return links if arriving is not None or cited is not None else []
    if passed and not gone and is_only and sum(passed.values()) >= _SHOWN_SAFE:
        cited = _lines(case, resource, field, list(passed))
        claim = f"messages that reach {lost.name} today would be left out; the new filter takes every {field} that was seen ({', '.join(list(passed)[:5])})"
        return [harm(claim, refuting=(cited,))] if cited is not None else []
    return []


def _by_code(
    case: Case, lost: RemovedConsumer, changed: Sequence[str], old: Mapping[str, Sequence[Allowed]], new: Mapping[str, Sequence[Allowed]], arriving: Reading | None
) -> list[Link] | None:  # fmt: skip
    """The code of the publisher spells the old values out and the new ones nowhere."""
    if arriving is None or arriving.value <= 0:
        return None
    for field in changed:
        before = [w.value for w in old.get(field, ()) if w.operator == "equals"]
        after = new.get(field, ())
        if not before or not after or any(w.operator != "equals" for w in after) or any(lets_through(after, v) for v in before):
            continue
        spelled = _places(case, before)
        if not spelled or _is_new_in_code(case, after):
            continue
        daily = round(arriving.value * 86_400, 3)
        return [
            mechanism(f"code sends {field} {', '.join(before[:4])}; the new filter takes {_told(after)}, which no code sends", *spelled[:2]),
            exposure(f"{lost.name} gets messages {per_second(arriving.value)} on average", arriving),
            harm(f"none of {daily:,.0f} messages a day arrives any more, and nothing fails", arriving, comparison=compare(daily, ">", 0, "messages a day")),
        ]  # fmt: skip
    return None


# -- facts ----------------------------------------------------------------------------------------------


def _declared(case: Case, lost: RemovedConsumer) -> tuple[Declared | None, Declared | None]:
    if lost.tie is None:
        return None, None
    joiner = lost.tie.joiner
    head = case.diff.declared["head"].resources
    return joiner, next((d for d in head if d.kind == joiner.kind and d.address == joiner.address), None)


def _senders(case: Case, source: Resource | None, program: Resource | None) -> list[str]:
    """Who publishes, the source, what takes: nearest to the sender first."""
    found: list[str] = []
    if source is not None:
        found += [e.source for e in case.into(source.id, Relation.PUBLISHES_TO, Relation.WRITES_TO)]
        found.append(source.id)
    if program is not None:
        found += [program.id, *readers_of(case, program.id)]
    return list(dict.fromkeys(found))


def _pattern(field: str, values: Sequence[str] = ()) -> str:
    word = "[-_]?".join(re.escape(part) for part in field.split("_"))
    value = "|".join(re.escape(v) for v in values) if values else r"[\w.:/-]+"
    return rf"(?i)(?<![\w-]){word}[\"']?\s*[=:]\s*[\"']?(?P<v>{value})(?![\w.:/-])"


def _values(case: Case, resource: str, field: str) -> dict[str, int]:
    """Value → how often it was seen, in sampled lines and in the dimensions of metrics."""
    pattern = re.compile(_pattern(field))
    found: dict[str, int] = {}
    for line in case.production.logs:
        match = pattern.search(line.message[:4_000]) if line.resource == resource else None
        if match is not None:
            found[match["v"]] = found.get(match["v"], 0) + 1
    for series in case.production.series_of(resource):
        values = [v for k, v in dimensions_of(series.metric).items() if k.replace("-", "_") == field.lower()]
        reading = statistic_reading(series, "mean") if values else None
        if reading is not None and reading.value > 0:
            found[values[0]] = found.get(values[0], 0) + _SHOWN_SAFE
    case.asked.append(f"values of {field} that {resource} was seen with")
    return found


def _lines(case: Case, resource: str, field: str, values: Sequence[str]) -> LogEvidence | None:
    return log_count(case, resource, _pattern(field, values[:20]))


def _published(case: Case, field: str) -> Iterator[FileEvidence]:
    """The line of code that sets the field of what is sent."""
    for place in _code_places(case, [field])[:1]:
        yield quote(case, *place)


def _places(case: Case, values: Sequence[str]) -> list[FileEvidence]:
    return [quote(case, *place) for place in _code_places(case, values) if _quoted(case, place, values)]


def _is_new_in_code(case: Case, ways: Sequence[Allowed]) -> bool:
    """Whether code at head spells one of the new values: the publisher may send it from now on."""
    values = [w.value for w in ways if w.operator == "equals"]
    return any(_quoted(case, place, values) for place in _code_places(case, values))


def _code_places(case: Case, values: Sequence[str]) -> list[tuple[str, int]]:
    return [
        (p.file, p.line)
        for places in (case.diff.head.search(values).values() if values else ())
        for p in places
        if is_production_code(p.file) and language_of(p.file) in CODE_LANGUAGES
    ]


def _quoted(case: Case, place: tuple[str, int], values: Sequence[str]) -> bool:
    lines = (case.diff.head.text(place[0]) or "").split("\n")
    line = lines[place[1] - 1] if place[1] <= len(lines) else ""
    return any(re.search(rf"[\"'`:]{re.escape(v)}(?![\w.-])", line) for v in values)


def _told(ways: Sequence[Allowed]) -> str:
    return ", ".join(w.value if w.operator == "equals" else f"{w.operator} {w.value}" for w in ways[:5])
