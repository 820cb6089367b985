"""A migration that production's history refuses or skips, that its runner cannot run, or that comes after the code which needs it."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import quote, quote_removed, server_statistic
from bot.investigator.case import Case
from bot.investigator.chain import exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.early_code import needed_of_merged, needed_too_early, never_made
from bot.investigator.chains.refused_statements import allowed_by_version, is_refused, refused_statement
from bot.investigator.facts.live_tables import database_id, live_table
from bot.investigator.playbook import PlaybookInfo
from gonogo.context import Database
from gonogo.evidence import Evidence
from gonogo.resource import Place
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.migrated import edited_steps, history_of, migrated_database, migration_order
from heuristics.schema.history import HistoryProblem, applied_ids
from heuristics.schema.late import additions_in

INFO = PlaybookInfo(
    id="migration-order", question="Is this migration applied, in which order, and before the code that needs it?"
)

_WAY_OUT = {
    "skipped": "Give it an id above production's newest (drizzle: an entry in the journal with a newer `when`).",
    "refused": "Give it an id above production's newest.",
    "edited": "Leave applied files alone: revert the edit, and put the change into a new migration.",
    "removed": "Keep the file of every applied migration.",
    "runs-again": "Keep the name of an applied migration.",
    "two-heads": "Name the newest migration as its parent (`alembic merge` / `makemigrations --merge` where both are out).",
    "merged": "None needed: the merge of the same change leaves one head.",
    "missing-parent": "Name a parent that is there.",
    "duplicate-id": "Give it an id of its own.",
    "edit-ignored": "Put the change into a new migration.",
    "out-of-order": "Give it an id above production's newest, so that every database applies the same order.",
}
_WHAT = {
    "skipped": "is skipped in silence",
    "refused": "is refused",
    "edited": "fails its checksum",
    "removed": "is missing, though applied",
    "runs-again": "runs a second time",
    "two-heads": "gives the chain a second head",
    "merged": "would give the chain a second head",
    "missing-parent": "follows one that is not there",
    "duplicate-id": "has the id of another one",
    "edit-ignored": "is edited although it is applied",
    "out-of-order": "comes after newer ones, which its runner allows",
}


def investigate(case: Case) -> Iterator[Trajectory]:
    """Chains of the history, of statements that their runner refuses, and of code that comes too early."""
    problems = case.diff.once(history_of)
    never = {
        p.file: p for p in problems if p.kind in ("skipped", "edit-ignored") and not (p.kind == "edit-ignored" and p.is_certain)
    }
    told: set[str] = set()
    edited = [step for path, problem in never.items() if problem.kind == "edit-ignored" for step in edited_steps(case.diff, path)]
    for addition in additions_in([*case.diff.migrations, *edited]):
        claim = needed_too_early(case, addition, never.get(addition.step.operation.statement.file))
        if claim is not None:
            told.add(addition.step.operation.statement.file)
            yield claim
    for problem in problems:
        if problem.file not in told:
            yield _history(case, problem)
    for step in case.diff.migrations:
        at = step.operation.statement.file
        if is_refused(case, step):
            yield refused_statement(case, step, _stops(case, at), _step_line(case, at))
        elif (allowed := allowed_by_version(case, step)) is not None:
            yield allowed
    yield from needed_of_merged(case)
    yield from never_made(case)


# -- the history ---------------------------------------------------------------------------------


def _history(case: Case, problem: HistoryProblem) -> Trajectory:
    database = case.diff.once(migrated_database)
    resource = database.resource if database else database_id(case)
    history = server_statistic(case, resource, "applied_migrations") if database else None
    others = (
        [quote(case, problem.other_file, problem.other_line)]
        if problem.other_file and case.diff.head.text(problem.other_file)
        else []
    )
    started = trigger(f"{problem.file} line {problem.line} ({problem.kind.replace('-', ' ')})", *_lines_of(case, problem))
    links: list[Link] = [started]
    if problem.kind == "out-of-order" and problem.allowed_by is not None:
        said = f"{problem.runner} would refuse it, but {problem.allowed_by.file} line {problem.allowed_by.line} lets it apply older ones"
        allowed = quote(case, problem.allowed_by.file, problem.allowed_by.line)
        links.append(mechanism(said, *_lines_of(case, problem), refuting=[allowed, history], refutation=Refutation.GUARDED))
        return _of_history(case, problem, links, resource)
    if problem.kind == "merged" and problem.other_file:
        joined = quote(case, problem.other_file, problem.other_line)
        links.append(
            mechanism(problem.says, *_lines_of(case, problem), refuting=[joined, history], refutation=Refutation.CREATED_HERE)
        )
        return _of_history(case, problem, links, resource)
    if problem.kind == "edit-ignored":
        links.append(mechanism(problem.says, *_lines_of(case, problem), refuting=[history]))
        return _of_history(case, problem, links, resource)
    links.append(mechanism(problem.says, *_lines_of(case, problem), *others))
    exists = history or next(
        (c for s in case.diff.migrations if (t := live_table(case, s.operation.table)) for c in (t.cite("row_estimate"),) if c),
        None,
    )
    query = "SELECT * FROM the runner's history table ORDER BY 1 DESC LIMIT 20"
    if exists is None:
        links.append(
            unknown(
                Role.EXPOSURE,
                "the applied migrations were not read",
                f"Has production applied {problem.applied or problem.id}?",
                query,
            )
        )
    else:
        links.append(exposure(f"production's history: {_listed(database)}", exists))
    if problem.kind == "skipped":
        links.append(
            unknown(
                Role.HARM, "what it makes is missing in production", "Which code or later migration expects it?", query, exists
            )
        )
    elif problem.is_certain and exists is not None:
        links.append(harm(_stops(case, problem.file), exists, *_step_line(case, problem.file)))
    else:
        links.append(
            unknown(Role.HARM, _stops(case, problem.file), f"Has production applied {problem.applied or problem.id}?", query)
        )
    return _of_history(case, problem, links, resource)


def _lines_of(case: Case, problem: HistoryProblem) -> tuple[Evidence, ...]:
    if problem.side == "head":
        return (quote(case, problem.file, problem.line),)
    return quote_removed(case, problem.file, problem.line)


def _listed(database: Database | None) -> str:
    ids = applied_ids(database.applied_migrations) if database else None
    return f"{len(ids)} applied, newest {ids[-1]}" if ids else "its tables are there"


def _stops(case: Case, path: str) -> str:
    order = migration_order(case.diff, path)
    if order.moment == "boot":
        return "every new instance stops while it applies migrations, and the release cannot go out"
    return "the step of the deploy that applies migrations fails, and the release cannot go out"


def _step_line(case: Case, path: str) -> list[Evidence]:
    at: Place | None = migration_order(case.diff, path).place
    return [quote(case, at.file, at.line)] if at else []


def _of_history(case: Case, problem: HistoryProblem, links: Sequence[Link], resource: ResourceId) -> Trajectory:
    del case
    return Trajectory(
        title=f"Migration {problem.id} {_WHAT[problem.kind]}", impact=Impact.HIGH, resource=resource, metric="failed_deploys", links=tuple(links),
        make_safe=_WAY_OUT[problem.kind], certainty=Certainty.SQLSTATE, path=(resource,), undo="Revert the pull request; production's schema has not changed.",
    )  # fmt: skip
