"""How live resources come in: a collector asks one service of one region of one account, and says how that went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from gonogo.resource import Edge, Relation, Resource
from gonogo.word import Instant, ResourceId


class ScopeStatus(StrEnum):
    """How asking a scope ended. Only `ok` says that what was not listed is not there."""

    OK = "ok"
    DENIED = "denied"
    THROTTLED = "throttled"
    UNSUPPORTED = "unsupported"
    PARTIAL = "partial"


@dataclass(frozen=True, order=True)
class Scope:
    """What one collector answers for: retiring and counting never reach beyond it."""

    provider: str
    account: str
    region: str
    service: str

    def __str__(self) -> str:
        return "/".join(part for part in (self.provider, self.account, self.region, self.service) if part)


@dataclass(frozen=True)
class Mention:
    """A text in a resource's configuration that may name another resource: an ARN, a URL, a host, a plain name.

    It lives until the sync has looked for that resource and is never stored: it may hold a secret.
    """

    source: ResourceId
    value: str = field(repr=False)
    evidence: str
    """Where it stands, without the value: `Environment TABLE_NAME`."""

    relation: Relation | None = None
    """What the source does with it, where its place says so; otherwise what programs do with such a resource."""

    is_back: bool = False
    """True when it is the named resource that does so with the source: a balancer in front of it."""


@dataclass(frozen=True)
class Grants:
    """What the policies of one role allow and forbid: pairs of patterns, an action and a resource, `*` and `?` as in IAM."""

    allowed: Sequence[tuple[str, str]] = ()
    denied: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Collected:
    """What a scope answered. With any other status than `ok` it is what could be read, and `why` says what could not."""

    scope: Scope
    status: ScopeStatus
    read_at: Instant
    resources: Sequence[Resource] = ()
    edges: Sequence[Edge] = ()
    mentions: Sequence[Mention] = ()
    aliases: Mapping[str, ResourceId] = field(default_factory=dict[str, ResourceId])
    """Other words for a resource, by which a configuration may name it: its URL, host, endpoint (lower case)."""
    why: str = ""
    calls: Sequence[str] = ()
    """The permissions that were used, in the provider's own words (`lambda:ListFunctions`)."""

    denied: Sequence[str] = ()
    """Those of them that were refused."""

    near: Scope | None = None
    """Whose account and region plain names in `mentions` are of, when it is not this scope's own."""

    roles: Mapping[ResourceId, ResourceId] = field(default_factory=dict[ResourceId, ResourceId])
    """A workload → the role that it acts as."""

    grants: Mapping[ResourceId, Grants] = field(default_factory=dict[ResourceId, Grants])
    """A role → what its policies say. Never stored: what follows from it is edges."""


class Collector(Protocol):
    """Asks one scope. Never raises for what the provider says: that is a status."""

    @property
    def scope(self) -> Scope:
        """What it answers for."""
        ...

    def collect(self) -> Collected:
        """Read everything of the scope."""
        ...
