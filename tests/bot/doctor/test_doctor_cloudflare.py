"""`gonogo doctor` and Cloudflare: which permission a token lacks is said before a sync trips over it."""

import json
from collections.abc import Generator

import pytest

from bot.entrypoints.cli.app import main
from bot.jobs.checkup import Found
from bot.jobs.checkup_cloudflare import look_at_cloudflare
from bot.live import cloudflare_collectors
from context_graph.providers.cloudflare.registry import all_permissions
from context_graph.testing_cloudflare import ACCOUNT, TOKEN, FakeCloudflare, a_shop, served


@pytest.fixture
def shop() -> Generator[FakeCloudflare]:
    with served(a_shop()) as fake:
        yield fake


def looks(shop: FakeCloudflare, token: str = TOKEN, **more: str) -> dict[str, tuple[Found, str]]:
    environment = {"CLOUDFLARE_API_TOKEN": token, "CLOUDFLARE_BASE_URL": shop.base, **more}
    found = look_at_cloudflare(lambda: cloudflare_collectors(environment, is_sample=True))
    return {look.what: (look.found, look.said) for look in found}


def test_without_a_token_it_is_not_set_up() -> None:
    [look] = look_at_cloudflare(None)

    assert (look.what, look.found) == ("Cloudflare", Found.UNUSED)
    assert "CLOUDFLARE_API_TOKEN" in look.said


def test_each_part_is_allowed_or_the_missing_permission_is_named(shop: FakeCloudflare) -> None:
    shop.refuse(f"/accounts/{ACCOUNT}/d1/database", 403, 10000, "Authentication error")
    shop.refuse(f"/accounts/{ACCOUNT}/r2/buckets", 403, 10042, "Please enable R2 through the Cloudflare Dashboard.")

    found = looks(shop)

    assert found["Cloudflare"] == (Found.OK, f"account {ACCOUNT}")
    assert found["Cloudflare d1"][0] is Found.MISSING
    assert "not allowed: Account: D1 Read" in found["Cloudflare d1"][1]
    assert found["Cloudflare r2"] == (Found.UNUSED, "not switched on in this account")
    assert found["Cloudflare kv"] == (Found.OK, "allowed: Account: Workers KV Storage Read")


def test_it_reads_one_entry_of_each_list(shop: FakeCloudflare) -> None:
    looks(shop)

    assert not any("order-writer" in path for path in shop.asked)
    assert any("checkout-edge/settings" in path for path in shop.asked)


def test_a_token_that_is_no_good_is_missing_and_not_shown(shop: FakeCloudflare) -> None:
    found = looks(shop, "hunter2-and-more")

    assert found["Cloudflare"][0] is Found.MISSING
    assert "9109: Invalid access token" in found["Cloudflare"][1]
    assert "hunter2" not in repr(found)


def test_an_address_that_is_none_is_said(shop: FakeCloudflare) -> None:
    found = looks(shop, CLOUDFLARE_BASE_URL="api.cloudflare.com")

    assert found["Cloudflare"][0] is Found.MISSING
    assert "CLOUDFLARE_BASE_URL" in found["Cloudflare"][1]


def test_the_printed_permissions_are_exactly_those_of_a_sync(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--cloudflare-token"]) == 0

    printed = json.loads(capsys.readouterr().out)["policies"]
    account, zone = ({group["name"] for group in policy["permission_groups"]} for policy in printed)
    assert {f"Account: {name}" for name in account} | {f"Zone: {name}" for name in zone} == set(all_permissions())
    assert all(name.endswith(" Read") for name in account | zone)
