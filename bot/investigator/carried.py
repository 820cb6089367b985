"""What a model claimed of an earlier commit of the same pull request, as far as it stands in this one.

Such a claim is made again and its evidence is read again, whatever a model says now or whether one is asked at all: it goes when
the lines that set it off are no longer in the change, or when a fact refutes it, and comes back with them. What the playbooks claim
is not carried: they look at the whole change each time (docs/decisions/0015-incremental.md).
"""

from collections.abc import Iterator, Mapping, Sequence

from bot.investigator.admitting import place_of, with_additions
from bot.investigator.anchoring import anchored, anchored_trigger, around_of
from bot.investigator.case import MODEL, Case
from bot.investigator.drafts import Added
from bot.investigator.refutations import refutation_of
from gonogo.evaluation import Claimed
from gonogo.evidence import Evidence, FileEvidence, ForecastEvidence, Outcome
from gonogo.trajectory import Link, Role, Status, Trajectory
from gonogo.verdict import LedgerEntry

MOST_CLAIMS = 60
"""Claims of one pull request that are kept, the confirmed and the newest ones."""

_NUMBERS = frozenset({"value", "window", "count", "quote", "line", "end_line"})
"""Fields in which two readings of one thing may differ."""


def carried(case: Case) -> tuple[Trajectory, ...]:
    """The claims from before that stand in this change, with their citations where they stand now."""
    claims = case.before.claims if case.before is not None else ()
    return tuple(found for one in claims if (found := _standing(one, case)) is not None)


def with_carried(claims: Sequence[Trajectory], case: Case) -> tuple[Trajectory, ...]:
    """The claims and what is carried, the same chain once: a playbook's before a model's, a proved one before its retelling."""
    kept = list(claims)
    for one in case.carried:
        same = [c for c in kept if place_of(c) is not None and place_of(c) == place_of(one)]
        if any(c.playbook != MODEL for c in same) or (same and not _was_confirmed(one, case)):
            continue
        kept = [*(c for c in kept if c not in same), one]
    return tuple(kept)


def questioned(ledger: Sequence[LedgerEntry], case: Case) -> tuple[LedgerEntry, ...]:
    """The ledger, where each carried chain that was proved and is not now asks for what it has lost."""
    return tuple(
        _asking(e) if e.status is Status.PLAUSIBLE and e.trajectory in case.carried and _was_confirmed(e.trajectory, case) else e
        for e in ledger
    )


def claims_after(ledger: Sequence[LedgerEntry], case: Case) -> tuple[Claimed, ...]:
    """All claims of models so far: those from before as they were first handed over, then the new ones."""
    known = {name_of(one.trajectory): one for one in (case.before.claims if case.before is not None else ())}
    for entry in ledger:
        if entry.trajectory.playbook != MODEL:
            continue
        is_confirmed = entry.status is Status.CONFIRMED
        before = known.get(name_of(entry.trajectory))
        if before is None or (entry.trajectory not in case.carried and not before.was_confirmed):
            known[name_of(entry.trajectory)] = Claimed(
                trajectory=entry.trajectory,
                head=case.diff.changes.head,
                was_confirmed=is_confirmed,
                around=tuple(around_of(e, case) for e in _starts(entry.trajectory)),
            )
        elif is_confirmed and not before.was_confirmed:
            known[name_of(entry.trajectory)] = before.model_copy(update={"was_confirmed": True})
    newest = sorted(enumerate(known.values()), key=lambda c: (not c[1].was_confirmed, -c[0]))[:MOST_CLAIMS]
    return tuple(one for _, one in sorted(newest, key=lambda c: c[0]))


def with_earlier_citations(claims: Sequence[Trajectory], case: Case) -> tuple[Trajectory, ...]:
    """The playbooks' claims with what a model cited for and against the same ones before, as far as it may count still."""
    before = {name_of(e.trajectory): e.trajectory for e in case.before.ledger} if case.before is not None else {}
    added = [
        one
        for at, claim in enumerate(claims)
        if (earlier := before.get(name_of(claim))) is not None and len(earlier.links) == len(claim.links)
        for number, (then, now) in enumerate(zip(earlier.links, claim.links, strict=True))
        for one in _added(at, number, then, now, claim, case)
    ]
    return with_additions(claims, added, ()) if added else tuple(claims)


