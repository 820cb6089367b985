"""How the warm worker is found and, when there is none, started: a private folder, a lock, a socket, a fresh interpreter."""

import contextlib
import fcntl
import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from forecasting.threads import capped
from forecasting.worker_process import Orders
from gonogo import __version__
from gonogo.errors import ForecastUnavailable

TOTO = "forecasting.toto_settings:open_from_environment"
BUILTIN = "forecasting.builtin:Builtin"

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")
_FOR_THE_HUB = ("HF_ENDPOINT", "HF_HOME", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "HF_TOKEN", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY")
_LONGEST_PATH = 100
"""Bytes that the path of a Unix socket may have, less a few."""


@dataclass(frozen=True)
class WorkerSettings:
    """Which forecaster the worker runs, where its socket lies, and its limits.

    `variables` are the worker's own (`GONOGO_TOTO_...`); of ours it sees only what a process needs to run at all.
    Two gonogo processes share a worker when all of this, the interpreter and the version are equal.
    """

    folder: Path
    opener: str = TOTO
    variables: Mapping[str, str] = field(default_factory=dict[str, str])
    request_s: float = 30.0
    start_s: float = 90.0
    wait_s: float = 120.0
    idle_s: float = 900.0
    memory_bytes: int = 1024 * 2**20

    @property
    def key(self) -> str:
        """Sixteen hex digits that stand for all of it: a worker of other settings is another worker."""
        told = [self.opener, sorted(self.variables.items()), self.request_s, self.memory_bytes, sys.executable, __version__]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


@contextmanager
def connected(settings: WorkerSettings) -> Generator[socket.socket]:
    """A connection to the worker, which is started when nobody listens; ForecastUnavailable when none can be had."""
    folder = _private(settings.folder)
    connection = _connection(folder, settings)
    if connection is None:
        with _locked(folder / f"{settings.key}.lock", settings.start_s):
            connection = _connection(folder, settings)
            if connection is None:
                _start(folder, settings)
                connection = _connection(folder, settings)
    if connection is None:
        raise ForecastUnavailable("the forecast worker ended as soon as it had started", may_retry=True)
    with connection:
        yield connection


def _private(folder: Path) -> Path:
    """The folder, made for us alone; one that others may write to could hold a worker that is not ours."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        there = folder.stat()
    except OSError as error:
        raise ForecastUnavailable(
            f"{folder} cannot be made ({error.strerror})", "set GONOGO_DATA_DIR to a folder of yours"
        ) from error
    if there.st_uid != os.getuid() or there.st_mode & 0o022:
        raise ForecastUnavailable(f"others may write to {folder}", "make it yours alone (chmod 700)")
    return folder


def _connection(folder: Path, settings: WorkerSettings) -> socket.socket | None:
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(settings.request_s)
    try:
        with _short(folder, f"{settings.key}.sock") as path:
            connection.connect(path)
    except OSError:
        connection.close()
        return None
    return connection


@contextmanager
def _short(folder: Path, name: str) -> Generator[str]:
    """A path of the socket that is short enough, however deep its folder lies."""
    path = str(folder / name)
    if len(os.fsencode(path)) <= _LONGEST_PATH:
        yield path
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{opened}/{name}"
    finally:
        os.close(opened)


@contextmanager
def _locked(path: Path, patience_s: float) -> Generator[None]:
    until = time.monotonic() + patience_s
    with path.open("a") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise ForecastUnavailable("another process is still starting the forecast worker", may_retry=True) from None
                time.sleep(0.05)
        yield


def _start(folder: Path, settings: WorkerSettings) -> None:
    """Start the worker and wait until it says that it is ready, or why it is not."""
    orders = Orders(
        opener=settings.opener,
        folder=str(folder),
        socket=f"{settings.key}.sock",
        request_s=settings.request_s,
        idle_s=settings.idle_s,
        memory_bytes=settings.memory_bytes,
    )
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "forecasting.worker_process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        env=_environment(settings),
        start_new_session=True,
    )
    try:
        said, complaint = process.communicate(orders.to_json(), timeout=settings.start_s)
    except subprocess.TimeoutExpired as error:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise ForecastUnavailable(f"the forecast worker was not ready after {settings.start_s:g} s", may_retry=True) from error
    answer: dict[str, Any] = json.loads(said) if said.strip() else {}
    if "ready" in answer:
        return
    failed = answer.get("failed") or {"why": (complaint.strip().splitlines() or ["it ended without a word"])[-1][:500]}
    raise ForecastUnavailable(
        f"the forecast worker did not start: {failed['why']}",
        str(failed.get("what_to_do", "")),
        may_retry=bool(failed.get("may_retry")),
    )


def _environment(settings: WorkerSettings) -> dict[str, str]:
    wanted = (*_PASSED_ON, *_FOR_THE_HUB) if "GONOGO_TOTO_HUB" in settings.variables else _PASSED_ON
    passed = {name: os.environ[name] for name in wanted if name in os.environ}
    return passed | capped() | dict(settings.variables)
