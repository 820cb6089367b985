"""Takes secrets out of facts before they are kept: what looks like one, or stands under a name that says it is one."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from context_graph.manifests.secret_values import WITHHELD, is_secret, without_userinfo
from gonogo.context import LogLine
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.word import Json

_SHAPES = pattern(
    r"(?:AKIA|ASIA)[0-9A-Z]{16}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY[\s\S]{0,4000}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}"
    r"|xox[abprs]-[A-Za-z0-9-]{10,}|(?:sk|rk)_live_[A-Za-z0-9]{8,}|sk-[A-Za-z0-9_-]{20,}|AIza[0-9A-Za-z_-]{30,}"
    r"|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]{5,})?"
)
_NAMED = pattern(
    r"(?i)(\b[\w.-]{0,40}(?:passw(?:or)?d|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|refresh[_-]?token"
    r"|client[_-]?secret|private[_-]?key)[\"']{0,1}\s{0,3}[=:]\s{0,3}[\"']?)(?!\(withheld\))([^\s\"',;&)}\]]{4,400})"
)
_TOKEN = pattern(r"(?i)(\btoken=[\"']?)(?=[^\s\"',;&)]{0,60}\d)([^\s\"',;&)]{8,400})")
"""A token with a digit in it: a parser's `unexpected token=identifier` holds none."""

_BEARER = pattern(r"(?i)(\b(?:bearer|basic)\s+)([A-Za-z0-9._~+/=-]{12,2000})")
_HINT = pattern(r"(?i)passw|passphrase|secret|key|token|bearer|basic|AKIA|ASIA|gh[pousr]_|github_pat|xox|sk|rk_|AIza|eyJ|://")
_MAX_DEPTH = 12


def redact_text(text: str) -> str:
    """A log message or any other text without the secrets in it; the words around them stay."""
    if _HINT.search(text) is None:
        return text
    text = _SHAPES.sub(WITHHELD, text)
    text = _NAMED.sub(lambda found: found[1] + WITHHELD, text)
    text = _TOKEN.sub(lambda found: found[1] + WITHHELD, text)
    text = _BEARER.sub(lambda found: found[1] + WITHHELD, text)
    return without_userinfo(text)


def redact(value: Json, name: str = "", *, depth: int = 0) -> Json:
    """A JSON value without the secrets in it; `name` is the key that it stands under."""
    if depth > _MAX_DEPTH:
        return WITHHELD
    if isinstance(value, str):
        return WITHHELD if is_secret(name, value) else redact_text(value)
    if isinstance(value, Mapping):
        held = cast("Mapping[str, Any]", value)
        return {key: redact(inner, key, depth=depth + 1) for key, inner in held.items()}
    if isinstance(value, list | tuple):
        return [redact(inner, name if isinstance(inner, str) else "", depth=depth + 1) for inner in cast("Sequence[Any]", value)]
    return value


def redacted[F](fact: F) -> F:
    """A resource's configuration, or a log line, without the secrets in it; other facts hold none."""
    if isinstance(fact, Resource):
        clean = {key: redact(value, key) for key, value in fact.attributes.items()}
        return fact if clean == fact.attributes else fact.model_copy(update={"attributes": clean})
    if isinstance(fact, LogLine):
        message = redact_text(fact.message)
        return fact if message == fact.message else fact.model_copy(update={"message": message})
    return fact
