"""An alarm that is removed: does another live one ring for the same, as early, for the same people?"""

from collections.abc import Iterator
from dataclasses import replace

from bot.investigator.asking import config, edge, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.playbook import PlaybookInfo
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.surface.alarms import ALARM_KIND, RemovedAlarm, Watch, removed_alarms, watches_of

INFO = PlaybookInfo(id="removed-alarm", question="Does another alarm ring for the same, as early, for the same people?")


class _Other(Record):
    """A live alarm on the same metric."""

    resource: Resource
    watch: Watch


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain an alarm that goes. It is never confirmed: a page that nobody gets harms nobody by itself."""
    removed = case.diff.once(removed_alarms)
    going = {live.id for one in removed if not one.is_part and (live := case.live_of(one.declared)) is not None}
    names = {one.declared.name for one in removed if one.declared.name and not one.is_part}
    for one in removed:
        live = case.live_of(one.declared) or _by_name(case, one)
        watches = one.watches
        if live is not None and not one.is_part:
            watches = _with_manifest(tuple(watches_of(live.attributes)), one.watches)
        if not watches:
            continue
        others = [
            o for o in _live_alarms(case) if o.id not in going and (live is None or o.id != live.id) and o.name not in names
        ]
        yield _chain(case, one, live, watches, others)


def _with_manifest(live: tuple[Watch, ...], declared: tuple[Watch, ...]) -> tuple[Watch, ...]:
    """What runs, with the direction from the manifest where the provider's answer leaves it out."""
    if len(live) != len(declared):
        return live or declared
    return tuple(
        replace(a, is_above=b.is_above if a.is_above is None else a.is_above) for a, b in zip(live, declared, strict=True)
    )


def _by_name(case: Case, removed: RemovedAlarm) -> Resource | None:
    name = removed.declared.name
    found = [r for r in _live_alarms(case) if r.name == name and r.kind == removed.declared.kind]
    return found[0] if name and len(found) == 1 else None


def _live_alarms(case: Case) -> list[Resource]:
    return [r for a in case.affected if (r := case.production.resource(a.resource)) is not None and ALARM_KIND.fullmatch(r.kind)]


def _chain(
    case: Case, removed: RemovedAlarm, live: Resource | None, watches: tuple[Watch, ...], others: list[Resource]
) -> Trajectory:
    name = live.name if live is not None else removed.declared.name or removed.declared.address
    lines = quote_removed(case, removed.declared.file, removed.line)
    found = [_cover(case, watch, live, others) for watch in watches]
    covered = [o for o in found if o is not None]
    watched = live or (covered[0].resource if covered else None)
    reads = list(case.out_of(watched.id, Relation.READS_FROM)) if watched is not None else []
    read = edge(case, watched.id, reads[0].target, Relation.READS_FROM) if watched is not None and reads else None
    what = watches[0].metric.rpartition("|")[2]
    if watched is not None:
        seen = exposure(f"{name} watches {what}", read)
    else:
        seen = unknown(Role.EXPOSURE, f"{name} is live", f"Is {name} live?", "aws cloudwatch describe-alarms; amtool alert query")
    last = _covered(case, watches, covered) if len(covered) == len(watches) else _open(watches, others, case)
    path = [*([live.id] if live is not None else []), *(o.resource.id for o in covered)]
    return Trajectory(
        title=f"Nobody is told any more what {name} rang for",
        impact=Impact.MEDIUM if len(covered) != len(watches) else Impact.LOW,
        resource=live.id if live is not None else covered[0].resource.id if covered else case.repository,
        metric=what or "alarm",
        links=(
            trigger(f"{name} is removed", *lines),
            mechanism(f"{name} rings no more", *lines),
            seen,
            last,
        ),
        make_safe="Create the alarm that takes its place first, and see it ring in a test.",
        path=tuple(dict.fromkeys(path)),
        undo="Deploy the alarm again; what happened meanwhile nobody was told.",
    )


