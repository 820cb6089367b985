"""Which values must not be kept: names stay, values of anything secret-like are withheld at this door."""

import re

from gonogo.pattern import pattern

WITHHELD = "(withheld)"
_SECRET_NAME = pattern(
    r"(?i)pass(?:word|wd|phrase)?(?:$|[_\W\d])|passw(?:or)?d|secret|token|api_?key|access_?key|private_?key|signing_?key"
    r"|encryption_?key|credential|(?:^|_)(?:pwd|salt|pat|dsn)(?:$|_)|auth_?key|master_?key|connection_?string"
)
_HARMLESS_END = pattern(
    r"(?i)(?:_|^|[a-z])(?:ttl|url|uri|arn|name|names|id|ids|s|sec|secs|seconds|ms|minutes|hours|days|expiry|expiration|count|limit"
    r"|length|timeout|file|path|enabled|required|type|issuer|audience|header|tokens|per_second|validity|policy|rotation|region"
    r"|version|prefix|algorithm|manager|bucket|queue|table)$|expires_?in$|max_?tokens"
)
_SECRET_VALUE = pattern(
    r"AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]{0,30}PRIVATE KEY|gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}"
    r"|sk_live_[A-Za-z0-9]{8,}|sk-[A-Za-z0-9_-]{20,}|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{5,}|AIza[0-9A-Za-z_-]{30,}"
)
_USERINFO = pattern(r"(://)[^/\s:@]{0,200}:[^/\s@]{1,200}@")


def is_secret(name: str, value: str) -> bool:
    """True when the value under this name looks like a secret; a reference to a secret (ARN, URL, name) is not one."""
    if _SECRET_VALUE.search(value[:4000]):
        return True
    if not _SECRET_NAME.search(name) or value == "":
        return False
    if _HARMLESS_END.search(name) and not re.search(r"(?i)passw(?:or)?d$", name):
        return False
    if value.startswith(("arn:", "{{resolve:", "${", "ssm:", "/", "secretKeyRef: ", "configMapKeyRef: ")) or value in (
        "true",
        "false",
    ):
        return False
    return not re.fullmatch(r"https?://[^@\s]{1,500}", value)


def without_userinfo(value: str) -> str:
    """A URL or connection string without the user and password in it; host, port and path stay."""
    return _USERINFO.sub(r"\1", value) if "@" in value else value
