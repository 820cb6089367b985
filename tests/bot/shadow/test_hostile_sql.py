"""The SQL is the pull request's: whatever it tries, it gets no file, no command, no connection, no rights, and no more than its share."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from time import monotonic, sleep

import pytest

from bot.shadow import replay, role
from gonogo.errors import ShadowUnavailable

REFUSED = {
    "a command": "COPY (SELECT 1) TO PROGRAM 'touch {mark}'",
    "a command read": "CREATE TABLE t (x text); COPY t FROM PROGRAM 'id'",
    "a file written": "COPY (SELECT 1) TO '{mark}'",
    "a file read": "CREATE TABLE t (x text); COPY t FROM '/etc/passwd'",
    "a file by a function": "SELECT pg_read_file('/etc/passwd')",
    "a folder": "SELECT pg_ls_dir('/')",
    "a large object of a file": "SELECT lo_import('/etc/passwd')",
    "a large object to a file": "SELECT lo_export(lo_create(0), '{mark}')",
    "a library": "LOAD '/lib/x86_64-linux-gnu/libc.so.6'",
    "a function in C": "CREATE FUNCTION f() RETURNS int LANGUAGE c AS '/lib/x86_64-linux-gnu/libc.so.6', 'system'",
    "an internal function": "CREATE FUNCTION f(text) RETURNS text LANGUAGE internal AS 'pg_read_file'",
    "another server": "CREATE EXTENSION dblink",
    "a foreign server": "CREATE EXTENSION postgres_fdw",
    "a subscription": "CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1' PUBLICATION p",
    "a role": "CREATE ROLE other SUPERUSER",
    "itself as superuser": "ALTER ROLE replay SUPERUSER",
    "the superuser": "SET SESSION AUTHORIZATION gonogo",
    "the superuser's role": "SET ROLE gonogo",
    "files by membership": "GRANT pg_read_server_files TO replay",
    "a setting of the server": "ALTER SYSTEM SET listen_addresses = '*'",
    "a preloaded library": "SET session_preload_libraries = '/nowhere/x.so'",
    "the guard": "DROP EVENT TRIGGER gonogo_guard",
    "the guard's function": "DROP FUNCTION pg_catalog.gonogo_guard() CASCADE",
    "passwords": "SELECT * FROM pg_authid",
    "other sessions": "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'gonogo'",
    "another database": "CREATE DATABASE other",
    "a tablespace": "CREATE TABLESPACE t LOCATION '/tmp'",
}


@pytest.mark.parametrize("sql", REFUSED.values(), ids=REFUSED.keys())
def test_what_reaches_outside_of_its_tables_is_refused(shadow, tmp_path, sql):
    mark = tmp_path / "mark"
    tmp_path.chmod(0o777)

    done = shadow.replay([sql.replace("{mark}", str(mark))]).statements

    assert done[-1].sqlstate is not None, done
    assert not mark.exists()


@pytest.mark.parametrize("language", ["plperl", "plpython3u", "pltcl", "plperlu"])
def test_no_language_but_sql_and_its_own_comes_in(shadow, language):
    (done,) = shadow.replay([f"CREATE EXTENSION {language}"]).statements

    assert done.sqlstate in ("42501", "0A000")


def test_an_extension_that_brings_types_only_is_allowed(shadow):
    done = shadow.replay(
        ["CREATE EXTENSION IF NOT EXISTS pg_trgm", "CREATE INDEX i ON orders USING gin (note gin_trgm_ops)"]
    ).statements

    if done[0].sqlstate == "0A000":
        pytest.skip("PostgreSQL's contrib is not installed")
    assert [d.sqlstate for d in done] == [None, None]


ENDLESS = {
    "sleep": "SELECT pg_sleep(3600)",
    "sleep with the limit lifted": "SET statement_timeout = 0; SELECT pg_sleep(3600)",
    "a loop with the limit lifted": "SET statement_timeout = 0; DO $$ BEGIN LOOP END LOOP; END $$",
}


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param(sql, id=name, marks=[pytest.mark.long] * (name != "sleep with the limit lifted"))
        for name, sql in ENDLESS.items()
    ],
)
def test_what_does_not_end_is_ended(shadow, sql):
    shadow.replay(["SELECT 1"])
    began = monotonic()

    done = shadow.replay([sql]).statements

    assert done[-1].sqlstate in ("57014", "57P01")
    assert monotonic() - began < role.STATEMENT_S + replay.GRACE_S + 20  # the machine may be busy


@pytest.mark.long
def test_a_statement_that_wants_all_memory_is_refused(shadow):
    (done,) = shadow.replay(["SELECT length(repeat('x', 900000000) || repeat('y', 900000000))"]).statements

    assert done.sqlstate in ("53200", "54000", "57014")


def test_a_table_that_grows_without_end_stops_at_the_size_of_a_file(shadow):
    rows = "CREATE TABLE big AS SELECT repeat('x', 1900) FROM generate_series(1, 300) a, generate_series(1, 1000) b"

    (done,) = shadow.replay([rows]).statements

    assert done.sqlstate is not None


@pytest.mark.long
def test_a_server_that_fills_its_disk_ends_and_the_next_replay_has_another(own_shadow):
    shadow = own_shadow()
    tables = [f"CREATE TABLE t{n} AS SELECT repeat('x', 1900) FROM generate_series(1, 60000)" for n in range(5)]

    with pytest.raises(ShadowUnavailable, match="ended"):
        shadow.replay([*tables, "SELECT pg_sleep(4)"])

    (done,) = shadow.replay(["SELECT 1 FROM orders"]).statements
    assert done.locks == ("AccessShare on orders",)


def test_a_server_that_was_ended_is_followed_by_another(own_shadow):
    shadow = own_shadow()
    shadow.replay(["SELECT 1"])
    keeper = shadow._server._server.keeper
    keeper.terminate()
    keeper.wait(timeout=30)

    (done,) = shadow.replay(["SELECT 1"]).statements

    assert done.sqlstate is None


def below(folder: Path) -> list[int]:
    """Processes that run in a folder or were started with its name."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if str(folder) in (place / "cmdline").read_text(errors="replace") or str(folder) in str((place / "cwd").readlink()):
                found.append(int(place.name))
        except OSError:
            continue
    return found


