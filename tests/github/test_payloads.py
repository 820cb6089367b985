"""The payloads are in GitHub's own shape: the strict models of a client library, made from GitHub's schemas, take all of them."""

from collections.abc import Iterator

import pytest
from githubkit import webhooks
from pydantic import ValidationError

from tests.github.asking import as_installation
from tests.github.server import FakeGitHub
from tests.github.world import App, Installation, Repository


@pytest.fixture
def installation(github: FakeGitHub, app: App, repository: Repository) -> Installation:
    """Nobody listens: what is looked at is what would have been sent."""
    assert repository.owner.login == "acme"
    app.webhook_url = "http://127.0.0.1:9/nobody"
    return github.apps.install(app, "acme")


def wrong_payloads(github: FakeGitHub) -> Iterator[str]:
    github.mail.settle()
    for delivery in github.mail.deliveries:
        try:
            webhooks.parse(delivery.event, delivery.body)  # pyright: ignore[reportArgumentType, reportCallIssue]  any event
        except ValidationError as wrong:
            yield f"{delivery.event}.{delivery.action}: {wrong}"


@pytest.mark.usefixtures("installation")
def test_of_pull_requests_and_merge_groups(github: FakeGitHub, repository: Repository) -> None:
    pulls = github.pulls
    github.repositories.branch(repository, "next")
    pull = pulls.open(repository, {"app.py": "print(2)\n"})
    pulls.push(pull, {"app.py": "print(3)\n"})
    pulls.retarget(pull, "next")
    pulls.edit(pull, title="Another", body="text")
    pulls.convert_to_draft(pull)
    pulls.ready_for_review(pull)
    pulls.label(pull, "risky")
    pulls.unlabel(pull, "risky")
    pulls.lock(pull)
    pulls.unlock(pull)
    pulls.close(pull)
    pulls.reopen(pull)
    pulls.destroy(pulls.enqueue(pull))
    pulls.merge_group(pulls.enqueue(pull))

    assert list(wrong_payloads(github)) == []
    assert {d.event for d in github.mail.deliveries} == {"installation", "pull_request", "check_suite", "push", "merge_group"}


@pytest.mark.usefixtures("installation")
def test_of_a_pull_request_whose_fork_is_gone(github: FakeGitHub, repository: Repository) -> None:
    fork = github.repositories.fork(repository, "mallory")
    pull = github.pulls.open(repository, {"app.py": "print(2)\n"}, fork=fork, by="mallory")
    github.repositories.delete(fork)
    github.pulls.edit(pull, title="Another")
    github.pulls.close(pull)

    assert list(wrong_payloads(github)) == []
    assert github.mail.deliveries[-1].payload["pull_request"]["head"]["repo"] is None


def test_of_checks_comments_and_deployments(github: FakeGitHub, repository: Repository, installation: Installation) -> None:
    pull = github.pulls.open(repository, {"app.py": "print(2)\n"})
    button = {"label": "Acknowledge", "description": "d", "identifier": "acknowledge"}
    with as_installation(github, installation) as ask:
        body = {"name": "gonogo", "head_sha": pull.head_sha, "status": "in_progress", "actions": [button]}
        number = ask.post("/repos/acme/shop/check-runs", json=body).json()["id"]
        done = {"conclusion": "failure", "output": {"title": "no-go", "summary": "s"}}
        ask.patch(f"/repos/acme/shop/check-runs/{number}", json=done)
        ask.post("/repos/acme/shop/issues/1/comments", json={"body": "no-go"})
    talk = github.conversations
    talk.press(github.check(pull), "acknowledge")
    talk.rerequest(github.check(pull))
    talk.rerequest_suite(github.check(pull))
    said = talk.comment(pull, "/gonogo evaluate", by="olivia")
    talk.edit(said, "/gonogo explain", by="olivia")
    talk.delete(said)
    github.repositories.deployment_status(github.repositories.deploy(repository), "success")

    assert list(wrong_payloads(github)) == []
    assert {"check_run", "check_suite", "issue_comment", "deployment", "deployment_status"} <= {
        d.event for d in github.mail.deliveries
    }


def test_of_repositories_and_installations(github: FakeGitHub, repository: Repository, installation: Installation) -> None:
    repositories, apps = github.repositories, github.apps
    other = repositories.create("acme/other")
    repositories.push(repository, files={"b.py": ""})
    repositories.branch(repository, "old")
    repositories.delete_branch(repository, "old")
    repositories.rename(repository, "store")
    repositories.archive(repository)
    repositories.unarchive(repository)
    repositories.publish(repository)
    repositories.publish(repository, is_private=True)
    apps.remove_repositories(installation, other)
    apps.add_repositories(installation, other)
    apps.suspend(installation)
    apps.unsuspend(installation)
    apps.accept_permissions(installation, {"checks": "write", "contents": "read"})
    apps.ping(installation.app)
    repositories.transfer(other, "beta")
    repositories.delete(repository)
    apps.rename_account(installation, "apex")
    apps.uninstall(installation)

    assert list(wrong_payloads(github)) == []
    assert {d.event for d in github.mail.deliveries} == {
        "installation", "installation_repositories", "installation_target", "repository", "push", "ping",
    }  # fmt: skip
