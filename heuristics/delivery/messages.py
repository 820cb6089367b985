"""Fields that a producer's messages lose, rename or gain, with the code of the same repository that reads them."""

import re
from collections.abc import Collection, Iterator, Sequence

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.delivery.schemas import RECEIVES, required_field
from heuristics.rule import RuleContext

SENDS = pattern(
    r"(?i)\b(send_?messages?(_?batch)?|publish(_batch|Batch|Message|Event)?|produce(Message)?|put_?events?|put_?records?|basic_publish|enqueue|perform_async|perform_later"
    r"|sendToQueue|convertAndSend|kafkaTemplate|KafkaProducer|producer\.send|emit_event|SendMessageCommand|PublishCommand|PutEventsCommand|PutRecordCommand|WriteMessages"
    r"|SendMessageInput|PublishInput|xadd|apply_async)\b"
)
"""Words of calls that send a message."""
_TAKES = pattern(
    r"""(?i)["']?Records["']?|json\.loads|JSON\.parse|Unmarshal|Deserializ|readValue|ObjectMapper|JsonSerializer|from_json|KafkaListener|SqsListener|RabbitListener"""
    r"|on_message|onMessage|ReceiveMessage|receive_message|basic_consume|consumer\b|json_decode|JSON\.parse|perform\b|batch\.messages|message\.body|msg\.(value|body|data)"
)
_NAMED = pattern(
    r"""(?:@JsonProperty|@SerializedName|@SerialName|\[JsonPropertyName|\[JsonProperty|@Json)\(\s*(?:name\s*=\s*|value\s*=\s*)?["']([\w.-]+)["']"""
    r"""|json:"([\w.-]+)|serde\(rename\s*=\s*"([\w.-]+)"|(?:serialization_alias|alias)\s*=\s*["']([\w.-]+)["']"""
)
_KEY = pattern(
    r"""["']([A-Za-z_][\w.-]{1,60})["']\s*(?::(?!:)|=>)|(?<![\w.?])([a-z_][A-Za-z0-9_]{1,60})\s*:\s*(?=[\w"'(\[{$`-])"""
)
_FIELD = {
    "kotlin": pattern(r"\b(?:val|var)\s+(\w+)\s*:"),
    "java": pattern(r"(?:record\s+\w+\(|,|private|public)\s*(?:final\s+)?[\w<>\[\]]+\s+(\w+)\s*(?=[,);=])"),
    "python": pattern(r"^\s{2,8}([a-z_]\w*)\s*:\s*[A-Za-z\"']", re.MULTILINE),
    "csharp": pattern(r"public\s+[\w<>?\[\]]+\s+(\w+)\s*\{\s*get"),
}
_STRICT = pattern(
    r"""(?i)extra\s*=\s*["']forbid|additionalProperties["']?\s*:\s*false|FAIL_ON_UNKNOWN_PROPERTIES\s*,\s*true|DisallowUnknownFields|deny_unknown_fields|\.strict\(\)"""
)


class Reader(Record):
    """A line of a consumer that reads a field; strict when the field's absence raises."""

    place: Place
    is_strict: bool
    is_schema: bool = False
    """The line declares the field in a schema that the consumer checks messages by."""


class ChangedMessage(Record):
    """One field that goes from (or comes to) the messages that a file describes or sends."""

    name: str
    is_added: bool
    place: Place
    """The removed line of the field, or the added one."""
    head: Place
    """The line at head beside it."""
    sender: Place
    """The code that sends."""
    readers: tuple[Reader, ...]
    """Who reads the field; for an added one, who reads the fields that stay."""
    refuses_unknown: bool = False
    may_be_renamed: bool = False
    """Other fields come with the same change."""


def changed_messages(context: RuleContext) -> tuple[ChangedMessage, ...]:
    """Every field of a message that differs, where both ends are in this repository."""
    found: list[ChangedMessage] = []
    for file in context.changes.files:
        path = file.head_path
        if (
            path is None
            or file.base_path is None
            or not file.hunks
            or not is_production_code(path)
            or language_of(path) not in CODE_LANGUAGES
        ):
            continue
        found += _of_file(context, file, path)
    return tuple(found)


