"""Text of a stranger without what a terminal would obey."""

import re

from gonogo.evaluation import Evaluation

_ESCAPED_CONTROL = re.compile(r"(?<!\\)((?:\\\\)*)\\(?:u00(?:0[0-8bcef]|1[0-9a-f]|7f|8[0-9a-f]|9[0-9a-f])|b|f)")
_RAW_CONTROL = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(evaluation: Evaluation) -> Evaluation:
    """The same evaluation with every control character (but tab and line end) shown as a replacement sign."""
    text = evaluation.model_dump_json()
    if not _ESCAPED_CONTROL.search(text) and not _RAW_CONTROL.search(text):
        return evaluation
    clean = _RAW_CONTROL.sub("\ufffd", _ESCAPED_CONTROL.sub(lambda m: m[1] + "\ufffd", text))
    return Evaluation.model_validate_json(clean)
