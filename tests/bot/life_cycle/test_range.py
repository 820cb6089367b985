"""Which commits are judged when GitHub lags behind its own events."""

import asyncio

import pytest

from bot.github.testing import MemoryForge, a_pull_request
from bot.jobs.range import Expected, NotThereYet, settled
from gonogo.errors import NotFoundYet

OLD, NEW, NEWER = "1" * 40, "2" * 40, "3" * 40


class Lagging(MemoryForge):
    """Shows these states one after another, the last for ever."""

    def __init__(self, *shown):
        super().__init__()
        self.shown = list(shown)

    async def pull_request(self, number):
        self.asked.append("pull_request")
        state = self.shown.pop(0) if len(self.shown) > 1 else self.shown[0]
        if isinstance(state, Exception):
            raise state
        return state


def settle(forge, expected, **more):
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    return asyncio.run(settled(forge, 7, expected, sleep=sleep, **more)), waits


def test_a_head_from_before_the_push_is_waited_out_in_growing_steps():
    forge = Lagging(*[a_pull_request(head_sha=OLD)] * 3, a_pull_request(head_sha=NEW))

    facts, waits = settle(forge, Expected(before_sha=OLD))

    assert facts.head_sha == NEW
    assert waits == [1, 2, 4]


def test_any_other_head_is_taken_at_once_for_the_event_is_old():
    facts, waits = settle(Lagging(a_pull_request(head_sha=NEWER)), Expected(before_sha=OLD))

    assert (facts.head_sha, waits) == (NEWER, [])


def test_after_all_waits_the_evaluation_stays_pending():
    forge = Lagging(a_pull_request(head_sha=OLD))

    with pytest.raises(NotThereYet):
        settle(forge, Expected(before_sha=OLD))
    assert len(forge.asked) == 5


def test_at_last_the_head_is_what_github_says_for_it_may_have_been_pushed_back():
    facts, waits = settle(Lagging(a_pull_request(head_sha=OLD)), Expected(before_sha=OLD), is_last_try=True)

    assert (facts.head_sha, sum(waits)) == (OLD, 15)


def test_a_pull_request_that_is_not_shown_yet_is_waited_for():
    facts, waits = settle(Lagging(NotFoundYet("404"), NotFoundYet("404"), a_pull_request(head_sha=NEW)), Expected())

    assert (facts.head_sha, waits) == (NEW, [1, 2])


def test_a_new_base_is_waited_for_when_it_was_retargeted():
    forge = Lagging(a_pull_request(base_ref="main"), a_pull_request(base_ref="release"))

    facts, waits = settle(forge, Expected(base_ref="release"))

    assert (facts.base_ref, waits) == ("release", [1])


def test_a_closed_pull_request_needs_no_waiting():
    facts, waits = settle(Lagging(a_pull_request(head_sha=OLD, state="closed")), Expected(before_sha=OLD))

    assert (facts.state, waits) == ("closed", [])
