"""Each fault of the loopback GitHub does what its name says, as often as it was asked to."""

import time

import httpx
import pytest

from tests.github import faults
from tests.github.asking import client, token_of
from tests.github.conftest import Shop

COMMENTS, PULL = "/repos/acme/shop/issues/1/comments", "/repos/acme/shop/pulls/1"
POST_COMMENT = "POST /repos/*/issues/*/comments"


def test_502_after_commit_keeps_the_comment_and_502_before_does_not(shop: Shop) -> None:
    shop.github.faults.add(POST_COMMENT, faults.bad_gateway(after_commit=True))
    shop.github.faults.add(POST_COMMENT, faults.bad_gateway(after_commit=False))

    statuses = [shop.ask.post(COMMENTS, json={"body": f"{n}"}).status_code for n in range(3)]

    assert statuses == [502, 502, 201]
    assert [c.body for c in shop.github.comments(shop.pull)] == ["0", "2"]
    assert [(c.fault, c.took_effect) for c in shop.github.record.of(POST_COMMENT)] == [
        ("502 after commit", True), ("502 before commit", False), (None, True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fault", "status", "retry_after"),
    [
        (faults.secondary_limit(), 403, None),
        (faults.secondary_limit(retry_after=7), 403, "7"),
        (faults.secondary_limit(status=429), 429, None),
        (faults.secondary_limit(status=429, as_text=True, retry_after=2), 429, "2"),
    ],
)
def test_a_secondary_limit_has_its_documented_forms(
    shop: Shop, fault: faults.Answer, status: int, retry_after: str | None
) -> None:
    shop.github.faults.add(POST_COMMENT, fault)

    refused, passed = (shop.ask.post(COMMENTS, json={"body": "a"}) for _ in range(2))

    assert (refused.status_code, refused.headers.get("retry-after"), passed.status_code) == (status, retry_after, 201)
    assert "secondary rate limit" in refused.text
    assert int(refused.headers["x-ratelimit-remaining"]) > 0


def test_a_primary_limit_says_when_it_ends(shop: Shop) -> None:
    shop.github.faults.add("GET *", faults.primary_limit(resets_in=30))

    refused = shop.ask.get(PULL)

    assert (refused.status_code, refused.headers["x-ratelimit-remaining"]) == (403, "0")
    assert 28 <= int(refused.headers["x-ratelimit-reset"]) - time.time() <= 32
    assert "API rate limit exceeded" in refused.text


def test_404_then_200(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.not_found(), times=2)

    assert [shop.ask.get(PULL).status_code for _ in range(3)] == [404, 404, 200]


def test_some_requests_pass_first_and_a_body_may_decide(shop: Shop) -> None:
    shop.github.faults.add(POST_COMMENT, faults.server_error(), skip=1)
    shop.github.faults.add(POST_COMMENT, faults.server_error(503), when=lambda body: body["body"] == "bad", times=9)

    statuses = [shop.ask.post(COMMENTS, json={"body": body}).status_code for body in ("a", "b", "c", "bad")]

    assert statuses == [201, 500, 201, 503]


def test_the_api_shows_the_old_head_for_some_reads_after_a_push(shop: Shop) -> None:
    shop.pull.stale_reads_after_push = 2
    before = shop.pull.head_sha
    after = shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    assert [shop.ask.get(PULL).json()["head"]["sha"] for _ in range(4)] == [before, before, after, after]


def test_slow_answers_late_and_takes_effect(shop: Shop) -> None:
    shop.github.faults.add(POST_COMMENT, faults.slow(0.4))
    began = time.monotonic()

    answer = shop.ask.post(COMMENTS, json={"body": "a"})

    assert answer.status_code == 201
    assert time.monotonic() - began >= 0.4


def test_hang_never_answers_and_holds_nobody_else_up(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.hang())
    with client(shop.github, token_of(shop.ask), timeout_s=0.5) as impatient, pytest.raises(httpx.ReadTimeout):
        impatient.get(PULL)

    assert shop.ask.get(PULL).status_code == 200


@pytest.mark.parametrize("after_commit", [True, False])
def test_cut_closes_the_connection(shop: Shop, after_commit: bool) -> None:
    shop.github.faults.add(POST_COMMENT, faults.cut(after_commit=after_commit))
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        shop.ask.post(COMMENTS, json={"body": "a"})

    assert len(shop.github.comments(shop.pull)) == (1 if after_commit else 0)
    assert shop.ask.get(PULL).status_code == 200


def test_bad_credentials_and_missing_permissions_are_said_as_github_says_them(shop: Shop) -> None:
    shop.github.faults.add("GET *", faults.bad_credentials())
    shop.github.faults.add("GET *", faults.permission_missing("pull_requests=read"))

    revoked, missing = shop.ask.get(PULL), shop.ask.get(PULL)

    assert (revoked.status_code, revoked.json()["message"]) == (401, "Bad credentials")
    assert (missing.status_code, missing.headers["x-accepted-github-permissions"]) == (403, "pull_requests=read")


def test_git_is_subject_to_faults_too(shop: Shop) -> None:
    shop.github.faults.add("GET /acme/shop.git/info/refs", faults.bad_gateway(after_commit=False))
    with httpx.Client(verify=False) as ask:
        answer = ask.get(f"{shop.github.web_url}/acme/shop.git/info/refs", params={"service": "git-upload-pack"})

    assert answer.status_code == 502


def test_more_writes_in_a_minute_than_are_allowed_meet_the_secondary_limit(shop: Shop) -> None:
    shop.github.faults.contents_per_minute = 3

    statuses = [shop.ask.post(COMMENTS, json={"body": f"{n}"}).status_code for n in range(5)]

    assert statuses == [201, 201, 201, 403, 403]
    assert shop.ask.get(PULL).status_code == 200


def test_faults_end_when_they_are_cleared(shop: Shop) -> None:
    shop.github.faults.add("* *", faults.server_error(), times=100)
    assert shop.ask.get(PULL).status_code == 500
    shop.github.faults.clear()

    assert shop.ask.get(PULL).status_code == 200


def test_writes_are_recorded_in_order_with_their_time(shop: Shop) -> None:
    shop.new_check()
    shop.ask.post(COMMENTS, json={"body": "a"})
    shop.ask.get(PULL)
    shop.ask.post(COMMENTS, json={"body": ""})

    writes = list(shop.github.record.writes())

    assert [(w.method, w.path.rsplit("/", 1)[1], w.status) for w in writes] == [
        ("POST", "check-runs", 201),
        ("POST", "comments", 201),
    ]
    assert writes[0].at < writes[1].at
    assert writes[1].body == {"body": "a"}
