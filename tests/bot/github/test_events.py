"""Every payload that GitHub gives as an example is read, and those that it gives no example of are made from them."""

import copy
import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.github.events import (
    EVENTS,
    CheckRunEvent,
    DeploymentStatusEvent,
    EventUnreadable,
    InstallationEvent,
    InstallationRepositoriesEvent,
    IssueCommentEvent,
    MergeGroupEvent,
    PullRequestEvent,
    PushEvent,
    RepositoryEvent,
    parse_event,
)

FILE = Path(__file__).parents[2] / "fixtures" / "webhooks" / "api.github.com.json.gz"
EXAMPLES: Mapping[str, list[dict[str, Any]]] = json.loads(gzip.decompress(FILE.read_bytes()))


def example(event: str, action: str | None = None, **changed: Any) -> dict[str, Any]:
    found = next(p for p in EXAMPLES[event] if action is None or p.get("action") == action)
    return copy.deepcopy(found) | changed


def pull_request(action: str = "opened", **changed: Any) -> PullRequestEvent:
    event = parse_event("pull_request", example("pull_request", action, **changed))
    assert isinstance(event, PullRequestEvent)
    return event


def test_all_329_examples_are_read() -> None:
    read = [parse_event(name, payload) for name, payloads in EXAMPLES.items() for payload in payloads]

    assert len(read) == 329
    assert sum(event is not None for event in read) == sum(len(EXAMPLES.get(name, ())) for name in EVENTS)


def test_every_pull_request_becomes_facts() -> None:
    for payload in EXAMPLES["pull_request"]:
        event = parse_event("pull_request", payload)
        assert isinstance(event, PullRequestEvent)
        facts = event.pull_request.facts()
        assert (facts.number, facts.head_sha) == (payload["number"], payload["pull_request"]["head"]["sha"])
        assert facts.repository_id == payload["repository"]["id"]


def test_an_event_of_another_kind_is_none() -> None:
    assert parse_event("star", {"action": "created"}) is None
    assert parse_event("an_event_of_next_year", {}) is None


def test_an_event_without_what_it_is_about_is_unreadable() -> None:
    with pytest.raises(EventUnreadable, match=r"pull_request.*number"):
        parse_event("pull_request", {"action": "opened"})


def test_null_for_what_may_be_empty_and_fields_of_the_future_are_put_up_with() -> None:
    payload = example("pull_request", "opened", sender=None, surprise={"a": [1]})
    payload["pull_request"] |= {"body": None, "user": None, "draft": None, "locked": None, "new": 1, "changed_files": None}

    event = parse_event("pull_request", payload)

    assert isinstance(event, PullRequestEvent)
    facts = event.pull_request.facts()
    assert (facts.body, facts.author, facts.is_draft, facts.is_locked) == ("", "", False, False)


def test_a_head_in_another_repository_is_a_fork() -> None:
    payload = example("pull_request", "opened")
    payload["pull_request"]["head"]["repo"]["id"] = 1

    event = parse_event("pull_request", payload)

    assert isinstance(event, PullRequestEvent)
    assert event.pull_request.facts().is_fork


def test_a_head_whose_repository_is_gone_is_a_fork() -> None:
    payload = example("pull_request", "opened")
    payload["pull_request"]["head"] |= {"repo": None, "user": None}

    event = parse_event("pull_request", payload)

    assert isinstance(event, PullRequestEvent)
    assert event.pull_request.facts().is_fork


def test_a_head_in_the_same_repository_is_no_fork() -> None:
    assert not pull_request().pull_request.facts().is_fork


def test_an_edit_of_the_base_is_a_retarget_and_an_edit_of_the_title_is_none() -> None:
    retarget = pull_request(changes={"base": {"ref": {"from": "main"}, "sha": {"from": "a" * 40}}}).model_copy(
        update={"action": "edited"}
    )
    title = pull_request(changes={"title": {"from": "old"}}).model_copy(update={"action": "edited"})

    assert retarget.is_retarget
    assert retarget.changes is not None
    assert retarget.changes.base is not None
    assert retarget.changes.base.ref is not None
    assert retarget.changes.base.ref.value == "main"
    assert not title.is_retarget


def test_a_push_to_a_pull_request_tells_both_heads() -> None:
    event = pull_request("synchronize")

    assert event.after == event.pull_request.head.sha
    assert event.before not in (None, event.after)


def test_the_trial_merge_of_an_open_pull_request_is_not_its_merge() -> None:
    opened, closed = example("pull_request", "opened"), example("pull_request", "closed")
    opened["pull_request"]["merge_commit_sha"] = "d" * 40
    closed["pull_request"] |= {"merged_at": "2026-11-30T12:00:00Z", "merge_commit_sha": "e" * 40, "merged": True}

    shas = [PullRequestEvent.model_validate(p).pull_request.facts().merge_sha for p in (opened, closed)]

    assert shas == [None, "e" * 40]


