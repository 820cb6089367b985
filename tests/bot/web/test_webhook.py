"""What the endpoint answers, and what it leaves in the queue."""

import asyncio
import json
from urllib.parse import quote

import pytest
from arq.worker import Worker, func
from starlette.testclient import TestClient

from bot.entrypoints.web.app import web_app
from bot.entrypoints.web.deliveries import REDIS_ERRORS, Deliveries, open_redis
from bot.entrypoints.web.webhook import MAX_BODY_BYTES
from bot.jobs.queue import EVENTS, pack, unpack
from bot.storage.database import open_database
from tests.bot.web.conftest import Sender, queued, settings_for, signed


def test_a_signed_delivery_is_queued_with_its_body_as_it_came(sender, redis):
    body = '{"action": "opened",  "title": "Größe \\ud83d\\ude00"}'.encode()

    answer = sender.deliver(body=body, event="pull_request", guid="72d3162e-cc78-11e3-81ab-4c9367dc0958")

    assert (answer.status_code, answer.headers["gonogo-delivery"], answer.content) == (202, "queued", b"")
    [job] = queued(redis)
    assert (job["f"], job["a"]) == ("handle_delivery", ["pull_request", "72d3162e-cc78-11e3-81ab-4c9367dc0958", body.decode()])


def test_a_redelivery_is_taken_and_not_queued_again(sender, redis):
    answers = [sender.deliver(guid="same").headers["gonogo-delivery"] for _ in range(3)]

    assert answers == ["queued", "known", "known"]
    assert len(queued(redis)) == 1


def test_two_apps_may_be_told_of_one_event(sender, redis):
    for app in ("7", "8", "7"):
        sender.deliver(guid="same", x_github_hook_installation_target_id=app)

    assert len(queued(redis)) == 2


def test_the_target_of_the_hook_is_our_app_when_it_is_not_told(sender, redis):
    sender.deliver(guid="same")
    sender.deliver(guid="same", x_github_hook_installation_target_id="7")

    assert redis.keys("gonogo:delivery:*") == [b"gonogo:delivery:7:same"]


@pytest.mark.parametrize("event", ["ping", "pull_request", "an_event_of_next_year", "secret_scanning_alert_location"])
def test_every_event_is_taken(sender, event):
    assert sender.deliver(event=event).status_code == 202


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "sha256=",
        "sha256=" + "0" * 64,
        "0" * 64,
        "sha1=" + "0" * 40,
        signed(b"another body"),
        signed(b"{}", "another secret"),
        "sha256=é",
    ],
)
def test_a_signature_that_is_missing_or_wrong_is_refused(sender, redis, signature):
    answer = sender.deliver(body=b"{}", signature=signature.encode())

    assert answer.status_code == 401
    assert redis.keys("*") == []


def test_a_signature_of_sha1_alone_does_not_count(sender):
    answer = sender.deliver(body=b"{}", signature="", x_hub_signature="sha1=5d61605c3feea9799210ddcb71307d4ba264225f")

    assert answer.status_code == 401


def test_an_upper_case_signature_is_not_githubs(sender):
    assert sender.deliver(body=b"{}", signature=signed(b"{}").upper()).status_code == 401


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"\xff\xfe",
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b"payload=%7B%7D",
        b'{"a": NaN}',
        b'{"a": [Infinity]}',
        b'{"a": -Infinity}',
        b'{"a": "\\ud800", "b": NaN}',
    ],
    ids=lambda b: repr(b[:12]),
)
def test_a_signed_body_that_is_no_json_object_is_malformed(sender, redis, body):
    answer = sender.deliver(body=body)

    assert answer.status_code == 400
    assert redis.keys("*") == []


@pytest.mark.parametrize("headers", [{"event": ""}, {"guid": ""}, {"event": "a b"}, {"guid": "x" * 300}, {"guid": "a b"}])
def test_a_delivery_without_its_headers_is_malformed(sender, headers):
    assert sender.deliver(**headers).status_code == 400


def test_a_hook_that_is_set_to_forms_is_understood(sender, redis):
    body = ("payload=" + quote('{"action": "opened", "n": 1}')).encode()

    answer = sender.deliver(body=body, content_type="application/x-www-form-urlencoded")

    assert answer.status_code == 202
    assert json.loads(queued(redis)[0]["a"][2]) == {"action": "opened", "n": 1}


