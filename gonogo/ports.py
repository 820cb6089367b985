"""What the pipeline needs from the outside world, on one page. Each Protocol is as small as its callers need."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from gonogo.change import ChangeSet, Side
from gonogo.context import Alarm, Database, Deploy, Gap, LogLine, Series
from gonogo.forecast import Forecast
from gonogo.resource import Edge, Place, Resource
from gonogo.shadow import Replay
from gonogo.word import Instant, ResourceId

if TYPE_CHECKING:  # a check on a laptop speaks to no forge
    from gonogo.forge import CheckOutput, CheckRun, CheckStatus, Comment, Conclusion, Permission, PullRequestFacts, Reaction


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


class Shadow(Protocol):
    """A throw-away database with production's schema and no rows, on which statements may be tried out."""

    def replay(self, statements: Sequence[str]) -> Replay:
        """Run them in one transaction, on a schema of their own. Raises ShadowUnavailable when they can't be tried."""
        ...

    def close(self) -> None:
        """Let go of the database; nothing can be tried any more."""
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


class Forge(Protocol):
    """One repository on GitHub. Every call may raise a ForgeError; a write that may have been done is looked for, not repeated."""

    @property
    def calls(self) -> int:
        """REST calls so far, those that failed included."""
        ...

    async def pull_request(self, number: int) -> "PullRequestFacts":
        """A pull request as it is now."""
        ...

    async def open_pull_requests(self) -> "Sequence[PullRequestFacts]":
        """All that are open, oldest first."""
        ...

    async def pulls_of(self, head_sha: str) -> "Sequence[PullRequestFacts]":
        """Open pull requests whose head is this commit."""
        ...

    async def publish_check(
        self,
        *,
        name: str,
        head_sha: str,
        external_id: str,
        status: "CheckStatus",
        conclusion: "Conclusion | None" = None,
        output: "CheckOutput | None" = None,
        details_url: str | None = None,
        check_run_id: int | None = None,
    ) -> int:
        """Write our one check run of that name on that commit, and its id.

        `check_run_id` is changed in place; without one ours is looked for, and made when there is none. Annotations that are
        there already are not written again.
        """
        ...

    async def check_runs(self, head_sha: str, name: str) -> "Sequence[CheckRun]":
        """Check runs of ours with that name on that commit, newest first."""
        ...

    async def publish_comment(self, number: int, body: str, *, marker: str, comment_id: int | None = None) -> int:
        """Write our one comment that holds `marker`, and its id.

        `comment_id` is changed in place; without one, or when it was deleted, ours is looked for, and made when there is none.
        """
        ...

    async def comments(self, number: int) -> "Sequence[Comment]":
        """All comments of a pull request, oldest first."""
        ...

    async def react(self, comment_id: int, content: "Reaction") -> None:
        """Leave a reaction; a second one of the same kind changes nothing."""
        ...

    async def permission(self, login: str) -> "Permission":
        """What a person may do in the repository."""
        ...

    async def is_required(self, branch: str, name: str) -> bool | None:
        """Whether the check of that name must pass before a merge into the branch; None when GitHub does not tell."""
        ...

    async def git_token(self, refused: str | None = None) -> str:
        """A token that reads this repository by git and can do nothing else; another one than what git was refused with."""
        ...
