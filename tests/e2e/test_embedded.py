"""`gonogo serve --embedded`, as its operator meets it: one command, killed and started again."""

import contextlib
import hashlib
import hmac
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from redis import Redis

from scripts.redis_server import has_redis

GONOGO = Path(sys.executable).with_name("gonogo")
SECRET = "a webhook secret"

pytestmark = pytest.mark.skipif(not has_redis(), reason="no redis-server; install the package redis-server")


@dataclass
class Embedded:
    """The command and its data folder."""

    data: Path
    port: int
    environment: dict[str, str]
    process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [GONOGO, "serve", "--embedded"],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.data.parent,
        )
        _wait_until(lambda: self.get("/healthz") == 200, self.process)

    def get(self, path: str) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as refused:
            return refused.code
        except OSError:
            return 0

    def deliver(self, guid: str) -> int:
        body = json.dumps({"zen": guid}).encode()
        headers = {
            "X-GitHub-Event": "ping",
            "X-GitHub-Delivery": guid,
            "X-Hub-Signature-256": "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest(),
            "Content-Type": "application/json",
        }
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/webhooks/github", body, headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status

    def redis(self) -> Redis:
        return Redis(unix_socket_path=str(self.data / "redis" / "redis.sock"))

    def redis_pid(self) -> int:
        return int((self.data / "redis" / "redis.pid").read_text())

    def end(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        assert self.process
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=60)
        return self.process.returncode, said


def _wait_until(claim, process=None, seconds=60) -> None:
    until = time.monotonic() + seconds
    while not claim():
        if process is not None and process.poll() is not None:
            pytest.fail(f"ended with {process.returncode}: {process.stderr.read()}")
        if time.monotonic() > until:
            pytest.fail("waited in vain")
        time.sleep(0.1)


def _runs(pid: int) -> bool:
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout.strip()
    return bool(state) and not state.startswith("Z")


@pytest.fixture
def embedded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("e")
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(pem)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        nobody = free.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GONOGO_")} | {
        "GONOGO_DATA_DIR": str(folder / "data"),
        "GONOGO_PORT": str(port),
        "GONOGO_GITHUB_APP_ID": "7",
        "GONOGO_GITHUB_PRIVATE_KEY_FILE": str(folder / "key.pem"),
        "GONOGO_GITHUB_WEBHOOK_SECRET": SECRET,
        "GONOGO_GITHUB_API_URL": f"http://127.0.0.1:{nobody}/api/v3",
    }
    made = Embedded(folder / "data", port, environment)
    yield made
    if made.process and made.process.poll() is None:
        made.process.kill()
        made.process.communicate()
    with contextlib.suppress(OSError, ValueError):
        os.kill(made.redis_pid(), signal.SIGKILL)


def test_one_command_brings_web_worker_and_redis_and_takes_them_with_it(embedded):
    embedded.start()
    _wait_until(lambda: embedded.get("/readyz") == 200, embedded.process)
    redis = embedded.redis_pid()

    status, said = embedded.end()

    assert status == 0, said
    assert not _runs(redis)
    assert "Traceback" not in said


@pytest.mark.long
def test_ctrl_c_ends_it_too(embedded):
    embedded.start()

    status, said = embedded.end(signal.SIGINT)

    assert status == 0, said


def test_what_was_taken_is_there_after_kill_9_of_everything(embedded):
    embedded.start()
    assert [embedded.deliver(f"g-{n}") for n in range(20)] == [202] * 20
    os.kill(embedded.redis_pid(), signal.SIGKILL)
    embedded.end(signal.SIGKILL)

    embedded.start()

    with embedded.redis() as redis:
        assert {f"gonogo:delivery:7:g-{n}".encode() for n in range(20)} <= set(redis.keys("gonogo:delivery:*"))


@pytest.mark.long
def test_a_redis_that_kill_9_left_behind_is_replaced_and_nothing_of_it_lost(embedded):
    embedded.start()
    embedded.deliver("g-1")
    left_behind = embedded.redis_pid()
    embedded.end(signal.SIGKILL)
    assert _runs(left_behind)

    embedded.start()

    assert not _runs(left_behind)
    assert embedded.redis_pid() != left_behind
    with embedded.redis() as redis:
        assert redis.keys("gonogo:delivery:*") == [b"gonogo:delivery:7:g-1"]


@pytest.mark.long
def test_a_process_that_has_the_recorded_number_by_chance_is_left_alone(embedded):
    bystander = subprocess.Popen(["sleep", "60"])
    (embedded.data / "redis").mkdir(parents=True)
    (embedded.data / "redis" / "redis.pid").write_text(f"{bystander.pid}\n")

    embedded.start()

    assert bystander.poll() is None
    bystander.kill()
    bystander.wait()


@pytest.mark.long
def test_redis_and_worker_are_started_again_when_they_die(embedded):
    embedded.start()
    _wait_until(lambda: embedded.get("/readyz") == 200, embedded.process)
    embedded.deliver("g-1")
    first = embedded.redis_pid()
    os.kill(first, signal.SIGKILL)

    _wait_until(lambda: embedded.redis_pid() != first and embedded.get("/readyz") == 200, embedded.process)

    assert embedded.deliver("g-1") == 202
    with embedded.redis() as redis:
        assert redis.keys("gonogo:delivery:*") == [b"gonogo:delivery:7:g-1"]


@pytest.mark.long
def test_a_second_one_on_the_same_folder_is_refused(embedded):
    embedded.start()

    second = subprocess.run(
        [GONOGO, "serve", "--embedded", "--port", "0"],
        env=embedded.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert second.returncode == 2
    assert "runs already on" in second.stderr
    assert str(embedded.process.pid) in second.stderr
    assert embedded.get("/healthz") == 200


def test_without_redis_server_one_line_says_what_to_install(embedded):
    environment = embedded.environment | {"PATH": "/nowhere"}

    done = subprocess.run(
        [GONOGO, "serve", "--embedded"], env=environment, capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "needs the program redis-server" in done.stderr


def test_nothing_else_on_the_machine_can_reach_its_redis(embedded):
    embedded.start()

    with embedded.redis() as redis:
        assert redis.config_get("port") == {"port": "0"}
    assert (embedded.data / "redis").stat().st_mode & 0o077 == 0


@pytest.mark.long
def test_a_data_folder_with_a_long_path_works_too(embedded):
    embedded.data = embedded.data.parent / ("long" * 30)
    embedded.environment["GONOGO_DATA_DIR"] = str(embedded.data)

    embedded.start()

    assert embedded.deliver("g-1") == 202
    assert embedded.end()[0] == 0


def test_wrong_settings_start_nothing(embedded):
    environment = {k: v for k, v in embedded.environment.items() if k != "GONOGO_GITHUB_WEBHOOK_SECRET"}

    done = subprocess.run(
        [GONOGO, "serve", "--embedded"], env=environment, capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 2
    assert "GONOGO_GITHUB_WEBHOOK_SECRET is not set" in done.stderr
    assert not embedded.data.exists()