def name_of(trajectory: Trajectory) -> tuple[str, str, str, str]:
    """What stays the same when a chain is told again."""
    return (trajectory.playbook, trajectory.title, trajectory.resource, trajectory.metric)


def _added(at: int, number: int, then: Link, now: Link, claim: Trajectory, case: Case) -> Iterator[Added]:
    for evidence in then.refuting:
        found = _now(evidence, case)
        kind = refutation_of(claim, found, case) if found is not None else None
        if found is not None and kind is not None and found not in now.refuting:
            yield Added(at, number, found, is_against=True, refutation=kind.code)
    known = [_what(e) for e in now.evidence]
    for evidence in then.evidence:
        found = _now(evidence, case)
        if found is not None and _what(found) not in known:
            yield Added(at, number, found)


def _standing(claimed: Claimed, case: Case) -> Trajectory | None:
    """The trajectory in this change; None when no changed line sets it off any more."""
    claim, starts = claimed.trajectory, _starts(claimed.trajectory)
    around = claimed.around or (("", ""),) * len(starts)
    moved = {e: anchored_trigger(e, case, beside) for e, beside in zip(starts, around, strict=False)}
    if starts and not any(moved.values()):
        return None
    if not starts and any(case.is_new(f.path) for f in case.diff.changes.files):
        return None  # nothing says which lines it is about, and some are others now
    links = [_link(link, case, moved if link.role is Role.TRIGGER else {}) for link in claim.links]
    return claim.model_copy(update={"links": tuple(links)})


def _starts(claim: Trajectory) -> list[FileEvidence]:
    return [e for link in claim.links if link.role is Role.TRIGGER for e in link.evidence if isinstance(e, FileEvidence)]


def _link(link: Link, case: Case, moved: Mapping[FileEvidence, FileEvidence | None]) -> Link:
    now = [moved[e] if isinstance(e, FileEvidence) and e in moved else _now(e, case) for e in link.evidence]
    lost = next((e for e, found in zip(link.evidence, now, strict=True) if found is None), None)
    question = link.question
    if lost is not None and question is None:
        question = f"{_told(lost)} is not there any more. Does this still hold?"
    against = tuple(found for e in link.refuting if (found := _now(e, case)) is not None)
    return link.model_copy(update={"evidence": tuple(e for e in now if e is not None), "refuting": against, "question": question})


def _now(evidence: Evidence, case: Case) -> Evidence | None:
    """The citation as it is made now. Facts of production are cited as they were: to read them again is the checkers' part."""
    if isinstance(evidence, FileEvidence):
        return anchored(evidence, case)
    if isinstance(evidence, ForecastEvidence) and case.foresight is not None:
        case.foresight.of(evidence.resource, evidence.metric)  # so that there is one to compare it with
    return evidence


def _asking(entry: LedgerEntry) -> LedgerEntry:
    links: list[Link] = []
    for link in entry.trajectory.links:
        gone = next((v for v in entry.verifications if v.outcome is not Outcome.HOLDS and v.evidence in link.evidence), None)
        if gone is not None and link.question is None:
            said = f"{_told(gone.evidence)} is not what is there now ({gone.observed or 'not found'}). Does this still hold?"
            link = link.model_copy(update={"question": said})  # noqa: PLW2901  the one that asks
        links.append(link)
    return entry.model_copy(update={"trajectory": entry.trajectory.model_copy(update={"links": tuple(links)})})


def _told(evidence: Evidence) -> str:
    """What was cited, in words."""
    if isinstance(evidence, FileEvidence):
        return f"`{' '.join(evidence.quote.split())[:80]}`, which stood in {evidence.file},"
    said = evidence.model_dump(mode="json", exclude={"kind", "window"}, exclude_none=True)
    return f"The {evidence.kind} reading that was cited ({', '.join(f'{k} {v}' for k, v in said.items())[:200]})"


def _what(evidence: Evidence) -> str:
    return evidence.model_dump_json(exclude=set(_NUMBERS))


def _was_confirmed(trajectory: Trajectory, case: Case) -> bool:
    claims = case.before.claims if case.before is not None else ()
    return any(c.was_confirmed for c in claims if name_of(c.trajectory) == name_of(trajectory))
