"""An owner makes the App by saying yes on GitHub; its secrets end in one file that only they can read, and nowhere else."""

import html
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

from bot.github.access import GITHUB_API_URL, GITHUB_URL
from bot.github.app_creation import CreatedApp, SettingsFile, exchange
from bot.server_settings import load_server_settings
from gonogo.errors import CallError, Refused
from tests.github.server import FakeGitHub
from tests.github.world import App

URL = "https://gonogo.example.com"


class Walk:
    """`gonogo app create` in a process of its own, and the browser of whoever started it."""

    def __init__(self, github: FakeGitHub, settings: Path, *options: str) -> None:
        environment = {"PATH": os.environ["PATH"], "HOME": str(settings.parent)}
        environment |= {"GONOGO_GITHUB_API_URL": github.api_url, "GONOGO_GITHUB_URL": github.web_url}
        command = [
            sys.executable,
            "-m",
            "bot.entrypoints.cli",
            "app",
            "create",
            "--url",
            URL,
            "--settings",
            str(settings),
            *options,
        ]
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[3]
        )
        assert self.process.stdout
        self.first = self.process.stdout.readline()
        self.page = re.findall(r"http://127\.0\.0\.1:\d+", self.first)[0]
        self.browser = httpx.Client(follow_redirects=False)

    def form(self) -> tuple[str, str]:
        shown = self.browser.get(f"{self.page}/")
        action = re.findall(r'action="([^"]*)"', shown.text)[0]
        manifest = re.findall(r'name="manifest" value="([^"]*)"', shown.text)[0]
        return html.unescape(action), html.unescape(manifest)

    def agree(self) -> str:
        """The address that GitHub sends the browser back to."""
        action, manifest = self.form()
        return self.browser.post(action, data={"manifest": manifest}).headers["location"]

    def end(self) -> tuple[int, str, str]:
        out, error = self.process.communicate(timeout=30)
        return self.process.returncode, self.first + out, error

    def close(self) -> None:
        self.browser.close()
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    return tmp_path / "gonogo.env"


@pytest.fixture
def walk(github: FakeGitHub, settings: Path) -> Generator[Walk]:
    started = Walk(github, settings, "--organization", "acme")
    yield started
    started.close()


def the_app(github: FakeGitHub) -> App:
    (app,) = github.world.apps.values()
    return app


def secrets_of(app: App) -> list[str]:
    return [app.client_secret, app.webhook_secret, app.private_key.splitlines()[3]]


