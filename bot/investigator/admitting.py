"""From drafts to claims: what a model handed over, held to the rules of a chain, beside the playbooks' own trajectories.

A model can't set a status, and its words alone can't make one either: a figure counts when a citation has it, harm counts when a
changed line of this change meets a reading of the same kind, and a link without proof keeps its question.
"""

from collections.abc import Iterator, Sequence

from bot.investigator.case import MODEL, Case
from bot.investigator.comparable import is_borne_out
from bot.investigator.drafts import Added, DraftLink, Drafts, DraftTrajectory
from gonogo.evidence import FileEvidence
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId

_ASKED = {
    Role.TRIGGER: "Which changed line sets this off?",
    Role.MECHANISM: "Which code or configuration leads from the change to the trouble?",
    Role.EXPOSURE: "What in production meets it: which traffic, which resource, at which rate?",
    Role.HARM: "Which reading of production, held against which limit, shows the harm?",
}


def admitted(drafts: Drafts, case: Case, asked: Sequence[str]) -> tuple[Trajectory, ...]:
    """The trajectories of one conversation that count: those that its verdict names, all when it named none."""
    names = list(drafts.trajectories) if drafts.handed_over is None else drafts.handed_over
    kept = [_trajectory(drafts.trajectories[name], case, asked) for name in dict.fromkeys(names)]
    known = {place_of(t) for t in case.candidates}
    return tuple(t for t in kept if place_of(t) is None or place_of(t) not in known)


def with_additions(candidates: Sequence[Trajectory], added: Sequence[Added], asked: Sequence[str]) -> tuple[Trajectory, ...]:
    """The playbooks' trajectories with what models cited for them or against them.

    A citation for a link is taken where the link is open and compares nothing: it informs, and its question stays.
    """
    changed = list(candidates)
    for one in added:
        before = changed[one.trajectory]
        link = before.links[one.link]
        if one.is_against:
            update = {"refuting": (*link.refuting, one.evidence), "refutation": link.refutation or one.refutation}
        elif link.question is not None and link.comparison is None and one.evidence not in link.evidence:
            update = {"evidence": (*link.evidence, one.evidence)}
        else:
            continue
        links = tuple(link.model_copy(update=update) if at == one.link else each for at, each in enumerate(before.links))
        queries = tuple(dict.fromkeys((*before.asked, *asked)))
        changed[one.trajectory] = before.model_copy(update={"links": links, "asked": queries})
    return tuple(changed)


def _trajectory(draft: DraftTrajectory, case: Case, asked: Sequence[str]) -> Trajectory:
    found = next((a for a in case.affected if a.resource == draft.resource), None)
    return Trajectory(
        title=draft.title,
        impact=Impact(draft.impact),
        resource=ResourceId(draft.resource),
        metric=draft.metric,
        links=tuple(_links(draft, case)),
        make_safe=draft.make_safe or "Settle the open questions before this is merged.",
        playbook=MODEL,
        path=found.path if found is not None else (),
        undo=draft.undo,
        asked=tuple(asked),
    )


def _links(draft: DraftTrajectory, case: Case) -> Iterator[Link]:
    """The links in the order of their roles; a role that nobody claimed stands there with its question."""
    for role in Role:
        mine = [link for link in draft.links if link.role is role]
        if not mine:
            yield Link(role=role, claim="not shown", question=_ASKED[role])
        for link in mine:
            yield _link(link, draft, case)


def _link(link: DraftLink, draft: DraftTrajectory, case: Case) -> Link:
    is_proved = bool(link.evidence)
    comparison = link.comparison
    if link.role is Role.TRIGGER:
        is_proved = any(is_changed(e, case) for e in link.evidence if isinstance(e, FileEvidence))
    if comparison is not None and not is_borne_out(comparison, link, draft, case):
        comparison, is_proved = None, False
    if link.role is Role.HARM and comparison is None:
        is_proved = False
    question = link.question or (None if is_proved else _ASKED[link.role])
    return Link(
        role=link.role,
        claim=link.claim,
        evidence=tuple(link.evidence),
        comparison=comparison,
        question=question,
        query=link.query if question else None,
        refuting=tuple(link.refuting),
    )


def is_changed(evidence: FileEvidence, case: Case) -> bool:
    """Whether the cited lines hold one that this change wrote or took away."""
    file = case.diff.changes.file(evidence.file)
    if file is None:
        return False
    changed = file.added_lines() if evidence.side == "head" else file.removed_lines()
    return any(at in changed for at in range(evidence.line, (evidence.end_line or evidence.line) + 1))


def place_of(trajectory: Trajectory) -> tuple[str, str, str, int] | None:
    """Resource, metric and first changed line: the same chain told twice."""
    first = next((e for link in trajectory.links[:1] for e in link.evidence if isinstance(e, FileEvidence)), None)
    return (trajectory.resource, trajectory.metric, first.file, first.line) if first is not None else None
