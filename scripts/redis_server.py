"""Starts a throw-away Redis on a Unix socket: for tests and benches."""

import shutil
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError


def has_redis() -> bool:
    """Whether the program is there."""
    return shutil.which("redis-server") is not None


@contextmanager
def redis_server(*options: str, port: int = 0) -> Generator[str]:
    """The URL of an empty server, which is gone at the end; with a `port`, on loopback TCP."""
    folder = Path(tempfile.mkdtemp(prefix="gonogo-redis-"))
    socket = folder / "s"
    process = subprocess.Popen(
        [
            "redis-server",
            "--port",
            str(port),
            "--bind",
            "127.0.0.1",
            "--unixsocket",
            socket,
            "--dir",
            folder,
            "--save",
            "",
            *options,
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(socket, process)
        yield f"redis://127.0.0.1:{port}/0" if port else f"unix://{socket}"
    finally:
        process.kill()
        process.wait(timeout=30)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(socket: Path, process: subprocess.Popen[bytes]) -> None:
    with Redis(unix_socket_path=str(socket)) as redis:
        for _ in range(600):
            try:
                redis.ping()  # pyright: ignore[reportUnknownMemberType]  its keywords have no types
            except RedisError:
                if process.poll() is not None:
                    break
                time.sleep(0.05)
            else:
                return
    raise RuntimeError("redis-server did not start")
