"""One scope's questions to Cloudflare: every page, every permission noted, every fault in its place."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from http.client import HTTPException
from typing import Any, cast
from urllib.error import URLError

from context_graph.collecting import Collected, Mention, Scope, ScopeStatus
from context_graph.normal_form import normal_attributes
from context_graph.providers.cloudflare.api import CloudflareApi
from context_graph.providers.cloudflare.faults import is_vanished, said, status_of_fault
from context_graph.providers.cloudflare.permissions import permission_of
from context_graph.providers.http_json import ApiRefused
from gonogo.resource import Edge, Relation, Resource
from gonogo.word import Json, ResourceId

FAULTS = (ApiRefused, URLError, TimeoutError, ConnectionError, HTTPException)
"""What asking raises."""

ODD_DATA = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
"""What reading an answer of a shape that we do not know raises."""

GLOBAL = "global"
"""Workers run everywhere."""


@dataclass(frozen=True)
class Service:
    """A part of an account, how everything of it is read, and which permissions of a token that takes."""

    name: str
    collect: Callable[["Asking"], None]
    permissions: Sequence[str]


class Asking:
    """Collects what one scope answers.

    A listing that fails leaves the rest to be read and the scope with that status, or `partial` when something was found. A
    detail that fails leaves a note and the scope `partial`, unless the thing vanished between the listing and the question.
    """

    def __init__(self, scope: Scope, api: CloudflareApi, now: datetime) -> None:
        self.scope, self.api, self._now = scope, api, now
        self._resources: dict[str, Resource] = {}
        self._edges: dict[tuple[str, str, Relation], Edge] = {}
        self._mentions: list[Mention] = []
        self._aliases: dict[str, ResourceId] = {}
        self._notes: list[str] = []
        self._listings: list[ScopeStatus] = []
        self._is_partial = False
        self._details = 0
        self._calls: set[str] = set()
        self._denied: set[str] = set()

    # -- questions ---------------------------------------------------------------------

    @property
    def account(self) -> str:
        """The path of this scope's account."""
        return f"/accounts/{self.scope.account}"

    def pages(self, path: str, key: str = "", **how: Any) -> Iterator[Mapping[str, Any]]:
        """Every entry of a list, over all pages; `how` as in CloudflareApi.pages."""
        self._calls.add(permission_of(path))
        try:
            yield from self.api.pages(path, key, **how)
        except (*FAULTS, ValueError) as error:
            self._refused(path, error)
            if self._details:
                raise
            self.failed(path.rpartition("/")[2], error)

    def one(self, path: str) -> Mapping[str, Any]:
        """One answer's result; an empty one where it is null."""
        self._calls.add(permission_of(path))
        try:
            result = self.api.result(path)
        except FAULTS as error:
            self._refused(path, error)
            raise
        return cast("Mapping[str, Any]", result) if isinstance(result, Mapping) else {}

    @property
    def is_whole(self) -> bool:
        """True as long as nothing failed."""
        return not self._listings and not self._is_partial

    def failed(self, what: str, error: Exception) -> None:
        """Note a listing that failed."""
        self._listings.append(status_of_fault(error))
        self._notes.append(f"{what}: {said(error)}")

    @contextmanager
    def detail(self, what: str) -> Generator[None]:
        """A question about one listed thing: its failure, or data of a shape that we do not know, costs that thing's detail only.

        Being throttled, after all that waiting, ends the scope: the next question would wait as long.
        """
        self._details += 1
        try:
            yield
        except (*FAULTS, *ODD_DATA) as error:
            if status_of_fault(error) is ScopeStatus.THROTTLED:
                raise
            if not is_vanished(error):
                self._is_partial = True
                self._notes.append(f"{what}: {said(error)}")
        finally:
            self._details -= 1

    # -- findings ----------------------------------------------------------------------

    def at(self, what: str, own: str) -> ResourceId:
        """The id of something of this account: by Cloudflare's id of it, else by its name, where Cloudflare itself goes by that."""
        return ResourceId(f"cloudflare:{what}:{self.scope.account}/{own}")

    def resource(
        self, at: ResourceId, kind: str, name: str, attributes: Mapping[str, Json], *, aliases: Iterable[str] = ()
    ) -> ResourceId:
        """Note a resource; `aliases` are the hosts that it answers to. An attribute that is None is unknown and left out."""
        self._aliases |= {alias.lower().rstrip("."): at for alias in aliases if alias}
        known = {key: value for key, value in attributes.items() if value is not None and value != ""}
        self._resources[at] = Resource(
            id=at,
            kind=kind,
            name=name,
            account=self.scope.account,
            region=GLOBAL,
            attributes=normal_attributes(kind, known),
        )
        return at

    def alias(self, host: str, at: ResourceId) -> None:
        """Note a host that something answers to, wherever that itself is read."""
        self._aliases[host.lower().rstrip(".")] = at

    def edge(self, source: str, target: str, relation: Relation, evidence: str) -> None:
        """Note an edge; a second one of the same kind between the same two adds its evidence."""
        if source == target:
            return
        key, before = (source, target, relation), self._edges.get((source, target, relation))
        if before is not None:
            evidence = before.evidence if evidence in before.evidence.split("; ") else f"{before.evidence}; {evidence}"[:500]
        self._edges[key] = Edge(source=ResourceId(source), target=ResourceId(target), relation=relation, evidence=evidence)

    def mention(self, source: ResourceId, value: str, evidence: str, relation: Relation | None = None) -> None:
        """Note that a resource's configuration holds this text: who it names is found when all scopes are read. Never stored."""
        self._mentions.append(Mention(source=source, value=value, evidence=evidence, relation=relation))

    def collected(self, ended_by: Exception | None = None) -> Collected:
        """What the scope answered."""
        if ended_by is not None:
            self.failed("ended", ended_by)
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
        )

    def _status(self) -> ScopeStatus:
        if self._listings:
            return ScopeStatus.PARTIAL if self._resources else self._listings[0]
        return ScopeStatus.PARTIAL if self._is_partial else ScopeStatus.OK

    def _refused(self, path: str, error: Exception) -> None:
        if status_of_fault(error) is ScopeStatus.DENIED:
            self._denied.add(permission_of(path))


def chosen(answer: Mapping[str, Any], names: str) -> dict[str, Any]:
    """The named parts of an answer, where there are any: what may hold a secret, or is only history, is not among them."""
    return {name: answer[name] for name in names.split() if answer.get(name) is not None}


def part(answer: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A mapping inside an answer; an empty one where there is none."""
    found = answer.get(name)
    return cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}


def listed(answer: Mapping[str, Any], name: str) -> Sequence[Any]:
    """A list inside an answer; an empty one where there is none."""
    found = answer.get(name)
    return cast("Sequence[Any]", found) if isinstance(found, list) else ()
