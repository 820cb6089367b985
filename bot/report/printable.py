"""Text of a stranger without what a terminal would obey."""

from gonogo.evaluation import Evaluation
from gonogo.pattern import pattern

_ESCAPED_CONTROL = pattern(r"(?<!\\)((?:\\\\)*)\\(?:u00(?:0[0-8bcef]|1[0-9a-f]|7f|8[0-9a-f]|9[0-9a-f])|b|f)")
_RAW_CONTROL = pattern("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable_line(text: str) -> str:
    """One line that a terminal shows and does not obey."""
    return "".join(char if char == "\t" or char.isprintable() else "\ufffd" for char in text)


def printable(evaluation: Evaluation) -> Evaluation:
    """The same evaluation with every control character (but tab and line end) shown as a replacement sign."""
    text = evaluation.model_dump_json()
    if not _ESCAPED_CONTROL.search(text) and not _RAW_CONTROL.search(text):
        return evaluation
    clean = _RAW_CONTROL.sub("\ufffd", _ESCAPED_CONTROL.sub(lambda m: m[1] + "\ufffd", text))
    return Evaluation.model_validate_json(clean)
