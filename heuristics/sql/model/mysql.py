"""The model of MySQL and MariaDB: the cheapest algorithm the server takes for each operation, and who waits meanwhile.

MariaDB 10.11 is measured; MySQL 8 follows its manual (https://dev.mysql.com/doc/refman/8.0/en/innodb-online-ddl-operations.html).
"""

import re

from heuristics.sql.model.draft import Scene
from heuristics.sql.words import Action, Effect, Operation

Plan = tuple[str, str]
"""Algorithm and lock: (`INPLACE`, `NONE`)."""
_INSTANT: Plan = ("INSTANT", "NONE")
_NOCOPY: Plan = ("NOCOPY", "NONE")
_INPLACE: Plan = ("INPLACE", "NONE")
_INPLACE_SHARED: Plan = ("INPLACE", "SHARED")
_COPY: Plan = ("COPY", "SHARED")
_ORDER = ("INSTANT", "NOCOPY", "INPLACE", "COPY")
_BRIEF = frozenset(
    {
        Action.RENAME_COLUMN, Action.SET_DEFAULT, Action.DROP_DEFAULT, Action.RENAME_INDEX, Action.SET_INDEX_OPTIONS, Action.RENAME_TABLE,
        Action.SET_TABLE_OPTIONS, Action.CREATE_TRIGGER, Action.DROP_TRIGGER, Action.CREATE_TABLE, Action.CREATE_VIEW, Action.DROP_VIEW,
    }
)  # fmt: skip
_QUIET = frozenset(
    {
        Action.SET_SETTING,
        Action.TRANSACTION,
        Action.SELECT,
        Action.OTHER,
        Action.NOT_ANALYSED,
        Action.CREATE_FUNCTION,
        Action.DATA,
    }
)


def mysql_effect(op: Operation, scene: Scene, *, is_mariadb: bool) -> tuple[Effect, str | None]:
    """The effect of one operation; every DDL also takes an exclusive metadata lock for a moment."""
    if op.action in _QUIET or op.table is None:
        return Effect(), None
    if op.action in (Action.INSERT, Action.UPDATE, Action.DELETE):
        return _rows(op, scene), None
    if op.action is Action.LOCK_TABLE:
        is_read = op.value == "READ"
        return _effect(op, scene, ("", "SHARED" if is_read else "EXCLUSIVE"), []), None
    notes: list[str] = []
    relation = scene.catalog.relation(op.table)
    if op.action in (Action.DROP_TABLE, Action.TRUNCATE):
        return _effect(op, scene, ("INSTANT", "NONE"), notes), None
    plan = _plan(op, scene, notes, is_mariadb=is_mariadb)
    error = _refused(op, plan, is_mariadb=is_mariadb)
    if error is not None:
        return Effect(error=error, depends_on=tuple(notes), algorithm=plan[0]), None
    asked = op.details.get("algorithm", "")
    if asked == "COPY":
        plan = _COPY
    if op.details.get("lock") in ("SHARED", "EXCLUSIVE"):
        plan = (plan[0], op.details["lock"])
    if relation is not None and relation.has_rows is False:
        return _effect(op, scene, ("INSTANT", "NONE"), notes), "the table is empty"
    return _effect(op, scene, plan, notes), None


def _effect(op: Operation, scene: Scene, plan: Plan, notes: list[str]) -> Effect:
    algorithm, lock = plan
    table = scene.catalog.relation(op.table)
    name = table.name if table is not None else (op.table or "")
    is_here = name in scene.created_here
    locks = {name: {"NONE": "Metadata", "SHARED": "Share", "EXCLUSIVE": "AccessExclusive"}[lock]}
    reads = () if is_here or lock != "EXCLUSIVE" else (name,)
    writes = () if is_here or lock == "NONE" else (name,)
    if op.action is Action.ADD_FOREIGN_KEY and op.referenced_table is not None and algorithm == "COPY":
        locks[op.referenced_table] = "Share"
        writes = (*writes, op.referenced_table)
    is_empty = table is not None and table.has_rows is False
    slow = () if is_empty or algorithm in ("INSTANT", "") else (name,)
    rewrites = slow if algorithm in ("COPY", "INPLACE") and op.index_method == "" else ()
    return Effect(
        locks=locks,
        blocks_reads=reads,
        blocks_writes=tuple(sorted(writes)),
        rewrites=rewrites,
        scans=slow,
        depends_on=tuple(notes),
        algorithm=algorithm.replace("INPLACE_INDEX", "INPLACE") or None,
    )


