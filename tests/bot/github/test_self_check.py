"""A server that starts says what its App lacks, and starts all the same."""

import logging

import pytest

from bot.jobs.self_check import self_check
from tests.bot.github.conftest import Shop
from tests.github import faults


def warned(shop: Shop, caplog: pytest.LogCaptureFixture) -> list[tuple[str, object]]:
    with caplog.at_level(logging.INFO, "gonogo.worker"):
        shop.as_app(self_check)
    return [(r.getMessage(), vars(r).get("what")) for r in caplog.records if r.levelno >= logging.WARNING]


def test_an_app_that_lacks_nothing_is_known(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    assert warned(shop, caplog) == []
    assert "known to GitHub" in caplog.text


def test_each_thing_that_is_missing_is_one_warning(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    shop.app.events.remove("merge_group")
    shop.installation.permissions["checks"] = "read"

    assert warned(shop, caplog) == [
        ("the App lacks something", "event merge_group"),
        ("an account has not accepted something", "permission checks: write"),
    ]


def test_a_github_that_does_not_answer_stops_nothing(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    shop.github.faults.add("GET /app", faults.server_error(), times=9)

    assert warned(shop, caplog) == [("the App could not be looked at", None)]
