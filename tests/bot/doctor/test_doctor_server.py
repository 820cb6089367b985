"""`gonogo doctor` says what the server lacks: settings, Redis, the key, permissions and events of the App, and what to do."""

import os
from pathlib import Path
from typing import Any

import pytest

from bot.investigator.claude import Access
from bot.jobs.checkup import Found
from bot.jobs.checkup_server import look_at_model, look_at_server
from tests.github import faults
from tests.github.fixtures import github, redis_server_url, redis_url
from tests.github.server import FakeGitHub
from tests.github.world import App

__all__ = ["github", "redis_server_url", "redis_url"]

Told = list[tuple[Found, str, str]]


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment of this process, with nothing of gonogo's in it, in an empty folder."""
    told = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "GONOGO_DATA_DIR": str(tmp_path / "data")}
    monkeypatch.setattr(os, "environ", told)
    monkeypatch.chdir(tmp_path)
    return told


@pytest.fixture
def app(github: FakeGitHub, environment: dict[str, str]) -> App:
    """A server that is set up for an App which is on one account."""
    app = github.apps.register()
    github.repositories.create("acme/shop")
    github.apps.install(app, "acme")
    environment |= {
        "GONOGO_GITHUB_API_URL": github.api_url,
        "GONOGO_GITHUB_URL": github.web_url,
        "GONOGO_GITHUB_APP_ID": str(app.id),
        "GONOGO_GITHUB_PRIVATE_KEY": app.private_key,
        "GONOGO_GITHUB_WEBHOOK_SECRET": app.webhook_secret,
    }
    return app


def looked(environment: dict[str, str], **how: Any) -> Told:
    return [(look.found, look.what, look.said) for look in look_at_server(environment, **how)]


def said_of(told: Told, what: str) -> list[tuple[Found, str]]:
    return [(found, said) for found, about, said in told if about == what]


def test_a_laptop_without_a_server_gets_one_line(environment: dict[str, str]) -> None:
    assert looked(environment) == [(Found.UNUSED, "server", "gonogo app create makes the App and its settings")]


def test_every_setting_that_is_missing_is_named(environment: dict[str, str]) -> None:
    environment["GONOGO_GITHUB_APP_ID"] = "7"

    ((found, what, said),) = looked(environment)

    assert (found, what) == (Found.MISSING, "server")
    assert "GONOGO_GITHUB_WEBHOOK_SECRET is not set" in said
    assert "GONOGO_GITHUB_PRIVATE_KEY" in said


def test_a_server_that_lacks_nothing_says_so(app: App, environment: dict[str, str], redis_url: str) -> None:
    environment |= {"GONOGO_REDIS_URL": redis_url, "GONOGO_GITHUB_CLIENT_ID": "a", "GONOGO_GITHUB_CLIENT_SECRET": "b"}

    told = looked(environment)

    assert {found for found, what, _ in told if what != "webhooks"} == {Found.OK}
    assert [what for _, what, _ in told] == ["server", "redis", "GitHub App", "on acme", "webhooks"]
    assert not any(app.private_key[40:80] in said or app.webhook_secret in said for _, _, said in told)


def test_redis_that_does_not_answer_is_missing_and_its_password_is_not_shown(app: App, environment: dict[str, str]) -> None:
    environment["GONOGO_REDIS_URL"] = "redis://:hunter2@127.0.0.1:1/0"

    ((found, said),) = said_of(looked(environment), "redis")

    assert found is Found.MISSING
    assert "GONOGO_REDIS_URL" in said
    assert "hunter2" not in said


def test_without_a_redis_the_embedded_server_needs_its_binary(app: App, environment: dict[str, str], tmp_path: Path) -> None:
    ((found, said),) = said_of(looked(environment, path=str(tmp_path)), "redis")

    assert (found, "install the package redis-server" in said) == (Found.MISSING, True)


def test_permissions_and_events_that_the_app_lacks_are_named(app: App, environment: dict[str, str]) -> None:
    del app.permissions["merge_queues"], app.permissions["secrets"]
    app.permissions["checks"] = "read"
    app.events.remove("merge_group")

    told = said_of(looked(environment), "GitHub App")

    assert [(found, said.partition(" is missing")[0]) for found, said in told[1:]] == [
        (Found.MISSING, "permission checks: write"),
        (Found.MISSING, "permission merge_queues: read"),
        (Found.MISSING, "event merge_group"),
        (Found.UNUSED, "permission secrets: read"),
    ]


