"""What the statements of a pull request run as: a role that owns its tables and may do nothing to the server, its files or the network.

Not a superuser and a member of nothing, so COPY … PROGRAM, server files, large-object files, untrusted languages, subscriptions and
the extensions that reach other servers are refused by PostgreSQL itself. Extensions that only bring types and operators are allowed.
"""

import secrets
from typing import TYPE_CHECKING

from gonogo.record import Record

if TYPE_CHECKING:
    import psycopg

EXTENSIONS = (
    "pg_trgm", "btree_gin", "btree_gist", "citext", "hstore", "intarray", "ltree", "unaccent", "uuid-ossp", "pgcrypto", "fuzzystrmatch",
    "cube", "seg", "isn", "lo", "tablefunc", "dict_int", "tcn", "plpgsql",
)  # fmt: skip
"""Types, operators and functions without a language, a file or a connection in them (PostgreSQL's contrib)."""

STATEMENT_S = 5
"""Seconds; without rows DDL takes milliseconds."""

_GUARD = """
CREATE FUNCTION pg_catalog.gonogo_guard() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  made record;
BEGIN
  FOR made IN SELECT * FROM pg_event_trigger_ddl_commands() LOOP
    IF made.object_type IN ('language', 'foreign-data wrapper', 'server', 'subscription', 'event trigger', 'access method', 'transform')
       OR made.object_type = 'extension' AND trim(both '"' from made.object_identity) <> ALL (ARRAY[{extensions}]) THEN
      RAISE insufficient_privilege USING MESSAGE = format('%s %s is not allowed on a throw-away database', made.object_type, made.object_identity);
    END IF;
  END LOOP;
END $$;
CREATE EVENT TRIGGER gonogo_guard ON ddl_command_end EXECUTE FUNCTION pg_catalog.gonogo_guard();
"""


class Role(Record):
    """The role's name and password, and how its sessions begin."""

    name: str
    password: str

    @property
    def options(self) -> str:
        """Limits of a session. A statement may lift them; the clock outside it stays."""
        return f"-c statement_timeout={STATEMENT_S}s -c lock_timeout={STATEMENT_S}s -c idle_in_transaction_session_timeout=60s"


def make_role(admin: "psycopg.Connection[tuple[object, ...]]") -> Role:
    """The role of a server, made once."""
    role = Role("replay", secrets.token_hex(16))
    rights = "LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS NOINHERIT CONNECTION LIMIT 2"
    admin.execute(f"CREATE ROLE replay {rights} PASSWORD '{role.password}'".encode())
    for database in ("postgres", "template1"):
        admin.execute(f"REVOKE ALL ON DATABASE {database} FROM PUBLIC".encode())
    return role


def prepare_database(admin: "psycopg.Connection[tuple[object, ...]]", database: str) -> None:
    """Give a fresh database, to which `admin` is connected, to the role, and guard it."""
    listed = ", ".join(f"'{name}'" for name in EXTENSIONS)
    admin.execute("ALTER SCHEMA public OWNER TO replay")
    admin.execute(f"GRANT CREATE, TEMPORARY, CONNECT ON DATABASE {database} TO replay".encode())
    admin.execute(_GUARD.replace("{extensions}", listed).encode())
