"""The way of the model hub, with its own client against a server on this machine."""

import hashlib
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from forecasting.testing_toto import write_random_model
from forecasting.toto_weights import read_folder

pytestmark = pytest.mark.toto

REPOSITORY, COMMIT = "Datadog/Toto-2.0-22m", "0123456789abcdef0123456789abcdef01234567"
OPENED = """
import json, sys
from forecasting.toto_settings import open_from_environment
from gonogo.errors import ForecastUnavailable
try:
    print(json.dumps({"version": open_from_environment().version, "torch": "torch" in sys.modules}))
except ForecastUnavailable as error:
    print(json.dumps({"error": str(error)}))
"""


class Hub(ThreadingHTTPServer):
    """Answers what the hub's client asks for one repository, and remembers it."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, []
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def do_HEAD(self):
        self.answer(has_body=False)

    def do_GET(self):
        self.answer(has_body=True)

    def answer(self, *, has_body):
        self.server.asked.append((self.command, self.path))
        path = self.path.partition("?")[0]
        names = sorted(file.name for file in self.server.folder.iterdir())
        if path.startswith(f"/api/models/{REPOSITORY}/revision/"):
            if path.rpartition("/")[2] not in ("main", COMMIT):
                self.say(404, b'{"error": "Revision not found"}', has_body, {"X-Error-Code": "RevisionNotFound"})
                return
            about = {"_id": "1", "id": REPOSITORY, "sha": COMMIT, "siblings": [{"rfilename": name} for name in names]}
            self.say(200, json.dumps(about).encode(), has_body, {"Content-Type": "application/json"})
        elif path.startswith(f"/api/models/{REPOSITORY}/tree/"):
            files = [self.entry(name) for name in names]
            self.say(200, json.dumps(files).encode(), has_body, {"Content-Type": "application/json"})
        elif path.startswith(f"/{REPOSITORY}/resolve/") and path.rpartition("/")[2] in names:
            data = (self.server.folder / path.rpartition("/")[2]).read_bytes()
            headers = {"ETag": f'"{hashlib.sha256(data).hexdigest()}"', "X-Repo-Commit": COMMIT}
            self.say(200, data, has_body, headers)
        else:
            self.say(404, b'{"error": "Repository not found"}', has_body, {"X-Error-Code": "RepoNotFound"})

    def entry(self, name):
        data = (self.server.folder / name).read_bytes()
        return {"type": "file", "path": name, "size": len(data), "oid": hashlib.sha256(data).hexdigest()[:40]}

    def say(self, status, body, has_body, headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if has_body:
            self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def hub(tmp_path):
    folder = write_random_model(tmp_path / "repository")
    (folder / "README.md").write_text("not needed")
    (folder / "modeling.py").write_text("raise SystemExit")
    server = Hub(folder)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def opened(hub, home, **variables):
    env = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "GONOGO_"))} | {
        "HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}",
        "HF_HOME": str(home),
        "HF_HUB_DISABLE_XET": "1",
        "NO_PROXY": "127.0.0.1",
    }
    done = subprocess.run(
        [sys.executable, "-I", "-c", OPENED], env=env | variables, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_weights_come_from_the_hub_when_it_is_configured_once_and_only_what_is_needed(hub, tmp_path):
    sha256 = read_folder(hub.folder)[0].sha256
    wanted = {"GONOGO_TOTO_HUB": REPOSITORY, "GONOGO_TOTO_REVISION": COMMIT, "GONOGO_TOTO_SHA256": sha256}

    first = opened(hub, tmp_path / "home", **wanted)
    fetched = {path.rpartition("/")[2] for command, path in hub.asked if command == "GET" and "/resolve/" in path}
    hub.asked.clear()
    second = opened(hub, tmp_path / "home", **wanted)

    assert sha256[:12] in first["version"]
    assert not first["torch"]
    assert fetched == {"config.json", "model.safetensors"}
    assert second == first
    assert not any(command == "GET" and "/resolve/" in path for command, path in hub.asked)


def test_the_official_package_loads_what_the_hub_gave(hub, tmp_path):
    done = opened(hub, tmp_path / "home", GONOGO_TOTO_HUB=REPOSITORY, GONOGO_TOTO_RUNTIME="torch")

    assert done["torch"]
    assert "toto-2 2." in done["version"]


def test_weights_from_the_hub_that_are_not_the_pinned_ones_are_refused(hub, tmp_path):
    done = opened(hub, tmp_path / "home", GONOGO_TOTO_HUB=REPOSITORY, GONOGO_TOTO_SHA256="ab" * 32)

    assert "pinned is abab" in done["error"]


def test_a_local_folder_is_asked_before_the_hub(hub, tmp_path):
    done = opened(hub, tmp_path / "home", GONOGO_TOTO_HUB=REPOSITORY, GONOGO_TOTO_DIR=str(hub.folder))

    assert "version" in done
    assert hub.asked == []


@pytest.mark.parametrize(
    ("variables", "why"),
    [
        ({"GONOGO_TOTO_HUB": "Nobody/Nothing"}, "gave no weights of Nobody/Nothing"),
        ({"GONOGO_TOTO_HUB": REPOSITORY, "GONOGO_TOTO_REVISION": "no-such"}, "gave no weights"),
        ({"GONOGO_TOTO_HUB": "../../etc"}, "name a repository"),
    ],
)
def test_a_hub_that_has_no_such_weights_is_a_clear_failure(hub, tmp_path, variables, why):
    done = opened(hub, tmp_path / "home", **variables)

    assert why in done["error"]
    assert "Traceback" not in done["error"]
