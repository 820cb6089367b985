"""Pages and envelopes of Cloudflare's API."""

import pytest

from context_graph.providers.cloudflare.account import accounts_of
from context_graph.providers.cloudflare.api import CloudflareApi
from context_graph.providers.cloudflare.permissions import permission_of, token_policy
from context_graph.providers.http_json import ApiRefused
from context_graph.testing_cloudflare import ACCOUNT, TOKEN, FakeCloudflare, served, success
from gonogo.errors import ProductionUnreachable

KV = f"/accounts/{ACCOUNT}/storage/kv/namespaces"
R2 = f"/accounts/{ACCOUNT}/r2/buckets"


def api_of(fake: FakeCloudflare, *, is_sample: bool = False) -> CloudflareApi:
    return CloudflareApi(TOKEN, base=fake.base, pause=lambda _: None, is_sample=is_sample)


@pytest.mark.parametrize("has_totals", [True, False])
@pytest.mark.parametrize("number", [0, 1, 49, 50, 51, 100, 130])
def test_every_page_of_a_list_is_read_whatever_the_server_says_about_totals(number: int, has_totals: bool) -> None:
    held = [{"id": str(n), "title": f"n{n}"} for n in range(number)]
    with served(FakeCloudflare({KV: held}, largest_page=50, has_totals=has_totals)) as fake:
        assert list(api_of(fake).pages(KV, per_page=1000)) == held


@pytest.mark.parametrize("number", [0, 1, 50, 51, 130])
def test_every_page_of_a_list_with_a_cursor_is_read(number: int) -> None:
    held = [{"name": f"b{n}"} for n in range(number)]
    with served(FakeCloudflare({R2: held}, largest_page=50)) as fake:
        assert list(api_of(fake).pages(R2, "buckets", per_page=1000, by_cursor=True)) == held


def test_a_cursor_that_comes_back_ends_in_an_error_and_not_in_a_loop() -> None:
    endless = {R2: (200, success({"buckets": [{"name": "b"}]}, {"cursor": "same"}), {})}
    with served(FakeCloudflare(always=endless)) as fake, pytest.raises(ValueError, match="cursor"):
        list(api_of(fake).pages(R2, "buckets", per_page=1000, by_cursor=True))


@pytest.mark.parametrize("body", [{"success": True}, [], "text", {"success": "true", "result": []}, {"result": []}])
def test_an_answer_without_a_successful_envelope_is_an_error(body: object) -> None:
    with served(FakeCloudflare(always={KV: (200, body, {})})) as fake, pytest.raises(ApiRefused):
        list(api_of(fake).pages(KV))


def test_a_null_result_is_an_empty_list() -> None:
    with served(FakeCloudflare(always={KV: (200, success(None), {})})) as fake:
        assert list(api_of(fake).pages(KV, per_page=100)) == []


def test_a_sample_reads_one_entry_of_a_list() -> None:
    with served(FakeCloudflare({KV: [{"id": str(n)} for n in range(130)]})) as fake:
        assert list(api_of(fake, is_sample=True).pages(KV, per_page=1000)) == [{"id": "0"}]
        assert fake.asked == [KV]


def test_a_redirect_does_not_carry_the_token_away() -> None:
    with served(FakeCloudflare({KV: []})) as elsewhere:
        moved = {KV: (302, "", {"Location": elsewhere.base + KV})}
        with served(FakeCloudflare(always=moved)) as fake, pytest.raises(ApiRefused):
            list(api_of(fake).pages(KV))
        assert elsewhere.asked == []


def test_a_token_that_sees_no_account_is_told_to_name_one() -> None:
    with served(FakeCloudflare({"/accounts": []})) as fake, pytest.raises(ProductionUnreachable) as raised:
        accounts_of(api_of(fake))
    assert "CLOUDFLARE_ACCOUNT_ID" in str(raised.value)


def test_a_wrong_token_is_said_in_cloudflares_words_and_never_shown() -> None:
    with served(FakeCloudflare()) as fake, pytest.raises(ProductionUnreachable) as raised:
        accounts_of(CloudflareApi("wrong-one", base=fake.base))
    assert "9109: Invalid access token" in str(raised.value)
    assert "wrong-one" not in str(raised.value)


def test_a_path_without_a_known_permission_is_not_asked_silently() -> None:
    with pytest.raises(KeyError):
        permission_of("/user/tokens")


def test_the_tokens_policies_keep_account_and_zone_apart() -> None:
    account, zone = token_policy(["Account: D1 Read", "Zone: Zone Read", "Account: D1 Read"])["policies"]

    assert account["permission_groups"] == [{"name": "D1 Read"}]
    assert zone["permission_groups"] == [{"name": "Zone Read"}]
