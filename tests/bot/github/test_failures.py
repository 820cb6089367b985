"""What an answer of GitHub's means for the next step, value by value."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.github.calls import next_page
from bot.github.failures import failure_of, missing_permission, retry_after
from bot.github.wire import Answer
from gonogo.errors import (
    Archived,
    Forbidden,
    ForgeError,
    ForgeUnavailable,
    Gone,
    Locked,
    NotFoundYet,
    Refused,
    Suspended,
    Throttled,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


def failure(status: int, message: str = "", headers: dict[str, str] | None = None, **how: Any) -> ForgeError:
    answer = Answer(status, headers or {}, {"message": message} if message else None, message)
    return failure_of(answer, doing="POST /x", now=NOW, **how)


@pytest.mark.parametrize(
    ("status", "message", "kind"),
    [
        (400, "Problems parsing JSON", Refused),
        (401, "Bad credentials", Forbidden),
        (403, "Resource not accessible by integration", Forbidden),
        (403, "Must have admin rights to Repository.", Forbidden),
        (403, "This installation has been suspended", Suspended),
        (403, "Repository was archived so is read-only.", Archived),
        (403, "Unable to create comment because issue is locked.", Locked),
        (403, "This organization has an IP allow list", Forbidden),
        (403, SECONDARY, Throttled),
        (403, "You have triggered an abuse detection mechanism.", Throttled),
        (403, "API rate limit exceeded for installation ID 1.", Throttled),
        (404, "Not Found", Gone),
        (409, "Git Repository is empty.", Refused),
        (410, "Issues are disabled for this repo", Gone),
        (422, "Validation Failed", Refused),
        (422, "No commit found for SHA: abc", NotFoundYet),
        (422, "Issue is locked", Locked),
        (429, "", Throttled),
        (451, "Repository access blocked", Gone),
        (500, "Server Error", ForgeUnavailable),
        (502, "", ForgeUnavailable),
        (301, "Moved", ForgeUnavailable),
    ],
)
def test_each_answer_has_one_meaning(status: int, message: str, kind: type[ForgeError]) -> None:
    assert type(failure(status, message)) is kind


def test_a_404_of_something_new_may_be_over_soon() -> None:
    assert type(failure(404, "Not Found", may_appear=True)) is NotFoundYet


@pytest.mark.parametrize(
    ("status", "message", "headers", "wait_s"),
    [
        (403, SECONDARY, {}, 60),
        (403, SECONDARY, {"x-ratelimit-remaining": "4321", "x-ratelimit-reset": str(int(NOW.timestamp()) + 5)}, 60),
        (403, SECONDARY, {"retry-after": "7"}, 7),
        (403, SECONDARY, {"retry-after": "3600"}, 3600),
        (429, "", {"retry-after": "Mon, 30 Nov 2026 12:02:00 GMT"}, 120),
        (429, "", {"retry-after": "soon"}, 60),
        (429, "", {}, 60),
        (503, "", {"retry-after": "30"}, 30),
        (
            403,
            "API rate limit exceeded",
            {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 1800)},
            1800,
        ),
        (429, "", {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) - 9)}, 1),
        (403, SECONDARY, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 5)}, 60),
        (403, "API rate limit exceeded", {"x-ratelimit-remaining": "0"}, 60),
    ],
)
def test_a_limit_says_before_when_nothing_may_be_tried(status: int, message: str, headers: dict[str, str], wait_s: int) -> None:
    limit = failure(status, message, headers)

    assert isinstance(limit, Throttled)
    assert limit.not_before == NOW + timedelta(seconds=wait_s)


def test_a_secondary_limit_whose_body_is_no_json_is_a_limit() -> None:
    limit = failure_of(Answer(403, {"x-ratelimit-remaining": "99"}, None, SECONDARY), doing="x", now=NOW)

    assert isinstance(limit, Throttled)


def test_a_missing_permission_with_the_hours_last_call_is_still_a_missing_permission() -> None:
    headers = {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(int(NOW.timestamp()) + 1800)}

    assert type(failure(403, "Resource not accessible by integration", headers)) is Forbidden


@pytest.mark.parametrize(
    ("accepted", "granted", "missing"),
    [
        ("checks=write", {}, "checks"),
        ("checks=write", {"checks": "read"}, "checks"),
        ("checks=write", {"checks": "write"}, None),
        ("issues=write; pull_requests=write", {"pull_requests": "write"}, None),
        ("contents=write,workflows=write; administration=read", {"contents": "write"}, "workflows"),
        ("", {}, None),
    ],
)
def test_the_missing_permission_is_the_first_that_would_do(accepted: str, granted: dict[str, str], missing: str | None) -> None:
    assert missing_permission(accepted, granted) == missing


def test_no_retry_after_names_no_instant() -> None:
    assert retry_after(None, NOW) is None


@pytest.mark.parametrize(
    ("link", "following"),
    [
        ('<https://x/pulls?page=2>; rel="next", <https://x/pulls?page=9>; rel="last"', "https://x/pulls?page=2"),
        ('<https://x/pulls?page=1>; rel="prev", <https://x/pulls?page=3>; rel="next"', "https://x/pulls?page=3"),
        ('<https://x/pulls?page=8>; rel="prev", <https://x/pulls?page=1>; rel="first"', None),
        ("", None),
    ],
)
def test_the_next_page_is_the_one_that_is_called_so(link: str, following: str | None) -> None:
    assert next_page(link) == following
