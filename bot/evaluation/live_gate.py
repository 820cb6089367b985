"""The live gate: what is unsettled in production right now on what a change affects, or on what depends on that.

It says when to merge, not whether the change is sound. It is part of the verdict's text always, and of the verdict where the
configuration says `live_gate: true`: then the answer changes with production, without a commit.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from gonogo.context import Alarm, Deploy, Gap, ProductionContext
from gonogo.live import LiveKind, LiveNote
from gonogo.pattern import pattern
from gonogo.ports import Provider
from gonogo.resource import AffectedResource, Edge, Relation
from gonogo.word import ResourceId

LONGEST_DEPLOYMENT = timedelta(hours=24)
"""A deployment that began longer ago and was never said to end is one whose end nobody reported."""

_RINGS = pattern(r"(?:in_)?alarm|alert(?:ing)?|firing|ringing|active|critical|unhealthy")
_INCIDENT = pattern(
    r"open(?:ed)?|triggered|acknowledged|investigating|identified|monitoring|mitigat(?:ing|ed)|ongoing|in_progress"
)
_UNSETTLED = pattern(
    r"created|queued|pending|waiting|ready|started|starting|running|updating|activating|provisioning|deploying|baking|canary|"
    r"progressing|(?:.*_)?in_progress|inprogress|rolling(?:_out|_back)?"
)
_NO_DEPENDENCE = frozenset({Relation.OWNED_BY, Relation.DEPLOYS_TO})
_ORDER: tuple[LiveKind, ...] = ("incident", "alarm", "deployment")


def dependants(affected: Collection[ResourceId], edges: Iterable[Edge]) -> dict[ResourceId, ResourceId]:
    """What directly depends on an affected resource and is not affected itself → that resource."""
    found: dict[ResourceId, ResourceId] = {}
    for edge in edges:
        if edge.target in affected and edge.source not in affected and edge.relation not in _NO_DEPENDENCE:
            found.setdefault(edge.source, edge.target)
    return found


def live_notes(
    affected: Sequence[AffectedResource], production: ProductionContext, *, now: datetime | None = None
) -> tuple[LiveNote, ...]:
    """Open incidents, ringing alarms, then unsettled deployments, each the oldest first.

    `production` holds alarms and deploys of the affected resources and of their dependants. `now` is the instant that counts,
    by default the one at which production was read; without either nothing is known to be open.
    """
    at = now or production.read_at
    if at is None:
        return ()
    own = {a.resource for a in affected}
    around = dependants(own, production.edges)
    said = [
        LiveNote(
            kind=kind,
            resource=resource,
            name=name,
            state=state,
            since=since,
            depends_on=around.get(resource),
            source=production.source,
            read_at=at,
        )
        for kind, resource, name, state, since in (*_ringing(production.alarms), *_unsettled(production.deploys, at))
        if resource in own or resource in around
    ]
    return tuple(sorted(said, key=lambda n: (_ORDER.index(n.kind), n.since, n.resource, n.name)))


def still_open(
    notes: Sequence[LiveNote], *, alarms: Sequence[Alarm], deploys: Sequence[Deploy], now: datetime
) -> tuple[LiveNote, ...]:
    """Those of the notes that are open at `now`, by what sources say of their resources now; the gate is closed by the last of them.

    An alarm or a deployment that its source no longer lists is over: sources of live production list what rings.
    """
    open_now = {(kind, resource, name) for kind, resource, name, _, _ in (*_ringing(alarms), *_unsettled(deploys, now))}
    return tuple(note for note in notes if (note.kind, note.resource, note.name) in open_now)


def look_around(
    provider: Provider, affected: Sequence[AffectedResource], production: ProductionContext
) -> tuple[tuple[LiveNote, ...], tuple[Gap, ...]]:
    """The notes, with the dependants' alarms and deploys read for them; a source that fails is a gap."""
    around = tuple(dependants({a.resource for a in affected}, production.edges))
    gaps: list[Gap] = []
    alarms, deploys = production.alarms, production.deploys
    if around:
        try:
            alarms = (*alarms, *provider.alarms(around))
            deploys = (*deploys, *provider.deploys(around))
        except Exception as error:  # noqa: BLE001  whatever a source does, it is a gap
            gaps.append(Gap(stage="live gate", what=f"{provider.name}: dependants", why=f"{type(error).__name__}: {error}"))
    return live_notes(affected, production.model_copy(update={"alarms": alarms, "deploys": deploys})), tuple(gaps)


_Said = tuple[LiveKind, ResourceId, str, str, datetime]


def _ringing(alarms: Sequence[Alarm]) -> Iterator[_Said]:
    """The last state of every alarm, when it is one that rings."""
    last: dict[tuple[ResourceId, str], Alarm] = {}
    for alarm in sorted(alarms, key=lambda a: a.since):
        last[alarm.resource, alarm.name] = alarm
    for alarm in last.values():
        state = _word(alarm.state)
        is_incident = bool(
            _INCIDENT.fullmatch(state) or (_RINGS.fullmatch(state) and re.search(r"(?i)incident|outage", alarm.name))
        )
        if is_incident or _RINGS.fullmatch(state):
            yield "incident" if is_incident else "alarm", alarm.resource, alarm.name, alarm.state, alarm.since


def _unsettled(deploys: Sequence[Deploy], now: datetime) -> Iterator[_Said]:
    """The last deployment of every resource, when it has begun and not ended."""
    last: dict[ResourceId, Deploy] = {}
    for deploy in sorted(deploys, key=lambda d: d.timestamp):
        last[deploy.resource] = deploy
    for deploy in last.values():
        if _UNSETTLED.fullmatch(_word(deploy.status)) and now - deploy.timestamp <= LONGEST_DEPLOYMENT:
            yield "deployment", deploy.resource, deploy.version, deploy.status, deploy.timestamp


def _word(state: str) -> str:
    """`IN_PROGRESS`, `InProgress` and `in progress` as one word."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", state.strip())
    return re.sub(r"[\s-]+", "_", spaced).lower()
