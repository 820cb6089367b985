"""The full form of GitHub's objects: its own examples, with what is true here laid over them.

So a client sees all the fields that it will see at GitHub, and the addresses in them lead here.
"""

import gzip
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, cast

FIXTURES = Path(__file__).parent.parent / "fixtures"

Json = dict[str, Any]

_ADDRESS = re.compile(r"https://(api\.)?github\.com/(repos/)?[\w.-]+/[\w.-]+(?=/|$|\{)")


@cache
def description() -> Json:
    """GitHub's OpenAPI description of the paths we use."""
    return json.loads(gzip.decompress((FIXTURES / "github" / "openapi.json.gz").read_bytes()))


@cache
def webhook_examples() -> dict[str, list[Json]]:
    """The 329 example payloads by event."""
    return json.loads(gzip.decompress((FIXTURES / "webhooks" / "api.github.com.json.gz").read_bytes()))


def example(name: str) -> Json:
    """An example of the description by its name there; of a list its first entry."""
    value: Any = description()["components"]["examples"][name]["value"]
    return cast("Json", value[0] if isinstance(value, list) else value)


def webhook_example(event: str, action: str | None = None) -> Json:
    """The fullest example of an event, of its action when there is one."""
    found = [e for e in webhook_examples().get(event, []) if action is None or e.get("action") == action]
    return max(found or webhook_examples().get(event, [{}]), key=lambda e: ("installation" in e, len(json.dumps(e))))


def shaped(template: Any, facts: Json, *, api: str = "", web: str = "") -> Json:
    """The template with the facts over it; `api` and `web` are the repository's addresses, put where the example has its own."""
    return _over(_rewritten(template, api, web) if api else template, facts)


def _over(template: Any, facts: Any) -> Any:
    if not isinstance(facts, dict) or not isinstance(template, dict):
        return cast("Any", facts)
    base, over = cast("Json", template), cast("Json", facts)
    return base | {key: _over(base.get(key), value) for key, value in over.items()}


def _rewritten(value: Any, api: str, web: str) -> Any:
    match value:
        case str():
            return _ADDRESS.sub(lambda m: (api if m[2] else web) if bool(m[1]) == bool(m[2]) else m[0], value)
        case dict():
            return {key: _rewritten(inner, api, web) for key, inner in cast("Json", value).items()}
        case list():
            return [_rewritten(inner, api, web) for inner in cast("list[Any]", value)]
        case _:
            return value
