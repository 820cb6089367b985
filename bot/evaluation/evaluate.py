"""Answers one question about one change: will it hurt production?

changes → affected resources → context → heuristics → trajectories → evidence checked → verdict.
A source that fails is a Gap in the result. A stage that cannot finish is a Failure: the verdict is then a no-go that
was already proved, or none at all, never a go.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import field
from datetime import date
from time import perf_counter
from typing import TYPE_CHECKING

from bot.changes.gate import nothing_reaches_production, without_ignored
from bot.evaluation.foresight import LazyForesight
from bot.evaluation.mapping import Mapped, map_change
from bot.evidence.check import settle
from bot.investigator.case import Case
from bot.investigator.failures import failure_of
from bot.report.summary import summary_of
from context_graph.gather import gather_context
from gonogo import __version__
from gonogo.change import ChangeKind, ChangeSet, Side
from gonogo.context import Gap, ProductionContext
from gonogo.errors import CallError, GonogoError, ProductionUnreachable, StageFailed
from gonogo.evaluation import BudgetUse, Conclusion, Coverage, Evaluation, Failure, ModelUse
from gonogo.finding import Finding
from gonogo.policy import Policy
from gonogo.ports import Provider, Repository, SourceTree
from gonogo.record import Record
from gonogo.trajectory import Trajectory
from gonogo.verdict import LedgerEntry, Verdict, decide
from heuristics.code import is_docs_path, language_of
from heuristics.code.syntax import LONGEST_LINE, is_machine_made
from heuristics.rule import RuleContext

if TYPE_CHECKING:
    from bot.investigator.rules import Outcome
    from forecasting.forecaster import Choice


class Request(Record):
    """What is asked: limits of the investigation, and what the caller has already noticed."""

    steps_limit: int = 30
    deadline_s: float = 150
    notes: tuple[str, ...] = ()
    is_live: bool = False
    """Live production was asked for."""
    unreachable: ProductionUnreachable | None = None
    """Why there is no source of it."""
    forecasters: "Callable[[], Choice] | None" = None
    """What forecasts, when something has to be forecast; None: the embedded default."""
    investigator: "Callable[[Case], Outcome] | None" = None
    """Who investigates; None: the playbooks alone."""
    history: Callable[[str], Sequence[str]] | None = None
    """Path → the commits that changed it, for an investigator that asks."""
    today: date | None = None
    """The day on which acceptances are looked at; None: none of them is past its date."""


class _Progress(Record, frozen=False):
    """What is known so far, so that a failure late keeps what was found early."""

    changes: ChangeSet
    request: Request
    trees: dict[Side, SourceTree] = field(default_factory=dict[Side, SourceTree])
    production: ProductionContext = field(default_factory=ProductionContext)
    mapped: Mapped = field(default_factory=Mapped)
    findings: tuple[Finding, ...] = ()
    foresight: LazyForesight | None = None
    outcome: "Outcome | None" = None
    ledger: tuple[LedgerEntry, ...] = ()
    gaps: list[Gap] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)
    timings: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Time a stage; whatever breaks in it, other than the call itself being wrong, is its failure."""
        started = perf_counter()
        try:
            yield
        except CallError:
            raise
        except StageFailed as error:
            self.failures.append(Failure(stage=error.stage, why=error.why, what_to_do=error.what_to_do))
        except (GonogoError, Exception) as error:  # noqa: BLE001  never a silent go
            self.failures.append(failure_of(name, error))
        finally:
            self.timings[name] = round(perf_counter() - started, 4)


def evaluate(request: Request, *, repository: Repository, provider: Provider | None, policy: Policy) -> Evaluation:
    """The whole pipeline, once. Raises CallError only; everything else is in the Evaluation."""
    started = perf_counter()
    run = _Progress(changes=ChangeSet(repository="", base="", head="", files=()), request=request)
    why_nothing = None
    with run.stage("changes"):
        run.changes = changes = repository.changes()
        run.trees = {"base": repository.tree("base"), "head": repository.tree("head")}
        why_nothing = nothing_reaches_production(changes, run.trees, policy)
        run.changes, ignored = without_ignored(changes, policy)
        if ignored:
            run.notes.append(
                f"left out because the configuration ignores them: {', '.join(' '.join(p.split()) for p in ignored[:5])}"
            )
        run.coverage = coverage_of(changes, run.trees)
        run.gaps += unread_files(changes, run.trees)
    if why_nothing is None and not run.failures:
        why_nothing = _investigate(run, run.trees, provider, policy)

    run.timings["total"] = round(perf_counter() - started, 4)
    return _conclude(run, policy, why_nothing)


