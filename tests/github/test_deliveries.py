"""Deliveries of the loopback GitHub: listed, lost, sent again, duplicated, held back."""

import json

import pytest

from tests.github.asking import as_app
from tests.github.conftest import Shop
from tests.github.inbox import Inbox
from tests.github.mail import Delivery, headers_of
from tests.github.server import FakeGitHub
from tests.github.shapes import Json, webhook_examples
from tests.github.world import Installation, Repository


def test_a_lost_delivery_is_listed_as_failed_and_redelivered_with_its_guid(
    github: FakeGitHub, installation: Installation, repository: Repository, inbox: Inbox
) -> None:
    github.mail.lose("pull_request.opened")
    github.pulls.open(repository, {"a": "1"})
    with as_app(github, installation.app) as ask:
        (failed,) = ask.get("/app/hook/deliveries", params={"status": "failure"}).json()
        lost = ask.get(f"/app/hook/deliveries/{failed['id']}").json()
        answer = ask.post(f"/app/hook/deliveries/{failed['id']}/attempts")
        github.mail.settle()
        listed = ask.get("/app/hook/deliveries").json()

    assert (failed["event"], failed["action"], failed["status_code"], answer.status_code) == ("pull_request", "opened", 502, 202)
    assert lost["request"]["payload"]["action"] == "opened"
    assert inbox.events == ["check_suite.requested", "pull_request.opened"]
    assert inbox.got[-1][0]["x-github-delivery"] == failed["guid"]
    assert [(d["guid"], d["redelivery"], d["status"]) for d in listed[:1]] == [(failed["guid"], True, "OK")]


def test_a_refused_delivery_is_listed_with_its_status_and_never_sent_again_by_itself(
    github: FakeGitHub, installation: Installation, inbox: Inbox
) -> None:
    inbox.answers = [500]
    github.apps.ping(installation.app)
    with as_app(github, installation.app) as ask:
        (failed,) = ask.get("/app/hook/deliveries", params={"per_page": 1}).json()

    assert (failed["status_code"], failed["status"]) == (500, "Invalid HTTP Response: 500")
    assert inbox.events == ["ping"]


def test_deliveries_are_paged_by_a_cursor(github: FakeGitHub, installation: Installation) -> None:
    for _ in range(5):
        github.apps.ping(installation.app)
    with as_app(github, installation.app) as ask:
        first = ask.get("/app/hook/deliveries", params={"per_page": 2})
        second = ask.get(first.links["next"]["url"])
        last = ask.get(second.links["next"]["url"])

    ids = [d["id"] for page in (first, second, last) for d in page.json()]
    assert ids == sorted(ids, reverse=True)
    assert len(set(ids)) == len(ids) == 6  # the pings and installation.created
    assert "next" not in last.links


def test_a_duplicate_has_one_guid_and_arrives_twice(github: FakeGitHub, installation: Installation, inbox: Inbox) -> None:
    github.mail.duplicate("ping")
    github.apps.ping(installation.app)

    assert [h["x-github-delivery"] for h, _ in inbox.got] == [github.mail.deliveries[-1].guid] * 2


@pytest.mark.usefixtures("installation")
def test_what_is_held_back_arrives_in_the_order_that_is_asked_for(
    github: FakeGitHub, repository: Repository, inbox: Inbox
) -> None:
    pull = github.pulls.open(repository, {"a": "1"})
    github.mail.hold()
    heads = [github.pulls.push(pull, {"a": str(n)}) for n in (2, 3)]
    before = len(inbox.got)

    def newest_first(held: list[Delivery]) -> list[Delivery]:
        return [d for d in reversed(held) if d.action == "synchronize"]

    github.mail.release(newest_first)

    assert [json.loads(body)["after"] for _, body in inbox.got[before:]] == heads[::-1]


def test_a_silent_act_sends_nothing(github: FakeGitHub, installation: Installation, repository: Repository, inbox: Inbox) -> None:
    pull = github.pulls.open(repository, {"a": "1"}, tell=False)
    github.pulls.push(pull, {"a": "2"}, tell=False)
    github.apps.suspend(installation, tell=False)

    assert inbox.events == []


def test_nobody_there_is_a_failed_delivery(shop: Shop) -> None:
    shop.app.webhook_url = "http://127.0.0.1:9/none"
    shop.github.apps.ping(shop.app)

    assert (shop.github.mail.deliveries[-1].status, shop.github.mail.deliveries[-1].status_code) == (
        "failed to connect to host",
        502,
    )


def test_all_examples_are_there_and_can_be_signed(shop: Shop) -> None:
    examples: list[tuple[str, Json]] = [
        (event, payload) for event, payloads in webhook_examples().items() for payload in payloads
    ]
    headers = headers_of(shop.app, examples[0][0], "a-guid", json.dumps(examples[0][1]).encode())

    assert (len(webhook_examples()), len(examples)) == (58, 329)
    assert headers["X-GitHub-Delivery"] == "a-guid"
