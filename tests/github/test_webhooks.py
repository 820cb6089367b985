"""What the loopback GitHub sends: the right events with the right payloads, signed, to who subscribed."""

import hashlib
import hmac

import pytest

from tests.github.asking import as_installation
from tests.github.inbox import Inbox
from tests.github.server import FakeGitHub
from tests.github.world import App, Installation, Repository


def test_a_delivery_is_signed_over_its_raw_body_and_says_what_it_is(
    github: FakeGitHub, installation: Installation, repository: Repository, inbox: Inbox
) -> None:
    github.pulls.open(repository, {"app.py": "print(2)\n"}, title="Ünïcode")

    headers, body = inbox.got[-1]
    expected = hmac.new(installation.app.webhook_secret.encode(), body, hashlib.sha256).hexdigest()
    assert headers["x-hub-signature-256"] == f"sha256={expected}"
    assert (headers["x-github-event"], headers["content-type"]) == ("pull_request", "application/json")
    assert headers["x-github-hook-installation-target-id"] == str(installation.app.id)
    assert headers["user-agent"].startswith("GitHub-Hookshot/")
    assert headers["x-github-delivery"] == github.mail.deliveries[-1].guid
    assert "Ünïcode".encode() in body


@pytest.mark.usefixtures("installation")
def test_every_act_on_a_pull_request_has_its_event(github: FakeGitHub, repository: Repository, inbox: Inbox) -> None:
    github.repositories.branch(repository, "next")
    pulls = github.pulls
    pull = pulls.open(repository, {"app.py": "print(2)\n"})
    before = pull.head_sha
    after = pulls.push(pull, {"app.py": "print(3)\n"})
    pulls.retarget(pull, "next")
    pulls.edit(pull, title="Another title")
    pulls.convert_to_draft(pull)
    pulls.ready_for_review(pull)
    pulls.label(pull, "gonogo")
    pulls.unlabel(pull, "gonogo")
    pulls.lock(pull)
    pulls.unlock(pull)
    pulls.close(pull)
    pulls.reopen(pull)
    synchronize, opened = inbox.payload("pull_request.synchronize"), inbox.payload("pull_request.opened")

    assert [e for e in inbox.events if e.startswith("pull_request")] == [f"pull_request.{action}" for action in (
        "opened", "synchronize", "edited", "edited", "converted_to_draft", "ready_for_review", "labeled", "unlabeled", "locked",
        "unlocked", "closed", "reopened")]  # fmt: skip
    assert [e for e in inbox.events if not e.startswith("pull_request")] == [
        "check_suite.requested",
        "push",
        "check_suite.requested",
    ]
    assert (synchronize["before"], synchronize["after"], synchronize["pull_request"]["head"]["sha"]) == (before, after, after)
    assert (opened["number"], opened["pull_request"]["id"], opened["repository"]["id"]) == (1, pull.id, repository.id)
    assert (opened["organization"]["login"], opened["sender"]["login"]) == ("acme", "dev")


@pytest.mark.usefixtures("installation")
def test_a_retarget_tells_the_old_base_and_other_edits_do_not(github: FakeGitHub, repository: Repository, inbox: Inbox) -> None:
    github.repositories.branch(repository, "next")
    pull = github.pulls.open(repository, {"app.py": "print(2)\n"})
    github.pulls.edit(pull, body="why")
    plain = inbox.payload("pull_request.edited")["changes"]
    github.pulls.retarget(pull, "next")

    changes = inbox.payload("pull_request.edited")["changes"]

    assert plain == {"body": {"from": ""}}
    assert changes["base"]["ref"] == {"from": "main"}
    assert inbox.payload("pull_request.edited")["pull_request"]["base"]["ref"] == "next"


@pytest.mark.usefixtures("installation")
def test_a_merge_a_deployment_and_a_force_push_are_told(github: FakeGitHub, repository: Repository, inbox: Inbox) -> None:
    pull = github.pulls.open(repository, {"app.py": "print(2)\n"})
    github.pulls.push(pull, {"app.py": "print(9)\n"}, onto=pull.base_sha)
    forced = inbox.payload("push")
    sha = github.pulls.merge(pull)
    live = github.repositories.deploy(repository)
    github.repositories.deployment_status(live, "success")

    assert forced["forced"] is True
    assert inbox.payload("pull_request.closed")["pull_request"]["merged"] is True
    assert (inbox.payload("push")["ref"], inbox.payload("push")["after"], inbox.payload("push")["forced"]) == (
        "refs/heads/main",
        sha,
        False,
    )
    assert inbox.payload("deployment.created")["deployment"]["sha"] == sha
    status = inbox.payload("deployment_status.created")
    assert (status["deployment_status"]["state"], status["deployment"]["id"]) == ("success", live.id)


