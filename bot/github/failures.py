"""Tells what an answer of GitHub's means for the next step. https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api"""

import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from bot.github.wire import Answer
from gonogo.errors import (
    Archived,
    Forbidden,
    ForgeError,
    ForgeUnavailable,
    Gone,
    Locked,
    NotFoundYet,
    Refused,
    Suspended,
    Throttled,
)

SECONDARY_WAIT = timedelta(seconds=60)
"""After a limit that names no time. https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api"""

_LIMIT = re.compile(r"secondary rate|rate limit|abuse detection|too many requests|temporarily blocked", re.IGNORECASE)
_PERMISSION = re.compile(r"not accessible by integration|permission|must have (?:admin|write|push)", re.IGNORECASE)
_NOT_THERE = re.compile(r"no commit found|could not resolve|not found|does not exist|unknown (?:commit|revision)", re.IGNORECASE)


def failure_of(
    answer: Answer, *, doing: str, now: datetime, may_appear: bool = False, granted: Mapping[str, str] | None = None
) -> ForgeError:
    """What to raise for an answer of 300 and more.

    `may_appear`: what was asked for is new, so a 404 may be over in seconds. `granted`: the permissions that the token has; the
    first that GitHub would have accepted and that is not among them is the missing one.
    """
    status, said = answer.status, answer.message or answer.text[:200].strip()
    what = f"{doing}: GitHub answered {status}" + (f" ({said})" if said else "")
    if status in (403, 429) or (status == 503 and "retry-after" in answer.headers):
        return throttled(answer, what=what, now=now) or _forbidden(answer, what, granted or {})
    if status >= 500 or 300 <= status < 400:
        return ForgeUnavailable(what)
    if status == 401:
        return Forbidden(f"{what}; check the App's id and private key, and the clock of this host")
    if status == 404:
        return NotFoundYet(what) if may_appear else Gone(what)
    if status in (410, 451):
        return Gone(what)
    return _unprocessable(answer, what)


def throttled(answer: Answer, *, what: str, now: datetime) -> Throttled | None:
    """A limit, and when it is over; None when the answer is about something else."""
    asked = retry_after(answer.headers.get("retry-after"), now)
    if asked is not None:
        return Throttled(f"{what}; it asks to wait", not_before=asked)
    is_limit = bool(_LIMIT.search(answer.message or answer.text[:500]))
    if answer.headers.get("x-ratelimit-remaining") == "0" and (is_limit or not _PERMISSION.search(answer.message)):
        reset = reset_at(answer.headers) or now + SECONDARY_WAIT
        least = now + (SECONDARY_WAIT if "secondary" in answer.message.lower() else timedelta(seconds=1))
        return Throttled(f"{what}; the hour's calls are used up", not_before=max(reset, least))
    if is_limit or answer.status == 429:
        return Throttled(f"{what}; a secondary limit", not_before=now + SECONDARY_WAIT)
    return None


def retry_after(value: str | None, now: datetime) -> datetime | None:
    """The instant that a Retry-After header names, in seconds or as a date; an unreadable one counts as a minute."""
    if value is None:
        return None
    if value.strip().isdigit():
        return now + timedelta(seconds=int(value))
    try:
        named = parsedate_to_datetime(value)
    except ValueError:
        return now + SECONDARY_WAIT
    return max(now, named if named.tzinfo else named.replace(tzinfo=UTC))


def reset_at(headers: Mapping[str, str]) -> datetime | None:
    """When the hour's calls are counted anew."""
    value = headers.get("x-ratelimit-reset", "")
    return datetime.fromtimestamp(int(value), UTC) if value.isdigit() else None


def missing_permission(accepted: str, granted: Mapping[str, str]) -> str | None:
    """The permission to ask for, from `X-Accepted-GitHub-Permissions`: `a=write,b=read; c=write` means a and b, or else c."""
    ways = [[tuple(p.strip().partition("=")[::2]) for p in way.split(",") if "=" in p] for way in accepted.split(";")]
    lacking = [[name for name, level in way if not has(granted, name, level)] for way in ways if way]
    return min(lacking, key=len)[0] if lacking and all(lacking) else None


def has(granted: Mapping[str, str], name: str, level: str) -> bool:
    """Whether a permission is held at that level or a higher one."""
    return _LEVELS.get(granted.get(name, ""), 0) >= _LEVELS.get(level, 9)


_LEVELS = {"read": 1, "write": 2, "admin": 3}


def _forbidden(answer: Answer, what: str, granted: Mapping[str, str]) -> ForgeError:
    said = (answer.message or answer.text[:500]).lower()
    kind = next((make for words, make in _SAID if any(word in said for word in words)), None)
    if kind is not None:
        return kind(what)
    missing = missing_permission(answer.headers.get("x-accepted-github-permissions", ""), granted)
    advice = f"; the App needs the permission {missing}" if missing else "; accept the App's permissions, see: gonogo doctor"
    return Forbidden(what + advice, permission=missing)


_SAID: Collection[tuple[Collection[str], Callable[[str], ForgeError]]] = (
    (("suspended",), Suspended),
    (("archived",), Archived),
    (("locked",), Locked),
)


def _unprocessable(answer: Answer, what: str) -> ForgeError:
    said = (answer.message + answer.text[:2000]).lower()
    if "locked" in said:
        return Locked(what)
    if "archived" in said:
        return Archived(what)
    if answer.status == 422 and _NOT_THERE.search(answer.message):
        return NotFoundYet(what)
    return Refused(what)
