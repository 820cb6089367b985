"""Everything one run saw and concluded, and its report `gonogo.report/1`. Fields of the report are added, never renamed."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic import Field

from gonogo.context import Gap
from gonogo.evidence import Evidence, Outcome, Verification
from gonogo.finding import Finding
from gonogo.forecast import Forecast
from gonogo.go_if import GoIf
from gonogo.live import LiveNote
from gonogo.resource import AffectedResource
from gonogo.trajectory import Impact, Link, Status, Trajectory, trajectory_id
from gonogo.verdict import LedgerEntry, Verdict
from gonogo.word import Instant, Word

SCHEMA = "gonogo.report/1"


class Conclusion(StrEnum):
    """How the evaluation ended."""

    EVALUATED = "evaluated"
    NOTHING_TO_EVALUATE = "nothing-to-evaluate"
    COULD_NOT_EVALUATE = "could-not-evaluate"


class Telemetry(Word):
    """How much each kind of source answered about the affected resources; 0 where it had nothing or failed (then a gap says so)."""

    resources: int = 0
    """Whose configuration was read."""
    series: int = 0
    log_lines: int = 0
    databases: int = 0
    deploys: int = 0
    alarms: int = 0


class Coverage(Word):
    """What was looked at."""

    files_changed: int = 0
    files_read: int = 0
    patches_rebuilt: int = 0
    """Of files that git shows no lines of, read as text of another encoding all the same."""
    binaries_not_read: int = 0
    submodules_not_read: int = 0
    resources_touched: int = 0
    """Affected ones, and those that a changed manifest declares."""
    resources_mapped: int = 0
    """Those of them that production knows."""
    statements_analysed: int = 0
    statements_not_analysed: int = 0
    telemetry: Telemetry = Telemetry()


class BudgetUse(Word):
    """What the investigation took, and how many citations did not hold."""

    steps_used: int = 0
    steps_limit: int = 30
    deadline_s: float = 150
    citations_dropped: int = 0


class ModelUse(Word):
    """Which model was asked, and what it cost; all zero when none was."""

    id: str | None = None
    small_id: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0


class JudgedFile(Word):
    """One changed file as it was judged: its path and what git held for it, on both sides."""

    base_path: str | None = None
    head_path: str | None = None
    base_object: str = ""
    head_object: str = ""
    investigated_by: str = ""
    """The version of the model's investigator that has looked at it as it is; empty: none has."""

    def is_same(self, other: "JudgedFile") -> bool:
        """Whether both are one file with the same content on each side. Of what git holds nothing for, nothing is known."""
        paths = (self.base_path, self.head_path) == (other.base_path, other.head_path)
        objects = (self.base_object, self.head_object)
        return paths and any(objects) and objects == (other.base_object, other.head_object)


class Claimed(Word):
    """A trajectory as a model handed it over, and where."""

    trajectory: Trajectory
    head: str
    """The commit that it was claimed of."""
    was_confirmed: bool = False
    """Whether its evidence has confirmed it, at that commit or at a later one."""
    around: tuple[tuple[str, str], ...] = ()
    """Of each changed line that it starts from the lines before and after that hold something: by them it is known in another file."""


class Judged(Word):
    """What a verdict is bound to, and what the next evaluation of the pull request goes on from. It stands in no report."""

    fingerprint: str = ""
    """The same for two changes that get the same verdict (bot.evaluation.fingerprint); empty: not known."""
    files: tuple[JudgedFile, ...] = ()
    claims: tuple[Claimed, ...] = ()
    """Every claim of a model on this pull request so far, those too whose lines are not in the change now: they may come back."""


class Failure(Word):
    """A stage that could not finish: never a go."""

    stage: str
    why: str
    what_to_do: str = ""