@pytest.fixture
def place(monkeypatch):
    """A folder for temporary files that only this test uses, and other users may enter."""
    with tempfile.TemporaryDirectory(prefix="g", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setattr(tempfile, "tempdir", folder)
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def test_nothing_is_left_when_it_is_closed(own_shadow, place):
    shadow = own_shadow()
    shadow.replay(["SELECT 1"])
    (folder,) = place.iterdir()
    assert below(folder)

    shadow.close()

    assert list(place.iterdir()) == []
    assert below(folder) == []


@pytest.mark.usefixtures("_server_is_installed", "place")
def test_nothing_is_left_when_who_started_it_is_killed_in_the_middle():
    program = textwrap.dedent("""
        from bot.shadow.binaries import server_binaries
        from bot.shadow.role import make_role
        from bot.shadow.server import start
        started = start(server_binaries())
        print(started.folder, flush=True)
        started.connect().execute("SET statement_timeout = 0; DO $$ BEGIN LOOP END LOOP; END $$")
    """)
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    folder = Path(process.stdout.readline().strip())
    sleep(0.5)
    assert len(below(folder)) > 1
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()

    until = monotonic() + 20
    while (folder.exists() or below(folder)) and monotonic() < until:
        sleep(0.05)

    assert not folder.exists()
    assert below(folder) == []


def test_it_listens_on_no_port_and_runs_as_nobody_who_matters(own_shadow, place):
    own_shadow().replay(["SELECT 1"])
    (folder,) = place.iterdir()
    servers = [int((folder / "data" / "postmaster.pid").read_text().split()[0])]

    assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert not any(is_listening(pid) for pid in servers)
    if os.geteuid() == 0:
        assert {Path(f"/proc/{pid}").stat().st_uid for pid in servers} == {65534}


def is_listening(pid: int) -> bool:
    """Whether a socket of the process waits for TCP connections (state 0A)."""
    sockets = {str(f.readlink()) for f in Path(f"/proc/{pid}/fd").iterdir() if f.is_symlink()}
    listening = [
        f"socket:[{row.split()[9]}]"
        for table in ("tcp", "tcp6")
        for row in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
        if row.split()[3] == "0A"
    ]
    return bool(sockets & set(listening))
