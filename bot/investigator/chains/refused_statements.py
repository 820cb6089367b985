"""Statements that the server refuses whatever the rows: by its version, inside a transaction, with an algorithm it does not have."""

from collections.abc import Sequence

from bot.investigator.asking import config, index_statistic, quote, quote_step, server_statistic
from bot.investigator.case import Case
from bot.investigator.chain import exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.safety import safe_way
from bot.investigator.facts.live_tables import LiveTable, about, database_id, live_table, tables_with_type
from gonogo.context import Database
from gonogo.evidence import Evidence
from gonogo.trajectory import Certainty, Impact, Link, Role, Trajectory
from heuristics.rule import server_version
from heuristics.schema.naming import bare
from heuristics.schema.sayings import doing, place
from heuristics.schema.servers import version_key
from heuristics.sql import Action, Simulated, facts
from heuristics.sql.engines import family_of

_OLDEST, _NEWEST = {"postgres": 11, "mysql": 50_700, "mariadb": 100_200}, {"postgres": 99, "mysql": 999_999, "mariadb": 999_999}
_BY_CODE = ("25001", "55P04", "0A000")
_ABOUT_THE_SERVER = "the server is not"
"""The only doubt that matters where the transaction is what the server refuses, before it looks at any table."""
_BY_VERSION = ("42601", "1845", "1846")


def is_refused(case: Case, step: Simulated) -> bool:
    """Whether the run ends at this statement whatever the rows are; what a version decides counts only when it was read."""
    error = step.error or ""
    if not step.is_reached or not step.is_committed:
        return False
    return error.startswith(_BY_CODE) or (error.startswith(_BY_VERSION) and _version(case, _server(case, step)) is not None)


def refused_statement(case: Case, step: Simulated, stops: str, runs: Sequence[Evidence]) -> Trajectory:
    """The chain of such a statement; `stops` is what its failure stops, `runs` the line that runs migrations."""
    op, at = step.operation, step.operation.statement
    lines = quote_step(case, step)
    server = _server(case, step)
    code = (step.error or "").split(" ")[0]
    wrapped = f"{at.framework} runs it inside a transaction, and " if code == "25001" and at.in_transaction else ""
    links: list[Link] = [
        trigger(f"{place(op)}: {doing(op)}", lines),
        mechanism(f"{wrapped}{_called(server)} answers {step.error}", lines, quote(case, at.file, 1)),
        _exposure(case, step, server),
    ]
    doubts = [d for d in step.effect.depends_on if code not in _BY_CODE or d.startswith(_ABOUT_THE_SERVER)]
    if not doubts and "not recognised" not in at.note:
        links.append(harm(stops, *runs, lines))
    elif doubts:
        question = f"Is it true that {'; '.join(doubts[:2])}?"
        links.append(unknown(Role.HARM, stops, question, "run it on a copy of the schema", lines))
    else:
        question = "Does the runner open a transaction around this file?"
        links.append(unknown(Role.HARM, stops, question, "run it on a copy of the schema", lines))
    return _trajectory(case, step, server, links, code=code)


def allowed_by_version(case: Case, step: Simulated) -> Trajectory | None:
    """What an older server refuses and production's takes: shown, so that nobody has to look it up."""
    op = step.operation
    server = _server(case, step)
    version = _version(case, server)
    family = family_of(server.engine) if server is not None else "unknown"
    if server is None or version is None or step.error is not None or op.action not in _DIFFER or family not in _OLDEST:
        return None
    older = facts(op, server_version=_OLDEST[family], engine=server.engine).error
    if older is None or not older.startswith((*_BY_CODE, *_BY_VERSION)):
        return None
    links = [
        trigger(f"{place(op)}: {doing(op)}", quote_step(case, step)),
        mechanism(f"an older server answers {older}; production runs {_called(server)}, which takes it", refuting=[version]),
    ]
    return _trajectory(case, step, server, links, code=older.split(" ")[0])


_DIFFER = frozenset({Action.ADD_ENUM_VALUE, Action.REINDEX, Action.DETACH_PARTITION})


