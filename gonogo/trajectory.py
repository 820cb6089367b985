"""A failure trajectory: one causal chain, and the pure rule that gives it a status."""

import hashlib
import json
import operator
import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Literal

from gonogo.evidence import Evidence, FileEvidence, Outcome, Verification
from gonogo.redaction import redacted
from gonogo.word import ResourceId, Word


class Role(StrEnum):
    """The fixed roles of a chain, in order."""

    TRIGGER = "trigger"
    MECHANISM = "mechanism"
    EXPOSURE = "exposure"
    HARM = "harm"


class Impact(StrEnum):
    """How bad it would be."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Status(StrEnum):
    """What the evidence makes of a trajectory."""

    CONFIRMED = "confirmed"
    PLAUSIBLE = "plausible"
    REFUTED = "refuted"


class Certainty(StrEnum):
    """Why a failure needs no computed harm: exposure then confirms. Only deterministic playbooks may claim one."""

    NAME_ABSENT = "name-absent"
    SQLSTATE = "sqlstate"
    LOCK = "lock"


class Refutation(StrEnum):
    """The kinds of code that may refute a trajectory without telemetry (spec 30 enumerates them)."""

    CREATED_HERE = "created-here"
    """The table, name or resource is created in this very change, before anything uses it."""
    HAS_DEFAULT = "has-default"
    """The read names a default or the code copes with absence."""
    NO_LONGER_USED = "no-longer-used"
    """Nothing at head uses what goes, and nothing of what runs does either."""
    GUARDED = "guarded"
    """The change itself removes the hazard (backoff, batch failures reported, flag off, proof validated first)."""
    UNCHANGED = "unchanged"
    """The value that takes effect is the same before and after."""


Operator = Literal[">", ">=", "<", "<=", "==", "!="]

_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
}


class Comparison(Word):
    """`observed operator limit`: true means harm. Both sides are in `unit`."""

    observed: float
    operator: Operator
    limit: float
    unit: str = ""

    def holds(self) -> bool:
        """Whether the numbers say harm."""
        return _OPERATORS[self.operator](self.observed, self.limit)


class Link(Word):
    """One claim. Without evidence it stays in the chain with the question that would settle it.

    `refuting` are citations that speak against the claim; code may do so only with a `refutation` kind.
    """

    role: Role
    claim: str
    evidence: tuple[Evidence, ...] = ()
    comparison: Comparison | None = None
    question: str | None = None
    query: str | None = None
    """The read-only query or command that answers the question."""
    refuting: tuple[Evidence, ...] = ()
    refutation: Refutation | None = None


class Trajectory(Word):
    """A claim that this change leads to an observable degradation of a metric of a resource."""

    title: str
    impact: Impact
    resource: ResourceId
    metric: str
    links: tuple[Link, ...]
    make_safe: str
    playbook: str = ""
    certainty: Certainty | None = None
    path: tuple[ResourceId, ...] = ()
    """The resources whose telemetry bears on this chain; evidence of any other is not production evidence."""
    undo: str = ""
    asked: tuple[str, ...] = ()
    """The queries that were asked, both ways, before this was handed over."""


def status_of(trajectory: Trajectory, verifications: Sequence[Verification]) -> Status:
    """The one rule that turns a claim and its checked citations into a status.

    refuted: a citation that holds speaks against a link: production telemetry, or code of an enumerated kind;
    or the comparison of a link whose production citations hold comes out false.
    confirmed: every link has a citation that holds and no open question, and a link that carries the
    degradation has a production citation that holds: exposure or harm where failure is certain, else harm
    with a comparison that comes out true.
    plausible: anything else. A forecast counts only beside production evidence of the same link: alone it confirms and
    refutes nothing, and a link whose forecast does not hold carries nothing either.
    """

    def held(evidence: Sequence[Evidence]) -> list[Verification]:
        return [v for v in verifications if v.outcome is Outcome.HOLDS and v.evidence in evidence]

    for link in trajectory.links:
        against = held(link.refuting)
        if any(v.is_production or link.refutation is not None for v in against):
            return Status.REFUTED
        for_it = held(link.evidence)
        if not _foreseen(link, for_it):
            continue
        if link.comparison and not link.comparison.holds() and any(v.is_production for v in for_it):
            return Status.REFUTED

    complete = all(
        held(link.evidence) and link.question is None and _foreseen(link, held(link.evidence)) for link in trajectory.links
    )
    if complete and any(_carries_the_degradation(link, trajectory, held(link.evidence)) for link in trajectory.links):
        return Status.CONFIRMED
    return Status.PLAUSIBLE


def trajectory_id(trajectory: Trajectory) -> str:
    """Eight hex digits that name a trajectory where people do: in the comment, in `/gonogo ack <id>`, on a page.

    Made of what is claimed about what: playbook, resource, metric, the words of the title, and the files and lines of text that
    the chain starts from. Numbers of lines and of the title have no part in it, so it stays when the code around it moves, and is the same for
    a trajectory whose secrets were taken out.
    """
    starts = [link for link in trajectory.links if link.role is Role.TRIGGER] or trajectory.links[:1]
    lines = sorted({(_plain(e.file), _plain(e.quote)) for link in starts for e in link.evidence if isinstance(e, FileEvidence)})
    words = re.sub(r"[\d.,]+", "", _plain(trajectory.title))
    named = json.dumps([trajectory.playbook, _plain(trajectory.resource), _plain(trajectory.metric), words, lines])
    return hashlib.sha256(named.encode()).hexdigest()[:8]


def _plain(text: str) -> str:
    """The same before and after secrets and unseen signs are taken out of it, which happens before a store and a page see it."""
    is_plain = text.isprintable() and "\ufffd" not in text
    return redacted(text if is_plain else "".join(char for char in text if char.isprintable() and char != "\ufffd"))


def _foreseen(link: Link, held: Sequence[Verification]) -> bool:
    """Whether every forecast that the link's numbers rest on is the recorded one."""
    forecasts = [e for e in link.evidence if e.kind == "forecast"]
    return all(any(v.evidence == e for v in held) for e in forecasts)


def _carries_the_degradation(link: Link, trajectory: Trajectory, held: Sequence[Verification]) -> bool:
    if not any(v.is_production for v in held):
        return False
    if trajectory.certainty is not None:
        return link.role in (Role.EXPOSURE, Role.HARM) and (link.comparison is None or link.comparison.holds())
    return link.role is Role.HARM and link.comparison is not None and link.comparison.holds()
