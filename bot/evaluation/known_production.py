"""Production as one evaluation has read it, for trying a change of the change: nothing is asked of any source again."""

from collections.abc import Collection, Mapping, Sequence

from gonogo.context import Alarm, Database, Deploy, Gap, LogLine, ProductionContext, Series
from gonogo.errors import StageFailed
from gonogo.ports import Graph, Provider
from gonogo.resource import Resource
from gonogo.word import Instant, ResourceId


class KnownProduction:
    """Implements gonogo.ports.Provider from a ProductionContext; graph and tables come from the provider that it was read from.

    A question about a resource that was not read raises: what is not known must not look like what is not there.
    """

    def __init__(self, context: ProductionContext, *, read: Collection[ResourceId], provider: Provider) -> None:
        self.name = provider.name
        self._context, self._read, self._provider = context, frozenset(read), provider
        self._tables: Mapping[ResourceId, Collection[str]] | None = None

    def now(self) -> Instant | None:
        """When it was read."""
        return self._context.read_at

    def gaps(self) -> Sequence[Gap]:
        """What was not read then."""
        return self._context.gaps

    def graph(self) -> Graph:
        """The same graph."""
        return self._provider.graph()

    def tables(self) -> Mapping[ResourceId, Collection[str]]:
        """The tables of every database server, asked for once."""
        if self._tables is None:
            self._tables = self._provider.tables()
        return self._tables

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """As they were read."""
        self._check(ids)
        return [r for r in self._context.resources if r.id in ids]

    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        """As they were read."""
        self._check(ids)
        return [s for s in self._context.series if s.resource in ids]

    def logs(self, ids: Collection[ResourceId]) -> Sequence[LogLine]:
        """As they were read."""
        self._check(ids)
        return [line for line in self._context.logs if line.resource in ids]

    def databases(self, ids: Collection[ResourceId]) -> Sequence[Database]:
        """As they were read."""
        self._check(ids)
        return [d for d in self._context.databases if d.resource in ids]

    def deploys(self, ids: Collection[ResourceId]) -> Sequence[Deploy]:
        """As they were read; of what else depends on the change they bear on no trajectory."""
        return [d for d in self._context.deploys if d.resource in ids]

    def alarms(self, ids: Collection[ResourceId]) -> Sequence[Alarm]:
        """As they were read; of what else depends on the change they bear on no trajectory."""
        return [a for a in self._context.alarms if a.resource in ids]

    def _check(self, ids: Collection[ResourceId]) -> None:
        if unread := sorted(set(ids) - self._read):
            raise StageFailed("context", f"{unread[0]} was not read for this change")
