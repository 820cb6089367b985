"""One field as it was and as it becomes in: the SQL between the two out."""

# ruff: noqa: S608 - this SQL is what a migration would run; it is read, and never sent anywhere

from heuristics.sql.sources.django_fields import Field
from heuristics.sql.sources.django_sql import DjangoSql, Found, Result
from heuristics.sql.sources.python_values import Call


def alter_field(sql: DjangoSql, call: Call) -> Result:
    """AlterField: name, type, nullability, default, indexes and keys that differ, in Django's order."""
    own, name, given = call.text("model_name", 0), call.text("name", 1), call.get("field", 2)
    if own is None or name is None or not isinstance(given, Call):
        return Result([None], note="its arguments are not literals")
    model, new = sql.state.model(own), Field(name, given)
    old = model.fields.get(name)
    if new.is_many or new.is_virtual:
        return Result()
    if old is None:
        note = f"what the field {name} was before is not in earlier migrations"
        to = new.type_sql(sql.dialect)
        if sql.ddl.is_mysql:
            return Result([None], table=model.table, note=note)
        return Result(
            [sql.ddl.alter_type(model.table, new.column, to, using="", is_nullable=new.is_nullable)], table=model.table, note=note
        )
    result = Result(table=model.table)
    ddl, table, column = sql.ddl, model.table, new.column
    old_type, new_type = old.type_sql(sql.dialect), new.type_sql(sql.dialect)
    if old.column != column:
        result.now.append(ddl.rename_column(table, old.column, column))
    if old.is_constrained and not new.is_constrained:
        result.now.append(ddl.drop_constraint(table, sql.index_name(table, [old.column], "_fk"), kind="foreign_key"))
    if old_type != new_type:
        using = "" if old.kind == new.kind or ddl.is_mysql else f"{ddl.name(column)}::{new_type}"
        result.now.append(ddl.alter_type(table, column, new_type, using=using, is_nullable=new.is_nullable))
    if old.is_nullable and not new.is_nullable:
        if new.has_default() or new.has_db_default:
            result.now.append(
                f"UPDATE {ddl.name(table)} SET {ddl.name(column)} = {new.default_literal()} WHERE {ddl.name(column)} IS NULL"
            )
        result.now += _not_null(sql, table, column, new_type)
    elif not old.is_nullable and new.is_nullable:
        result.now.append(ddl.set_not_null(table, column, is_not_null=False, type_=new_type))
    if new.has_db_default and (not old.has_db_default or old.default_literal() != new.default_literal()):
        result.now.append(ddl.set_default(table, column, new.default_literal()))
    elif old.has_db_default and not new.has_db_default:
        result.now.append(ddl.set_default(table, column, None))
    result.now += _index_changes(sql, table, old, new)
    if new.is_constrained and not old.is_constrained:
        target = sql.state.table_of(new.target, own)
        key = sql.index_name(table, [column], "_fk")
        result.later.append(ddl.foreign_key(table, [column], referenced=target, referenced_columns=["id"], name=key))
    return result


def _not_null(sql: DjangoSql, table: str, column: str, type_: str) -> list[Found]:
    ddl = sql.ddl
    if not sql.is_zero_downtime:
        return [ddl.set_not_null(table, column, is_not_null=True, type_=type_)]
    check = sql.index_name(table, [column], "_notnull")
    return [
        ddl.add_constraint(table, f"CHECK ({ddl.name(column)} IS NOT NULL)", name=check, is_valid=False),
        ddl.alter(table, f"VALIDATE CONSTRAINT {ddl.name(check)}"),
        ddl.set_not_null(table, column, is_not_null=True),
        ddl.drop_constraint(table, check),
    ]


def _index_changes(sql: DjangoSql, table: str, old: Field, new: Field) -> list[Found]:
    found: list[Found] = []
    if new.is_indexed and not old.is_indexed:
        found.append(sql.create_index(table, [new.column], name=sql.index_name(table, [new.column], "")))
    elif old.is_indexed and not new.is_indexed and not new.is_unique:
        found.append(sql.ddl.drop_index(sql.index_name(table, [old.column], ""), table=table, if_exists=True))
    if new.is_unique and not old.is_unique:
        found.append(
            sql.ddl.add_constraint(
                table, f"UNIQUE ({sql.ddl.name(new.column)})", name=sql.index_name(table, [new.column], "_uniq")
            )
        )
    elif old.is_unique and not new.is_unique:
        found.append(sql.ddl.drop_constraint(table, sql.index_name(table, [old.column], "_uniq"), kind="unique"))
    return found
