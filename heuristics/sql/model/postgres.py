"""The model of PostgreSQL 10 to 18: one function for each action, checked against measurements row by row."""

from collections.abc import Callable

from heuristics.sql.model import columns, constraints, data, indexes, partitions, tables
from heuristics.sql.model.draft import Draft, Scene
from heuristics.sql.model.versions import needs_version
from heuristics.sql.words import Action, Effect, Operation

Model = Callable[[Draft, Operation], None]


def postgres_effect(op: Operation, scene: Scene) -> tuple[Effect, str | None]:
    """The effect of one operation in this scene, and the fact that makes it cheaper than it looks."""
    draft = Draft(scene)
    needed = needs_version(op)
    if needed is not None and scene.version < needed[0]:
        draft.fail("42601", f"{needed[1]} needs PostgreSQL {needed[0]}")
    alone = op.details.get("must_stand_alone")
    if alone is not None and (scene.in_transaction or op.in_function):
        draft.fail("25001", f"{alone} cannot run inside a transaction block")
    model = _MODEL.get(op.action)
    if model is not None and not (op.details.get("table_if_exists") and scene.is_absent(op.table)):
        model(draft, op)
    return draft.finish(), draft.proof


def _locked(mode: str) -> Model:
    def take(draft: Draft, op: Operation) -> None:
        for table in dict.fromkeys((op.table, *op.reads)):
            draft.lock(table, mode)

    return take


_AX, _SRX, _SUX = _locked("AccessExclusive"), _locked("ShareRowExclusive"), _locked("ShareUpdateExclusive")
_MODEL: dict[Action, Model] = {
    Action.CREATE_INDEX: indexes.create_index,
    Action.DROP_INDEX: indexes.drop_index,
    Action.RENAME_INDEX: indexes.rename_index,
    Action.ATTACH_INDEX: indexes.attach_index,
    Action.REINDEX: indexes.reindex,
    Action.ADD_COLUMN: columns.add_column,
    Action.DROP_COLUMN: columns.drop_column,
    Action.RENAME_COLUMN: columns.brief,
    Action.ALTER_TYPE: columns.alter_type,
    Action.SET_NOT_NULL: columns.set_not_null,
    Action.DROP_NOT_NULL: columns.brief,
    Action.SET_DEFAULT: columns.brief,
    Action.DROP_DEFAULT: columns.brief,
    Action.SET_COLUMN_OPTION: columns.brief,
    Action.SET_STATISTICS: _SUX,
    Action.ADD_IDENTITY: _AX,
    Action.DROP_IDENTITY: _AX,
    Action.SET_EXPRESSION: columns.set_expression,
    Action.DROP_EXPRESSION: _AX,
    Action.CREATE_TABLE: tables.create_table,
    Action.DROP_TABLE: tables.drop_table,
    Action.RENAME_TABLE: _AX,
    Action.SET_SCHEMA: _AX,
    Action.SET_TABLE_OPTIONS: _SUX,
    Action.ALTER_TABLE_OTHER: _AX,
    Action.SET_LOGGED: tables.rewrite,
    Action.REWRITE_TABLE: tables.rewrite,
    Action.ADD_FOREIGN_KEY: constraints.add_foreign_key,
    Action.ADD_CHECK: constraints.add_check,
    Action.ADD_UNIQUE: constraints.add_unique,
    Action.ADD_PRIMARY_KEY: constraints.add_unique,
    Action.ADD_EXCLUSION: constraints.add_unique,
    Action.ADD_NOT_NULL_CONSTRAINT: constraints.add_not_null_constraint,
    Action.VALIDATE_CONSTRAINT: constraints.validate,
    Action.ALTER_CONSTRAINT: _AX,
    Action.RENAME_CONSTRAINT: _AX,
    Action.DROP_CONSTRAINT: constraints.drop_constraint,
    Action.INHERIT: partitions.inherit,
    Action.NO_INHERIT: _AX,
    Action.ATTACH_PARTITION: partitions.attach,
    Action.DETACH_PARTITION: partitions.detach,
    Action.CREATE_TRIGGER: _SRX,
    Action.DROP_TRIGGER: _AX,
    Action.TOGGLE_TRIGGER: _SRX,
    Action.CREATE_RULE: _AX,
    Action.CREATE_POLICY: _AX,
    Action.ROW_SECURITY: _AX,
    Action.VACUUM_FULL: tables.rewrite,
    Action.CLUSTER: tables.rewrite,
    Action.VACUUM: tables.vacuum,
    Action.ANALYZE: tables.vacuum,
    Action.TRUNCATE: tables.truncate,
    Action.LOCK_TABLE: data.lock_table,
    Action.CREATE_VIEW: tables.create_view,
    Action.ALTER_VIEW: _AX,
    Action.DROP_VIEW: tables.drop_view,
    Action.CREATE_MATVIEW: tables.create_matview,
    Action.REFRESH_MATVIEW: tables.refresh,
    Action.DROP_TYPE: tables.drop_type,
    Action.ALTER_TYPE_ATTRIBUTE: tables.alter_attribute,
    Action.ADD_ENUM_VALUE: data.add_enum_value,
    Action.ADD_DOMAIN_CONSTRAINT: constraints.domain_constraint,
    Action.VALIDATE_DOMAIN_CONSTRAINT: constraints.domain_constraint,
    Action.DROP_SCHEMA: tables.drop_schema,
    Action.DROP_FUNCTION: tables.drop_function,
    Action.COMMENT: _SUX,
    Action.CREATE_STATISTICS: _SUX,
    Action.CREATE_PUBLICATION: _SUX,
    Action.UPDATE: data.change_rows,
    Action.DELETE: data.change_rows,
    Action.INSERT: data.change_rows,
    Action.SELECT: data.change_rows,
}