def test_an_owner_says_yes_and_the_server_can_start(
    github: FakeGitHub, walk: Walk, settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = walk.browser.get(walk.agree())
    status, out, error = walk.end()

    app = the_app(github)
    assert (status, error, done.status_code) == (0, "", 200)
    assert (app.owner.login, app.webhook_url) == ("acme", f"{URL}/webhooks/github")
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    assert not any(secret in shown for secret in secrets_of(app) for shown in (out, done.text))
    assert "/installations/new" in out
    for name in [n for n in os.environ if n.startswith("GONOGO_GITHUB")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GONOGO_CONFIG", str(settings))
    monkeypatch.chdir(settings.parent)
    environment = dict(os.environ)
    monkeypatch.setattr(os, "environ", environment)
    loaded = load_server_settings(environment, is_embedded=True)
    assert (loaded.github_app_id, loaded.github_client_id, loaded.url) == (app.id, app.client_id, URL)
    assert (loaded.github_api_url, loaded.github_url) == (github.api_url, github.web_url)
    assert loaded.private_key.get_secret_value() == app.private_key
    assert loaded.github_webhook_secret.get_secret_value() == app.webhook_secret


def test_what_the_file_held_before_stays(github: FakeGitHub, settings: Path) -> None:
    settings.write_text("GONOGO_PORT=9000\nGONOGO_GITHUB_APP_ID=\n")
    settings.chmod(0o644)
    walk = Walk(github, settings)
    walk.browser.get(walk.agree())

    assert walk.end()[0] == 0
    assert settings.read_text().startswith("GONOGO_PORT=9000\n")
    assert f"GONOGO_GITHUB_APP_ID={the_app(github).id}\n" in settings.read_text()
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    walk.close()


def test_a_return_that_did_not_begin_here_does_nothing(github: FakeGitHub, walk: Walk, settings: Path) -> None:
    back = walk.agree()

    forged = [walk.browser.get(re.sub(r"state=[^&]*", f"state={state}", back)).status_code for state in ("x", "", "%FF")]
    stateless = walk.browser.get(back.partition("&state")[0].partition("?state")[0])

    assert forged == [400, 400, 400]
    assert stateless.status_code == 400
    assert not settings.exists()
    assert not github.record.of("POST /app-manifests/*")


@pytest.mark.parametrize("code", ["", "../../app", "a/b", "x" * 300, "a%20b"])
def test_a_code_that_is_none_is_not_sent(github: FakeGitHub, walk: Walk, code: str) -> None:
    back = re.sub(r"code=[^&]*", f"code={code}", walk.agree())

    assert walk.browser.get(back).status_code == 502
    assert not github.record.of("POST /app-manifests/*")


def test_a_code_that_github_does_not_take_leaves_a_second_chance(walk: Walk, settings: Path) -> None:
    wrong = re.sub(r"code=[^&]*", "code=used-up", walk.agree())

    refused = walk.browser.get(wrong)
    assert (refused.status_code, "older than an hour" in refused.text) == (502, True)
    assert walk.browser.get(walk.agree()).status_code == 200
    assert walk.end()[0] == 0
    assert settings.exists()


def test_the_page_answers_only_to_this_machines_name(walk: Walk) -> None:
    answers = [walk.browser.get(f"{walk.page}/", headers={"host": host}).status_code for host in ("evil.example", "127.0.0.1:1")]
    fine = walk.browser.get(f"{walk.page}/")

    assert answers == [421, 421]
    assert "frame-ancestors 'none'" in fine.headers["content-security-policy"]
    assert fine.headers["cache-control"] == "no-store"


def test_nobody_who_comes_in_time_leaves_no_file(github: FakeGitHub, settings: Path) -> None:
    walk = Walk(github, settings, "--timeout", "1")

    status, _, error = walk.end()

    assert (status, "did not come back within 1 s" in error) == (3, True)
    assert list(settings.parent.glob("*gonogo.env*")) == []
    walk.close()


def test_a_file_that_holds_an_app_is_not_written_over(settings: Path) -> None:
    settings.write_text("export GONOGO_GITHUB_APP_ID=7\n")

    with pytest.raises(CallError, match="holds an App already"):
        SettingsFile(settings)
    assert settings.read_text() == "export GONOGO_GITHUB_APP_ID=7\n"


def test_a_file_that_cannot_be_written_is_said_before_the_app_is_made(tmp_path: Path) -> None:
    with pytest.raises(CallError, match="cannot be written"):
        SettingsFile(tmp_path / "nowhere" / "x.env")


def test_the_settings_are_never_readable_by_others_not_even_for_a_moment(settings: Path) -> None:
    before = os.umask(0)
    try:
        file = SettingsFile(settings)
        modes = {stat.S_IMODE(p.stat().st_mode) for p in settings.parent.glob(".gonogo.env*")}
        file.write(an_app(), url=URL, api_url=GITHUB_API_URL, web_url=GITHUB_URL)
    finally:
        os.umask(before)

    assert modes == {0o600}
    assert stat.S_IMODE(settings.stat().st_mode) == 0o600
    assert "GONOGO_GITHUB_API_URL" not in settings.read_text()


def an_app() -> CreatedApp:
    pem = "-----BEGIN RSA PRIVATE KEY-----\nMII+/=\n-----END RSA PRIVATE KEY-----\n"
    return CreatedApp(7, "gonogo", "acme", "https://github.com/apps/gonogo", "Iv1", 'it\'s # "secret"', "hook", pem)


def test_a_made_app_shows_no_secret() -> None:
    assert not any(secret in repr(an_app()) for secret in ("secret", "hook", "MII"))


def test_values_with_signs_of_their_own_are_read_back_as_they_are(settings: Path) -> None:
    from dotenv import dotenv_values

    SettingsFile(settings).write(an_app(), url=URL, api_url=GITHUB_API_URL, web_url=GITHUB_URL)

    read = dotenv_values(settings, interpolate=False)
    assert read["GONOGO_GITHUB_CLIENT_SECRET"] == 'it\'s # "secret"'
    assert read["GONOGO_GITHUB_PRIVATE_KEY"] == an_app().private_key.strip().replace("\n", "\\n")


def test_the_exchange_happens_once(github: FakeGitHub, walk: Walk) -> None:
    back = walk.agree()
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(httpx.get(back).status_code)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert walk.end()[0] == 0
    assert len(github.record.of("POST /app-manifests/*")) == 1


def test_a_code_with_a_way_in_it_never_reaches_github() -> None:
    with pytest.raises(Refused, match="holds no code"):
        exchange("a/../b", api_url="http://127.0.0.1:9", web_url="http://127.0.0.1:9")