class Evaluation(Word):
    """One answer to one question about one change."""

    repository: str
    base: str
    head: str
    title: str = ""
    verdict: Verdict | None
    conclusion: Conclusion
    summary: str
    production: str = "none"
    read_at: Instant | None = None
    affected: tuple[AffectedResource, ...] = ()
    findings: tuple[Finding, ...] = ()
    ledger: tuple[LedgerEntry, ...] = ()
    forecasts: tuple[Forecast, ...] = ()
    gaps: tuple[Gap, ...] = ()
    notes: tuple[str, ...] = ()
    live: tuple[LiveNote, ...] = ()
    """What is unsettled in production around the change, as it was when production was read."""
    is_held: bool = False
    """The live gate is on and `live` is not empty: a no-go for now, whatever the ledger says."""
    blocking: tuple[str, ...] = ()
    """Ids of the trajectories that make it a no-go."""
    go_if: tuple[GoIf, ...] = ()
    """What would turn a no-go, smallest first; empty for any other answer."""
    failures: tuple[Failure, ...] = ()
    judged: Judged = Judged()
    reused_from: str | None = None
    """Head of the earlier evaluation whose verdict was given again, because nothing that it is bound to has changed."""
    coverage: Coverage = Coverage()
    budget: BudgetUse = BudgetUse()
    model: ModelUse = ModelUse()
    investigator: str = "rules"
    version: str = ""
    timings: Mapping[str, float] = Field(default_factory=dict)

    def exit_status(self) -> int:
        """0 go or nothing to evaluate, 1 no-go and nothing else, 3 could not be finished."""
        if self.verdict is None:
            return 3
        return 1 if self.verdict is Verdict.NO_GO else 0

    def ranked(self) -> tuple[LedgerEntry, ...]:
        """The ledger, what matters most first: confirmed, plausible, refuted; then by impact and title."""
        statuses, impacts = list(Status), [Impact.HIGH, Impact.MEDIUM, Impact.LOW]
        return tuple(
            sorted(
                self.ledger,
                key=lambda e: (
                    statuses.index(e.status),
                    impacts.index(e.trajectory.impact),
                    e.trajectory.title,
                    e.trajectory.resource,
                ),
            )
        )

    def blockers(self) -> tuple[LedgerEntry, ...]:
        """The trajectories that make it a no-go, what matters most first."""
        if self.verdict is not Verdict.NO_GO:
            return ()
        if self.blocking:
            return tuple(e for e in self.ranked() if trajectory_id(e.trajectory) in self.blocking and not e.is_lifted)
        return tuple(e for e in self.ranked() if e.status is Status.CONFIRMED and not e.is_lifted)

    def to_report(self) -> dict[str, Any]:
        """The document of spec 00; citations that did not hold are left out and counted."""
        failed = self.failures[0] if self.failures else None
        blocking = {id(entry) for entry in self.blockers()}
        return {
            "schema": SCHEMA,
            "verdict": self.verdict.value if self.verdict else None,
            "conclusion": self.conclusion.value,
            "summary": self.summary,
            "repository": self.repository,
            "base": self.base,
            "head": self.head,
            "production": {"source": self.production, "read_at": self.read_at.isoformat() if self.read_at else None},
            "affected": [a.model_dump(mode="json", include={"resource", "kind", "path", "why"}) for a in self.affected],
            "findings": [f.model_dump(mode="json") for f in self.findings],
            "trajectories": [_entry(e) | {"blocks": id(e) in blocking} for e in self.ranked()],
            "forecasts": [f.model_dump(mode="json") for f in self.forecasts],
            "gaps": [g.model_dump(mode="json") for g in self.gaps],
            "notes": list(self.notes),
            "is_held": self.is_held,
            "live": [n.model_dump(mode="json") for n in self.live],
            "go_if": [g.model_dump(mode="json") for g in self.go_if],
            "coverage": self.coverage.model_dump(mode="json"),
            "budget": self.budget.model_dump(mode="json"),
            "model": self.model.model_dump(mode="json"),
            "investigator": self.investigator,
            "gonogo_version": self.version,
            "timings": dict(self.timings),
            **({"error": failed.model_dump(mode="json")} if failed else {}),
        }


def _entry(entry: LedgerEntry) -> dict[str, Any]:
    trajectory = entry.trajectory
    return {
        "id": trajectory_id(trajectory),
        "title": trajectory.title,
        "status": entry.status.value,
        "impact": trajectory.impact.value,
        "resource": trajectory.resource,
        "metric": trajectory.metric,
        "playbook": trajectory.playbook,
        "links": [_link(link, entry.verifications) for link in trajectory.links],
        "make_safe": trajectory.make_safe,
        "undo": trajectory.undo,
        "asked": list(trajectory.asked),
        "accepted": entry.accepted.model_dump(mode="json") if entry.accepted else None,
    }


def _link(link: Link, verifications: tuple[Verification, ...]) -> dict[str, Any]:
    def held(evidence: Evidence) -> dict[str, Any] | None:
        found = next((v for v in verifications if v.evidence == evidence and v.outcome is Outcome.HOLDS), None)
        if found is None:
            return None
        cited = {k: v for k, v in evidence.model_dump(mode="json").items() if v is not None}
        return {**cited, "verified": True, "observed": found.observed, "production": found.is_production}

    refuting = [e for e in map(held, link.refuting) if e]
    return {
        "role": link.role.value,
        "claim": link.claim,
        "question": link.question,
        "query": link.query,
        "comparison": link.comparison.model_dump(mode="json") if link.comparison else None,
        "evidence": [*(e for e in map(held, link.evidence) if e), *({**e, "refutes": True} for e in refuting)],
        **({"refutation": link.refutation.value} if link.refutation and refuting else {}),
    }
