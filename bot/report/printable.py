"""Text of a stranger without what a terminal would obey."""

from gonogo.evaluation import Evaluation
from gonogo.pattern import pattern

_ESCAPED_CONTROL = pattern(r"(?<!\\)((?:\\\\)*)\\(?:u00(?:0[0-8bcef]|1[0-9a-f]|7f|8[0-9a-f]|9[0-9a-f])|b|f)")
_RAW_CONTROL = pattern("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_UNSEEN = pattern(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028\u2029\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Signs without width or shape (https://www.unicode.org/reports/tr36/): they part a word, or a secret, and nobody sees it."""
_FILE = pattern(r'"file":"((?:[^"\\]|\\.)*)"')
_ENDS_A_LINE = pattern(r"(?<!\\)((?:\\\\)*)\\[tnr]")


def printable_line(text: str) -> str:
    """One line that a terminal shows and does not obey."""
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return "".join(char if char == "\t" or char.isprintable() else "\ufffd" for char in _UNSEEN.sub("", text))


def printable(evaluation: Evaluation) -> Evaluation:
    """The same evaluation with every control character shown as a replacement sign, and without signs that nobody sees.

    Tabs and line ends stay, but in names of files.
    """
    text = evaluation.model_dump_json()
    broken = {found for found in _FILE.findall(text) if _ENDS_A_LINE.search(found)}
    if not broken and not any(found.search(text) for found in (_ESCAPED_CONTROL, _RAW_CONTROL, _UNSEEN)):
        return evaluation
    for name in sorted(broken, key=len, reverse=True):
        text = text.replace(name, _ENDS_A_LINE.sub(lambda m: m[1] + "\ufffd", name))
    clean = _RAW_CONTROL.sub("\ufffd", _ESCAPED_CONTROL.sub(lambda m: m[1] + "\ufffd", _UNSEEN.sub("", text)))
    return Evaluation.model_validate_json(clean)