def _rows(op: Operation, scene: Scene) -> Effect:
    """InnoDB locks every row that it reads; without a usable index that is the table (https://dev.mysql.com/doc/refman/8.0/en/innodb-locks-set.html)."""
    relation = scene.catalog.relation(op.table)
    if op.action is Action.INSERT or op.table is None or (relation is not None and relation.has_rows is False):
        return Effect(locks={op.table: "RowExclusive"} if op.table else {}, scans=op.reads)
    leading = {i.columns[0] for i in scene.catalog.indexes_of(op.table) if i.columns}
    if op.has_where and leading & set(op.reads_columns):
        return Effect(locks={op.table: "RowExclusive"})
    note = (f"no index of {op.table} serves its WHERE",) if op.has_where else ()
    writes = () if op.table in scene.created_here else (op.table,)
    return Effect(locks={op.table: "RowExclusive"}, scans=(op.table,), blocks_writes=writes, depends_on=note)


def _plan(op: Operation, scene: Scene, notes: list[str], *, is_mariadb: bool) -> Plan:
    together = op.details.get("together")
    if together == "key is replaced" or (together == "column and index" and op.action is Action.ADD_COLUMN):
        return _INPLACE
    if op.action in _BRIEF:
        return _INSTANT
    match op.action:
        case Action.ADD_COLUMN:
            return _add_column(op, scene, notes, is_mariadb=is_mariadb)
        case Action.DROP_COLUMN:
            indexed = any(c in i.columns for i in scene.catalog.indexes_of(op.table or "") for c in op.columns)
            if indexed:
                return _NOCOPY if is_mariadb else _INPLACE
            return _INSTANT if is_mariadb or scene.version >= 80029 else _INPLACE
        case Action.ALTER_TYPE:
            return _modify(op, scene, notes, is_mariadb=is_mariadb)
        case Action.SET_NOT_NULL | Action.DROP_NOT_NULL:
            return _INPLACE
        case Action.CREATE_INDEX:
            return (
                _INPLACE_SHARED
                if op.index_method in ("fulltext", "spatial")
                else _NOCOPY
                if is_mariadb
                else ("INPLACE_INDEX", "NONE")
            )
        case Action.ADD_UNIQUE | Action.DROP_INDEX:
            return _NOCOPY if is_mariadb or op.action is Action.DROP_INDEX else ("INPLACE_INDEX", "NONE")
        case Action.ADD_PRIMARY_KEY:
            return _INPLACE
        case Action.DROP_CONSTRAINT:
            return _COPY if op.value == "primary_key" else _INSTANT
        case Action.ADD_FOREIGN_KEY:
            checks = scene.catalog.settings.get("foreign_key_checks", "1")
            return _INPLACE_METADATA if checks in ("0", "off", "OFF") else _COPY
        case Action.ADD_CHECK:
            return _COPY
        case Action.REWRITE_TABLE:
            if op.value == "partition":
                notes.append("the partitions are empty (else their rows are copied)")
            return _COPY if op.value in ("charset", "copy", "partition") else _INPLACE
        case Action.VACUUM_FULL:
            return _INPLACE
        case Action.ATTACH_PARTITION | Action.DETACH_PARTITION:
            return _INSTANT
        case _:
            return _INSTANT


_INPLACE_METADATA: Plan = ("INSTANT", "NONE")


