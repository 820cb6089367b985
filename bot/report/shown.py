"""An evaluation as people may see it: no secret, no control character, no sign that is not seen, in any of its texts."""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, cast

from pydantic import BaseModel

from bot.report.printable import printable, printable_line
from gonogo.evaluation import Evaluation
from gonogo.redaction import redacted

LONGEST = 20_000
"""Characters of one text; nobody reads on."""


def shown(evaluation: Evaluation) -> Evaluation:
    """The same evaluation, clean and with no text that is endless: for terminal, markdown, check and annotations."""
    cut = cast("Evaluation", _with_texts(evaluation, lambda text: text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"))
    return without_secrets(printable(cut))


def without_secrets(evaluation: Evaluation) -> Evaluation:
    """The same evaluation with every secret in its texts replaced; names stay."""
    return cast("Evaluation", _with_texts(evaluation, redacted))


def finished(text: str) -> str:
    """The last step of every rendering: no secret, no sign that is not seen leaves the house, whatever the pieces were."""
    return redacted("\n".join(printable_line(line) for line in text.split("\n")))


def _with_texts(value: Any, change: Callable[[str], str]) -> Any:
    """The same value with each of its texts changed; what stays equal stays the same object."""
    match value:
        case Enum():
            return value
        case str():
            new = change(value)
            return value if new == value else new
        case BaseModel():
            model = value
            changed = {
                name: new
                for name in type(model).model_fields
                if (new := _with_texts(old := getattr(model, name), change)) is not old
            }
            return model.model_copy(update=changed) if changed else model
        case tuple():
            items = cast("tuple[Any, ...]", value)
            new_items = tuple(_with_texts(item, change) for item in items)
            return new_items if any(a is not b for a, b in zip(items, new_items, strict=True)) else items
        case list():
            return [_with_texts(item, change) for item in cast("list[Any]", value)]
        case Mapping():
            return {key: _with_texts(item, change) for key, item in cast("Mapping[Any, Any]", value).items()}
        case _:
            return value
