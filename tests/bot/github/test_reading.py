"""What the client reads from GitHub, and how it bears with a GitHub that is slow, broken or behind."""

import asyncio

import httpx
import pytest

from bot.github.app import GitHubApp
from bot.github.client import RepositoryClient
from gonogo.errors import Forbidden, ForgeUnavailable, Gone, NotFoundYet, TooManyCalls
from gonogo.forge import Permission
from tests.bot.github.conftest import Shop
from tests.github import faults


def test_a_pull_request_is_read_in_our_words(shop: Shop) -> None:
    seen = shop.ask(lambda c: c.pull_request(1))

    assert (seen.id, seen.number, seen.head_sha) == (shop.pull.id, 1, shop.pull.head_sha)
    assert (seen.base_ref, seen.base_sha, seen.repository_id) == ("main", shop.pull.base_sha, shop.repository.id)
    assert (seen.state, seen.is_draft, seen.is_fork, seen.is_locked, seen.author) == ("open", False, False, False, "dev")
    assert seen.changed_files == 1
    assert seen.merge_sha is None


def test_a_pull_request_from_a_fork_is_one_also_when_the_fork_is_gone(shop: Shop) -> None:
    fork = shop.github.repositories.fork(shop.repository, "mallory")
    pull = shop.github.pulls.open(shop.repository, {"a.txt": "a\n"}, fork=fork)
    before = shop.ask(lambda c: c.pull_request(pull.number))
    shop.github.repositories.delete(fork)

    after = shop.ask(lambda c: c.pull_request(pull.number))

    assert before.is_fork
    assert after.is_fork


def test_every_page_of_a_long_list_is_read(shop: Shop) -> None:
    for n in range(104):
        shop.github.pulls.open(shop.repository, head_sha=shop.pull.head_sha, branch=f"more-{n}", tell=False)

    listed = shop.ask(lambda c: c.open_pull_requests())

    assert [p.number for p in listed] == list(range(1, 106))
    assert len(shop.github.record.of("GET /repos/acme/shop/pulls")) == 2


def test_pull_requests_of_a_head_are_the_open_ones_at_that_commit(shop: Shop) -> None:
    twin = shop.github.pulls.open(shop.repository, head_sha=shop.pull.head_sha, branch="twin")
    closed = shop.github.pulls.open(shop.repository, head_sha=shop.pull.head_sha, branch="closed")
    shop.github.pulls.close(closed)

    found = shop.ask(lambda c: c.pulls_of(shop.pull.head_sha))

    assert {p.number for p in found} == {1, twin.number}


def test_two_commits_are_compared_from_their_merge_base(shop: Shop) -> None:
    shop.github.repositories.push(shop.repository, "main", {"other.txt": "x\n"})

    compared = shop.ask(lambda c: c.compare("main", shop.pull.head_sha))

    assert compared.merge_base_sha == shop.pull.base_sha
    assert (compared.ahead_by, compared.behind_by, compared.paths) == (1, 1, ("app.py",))


def test_changed_paths_are_listed_past_the_first_page(shop: Shop) -> None:
    pull = shop.github.pulls.open(shop.repository, {f"f{n:03}.txt": "x\n" for n in range(230)})

    assert len(shop.ask(lambda c: c.files(pull.number))) == 230


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("admin", Permission.ADMIN),
        ("maintain", Permission.WRITE),
        ("write", Permission.WRITE),
        ("triage", Permission.READ),
        ("read", Permission.READ),
        ("none", Permission.NONE),
    ],
)
def test_a_role_becomes_a_permission(shop: Shop, role: str, expected: Permission) -> None:
    shop.github.repositories.give(shop.repository, "rita", role)  # pyright: ignore[reportArgumentType]

    assert shop.ask(lambda c: c.permission("rita")) is expected


def test_a_login_that_github_does_not_know_may_nothing(shop: Shop) -> None:
    assert shop.ask(lambda c: c.permission("nobody")) is Permission.NONE


@pytest.mark.parametrize("kind", ["ruleset", "protection", "neither"])
def test_whether_our_check_is_required_is_read_from_rulesets_and_from_protection(shop: Shop, kind: str) -> None:
    if kind == "ruleset":
        parameters = {"required_status_checks": [{"context": "gonogo"}], "strict_required_status_checks_policy": False}
        shop.repository.rules["main"] = [{"type": "required_status_checks", "parameters": parameters}]
    if kind == "protection":
        shop.repository.required_checks["main"] = [{"context": "gonogo", "app_id": None}]

    assert shop.ask(lambda c: c.is_required("main", "gonogo")) is (kind != "neither")
    assert shop.ask(lambda c: c.is_required("main", "gonogo bench")) is False


def test_a_renamed_repository_is_still_found_by_its_old_name(shop: Shop) -> None:
    shop.github.repositories.rename(shop.repository, "store")

    async def read(app: GitHubApp) -> str:
        old = app.repository(shop.installation.id, "acme", "shop", shop.repository.id)
        await old.publish_comment(1, "hello <!-- gonogo:1 -->", marker="<!-- gonogo:1 -->")
        return (await old.repository()).full_name

    assert shop.as_app(read) == "acme/store"
    assert [c.body for c in shop.github.comments(shop.pull)] == ["hello <!-- gonogo:1 -->"]


