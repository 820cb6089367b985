"""Takes secrets out of what is about to be stored, once more: the pipeline has done it, and a store is read for years."""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

from gonogo.redaction import MARK, redacted

_DIGEST = re.compile(r"(?:sha\d+:)?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})")
_ASKED_BY_NAME = re.compile(r"(?i)pass|pwd|secret|token|key|credential|salt|webhook")


def redacted_json(value: Any) -> Any:
    """The same JSON value with every secret in a text, a key's name considered, replaced by `[redacted]`. Digests stay."""
    if isinstance(value, str):
        return value if _DIGEST.fullmatch(value) else redacted(value)
    if isinstance(value, Mapping):
        return {redacted(str(key)): _beside(str(key), item) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [redacted_json(item) for item in cast("list[Any]", value)]
    return value


def redacted_text(text: str | None) -> str | None:
    """A JSON document in text, redacted; byte for byte the same when it holds no secret. Text that is no JSON is redacted as it is."""
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return redacted(text)
    clean = redacted_json(value)
    if clean == value:
        return text
    return json.dumps(clean, ensure_ascii=False, indent=1 if "\n" in text else None) + ("\n" if text.endswith("\n") else "")


def _beside(key: str, item: Any) -> Any:
    """`{"password": "hunter22"}`: the name is what gives it away."""
    if isinstance(item, str) and _ASKED_BY_NAME.search(key) and "\n" not in item:
        named = f"{key}: {json.dumps(item, ensure_ascii=False)}"
        if redacted(named) != named:
            return MARK
    return redacted_json(item)
