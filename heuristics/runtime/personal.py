"""What an expression in a cache key tells apart: each request, each visitor, each user, or a few groups of them."""

import re
from enum import StrEnum

from gonogo.pattern import pattern
from gonogo.record import Record
from heuristics.code.paths import is_production_code
from heuristics.code.word_sets import words
from heuristics.rule import RuleContext


class Each(StrEnum):
    """Whose answers are told apart."""

    REQUEST = "request"
    SESSION = "session"
    USER = "user"


class Part(Record):
    """One part of a key. `is_certain` is False when only its name says so, and the name has another meaning too."""

    text: str
    each: Each
    is_certain: bool


_REQUEST = words(
    "uuid1 uuid4 uuidv4 uuidv7 randomuuid randint randbytes tokenhex requestid reqid traceid correlationid spanid nanotime currenttimemillis timens hrtime"
    " unixnano unixmilli urandom nanoid"
)
_CALLED = words("uuid random rand nonce now timestamp ulid cuid newstring newuuid hex")
"""The same as calls, or of what makes them: `uuid()`, `time.now`; as a name alone they may be what an entity has."""
_MAKERS = words(
    "uuid crypto random math secrets os time date datetime timezone instant system securerandom performance process clock chrono ulid"
)
_SESSION = words(
    "sid sessid sessionid sessionkey sessiontoken visitorid anonymousid anonid deviceid jsessionid phpsessid remoteaddr remoteip clientip accesstoken authtoken"
    " authorization bearer jwt csrf useragent cookie cookies"
)
_OF_REQUESTS = words("ip ipaddress fingerprint token")
_REQUESTS = words("req request ctx context c client session cookies cookie headers device visitor browser remote user http arg")
_USER = words(
    "userid uid accountid memberid customerid email login username principal principalid viewerid shopperid playerid guestid profileid subscriberid patientid studentid currentuser"
)
_OWNERS = words(
    "session sess user currentuser member customer account visitor viewer principal me shopper player guest subscriber claims"
)
_OWN_IDS = words("id uuid pk key sub email userid sessionid guid toparam name")
_GROUPS = words(
    "tier plan role roles locale lang language currency country region group segment variant type kind level channel market theme tz timezone day date hour month week"
    " year store shop site tenant brand version loggedin isauthenticated authenticated ismember ispremium premium cohort bucket"
)
_COARSE = pattern(r"(?i)floor|//\s*\d|/\s*\(?\d|\bstrftime|truncat|slice\(|substr|beginning_of|to_date|toDateString|Format\(\"2006-01-02\"|date_trunc|\bday\b|\bhour\b|\[:\d+\]")  # fmt: skip
_SOURCE = (
    (Each.SESSION, pattern(r"(?i)\bsid\b|sess(?:ion)?[-_.]?(?:id|sid|key|token)\b|visitor[-_]?id|anon\w*id|device[-_]?id|remote_?addr|authorization|bearer|jsessionid|phpsessid")),
    (Each.USER, pattern(r"(?i)current_?user|req(uest)?\.user|\bclaims\b|\bjwt\b|principal|\bauth(enticated)?_?user|@AuthenticationPrincipal|getUserId|user_?id")),
    (Each.REQUEST, pattern(r"(?i)uuid|random|nanoid|date\.now|time\.time\(|time\.now|request[-_]?id|trace[-_]?id|datetime\.(utc)?now|currentTimeMillis")),
)  # fmt: skip
_OF_PROXIES = pattern(r"^\$(cookie|http|arg)_")
_DEPTH = 2


def part_of(context: RuleContext, file: str, line: int, text: str) -> Part | None:
    """What an expression on a line of a head file tells apart; None when it is shared by many, or not known to be anyone's own."""
    lines = (context.head.text(file) or "").split("\n")
    here = lines[line - 1] if 0 < line <= len(lines) else ""
    by_name = _named(text, here)
    segments = _segments(text)
    if by_name is not None or not segments or segments[-1] in _GROUPS or "." in text.strip("."):
        return by_name
    bare = text.strip("@$#&*")
    traced = _traced(context, file, bare, line, _DEPTH) if re.fullmatch(r"\w{1,60}", bare) else None
    if traced is not None:
        return Part(text, traced, is_certain=True)
    weak = {"session": Each.SESSION, "visitor": Each.SESSION, "user": Each.USER, "member": Each.USER, "customer": Each.USER, "account": Each.USER, "viewer": Each.USER, "token": Each.SESSION}.get(segments[-1])  # fmt: skip
    return Part(text, weak, is_certain=False) if weak is not None else None


