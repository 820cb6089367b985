"""One paid attempt: the agent is awaited once, and only a finished, valid answer comes out."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from bencher.orchestration.question import Question, from_json, to_json
from bencher.orchestration.report import Failed

Runner = Callable[[Any, Any], Awaitable[Any]]
"""The agent: `runner(prompt, options)`, awaited once for every attempt that is paid. Its answer is any JSON value."""


_CANNOT_WAIT = "validate decides from the answer alone and cannot wait; pass a plain function"


class Rejected(ValueError):
    """The agent answered, and the policy's `validate` does not take the answer."""


class Interrupted(RuntimeError):
    """The agent ended without an answer or an error of its own: cancelled inside, exited, or the run was closed."""


@dataclass(frozen=True)
class Policy:
    """How hard to try. No part of the key: a patient run finds the answers of a hasty one."""

    attempts: int = 1
    """Attempts in all, each paid, each in a slot of its own."""

    timeout_s: float | None = None
    """Seconds for one attempt, not counting the wait for a slot."""

    backoff_s: float = 0
    """Seconds before the second attempt, doubling after; no slot is held meanwhile."""

    validate: Callable[[Any], object] | None = None
    """Raises, or returns False, for an answer that does not count, old ones from the journal included."""

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.backoff_s < 0 or (self.timeout_s is not None and self.timeout_s <= 0):
            raise ValueError(f"{self}: attempts is at least 1, timeout_s over 0 or None, backoff_s at least 0")
        if inspect.iscoroutinefunction(self.validate) or inspect.iscoroutinefunction(getattr(self.validate, "__call__", None)):  # noqa: B004
            raise TypeError(_CANNOT_WAIT)

    def check(self, answer: Any) -> None:
        """Rejected, when the answer does not count."""
        if self.validate is None:
            return
        try:
            verdict = self.validate(answer)
        except Exception as error:
            raise Rejected(f"the answer was rejected: {error}") from error
        if inspect.isawaitable(verdict):
            if inspect.iscoroutine(verdict):
                verdict.close()
            raise TypeError(_CANNOT_WAIT)
        if verdict is not None and not verdict:
            raise Rejected(f"the answer was rejected: {str(answer)[:200]!r}")

    def accepts(self, answer: Any) -> bool:
        """Whether an answer from the journal counts for this caller too."""
        try:
            self.check(answer)
        except Rejected:
            return False
        return True


async def attempt(runner: Runner, question: Question, policy: Policy) -> str | Failed:
    """The answer as JSON, or the agent's failure, whatever it did. Raises only what ends the run: our own cancellation."""
    prompt, options = question.for_agent()
    deadline = None
    try:
        if policy.timeout_s is None:
            answer = await runner(prompt, options)
        else:
            async with asyncio.timeout(policy.timeout_s) as deadline:  # wait_for may swallow a cancellation: cpython#86296
                answer = await runner(prompt, options)
            if deadline.expired():
                return _late(policy)  # the agent would not be stopped, and answered all the same
        if is_being_cancelled():
            raise asyncio.CancelledError  # noqa: TRY301 - it swallowed the cancellation, and what it says is not a finished answer
        written = to_json(answer, what="the answer")
        if policy.validate:
            policy.check(from_json(written))  # as the journal will give it back
    except KeyboardInterrupt:
        raise
    except TimeoutError as error:
        return _late(policy) if deadline and deadline.expired() else Failed(error)
    except Exception as error:  # noqa: BLE001 - an agent may raise anything, and that is its failure alone
        return Failed(error)
    except BaseException as error:
        if (isinstance(error, asyncio.CancelledError) and is_being_cancelled()) or _is_left_behind():
            raise
        return Failed(Interrupted(f"the agent ended by {type(error).__name__} and gave no answer"))
    return written


def interrupted() -> Failed:
    """What is left of a question that was begun and dropped."""
    return Failed(Interrupted("interrupted before the agent answered"))


def is_being_cancelled() -> bool:
    """Whether somebody cancelled the current task; a CancelledError alone may be one that the agent raised itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _is_left_behind() -> bool:
    """Whether no event loop runs: the coroutine is thrown away, and GeneratorExit is not the agent's."""
    try:
        return asyncio.current_task() is None
    except RuntimeError:
        return True


def _late(policy: Policy) -> Failed:
    return Failed(TimeoutError(f"no answer within {policy.timeout_s} s"))