@pytest.mark.parametrize("reason", ["merged", "invalidated", "dequeued"])
def test_the_end_of_a_merge_group_says_why(reason: str) -> None:
    event = parse_event("merge_group", example("merge_group") | {"action": "destroyed", "reason": reason})

    assert isinstance(event, MergeGroupEvent)
    assert (event.action, event.reason) == ("destroyed", reason)
    assert event.merge_group.head_ref.startswith("refs/heads/gh-readonly-queue/main/")


def test_a_check_is_ours_by_the_number_of_the_app() -> None:
    event = parse_event("check_run", example("check_run", "requested_action"))

    assert isinstance(event, CheckRunEvent)
    assert event.check_run.app is not None
    assert event.is_of(event.check_run.app.id)
    assert not event.is_of(event.check_run.app.id + 1)
    assert event.requested_action is not None
    assert event.requested_action.identifier == "lgtm|26764"


@pytest.mark.parametrize(
    ("changed", "is_by_bot"),
    [
        ({}, False),
        ({"user": {"id": 1, "login": "dependabot[bot]", "type": "Bot"}}, True),
        ({"user": {"id": 1, "login": "odd[bot]", "type": "User"}}, True),
        ({"user": {"id": 1, "login": "mona", "type": "User"}, "performed_via_github_app": {"id": 3, "slug": "x"}}, True),
        ({"user": None}, False),
    ],
)
def test_a_comment_of_a_bot_or_through_an_app_is_no_command(changed: dict[str, Any], is_by_bot: bool) -> None:
    payload = example("issue_comment", "created")
    payload["comment"] |= {"performed_via_github_app": None} | changed

    event = parse_event("issue_comment", payload)

    assert isinstance(event, IssueCommentEvent)
    assert event.is_by_bot is is_by_bot


def test_a_comment_on_an_issue_is_not_on_a_pull_request() -> None:
    on_issue = example("issue_comment", "created")
    on_issue["issue"].pop("pull_request", None)
    on_pull = copy.deepcopy(on_issue)
    on_pull["issue"]["pull_request"] = {"url": "https://api.github.com/repos/o/r/pulls/1"}

    events = [parse_event("issue_comment", p) for p in (on_issue, on_pull)]

    assert [isinstance(e, IssueCommentEvent) and e.is_on_pull_request for e in events] == [False, True]


def test_a_push_names_its_branch_and_a_tag_names_none() -> None:
    events = [parse_event("push", example("push", ref=ref, deleted=False)) for ref in ("refs/heads/fix/a", "refs/tags/v1")]

    assert [e.branch for e in events if isinstance(e, PushEvent)] == ["fix/a", None]


def test_an_installation_tells_its_state_and_its_repositories() -> None:
    suspended, deleted = (parse_event("installation", example("installation", a)) for a in ("suspend", "deleted"))

    assert isinstance(suspended, InstallationEvent)
    assert isinstance(deleted, InstallationEvent)
    assert suspended.installation.facts().is_suspended
    assert deleted.installation.facts().permissions["issues"] == "write"
    assert [r.facts().full_name for r in deleted.repositories or ()] == ["octocat/Hello-World"]


def test_repositories_that_were_given_and_taken_carry_their_owner() -> None:
    added, removed = (
        parse_event("installation_repositories", example("installation_repositories", a)) for a in ("added", "removed")
    )

    assert isinstance(added, InstallationRepositoriesEvent)
    assert isinstance(removed, InstallationRepositoriesEvent)
    assert [r.facts().owner for r in added.repositories_added or ()] == ["Codertocat"]
    assert [r.facts().name for r in removed.repositories_removed or ()] == ["Hello-World"]


def test_a_repository_is_told_as_it_is_now() -> None:
    renamed = parse_event("repository", example("repository", "renamed"))
    archived = parse_event("repository", example("repository", "created") | {"action": "archived"})

    assert isinstance(renamed, RepositoryEvent)
    assert renamed.repository.facts().full_name == example("repository", "renamed")["repository"]["full_name"]
    assert isinstance(archived, RepositoryEvent)
    assert archived.action == "archived"


def test_a_deployment_to_production_is_known_by_its_flag_or_its_name() -> None:
    event = parse_event("deployment_status", example("deployment_status"))

    assert isinstance(event, DeploymentStatusEvent)
    assert event.deployment_status.state == "success"
    assert event.deployment.facts().is_production


@pytest.mark.parametrize(
    ("name", "body"),
    [
        (
            "installation_target",
            {"action": "renamed", "account": {"id": 1, "login": "new"}, "changes": {"login": {"from": "old"}}},
        ),
        (
            "deployment_protection_rule",
            {"action": "requested", "environment": "production", "deployment": {"id": 3, "sha": "a" * 40}},
        ),
        ("ping", {"zen": "Keep it logically awesome."}),
    ],
)
def test_events_without_an_example_are_read(name: str, body: dict[str, Any]) -> None:
    assert type(parse_event(name, body)) is EVENTS[name]
