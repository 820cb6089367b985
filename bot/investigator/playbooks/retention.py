"""Messages, objects, logs or backups that are kept for a shorter time, against the age at which they are still needed."""

import re
from collections.abc import Iterator
from datetime import date

from bot.investigator.asking import Reading, edge, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.widened_rules import widened_chains
from bot.investigator.facts.kept_in import (
    greatest_age,
    is_about,
    is_store_kind,
    is_watched_by_people,
    reader_between_runs,
    store_of_line,
)
from bot.investigator.facts.taken_ages import taken_age
from bot.investigator.playbook import PlaybookInfo
from context_graph.readings import log_window, matching
from gonogo.evidence import LogEvidence, MetricEvidence
from gonogo.resource import Relation, Resource, SettingChange
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.stateful.retention import DAY_S, LINE_KIND, Shortened, shortened

INFO = PlaybookInfo(id="retention", question="How old is the oldest thing that is still needed?")

_MONTH = r"(?<!\d)(?P<month>20\d\d[-/]?(?:0[1-9]|1[0-2]))(?!\d)"
_DAY = r"(?<!\d)(?P<day>20\d\d[-/](?:0[1-9]|1[0-2])[-/](?:0[1-9]|[12]\d|3[01]))(?!\d)"
_READ = r"(?i)\b(GET|read|download|open|fetch)"


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a setting that keeps less."""
    for found in shortened(case.diff):
        if found.change.declared.kind == LINE_KIND and not _is_known(case, found):
            continue  # a word like `retention` says little where no store is known
        if not found.is_switch and found.change.declared.kind == "aws.logs.group":
            continue  # logs that go are missed by people, not by what runs
        yield _chain(case, found)
    yield from widened_chains(case, _live)


def _is_known(case: Case, found: Shortened) -> bool:
    live = _live(case, found.change)
    return live is not None and is_about(case, found.change.key, live) and not is_watched_by_people(live)


def _chain(case: Case, found: Shortened) -> Trajectory:
    change = found.change
    declared = change.declared
    live = _live(case, found.change)
    name = live.name if live else declared.name or declared.address
    at = change.place
    lines = (quote(case, at.file, at.line),) if at.side == "head" else quote_removed(case, at.file, at.line)
    resource = ResourceId(live.id) if live else case.repository
    users = [e for e in case.into(live.id) if e.relation not in (Relation.DEPLOYS_TO, Relation.OWNED_BY)] if live else []
    used = [edge(case, e.source, e.target, e.relation) for e in users[:2]]
    deployed = edge(case, case.repository, resource, Relation.DEPLOYS_TO)
    old = _span(found.old_s) if found.old_s is not None else "for ever or the provider's default"
    last = _harm(case, found, live, name)
    return Trajectory(
        title=f"{name} deletes what is still needed after {_span(found.new_s)}" if not found.is_switch else f"{name} can no longer bring back what was deleted",
        impact=Impact.MEDIUM if found.is_switch or "backup" in change.key else Impact.HIGH,
        resource=resource,
        metric=_metric(found, last),
        links=(
            trigger(f"`{change.key}` of {name} goes from {old} to {_span(found.new_s)}" if not found.is_switch else f"`{change.key}` of {name} is switched off", *lines),
            mechanism(f"what is older than {_span(found.new_s)} is deleted and cannot be read again" if not found.is_switch else "a mistaken delete or overwrite is final", *lines),
            exposure(f"{name} is in use" + (f" by {', '.join(e.source.rsplit('/', 1)[-1] for e in users[:2])}" if users else ""), *used, deployed)
            if live
            else unknown(Role.EXPOSURE, f"{name} is in use", f"Does {name} exist in production?", f"aws resourcegroupstaggingapi get-resources | grep {name}"),
            last,
        ),
        make_safe=f"Keep it longer than the oldest thing that was still read in a month; until that is measured, {old}.",
        path=tuple(dict.fromkeys((resource, *(ResourceId(e.source) for e in users[:2]), *(e.resource for e in last.evidence if isinstance(e, LogEvidence | MetricEvidence))))),
        undo=f"Set it back to {old}; what was deleted meanwhile is lost.",
    )  # fmt: skip


def _harm(case: Case, found: Shortened, live: Resource | None, name: str) -> Link:
    age = _age(case, live) if live and not found.is_switch else None
    if age is None and live and not found.is_switch:
        age = taken_age(case, live, _prefix(found), found.new_s)
    between = reader_between_runs(case, live, found.new_s) if age is None and live and not found.is_switch else None
    if between is not None:
        age = between[1], f"{between[0].name} takes it by its schedule, so what it takes"
    if age is None:
        asked = {
            "message": f"aws cloudwatch get-metric-statistics --metric-name ApproximateAgeOfOldestMessage … Maximum  -- of {name}, 14 days",
            "backup": "how far back did the last restores go?",
        }
        query = next(
            (q for word, q in asked.items() if word in found.change.key),
            f"access log of {name}: reads by age of the object, 30 days",
        )
        return unknown(
            Role.HARM,
            f"something older than {_span(found.new_s)} is still needed",
            f"How old is the oldest thing of {name} that is still read?",
            query,
        )
    reading, how = age
    return harm(
        f"{how} is up to {_span(reading.value)} old" + (f", more than {_span(found.new_s)}: the rest is deleted unseen" if reading.value > found.new_s else ""),
        reading, comparison=compare(reading.value, ">", found.new_s, "s"),
    )  # fmt: skip


def _prefix(found: Shortened) -> str:
    """The prefix that the rule of the changed setting is for; empty when it is for everything, or not read."""
    declared, key = found.change.declared, found.change.key
    line = found.change.new.line if found.change.new else 0
    same = [k for k, s in declared.settings.items() if s.line == line and k.endswith(f".{key}")]
    for stem in (k.rpartition(".")[0] for k in (key, *same)):
        for name in (f"{stem}.prefix", f"{stem}.filter.prefix"):
            setting = declared.settings.get(name.lstrip("."))
            if setting is not None and isinstance(setting.value, str):
                return setting.value
    return ""


def _age(case: Case, live: Resource) -> tuple[Reading, str] | None:
    """The greatest age in seconds of something that was still waiting or read, and what it is."""
    waiting = greatest_age(case, live)
    if waiting is not None:
        return waiting, "what waits"
    return _read_age(case, live)


def _read_age(case: Case, live: Resource) -> tuple[Reading, str] | None:
    """Reads in the access log that name the month or day of what they read; a month counts from its last day."""
    lines = [line for line in case.production.logs if line.resource == live.id]
    window = log_window(lines)
    if window is None:
        return None
    oldest: tuple[float, str, int] | None = None
    for tried, field in ((_DAY, "day"), (_MONTH, "month")):
        found = matching(lines, rf"{_READ}.*?{tried}", window)
        for match in found:
            end = _last_day(match[field])
            age = (window.end.date() - end).days * DAY_S if end else 0
            if age > 0 and (oldest is None or age > oldest[0]):
                oldest = (age, re.escape(match[field]), 1)
    if oldest is None:
        return None
    tried = rf"{_READ}.*?{oldest[1]}"
    count = len(matching(lines, tried, window))
    cited = LogEvidence(resource=ResourceId(live.id), pattern=tried, count=count, window=window)
    case.asked.append(f"logs of {live.id} matching /{tried}/")
    return Reading(oldest[0], "s", cited), "the oldest object that is still read"


def _last_day(text: str) -> date | None:
    digits = re.sub(r"\D", "", text)
    year, month = int(digits[:4]), int(digits[4:6])
    if len(digits) >= 8:
        try:
            return date(year, month, int(digits[6:8]))
        except ValueError:
            return None
    return date(year + month // 12, month % 12 + 1, 1)


def _live(case: Case, change: SettingChange) -> Resource | None:
    """The resource itself, or the bucket that a lifecycle configuration of its own names."""
    if change.declared.kind == LINE_KIND:
        return store_of_line(case, change.declared.file, change.declared.line)
    live = case.diff.live_of(change.declared)
    if live is None and is_store_kind(change.declared.kind):
        return store_of_line(case, change.place.file, change.place.line)
    named = next(
        (change.declared.settings[k].value for k in ("bucket", "storage_account_id") if k in change.declared.settings), None
    )
    if live is None and named is not None:
        same = [
            a.resource
            for a in case.affected
            if (r := case.production.resource(a.resource))
            and r.kind in ("aws.s3.bucket", "azure.storage.account")
            and r.name == named
        ]
        live = same[0] if len(same) == 1 else None
    return case.production.resource(live) if live else None


def _metric(found: Shortened, last: Link) -> str:
    read = next((e.metric for e in last.evidence if isinstance(e, MetricEvidence)), None)
    return read or ("ApproximateAgeOfOldestMessage" if "message" in found.change.key else "data kept")


def _span(seconds: float) -> str:
    for size, unit in ((DAY_S, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}{'' if seconds == size else 's'}"
    return f"{seconds:.3g} s"
