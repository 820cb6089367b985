"""One throw-away PostgreSQL server: started through its keeper, spoken to over a socket in a private folder, gone when closed."""

import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

from gonogo.errors import ShadowUnavailable
from gonogo.record import Record

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[object, ...]]

STARTS_WITHIN_S = 60.0
LIVES_S = 600.0
"""Longer than any evaluation: whoever started it ends it, or its keeper does."""
_ENDS_WITHIN_S = 10.0
_LONGEST_SOCKET = 100
"""Bytes of the path of a Unix socket, of which there may be 107."""


class Server(Record):
    """A running server. `connect` as its superuser, or with a user and a password of your own."""

    folder: Path
    password: str
    keeper: "subprocess.Popen[bytes]"

    def connect(self, database: str = "postgres", *, user: str = "gonogo", password: str = "", options: str = "") -> "Connection":
        """A connection that commits each statement by itself."""
        import psycopg  # noqa: PLC0415  loads with the first replay

        return psycopg.connect(
            host=str(self.folder),
            dbname=database,
            user=user,
            password=password or self.password,
            options=options,
            passfile=os.devnull,
            sslmode="disable",
            gssencmode="disable",
            connect_timeout=5,
            autocommit=True,
        )

    @property
    def has_ended(self) -> bool:
        """Whether its keeper has ended it: its time was over, or its disk was full."""
        return self.keeper.poll() is not None

    def close(self) -> None:
        """End it, whatever it is doing, and remove its folder."""
        assert self.keeper.stdin is not None
        self.keeper.stdin.close()
        try:
            self.keeper.wait(timeout=_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.keeper.kill()  # its children die with it: the server is told by the kernel
            self.keeper.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def start(binaries: Path) -> Server:
    """A fresh cluster with one superuser. Raises ShadowUnavailable, with nothing left behind."""
    folder = Path(tempfile.mkdtemp(prefix="gonogo-shadow-", dir=_place()))
    password = secrets.token_urlsafe(24)
    (folder / "password").write_text(password, encoding="ascii")
    keeper = subprocess.Popen(  # noqa: S603  this very interpreter, with paths of ours
        [sys.executable, "-I", "-m", "bot.shadow.keeper", str(binaries), str(folder), str(LIVES_S)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={"PATH": os.environ.get("PATH", os.defpath)},
    )
    server = Server(folder, password, keeper)
    try:
        _wait(server)
    except BaseException:
        server.close()
        raise
    finally:
        assert keeper.stderr is not None
        keeper.stderr.close()
    return server


def _wait(server: Server) -> None:
    import psycopg  # noqa: PLC0415

    until = monotonic() + STARTS_WITHIN_S
    while monotonic() < until:
        if server.keeper.poll() is not None:
            assert server.keeper.stderr is not None
            said = server.keeper.stderr.read().decode("utf-8", "replace").strip().splitlines()
            raise ShadowUnavailable(
                f"PostgreSQL did not start: {said[-1] if said else f'it ended with {server.keeper.returncode}'}"
            )
        if (server.folder / ".s.PGSQL.5432").exists():
            with suppress(psycopg.OperationalError):
                server.connect().close()
                return
        sleep(0.02)
    raise ShadowUnavailable(f"PostgreSQL did not start within {STARTS_WITHIN_S:g} s")


def _place() -> str:
    """A folder for temporary files that the server's user can reach, and whose name is short enough for a socket."""
    for folder in dict.fromkeys((tempfile.gettempdir(), "/tmp", "/var/tmp")):  # noqa: S108  made with mkdtemp, mode 0700
        path = Path(folder)
        is_short = len(str(path / "gonogo-shadow-12345678" / ".s.PGSQL.5432")) < _LONGEST_SOCKET
        is_open = os.geteuid() != 0 or all(p.stat().st_mode & 0o001 for p in (path, *path.parents) if p.exists())
        if path.is_dir() and is_short and is_open:
            return folder
    raise ShadowUnavailable("no folder for temporary files has a short name that other users may enter; set TMPDIR")
