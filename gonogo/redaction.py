"""Takes secrets out of text before a model, a journal, a store or a report sees it. Lines stay where they are.

Three ways to know one: by its own shape (a vendor's prefix), by where it stands (a header, the user part of an address), and by
the name that it is assigned to. A name, a reference and a placeholder are no secrets.
"""

import re
import string
from functools import lru_cache

from gonogo.pattern import pattern

MARK = "[redacted]"

SHAPES: tuple[tuple[str, str], ...] = (
    ("private key block", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[^\n-]+"),
    ("line of base64", r"(?m)^[ \t\"']*[A-Za-z0-9+/]{60,76}={0,2}(?:\\n)?[\"',]*$"),
    ("age key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    ("AWS access key id", r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"),
    ("GitHub token", r"\bgh[pousr]_[A-Za-z0-9]{30,}"),
    ("GitHub fine-grained token", r"\bgithub_pat_[A-Za-z0-9_]{22,}"),
    ("GitLab token", r"\bgl(?:pat|ptt|dt|rt|cbt|soat|ft|imt|agent)-[A-Za-z0-9_-]{20,}"),
    ("Slack token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}"),
    ("Slack webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{20,}"),
    ("Discord webhook", r"discord(?:app)?\.com/api/webhooks/\d+/[A-Za-z0-9_-]{30,}"),
    ("Stripe key", r"\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}"),
    ("Anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    ("OpenAI key", r"\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}"),
    ("Google API key", r"\bAIza[0-9A-Za-z_-]{35}"),
    ("Google OAuth token", r"\bya29\.[0-9A-Za-z_-]{20,}|\bGOCSPX-[0-9A-Za-z_-]{20,}"),
    ("JSON Web Token", r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    ("npm token", r"\bnpm_[A-Za-z0-9]{30,}"),
    ("PyPI token", r"\bpypi-[A-Za-z0-9_-]{16,}"),
    ("RubyGems key", r"\brubygems_[a-f0-9]{40,}"),
    ("SendGrid key", r"\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    ("Twilio key", r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    ("Mailgun key", r"\bkey-[0-9a-f]{32}\b"),
    ("Mailchimp key", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    ("DigitalOcean token", r"\bdo[opr]_v1_[a-f0-9]{40,}"),
    ("Databricks token", r"\bdapi[0-9a-f]{32}"),
    ("Hugging Face token", r"\bhf_[A-Za-z0-9]{30,}"),
    ("Telegram bot token", r"\b\d{8,10}:AA[A-Za-z0-9_-]{32,}"),
    ("Vault token", r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}"),
    ("Terraform Cloud token", r"\b[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}"),
    ("Shopify token", r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("Square token", r"\bsq0[a-z]{3}-[A-Za-z0-9_-]{22,}"),
    ("Grafana token", r"\bgl(?:sa|c)_[A-Za-z0-9+/=_]{24,}"),
    ("New Relic key", r"\bNR(?:AK|JS|II|IQ)-[A-Za-z0-9_-]{20,}"),
    ("Linear key", r"\blin_(?:api|oauth)_[A-Za-z0-9]{30,}"),
    ("Doppler token", r"\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,}"),
    ("Postman key", r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    ("Notion token", r"\b(?:secret|ntn)_[A-Za-z0-9]{40,}"),
    ("Sentry token", r"\bsntrys?_?[A-Za-z0-9_=+/-]{40,}"),
)
"""What is called a secret by its own form: name of the kind → regular expression of the whole secret."""

_IN_PLACE: tuple[tuple[str, str], ...] = (
    ("password of an address", r"(?<=://)([^\s:/@\"'<>{}$]*):([^\s@\"'<>{}$/][^\s@\"'<>{}$]*)(?=@)"),
    ("authorization header", r"(?i)\b(bearer|basic|token)(\s+)(?=[A-Za-z0-9._~+/=-]{16,})(?=\S*[0-9._~+/=-])([A-Za-z0-9._~+/=-]{16,})"),
    ("key of an Azure account", r"(?i)\b(AccountKey|SharedAccessKey|SharedAccessSignature)(\s*=\s*)([A-Za-z0-9+/=%]{20,})"),
    ("signature of a link", r"(?i)([?&](?:sig|signature|x-amz-signature|x-goog-signature|token|access_token)(=))([A-Za-z0-9%+/=_.-]{16,})"),
)  # fmt: skip

_NAME = r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|secret[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|account[_-]?key|client[_-]?secret|credentials?|auth[_-]?token|webhook[_-]?(?:secret|url)|salt)"
_ASSIGNED = (
    r"(?i)(" + _NAME + r"(?:[_-](?:value|key|id))?[\"'`]?\s*(?:\]|\))?\s*(?::=|=>|[:=])\s*)"
    r"(?:([\"'`])((?:(?!\2)[^\n\\]|\\.){4,}?)\2|[\"'`]?([^\s\"'`,;(){}<>\[\]$&|#]{8,}))(?![(.\w])"
)
_LONE = r"(?i)((?:--?|/)(?:password|passwd|token|secret|api-key)[ =])([^\s\"'$-][^\s\"'$]{5,})"
_VALUE = r"([\"'`])(?P<value>(?:(?!\2)[^\n\\]|\\.){4,}?)(?P<after>\2)"
_NAMED = r"[\w.-]{0,80}" + _NAME + r"[\w.-]{0,40}"
_ELSEWHERE: tuple[tuple[str, str], ...] = (
    ("password in SQL", r"(?i)(?P<before>\b(?:password|identified\s+(?:with\s+[\w']+\s+)?(?:by|as))\s+(?:password\s+)?e?')(?P<value>[^'\n]{3,})(?P<after>')"),
    ("password of a client", r"(?i)(?P<before>\b(?:curl|wget|https?)\b[^\n]{0,300}?\s(?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"'$]{1,80}:)(?P<value>[^\s\"'$]{3,})(?P<after>)"),
    ("fallback in a call", r"(?i)(?P<before>\b(?:get\w*|fetch|env\w*|config\w*|lookup|setting\w*)\(\s*[\"'`]" + _NAMED + r"[\"'`]\s*,\s*(?:default\w*\s*[=:]\s*|fallback\s*[=:]\s*)?)" + _VALUE),
    ("fallback of an expression", r"(?i)(?P<before>" + _NAME + r"[\w.-]{0,40}[\"'`]?\s*[\])]?\s*(?:\|\||\?\?|\?:|\bor\b)\s*)" + _VALUE),
    ("fallback in a shell", r"(?i)(?P<before>\$\{" + _NAMED + r":?[-=])(?P<value>[^\s}\"'$]{4,})(?P<after>\})"),
)  # fmt: skip
"""A value that stands for a secret without being assigned to its name: kind → regular expression with `before`, `value` and `after`."""

_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_LONGEST_NAME = 200
_HINT = (
    r"(?i)pass|pwd|identified|curl|wget|https?\b[^\n]{0,300}\s-|secret|token|key|credential|salt|webhook|signature|[?&]sig=|://[^\s/]*@|bearer|basic |-----BEGIN|eyJ|xox|xapp|"
    r"gh[pousr]_|github_pat_|whsec_|hooks\.slack|/webhooks/|gl\w+[-_]|sk[-_]|rk_|AIza|ya29|GOCSPX|npm_|pypi-|rubygems_|SG\.|\bSK|\bAC[0-9a-f]{8}|-us\d|do[opr]_v1|dapi|hf_|:AA|hv[sbr]\.|"
    r"atlasv1|shp|sq0|NR[AJI]|lin_|dp\.|PMAK|ntn_|sntr|A[KSBC][IC]A|[A-Za-z0-9+/]{60}"
)

_SHORT = 2_000
_hint = pattern(_HINT)
_secret_name = pattern(rf"(?i)(?:^|[^a-z])(?:{_NAME})(?:$|[^a-z])|(?:password|secret|token|apikey)s?$")
_shapes = pattern("|".join(f"(?:{shape.removeprefix('(?m)')})" for _, shape in SHAPES), re.MULTILINE)
_in_place = tuple(pattern(shape) for _, shape in _IN_PLACE)
_assigned = pattern(_ASSIGNED)
_elsewhere = tuple(pattern(shape) for _, shape in _ELSEWHERE)
_lone = pattern(_LONE)
_placeholder = pattern(
    r"(?i)^(?:\[redacted\].*|x{3,}|\*{3,}|\.{3,}|<.*>|\$.*|%.*%|\{\{.*|changeme|placeholder|example|null|none|nil|true|false|undefined|required|optional|string|str|"
    r"process\.env.*|os\.environ.*|env\..*|var\..*|local\..*|data\..*|module\..*|aws_.*|secrets?\..*|vault:.*|ssm:.*|arn:.*|projects/.*|!.*|file:.*|/.*|\d{1,7}|[a-z_]+\..*)$"
)
_of_an_arn = pattern(r"\barn:[\w-]+:[\w-]+:[\w-]*:\d*:\Z")
_wordlike = pattern(r"^[A-Za-z]+(?:[-_ ./:][A-Za-z]+)*$")


def redacted(text: str) -> str:
    """The same lines with every secret replaced by `[redacted]`; text without one comes back as it is. Twice is as once."""
    if not _hint.search(text):
        return text
    return _seen_before(text) if len(text) <= _SHORT else _redacted(text)


def is_secret_name(name: str) -> bool:
    """Whether what such a variable or setting holds is a secret, by its name."""
    return _secret_name.search(name) is not None


@lru_cache(maxsize=4_096)
def _seen_before(text: str) -> str:
    """One report quotes the same lines many times."""
    return _redacted(text)


def _redacted(text: str) -> str:
    text = _shapes.sub(lambda found: _kept_ends(found[0]), text)
    text = _in_place[0].sub(lambda m: f"{m[1]}:{MARK}", text)
    for one in _in_place[1:]:
        text = one.sub(lambda m: f"{m[1]}{'' if m[2] in m[1] else m[2]}{MARK}", text)
    for one in _elsewhere:
        text = one.sub(_fallback_taken_out, text)
    text = _assigned.sub(_value_taken_out, text)
    return _lone.sub(lambda m: m[0] if _placeholder.match(m[2]) else f"{m[1]}{MARK}", text)


def _fallback_taken_out(found: re.Match[str]) -> str:
    value = found["value"]
    if _placeholder.match(value) or MARK in value or "${" in value or "{{" in value:
        return found[0]
    start, end = found.span("value")
    return f"{found.string[found.start() : start]}{MARK}{found.string[end : found.end()]}"


def _value_taken_out(found: re.Match[str]) -> str:
    before, mark, quoted, bare = found[1], found[2], found[3], found[4]
    value = quoted if quoted is not None else bare
    if _of_an_arn.search(found.string, max(0, found.start() - 200), found.start()):
        return found[0]  # arn:aws:secretsmanager:eu-west-1:1234:secret:shop/stripe-a1B2c3 names a secret
    if _placeholder.match(value) or MARK in value or "${" in value or "{{" in value:
        return found[0]
    if quoted is None and not (re.search(r"\d", value) and re.search(r"[A-Za-z]", value)):
        return found[0]  # a bare word is a name, a type or a call
    if quoted is not None and _wordlike.match(value) and not re.search(r"(?i)pass|pwd", _word_before(found) + before):
        return found[0]  # `secret_name: "orders-database"` names a secret
    return f"{before}{mark or ''}{MARK}{mark or ''}"


def _word_before(found: re.Match[str]) -> str:
    """What stands before the name in the same word: `password_` of `password_salt`. Looked at here, since a pattern that
    begins with such a run takes time with the square of its length.
    """
    end = found.start()
    near = found.string[max(0, end - _LONGEST_NAME) : end]
    return near[len(near.rstrip(_NAME_CHARACTERS)) :]


def _kept_ends(found: str) -> str:
    """The secret replaced, with the quotes, commas and spaces around it."""
    body = found.strip(" \t\"',")
    return found.replace(body, MARK) if body else found