def _exposure(case: Case, step: Simulated, server: Database | None) -> Link:
    """That production has what the statement is about: its table, its index, the tables with its type, else the server itself."""
    op = step.operation
    table = live_table(case, op.table)
    version = _version(case, server)
    if table is not None and table.cite("row_estimate") is not None:
        decides = version if _depends_on_version(step, server) else None
        return exposure(f"table {table.name} stands in production with {about(table.rows)} rows", *table.size(), decides)
    index = server.index(op.name) if server is not None and op.object_kind == "index" and op.name else None
    if index is not None and server is not None:
        return exposure(
            f"{index.name} stands in production", index_statistic(case, server.resource, index.name, "scans_per_hour"), version
        )
    is_of_server = op.table is None or (_depends_on_version(step, server) and not _is_elsewhere(server))
    if is_of_server and server is not None and version is not None:
        typed = tables_with_type(case, bare(op.name or "")) if op.object_kind == "type" else []
        in_use = f"; its type is used by {', '.join(t.name for t in typed[:3])}" if typed else ""
        return exposure(f"production runs {_called(server)}{in_use}", version, *(t.cite("columns") for t in typed[:3]))
    if op.table is None:
        query = "SELECT version()"
        return unknown(Role.EXPOSURE, "the version of the server was not read", "Which version does production run?", query)
    question = f"Is {op.table} a table of production?"
    return unknown(Role.EXPOSURE, f"{bare(op.table)} was not read", question, f"SELECT '{op.table}'::regclass")


def _is_elsewhere(server: Database | None) -> bool:
    """Tables of the server were read: one that is not among them may stand on another."""
    return server is not None and bool(server.tables)


def _depends_on_version(step: Simulated, server: Database | None) -> bool:
    family = family_of(server.engine) if server is not None else "unknown"
    if server is None or family not in _NEWEST:
        return False
    return facts(step.operation, server_version=_NEWEST[family], engine=server.engine).error != step.error


def _server(case: Case, step: Simulated) -> Database | None:
    tables = {
        op.table for s in case.diff.migrations if (op := s.operation).table and op.statement.file == step.operation.statement.file
    }
    return case.diff.server_of({step.operation.table} if step.operation.table else tables)


def _version(case: Case, server: Database | None) -> Evidence | None:
    """The citation of the version that was read."""
    if server is None or server_version(server) is None:
        return None
    read = server_statistic(case, server.resource, "version")
    if read is not None and read.value:
        return read
    resource = case.production.resource(server.resource)
    key = version_key(resource, server.engine) if resource is not None else None
    return config(case, server.resource, key) if key is not None else None


def _called(server: Database | None) -> str:
    names = {"postgres": "PostgreSQL", "mysql": "MySQL", "mariadb": "MariaDB", "sqlite": "SQLite"}
    family = family_of(server.engine) if server is not None else "postgres"
    return f"{names.get(family, 'the server')} {server.version if server else ''}".strip()


def _trajectory(case: Case, step: Simulated, server: Database | None, links: list[Link], *, code: str) -> Trajectory:
    op = step.operation
    table: LiveTable | None = live_table(case, op.table)
    resource = table.database.resource if table else server.resource if server else database_id(case, op.table)
    engine = server.engine if server is not None else "postgres"
    return Trajectory(
        title=f"{doing(op)} fails with {code}", impact=Impact.HIGH, resource=resource, metric="failed_deploys", links=tuple(links),
        make_safe=_outside_transaction(op.statement.framework) if code == "25001" else _for_version(code) or safe_way(step, engine=engine),
        certainty=Certainty.SQLSTATE, path=(resource,), undo="Revert the pull request; the statement changed nothing.",
    )  # fmt: skip


def _for_version(code: str) -> str:
    if code == "42601":
        return "Write it without the newer syntax, or upgrade the server first."
    if code in ("1845", "1846"):
        return "Take `gh-ost` or `pt-online-schema-change`, or ask for the `ALGORITHM` and `LOCK` that the server has and run it in a quiet hour."
    return ""


def _outside_transaction(framework: str) -> str:
    known = {
        "goose": "Put `-- +goose NO TRANSACTION` at the top of the file.",
        "dbmate": "Write `-- migrate:up transaction:false`.",
        "rails": "Add `disable_ddl_transaction!` to the migration.",
        "django": "Set `atomic = False` on the migration.",
        "alembic": "Put it into `with op.get_context().autocommit_block():`.",
        "knex": "Export `config = { transaction: false }` from the migration.",
        "typeorm": "Set `transaction = false` on the migration class.",
        "ecto": "Set `@disable_ddl_transaction true` and `@disable_migration_lock true`.",
        "laravel": "Set `public $withinTransaction = false` on the migration.",
        "sqlx": "Put `-- no-transaction` on the first line.",
        "prisma": "Keep the statement alone in a migration file of its own.",
        "golang-migrate": "Keep the statement alone in a file of its own.",
        "diesel": "Write `run_in_transaction = false` into `metadata.toml`.",
    }
    return known.get(framework, "Run it outside the runner's transaction, alone in its file.")