def _investigate(run: _Progress, trees: dict[Side, SourceTree], provider: Provider | None, policy: Policy) -> str | None:
    """The stages after the gate; the reason when the graph shows that nothing can be reached."""
    with run.stage("affected"):
        if run.request.is_live and provider is None:
            raise run.request.unreachable or ProductionUnreachable(
                "context", "no live source of production facts is configured", "pass --production DIR with a snapshot"
            )
        run.mapped = map_change(run.changes, trees, provider, policy)
        run.gaps += run.mapped.gaps
        run.notes += run.mapped.notes
    if run.failures:
        return None
    if run.mapped.is_known and not run.mapped.affected:
        return f"the graph knows {run.changes.repository} and shows nothing that it deploys to or names"
    own = [run.mapped.repository] if run.mapped.is_known else []
    ids = {*(a.resource for a in run.mapped.affected), *own}
    with run.stage("context"):
        if provider is not None:
            run.production = gather_context(provider, ids, run.mapped.edges)
            run.gaps += run.production.gaps
    diff = run.mapped.rule_context(run.changes, trees, run.production)
    if left_out := sorted({f.path for f in run.changes.files} - {f.path for f in diff.changes.files}):
        run.notes.append(f"left out because only developers' machines run it: {', '.join(left_out[:5])}")

    findings: list[Finding] = []
    with run.stage("heuristics"):
        from heuristics.registry import RULES  # noqa: PLC0415  most changes of documents and tests do not come this far

        for rule in RULES:
            try:
                findings += rule.check(diff)
            except CallError:
                raise
            except Exception as error:  # noqa: BLE001  a broken rule must not hide the others, nor become a go
                run.failures.append(failure_of(f"rule {rule.INFO.id}", error))
        run.findings = tuple(sorted(set_of(findings), key=lambda f: (f.file, f.line, f.rule, f.message)))
    claims: tuple[Trajectory, ...] = ()
    with run.stage("trajectories"):
        from bot.investigator.rules import investigate  # noqa: PLC0415

        run.foresight = LazyForesight(run.production, run.mapped.affected, run.request.forecasters)
        case = Case(
            diff=diff,
            affected=run.mapped.affected,
            findings=run.findings,
            policy=policy,
            foresight=run.foresight,
            provider=provider,
            history=run.request.history,
        )
        run.outcome = outcome = (run.request.investigator or investigate)(case)
        claims = outcome.claims
        run.failures += outcome.failures
        run.gaps += (*outcome.gaps, *run.foresight.gaps)
    with run.stage("evidence"):
        run.ledger, gaps = settle(claims, trees, provider, ids, run.foresight.forecasts if run.foresight else ())
        run.gaps += gaps
        _accept(run, policy)
    if diff.not_compared:
        left_out = f"{len(diff.not_compared):,} changed files, {diff.not_compared[0]} among them"
        run.gaps.append(Gap(stage="heuristics", what=left_out, why="values in them were not compared: the change is very large"))
    run.coverage = run.coverage.model_copy(
        update=migrations_covered(diff) | {"resources_mapped": len(ids & run.mapped.known_ids)}
    )
    return None


def _accept(run: _Progress, policy: Policy) -> None:
    """What somebody accepts with a reason is marked; most changes hold no acceptance."""
    head = run.trees["head"]
    texts = (head.text(f.head_path) or "" for f in run.changes.files if f.head_path and f.hunks)
    if not policy.accept and not any("gonogo:" in text for text in texts):
        return
    from bot.evaluation.accepting import with_acceptances  # noqa: PLC0415

    accepting = with_acceptances(run.findings, run.ledger, run.changes, head, policy, today=run.request.today)
    run.findings, run.ledger = accepting.findings, accepting.ledger
    run.notes += accepting.notes


