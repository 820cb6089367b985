"""The manifest asks for what gonogo needs, with a reason each; what an App lacks is named."""

import gzip
import json
from pathlib import Path

import pytest

from bot.github.app_manifest import EVENTS, PERMISSIONS, manifest, reachable_url, shortcomings
from bot.github.events import EVENTS as READ
from gonogo.errors import CallError

GITHUB = "https://github.com"
DESCRIPTION = Path(__file__).parents[2] / "fixtures" / "github" / "openapi.json.gz"


def test_every_permission_has_a_reason_and_a_name_that_github_knows() -> None:
    known = json.loads(gzip.decompress(DESCRIPTION.read_bytes()))["components"]["schemas"]["app-permissions"]["properties"]

    assert [p.name for p in PERMISSIONS if p.name not in known] == []
    assert [p.name for p in PERMISSIONS if p.level not in known[p.name]["enum"]] == []
    assert all(len(p.reason) > 15 for p in PERMISSIONS)


def test_the_merge_queue_is_heard_of_and_may_be_heard_of() -> None:
    made = manifest(url="https://gonogo.example.com")

    assert "merge_group" in made["default_events"]
    assert made["default_permissions"]["merge_queues"] == "read"


def test_nothing_can_be_pushed_administered_or_read_as_a_secret() -> None:
    permissions = manifest(url="https://x.example")["default_permissions"]

    assert {n for n, level in permissions.items() if level == "write"} == {"pull_requests", "checks"}
    assert "administration" not in permissions


def test_every_event_that_is_asked_for_is_read() -> None:
    assert set(EVENTS) <= set(READ)


def test_webhooks_and_sign_in_come_to_the_address() -> None:
    made = manifest(url="https://gonogo.example.com/", redirect_url="http://127.0.0.1:9/created")

    assert made["hook_attributes"] == {"url": "https://gonogo.example.com/webhooks/github", "active": True}
    assert made["callback_urls"] == ["https://gonogo.example.com/sign-in/callback"]
    assert made["redirect_url"] == "http://127.0.0.1:9/created"
    assert not made["public"]


def test_an_app_as_the_manifest_asks_lacks_nothing() -> None:
    assert shortcomings({p.name: p.level for p in PERMISSIONS}, EVENTS) == ()


def test_more_than_is_asked_for_is_enough() -> None:
    granted = {p.name: "admin" for p in PERMISSIONS}

    assert shortcomings(granted, (*EVENTS, "star")) == ()


def test_what_an_app_lacks_is_named_with_its_reason_and_what_is_needed_comes_first() -> None:
    granted = {p.name: p.level for p in PERMISSIONS if p.name not in ("secrets", "merge_queues")} | {"checks": "read"}

    lacking = shortcomings(granted, tuple(e for e in EVENTS if e != "merge_group"))

    assert [(s.what, s.is_optional) for s in lacking] == [
        ("permission checks: write", False),
        ("permission merge_queues: read", False),
        ("event merge_group", False),
        ("permission secrets: read", True),
    ]
    assert "required check" in lacking[0].reason


@pytest.mark.parametrize("url", ["", "gonogo.example.com", "ftp://x", "https://", "https://x.example/?a=1"])
def test_a_url_that_is_none_is_a_wrong_call(url: str) -> None:
    with pytest.raises(CallError, match="the address at which GitHub reaches"):
        reachable_url(url, web_url=GITHUB)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "10.1.2.3", "192.168.0.7", "[::1]", "build.internal"])
def test_an_address_that_github_cannot_reach_is_refused_before_the_app_is_made(host: str) -> None:
    with pytest.raises(CallError, match=r"github\.com does not reach"):
        reachable_url(f"http://{host}:8000", web_url=GITHUB)

    assert reachable_url(f"http://{host}:8000/", web_url="https://ghe.corp") == f"http://{host}:8000"
