"""Which commits an evaluation judges: read once from GitHub, which may lag behind its own events, and never read again on the way."""

from collections.abc import Awaitable, Callable

from gonogo.errors import ForgeError, NotFoundYet
from gonogo.forge import PullRequestFacts
from gonogo.ports import Forge
from gonogo.record import Record

WAITS_S = (1.0, 2.0, 4.0, 8.0)
"""GitHub shows what an event tells a little later (policy-bot#47, the-knights-who-say-ni#86)."""


class NotThereYet(ForgeError):
    """After all waits GitHub still shows what was before the event; the evaluation stays pending."""


class Expected(Record):
    """What an event has told: the head from before a push, the base that a pull request was moved to; None: nothing of the kind."""

    before_sha: str | None = None
    base_ref: str | None = None

    def is_shown(self, facts: PullRequestFacts) -> bool:
        """Whether GitHub has caught up. A head other than `before_sha` counts: when it isn't the event's, the event is old."""
        is_moved = self.before_sha is None or facts.head_sha != self.before_sha
        return facts.state == "closed" or (is_moved and self.base_ref in (None, facts.base_ref))


async def settled(
    forge: Forge, number: int, expected: Expected, *, sleep: Callable[[float], Awaitable[None]], is_last_try: bool = False
) -> PullRequestFacts:
    """The pull request once GitHub has caught up with the event that began the evaluation.

    Raises NotThereYet after all waits, but with `is_last_try`: the head may have been pushed back, the base moved back.
    """
    for wait in (*WAITS_S, None):
        try:
            facts = await forge.pull_request(number)
        except NotFoundYet:
            if wait is None:
                raise
        else:
            if expected.is_shown(facts):
                return facts
            if wait is None:
                if is_last_try:
                    return facts
                raise NotThereYet(
                    f"pull request {number}: GitHub still shows {facts.head_sha[:12]} on {facts.base_ref}, as before the event"
                )
        await sleep(wait)
    raise AssertionError
