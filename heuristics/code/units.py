"""The unit of a bare number, from its name or from the interface it is handed to."""

import re

from gonogo.pattern import pattern

_NAME_ENDS = (
    (pattern(r"(?i)(_ms|_millis(econds)?|millis(econds)?|_msec|timeoutms)$|(?<=[a-z])(Ms|MS|Millis|MilliSeconds)$"), "ms"),
    (pattern(r"(?i)(_s|_secs?|_seconds?|seconds|_sec)$|(?<=[a-z])(Secs?|Seconds?|Sec)$"), "s"),
    (pattern(r"(?i)(_mins?|_minutes?|minutes)$|(?<=[a-z])(Mins?|Minutes?)$"), "min"),
    (pattern(r"(?i)(_hours?|_hrs?|hours)$|(?<=[a-z])Hours?$"), "h"),
    (pattern(r"(?i)(_days?|days)$|(?<=[a-z])Days?$"), "d"),
    (pattern(r"(?i)(_us|_micros(econds)?)$|(?<=[a-z])Micros$"), "us"),
    (pattern(r"(?i)(_ns|_nanos(econds)?)$|(?<=[a-z])Nanos$"), "ns"),
)

_SCRIPT = ("typescript", "tsx", "javascript")
_TIMED_WORD = pattern(
    r"(?i)time_?out|delay|interval|deadline|ttl|max_?age|expir|backoff|wait|sleep|keep_?alive|grace|lease|idle|lifetime"
)

_CALLEES: tuple[tuple[tuple[str, ...], re.Pattern[str], str], ...] = (
    (_SCRIPT, pattern(r"^AbortSignal\.timeout$|^(global(This)?\.|window\.)?set(Timeout|Interval)$|\bsleep$|\bdelay$|\bwaitFor\w*$|^new Promise"), "ms"),
    (_SCRIPT, pattern(r"(?i)\b(setex|expire)$"), "s"),
    (_SCRIPT, pattern(r"(?i)\bp(setex|expire)$"), "ms"),
    (_SCRIPT, pattern(r"^(axios|got|ky|superagent|undici|http|https|request|needle)\b|\b(setTimeout|timeout)$"), "ms"),
    (("python",), pattern(r"\b(time|asyncio|gevent|trio|anyio|eventlet)\.sleep$|wait_for$|asyncio\.timeout$|move_on_after$|fail_after$"), "s"),
    (("python",), pattern(r"\b(psetex|pexpire)$"), "ms"),
    (("python",), pattern(r"\b(setex|expire)$"), "s"),
    (("ruby", "elixir", "php"), pattern(r"\b(psetex|pexpire)$"), "ms"),
    (("ruby",), pattern(r"^sleep$|Timeout\.timeout$|\bset_?ex$|\bexpire$|\bwait$"), "s"),
    (("php",), pattern(r"^usleep$"), "us"),
    (("php",), pattern(r"^(sleep|set_time_limit)$|->(timeout|connectTimeout|setTimeout|setex|expire)$|Cache::(put|remember|add)$"), "s"),
    (("elixir",), pattern(r"^Process\.(sleep|send_after)$|^Task\.await|^GenServer\.call"), "ms"),
    (("java", "kotlin"), pattern(r"\bThread\.sleep$|^delay$|\bset(Connection|Connect|Read|Idle|Validation|Socket|Response)\w*Timeout$|setMaxLifetime$|^withTimeout\w*$"), "ms"),
    (("csharp",), pattern(r"\b(Thread\.Sleep|Task\.Delay|CancelAfter)$"), "ms"),
    (("bash",), pattern(r"^(sleep|timeout)$"), "s"),
)  # fmt: skip


def unit_of(language: str, name: str, call: str) -> str:
    """The unit of a bare number called `name` and handed to `call`; an empty text when nothing says it."""
    lowered = name.lower()
    if lowered in ("ex", "max-age", "s-maxage", "maxage", "max_age", "ttl_seconds"):
        return "ms" if lowered == "maxage" and language in _SCRIPT and re.search(r"(?i)cookie|session|static", call) else "s"
    if lowered == "px":
        return "ms"
    if language == "bash" and lowered in ("max-time", "connect-timeout", "retry-delay", "retry-max-time"):
        return "s"
    for tried, unit in _NAME_ENDS:
        if tried.search(name):
            return unit
    for languages, tried, unit in _CALLEES:
        is_option = re.split(r"\W+", call)[-1] != name
        if language in languages and tried.search(call) and (not _is_count(name)) and (not is_option or _TIMED_WORD.search(name)):
            return unit
    if not _TIMED_WORD.search(name):
        return ""
    return (
        _OF_TIMED_NAME.get(language, "")
        if re.search(r"(?i)time_?out|delay|interval|deadline|sleep|wait|backoff", name)
        else _OF_KEPT_NAME.get(language, "")
    )


def _is_count(name: str) -> bool:
    return re.search(r"(?i)retr|attempt|count|max$|limit|size|concurren|status|code", name) is not None


_OF_TIMED_NAME = {
    "python": "s", "ruby": "s", "php": "s", "typescript": "ms", "tsx": "ms", "javascript": "ms", "java": "ms", "kotlin": "ms", "elixir": "ms",
    "go": "ns", "nginx": "s", "bash": "s",
}  # fmt: skip
"""What a bare number called timeout, delay or interval is in, by the habit of the language's libraries."""

_OF_KEPT_NAME = {"python": "s", "ruby": "s", "php": "s", "nginx": "s"}
"""What a bare number called ttl, expiry or max age is in, where the language's libraries agree."""
