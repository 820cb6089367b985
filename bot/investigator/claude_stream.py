"""From the events of a streamed answer to a Reply. An answer that does not come to its end is Cut: no part of it counts."""

import json
from typing import Any, cast

from bot.investigator.conversation import Reply, Stop, ToolCall, Usage
from gonogo.redaction import redacted

_STOPS: dict[str, Stop] = {"end_turn": "end", "stop_sequence": "end", "tool_use": "tool_use", "max_tokens": "max_tokens", "refusal": "refusal"}  # fmt: skip
_MOST_CHARACTERS = 400_000


class Cut(Exception):
    """The stream ended before its message did, or was none."""


async def reply_of(stream: Any) -> Reply:
    """Read a stream of the SDK to its end. A server that answers with the whole message at once is understood too."""
    if "application/json" in stream.response.headers.get("content-type", ""):
        await stream.response.aread()
        return _whole(stream.response.json())
    blocks: dict[int, dict[str, Any]] = {}
    texts: dict[int, str] = {}
    usage: dict[str, int] = {}
    stop, is_whole = None, False
    async for event in stream:
        match event.type:
            case "message_start":
                usage |= _figures(event.message.usage)
            case "content_block_start":
                blocks[event.index] = event.content_block.model_dump(mode="json", exclude_none=True)
            case "content_block_delta":
                _grow(blocks.setdefault(event.index, {"type": "text", "text": ""}), texts, event.index, event.delta)
                if sum(map(len, texts.values())) > _MOST_CHARACTERS:
                    raise Cut("the answer has no end")
            case "message_delta":
                stop = event.delta.stop_reason or stop
                usage |= _figures(event.usage)
            case "message_stop":
                is_whole = True
            case _:
                pass
    if not is_whole or stop is None:
        raise Cut("the stream broke off")
    for index, text in texts.items():
        if blocks[index]["type"] == "tool_use":
            blocks[index]["input"] = text
    return _reply([blocks[at] for at in sorted(blocks)], stop, usage)


def _grow(block: dict[str, Any], texts: dict[int, str], index: int, delta: Any) -> None:
    match delta.type:
        case "text_delta":
            block["text"] = block.get("text", "") + delta.text
            texts[index] = block["text"]
        case "input_json_delta":
            texts[index] = texts.get(index, "") + delta.partial_json
        case "thinking_delta":
            block["thinking"] = block.get("thinking", "") + delta.thinking
        case "signature_delta":
            block["signature"] = delta.signature
        case _:
            pass


def _whole(message: Any) -> Reply:
    if not isinstance(message, dict) or not isinstance(cast("dict[str, Any]", message).get("content"), list):
        raise Cut("the answer is no message")
    said = cast("dict[str, Any]", message)
    told = cast("dict[str, Any]", said.get("usage") or {})
    usage = {k: v for k, v in told.items() if isinstance(v, int)}
    return _reply([b for b in said["content"] if isinstance(b, dict)], said.get("stop_reason") or "end_turn", usage)


def _reply(blocks: list[dict[str, Any]], stop: str, usage: dict[str, int]) -> Reply:
    """The blocks as they are sent back, without secrets, and what they ask for."""
    calls: list[ToolCall] = []
    kept: list[dict[str, Any]] = []
    for block in blocks:
        match block.get("type"):
            case "tool_use":
                call = _call(block, len(calls))
                calls.append(call)
                kept.append({"type": "tool_use", "id": call.id, "name": call.name, "input": dict(call.arguments or {})})
            case "text":
                if text := redacted(str(block.get("text", ""))):
                    kept.append({"type": "text", "text": text})
            case _:
                kept.append(block)  # reasoning is signed and goes back as it came
    text = "\n".join(b["text"] for b in kept if b["type"] == "text")
    return Reply(text, tuple(calls), _STOPS.get(stop, "other"), _usage(usage), tuple(kept))


def _call(block: dict[str, Any], number: int) -> ToolCall:
    given: Any = block.get("input")
    name, identity = str(block.get("name", ""))[:100], str(block.get("id") or f"call_{number}")[:100]
    try:
        arguments: Any = (json.loads(given) if given.strip() else {}) if isinstance(given, str) else given
    except (ValueError, RecursionError):
        arguments = None
    if isinstance(arguments, dict):
        return ToolCall(identity, name, _without_secrets(arguments))
    return ToolCall(identity, name, None, redacted(str(given))[:500])


def _without_secrets(value: Any) -> Any:
    if isinstance(value, str):
        return redacted(value)
    if isinstance(value, dict):
        return {k: _without_secrets(v) for k, v in cast("dict[str, Any]", value).items()}
    return [_without_secrets(v) for v in cast("list[Any]", value)] if isinstance(value, list) else value


def _figures(usage: Any) -> dict[str, int]:
    return {k: v for k, v in usage.model_dump().items() if isinstance(v, int)}


def _usage(found: dict[str, int]) -> Usage:
    return Usage(
        input_tokens=found.get("input_tokens", 0),
        output_tokens=found.get("output_tokens", 0),
        cache_read_tokens=found.get("cache_read_input_tokens", 0),
        cache_write_tokens=found.get("cache_creation_input_tokens", 0),
    )
