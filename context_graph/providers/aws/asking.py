"""One scope's questions to AWS: every page, every permission noted, every fault in its place."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from botocore.exceptions import BotoCoreError, ClientError

from context_graph.collecting import Collected, Grants, Mention, Scope, ScopeStatus
from context_graph.normal_form import normal_attributes, snake
from context_graph.providers.aws.arns import unqualified
from context_graph.providers.aws.faults import ends_the_scope, is_vanished, said, status_of_fault
from context_graph.providers.aws.paging import pages_of
from context_graph.providers.aws.permissions import permission_of
from gonogo.resource import Edge, Relation, Resource
from gonogo.word import Json, ResourceId

ClientOf = Callable[[str], Any]
"""boto3's client of a service, in this scope's account and region."""

ODD_DATA = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
"""What reading an answer of a shape that we do not know raises."""


@dataclass(frozen=True)
class Service:
    """A service, how everything of it is read, which permissions that takes, and whether it has no regions."""

    name: str
    collect: Callable[["Asking"], None]
    permissions: Sequence[str]
    is_global: bool = False


class Asking:
    """Collects what one service of one region of one account answers.

    A listing that fails leaves the rest of the service to be read and the scope with that status, or `partial` when something
    was found. A detail that fails leaves a note and the scope `partial`, unless the thing vanished between the listing and
    the question.
    """

    def __init__(self, scope: Scope, client_of: ClientOf, now: datetime) -> None:
        self.scope, self._client_of, self._now = scope, client_of, now
        self._resources: dict[str, Resource] = {}
        self._edges: dict[tuple[str, str, Relation], Edge] = {}
        self._mentions: list[Mention] = []
        self._aliases: dict[str, ResourceId] = {}
        self._roles: dict[ResourceId, ResourceId] = {}
        self._grants: dict[ResourceId, Grants] = {}
        self._notes: list[str] = []
        self._listings: list[ScopeStatus] = []
        self._is_partial = False
        self._details = 0
        self._calls: set[str] = set()
        self._denied: set[str] = set()

    # -- questions ---------------------------------------------------------------------

    def pages(self, service: str, operation: str, key: str, **parameters: Any) -> Iterator[Any]:
        """Every entry of a list, over all pages, whatever the service calls its token."""
        client = self._client_of(service)
        self._calls.add(permission_of(client, operation))
        try:
            for page in pages_of(client, operation, parameters):
                yield from dig(page, key) or ()
        except (ClientError, BotoCoreError) as error:
            self._refused(client, operation, error)
            if self._details or ends_the_scope(error):
                raise
            self._listings.append(status_of_fault(error))
            self._notes.append(f"{operation}: {said(error)}")

    def one(self, service: str, operation: str, **parameters: Any) -> Mapping[str, Any]:
        """One answer."""
        client = self._client_of(service)
        self._calls.add(permission_of(client, operation))
        try:
            answer: Mapping[str, Any] = getattr(client, operation)(**parameters)
        except ClientError as error:
            self._refused(client, operation, error)
            raise
        return answer

    @contextmanager
    def detail(self, what: str) -> Generator[None]:
        """A question about one listed thing: its failure, or data of a shape that we do not know, costs that thing's detail only."""
        self._details += 1
        try:
            yield
        except (ClientError, BotoCoreError, *ODD_DATA) as error:
            if not is_vanished(error):
                self._is_partial = True
                self._notes.append(f"{what}: {said(error)}")
        finally:
            self._details -= 1

    def arn(self, service: str, resource: str) -> str:
        """The ARN of something of this account and region that answers name only by its name."""
        return f"arn:{self.partition}:{service}:{self.scope.region}:{self.scope.account}:{resource}"

    @property
    def partition(self) -> str:
        """`aws`, `aws-cn`, `aws-us-gov`."""
        return str(self._client_of("sts").meta.partition)

    # -- findings ----------------------------------------------------------------------

    def resource(
        self,
        at: str,
        kind: str,
        name: str,
        attributes: Mapping[str, Json],
        *,
        aliases: Iterable[str | None] = (),
        region: str | None = None,
    ) -> ResourceId:
        """Note a resource; its attributes may stand in the provider's own names. `aliases` are its URL, host, endpoint."""
        self._aliases |= {alias.lower().rstrip("."): ResourceId(at) for alias in aliases if alias}
        plain = {
            snake(key): value
            for key, value in attributes.items()
            if value not in (None, "", [], {}) and key != "ResponseMetadata"
        }
        self._resources[at] = Resource(
            id=ResourceId(at),
            kind=kind,
            name=name,
            account=self.scope.account,
            region=region or self.scope.region,
            attributes=_as_json(normal_attributes(kind, plain)),
        )
        return ResourceId(at)

    def edge(self, source: str, target: str, relation: Relation, evidence: str) -> None:
        """Note an edge; versions, aliases, indexes and streams stand for what they are of."""
        at, to = ResourceId(unqualified(source)), ResourceId(unqualified(target))
        if at and to and at != to:
            self._edges.setdefault((at, to, relation), Edge(source=at, target=to, relation=relation, evidence=evidence))

    def mention(self, source: str, value: str, evidence: str, relation: Relation | None = None) -> None:
        """Note that a resource's configuration holds this text: who it names is found when all scopes are read. Never stored."""
        at = ResourceId(unqualified(source))
        self._mentions.append(Mention(source=at, value=value, evidence=evidence, relation=relation))

    def acts_as(self, workload: str, role: str, evidence: str) -> None:
        """Note the role whose policies say what a workload may do."""
        self._roles[ResourceId(unqualified(workload))] = ResourceId(role)
        self.edge(workload, role, Relation.DEPENDS_ON, evidence)

    def grants(self, role: str, grants: Grants) -> None:
        """Note what a role's policies say."""
        self._grants[ResourceId(role)] = grants

    def collected(self, ended_by: Exception | None = None) -> Collected:
        """What the scope answered."""
        if ended_by is not None:
            self._listings.append(status_of_fault(ended_by))
            self._notes.append(said(ended_by))
        return Collected(
            scope=self.scope,
            status=self._status(),
            read_at=self._now,
            resources=list(self._resources.values()),
            edges=list(self._edges.values()),
            mentions=self._mentions,
            aliases=self._aliases,
            why="; ".join(dict.fromkeys(self._notes))[:1000],
            calls=sorted(self._calls),
            denied=sorted(self._denied),
            roles=self._roles,
            grants=self._grants,
        )

    def _status(self) -> ScopeStatus:
        if self._listings:
            return ScopeStatus.PARTIAL if self._resources else self._listings[0]
        return ScopeStatus.PARTIAL if self._is_partial else ScopeStatus.OK

    def _refused(self, client: Any, operation: str, error: Exception) -> None:
        if status_of_fault(error) is ScopeStatus.DENIED:
            self._denied.add(permission_of(client, operation))


