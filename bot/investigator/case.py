"""What an investigator is given, and the questions it may ask. Every question is kept, so that the ledger can show it."""

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from gonogo.context import ProductionContext
from gonogo.evaluation import Claimed
from gonogo.finding import Finding
from gonogo.policy import Policy
from gonogo.ports import Foresight, Provider, Shadow
from gonogo.record import Record
from gonogo.resource import AffectedResource, Declared, Edge, Origin, Relation, Resource
from gonogo.trajectory import Trajectory
from gonogo.verdict import LedgerEntry
from gonogo.word import ResourceId
from heuristics.rule import RuleContext

MODEL = "model"
"""What stands in the place of a playbook's id on a trajectory that a model proposed."""


class Before(Record):
    """What an earlier evaluation of the same pull request came to."""

    head: str
    """The commit that it judged."""
    ledger: tuple[LedgerEntry, ...] = ()
    claims: tuple[Claimed, ...] = ()
    """What models have claimed of the pull request so far."""
    looked_at: frozenset[str] = frozenset()
    """Paths of changed files that nobody has to ask a model about: one has looked at them as they are, or they reach nothing."""


class Case(Record):
    """One change and everything that was gathered about it."""

    diff: RuleContext
    affected: tuple[AffectedResource, ...]
    findings: tuple[Finding, ...]
    policy: Policy
    asked: list[str] = field(default_factory=list)
    foresight: Foresight | None = None
    """Forecasts; None where nothing may be forecast."""
    provider: Provider | None = None
    """Where more of production may be read than was gathered; None without production."""
    history: Callable[[str], Sequence[str]] | None = None
    """Path → the commits that changed it, newest first, a line each; None where no history can be read."""
    shadow: Shadow | None = None
    """Where statements may be tried out; None where no throw-away database can be had."""
    candidates: tuple[Trajectory, ...] = ()
    """What the playbooks claim, for whoever investigates after them."""
    before: Before | None = None
    """The evaluation before this one; None for the first of a pull request."""
    carried: tuple[Trajectory, ...] = ()
    """What a model claimed then, and still stands in this change."""

    def with_candidates(self, candidates: tuple[Trajectory, ...]) -> "Case":
        """The same case for whoever investigates after the playbooks, who claim these."""
        return replace(self, candidates=candidates, asked=[])

    def is_new(self, path: str) -> bool:
        """Whether a model has not looked at this changed file as it is now."""
        return self.before is None or path not in self.before.looked_at

    @property
    def production(self) -> ProductionContext:
        """The facts that were read."""
        return self.diff.production

    @property
    def repository(self) -> ResourceId:
        """The resource id of the repository under evaluation."""
        return self.diff.repository

    def live_of(self, declared: Declared | None) -> Resource | None:
        """The live resource that a declaration was joined to."""
        live = self.diff.live_of(declared) if declared is not None else None
        return self.production.resource(live) if live is not None else None

    def is_affected(self, resource: str) -> bool:
        """Whether the walk reached this resource."""
        return any(a.resource == resource for a in self.affected)

    def affected_of_kind(self, *prefixes: str) -> tuple[Resource, ...]:
        """Affected resources whose kind starts with one of the prefixes, nearest first, with their configuration."""
        return tuple(
            found
            for a in self.affected
            if a.kind.startswith(prefixes) and (found := self.production.resource(a.resource)) is not None
        )

    def deployed(self) -> tuple[Resource, ...]:
        """The resources that this repository deploys to, and those that the change names."""
        return tuple(
            found
            for a in self.affected
            if (a.distance <= 1 or a.is_named) and (found := self.production.resource(a.resource)) is not None
        )

    def out_of(self, resource: str, *relations: Relation) -> tuple[Edge, ...]:
        """Live edges that leave the resource, and what the repository deploys by its manifests."""
        return self._edges(lambda e: e.source == resource, relations)

    def into(self, resource: str, *relations: Relation) -> tuple[Edge, ...]:
        """Live edges that arrive at the resource, and the repository's that deploys it by its manifests."""
        return self._edges(lambda e: e.target == resource, relations)

    def _edges(self, wanted: Callable[[Edge], bool], relations: Sequence[Relation]) -> tuple[Edge, ...]:
        return tuple(
            e
            for e in self.production.edges
            if wanted(e)
            and (not relations or e.relation in relations)
            and (e.origin is Origin.LIVE or (e.relation is Relation.DEPLOYS_TO and e.source == self.repository))
        )
