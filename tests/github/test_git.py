"""Fetching from the loopback GitHub with real git."""

import base64
import os
import subprocess
from pathlib import Path

import pytest

from tests.github.asking import as_installation, token_of
from tests.github.conftest import Shop


def git(*arguments: str, token: str | None = None, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """git with a token in a header that only its environment knows."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    if token:
        basic = base64.b64encode(f"x-access-token:{token}".encode()).decode()
        env |= {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "http.extraHeader",
            "GIT_CONFIG_VALUE_0": f"Authorization: Basic {basic}",
        }
    where = ["-C", str(folder)] if folder else []
    return subprocess.run(["git", *where, *arguments], env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def address(shop: Shop) -> str:
    return f"{shop.github.web_url}/acme/shop.git"


def heads(shop: Shop, address: str, *refs: str) -> dict[str, str]:
    listed = git("ls-remote", address, *refs, token=token_of(shop.ask)).stdout
    return {name: sha for sha, _, name in (line.partition("\t") for line in listed.splitlines())}


def test_base_and_head_are_fetched_into_a_bare_mirror(shop: Shop, address: str, tmp_path: Path) -> None:
    git("init", "-q", "--bare", str(tmp_path / "mirror"))
    fetched = git("fetch", "-q", address, "+refs/heads/main:refs/heads/main", "+refs/pull/1/head:refs/pull/1/head",
                  token=token_of(shop.ask), folder=tmp_path / "mirror")  # fmt: skip

    assert fetched.returncode == 0, fetched.stderr
    assert git("rev-parse", "refs/pull/1/head", folder=tmp_path / "mirror").stdout.strip() == shop.pull.head_sha
    assert git("show", f"{shop.pull.head_sha}:app.py", folder=tmp_path / "mirror").stdout == "print(2)\n"


def test_a_commit_is_fetched_by_its_id_and_without_blobs(shop: Shop, address: str, tmp_path: Path) -> None:
    git("init", "-q", "--bare", str(tmp_path / "mirror"))
    fetched = git(
        "fetch",
        "-q",
        "--filter=blob:none",
        "--depth=1",
        address,
        shop.pull.head_sha,
        token=token_of(shop.ask),
        folder=tmp_path / "mirror",
    )

    assert fetched.returncode == 0, fetched.stderr


def test_old_protocols_work_too(shop: Shop, address: str) -> None:
    listed = git("-c", "protocol.version=0", "ls-remote", address, "refs/heads/main", token=token_of(shop.ask)).stdout

    assert listed.split() == [shop.github.repositories.tip(shop.repository), "refs/heads/main"]


def test_forks_and_merge_groups_have_their_references_in_the_base_repository(shop: Shop, address: str) -> None:
    fork = shop.github.repositories.fork(shop.repository, "mallory")
    theirs = shop.github.pulls.open(shop.repository, {"b.py": "x\n"}, fork=fork)
    shop.github.repositories.delete(fork)
    group = shop.github.pulls.enqueue(shop.pull, theirs)

    seen = heads(shop, address)

    assert seen[f"refs/pull/{theirs.number}/head"] == theirs.head_sha
    assert seen[group.head_ref] == group.head_sha
    assert group.head_ref.startswith("refs/heads/gh-readonly-queue/main/pr-2-")
    shop.github.pulls.destroy(group)
    assert group.head_ref not in heads(shop, address)


@pytest.mark.parametrize("token", [None, "ghs_nobody"])
def test_without_a_good_token_git_is_told_401(address: str, token: str | None) -> None:
    refused = git("ls-remote", address, token=token)

    assert refused.returncode != 0
    assert "could not read Username" in refused.stderr or "Authentication failed" in refused.stderr


def test_a_token_of_another_repository_or_without_contents_does_not_fetch(shop: Shop, address: str) -> None:
    other = shop.github.repositories.create("acme/other")
    with as_installation(shop.github, shop.installation, repository_ids=[other.id]) as elsewhere:
        hidden = git("ls-remote", address, token=token_of(elsewhere))
    with as_installation(shop.github, shop.installation, permissions={"checks": "write"}) as narrow:
        forbidden = git("ls-remote", address, token=token_of(narrow))

    assert "not found" in hidden.stderr
    assert "403" in forbidden.stderr


def test_nobody_pushes(shop: Shop, address: str, tmp_path: Path) -> None:
    git("clone", "-q", address, str(tmp_path / "clone"), token=token_of(shop.ask))

    pushed = git("push", "-q", "origin", "HEAD:refs/heads/mine", token=token_of(shop.ask), folder=tmp_path / "clone")

    assert pushed.returncode != 0
    assert "403" in pushed.stderr


def test_a_renamed_repository_is_still_fetched_under_its_old_name(shop: Shop, address: str) -> None:
    shop.github.repositories.rename(shop.repository, "store")

    assert heads(shop, address, "refs/heads/main")["refs/heads/main"] == shop.github.repositories.tip(shop.repository)


def test_references_lag_when_that_is_asked_for(shop: Shop, address: str) -> None:
    shop.pull.stale_fetches_after_push = 1
    before = shop.pull.head_sha
    after = shop.github.pulls.push(shop.pull, {"app.py": "print(3)\n"})

    seen = [heads(shop, address, "refs/pull/1/head")["refs/pull/1/head"] for _ in range(2)]

    assert seen == [before, after]
