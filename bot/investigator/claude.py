"""Claude behind the words of a conversation: translates to the Anthropic SDK and back, and tries again where that may help.

The SDK is imported when the first model is made. Retries are our own, within the deadline; time is the loop's.
https://platform.claude.com/docs/en/api/messages
"""

import asyncio
import json
import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from bot.investigator.claude_stream import Cut, reply_of
from bot.investigator.conversation import Conversation, Reply
from bot.investigator.loop import FINAL_TOOL
from bot.investigator.spending import Spending
from gonogo.errors import CallError, ModelUnavailable
from gonogo.record import Record

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_SMALL_MODEL = "claude-haiku-4-5-20251001"
MAX_OUTPUT_TOKENS = 6_000
"""Of one step, reasoning included: the hard cap where a model takes no budget for its reasoning."""
THINKING_TOKENS = 2_000
"""Of one step, for models that take a budget."""
EFFORT = "low"
"""For models that decide themselves how much to reason."""

_ATTEMPTS = 6
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.5, 8.0
_ATTEMPT_S = 75.0
"""After so long a request is given up and made again: the slowest of 30 measured calls took 54.5 s."""
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 522, 524, 529})
_TAKES_A_BUDGET = re.compile(r"claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8})?$)")


class Access(Record):
    """Whether a model can be asked with what the environment has."""

    is_ok: bool
    said: str


class ClaudeModel:
    """Asks models, in requests without options where a model takes none. The SDK loads with the first request."""

    def __init__(self, environment: Mapping[str, str], spending: Spending) -> None:
        self._environment, self._spending = environment, spending
        self._plain: set[str] = set()

    @cached_property
    def _client(self) -> "AsyncAnthropic":
        return _client(self._environment)

    async def ask(self, conversation: Conversation, *, budget_line: str, is_last: bool) -> Reply:
        """A whole answer. Raises ModelUnavailable, and BudgetSpent before a request that might pass a cap."""
        waited = _FIRST_WAIT_S
        for attempt in range(1, _ATTEMPTS + 1):
            is_plain = conversation.model in self._plain
            request = request_of(conversation, budget_line=budget_line, is_last=is_last, is_plain=is_plain)
            size = len(json.dumps(request, ensure_ascii=False))
            reserved = self._spending.reserve(conversation.model, characters=size, max_output=request["max_tokens"])
            try:
                async with asyncio.timeout(_ATTEMPT_S):
                    return await self._answer(request)
            except Exception as error:
                wait = self._wait_after(error, conversation.model, waited)
                if wait is None or attempt == _ATTEMPTS:
                    raise ModelUnavailable(said_of(error)) from error
            finally:
                self._spending.release(reserved)
            await asyncio.sleep(wait)
            waited = min(2 * waited, _LONGEST_WAIT_S)
        raise ModelUnavailable("no attempt is left")

    async def close(self) -> None:
        """Close the connections, where any was opened."""
        if "_client" in vars(self):
            await self._client.close()

    async def _answer(self, request: dict[str, Any]) -> Reply:
        stream = await cast("Any", self._client.messages).create(**request, stream=True)
        try:
            return await reply_of(stream)
        finally:
            await stream.close()

    def _wait_after(self, error: Exception, model: str, waited: float) -> float | None:
        """Seconds before the next attempt; None when another one would not help."""
        from anthropic import APIConnectionError, APIError, BadRequestError  # noqa: PLC0415

        if isinstance(error, BadRequestError) and model not in self._plain and _is_about_options(error):
            self._plain.add(model)
            return 0.0
        status = getattr(error, "status_code", None)
        if isinstance(status, int) and status not in _AGAIN and status < 500:
            return None if status != 200 else waited
        if isinstance(error, TimeoutError | APIConnectionError | APIError | Cut | OSError):
            asked = _retry_after(error)
            return max(waited, asked) if asked is not None else waited
        return None


