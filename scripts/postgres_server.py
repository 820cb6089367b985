"""Starts a throw-away PostgreSQL on a free loopback port: for tests and benches."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


def server_binaries() -> Path | None:
    """The folder that holds initdb and postgres, or None."""
    asked = shutil.which("pg_config")
    folders = (
        [Path(subprocess.run([asked, "--bindir"], check=True, capture_output=True, text=True).stdout.strip())] if asked else []
    )
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((f for f in folders if (f / "initdb").is_file() and (f / "postgres").is_file()), None)


@contextmanager
def postgres_server(**settings: str) -> Generator[str]:
    """The URL of a fresh cluster's superuser; the cluster is gone at the end. PostgreSQL refuses to run as root, so root hands it to `nobody`."""
    binaries = server_binaries()
    if binaries is None:
        raise FileNotFoundError("no PostgreSQL server binaries; install the package postgresql")
    folder = Path(tempfile.mkdtemp(prefix="gonogo-postgres-"))
    as_user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    if as_user:
        os.chown(folder, 65534, 65534)
    port = _free_port()
    data = folder / "data"
    common = {"listen_addresses": "127.0.0.1", "port": str(port), "unix_socket_directories": str(folder), "fsync": "off"}
    try:
        initialise = [
            *as_user,
            str(binaries / "initdb"),
            "-D",
            str(data),
            "-U",
            "gonogo",
            "--auth=trust",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        subprocess.run(initialise, check=True, capture_output=True, cwd=folder)
        options = [f"-c{name}={value}" for name, value in (common | settings).items()]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [*as_user, str(binaries / "postgres"), "-D", str(data), *options], stderr=log, stdout=log, cwd=folder
            )
        try:
            _wait(binaries, port, process, folder / "log")
            yield f"postgresql://gonogo@127.0.0.1:{port}/postgres"
        finally:
            process.send_signal(signal.SIGINT)  # fast: does not wait for clients
            process.wait(timeout=30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(binaries: Path, port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    """Until it answers; `pg_isready` itself waits."""
    for _ in range(60):
        asked = [str(binaries / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port), "-t", "1"]
        if subprocess.run(asked, check=False).returncode == 0:
            return
        if process.poll() is not None:
            break
        try:
            process.wait(timeout=0.1)
        except subprocess.TimeoutExpired:
            continue
    raise RuntimeError(f"PostgreSQL did not start: {log.read_text(encoding='utf-8', errors='replace')[-500:]}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
