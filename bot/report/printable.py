"""Text of a stranger without what a terminal would obey."""

from gonogo.evaluation import Evaluation
from gonogo.pattern import pattern

_ESCAPED_CONTROL = pattern(r"(?<!\\)((?:\\\\)*)\\(?:u00(?:0[0-8bcef]|1[0-9a-f]|7f|8[0-9a-f]|9[0-9a-f])|b|f)")
_RAW_CONTROL = pattern("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_FILE = pattern(r'"file":"((?:[^"\\]|\\.)*)"')
_ENDS_A_LINE = pattern(r"(?<!\\)((?:\\\\)*)\\[tnr]")


def printable_line(text: str) -> str:
    """One line that a terminal shows and does not obey."""
    return "".join(char if char == "\t" or char.isprintable() else "\ufffd" for char in text)


def printable(evaluation: Evaluation) -> Evaluation:
    """The same evaluation with every control character shown as a replacement sign; tabs and line ends stay, but in names of files."""
    text = evaluation.model_dump_json()
    broken = {found for found in _FILE.findall(text) if _ENDS_A_LINE.search(found)}
    if not broken and not _ESCAPED_CONTROL.search(text) and not _RAW_CONTROL.search(text):
        return evaluation
    for name in sorted(broken, key=len, reverse=True):
        text = text.replace(name, _ENDS_A_LINE.sub(lambda m: m[1] + "\ufffd", name))
    clean = _RAW_CONTROL.sub("\ufffd", _ESCAPED_CONTROL.sub(lambda m: m[1] + "\ufffd", text))
    return Evaluation.model_validate_json(clean)