def test_what_is_too_large_is_refused_by_its_announced_length_before_it_is_read(sender, redis):
    answer = sender.deliver(body=b"{}", content_length=str(MAX_BODY_BYTES + 1))

    assert answer.status_code == 413


def test_what_turns_out_too_large_is_refused_on_the_way(client):
    sent = 0

    def parts():
        nonlocal sent
        for _ in range(40):
            sent += 1
            yield b" " * 2**20

    answer = client.post("/webhooks/github", content=parts(), headers={"x-hub-signature-256": "sha256=" + "0" * 64})

    assert answer.status_code == 413


def test_25_megabytes_are_taken(sender):
    body = b'{"a":"' + b"x" * (MAX_BODY_BYTES - 8) + b'"}'

    assert len(body) == MAX_BODY_BYTES
    assert sender.deliver(body=body).status_code == 202


def test_without_redis_github_is_told_that_the_delivery_failed(tmp_path):
    settings = settings_for(tmp_path)
    engine = open_database(settings.database_url.get_secret_value())
    with TestClient(web_app(settings, engine=engine, redis=open_redis("unix:///nowhere/redis.sock"))) as client:
        answer = Sender(client).deliver()
    engine.dispose()

    assert answer.status_code == 503


def test_a_get_of_the_endpoint_is_not_allowed(client):
    assert client.get("/webhooks/github").status_code == 405


def test_a_worker_of_arq_takes_what_was_queued(sender, redis_url):
    sender.deliver({"zen": "x"}, event="ping", guid="g-1")
    handled = []

    async def handle_delivery(ctx, event, guid, body):
        handled.append((event, guid, json.loads(body)))

    async def work():
        pool = open_redis(redis_url)
        worker = Worker(
            [func(handle_delivery, name="handle_delivery")], queue_name=EVENTS, redis_pool=pool, burst=True, handle_signals=False,
            job_serializer=pack, job_deserializer=unpack, keep_result=0,
        )  # fmt: skip
        await worker.main()
        await pool.aclose(close_connection_pool=True)

    asyncio.run(work())

    assert handled == [("ping", "g-1", {"zen": "x"})]


def test_the_log_has_no_payload_and_no_signature(sender, caplog):
    caplog.set_level("DEBUG", "gonogo")
    sender.deliver({"pull_request": {"title": "the secret is hunter2"}}, event="pull_request", guid="g-1")

    [line] = [record for record in caplog.records if record.name == "gonogo.web"]
    told = {**vars(line)}
    assert (told["status"], told["event"], told["delivery"], told["answer"]) == (202, "pull_request", "g-1", "queued")
    assert "hunter2" not in str(told)
    assert "sha256=" not in str(told)


def test_deliveries_that_come_at_once_are_each_queued_once_and_a_broken_redis_is_told_to_each(redis_url, redis):
    async def many():
        pool = open_redis(redis_url)
        deliveries = Deliveries(pool)
        asked = (deliveries.accept(app="7", guid=f"g-{n % 150}", event="ping", body="{}") for n in range(300))
        answers = await asyncio.gather(*asked)
        await pool.aclose(close_connection_pool=True)
        down = open_redis("unix:///nowhere/redis.sock")
        lost = await asyncio.gather(
            *(Deliveries(down).accept(app="7", guid=f"h-{n}", event="ping", body="{}") for n in range(5)), return_exceptions=True
        )
        return answers, lost

    answers, lost = asyncio.run(many())

    assert answers.count(True) == 150
    assert len({job["a"][1] for job in queued(redis)}) == len(queued(redis)) == 150
    assert all(isinstance(error, REDIS_ERRORS) for error in lost)


def test_a_request_that_was_given_up_costs_the_others_nothing(redis_url, redis):
    async def given_up():
        pool = open_redis(redis_url)
        deliveries = Deliveries(pool)
        asked = [asyncio.create_task(deliveries.accept(app="7", guid=f"g-{n}", event="ping", body="{}")) for n in range(3)]
        await asyncio.sleep(0)
        asked[1].cancel()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        again = await deliveries.accept(app="7", guid="g-9", event="ping", body="{}")
        await pool.aclose(close_connection_pool=True)
        return answers, again

    answers, again = asyncio.run(given_up())

    assert (answers[0], answers[2], again) == (True, True, True)
    assert isinstance(answers[1], asyncio.CancelledError)
