"""How bad a line says it is, where its source does not say."""

import json

from context_graph.providers.rows import as_object
from gonogo.pattern import pattern

_WORD = pattern(r"\b(FATAL|CRITICAL|PANIC|ERROR|ERR|WARN(?:ING)?|INFO|NOTICE|DEBUG|TRACE)\b")
_SAID = pattern(
    r"(?i)\b(?:level|severity|lvl)[\"']?\s{0,2}[=:]\s{0,2}[\"']?(fatal|critical|panic|error|warn(?:ing)?|info|notice|debug|trace)\b"
)
_CRASH = pattern(r"Traceback \(most recent call last\)|\b[A-Za-z.]{0,60}(?:Exception|Error)\b:|^panic:|Task timed out after")
_PLAIN = {
    "FATAL": "FATAL",
    "CRITICAL": "FATAL",
    "PANIC": "FATAL",
    "ERR": "ERROR",
    "WARNING": "WARN",
    "NOTICE": "INFO",
    "TRACE": "DEBUG",
}
_BEGINNING = 400


def severity_of(message: str) -> str:
    """FATAL, ERROR, WARN, INFO, DEBUG, or empty when the line does not say."""
    said = _structured(message) if message.startswith("{") else ""
    if not said:
        beginning = message[:_BEGINNING]
        found = _SAID.search(beginning) or _WORD.search(beginning)
        said = found[1] if found else "ERROR" if _CRASH.search(beginning) else ""
    upper = said.upper()
    return _PLAIN.get(upper, upper)


def _structured(message: str) -> str:
    try:
        told = as_object(json.loads(message)) or {}
    except ValueError:
        return ""
    said = next((told[k] for k in ("level", "severity", "lvl", "levelname", "log.level") if isinstance(told.get(k), str)), "")
    return str(said) if str(said).upper() in {*_PLAIN, *_PLAIN.values(), "ERROR", "WARN", "INFO", "DEBUG"} else ""
