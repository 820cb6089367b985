"""What the pipeline needs from the outside world, on one page. Each Protocol is as small as its callers need."""

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from gonogo.change import ChangeSet, Side
from gonogo.context import Alarm, Database, Deploy, Gap, LogLine, Series
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

    def edges(self) -> Sequence[Edge]:
        """All edges that this source knows."""
        ...

    def kinds(self) -> Mapping[ResourceId, tuple[str, str]]:
        """Every resource id with its kind and name."""
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

    def deploys(self, ids: Collection[ResourceId]) -> Sequence[Deploy]:
        """Deploys of these resources, oldest first."""
        ...

    def alarms(self, ids: Collection[ResourceId]) -> Sequence[Alarm]:
        """Alarms of these resources."""
        ...
