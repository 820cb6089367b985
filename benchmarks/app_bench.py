"""The web process under load (`make bench`): 10,000 webhooks in a burst, then 200 a second, each signed and of real size; how long the
answers took, and whether each delivery lies in the queue once. The floor is a bare FastAPI endpoint in the same run, in turns.
"""

import argparse
import asyncio
import gzip
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from redis import Redis

from benchmarks.app_load import SECRET, Answers, burst, requests, steady
from scripts.redis_server import has_redis, redis_server

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "tests" / "fixtures" / "webhooks" / "api.github.com.json.gz"
GOAL_P99_MS = 50.0
REDELIVERED = 100
"""How many of a burst come a second time."""


def main() -> int:
    """Print the figures; 1 when an answer was too slow or a delivery is not in the queue exactly once."""
    parser = argparse.ArgumentParser(description="Webhooks under load.")
    parser.add_argument("--burst", type=int, default=10_000, help="webhooks in the burst")
    parser.add_argument("--connections", type=int, default=16, help="connections that the burst comes over")
    parser.add_argument("--rate", type=float, default=200, help="webhooks a second after it")
    parser.add_argument("--minutes", type=float, default=0.5, help="for how long (5 for the full measurement)")
    options = parser.parse_args()
    if not has_redis():
        print("webhooks under load: skipped: redis-server is not installed")
        return 0
    bodies = _bodies()
    size = sum(map(len, bodies)) / len(bodies) / 1024
    print(
        f"\n{'webhooks under load (' + f'{size:.0f}' + ' KiB each on average)':<58} {'a second':>9} {'p50 ms':>8} {'p99 ms':>8} {'max ms':>8}"
    )
    failed: list[str] = []
    with (
        redis_server("--appendonly", "yes", "--appendfsync", "everysec") as redis_url,
        _gonogo(redis_url) as ours,
        _floor() as floor,
    ):
        for port in (floor, ours):
            asyncio.run(
                burst(port, list(requests(bodies, [f"warm-{port}-{n}" for n in range(500)])), connections=options.connections)
            )
        sent = [f"warm-{ours}-{n}" for n in range(500)]
        guids = [f"burst-{n}" for n in range(options.burst)]
        what = f"burst of {options.burst:,} over {options.connections} connections"
        _row(f"{what}, bare FastAPI", asyncio.run(burst(floor, list(requests(bodies, guids)), connections=options.connections)))
        failed += _row(
            f"{what}, gonogo",
            asyncio.run(burst(ours, list(requests(bodies, [*guids, *guids[:REDELIVERED]])), connections=options.connections)),
            is_ours=True,
        )
        sent += guids
        guids = [f"steady-{n}" for n in range(int(options.rate * options.minutes * 60))]
        what = f"{options.rate:g} a second for {options.minutes:g} min"
        _row(
            f"{what}, bare FastAPI",
            asyncio.run(steady(floor, list(requests(bodies, guids[: len(guids) // 5])), a_second=options.rate)),
        )
        failed += _row(
            f"{what}, gonogo", asyncio.run(steady(ours, list(requests(bodies, guids)), a_second=options.rate)), is_ours=True
        )
        sent += guids
        failed += _counted(redis_url, sent)
    for one in failed:
        print(f"not met: {one}", file=sys.stderr)
    return 1 if failed else 0


def _row(what: str, answers: Answers, *, is_ours: bool = False) -> list[str]:
    p99 = answers.percentile(0.99)
    print(f"{what:<58} {len(answers.ms) / answers.seconds:9.0f} {answers.percentile(0.5):8.1f} {p99:8.1f} {max(answers.ms):8.1f}")
    if not is_ours:
        return []
    other = [status for status in answers.statuses if status != 202]
    return ([f"{what}: p99 {p99:.1f} ms is not under {GOAL_P99_MS:g}"] if p99 >= GOAL_P99_MS else []) + (
        [f"{what}: {len(other)} answers were not 202"] if other else []
    )


def _counted(redis_url: str, sent: Sequence[str]) -> list[str]:
    """Every delivery that was sent lies in the queue once."""
    with Redis.from_url(redis_url) as redis:  # pyright: ignore[reportUnknownMemberType]  its keywords have no types
        queued: list[bytes] = redis.zrange("gonogo:events", 0, -1)  # pyright: ignore[reportAssignmentType, reportUnknownMemberType]
    found = [name.decode().rsplit(":", 1)[1] for name in queued]
    lost, twice = set(sent) - set(found), len(found) - len(set(found))
    print(
        f"{len(sent):,} deliveries sent and {REDELIVERED} of them again: {len(found):,} in the queue, {len(lost)} lost, {twice} twice"
    )
    return ([f"{len(lost)} deliveries were lost"] if lost else []) + ([f"{twice} lie in the queue twice"] if twice else [])


def _bodies() -> list[bytes]:
    """Real payloads: what GitHub's own examples of `pull_request`, `push` and `check_run` hold."""
    examples: dict[str, list[dict[str, Any]]] = json.loads(gzip.decompress(EXAMPLES.read_bytes()))
    return [json.dumps(one).encode() for event in ("pull_request", "push", "check_run") for one in examples[event]]


@contextmanager
def _gonogo(redis_url: str) -> Generator[int]:
    with tempfile.TemporaryDirectory() as folder:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        port = _free_port()
        told = {
            "GONOGO_DATA_DIR": folder,
            "GONOGO_REDIS_URL": redis_url,
            "GONOGO_PORT": str(port),
            "GONOGO_GITHUB_APP_ID": "1",
            "GONOGO_GITHUB_PRIVATE_KEY": pem.decode(),
            "GONOGO_GITHUB_WEBHOOK_SECRET": SECRET,
        }
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GONOGO_")}
        command = [str(Path(sys.executable).with_name("gonogo")), "serve"]
        with (Path(folder) / "log").open("wb") as log, _running(command, port, clean | told, log.fileno()):
            yield port


@contextmanager
def _floor() -> Generator[int]:
    port = _free_port()
    with _running([sys.executable, "-m", "benchmarks.app_floor", str(port)], port, dict(os.environ), subprocess.DEVNULL):
        yield port


@contextmanager
def _running(command: Sequence[str], port: int, environment: dict[str, str], log: int) -> Generator[None]:
    process = subprocess.Popen(command, env=environment, stderr=log, stdout=log, cwd=ROOT)
    try:
        _wait(port, process)
        yield
    finally:
        process.terminate()
        process.wait(timeout=60)


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5).close()
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"nothing answers on port {port}")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


if __name__ == "__main__":
    sys.exit(main())