def _of_file(context: RuleContext, file: ChangedFile, path: str) -> Iterator[ChangedMessage]:
    before, after = context.base.text(file.base_path or path) or "", context.head.text(path) or ""
    language = language_of(path) or ""
    sends = SENDS.search(after) is not None
    old, new = _names(before, language, with_keys=sends), _names(after, language, with_keys=sends)
    gone = {n: line for n, line in old.items() if n not in new and line in file.removed_lines()}
    come = {n: line for n, line in new.items() if n not in old and line in file.added_lines()}
    if not gone and not come:
        return
    sender = _sender(context, path, after)
    if sender is None:
        return
    for name, line in gone.items():
        readers = tuple(r for r in _readers(context, {name}, path) if not _takes_both(context, r.place, name, come))
        if readers:
            head = Place(file=path, line=file.head_line_after_which(line))
            yield ChangedMessage(
                name,
                is_added=False,
                place=Place(file=file.base_path or path, line=line, side="base"),
                head=head,
                sender=sender,
                readers=readers,
                may_be_renamed=bool(come),
            )
    if gone:
        return
    kept = tuple(_readers(context, set(new) & set(old), path))[:3]
    for name, line in come.items():
        if kept and not list(_readers(context, {name}, path)):
            strict = any(_STRICT.search(context.head.text(r.place.file) or "") for r in kept)
            at = Place(file=path, line=line)
            yield ChangedMessage(name, is_added=True, place=at, head=at, sender=sender, readers=kept, refuses_unknown=strict)


def _takes_both(context: RuleContext, place: Place, name: str, come: Collection[str]) -> bool:
    """Whether the consumer knows the new spelling of a renamed field too."""
    lines = (context.head.text(place.file) or "").split("\n")
    around = "\n".join(line[:600] for line in lines[max(0, place.line - 3) : place.line + 2])
    return any(re.search(rf"(?<!\w){re.escape(other)}(?!\w)", around) for other in come if _plain(other) == _plain(name))


def _plain(name: str) -> str:
    return re.sub(r"[_.\-]", "", name).lower()


def _is_beside_receiver(context: RuleContext, file: str, sender: str) -> bool:
    """Whether a file next to this one receives messages, in another folder than the sender's."""
    folder = file.rpartition("/")[0]
    if not folder or sender.startswith(folder + "/"):
        return False
    beside = [p for p in context.head.paths() if p.rpartition("/")[0] == folder and language_of(p) in CODE_LANGUAGES]
    return any(
        RECEIVES.search((context.head.text(p) or "")[:100_000]) for p in beside[:30] if p != file and is_production_code(p)
    )


def _names(text: str, language: str, *, with_keys: bool) -> dict[str, int]:
    """Wire name → line. Names in annotations win over those of the fields beneath them."""
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n")[:5_000], start=1):
        short = line[:600]
        annotated = [next(g for g in m.groups() if g) for m in _NAMED.finditer(short)]
        for name in annotated:
            found.setdefault(name, number)
        if annotated:
            continue
        pattern = _FIELD.get(language)
        names = [m[1] for m in pattern.finditer(short)] if pattern is not None else []
        if with_keys:
            names += [m[1] or m[2] for m in _KEY.finditer(short)]
        for name in names:
            found.setdefault(name, number)
    return found


def _sender(context: RuleContext, path: str, text: str) -> Place | None:
    """Where the messages of this file are sent: in it, or in a file that mentions a class of it."""
    at = _line_of(text, SENDS)
    if at is not None:
        return Place(file=path, line=at)
    classes = set(re.findall(r"\b(?:class|record|struct|interface|type)\s+([A-Z]\w+)", text)[:10])
    for places in context.head.search(classes).values() if classes else ():
        for place in places:
            other = context.head.text(place.file) or ""
            if place.file != path and is_production_code(place.file) and (line := _line_of(other, SENDS)) is not None:
                return Place(file=place.file, line=line)
    return None


