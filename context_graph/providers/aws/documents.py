"""IAM documents as AWS gives them: JSON text or parsed, one statement or a list, one value or a list."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import unquote


@dataclass(frozen=True)
class Statement:
    """One statement. One with NotAction, NotResource or a NotPrincipal has neither actions nor resources: it names nothing."""

    effect: str
    actions: Sequence[str]
    resources: Sequence[str]
    is_conditional: bool
    sources: Sequence[str]
    """The ARNs that `aws:SourceArn` is compared with."""
    sid: str = ""


def opened(document: object) -> Mapping[str, Any]:
    """The document as a mapping; IAM gives some of them URL-encoded. Raises ValueError for what is no JSON."""
    if isinstance(document, str):
        document = json.loads(unquote(document) if document.lstrip().startswith("%") else document)
    return cast("Mapping[str, Any]", document) if isinstance(document, Mapping) else {}


def statements(document: Mapping[str, Any]) -> Iterator[Statement]:
    """Its statements."""
    listed = document.get("Statement") or ()
    for one in cast("Sequence[Any]", [listed] if isinstance(listed, Mapping) else listed):
        if not isinstance(one, Mapping):
            continue
        statement = cast("Mapping[str, Any]", one)
        condition = cast("Mapping[str, Any]", statement.get("Condition") or {})
        yield Statement(
            effect=str(statement.get("Effect", "")),
            actions=_texts(statement.get("Action")),
            resources=_texts(statement.get("Resource")),
            is_conditional=bool(condition),
            sources=[text for operator in condition.values() for text in _sources(operator)],
            sid=str(statement.get("Sid", "")),
        )


def _sources(operator: object) -> list[str]:
    if not isinstance(operator, Mapping):
        return []
    compared = cast("Mapping[str, Any]", operator)
    return [text for key, value in compared.items() if key.lower() == "aws:sourcearn" for text in _texts(value)]


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [v for v in cast("Sequence[object]", value) if isinstance(v, str)] if isinstance(value, list) else []
