"""Every payload that GitHub publishes as an example is taken without an error, and a strange one does no harm."""

import contextlib
import json

import pytest

from bot.github.events import EventUnreadable
from bot.jobs.handle_delivery import HANDLERS
from gonogo.errors import ForgeError
from tests.github.shapes import webhook_examples


def test_all_examples_of_github_are_taken(desk):
    examples = webhook_examples()
    taken = 0
    for event, payloads in examples.items():
        for number, payload in enumerate(payloads):
            about = payload if "installation" in payload else {**payload, "installation": {"id": desk.installation.id}}
            _handled(desk, event, f"{event}-{number}", about)
            taken += 1
    assert taken == 329
    assert HANDLERS.keys() - examples.keys() <= {"installation_target"}


def test_the_same_example_twice_begins_one_evaluation(desk):
    payload = next(p for p in webhook_examples()["pull_request"] if p["action"] == "opened")
    about = {**payload, "installation": {"id": desk.installation.id}}

    for guid in ("one", "one", "two"):
        desk.handle("pull_request", guid, json.dumps(about))

    assert desk.store.newest(f"pr:{payload['pull_request']['id']}").generation == 1


def test_an_event_without_what_it_is_about_is_refused_for_good(desk):
    with pytest.raises(EventUnreadable):
        desk.handle("pull_request", "g", json.dumps({"action": "opened", "installation": {"id": 1}}))


@pytest.mark.parametrize("number", [2**63, -1, 10**60])
def test_an_event_whose_ids_no_table_can_hold_is_refused_for_good(desk, number):
    opened = next(p for p in webhook_examples()["pull_request"] if p["action"] == "opened")
    created = next(p for p in webhook_examples()["installation"] if p["action"] == "created")
    pull_request, repository, head = opened["pull_request"], opened["repository"], opened["pull_request"]["head"]
    ours = {"installation": {"id": desk.installation.id}}
    events = [
        ("pull_request", {**opened, "installation": {"id": number}}),
        ("pull_request", {**opened, **ours, "repository": {**repository, "id": number}}),
        ("pull_request", {**opened, **ours, "pull_request": {**pull_request, "id": number}}),
        ("pull_request", {**opened, **ours, "pull_request": {**pull_request, "number": number}}),
        ("pull_request", {**opened, **ours, "pull_request": {**pull_request, "head": {**head, "repo": {"id": number}}}}),
        ("installation", {**created, "installation": {**created["installation"], "id": number}}),
        ("installation", {**created, "repositories": [{"id": number, "full_name": "acme/shop"}]}),
    ]

    for event, payload in events:
        with pytest.raises(EventUnreadable):
            desk.handle(event, "g", json.dumps(payload))


def test_a_pull_request_number_that_no_table_can_hold_is_refused_for_good(desk):
    opened = next(p for p in webhook_examples()["pull_request"] if p["action"] == "opened")

    with pytest.raises(EventUnreadable):
        desk.handle("pull_request", "g", json.dumps({**opened, "pull_request": {**opened["pull_request"], "number": 2**31}}))


def test_events_that_nobody_handles_do_nothing(desk):
    asked = len(desk.github.record.calls)

    for event in ("ping", "star", "workflow_run", "no_such_event"):
        desk.handle(event, "g", "{}")

    assert len(desk.github.record.calls) == asked


def _handled(desk, event, guid, payload):
    with contextlib.suppress(ForgeError):  # this GitHub does not have what the example is about
        desk.handle(event, guid, json.dumps(payload))
