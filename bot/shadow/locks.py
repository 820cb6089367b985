"""What a session holds and has changed, seen from a second connection while its transaction is open."""

from typing import TYPE_CHECKING

from heuristics.sql.words import LOCK_MODES

if TYPE_CHECKING:
    import psycopg

Held = dict[str, str]
"""Table → its strongest lock, as `AccessExclusive`."""

_HELD = """
SELECT n.nspname, c.relname, l.mode FROM pg_locks l JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE l.pid = %s AND l.locktype = 'relation' AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND c.relkind IN ('r', 'p', 'm', 'v', 'f') AND n.nspname !~ '^(pg_|information_schema)'
"""
"""https://www.postgresql.org/docs/current/view-pg-locks.html: what is waited for counts, for it would be taken."""

_STORED = """
SELECT n.nspname, c.relname, pg_relation_filenode(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'm') AND n.nspname !~ '^(pg_|information_schema)'
"""


def held_by(observer: "psycopg.Connection[tuple[object, ...]]", pid: int) -> Held:
    """The strongest lock of that session on each table. A table that its transaction makes is not there for others, nor here."""
    held: Held = {}
    for schema, name, mode in observer.execute(_HELD, (pid,)).fetchall():
        table, short = shown(str(schema), str(name)), str(mode).removesuffix("Lock")
        if short in LOCK_MODES and (table not in held or _rank(short) > _rank(held[table])):
            held[table] = short
    return held


def storage_of(session: "psycopg.Connection[tuple[object, ...]]") -> dict[str, int]:
    """Table → the file that holds it, as the session itself sees it."""
    return {shown(str(s), str(n)): int(str(f)) for s, n, f in session.execute(_STORED).fetchall() if f is not None}


def told(held: Held, before: Held) -> tuple[str, ...]:
    """What is held beyond what was, strongest first: `AccessExclusive on orders`."""
    new = {t: m for t, m in held.items() if t not in before or _rank(m) > _rank(before[t])}
    return tuple(f"{mode} on {table}" for table, mode in sorted(new.items(), key=lambda h: (-_rank(h[1]), h[0])))


def stronger(one: Held, other: Held) -> Held:
    """For each table the stronger of both."""
    return {t: max((h[t] for h in (one, other) if t in h), key=_rank) for t in one.keys() | other.keys()}


def shown(schema: str, name: str) -> str:
    """As people write it: without the schema that is searched anyway."""
    return name if schema == "public" else f"{schema}.{name}"


def _rank(mode: str) -> int:
    return LOCK_MODES.index(mode)
