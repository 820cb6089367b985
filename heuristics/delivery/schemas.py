"""Fields of the schemas by which consumers check a message: pydantic, zod, records, structs, JSON Schema."""

import re

from gonogo.pattern import pattern
from heuristics.code import is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.rule import RuleContext

RECEIVES = pattern(
    r"""\bRecords\b|KafkaListener|SqsListener|RabbitListener|@StreamListener|on_message|onMessage|receive_?[mM]essage|ReceiveMessage|basic_consume|eachMessage|eachBatch"""
    r"""|batch\.messages|message\.body|msg\.(?:value|body|data)|SQSEvent|SNSEvent|KinesisEvent|events\.SQS|FetchMessage|ReadMessage|shared_task|@app\.task|ServiceBusTrigger|PubsubMessage"""
)
_DECLARES = pattern(
    r"^\s*(?:export\s+|public\s+|internal\s+|final\s+|pub\s+|data\s+|sealed\s+|abstract\s+|@\w+\s+)*(class|record|struct|interface|type|const|let|val|message)\s+(\w+)|^\s*(\w+)\s*=\s*(?:z|Joi|yup|s|v|vine)\b"
)
_OPTIONAL = pattern(
    r"Optional\[|\|\s*(None|undefined|null)\b|=\s*None\b|\bdefault\s*=|\bdefault_factory\b|\.(optional|nullish|default|catch)\(|\w\?\s*:|:\s*\w+(?:<[\w<>, ]*>)?\?|Option<|omitempty|serde\(default|@Nullable|NotRequired\[|z\.optional"
)
_CHECKED = pattern(r"\b(z|Joi|yup|v|vine|Type|t)\.\w+|required|\bvalidate:\"[^\"]*required")
_LINES_BACK = 80


def required_field(context: RuleContext, file: str, line: int, name: str) -> bool | None:
    """Whether this line is a field of a schema that a consumer checks messages by: True when it must be there, None when it is no such field."""
    text = context.head.text(file) or ""
    lines = text.split("\n")
    written = lines[line - 1][:600] if line <= len(lines) else ""
    language = language_of(file) or ""
    if language not in CODE_LANGUAGES or not _is_field(written, language, name):
        return None
    owner = _owner(lines, line)
    if owner is None or not _is_taken(context, file, text, owner[1]):
        return None
    is_type_only = owner[0] in ("interface", "type") and language in ("typescript", "tsx")
    if _OPTIONAL.search(written) is not None or is_type_only:
        return False
    return language != "go" or _CHECKED.search(written) is not None


def _is_field(written: str, language: str, name: str) -> bool:
    word = re.escape(name)
    patterns = {
        "python": rf"^\s+{word}\s*:\s*\w|alias\s*=\s*[\"']{word}[\"']",
        "typescript": rf"""^\s*["']?{word}["']?\??\s*:\s*\w""",
        "kotlin": rf"\bval\s+{word}\s*:",
        "java": rf"[\w>]\s+{word}\s*[,;)]|@JsonProperty\(\s*(?:value\s*=\s*)?[\"']{word}[\"']",
        "csharp": rf"[\w>?]\s+{word}\s*(?:\{{|[,)])|JsonPropertyName\(\s*\"{word}\"",
        "rust": rf"^\s*(?:pub\s+)?{word}\s*:\s*\w|rename\s*=\s*\"{word}\"",
        "go": rf'json:"{word}[",]',
        "ruby": rf"\b(?:required|optional|attribute)[ (]\s*:{word}\b",
    }
    pattern = patterns.get({"tsx": "typescript", "javascript": "typescript"}.get(language, language))
    return pattern is not None and re.search(pattern, written) is not None


def _owner(lines: list[str], line: int) -> tuple[str, str] | None:
    """The word and the name of the declaration that the line stands in."""
    for number in range(line, max(0, line - _LINES_BACK), -1):
        match = _DECLARES.match(lines[number - 1][:300])
        if match is not None and (number < line or match[2]):
            return (match[1] or "const", match[2] or match[3])
    return None


def _is_taken(context: RuleContext, file: str, text: str, owner: str) -> bool:
    """Whether the file, or one that uses the schema, receives messages."""
    if RECEIVES.search(text[:400_000]) is not None:
        return True
    for places in context.head.search([owner]).values():
        for place in places[:40]:
            if (
                place.file != file
                and is_production_code(place.file)
                and RECEIVES.search((context.head.text(place.file) or "")[:400_000])
            ):
                return True
    return False
