"""Fetching into a copy as the App of a test, and a look at what git does and left."""

import asyncio
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from bot.github.app import GitHubApp
from bot.github.mirror import Fetched, Mirrors, Source
from tests.bot.github.conftest import Shop
from tests.github.world import PullRequest

GIT = "* /acme/shop.git/*"


def fetched(shop: Shop, mirrors: Mirrors, pull: PullRequest | None = None, **how: str) -> Fetched:
    pull = pull or shop.pull
    wanted = {"base_ref": "refs/heads/main", "head_ref": f"refs/pull/{pull.number}/head", "head_sha": pull.head_sha} | how

    async def run() -> Fetched:
        async def work(app: object) -> Fetched:
            client = shop.client(app)  # pyright: ignore[reportArgumentType]
            source = Source(shop.repository.id, shop.access.git_url("acme", shop.repository.name), client.git_token)
            return await mirrors.fetch(source, **wanted)  # pyright: ignore[reportArgumentType]

        return await as_app(shop, work)

    return asyncio.run(run())


async def as_app(shop: Shop, work: Callable[..., object]) -> Fetched:
    async with GitHubApp(shop.access) as app:
        return await work(app)  # pyright: ignore[reportGeneralTypeIssues, reportReturnType]


def git(folder: Path, *args: str) -> str:
    return subprocess.run(["git", f"--git-dir={folder}", *args], check=True, capture_output=True, text=True).stdout.strip()


def git_processes(folder: Path) -> list[str]:
    """Command lines of git that speak of this folder."""
    found: list[str] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = place.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if line.startswith("git") and str(folder) in line:
            found.append(line)
    return found


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)
