"""AffectedResources → ProductionContext: one question a kind of fact; a question that fails becomes a gap."""

from collections.abc import Callable, Collection, Sequence

from gonogo.context import Gap, ProductionContext
from gonogo.ports import Provider
from gonogo.resource import Edge
from gonogo.word import ResourceId


def gather_context(provider: Provider, ids: Collection[ResourceId], edges: Sequence[Edge]) -> ProductionContext:
    """Everything the provider knows about these resources, in an order of its own. Never raises for one failing source."""
    gaps: list[Gap] = []

    def ask[T](what: str, question: Callable[[Collection[ResourceId]], Sequence[T]]) -> tuple[T, ...]:
        try:
            return tuple(question(ids))
        except Exception as error:  # noqa: BLE001  whatever a source does, it is a gap
            gaps.append(Gap(stage="context", what=f"{provider.name}: {what}", why=f"{type(error).__name__}: {error}"))
            return ()

    context = ProductionContext(
        read_at=provider.now(),
        source=provider.name,
        resources=tuple(sorted(ask("configuration", provider.resources), key=lambda r: r.id)),
        edges=tuple(edges),
        series=tuple(sorted(ask("metrics", provider.series), key=lambda s: (s.resource, s.metric, s.start))),
        logs=ask("logs", provider.logs),
        databases=tuple(sorted(ask("database statistics", provider.databases), key=lambda d: d.resource)),
        deploys=ask("deploys", provider.deploys),
        alarms=ask("alarms", provider.alarms),
    )
    return context.model_copy(update={"gaps": (*provider.gaps(), *gaps)})
