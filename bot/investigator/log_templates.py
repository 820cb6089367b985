"""Log lines of one wording: the words stay, numbers, ids and quoted values become `#`."""

from gonogo.pattern import pattern

_VARIES = pattern(
    r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b|\b0x[0-9a-fA-F]+\b|\b[0-9a-fA-F]{12,}\b"
    r"|\d{4}-\d\d-\d\d[T ][\d:.]+Z?|(?<![A-Za-z_])\d+(?:[.,:]\d+)*"
)
_LONGEST = 240


def template_of(message: str) -> str:
    """The message with what varies from line to line taken out, on one line."""
    text = " ".join(_VARIES.sub("#", message[:2_000]).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
