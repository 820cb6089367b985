"""From what a model proposes to drafts: each citation is read on arrival, and what its source does not bear out is refused."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.investigator.citing import Citation, Refused, cited
from bot.investigator.desk import Desk, SourceFailed
from bot.investigator.drafts import DraftLink, DraftTrajectory
from gonogo.evidence import Evidence
from gonogo.redaction import redacted
from gonogo.trajectory import Comparison, Operator, Role

_LONGEST = 400


class Compared(BaseModel):
    """`observed operator limit`: true means harm. Both figures must stand in citations of this link."""

    model_config = ConfigDict(extra="ignore")

    observed: float = Field(allow_inf_nan=False)
    operator: Operator
    limit: float = Field(allow_inf_nan=False)
    unit: str = ""


class ClaimedLink(BaseModel):
    """One link of a chain: a claim with its citations, or with the question that would settle it."""

    model_config = ConfigDict(extra="ignore")

    role: Role
    claim: str = Field(min_length=1, max_length=2_000)
    evidence: list[Citation] = Field(default_factory=list[Citation], max_length=8)
    comparison: Compared | None = None
    question: str | None = Field(default=None, max_length=1_000)
    query: str | None = Field(default=None, max_length=1_000, description="read-only query that answers the question")


class ClaimedTrajectory(BaseModel):
    """A chain from a changed line to the degradation of a metric of a resource. It has no status: that is computed."""

    model_config = ConfigDict(extra="ignore")

    title: str = Field(min_length=1, max_length=500)
    impact: Literal["low", "medium", "high"] = "medium"
    resource: str
    metric: str = Field(max_length=200)
    make_safe: str = Field(default="", max_length=2_000)
    undo: str = Field(default="", max_length=2_000)
    links: list[ClaimedLink] = Field(default_factory=list[ClaimedLink], max_length=12)


def propose(claimed: ClaimedTrajectory, desk: Desk) -> tuple[str, list[str]]:
    """Put a trajectory down; its id, and what of it was refused. Raises Refused for the whole of it."""
    if desk.drafts.is_full:
        raise Refused(f"{len(desk.drafts.trajectories)} trajectories are proposed already; record the verdict with the likeliest")
    if not desk.facts.knows(claimed.resource):
        near = ", ".join(a.resource for a in desk.case.affected[:12]) or "none"
        raise Refused(f"no resource {claimed.resource} is known; affected are: {near}")
    draft = DraftTrajectory(
        title=plain(claimed.title, 160),
        impact=claimed.impact,
        resource=claimed.resource,
        metric=plain(claimed.metric, 120),
        make_safe=plain(claimed.make_safe),
        undo=plain(claimed.undo),
    )
    name = desk.drafts.add(draft)
    return name, [said for link in claimed.links for said in add_link(draft, link, desk)]


def add_link(draft: DraftTrajectory, claimed: ClaimedLink, desk: Desk) -> list[str]:
    """Append a link; what of it was refused."""
    link = DraftLink(
        role=claimed.role,
        claim=plain(claimed.claim),
        comparison=Comparison(**claimed.comparison.model_dump()) if claimed.comparison else None,
        question=plain(claimed.question) if claimed.question else None,
        query=plain(claimed.query) if claimed.query else None,
    )
    draft.links.append(link)
    refused: list[str] = []
    for citation in claimed.evidence:
        evidence, why = read(citation, desk)
        if evidence is None:
            refused.append(f"link {len(draft.links)}: {why}")
        elif evidence not in link.evidence:
            link.evidence.append(evidence)
    return refused


def read(citation: Citation, desk: Desk) -> tuple[Evidence | None, str]:
    """The evidence, or why it is refused; a refusal is counted."""
    try:
        return cited(citation, desk), ""
    except (Refused, SourceFailed) as error:
        desk.drafts.refused += 1
        return None, f"{citation.kind} citation refused: {error}"


def plain(text: str, longest: int = _LONGEST) -> str:
    """A model's words as they enter a report: one line, no secret, not endless."""
    line = " ".join(redacted(text).split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def explained(error: Any) -> str:
    """Every mistake of wrong arguments in one line, for the model to correct itself."""
    said = [f"{'.'.join(str(part) for part in one['loc']) or 'arguments'}: {one['msg']}" for one in error.errors()[:8]]
    return "; ".join(said)
