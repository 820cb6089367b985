"""What every forge promises, the one of GitHub and the one in memory: what is written is found, and written once."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.github.testing import MemoryForge, a_pull_request
from gonogo.errors import ForgeError, Gone, Locked
from gonogo.forge import CheckOutput, Permission
from gonogo.ports import Forge
from tests.bot.github.conftest import MARKER, Shop

Run = Callable[[Callable[[Forge], Awaitable[Any]]], Any]


@pytest.fixture(params=["github", "memory"])
def run(request: pytest.FixtureRequest) -> Run:
    """Do something with a forge that has pull request #1 of `dev`; `rita` may read."""
    if request.param == "memory":
        forge = MemoryForge(a_pull_request(1, author="dev"))
        forge.permissions["rita"] = Permission.READ
        return lambda work: asyncio.run(_done(work(forge)))
    shop: Shop = request.getfixturevalue("shop")
    shop.github.repositories.give(shop.repository, "rita", "read")
    return lambda work: shop.ask(lambda client: _done(work(client)), limit=None)


async def _done[T](work: Awaitable[T]) -> T:
    return await work


def test_pull_requests_are_found_by_number_state_and_head(run: Run) -> None:
    async def work(forge: Forge) -> None:
        one = await forge.pull_request(1)
        assert (one.number, one.author, one.state) == (1, "dev", "open")
        assert [p.number for p in await forge.open_pull_requests()] == [1]
        assert [p.number for p in await forge.pulls_of(one.head_sha)] == [1]
        assert list(await forge.pulls_of(one.base_sha)) == []
        with pytest.raises(ForgeError):
            await forge.pull_request(99)

    run(work)


def test_a_check_is_one_a_name_and_commit(run: Run) -> None:
    async def work(forge: Forge) -> None:
        head = (await forge.pull_request(1)).head_sha
        made = await forge.publish_check(name="gonogo", head_sha=head, external_id="gonogo:1:1", status="in_progress")
        other = await forge.publish_check(name="gonogo bench", head_sha=head, external_id="gonogo:1:1", status="in_progress")
        output = CheckOutput(title="go", summary="Nothing here can hurt production.")
        told: dict[str, Any] = {"status": "completed", "conclusion": "success", "output": output}
        again = await forge.publish_check(name="gonogo", head_sha=head, external_id="gonogo:1:2", **told)
        assert made == again != other
        (run,) = await forge.check_runs(head, "gonogo")
        assert (run.id, run.status, run.conclusion, run.external_id) == (made, "completed", "success", "gonogo:1:2")

    run(work)


def test_a_comment_is_one_a_marker(run: Run) -> None:
    async def work(forge: Forge) -> None:
        made = await forge.publish_comment(1, f"no-go {MARKER}", marker=MARKER)
        by_marker = await forge.publish_comment(1, f"go {MARKER}", marker=MARKER)
        by_id = await forge.publish_comment(1, f"go! {MARKER}", marker=MARKER, comment_id=made)
        reply = await forge.publish_comment(1, "noted <!-- gonogo:reply:5 -->", marker="<!-- gonogo:reply:5 -->")
        assert made == by_marker == by_id != reply
        assert [c.body for c in await forge.comments(1)] == [f"go! {MARKER}", "noted <!-- gonogo:reply:5 -->"]
        await forge.react(made, "eyes")

    run(work)


def test_a_stranger_may_nothing_and_what_is_not_protected_is_not_required(run: Run) -> None:
    async def work(forge: Forge) -> None:
        assert await forge.permission("rita") is Permission.READ
        assert await forge.permission("nobody") is Permission.NONE
        assert not await forge.is_required("main", "gonogo")
        first = await forge.git_token()
        assert await forge.git_token(refused=first) != first
        assert forge.calls > 0

    run(work)


def test_the_forge_in_memory_fails_as_it_is_told_to() -> None:
    forge = MemoryForge(a_pull_request(1))
    forge.failing["publish_comment"] += [Locked("locked"), None]

    async def work() -> int:
        with pytest.raises(Locked):
            await forge.publish_comment(1, MARKER, marker=MARKER)
        with pytest.raises(Gone):
            await forge.pull_request(2)
        return await forge.publish_comment(1, MARKER, marker=MARKER)

    assert asyncio.run(work()) == 1
    assert forge.asked == ["publish_comment", "pull_request", "publish_comment"]