def _cover(case: Case, watch: Watch, live: Resource | None, others: list[Resource]) -> _Other | None:
    """Another live alarm that rings whenever this one would, no later, and tells the same people."""
    for other in others:
        case.asked.append(f"does {other.id} ring for {watch.metric}")
        for theirs in watches_of(other.attributes):
            if _is_same_subject(case, watch, theirs, live, other) and _is_as_strict(watch, theirs):
                return _Other(other, theirs)
    return None


def _is_same_subject(case: Case, mine: Watch, theirs: Watch, live: Resource | None, other: Resource) -> bool:
    if mine.metric != theirs.metric or mine.statistic != theirs.statistic:
        return False
    if mine.labels is not None and theirs.labels is not None:
        return mine.labels == theirs.labels
    if live is not None:
        return bool(_subjects(case, live.id)) and _subjects(case, live.id) == _subjects(case, other.id)
    own = {e.target for e in case.out_of(case.repository, Relation.DEPLOYS_TO)}
    subjects = _subjects(case, other.id)
    return (
        len(subjects) == 1
        and subjects <= own
        and len([s for s in own if _kind(case, s) == _kind(case, next(iter(subjects)))]) == 1
    )


def _subjects(case: Case, alarm: str) -> set[str]:
    return {e.target for e in case.out_of(alarm, Relation.READS_FROM, Relation.DEPENDS_ON)}


def _kind(case: Case, resource: str) -> str:
    found = case.production.resource(resource)
    return found.kind if found is not None else ""


def _is_as_strict(mine: Watch, theirs: Watch) -> bool:
    """Where a provider leaves the direction out, it is that of the removed one: both are about one statistic of one metric."""
    if not theirs.is_on or mine.threshold is None or theirs.threshold is None or mine.is_above is None:
        return False
    if theirs.is_above not in (None, mine.is_above):
        return False
    is_as_early = mine.lasts_s is None or (theirs.lasts_s is not None and theirs.lasts_s <= mine.lasts_s)
    is_as_low = theirs.threshold <= mine.threshold if mine.is_above else theirs.threshold >= mine.threshold
    return is_as_early and is_as_low and _tells_the_same(mine, theirs)


def _tells_the_same(mine: Watch, theirs: Watch) -> bool:
    """Whether it tells everybody whom the removed one told; where that stood only in a manifest, anybody."""
    if mine.actions is None:
        return theirs.actions is None or bool(theirs.actions)
    wanted = {a for a in mine.actions if not _is_reference(a)}
    if len(wanted) < len(mine.actions):
        return bool(theirs.actions)
    return theirs.actions is not None and wanted <= theirs.actions and bool(theirs.actions)


def _is_reference(action: str) -> bool:
    return action.startswith(("!", "${", "aws_", "var.", "local.", "module.", "data.", "{", "None", "azurerm_", "google_"))


def _covered(case: Case, watches: tuple[Watch, ...], covered: list[_Other]) -> Link:
    """The thresholds side by side; of several conditions the one that comes nearest to ringing later."""
    pairs = [(o, m, (o.watch.threshold or 0.0) - (m.threshold or 0.0)) for m, o in zip(watches, covered, strict=True)]
    other, mine, _ = max(pairs, key=lambda p: p[2] if p[1].is_above else -p[2])
    limit, theirs = mine.threshold or 0.0, other.watch.threshold or 0.0
    cited = [config(case, o.resource.id, o.watch.limit_key.partition(".")[0], o.watch.limit_key) for o in covered]
    operator = ">" if mine.is_above else "<"
    return harm(
        f"what happens at {limit:g} goes unseen: {other.resource.name} rings at {theirs:g} already",
        *cited,
        comparison=compare(theirs, operator, limit),
    )


def _open(watches: tuple[Watch, ...], others: list[Resource], case: Case) -> Link:
    names = [
        config(case, o.id, "metric_name", "query", "expr", "metric", "rules", "conditions")
        for o in others
        if any(w.metric == m.metric for w in watches_of(o.attributes) for m in watches)
    ]
    watched = watches[0].metric.rpartition("|")[2]
    return unknown(
        Role.HARM,
        f"what {watched} says goes unseen",
        f"Does another alarm ring on {watched} as early, for the same people?",
        f"aws cloudwatch describe-alarms-for-metric --metric-name {watched}",
        *names,
    )
