"""Answers one question about one change: will it hurt production?

changes → affected resources → context → heuristics → trajectories → evidence checked → verdict → what would turn a no-go.
A source that fails is a Gap in the result. A stage that cannot finish is a Failure: the verdict is then a no-go that
was already proved, or none at all, never a go.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import field
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from bot.changes.gate import nothing_reaches_production, without_ignored
from bot.evaluation.coverage import coverage_of, migrations_covered, production_covered, unread_files
from bot.evaluation.fingerprint import Around, around_of, fingerprint_of
from bot.evaluation.foresight import LazyForesight, MadeForesight
from bot.evaluation.incremental import claims_of, going_on, judged_of, same_again, settled_from_before, smaller_note
from bot.evaluation.known_production import KnownProduction
from bot.evaluation.live_gate import look_around
from bot.evaluation.mapping import Mapped, map_change
from bot.evaluation.request import Request
from bot.evaluation.rule_settings import by_rule_settings
from bot.evidence.check import settle
from bot.investigator.case import Case
from bot.investigator.failures import failure_of
from bot.report.summary import summary_of
from context_graph.gather import gather_context
from gonogo import __version__
from gonogo.change import ChangeSet, Side
from gonogo.context import Gap, ProductionContext
from gonogo.errors import CallError, GonogoError, ProductionUnreachable, StageFailed
from gonogo.evaluation import BudgetUse, Claimed, Conclusion, Coverage, Evaluation, Failure, Judged, ModelUse
from gonogo.finding import Finding
from gonogo.go_if import GoIf
from gonogo.live import LiveNote
from gonogo.policy import Policy
from gonogo.ports import Provider, Repository, Shadow, SourceTree
from gonogo.record import Record
from gonogo.trajectory import Trajectory, trajectory_id
from gonogo.verdict import LedgerEntry, Verdict, blocks, decide
from gonogo.word import ResourceId
from heuristics.rule import RuleContext

if TYPE_CHECKING:
    from bot.investigator.rules import Outcome


class _Progress(Record, frozen=False):
    """What is known so far, so that a failure late keeps what was found early."""

    changes: ChangeSet
    request: Request
    trees: dict[Side, SourceTree] = field(default_factory=dict[Side, SourceTree])
    production: ProductionContext = field(default_factory=ProductionContext)
    mapped: Mapped = field(default_factory=Mapped)
    read: frozenset[ResourceId] = frozenset()
    """The resources whose facts production was asked for."""
    findings: tuple[Finding, ...] = ()
    switched_off: tuple[Finding, ...] = ()
    """What rules that the configuration switched off have found."""
    foresight: LazyForesight | MadeForesight | None = None
    outcome: "Outcome | None" = None
    shadow: Shadow | None = None
    again: Evaluation | None = None
    """An earlier evaluation whose verdict is given again."""
    claims: tuple[Claimed, ...] | None = None
    ledger: tuple[LedgerEntry, ...] = ()
    live: tuple[LiveNote, ...] = ()
    go_if: tuple[GoIf, ...] = ()
    gaps: list[Gap] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)
    timings: dict[str, float] = field(default_factory=dict)
    worked_s: float = 0.0
    """Seconds of the processor, of all stages but the investigation."""

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Time a stage; whatever breaks in it, other than the call itself being wrong, is its failure."""
        started, started_cpu = perf_counter(), process_time()
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
            self.worked_s += process_time() - started_cpu if name != "trajectories" else 0.0


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
        try:
            why_nothing = _investigate(run, run.trees, provider, policy)
        finally:
            if run.shadow is not None:
                run.shadow.close()

    run.timings["total"] = round(perf_counter() - started, 4)
    if run.again is not None:
        return run.again.model_copy(update={"timings": run.timings})
    evaluation = _conclude(run, policy, why_nothing)
    if evaluation.blockers() and request.seeks_go_if:
        evaluation = _with_ways_to_go(evaluation, run, provider, policy, started=started)
    return evaluation


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
    ids = run.read = run.mapped.ids
    if run.request.reusable and _is_known(run, provider, policy):
        return None
    with run.stage("context"):
        if provider is not None:
            run.production = gather_context(provider, ids, run.mapped.edges)
            run.gaps += run.production.gaps
            run.live, unread = look_around(provider, run.mapped.affected, run.production)
            run.gaps += unread
    diff = run.mapped.rule_context(run.changes, trees, run.production)
    if left_out := sorted({f.path for f in run.changes.files} - {f.path for f in diff.changes.files}):
        run.notes.append(f"left out because only developers' machines run it: {', '.join(left_out[:5])}")

    with run.stage("heuristics"):
        _check_rules(run, diff, policy)
    claims: tuple[Trajectory, ...] = ()
    case: Case | None = None
    with run.stage("trajectories"):
        from bot.investigator.rules import investigate  # noqa: PLC0415

        run.foresight = run.request.foresight or LazyForesight(run.production, run.mapped.affected, run.request.forecasters)
        if run.request.open_shadow is not None and (run.request.investigator or run.request.earlier):
            run.shadow = run.request.open_shadow(diff)
        case = Case(
            diff=diff,
            affected=run.mapped.affected,
            findings=run.findings,
            policy=policy,
            foresight=run.foresight,
            provider=provider,
            history=run.request.history,
            shadow=run.shadow,
        )
        case = going_on(case, run.request.earlier, policy, investigator=run.request.investigator_version)
        run.outcome = outcome = (run.request.investigator or investigate)(case)
        claims = claims_of(outcome, case)
        if run.request.investigator is not None and (note := smaller_note(case.before, diff.changes)):
            run.notes.append(note)
        run.failures += outcome.failures
        run.gaps += (*outcome.gaps, *run.foresight.gaps)
    with run.stage("evidence"):
        forecasts = run.foresight.forecasts if run.foresight else ()
        run.ledger, gaps = settle(claims, trees, provider, ids, forecasts, shadow=run.shadow)
        run.gaps += gaps
        run.ledger, run.claims = settled_from_before(run.ledger, case)
        _accept(run, policy)
    if diff.not_compared:
        left_out = f"{len(diff.not_compared):,} changed files, {diff.not_compared[0]} among them"
        run.gaps.append(Gap(stage="heuristics", what=left_out, why="values in them were not compared: the change is very large"))
    run.coverage = run.coverage.model_copy(update=migrations_covered(diff) | production_covered(run.mapped, run.production))
    return None