def _line_of(text: str, pattern: re.Pattern[str]) -> int | None:
    for number, line in enumerate(text.split("\n")[:5_000], start=1):
        if not re.match(r"\s*(import|from|#|//|\*)", line) and pattern.search(line[:600]):
            return number
    return None


def _readers(context: RuleContext, names: Collection[str], path: str) -> Iterator[Reader]:
    """Lines of other files that take messages and read one of these fields."""
    for name, places in context.head.search(names).items() if names else ():
        strict, soft = _strict_read(name), _soft_read(name)
        for place in places:
            if place.file == path or not is_production_code(place.file) or language_of(place.file) not in CODE_LANGUAGES:
                continue
            text = context.head.text(place.file) or ""
            lines = text.split("\n")
            line = lines[place.line - 1][:600] if place.line <= len(lines) else ""
            if SENDS.search(line):
                continue
            checked = required_field(context, place.file, place.line, name)
            if checked is not None:
                yield Reader(place, is_strict=checked, is_schema=True)
            elif not (_TAKES.search(text[:400_000]) or ("[" in line and _is_beside_receiver(context, place.file, path))):
                continue
            elif soft.search(line) or (strict.search(line) and _is_looked_for(lines, place.line, name)):
                yield Reader(place, is_strict=False)
            elif strict.search(line):
                yield Reader(place, is_strict=True)


def _strict_read(name: str) -> re.Pattern[str]:
    """A read that fails, or goes on with nothing, where the field is not there."""
    word = re.escape(name)
    return re.compile(
        rf"""\[\s*["':]{word}["']?\s*\]|@JsonProperty\(\s*["']{word}["']|json:"{word}[",]|\.fetch\(\s*["':]{word}["']?\s*\)|[\w)\]]\.{word}(?!\w|\s*=[^=]|\()"""
        rf"""|\{{[^{{}}]*(?<![\w.]){word}(?!\w)[^{{}}]*\}}\s*=(?![=>])|\.(?:get|GetProperty|at|pop|required)\(\s*["']{word}["']\s*\)\."""
    )


def _soft_read(name: str) -> re.Pattern[str]:
    """A read that has an answer for a field that is not there."""
    word = re.escape(name)
    return re.compile(
        rf"""\.get\(\s*["']{word}["'](?!\s*\)\.)|\[\s*["']{word}["']\s*\]\s*(\?\?|\|\|)|\.dig\(\s*["':]{word}|\?\.{word}(?!\w)|(?<!\w){word}\s*(?:\?\?|\|\|)"""
        rf"""|\{{[^{{}}]*(?<![\w.]){word}\s*=\s*[^,{{}}=]|\.(?:fetch\(\s*["':]{word}["']?\s*,|pop\(\s*["']{word}["']\s*,|(?:opt\w*|path|TryGetProperty|getOrDefault|GetValueOrDefault)\(\s*["']{word})"""
    )


def _is_looked_for(lines: Sequence[str], line: int, name: str) -> bool:
    """Whether the code asks first if the field is there, or catches that it is not."""
    word = re.escape(name)
    before, after = "\n".join(lines[max(0, line - 5) : line]), "\n".join(lines[line : line + 5])
    asked = rf"""["']{word}["']\s+(?:not\s+)?in\b|(?<!\w)(?:has_key\?|key\?|containsKey|ContainsKey|has|hasOwnProperty|hasOwn|array_key_exists|isset)[\s(][^)\n]*{word}"""
    caught = r"except\s+(?:\(?[\w, ]*)?(?:KeyError|Exception|LookupError)|rescue\s+KeyError"
    return bool(re.search(asked, before)) or (re.search(r"\btry\b", before) is not None and bool(re.search(caught, after)))
