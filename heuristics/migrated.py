"""What rules and playbooks ask of the migrations of a change; each is made once, with `context.once`."""

from collections.abc import Collection, Iterator

from gonogo.context import Database
from gonogo.finding import Finding, RuleId
from gonogo.resource import Place
from heuristics.finding import finding_at
from heuristics.rule import RuleContext
from heuristics.schema.deploy_order import deploy_order, order_by_folder
from heuristics.schema.hand_run import by_its_comment
from heuristics.schema.history import HistoryProblem, Kind, applied_ids, history_problems
from heuristics.schema.late import Addition
from heuristics.schema.merged import merged_additions
from heuristics.schema.moments import DeployOrder
from heuristics.sql import Simulated, is_migration_path, migrations_in, simulate


def history_of(context: RuleContext) -> tuple[HistoryProblem, ...]:
    """Every problem of the migrations that the change adds, edits or removes, against what production has applied."""
    database = migrated_database(context)
    applied = applied_ids(database.applied_migrations) if database else None
    return tuple(history_problems(context.changes, base=context.base, head=context.head, applied=applied))


def history_findings(context: RuleContext, rule: RuleId, kinds: Collection[Kind], safe_alternative: str) -> Iterator[Finding]:
    """The findings of a rule about problems of these kinds."""
    for problem in context.once(history_of):
        if problem.kind in kinds:
            place = Place(file=problem.file, line=problem.line, side=problem.side)
            yield finding_at(rule, place, problem.says, safe_alternative)


def migrated_database(context: RuleContext) -> Database | None:
    """The database whose history it is: the one that holds the tables of the changed migrations, removed ones included."""
    gone = [f.base_path for f in context.changes.files if f.base_path and f.head_path != f.base_path]
    paths = [f.head_path for f in context.changes.files if f.head_path and is_migration_path(f.head_path)]
    tables = {op.table for op in migrations_in(paths, context.head) if op.table}
    tables |= {op.table for op in migrations_in(gone, context.base) if op.table} if gone else set()
    return context.database_of(tables)


def migration_order(context: RuleContext, path: str) -> DeployOrder:
    """When this migration is applied, by its folder, else by the one order that the repository has."""
    return order_by_folder(path) or by_its_comment(context.head, path) or context.once(_order_of_repository)


def _order_of_repository(context: RuleContext) -> DeployOrder:
    return deploy_order(context.head)


def edited_steps(context: RuleContext, path: str) -> tuple[Simulated, ...]:
    """What an edited file would run if it were new; an applied one is not among `context.migrations`."""
    return simulate(migrations_in([path], context.head), engine="", server_version=None)


def added_before(context: RuleContext) -> tuple[Addition, ...]:
    """Columns that this change begins to use and that a migration merged before it makes; none where no database was read."""
    if not context.production.databases:
        return ()
    return merged_additions(context.changes, base=context.base, head=context.head)