@pytest.mark.parametrize(
    "fault", [faults.server_error(502), faults.server_error(503), faults.cut(), faults.bad_gateway(after_commit=False)]
)
def test_a_read_is_tried_again_after_a_failure_of_the_server_or_the_line(shop: Shop, fault: faults.Fault) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", fault, times=2)

    seen = shop.ask(lambda c: c.pull_request(1))

    assert seen.number == 1
    assert shop.waits == [0.5, 1.5]


def test_a_read_that_fails_three_times_is_given_up(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.server_error(500), times=9)

    with pytest.raises(ForgeUnavailable, match="500"):
        shop.ask(lambda c: c.pull_request(1))
    assert len(shop.github.record.of("GET /repos/acme/shop/pulls/1")) == 3


def test_an_answer_that_never_comes_is_not_waited_for(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.github.wire.TIMEOUT_S", 0.2)
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.hang(), times=3)

    with pytest.raises(ForgeUnavailable, match="no answer within"):
        shop.ask(lambda c: c.pull_request(1))


def test_an_answer_that_is_no_json_is_a_failure_of_the_server(shop: Shop) -> None:
    page = faults.Answer("a proxy's page", 200, "<html>sign in</html>")
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", page, times=3)

    with pytest.raises(ForgeUnavailable):
        shop.ask(lambda c: c.pull_request(1))


def test_an_answer_that_lacks_what_is_needed_is_a_failure_of_the_server(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.Answer("half an answer", 200, {"number": 1}), times=3)

    with pytest.raises(ForgeUnavailable, match="no PullRequest"):
        shop.ask(lambda c: c.pull_request(1))


def test_a_pull_request_that_github_does_not_show_yet_may_be_asked_for_again(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.not_found())

    with pytest.raises(NotFoundYet):
        shop.ask(lambda c: c.pull_request(1))
    assert shop.ask(lambda c: c.pull_request(1)).number == 1


def test_a_commit_that_github_does_not_know_is_not_found_yet(shop: Shop) -> None:
    with pytest.raises(NotFoundYet):
        shop.ask(lambda c: c.compare("main", "f" * 40))


def test_a_missing_permission_is_named(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/deployments", faults.permission_missing("deployments=read"), times=9)
    granted = shop.app.permissions | {"deployments": ""}

    async def read(client: RepositoryClient) -> None:
        await client.deployments()

    shop.github.apps.accept_permissions(shop.installation, {k: v for k, v in granted.items() if v})
    with pytest.raises(Forbidden, match="needs the permission deployments") as refused:
        shop.ask(read)
    assert refused.value.permission == "deployments"


def test_environments_that_we_may_not_see_are_none_and_not_an_empty_list(shop: Shop) -> None:
    shop.repository.environments[:] = ["production", "staging"]
    seen = shop.ask(lambda c: c.environments())
    shop.github.apps.accept_permissions(shop.installation, {"metadata": "read", "contents": "read", "checks": "write"})

    unseen = shop.ask(lambda c: c.environments())

    assert seen is not None
    assert set(seen) == {"production", "staging"}
    assert unseen is None


def test_the_calls_of_an_evaluation_are_counted_and_end_at_the_limit(shop: Shop) -> None:
    async def read(client: RepositoryClient) -> int:
        for _ in range(2):
            await client.pull_request(1)
        with pytest.raises(TooManyCalls, match="all 2 REST calls"):
            await client.pull_request(1)
        return client.calls

    assert shop.ask(read, limit=2) == 2
    assert len(shop.github.record.of("GET /repos/acme/shop/pulls/1")) == 2


def test_failed_attempts_count_too(shop: Shop) -> None:
    shop.github.faults.add("GET /repos/acme/shop/pulls/1", faults.server_error(), times=2)

    async def read(client: RepositoryClient) -> int:
        await client.pull_request(1)
        return client.calls

    assert shop.ask(read) == 3


def test_a_repository_that_is_not_there_is_gone(shop: Shop) -> None:
    shop.repository.is_deleted = True

    with pytest.raises(Gone):
        shop.ask(lambda c: c.repository())


def test_a_token_never_goes_to_another_host(shop: Shop) -> None:
    elsewhere = faults.Answer("sent away", 301, {}, {"location": "http://127.0.0.1:9/repos/acme/shop"})
    shop.github.faults.add("GET /repos/acme/shop", elsewhere, times=9)

    with pytest.raises(ForgeUnavailable, match="another host"):
        shop.ask(lambda c: c.repository())


def test_a_next_page_on_another_host_is_not_followed(shop: Shop) -> None:
    away = faults.Answer("a page", 200, [], {"link": '<http://127.0.0.1:9/pulls?page=2>; rel="next"'})
    shop.github.faults.add("GET /repos/acme/shop/pulls", away)

    assert shop.ask(lambda c: c.open_pull_requests()) == []


def test_an_enterprise_server_is_asked_below_its_path_and_in_a_version_that_it_knows(shop: Shop) -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"id": 7, "slug": "gonogo"})

    access = type(shop.access)(app_id=7, private_key=shop.app.private_key, api_url="https://ghe.corp/api/v3")

    async def read() -> str:
        async with GitHubApp(access, transport=httpx.MockTransport(answer)) as app:
            return (await app.app()).login

    assert asyncio.run(read()) == "gonogo[bot]"
    assert str(asked[0].url) == "https://ghe.corp/api/v3/app"
    assert asked[0].headers["x-github-api-version"] == "2022-11-28"
    assert asked[0].headers["authorization"].startswith("Bearer ey")
