"""What an answer of Cloudflare that is no success means for a scope.

Cloudflare puts the reason in `errors` of its envelope; the same HTTP status stands for several reasons.
https://developers.cloudflare.com/fundamentals/api/troubleshooting/
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from context_graph.collecting import ScopeStatus
from context_graph.providers.http_json import ApiRefused

_DENIED_CODES = frozenset((6003, 6103, 6111, 9103, 9106, 9109, 10000, 10001))
"""A token that is malformed, expired, unknown, not allowed; also with HTTP status 400."""

_THROTTLED_CODES = frozenset((971, 10429, 10013))
_UNSUPPORTED_CODES = frozenset((10042,))
"""R2 is not switched on in this account: HTTP says 403, and no permission would help."""

_NOT_SWITCHED_ON = ("please enable", "not enabled", "not entitled", "not available on your plan", "requires a paid plan")


def is_vanished(error: Exception) -> bool:
    """The thing was there when it was listed and is gone now: nobody's fault."""
    return isinstance(error, ApiRefused) and error.status in (404, 410) and not _codes(error) & _DENIED_CODES


def status_of_fault(error: Exception) -> ScopeStatus:
    """How a scope ends when this error ended it. What is not switched on in the account is `unsupported`."""
    if not isinstance(error, ApiRefused):
        return ScopeStatus.PARTIAL
    codes = _codes(error)
    words = " ".join(str(one.get("message", "")) for one in reasons(error.body)).lower()
    if error.status == 429 or codes & _THROTTLED_CODES:
        return ScopeStatus.THROTTLED
    if codes & _UNSUPPORTED_CODES or any(said in words for said in _NOT_SWITCHED_ON):
        return ScopeStatus.UNSUPPORTED
    if error.status in (401, 403) or codes & _DENIED_CODES:
        return ScopeStatus.DENIED
    return ScopeStatus.PARTIAL


def said(error: Exception) -> str:
    """One line for the reader: Cloudflare's own codes and words, without the request's."""
    if not isinstance(error, ApiRefused):
        return f"{type(error).__name__}: {error}"[:300]
    own = [f"{one.get('code', '?')}: {one.get('message', '')}" for one in reasons(error.body)]
    status = f"HTTP {error.status} " if error.status else ""
    return (status + "; ".join(own) if own else str(error))[:300]


def reasons(body: object) -> Sequence[Mapping[str, Any]]:
    """The entries of `errors` in an envelope."""
    errors = cast("Mapping[str, object]", body).get("errors") if isinstance(body, Mapping) else None
    if not isinstance(errors, list):
        return ()
    return [cast("Mapping[str, Any]", one) for one in cast("list[object]", errors) if isinstance(one, Mapping)]


def _codes(error: ApiRefused) -> set[int]:
    return {code for one in reasons(error.body) if isinstance(code := one.get("code"), int)}