def test_permissions_that_an_account_has_not_accepted_are_named(
    github: FakeGitHub, app: App, environment: dict[str, str]
) -> None:
    (installation,) = github.world.installations.values()
    del installation.permissions["contents"]

    ((found, said),) = said_of(looked(environment), "on acme")

    assert (found, "permission contents: read is missing" in said) == (Found.MISSING, True)


def test_a_suspended_account_is_said_and_is_nothing_to_repair(github: FakeGitHub, app: App, environment: dict[str, str]) -> None:
    github.apps.suspend(next(iter(github.world.installations.values())))

    assert said_of(looked(environment), "on acme")[0][0] is Found.UNUSED


def test_an_app_that_is_installed_nowhere_says_where_to_install_it(
    github: FakeGitHub, app: App, environment: dict[str, str]
) -> None:
    github.apps.uninstall(next(iter(github.world.installations.values())))

    ((found, said),) = said_of(looked(environment), "installations")

    assert found is Found.UNUSED
    assert f"{github.web_url}/apps/gonogo/installations/new" in said


def test_a_key_that_github_does_not_take_is_missing(app: App, environment: dict[str, str]) -> None:
    environment["GONOGO_GITHUB_APP_ID"] = "7"

    ((found, said),) = said_of(looked(environment), "GitHub App")

    assert (found, "check the App's id and private key" in said) == (Found.MISSING, True)


def test_a_key_that_is_none_is_missing(app: App, environment: dict[str, str]) -> None:
    environment["GONOGO_GITHUB_PRIVATE_KEY"] = "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----"

    ((found, said),) = said_of(looked(environment), "server")

    assert (found, "no key that can be read between them" in said) == (Found.MISSING, True)


def test_a_github_that_is_not_reached_is_missing(app: App, environment: dict[str, str]) -> None:
    environment["GONOGO_GITHUB_API_URL"] = "http://127.0.0.1:1/api"

    ((found, said),) = said_of(looked(environment), "GitHub App")

    assert (found, "is not reached" in said) == (Found.MISSING, True)


def test_webhooks_that_nobody_answers_are_missing(github: FakeGitHub, app: App, environment: dict[str, str]) -> None:
    app.webhook_url = "http://127.0.0.1:1/webhooks/github"
    github.apps.ping(app)
    github.mail.settle()

    ((found, said),) = said_of(looked(environment), "webhooks")

    assert found is Found.MISSING
    assert said.startswith("0 of 1 deliveries of the last hour were answered")


def test_deliveries_that_cannot_be_listed_are_nothing_to_repair(
    github: FakeGitHub, app: App, environment: dict[str, str]
) -> None:
    github.faults.add("GET /app/hook/deliveries", faults.permission_missing(), times=9)

    assert said_of(looked(environment), "webhooks")[0][0] is Found.UNUSED


def test_a_file_in_the_folder_does_not_say_where_a_key_of_the_environment_goes(
    github: FakeGitHub, app: App, environment: dict[str, str], tmp_path: Path
) -> None:
    del environment["GONOGO_GITHUB_API_URL"]
    (tmp_path / ".env").write_text(f"GONOGO_GITHUB_API_URL={github.api_url}\n")

    ((found, what, said),) = looked(environment)

    assert (found, what, "nothing was sent there" in said) == (Found.MISSING, "server", True)
    assert not github.record.of("GET /app")


def test_a_file_in_the_folder_does_not_say_where_the_models_key_goes(
    app: App, environment: dict[str, str], tmp_path: Path
) -> None:
    environment["ANTHROPIC_API_KEY"] = "sk-hunter2"
    (tmp_path / ".env").write_text("ANTHROPIC_BASE_URL=http://127.0.0.1:9\n")

    assert looked(environment)[0][0] is Found.MISSING
    assert "ANTHROPIC_BASE_URL" not in environment


def test_the_model_is_asked_only_when_there_is_a_key(environment: dict[str, str]) -> None:
    def access(told: Any) -> Access:
        return Access(is_ok=told["ANTHROPIC_API_KEY"] == "good", said="asked")

    tried = [
        list(look_at_model(environment | key, access)) for key in ({}, {"ANTHROPIC_API_KEY": "good"}, {"ANTHROPIC_API_KEY": "x"})
    ]

    assert [[look.found for look in looks] for looks in tried] == [[], [Found.OK], [Found.MISSING]]
