"""YAML as the parser's events: aliases stay aliases, so that nothing can explode, and nothing recurses."""

from collections.abc import Iterator
from typing import Any

import yaml

from gonogo.record import Record

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class YamlEvent(Record):
    """One event; `kind` is `scalar`, `alias`, or the start or end of a `mapping`, `sequence`, `document`, `stream`."""

    kind: str
    line: int
    value: str = ""
    is_quoted: bool = False
    details: str = ""
    """Tag, anchor and whether the type is implicit: what makes two events of one value differ."""


class YamlUnreadable(ValueError):
    """The text is not YAML."""


def yaml_events(text: str) -> Iterator[YamlEvent]:
    """The events of a text in order, or YamlUnreadable at the place where it stops being YAML."""
    try:
        for event in yaml.parse(text, Loader=_LOADER):  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - no stubs
            yield _event(event)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise YamlUnreadable(str(error)) from error


def _event(event: Any) -> YamlEvent:
    name = type(event).__name__.removesuffix("Event")
    implicit, tag, anchor = (repr(getattr(event, part, None)) for part in ("implicit", "tag", "anchor"))
    style = getattr(event, "style", None)
    return YamlEvent(
        kind={
            "MappingStart": "mapping",
            "SequenceStart": "sequence",
            "DocumentStart": "document",
            "Scalar": "scalar",
            "Alias": "alias",
        }.get(name, name),
        line=event.start_mark.line + 1,
        value=str(getattr(event, "value", "")),
        is_quoted=style in ("'", '"'),
        details=f"{implicit} {tag} {anchor}",
    )
