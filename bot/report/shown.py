"""An evaluation as people may see it: no secret, no control character, no sign that is not seen, in any of its texts."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, cast

from pydantic import BaseModel

from bot.report.printable import printable
from gonogo.evaluation import Evaluation
from gonogo.redaction import redacted


def shown(evaluation: Evaluation) -> Evaluation:
    """The same evaluation, clean: for terminal, markdown, check and annotations."""
    return without_secrets(printable(evaluation))


def without_secrets(evaluation: Evaluation) -> Evaluation:
    """The same evaluation with every secret in its texts replaced; names stay."""
    return cast("Evaluation", _without(evaluation))


def redacted_text(text: str) -> str:
    """The last step of every rendering: what its pieces hid from each other does not leave the house together."""
    return redacted(text)


def _without(value: Any) -> Any:
    match value:
        case Enum():
            return value
        case str():
            return redacted(value)
        case BaseModel():
            model = value
            changed = {
                name: new for name in type(model).model_fields if (new := _without(old := getattr(model, name))) is not old
            }
            return model.model_copy(update=changed) if changed else model
        case tuple():
            items = cast("tuple[Any, ...]", value)
            new_items = tuple(_without(item) for item in items)
            return new_items if any(a is not b for a, b in zip(items, new_items, strict=True)) else items
        case list():
            return [_without(item) for item in cast("list[Any]", value)]
        case Mapping():
            return {key: _without(item) for key, item in cast("Mapping[Any, Any]", value).items()}
        case _:
            return value
