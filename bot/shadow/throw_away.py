"""The throw-away database of one evaluation; implements gonogo.ports.Shadow.

schema (what production has) → server (started by the first question) → a database for each replay → run, with the locks watched.
What runs there was written by strangers: see role.py for what it may do, keeper.py for what it may use.
"""

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from time import perf_counter

from bot.shadow.binaries import server_binaries
from gonogo.errors import ShadowUnavailable
from gonogo.shadow import Replay
from heuristics.rule import RuleContext

MOST_STATEMENTS = 20
MOST_CHARACTERS = 50_000


class ThrowAwayDatabase:
    """Replays one after another, each on a schema of its own. Nothing starts before the first; where none can be had, it says so."""

    def __init__(self, diff: RuleContext) -> None:
        self._diff = diff
        self._one_at_a_time = threading.Lock()
        self._server: _Started | None = None
        self._is_closed = False

    def replay(self, statements: Sequence[str]) -> Replay:
        """See gonogo.ports.Shadow."""
        from bot.shadow.schema import schema_for  # noqa: PLC0415  most evaluations replay nothing
        from heuristics.sql.script import split_script  # noqa: PLC0415

        if sum(map(len, statements)) > MOST_CHARACTERS:
            raise ShadowUnavailable(f"the statements have more than {MOST_CHARACTERS:,} characters")
        pieces = [piece.sql for text in statements for piece in split_script(text)]
        if not pieces or len(pieces) > MOST_STATEMENTS:
            raise ShadowUnavailable(f"{len(pieces)} statements were given; 1 to {MOST_STATEMENTS} are replayed at once")
        with self._one_at_a_time:
            if self._is_closed:
                raise ShadowUnavailable("the evaluation is over")
            schema = schema_for(pieces, self._diff)
            if schema.is_foreign:
                raise ShadowUnavailable(f"{schema.notes[0]}; only PostgreSQL is replayed")
            if self._server is not None and self._server.has_ended:
                self._server.close()
                self._server = None
            if self._server is None:
                self._server = _Started()
            try:
                return self._server.replay(schema.statements, pieces, schema.notes)
            except ShadowUnavailable:
                self._server.close()
                self._server = None
                raise

    def close(self) -> None:
        """End the server; nothing can be replayed any more."""
        self._is_closed = True
        with self._one_at_a_time:
            if self._server is not None:
                self._server.close()
                self._server = None


class _Started:
    """A server with its role."""

    def __init__(self) -> None:
        from bot.shadow.role import make_role  # noqa: PLC0415
        from bot.shadow.server import start  # noqa: PLC0415

        binaries = server_binaries()
        if binaries is None:
            raise ShadowUnavailable("no PostgreSQL server is installed here (initdb and postgres)")
        if find_spec("psycopg") is None:
            raise ShadowUnavailable("PostgreSQL is spoken to through psycopg; install it with: pip install 'gonogo[server]'")
        self._server = start(binaries)
        self._count = 0
        try:
            with self._server.connect() as admin:
                self._role = make_role(admin)
                version = str((admin.execute("SHOW server_version").fetchone() or ("",))[0])
        except BaseException:
            self._server.close()
            raise
        self._name = f"PostgreSQL {version.partition(' ')[0]}"

    def replay(self, schema: Sequence[str], statements: Sequence[str], notes: Sequence[str]) -> Replay:
        """Run them in a database of their own, which goes afterwards."""
        import psycopg  # noqa: PLC0415

        from bot.shadow.replay import run_all  # noqa: PLC0415
        from bot.shadow.role import prepare_database  # noqa: PLC0415

        began = perf_counter()
        self._count += 1
        database = f"replay_{self._count}"
        try:
            with self._server.connect() as admin:
                admin.execute(f"CREATE DATABASE {database} TEMPLATE template0".encode())
            with self._server.connect(database) as owner:
                prepare_database(owner, database)
            done = tuple(run_all(self._server, self._role, database, schema=schema, statements=statements))
            with self._server.connect() as admin:
                admin.execute(f"DROP DATABASE {database} WITH (FORCE)".encode())
        except psycopg.Error as error:
            raise ShadowUnavailable(f"the throw-away database ended: {str(error).strip().splitlines()[0]}") from error
        return Replay(server=self._name, statements=done, notes=tuple(notes), seconds=perf_counter() - began)

    @property
    def has_ended(self) -> bool:
        """Whether it was ended meanwhile."""
        return self._server.has_ended

    def close(self) -> None:
        """End it."""
        self._server.close()
