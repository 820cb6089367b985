"""gonogo's own processes for tests, with what they need: a Redis server of their own, a database, the settings of the spec."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.github.server import FakeGitHub
from tests.github.world import App

COMMAND = (sys.executable, "-I", "-c", "from gonogo.launch import main; main()")
READY_WITHIN_S = 40.0


@contextmanager
def redis_server() -> Generator[str]:
    """A private redis-server on a free port, nothing on disk; its URL."""
    binary = shutil.which("redis-server")
    if binary is None:
        raise FileNotFoundError("no redis-server; install the package redis-server")
    folder = Path(tempfile.mkdtemp(prefix="gonogo-redis-"))
    port = free_port()
    flags = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([binary, *flags], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
    try:
        _until_open(port, process)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.kill()
        process.wait(timeout=10)
        shutil.rmtree(folder, ignore_errors=True)


class Process:
    """One `gonogo` process; its output goes to a file."""

    def __init__(self, name: str, verb: tuple[str, ...], env: Mapping[str, str], folder: Path) -> None:
        self.name, self._verb, self._env, self._folder = name, verb, dict(env), folder
        self.log_file = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None
        self.should_run = False

    @property
    def pid(self) -> int:
        assert self._process, f"{self.name} was not started"
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def exit_status(self) -> int | None:
        return self._process.poll() if self._process else None

    def start(self, **env: str) -> None:
        """In a session of its own, as a service manager starts it."""
        assert not self.is_running, f"{self.name} runs already"
        self.should_run = True
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                [*COMMAND, *self._verb], env=self._env | env, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                cwd=self._folder, start_new_session=True,
            )  # fmt: skip

    def kill(self) -> None:
        """kill -9: the process alone, as the kernel does when memory is short."""
        self.should_run = False
        if self._process:
            self._process.kill()
            self._process.wait(timeout=10)

    def stop(self, *, within_s: float = 20) -> int:
        """SIGTERM, as a deployment does; its exit status. What does not end in time is a failure."""
        assert self._process
        self.should_run = False
        self._process.terminate()
        try:
            return self._process.wait(timeout=within_s)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"{self.name} did not end within {within_s:g} s of SIGTERM:\n{self.log()[-3000:]}") from None

    def end(self) -> None:
        """Leave nothing behind, its children neither; an embedded one is asked first, since its Redis outlives it otherwise."""
        if self._process is None:
            return
        if self.is_running and "--embedded" in self._verb:
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=20)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(timeout=10)

    def log(self) -> str:
        return self.log_file.read_text(encoding="utf-8", errors="replace") if self.log_file.exists() else ""


class Site:
    """One installation of gonogo: a web process and workers on one Redis and one database.

    Without a Redis it is one process, `gonogo serve --embedded`.
    """

    def __init__(self, folder: Path, github: FakeGitHub, app: App, *, redis_url: str | None, port: int, database_url: str | None = None,
                 production: Path | None = None, settings: Mapping[str, str] | None = None) -> None:  # fmt: skip
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.port = folder, port
        self.url = f"http://127.0.0.1:{port}"
        key = folder / "app.pem"
        key.write_text(app.private_key)
        key.chmod(0o600)
        self.env = _outside() | {
            "GONOGO_HOST": "127.0.0.1", "GONOGO_PORT": str(port), "GONOGO_DATA_DIR": str(folder / "data"),
            "GONOGO_GITHUB_API_URL": github.api_url, "GONOGO_GITHUB_URL": github.web_url, "GONOGO_GITHUB_APP_ID": str(app.id),
            "GONOGO_GITHUB_PRIVATE_KEY_FILE": str(key), "GONOGO_GITHUB_WEBHOOK_SECRET": app.webhook_secret,
            "GONOGO_GITHUB_CLIENT_ID": app.client_id, "GONOGO_GITHUB_CLIENT_SECRET": app.client_secret, "GONOGO_INVESTIGATOR": "rules",
            "GONOGO_SWEEP_INTERVAL": "3600", "GONOGO_URL": self.url,
        }  # fmt: skip
        if redis_url:
            self.env["GONOGO_REDIS_URL"] = redis_url
        if database_url:
            self.env["GONOGO_DATABASE_URL"] = database_url
        if production:
            self.env["GONOGO_PRODUCTION"] = str(production)
        self.env |= dict(settings or {})
        verb = ("serve",) if redis_url else ("serve", "--embedded")
        self.web = Process("serve", verb, self.env, folder)
        self.other_webs: list[Process] = []
        self.workers: list[Process] = []

    @property
    def worker(self) -> Process:
        """The worker that was started last."""
        return self.workers[-1]

    def start(self, *, workers: int = 1) -> "Site":
        """All at once, and wait until `/readyz` says so."""
        self.web.start()
        for _ in range(workers):
            self.start_worker()
        self.until_ready()
        return self

    def start_another_web(self, **env: str) -> str:
        """A second web process, with a data folder of its own when `env` says so; its address, once it answers."""
        port = free_port()
        web = Process(f"serve-{len(self.other_webs) + 2}", ("serve",), self.env | {"GONOGO_PORT": str(port)}, self.folder)
        self.other_webs.append(web)
        web.start(**env)
        url = f"http://127.0.0.1:{port}"
        self.until_ready(url, path="/healthz")
        return url

    def start_worker(self, **env: str) -> Process:
        worker = Process(f"worker-{len(self.workers) + 1}", ("worker",), self.env, self.folder)
        self.workers.append(worker)
        worker.start(**env)
        return worker

    def until_ready(self, url: str | None = None, *, path: str = "/readyz", within_s: float = READY_WITHIN_S) -> None:
        until = time.monotonic() + within_s
        last = "no answer"
        with httpx.Client(timeout=2, trust_env=False, verify=False) as client:
            while time.monotonic() < until:
                for process in self.processes:
                    if process.should_run and process.exit_status is not None:
                        raise AssertionError(f"{process.name} ended with {process.exit_status}:\n{process.log()[-4000:]}")
                with contextlib.suppress(httpx.HTTPError):
                    answer = client.get(f"{url or self.url}{path}")
                    if answer.status_code == 200:
                        return
                    last = f"{answer.status_code} {answer.text[:200]}"
                time.sleep(0.1)
        raise AssertionError(f"{path} was not 200 within {within_s:g} s ({last}):\n{self.logs()}")

    @property
    def processes(self) -> list[Process]:
        return [self.web, *self.other_webs, *self.workers]

    def logs(self, *, last: int = 6000) -> str:
        return "\n".join(f"--- {p.name}\n{p.log()[-last:]}" for p in self.processes)

    def end(self) -> None:
        for process in self.processes:
            process.end()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(500):
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.01)
    raise RuntimeError("redis-server did not start")


def _outside() -> dict[str, str]:
    """The environment without settings and keys of whoever runs the tests."""
    strangers = ("GONOGO", "ANTHROPIC", "GIT_", "PYTHON", "AWS_")
    return {k: v for k, v in os.environ.items() if not k.startswith(strangers) and not k.lower().endswith("_proxy")}
