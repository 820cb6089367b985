"""The second reading: what the cited resources look like when the provider is asked again."""

from collections.abc import Iterable, Sequence
from dataclasses import field

from gonogo.change import Side
from gonogo.context import Database, Gap, LogLine, Series
from gonogo.evidence import ConfigEvidence, DatabaseEvidence, Evidence, GraphEvidence, LogEvidence, MetricEvidence
from gonogo.forecast import Forecast
from gonogo.ports import Provider, Shadow, SourceTree
from gonogo.record import Record
from gonogo.resource import Edge, Resource
from gonogo.word import Instant, ResourceId


class Sources(Record, frozen=False):
    """Facts read again for the cited resources only, each source once a check."""

    trees: dict[Side, SourceTree]
    read_at: Instant | None = None
    tolerance: float = 1e-6
    """How far a number may be from the cited one, relative to it: the same to 6 digits, 2 % when production is live."""
    resources: dict[str, Resource] = field(default_factory=dict)
    series: dict[tuple[str, str], Series] = field(default_factory=dict)
    logs: dict[str, list[LogLine]] = field(default_factory=dict)
    databases: dict[str, Database] = field(default_factory=dict)
    edges: Sequence[Edge] = ()
    gaps: list[Gap] = field(default_factory=list)
    forecasts: Sequence[Forecast] = ()
    """What this evaluation recorded; a forecast is not made again."""
    shadow: Shadow | None = None
    """Where a cited statement is replayed again."""


def read_again(cited: Iterable[Evidence], trees: dict[Side, SourceTree], provider: Provider | None) -> Sources:
    """Ask the provider anew for what the citations name. A source that fails leaves its citations not found."""
    sources = Sources(trees=trees)
    if provider is None:
        return sources
    kinds = {"metric": set[ResourceId](), "log": set[ResourceId](), "config": set[ResourceId](), "database": set[ResourceId]()}
    cited_sources: set[ResourceId] = set()
    for evidence in cited:
        match evidence:
            case GraphEvidence():
                cited_sources.add(evidence.source)
            case MetricEvidence() | LogEvidence() | ConfigEvidence() | DatabaseEvidence():
                kinds[evidence.kind].add(evidence.resource)
            case _:
                pass
    sources.read_at = provider.now()
    if provider.name == "live":
        sources.tolerance = 0.02
    try:
        if kinds["metric"]:
            sources.series = {(s.resource, s.metric): s for s in provider.series(kinds["metric"])}
        if kinds["log"]:
            for line in provider.logs(kinds["log"]):
                sources.logs.setdefault(line.resource, []).append(line)
        if kinds["config"]:
            sources.resources = {r.id: r for r in provider.resources(kinds["config"])}
        if kinds["database"]:
            sources.databases = {d.resource: d for d in provider.databases(kinds["database"])}
        if cited_sources:
            sources.edges = provider.graph().edges_from(cited_sources)
    except Exception as error:  # noqa: BLE001  whatever a source does, its citations are not found
        sources.gaps.append(Gap(stage="evidence", what=provider.name, why=f"{type(error).__name__}: {error}"))
    return sources