@pytest.mark.usefixtures("installation")
def test_a_merge_group_asks_for_checks_and_is_destroyed(github: FakeGitHub, repository: Repository, inbox: Inbox) -> None:
    one, two = github.pulls.open(repository, {"a": "1"}), github.pulls.open(repository, {"b": "1"})
    group = github.pulls.enqueue(one, two)
    asked = inbox.payload("merge_group.checks_requested")["merge_group"]
    tree = {e.path for e in repository.git.entries(group.head_sha)}
    github.pulls.merge_group(group)
    gone = inbox.payload("merge_group.destroyed")

    assert (asked["head_sha"], asked["base_sha"], asked["base_ref"]) == (group.head_sha, group.base_sha, "refs/heads/main")
    assert tree == {"app.py", "a", "b"}
    assert (gone["reason"], gone["merge_group"]["head_sha"]) == ("merged", group.head_sha)
    assert github.repositories.tip(repository) == group.head_sha


def test_checks_comments_and_buttons_are_told(
    github: FakeGitHub, installation: Installation, repository: Repository, inbox: Inbox
) -> None:
    pull = github.pulls.open(repository, {"app.py": "print(2)\n"})
    with as_installation(github, installation) as ask:
        body = {"name": "gonogo", "head_sha": pull.head_sha, "status": "in_progress",
                "actions": [{"label": "Acknowledge", "description": "d", "identifier": "acknowledge"}]}  # fmt: skip
        number = ask.post("/repos/acme/shop/check-runs", json=body).json()["id"]
        ask.patch(f"/repos/acme/shop/check-runs/{number}", json={"conclusion": "failure"})
        ask.post("/repos/acme/shop/issues/1/comments", json={"body": "no-go"})
    github.mail.settle()
    talk = github.conversations
    talk.press(github.check(pull), "acknowledge", by="olivia")
    talk.rerequest(github.check(pull))
    talk.rerequest_suite(github.check(pull))
    said = talk.comment(pull, "/gonogo evaluate", by="olivia")
    talk.edit(said, "/gonogo explain", by="olivia")
    talk.delete(said)

    own = [e for e in inbox.events if e.startswith(("check_run", "issue_comment"))]
    assert sorted(own[:3]) == ["check_run.completed", "check_run.created", "issue_comment.created"]
    assert own[3:] == [
        "check_run.requested_action",
        "check_run.rerequested",
        "issue_comment.created",
        "issue_comment.edited",
        "issue_comment.deleted",
    ]
    assert [e for e in inbox.events if e.startswith("check_suite")] == [
        f"check_suite.{a}" for a in ("requested", "completed", "rerequested")
    ]
    pressed = inbox.payload("check_run.requested_action")
    assert (pressed["requested_action"]["identifier"], pressed["check_run"]["app"]["id"]) == ("acknowledge", installation.app.id)
    assert (pressed["check_run"]["id"], pressed["sender"]["login"]) == (number, "olivia")
    comment = inbox.payload("issue_comment.created")
    assert comment["issue"]["pull_request"]["url"].endswith("/repos/acme/shop/pulls/1")
    assert (comment["issue"]["number"], comment["comment"]["user"]["login"]) == (1, "olivia")


def test_the_states_of_an_installation_are_told(github: FakeGitHub, app: App, repository: Repository, inbox: Inbox) -> None:
    other = github.repositories.create("acme/other")
    made = github.apps.install(app, "acme", repositories=[repository])
    github.apps.add_repositories(made, other)
    github.apps.remove_repositories(made, repository)
    github.apps.suspend(made)
    github.pulls.open(other, {"a": "1"})  # not told while it is suspended
    github.apps.unsuspend(made)
    github.apps.accept_permissions(made, {"checks": "write"})
    github.apps.ping(app)
    github.apps.rename_account(made, "apex")
    github.apps.uninstall(made)

    assert inbox.events == ["installation.created", "installation_repositories.added", "installation_repositories.removed",
                            "installation.suspend", "installation.unsuspend", "installation.new_permissions_accepted", "ping", "installation_target.renamed",
                            "installation.deleted"]  # fmt: skip
    assert [r["full_name"] for r in inbox.payload("installation.created")["repositories"]] == ["acme/shop"]
    assert [r["id"] for r in inbox.payload("installation_repositories.added")["repositories_added"]] == [other.id]
    assert inbox.payload("installation.suspend")["installation"]["suspended_at"]


@pytest.mark.usefixtures("installation")
def test_what_happens_to_a_repository_is_told(github: FakeGitHub, repository: Repository, inbox: Inbox) -> None:
    acts = github.repositories
    acts.rename(repository, "store")
    acts.archive(repository)
    acts.unarchive(repository)
    acts.publish(repository)
    acts.branch(repository, "old")
    acts.delete_branch(repository, "old")
    acts.delete(repository)

    assert inbox.events == [f"repository.{a}" for a in ("renamed", "archived", "unarchived", "publicized")] + [
        "push",
        "repository.deleted",
    ]
    assert inbox.payload("repository.renamed")["changes"] == {"repository": {"name": {"from": "shop"}}}
    assert (inbox.payload("push")["deleted"], inbox.payload("push")["head_commit"]) == (True, None)


def test_an_event_that_was_not_subscribed_or_is_of_another_account_is_not_sent(github: FakeGitHub, inbox: Inbox) -> None:
    narrow = github.apps.register(webhook_url=inbox.url, events=["push"])
    github.apps.install(narrow, "acme", tell=False)
    github.pulls.open(github.repositories.create("acme/shop"), {"a": "1"})
    github.pulls.open(github.repositories.create("beta/shop"), {"a": "1"})

    assert inbox.events == []