def dig(answer: Any, path: str) -> Any:
    """What an answer holds at a dotted path; None where any part of it is missing."""
    for part in path.split("."):
        answer = cast("Mapping[str, Any]", answer).get(part) if isinstance(answer, Mapping) else None
    return answer


def part(answer: Any, path: str) -> Mapping[str, Any]:
    """The mapping at a dotted path; an empty one where there is none."""
    found = dig(answer, path)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def listed(answer: Any, path: str) -> Sequence[Any]:
    """The list at a dotted path; an empty one where there is none."""
    found = dig(answer, path)
    return cast("Sequence[Any]", found) if isinstance(found, list | tuple) else ()


def chosen(answer: Mapping[str, Any], names: str) -> dict[str, Any]:
    """The named parts of an answer, where there are any: what may hold a secret, or is only history, is not among them."""
    return {name: answer[name] for name in names.split() if answer.get(name) is not None}


def _as_json(value: Any) -> Any:
    """Instants as text; what JSON has no word for as text too."""
    match value:
        case Mapping():
            return {str(k): _as_json(v) for k, v in cast("Mapping[Any, Any]", value).items()}
        case list() | tuple():
            return [_as_json(v) for v in cast("Sequence[Any]", value)]
        case datetime():
            return value.isoformat()
        case str() | int() | float() | bool() | None:
            return value
        case _:
            return str(value)