def _named(text: str, line: str) -> Part | None:
    segments = _segments(text)
    if not segments:
        return None
    last = segments[-1]
    if last in _GROUPS:
        return None
    owner = segments[-2] if len(segments) > 1 else ""
    is_made = last in _CALLED and (text.endswith("()") or any(s in _MAKERS for s in segments[:-1]))
    if any(s in _REQUEST for s in segments) or is_made or segments[-2:] == ["time", "time"]:
        return None if _COARSE.search(line) else Part(text, Each.REQUEST, is_certain=True)
    if last in _SESSION and (not owner or owner in _REQUESTS or owner in _OWNERS):
        return Part(text, Each.SESSION, is_certain=True)
    if owner in _REQUESTS and (last in _OF_REQUESTS or owner in ("cookie", "cookies")):
        return Part(text, Each.SESSION, is_certain=last in _OF_REQUESTS)
    if last in _USER:
        return Part(text, Each.USER, is_certain=True)
    owners = [s for s in segments[:-1] if s in _OWNERS]
    if owners and last in _OWN_IDS:
        each = Each.SESSION if owners[-1] in ("session", "sess", "visitor") else Each.USER
        return Part(text, each, is_certain=True)
    return None


def _segments(text: str) -> list[str]:
    """`req.session.user_id` → req, session, userid."""
    text = _OF_PROXIES.sub(r"\1.", text)
    parts = [re.sub(r"[^a-z0-9]", "", s.lower()) for s in re.split(r"[.?:\[\]'\"()!@$#\->]+", text) if s]
    return [re.sub(r"^get(?=[a-z])", "", part) for part in parts if part]


def _traced(context: RuleContext, file: str, name: str, line: int, depth: int) -> Each | None:
    """What the name was set from: an assignment above it, else the argument that callers give for the parameter."""
    lines = (context.head.text(file) or "").split("\n")
    set_to = re.compile(rf"(?<![\w.]){re.escape(name)}\s*(?::\s*[\w.<>\[\]]+\s*)?(?::=|=(?![=>]))\s*(?P<value>[^\n]+)")
    taken = re.compile(rf"[{{(,]\s*(?:\w+\s*:\s*)?{re.escape(name)}\s*[,}}=:][^\n]*?[}})]\s*=(?![=>])\s*(?P<value>[^\n]+)")
    for text in reversed(lines[max(0, line - 40) : line]):
        found = set_to.search(text[:600]) or taken.search(text[:600])
        if found is not None and "def " not in text and "function " not in text and "func " not in text:
            return None if _COARSE.search(found["value"]) else _source_in(found["value"])
    if depth == 0:
        return None
    for number in range(line, max(0, line - 40), -1):
        header = _HEADER.search(lines[number - 1][:600])
        if header is not None:
            at = _position(header["parameters"], name)
            return _from_callers(context, header["name"], at, depth) if at is not None else None
    return None


_HEADER = pattern(r"(?:def|function|func|fun|fn)\s+(?:\([^)]{0,80}\)\s*)?(?:self\.)?(?P<name>\w+[?!]?)\s*(?:<[^>]{0,80}>)?\((?P<parameters>[^)]{0,400})\)|(?:const|let)\s+(?P<name2>\w+)\s*=|(?:public|private|static|protected)\s+[\w<>\[\], .?]+\s+(?P<name3>\w+)\(")  # fmt: skip


def _position(parameters: str | None, name: str) -> int | None:
    if parameters is None:
        return None
    listed = [p for p in parameters.split(",") if p.strip() not in ("self", "cls")]
    for at, one in enumerate(listed):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", one.partition("=")[0]):
            return at
    return None


def _from_callers(context: RuleContext, function: str, at: int, depth: int) -> Each | None:
    bare = function.rstrip("?!")
    call = re.compile(rf"(?<!def )(?<!function )(?<!func )(?<!\w){re.escape(bare)}\((?P<arguments>.*)")
    for places in context.head.search({bare}).values():
        for place in places[:30]:
            if not is_production_code(place.file):
                continue
            text = (context.head.text(place.file) or "").split("\n")[place.line - 1][:600]
            found = call.search(text)
            header = _HEADER.search(text)
            is_own = header is not None and header["name"] == function
            given = arguments_of(found["arguments"]) if found is not None and not is_own else []
            if at < len(given):
                named = _named(given[at], text)
                if named is not None:
                    return named.each
                traced = (
                    _traced(context, place.file, given[at], place.line, depth - 1)
                    if re.fullmatch(r"\w{1,60}", given[at])
                    else None
                )
                if traced is not None:
                    return traced
    return None


def arguments_of(text: str) -> list[str]:
    """The arguments of a call from what follows its opening bracket; brackets inside of them count."""
    found, current, depth = [""], 0, 0
    for char in text:
        if char in ")]}" and depth == 0:
            break
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth == 0:
            found.append("")
            current += 1
        else:
            found[current] += char
    return [one.strip() for one in found]


def _source_in(value: str) -> Each | None:
    return next((each for each, words_of_it in _SOURCE if words_of_it.search(value[:400])), None)