def _add_column(op: Operation, scene: Scene, notes: list[str], *, is_mariadb: bool) -> Plan:
    column = op.column
    if column is None:
        return _INSTANT
    if column.is_identity:
        return _INPLACE_SHARED
    if column.generated == "stored" or column.default_functions:
        return _COPY
    if any(c.kind in ("foreign_key", "check") for c in op.constraints) and is_mariadb:
        return _COPY
    if op.is_unique:
        return _INPLACE
    if is_mariadb:
        return _INSTANT
    if scene.version < 80012:
        return _INPLACE
    if scene.version < 80029 and re.search(r"\b(?:after|first)\b", op.statement.sql, re.IGNORECASE) is not None:
        return _INPLACE
    notes.extend([] if scene.version else ["the table has had fewer than 64 instant changes"])
    return _INSTANT


def _modify(op: Operation, scene: Scene, notes: list[str], *, is_mariadb: bool) -> Plan:
    """MODIFY and CHANGE compare the whole column with what it was."""
    name = (op.columns or ("",))[0]
    column = scene.catalog.column(op.table, name)
    old, new = op.old_type or (column.type if column is not None else ""), op.column_type or ""
    if not old and op.details.get("type") == "changes" and not new.lower().startswith(_MAY_GROW):
        return _COPY
    if not old:
        notes.append(f"the type of {op.table}.{name} before the change is another one than {new}")
        return _COPY
    charset = (column.collation if column is not None else "") or "utf8mb4"
    step = _INSTANT if _same(old, new) else _type_change(old, new, charset=charset, is_mariadb=is_mariadb)
    if step is _COPY or column is None:
        return step
    if column.is_not_null != op.is_not_null:
        return _INPLACE
    return step


_MAY_GROW = ("varchar", "varbinary", "enum", "set")
"""Types that may hold more without a copy; between any other two there is one."""


def _same(old: str, new: str) -> bool:
    return _base(old) == _base(new)


def _base(text: str) -> str:
    """Display widths of integers mean nothing."""
    plain = " ".join(text.lower().replace("integer", "int").split())
    plain = re.sub(r"\b(tinyint|smallint|mediumint|int|bigint)\s*\(\d+\)", r"\1", plain)
    return re.sub(r"\bnumeric\b|\bdec\b", "decimal", plain)


def _type_change(old: str, new: str, *, charset: str, is_mariadb: bool) -> Plan:
    before, after = re.match(r"varchar\s*\((\d+)\)", old.lower()), re.match(r"varchar\s*\((\d+)\)", new.lower())
    if before is not None and after is not None:
        width = 1 if charset.startswith(("latin1", "ascii")) else 3 if charset.startswith("utf8mb3") else 4
        was, will = int(before.group(1)) * width, int(after.group(1)) * width
        # The length needs a second byte past 255; MariaDB stores one ahead up to 127 (measured).
        crosses = was <= 255 < will and not (is_mariadb and was <= 127)
        return _INSTANT if will >= was and not crosses else _COPY
    if old.lower().startswith("enum(") and new.lower().startswith("enum("):
        return _INSTANT if new.lower().startswith(old.lower()[:-1]) else _COPY
    if old.lower().startswith("set(") and new.lower().startswith("set("):
        return _INSTANT if new.lower().startswith(old.lower()[:-1]) else _COPY
    return _COPY


def _refused(op: Operation, plan: Plan, *, is_mariadb: bool) -> str | None:
    """1845 or 1846 when the statement asks for less than the server can do."""
    asked, lock = op.details.get("algorithm", ""), op.details.get("lock", "")
    algorithm = plan[0].replace("INPLACE_INDEX", "NOCOPY" if is_mariadb else "INPLACE")
    if asked in _ORDER and algorithm in _ORDER and _ORDER.index(asked) < _ORDER.index(algorithm):
        return f"1845 ALGORITHM={asked} is not supported for this operation. Try ALGORITHM={algorithm}"
    if lock == "NONE" and plan[1] != "NONE":
        return f"1846 LOCK=NONE is not supported. Try LOCK={plan[1]}"
    return None
