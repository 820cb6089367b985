"""Keeps one throw-away PostgreSQL alive, and ends it: a process of its own, started by server.py.

It ends when its standard input closes (whoever started it is gone, however it ended), after its time, when the server writes more
than it may, or when the server ends. Then every process below it is killed and the folder removed.
"""

import contextlib
import ctypes
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic

MOST_DISK = 512 * 2**20
"""Bytes of the whole folder; a fresh cluster takes 40 MB."""
MOST_FILE = 128 * 2**20
MOST_MEMORY = 2**30
"""Bytes of address space of each process."""
MOST_CPU_S = 60
_INITDB_S = 60
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
_LOOK_S = 0.5
_NOBODY = 65534
_SUBREAPER, _DEATH_SIGNAL = 36, 1
"""PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG of prctl(2)."""

SETTINGS = {
    "listen_addresses": "", "max_connections": "10", "shared_buffers": "16MB", "jit": "off", "autovacuum": "off",
    "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "wal_level": "minimal", "max_wal_senders": "0",
    "min_wal_size": "32MB", "max_wal_size": "64MB", "max_worker_processes": "0", "max_parallel_workers": "0",
    "max_logical_replication_workers": "0", "max_prepared_transactions": "0", "temp_file_limit": "64MB",
    "restart_after_crash": "off", "log_min_messages": "fatal", "unix_socket_permissions": "0700", "huge_pages": "off",
}  # fmt: skip
"""One socket in a private folder, no TCP; nothing survives, so nothing is written twice; a crash ends it."""


def main(binaries: Path, folder: Path, seconds: float) -> int:
    """Make the cluster in `folder`, which holds the superuser's password in `password`; serve until one of the ends comes."""
    until = monotonic() + seconds
    signal.signal(signal.SIGTERM, _end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _prctl(_SUBREAPER, 1)
    with contextlib.suppress(OSError, AttributeError):
        os.unshare(os.CLONE_NEWNET)  # where we may: not even its own loopback
    server: subprocess.Popen[bytes] | None = None
    try:
        if os.geteuid() == 0:
            for path in (folder, folder / "password"):
                os.chown(path, _NOBODY, _NOBODY)
        _initialise(binaries, folder)
        server = _start(binaries, folder)
        while server.poll() is None and monotonic() < until and _size(folder) < MOST_DISK:
            readable, _, _ = select.select([sys.stdin], [], [], _LOOK_S)
            if readable:  # nothing is ever written there: it was closed
                return 0
        return 1
    finally:
        if server is not None and sys.platform != "linux":
            server.send_signal(signal.SIGQUIT)
            server.wait(timeout=10)
        _kill_all()
        shutil.rmtree(folder, ignore_errors=True)


def _end(*_: object) -> None:
    sys.exit(0)


def _initialise(binaries: Path, folder: Path) -> None:
    options = ["-D", str(folder / "data"), "-U", "gonogo", "--auth=scram-sha-256", f"--pwfile={folder / 'password'}"]
    done = subprocess.run(  # noqa: S603  the server's own tool, with paths of ours
        [str(binaries / "initdb"), *options, "--no-sync", "-E", "UTF8", "--locale=C"],
        capture_output=True, text=True, timeout=_INITDB_S, check=False,
        cwd=folder, env=_ENVIRONMENT, user=_user(), group=_user(), extra_groups=_groups(),
    )  # fmt: skip
    if done.returncode != 0:
        sys.stderr.write(f"initdb: {(done.stderr.strip().splitlines() or ['no message'])[-1]}\n")
        sys.exit(2)


def _start(binaries: Path, folder: Path) -> "subprocess.Popen[bytes]":
    settings = SETTINGS | {"unix_socket_directories": str(folder)}
    options = [f"-c{name}={value}" for name, value in settings.items()]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603
            [str(binaries / "postgres"), "-D", str(folder / "data"), *options],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=_limit,  # noqa: PLW1509  this process has one thread
            cwd=folder, env=_ENVIRONMENT, user=_user(), group=_user(), extra_groups=_groups(),
        )  # fmt: skip


def _user() -> int | None:
    """PostgreSQL refuses to run as root, and what it runs was written by strangers."""
    return _NOBODY if os.geteuid() == 0 else None


def _groups() -> list[int] | None:
    return [] if os.geteuid() == 0 else None


def _limit() -> None:
    for what, most in (
        (resource.RLIMIT_AS, MOST_MEMORY),
        (resource.RLIMIT_FSIZE, MOST_FILE),
        (resource.RLIMIT_CPU, MOST_CPU_S),
        (resource.RLIMIT_CORE, 0),
    ):
        allowed = resource.getrlimit(what)[1]
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)  # noqa: PLW2901  what we were given ourselves
        resource.setrlimit(what, (most, most))
    _prctl(_DEATH_SIGNAL, signal.SIGQUIT)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


def _size(folder: Path) -> int:
    total = 0
    for at, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(at, name)).st_blocks * 512  # noqa: PTH118
    return total


def _kill_all() -> None:
    """Every process below this one, those too that lost their parent: they come to us.

    Backends lead groups of their own, so a signal to a group does not reach them; their parent's SIGQUIT does, where there is no /proc.
    """
    while children := _children():
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> list[int]:
    try:
        listed = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    except OSError:  # no such file outside of Linux
        return []
    return [int(pid) for pid in listed.split()]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])))
