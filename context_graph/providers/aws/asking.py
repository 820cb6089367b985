"""One scope's questions to AWS: every page, every permission noted, every fault in its place."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from botocore.exceptions import BotoCoreError, ClientError

from context_graph.collecting import Collected, Mention, Scope, ScopeStatus
from context_graph.normal_form import normal_attributes
from context_graph.providers.aws.arns import unqualified
from context_graph.providers.aws.faults import is_vanished, said, status_of_fault
from context_graph.providers.aws.permissions import permission_of
from gonogo.resource import Edge, Relation, Resource
from gonogo.word import Json, ResourceId

ClientOf = Callable[[str], Any]
"""boto3's client of a service, in this scope's account and region."""


@dataclass(frozen=True)
class Service:
    """A service, how everything of it is read, and whether it has no regions."""

    name: str
    collect: Callable[["Asking"], None]
    is_global: bool = False


class Asking:
    """Collects what one service of one region of one account answers.

    A listing that fails ends the scope with that status. A detail that fails leaves a note and the scope `partial`, unless the
    thing vanished between the listing and the question.
    """

    def __init__(self, scope: Scope, client_of: ClientOf, now: datetime) -> None:
        self.scope, self._client_of, self._now = scope, client_of, now
        self._resources: dict[str, Resource] = {}
        self._edges: dict[tuple[str, str, Relation], Edge] = {}
        self._mentions: list[Mention] = []
        self._aliases: dict[str, ResourceId] = {}
        self._notes: list[str] = []
        self._worst = ScopeStatus.OK
        self._calls: set[str] = set()

    # -- questions ---------------------------------------------------------------------

    def pages(self, service: str, operation: str, key: str, **parameters: Any) -> Iterator[Any]:
        """Every entry of a list, over all pages, whatever the service calls its token."""
        client = self._client_of(service)
        self._calls.add(permission_of(client, operation))
        if client.can_paginate(operation):
            for page in client.get_paginator(operation).paginate(**parameters):
                yield from _entries(page, key)
        else:
            yield from _entries(getattr(client, operation)(**parameters), key)

    def one(self, service: str, operation: str, **parameters: Any) -> Mapping[str, Any]:
        """One answer."""
        client = self._client_of(service)
        self._calls.add(permission_of(client, operation))
        answer: Mapping[str, Any] = getattr(client, operation)(**parameters)
        return answer

    @contextmanager
    def detail(self, what: str) -> Generator[None]:
        """A question about one listed thing: its failure costs that thing's detail, not the listing."""
        try:
            yield
        except ClientError as error:
            if is_vanished(error):
                return
            self._worsen(status_of_fault(error), f"{what}: {said(error)}")
        except BotoCoreError as error:
            self._worsen(status_of_fault(error), f"{what}: {said(error)}")

    # -- findings ----------------------------------------------------------------------

    def resource(
        self, at: str, kind: str, name: str, attributes: Mapping[str, Json], *, aliases: Iterable[str | None] = ()
    ) -> ResourceId:
        """Note a resource; its attributes may stand in the provider's own names. `aliases` are its URL, host, endpoint."""
        self._aliases |= {alias.lower(): ResourceId(at) for alias in aliases if alias}
        plain = {key: value for key, value in attributes.items() if value not in (None, "", [], {}) and key != "ResponseMetadata"}
        self._resources[at] = Resource(
            id=ResourceId(at),
            kind=kind,
            name=name,
            account=self.scope.account,
            region=self.scope.region,
            attributes=_as_json(normal_attributes(kind, plain)),
        )
        return ResourceId(at)

    def edge(self, source: str, target: str, relation: Relation, evidence: str) -> None:
        """Note an edge; versions, aliases, indexes and streams stand for what they are of."""
        at, to = ResourceId(unqualified(source)), ResourceId(unqualified(target))
        if at and to and at != to:
            self._edges[at, to, relation] = Edge(source=at, target=to, relation=relation, evidence=evidence)

    def mention(self, source: str, value: str, evidence: str) -> None:
        """Note that a resource's configuration holds this text: who it names is found when all scopes are read. Never stored."""
        self._mentions.append(Mention(source=ResourceId(unqualified(source)), value=value, evidence=evidence))

    def collected(self, ended_by: Exception | None = None) -> Collected:
        """What the scope answered."""
        if ended_by is not None:
            self._worsen(status_of_fault(ended_by), said(ended_by), is_end=True)
        return Collected(
            scope=self.scope,
            status=self._worst,
            read_at=self._now,
            resources=list(self._resources.values()),
            edges=list(self._edges.values()),
            mentions=self._mentions,
            aliases=self._aliases,
            why="; ".join(dict.fromkeys(self._notes))[:1000],
            calls=sorted(self._calls),
        )

    def _worsen(self, status: ScopeStatus, why: str, *, is_end: bool = False) -> None:
        self._notes.append(why)
        self._worst = status if is_end and not self._resources else ScopeStatus.PARTIAL


def dig(answer: Any, path: str) -> Any:
    """What an answer holds at a dotted path; None where any part of it is missing."""
    for part in path.split("."):
        answer = cast("Mapping[str, Any]", answer).get(part) if isinstance(answer, Mapping) else None
    return answer


def _entries(page: Mapping[str, Any], key: str) -> Iterator[Any]:
    yield from dig(page, key) or ()


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
