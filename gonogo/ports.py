"""What the pipeline needs from the outside world, on one page. Each Protocol is as small as its callers need."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from gonogo.change import ChangeSet, Side
from gonogo.context import Alarm, Database, Deploy, Gap, LogLine, Series
from gonogo.forecast import Forecast
from gonogo.resource import Edge, Place, Resource
from gonogo.word import Instant, ResourceId


class SourceTree(Protocol):
    """One side of the change, read-only. Nothing in it is ever executed."""

    @property
    def side(self) -> Side:
        """Which side this is."""
        ...

    def paths(self) -> Sequence[str]:
        """Every path of a regular file, sorted."""
        ...

    def text(self, path: str) -> str | None:
        """The decoded text with line feeds as line ends; None when there is no such file, it is binary, or it is too large."""
        ...

    def search(self, words: Collection[str]) -> Mapping[str, tuple[Place, ...]]:
        """Every line that holds one of the words as a whole word; one pass over the tree for all of them.

        A word ends where an identifier character ends, so `ORDERS` is not found in `ORDERS_URL`.
        """
        ...


class Repository(Protocol):
    """The git repository under evaluation."""

    def changes(self) -> ChangeSet:
        """The change from the merge base to head."""
        ...

    def tree(self, side: Side) -> SourceTree:
        """The tree of one side."""
        ...


class Graph(Protocol):
    """Resources and their edges, asked a neighbourhood at a time: nobody loads the whole of it for one change."""

    def is_empty(self) -> bool:
        """True when it knows nothing at all."""
        ...

    def edges_from(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """The edges that leave these resources."""
        ...

    def edges_to(self, ids: Collection[ResourceId]) -> Sequence[Edge]:
        """The edges that arrive at these resources."""
        ...

    def in_degrees(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, int]:
        """How many edges arrive at each of these resources."""
        ...

    def kinds_of(self, ids: Collection[ResourceId]) -> Mapping[ResourceId, tuple[str, str]]:
        """Kind and name of those of these resources that are known."""
        ...

    def named(self, kinds: Collection[str], names: Collection[str]) -> Mapping[ResourceId, tuple[str, str]]:
        """Kind and name of the resources of one of these kinds whose name is one of these."""
        ...

    def repositories(self) -> Sequence[ResourceId]:
        """The code repositories that it knows."""
        ...


class Foresight(Protocol):
    """Forecasts of the affected resources' series, made when the first is asked for."""

    def of(self, resource: str, metric: str) -> Forecast | None:
        """The recorded forecast of a series for the coming day; None when there is none."""
        ...


class Provider(Protocol):
    """A source of production facts. A failure is raised by the call that failed and becomes a Gap."""

    @property
    def name(self) -> str:
        """What the report calls this source."""
        ...

    def now(self) -> Instant | None:
        """The instant the facts are of; None when nothing has a time."""
        ...

    def gaps(self) -> Sequence[Gap]:
        """What this source could not read so far, by its own account."""
        ...

    def graph(self) -> Graph:
        """Who depends on whom, asked a neighbourhood at a time."""
        ...

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """These resources, with their configuration in normal form."""
        ...

    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        """Every series of these resources."""
        ...

    def logs(self, ids: Collection[ResourceId]) -> Sequence[LogLine]:
        """The sampled log lines of these resources, oldest first."""
        ...

    def databases(self, ids: Collection[ResourceId]) -> Sequence[Database]:
        """Statistics of these database servers."""
        ...

    def tables(self) -> Mapping[ResourceId, Collection[str]]:
        """Database server → names of its tables: one that alone holds a migrated table is affected."""
        ...

    def deploys(self, ids: Collection[ResourceId]) -> Sequence[Deploy]:
        """Deploys of these resources, oldest first."""
        ...

    def alarms(self, ids: Collection[ResourceId]) -> Sequence[Alarm]:
        """Alarms of these resources."""
        ...
