"""A rule that deletes old things and reaches more of them than before: are things of that age still read?"""

from collections.abc import Callable, Iterator

from bot.investigator.asking import Reading, config, edge, metric, quote, quote_changes
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.contents import contents_of
from bot.investigator.facts.taken_ages import taken_age
from gonogo.evidence import LogEvidence, MetricEvidence
from gonogo.pattern import pattern
from gonogo.resource import Relation, Resource, SettingChange
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.stateful.widened import Widened, widened

_READS = (
    pattern(r"(?i)GetRequests|AllRequests|.*(get|read|download)_?(object_?)?(requests|count|ops).*|.*received_bytes_count.*"),
)


def widened_chains(case: Case, live_of: Callable[[Case, SettingChange], Resource | None]) -> Iterator[Trajectory]:
    """One chain a rule that deletes more."""
    for found in widened(case.diff):
        yield _chain(case, found, live_of(case, found.change))


def _chain(case: Case, found: Widened, live: Resource | None) -> Trajectory:
    declared = found.change.declared
    name = live.name if live is not None else declared.name or declared.address
    lines = quote_changes(case, found.change)
    age = declared.settings.get(f"{found.rule}.expiration_days")
    until = quote(case, age.file or declared.file, age.line) if age is not None else None
    resource = ResourceId(live.id) if live is not None else case.repository
    users = [e for e in case.into(live.id) if e.relation not in (Relation.DEPLOYS_TO, Relation.OWNED_BY)] if live else []
    days = f"{found.new_s / 86_400:g} days"
    what = f"everything under `{found.added}`" if found.added else "everything"
    was = (
        "switched off"
        if found.was_off
        else f"for `{'`, `'.join(found.before)}` only"
        if any(found.before)
        else "for fewer things"
    )
    held = contents_of(case, live) if live is not None else None
    last = _harm(case, found, live, name, days)
    return Trajectory(
        title=f"{name} deletes {what} that is older than {days}",
        impact=Impact.HIGH,
        resource=resource,
        metric="data kept",
        links=(
            trigger(f"the rule that deletes after {days} was {was} and is for {what} now", *lines),
            mechanism(f"what lies in {name} for more than {days} is deleted" + _versions(case, live), *lines, until),
            exposure(
                f"{name} holds {held.value:,.0f} {'bytes' if held.unit == 'B' else 'things'}" if held is not None else f"{name} is in use",
                held, *(edge(case, e.source, e.target, e.relation) for e in users[:2]), edge(case, case.repository, resource, Relation.DEPLOYS_TO),
            )
            if live is not None
            else unknown(Role.EXPOSURE, f"{name} is in use", f"Does {name} exist in production?", f"aws s3api head-bucket --bucket {name}"),
            last,
        ),
        make_safe="Add a second rule with its own prefix instead of a wider one, and list what it would delete first.",
        path=tuple(dict.fromkeys((resource, *(ResourceId(e.source) for e in users[:2]), *(e.resource for e in last.evidence if isinstance(e, LogEvidence | MetricEvidence))))),
        undo="Narrow the rule again; what was deleted meanwhile comes back from old versions or a backup only.",
    )  # fmt: skip


def _versions(case: Case, live: Resource | None) -> str:
    kept = config(case, live.id, "versioning") if live is not None else None
    return " for good: old versions are not kept" if kept is not None and kept.value in (False, "Disabled", "Suspended") else ""


def _harm(case: Case, found: Widened, live: Resource | None, name: str, days: str) -> Link:
    but = found.before[0] if len(found.before) == 1 else ""
    age = taken_age(case, live, found.added, found.new_s, but=but) if live is not None else None
    held = contents_of(case, live) if live is not None else None
    if age is not None:
        reading, how = age
        return harm(
            f"{how} is up to {reading.value / 86_400:,.3g} days old" + (f", more than {days}" if reading.value > found.new_s else ""),
            reading, comparison=compare(reading.value, ">", found.new_s, "s"),
        )  # fmt: skip
    reads: Reading | None = metric(case, live.id, _READS, "max") if live is not None else None
    if held is not None and held.value == 0:
        return harm(f"{name} holds things that would be deleted", held, comparison=compare(held, ">", 0))
    return unknown(
        Role.HARM, f"things older than {days} are still read", f"How old is the oldest thing of {name} that is still read?",
        f"access log or inventory of {name}: reads by age of the object, 30 days", held, reads,
    )  # fmt: skip
