"""How live resources come in: a collector asks one service of one region of one account, and says how that went."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from gonogo.resource import Edge, Resource
from gonogo.word import Instant


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
class Collected:
    """What a scope answered. With any other status than `ok` it is what could be read, and `why` says what could not."""

    scope: Scope
    status: ScopeStatus
    read_at: Instant
    resources: Sequence[Resource] = ()
    edges: Sequence[Edge] = ()
    why: str = ""
    calls: Sequence[str] = ()
    """The permissions that were used, in the provider's own words (`lambda:ListFunctions`)."""


class Collector(Protocol):
    """Asks one scope. Never raises for what the provider says: that is a status."""

    @property
    def scope(self) -> Scope:
        """What it answers for."""
        ...

    @property
    def permissions(self) -> Sequence[str]:
        """The permissions that it may use, in the provider's own words."""
        ...

    def collect(self) -> Collected:
        """Read everything of the scope."""
        ...