def _conclude(run: _Progress, policy: Policy, why_nothing: str | None) -> Evaluation:
    verdict: Verdict | None = decide(run.ledger, policy)
    conclusion = Conclusion.NOTHING_TO_EVALUATE if why_nothing else Conclusion.EVALUATED
    if run.failures and verdict is not Verdict.NO_GO:
        verdict, conclusion = None, Conclusion.COULD_NOT_EVALUATE
    gaps = [*run.gaps, *(Gap(stage=f.stage, what="this stage failed", why=f.why) for f in run.failures)]
    evaluation = Evaluation(
        repository=run.changes.repository,
        base=run.changes.base,
        head=run.changes.head,
        title=run.changes.title,
        verdict=verdict,
        conclusion=conclusion,
        summary="",
        production=run.production.source,
        read_at=run.production.read_at,
        affected=run.mapped.affected,
        findings=run.findings,
        ledger=run.ledger,
        forecasts=run.foresight.forecasts if run.foresight else (),
        gaps=tuple(dict.fromkeys(gaps)),
        notes=(*run.request.notes, *run.notes),
        failures=tuple(run.failures),
        coverage=run.coverage,
        budget=BudgetUse(
            steps_used=run.outcome.steps_used if run.outcome else 0,
            steps_limit=run.request.steps_limit,
            deadline_s=run.request.deadline_s,
            citations_dropped=sum(e.citations_dropped for e in run.ledger)
            + (run.outcome.citations_refused if run.outcome else 0),
        ),
        model=(run.outcome.model if run.outcome else None) or ModelUse(),
        investigator=run.outcome.investigator if run.outcome else "rules",
        version=__version__,
        timings=run.timings,
    )
    return evaluation.model_copy(update={"summary": summary_of(evaluation, why_nothing)})


def unfinished(failure: Failure, request: Request, *, repository_id: str, base: str, head: str) -> Evaluation:
    """What is said of a range that could not be evaluated at all, or not in time."""
    changes = ChangeSet(repository=repository_id, base=base, head=head, files=())
    return _conclude(_Progress(changes=changes, request=request, failures=[failure]), Policy(), None)


def set_of(findings: list[Finding]) -> list[Finding]:
    """Findings without repetition, in their order."""
    return [f for at, f in enumerate(findings) if f not in findings[:at]]


def coverage_of(changes: ChangeSet, trees: dict[Side, SourceTree]) -> Coverage:
    """How many of the changed files were read."""
    unread = {gap.what for gap in unread_files(changes, trees)}
    return Coverage(files_changed=len(changes.files), files_read=sum(f.path not in unread for f in changes.files))


def unread_files(changes: ChangeSet, trees: dict[Side, SourceTree]) -> list[Gap]:
    """Changed files whose content was not looked at, each with why."""
    gaps: list[Gap] = []
    for file in changes.files:
        if file.note:
            gaps.append(Gap(stage="changes", what=file.path, why=file.note))
        elif file.kind is ChangeKind.SUBMODULE:
            gaps.append(Gap(stage="changes", what=file.path, why="what a submodule points to was not read"))
        elif file.is_binary and language_of(file.path) is not None:
            gaps.append(Gap(stage="changes", what=file.path, why="not text"))
        elif file.head_path and not file.is_binary and trees["head"].text(file.head_path) is None:
            gaps.append(Gap(stage="changes", what=file.path, why="too large, or not text"))
        elif file.head_path and not is_docs_path(file.path) and is_machine_made(trees["head"].text(file.head_path) or ""):
            gaps.append(
                Gap(
                    stage="changes",
                    what=file.path,
                    why=f"a line of it is longer than {LONGEST_LINE:,} characters, so it was not parsed",
                )
            )
    return gaps


def migrations_covered(diff: RuleContext) -> dict[str, int]:
    """How many migration statements were understood, and how many were not."""
    not_analysed = sum(not s.operation.statement.is_analysed for s in diff.migrations)
    return {"statements_analysed": len(diff.migrations) - not_analysed, "statements_not_analysed": not_analysed}
