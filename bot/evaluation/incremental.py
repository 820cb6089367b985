"""A pull request that was evaluated before: its verdict again when nothing has changed, and of what has changed only that to a model.

Rules and playbooks look at the whole change each time, for they take a second; the smaller diff is what a model is asked about.
Files are compared by their contents at both merge bases, so a rebase, a squash or a force push is as small as what it changes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from bot.changes.gate import nothing_reaches_production
from bot.evaluation.fingerprint import Around
from bot.evaluation.live_gate import look_around
from bot.investigator.case import MODEL, Before, Case
from bot.report.summary import summary_of
from gonogo.change import ChangeSet, Side
from gonogo.context import ProductionContext
from gonogo.evaluation import BudgetUse, Claimed, Conclusion, Evaluation, Judged, JudgedFile, ModelUse
from gonogo.policy import Policy
from gonogo.ports import Provider, SourceTree
from gonogo.trajectory import Trajectory, trajectory_id
from gonogo.verdict import LedgerEntry, blocks, decide

if TYPE_CHECKING:
    from bot.investigator.rules import Outcome

FRESH_FOR = timedelta(hours=24)
"""How long a verdict may be given again: production moves."""

_UNFINISHED = frozenset({"trajectories", "evidence", "forecast", "live gate"})
"""Stages whose gaps may be gone when it is tried again; of live production also 'context'."""


def judged_files(changes: ChangeSet, *, investigated_by: str = "", before: Sequence[JudgedFile] = ()) -> tuple[JudgedFile, ...]:
    """The changed files as they are judged; with no new investigation each keeps the mark that it had with the same content."""
    found: list[JudgedFile] = []
    for file in changes.files:
        one = JudgedFile(
            base_path=file.base_path, head_path=file.head_path, base_object=file.base_object, head_object=file.head_object
        )
        mark = investigated_by or next((b.investigated_by for b in before if b.is_same(one)), "")
        found.append(one.model_copy(update={"investigated_by": mark}))
    return tuple(found)


def before_of(
    earlier: Evaluation | None, changes: ChangeSet, trees: Mapping[Side, SourceTree], policy: Policy, *, investigator: str
) -> Before | None:
    """What this evaluation goes on from, and which of its changed files a model need not be asked about.

    These are the files that the same version of the investigator has seen with the same content on both sides. When what is left
    can't reach production by itself (a document, a test, a comment), there is nothing to ask about.
    """
    if earlier is None:
        return None
    seen = [f for f in earlier.judged.files if investigator and f.investigated_by == investigator]
    now = {file.path: one for file, one in zip(changes.files, judged_files(changes), strict=True)}
    looked_at = frozenset(path for path, one in now.items() if any(one.is_same(f) for f in seen))
    rest = changes.model_copy(update={"files": tuple(f for f in changes.files if f.path not in looked_at)})
    if looked_at and nothing_reaches_production(rest, trees, policy) is not None:
        looked_at = frozenset(now)
    return Before(head=earlier.head, ledger=earlier.ledger, claims=earlier.judged.claims, looked_at=looked_at)


def going_on(case: Case, earlier: Evaluation | None, policy: Policy, *, investigator: str) -> Case:
    """The case with what an earlier evaluation of the pull request came to; for a first one, as it is."""
    if earlier is None:
        return case
    from bot.investigator.carried import carried  # noqa: PLC0415  a first evaluation has nothing to carry

    before = before_of(earlier, case.diff.changes, case.diff.trees, policy, investigator=investigator)
    case = replace(case, before=before)
    return replace(case, carried=carried(case))


def claims_of(outcome: "Outcome", case: Case) -> tuple[Trajectory, ...]:
    """All claims to be settled: those of this evaluation, and those from before that still stand."""
    if not case.carried:
        return outcome.claims
    from bot.investigator.carried import with_carried  # noqa: PLC0415

    return with_carried(outcome.claims, case)


def settled_from_before(
    ledger: tuple[LedgerEntry, ...], case: Case | None
) -> tuple[tuple[LedgerEntry, ...], tuple[Claimed, ...] | None]:
    """The ledger, in which a chain that was proved before and is not any more asks for what it lost; and all models' claims so far.

    Without a case nothing was investigated, and nothing is known of claims.
    """
    if case is None:
        return ledger, None
    if case.before is None and not any(e.trajectory.playbook == MODEL for e in ledger):
        return ledger, ()
    from bot.investigator.carried import claims_after, questioned  # noqa: PLC0415

    return questioned(ledger, case), claims_after(ledger, case)


def judged_of(
    changes: ChangeSet, earlier: Evaluation | None, *, fingerprint: str, claims: Sequence[Claimed] | None, investigated_by: str
) -> Judged:
    """What the next evaluation goes on from. `claims` is None where this one did not come to any: those from before stay."""
    before = earlier.judged if earlier is not None else Judged()
    return Judged(
        fingerprint=fingerprint,
        files=judged_files(changes, investigated_by=investigated_by, before=before.files),
        claims=tuple(claims) if claims is not None else before.claims,
    )


def is_reusable(evaluation: Evaluation) -> bool:
    """Whether its verdict may be given again: it was finished, and no source failed on the way that may answer next time."""
    passing = _UNFINISHED | ({"context"} if evaluation.production == "live" else frozenset[str]())
    return (
        bool(evaluation.judged.fingerprint)
        and evaluation.verdict is not None
        and not evaluation.failures
        and not any(gap.stage in passing for gap in evaluation.gaps)
    )


def same_again(
    known: Sequence[Evaluation],
    fingerprint: str,
    changes: ChangeSet,
    around: Around,
    *,
    provider: Provider | None,
    policy: Policy,
    notes: Sequence[str],
) -> Evaluation | None:
    """The verdict of an evaluation with this fingerprint, of this head; None when there is none, or production can't be looked at.

    What is unsettled in production right now is read again: the live gate opens and closes without a commit.
    """
    found = next((e for e in known if fingerprint and e.judged.fingerprint == fingerprint and is_reusable(e)), None)
    if found is None:
        return None
    live = found.live
    if provider is not None:
        ids = around.mapped.ids
        try:
            read = ProductionContext(
                read_at=around.read_at,
                source=around.source,
                edges=around.mapped.edges,
                deploys=tuple(provider.deploys(ids)),
                alarms=tuple(provider.alarms(ids)),
            )
        except Exception:  # noqa: BLE001  a source that does not answer is told by a whole evaluation
            return None
        live, gaps = look_around(provider, around.mapped.affected, read)
        if gaps:
            return None
    again = found.model_copy(
        update={
            "base": changes.base,
            "head": changes.head,
            "title": changes.title,
            "verdict": decide(found.ledger, policy, live),
            "live": live,
            "is_held": policy.live_gate and bool(live),
            "blocking": tuple(trajectory_id(e.trajectory) for e in found.ledger if blocks(e, policy)),
            "notes": tuple(dict.fromkeys((*notes, *_without_reuse(found.notes), _again_note(found)))),
            "budget": BudgetUse(
                steps_limit=found.budget.steps_limit,
                deadline_s=found.budget.deadline_s,
                citations_dropped=found.budget.citations_dropped,
            ),
            "model": ModelUse(id=found.model.id, small_id=found.model.small_id),
            "reused_from": found.reused_from or found.head,
        }
    )
    if again.conclusion is Conclusion.NOTHING_TO_EVALUATE:
        return again
    return again.model_copy(update={"summary": summary_of(again, None)})


def asked_again(evaluation: Evaluation) -> Evaluation:
    """The same evaluation to go on from, for somebody who wants a model to look at everything once more: its claims stay."""
    files = tuple(f.model_copy(update={"investigated_by": ""}) for f in evaluation.judged.files)
    return evaluation.model_copy(update={"judged": evaluation.judged.model_copy(update={"files": files})})


def smaller_note(before: Before | None, changes: ChangeSet) -> str | None:
    """What a model was not asked again, in words."""
    if before is None or not before.looked_at:
        return None
    total, at = len(changes.files), before.head[:12]
    new = sum(f.path not in before.looked_at for f in changes.files)
    if not new:
        return f"no model was asked: one had looked at all that can reach production, at {at}"
    return f"a model was asked about {new} of {total} changed files; one had looked at the others before, at {at}"


_AGAIN = "nothing that the verdict rests on has changed since "


def _again_note(found: Evaluation) -> str:
    return f"{_AGAIN}{(found.reused_from or found.head)[:12]}: it is given again, and nothing was evaluated"


def _without_reuse(notes: Sequence[str]) -> tuple[str, ...]:
    return tuple(n for n in notes if not n.startswith(_AGAIN))