def _is_known(run: _Progress, provider: Provider | None, policy: Policy) -> bool:
    """Whether an evaluation with the same fingerprint is there; its verdict is then given again."""
    try:
        around = around_of(run.mapped, provider)
        fingerprint = _fingerprint(run, around, policy)
        run.again = same_again(
            run.request.reusable, fingerprint, run.changes, around, provider=provider, policy=policy, notes=run.request.notes
        )
    except Exception:  # noqa: BLE001  what can't be known is evaluated
        run.again = None
    return run.again is not None


def _fingerprint(run: _Progress, around: Around | None, policy: Policy) -> str:
    request = run.request
    return fingerprint_of(run.changes, run.trees, around, policy, investigator=request.investigator_version, today=request.today)


def _judged(run: _Progress, policy: Policy) -> Judged:
    """What the next evaluation of the same pull request goes on from."""
    around = Around(run.mapped, run.production.resources, run.production.source, run.production.read_at)
    is_gated = not run.mapped.repository
    try:
        fingerprint = "" if run.failures else _fingerprint(run, None if is_gated else around, policy)
    except Exception:  # noqa: BLE001  without one the verdict is given, and never given again
        fingerprint = ""
    return judged_of(
        run.changes,
        run.request.earlier,
        fingerprint=fingerprint,
        claims=run.claims,
        investigated_by=run.request.investigator_version if run.outcome is not None and run.outcome.is_whole else "",
    )


def _check_rules(run: _Progress, diff: RuleContext, policy: Policy) -> None:
    from heuristics.registry import RULES  # noqa: PLC0415  most changes of documents and tests do not come this far

    findings: list[Finding] = []
    for rule in RULES:
        try:
            findings += rule.check(diff)
        except CallError:
            raise
        except Exception as error:  # noqa: BLE001  a broken rule must not hide the others, nor become a go
            if rule.INFO.id not in policy.switched_off:
                run.failures.append(failure_of(f"rule {rule.INFO.id}", error))
    ruled = by_rule_settings(set_of(findings), policy)
    run.findings, run.switched_off = ruled.findings, ruled.switched_off
    run.notes += ruled.notes


def _accept(run: _Progress, policy: Policy) -> None:
    """What somebody accepts with a reason is marked; most changes hold no acceptance."""
    head = run.trees["head"]
    texts = (head.text(f.head_path) or "" for f in run.changes.files if f.head_path and f.hunks)
    if not policy.accept and not run.switched_off and not any("gonogo:" in text for text in texts):
        return
    from bot.evaluation.accepting import with_acceptances  # noqa: PLC0415

    found = (*run.findings, *run.switched_off)
    accepting = with_acceptances(found, run.ledger, run.changes, head, policy, today=run.request.today)
    run.findings, run.ledger = accepting.findings[: len(run.findings)], accepting.ledger
    run.notes += accepting.notes


def _conclude(run: _Progress, policy: Policy, why_nothing: str | None) -> Evaluation:
    verdict: Verdict | None = decide(run.ledger, policy, run.live)
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
        live=run.live,
        is_held=policy.live_gate and bool(run.live),
        blocking=tuple(trajectory_id(e.trajectory) for e in run.ledger if blocks(e, policy)),
        go_if=run.go_if,
        failures=tuple(run.failures),
        judged=_judged(run, policy),
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


def _with_ways_to_go(
    evaluation: Evaluation, run: _Progress, provider: Provider | None, policy: Policy, *, started: float
) -> Evaluation:
    from bot.evaluation.ways_to_go import with_ways_to_go  # noqa: PLC0415  a go needs none of it

    known = KnownProduction(run.production, read=run.read, provider=provider) if provider is not None else None
    made = MadeForesight(run.foresight) if isinstance(run.foresight, LazyForesight) else run.foresight
    request = Request(foresight=made, seeks_go_if=False, today=run.request.today)
    ledger_alone = policy.model_copy(update={"live_gate": False})
    return with_ways_to_go(
        evaluation,
        run.changes,
        run.trees,
        try_out=lambda edited: evaluate(request, repository=edited, provider=known, policy=ledger_alone),
        worked_s=run.worked_s,
        started=started,
        deadline_s=run.request.deadline_s,
    )


def unfinished(failure: Failure, request: Request, *, repository_id: str, base: str, head: str) -> Evaluation:
    """What is said of a range that could not be evaluated at all, or not in time."""
    changes = ChangeSet(repository=repository_id, base=base, head=head, files=())
    return _conclude(_Progress(changes=changes, request=request, failures=[failure]), Policy(), None)


def set_of(findings: list[Finding]) -> list[Finding]:
    """Findings without repetition, in their order."""
    return [f for at, f in enumerate(findings) if f not in findings[:at]]
