"""Fetching shows the token to nobody, obeys no settings of the host, bears failures, and ends when it is told to."""

import asyncio
import subprocess
import textwrap
import time
from pathlib import Path

import pytest

from bot.github.git_process import network_config, run_git
from bot.github.mirror import Fetched, Mirrors, Source
from gonogo.errors import Forbidden, ForgeUnavailable, Gone, StageFailed
from tests.bot.github.conftest import Shop
from tests.bot.github.fetching import GIT, as_app, fetched, git_processes, until
from tests.github import faults
from tests.github.authority import new_token


def test_a_repository_that_is_gone_or_hidden_is_gone(shop: Shop, mirrors: Mirrors) -> None:
    shop.repository.is_deleted = True
    shop.github.faults.add("POST /app/installations/*/access_tokens", a_token(shop), times=9)

    with pytest.raises(Gone):
        fetched(shop, mirrors)


def a_token(shop: Shop) -> faults.Answer:
    token = new_token(shop.github.world, "ghs", shop.app, installation=shop.installation, permissions={"contents": "read"})
    body = {"token": token.value, "expires_at": "2099-01-01T00:00:00Z", "permissions": {"contents": "read"}}
    return faults.Answer("a token", 201, body)


def test_a_token_that_git_is_refused_with_is_made_anew(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.faults.add("GET /acme/shop.git/info/refs", faults.Answer("401", 401, "no", {"www-authenticate": "Basic"}))

    assert fetched(shop, mirrors).head_sha == shop.pull.head_sha
    assert len(shop.github.record.of("POST /app/installations/*/access_tokens")) == 2


def test_git_that_is_refused_twice_names_the_permission(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.faults.add("GET /acme/shop.git/info/refs", faults.Answer("403", 403, "no"), times=9)

    with pytest.raises(Forbidden, match="contents: read") as refused:
        fetched(shop, mirrors)
    assert refused.value.permission == "contents"


def test_a_failure_on_the_way_is_tried_again_once(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.faults.add(GIT, faults.server_error(502))
    assert fetched(shop, mirrors).head_sha == shop.pull.head_sha
    asyncio.run(mirrors.discard(shop.repository.id))
    shop.github.faults.add(GIT, faults.server_error(502), times=9)

    with pytest.raises(ForgeUnavailable):
        fetched(shop, mirrors)
    assert not mirrors.folder(shop.repository.id).exists()


def test_a_connection_that_breaks_in_the_middle_leaves_nothing_behind(shop: Shop, mirrors: Mirrors) -> None:
    shop.github.faults.add("POST /acme/shop.git/git-upload-pack", faults.cut(), skip=1, times=9)

    with pytest.raises(ForgeUnavailable):
        fetched(shop, mirrors)

    root = mirrors.folder(shop.repository.id).parent
    assert [p.name for p in root.iterdir()] == [f"{shop.repository.id}.lock"]


def test_git_that_takes_too_long_is_ended_with_all_that_it_started(shop: Shop, tmp_path: Path) -> None:
    shop.github.faults.add(GIT, faults.hang(), times=9)
    mirrors = Mirrors(tmp_path / "data", fetch_timeout_s=1, create_timeout_s=1)

    with pytest.raises(ForgeUnavailable, match="more than 1 s"):
        fetched(shop, mirrors)

    assert not git_processes(tmp_path)


def test_git_is_ended_within_a_second_when_the_evaluation_is_cancelled(shop: Shop, mirrors: Mirrors, tmp_path: Path) -> None:
    shop.github.faults.add(GIT, faults.hang(), times=9)

    async def token(refused: str | None) -> str:
        return "a-token"

    async def run() -> float:
        source = Source(1, shop.access.git_url("acme", "shop"), token)
        head = {"base_ref": "refs/heads/main", "head_ref": "refs/pull/1/head", "head_sha": "a" * 40}
        work = asyncio.ensure_future(mirrors.fetch(source, **head))
        while not git_processes(tmp_path):  # noqa: ASYNC110  nothing tells when git is there
            await asyncio.sleep(0.02)
        started = time.monotonic()
        work.cancel()
        await asyncio.wait({work})
        assert work.cancelled()
        return time.monotonic() - started

    assert asyncio.run(run()) < 2  # on a busy host; what is promised is a second
    assert not git_processes(tmp_path)


@pytest.mark.parametrize("turns_later", [0, 1, 2, 5, 50])
def test_git_leaves_nothing_running_whenever_it_is_cancelled(shop: Shop, tmp_path: Path, turns_later: int) -> None:
    shop.github.faults.add(GIT, faults.hang(), times=9)
    subprocess.run(["git", "init", "--quiet", "--bare", str(tmp_path / "x.git")], check=True)
    url = shop.access.git_url("acme", "shop")

    async def run() -> float:
        fetch = run_git("fetch", url, folder=tmp_path / "x.git", timeout_s=30, config=network_config(url, "a-token"))
        work = asyncio.ensure_future(fetch)
        while not git_processes(tmp_path):  # noqa: ASYNC110  nothing tells when git is there
            await asyncio.sleep(0)
        for _ in range(turns_later):
            await asyncio.sleep(0)
        until(lambda: bool(shop.github.record.of(GIT)))  # the loop stands still: what git starts is there, what we await is not
        started = time.monotonic()
        work.cancel()
        await asyncio.wait({work})
        assert work.cancelled()
        return time.monotonic() - started

    assert asyncio.run(run()) < 2
    assert not git_processes(tmp_path)


def test_the_token_is_in_no_argument_no_file_and_no_message(shop: Shop, mirrors: Mirrors, tmp_path: Path) -> None:
    lines: list[str] = []
    shop.github.faults.add(GIT, faults.slow(0.4), times=2)

    async def watch(app: object) -> Fetched:
        client = shop.client(app)  # pyright: ignore[reportArgumentType]
        source = Source(shop.repository.id, shop.access.git_url("acme", "shop"), client.git_token)
        wanted = {"base_ref": "refs/heads/main", "head_ref": "refs/pull/1/head", "head_sha": shop.pull.head_sha}
        work = asyncio.ensure_future(mirrors.fetch(source, **wanted))
        while not work.done():
            lines.extend(git_processes(tmp_path))
            await asyncio.sleep(0.02)
        return work.result()

    asyncio.run(as_app(shop, watch))

    token = next(t.value for t in shop.github.world.tokens.values() if t.installation)
    written = [p for p in mirrors.folder(shop.repository.id).rglob("*") if p.is_file()]
    assert any("fetch" in line for line in lines)
    assert not any(token in line or "Authorization" in line for line in lines)
    assert written
    assert not any(token.encode() in p.read_bytes() or b"Authorization" in p.read_bytes() for p in written)


def test_settings_of_the_host_and_of_the_user_have_no_say(
    shop: Shop, mirrors: Mirrors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap, caught = tmp_path / "trap", tmp_path / "caught"
    trap.write_text(f"#!/bin/sh\ntouch {caught}\n")
    trap.chmod(0o755)
    config = tmp_path / "gitconfig"
    config.write_text(
        textwrap.dedent(f"""
        [core]
            hooksPath = {tmp_path}
            sshCommand = {trap}
            askPass = {trap}
            fsmonitor = {trap}
        [credential]
            helper = {trap}
        [url "http://127.0.0.1:9/"]
            insteadOf = http://127.0.0.1
        [protocol]
            allow = never
        """)
    )
    (tmp_path / "reference-transaction").write_text(trap.read_text())
    (tmp_path / "reference-transaction").chmod(0o755)
    for name, value in {
        "GIT_CONFIG_GLOBAL": str(config),
        "GIT_CONFIG_SYSTEM": str(config),
        "GIT_ASKPASS": str(trap),
        "GIT_DIR": str(tmp_path),
        "GIT_TRACE_CURL": str(tmp_path / "trace"),
        "HOME": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)

    got = fetched(shop, mirrors)

    assert got.head_sha == shop.pull.head_sha
    assert not caught.exists()
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("url", ["file:///etc", "ext::sh -c touch% x", "ssh://127.0.0.1/x", "/tmp", "git://127.0.0.1/x"])
def test_only_http_is_spoken(mirrors: Mirrors, url: str) -> None:
    async def token(refused: str | None) -> str:
        return "a-token"

    wanted = {"base_ref": "refs/heads/main", "head_ref": "refs/pull/1/head", "head_sha": "a" * 40}
    with pytest.raises((ForgeUnavailable, Gone, StageFailed)):
        asyncio.run(mirrors.fetch(Source(1, url, token), **wanted))


@pytest.mark.parametrize("sha", ["main", "--upload-pack=x", "a" * 39, "A" * 40, ""])
def test_only_the_id_of_a_commit_is_a_head(shop: Shop, mirrors: Mirrors, sha: str) -> None:
    with pytest.raises(ValueError, match="not the id of a commit"):
        fetched(shop, mirrors, head_sha=sha)