def request_of(conversation: Conversation, *, budget_line: str, is_last: bool, is_plain: bool = False) -> dict[str, Any]:
    """The body of a request. What conversations share comes first and is marked for the provider's cache.

    The count of steps comes last, behind the mark. With one step left only the tool that ends the conversation is there: newer
    models refuse a forced tool. `is_plain` leaves reasoning to the model's default.
    """
    named = [t for t in conversation.tools if not is_last or t.name == FINAL_TOOL]
    tools = [{"name": t.name, "description": t.description, "input_schema": t.schema} for t in named]
    opening: list[dict[str, Any]] = [{"type": "text", "text": part} for part in conversation.opening]
    opening[0] |= _CACHED
    messages: list[dict[str, Any]] = [{"role": "user", "content": opening}]
    for turn in conversation.turns:
        blocks = [*turn.reply.blocks] or [{"type": "text", "text": turn.reply.text or "…"}]
        results: list[dict[str, Any]] = [
            {"type": "tool_result", "tool_use_id": r.call_id, "content": r.content or "no data", "is_error": r.is_error}
            for r in turn.results
        ]
        said = [{"type": "text", "text": turn.said}] if turn.said or not results else []
        messages += [{"role": "assistant", "content": blocks}, {"role": "user", "content": results + said}]
    last = messages[-1]["content"]
    last[-1] = last[-1] | _CACHED
    last.append({"type": "text", "text": budget_line})
    return {
        "model": conversation.model,
        "max_tokens": MAX_OUTPUT_TOKENS,
        "system": [{"type": "text", "text": conversation.system, **_CACHED}],
        "tools": tools,
        "messages": messages,
        **({} if is_plain else _reasoning(conversation.model)),
    }


_CACHED = {"cache_control": {"type": "ephemeral"}}


def _reasoning(model: str) -> dict[str, Any]:
    if _TAKES_A_BUDGET.match(model):
        return {"thinking": {"type": "enabled", "budget_tokens": THINKING_TOKENS}}
    return {"thinking": {"type": "adaptive"}, "output_config": {"effort": EFFORT}}


def make_model(environment: Mapping[str, str], spending: Spending) -> ClaudeModel:
    """A model with the key and the address that the environment has, as the SDK reads them."""
    return ClaudeModel(environment, spending)


def _client(environment: Mapping[str, str], timeout_s: float = _ATTEMPT_S) -> "AsyncAnthropic":
    try:
        from anthropic import AsyncAnthropic  # noqa: PLC0415  the SDK loads when a model is asked
    except ImportError as error:
        raise CallError(
            "the claude investigator needs the Anthropic SDK; install it with: pip install 'gonogo[claude]'"
        ) from error
    return AsyncAnthropic(
        api_key=environment.get("ANTHROPIC_API_KEY"),
        base_url=environment.get("ANTHROPIC_BASE_URL") or None,
        max_retries=0,
        timeout=timeout_s,
    )


def is_configured(environment: Mapping[str, str]) -> bool:
    """Whether a key is there."""
    return bool(environment.get("ANTHROPIC_API_KEY", "").strip())


def models_of(environment: Mapping[str, str]) -> tuple[str, str]:
    """The pinned ids: the model, and the small one for single open questions."""
    return environment.get("GONOGO_MODEL") or DEFAULT_MODEL, environment.get("GONOGO_SMALL_MODEL") or DEFAULT_SMALL_MODEL


def check_access(environment: Mapping[str, str], *, timeout_s: float = 10.0) -> Access:
    """Whether the configured models answer: one request of one token to each. It never raises."""
    if not is_configured(environment):
        return Access(is_ok=False, said="ANTHROPIC_API_KEY is not set; the rules investigate")

    async def try_models() -> str:
        async with _client(environment, timeout_s) as client:
            return await try_with(client)

    async def try_with(client: "AsyncAnthropic") -> str:
        for model in dict.fromkeys(models_of(environment)):
            try:
                async with asyncio.timeout(timeout_s):
                    await client.messages.create(model=model, max_tokens=1, messages=[{"role": "user", "content": "ping"}])
            except Exception as error:  # noqa: BLE001  whatever is wrong with the access is what is asked for
                return f"{model}: {said_of(error)}"
        return ""

    try:
        wrong = asyncio.run(try_models())
    except CallError as error:
        wrong = str(error)
    return Access(is_ok=not wrong, said=wrong or f"{' and '.join(dict.fromkeys(models_of(environment)))} answer")


def said_of(error: BaseException) -> str:
    """An error of the service in a line, without what was sent."""
    status = getattr(error, "status_code", None)
    if isinstance(error, TimeoutError):
        return "the model did not answer in time"
    body: Any = getattr(error, "body", None)
    inner: Any = cast("dict[str, Any]", body).get("error") if isinstance(body, dict) else None
    told = str(cast("dict[str, Any]", inner).get("message", "")) if isinstance(inner, dict) else str(error)
    line = " ".join(told.split())[:200]
    return f"the model's service answered {status}: {line}" if status else f"the model's service was not reached ({type(error).__name__}: {line})"  # fmt: skip


def _is_about_options(error: Exception) -> bool:
    return re.search(r"thinking|effort|output_config|cache_control|tool_choice", str(error), re.IGNORECASE) is not None


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    try:
        return max(0.0, float(headers["retry-after"])) if headers is not None else None
    except (KeyError, ValueError):
        return None
