"""The JSON schema of `.github/gonogo.yml`, made from the words that read it: docs/gonogo.schema.json.

For editors: `# yaml-language-server: $schema=…` in the first line of the file. What a schema cannot say (no rule of that name, two keys
that exclude each other) is said when the file is read.
"""

import ast
import inspect
import json
import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

from pydantic import BaseModel

from gonogo.acceptance import AcceptedHere
from gonogo.benchmark_setting import Benchmark, Gate
from gonogo.policy import Policy, RuleSetting
from gonogo.word import Word

Schema = dict[str, Any]

_SEVERITIES = ["high", "medium", "low"]


def policy_schema() -> Schema:
    """The whole schema; closed, as the reader is."""
    schema = Policy.model_json_schema()
    definitions: dict[str, Schema] = {
        word.__name__: _described(schema["$defs"][word.__name__], word) for word in (AcceptedHere, Benchmark, Gate)
    }
    properties: dict[str, Schema] = _described(schema, Policy)["properties"]
    properties["resources"]["additionalProperties"] = {
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    }
    properties["rules"]["additionalProperties"] = {"anyOf": [*_rule_forms()]}
    properties["block_on"] |= {"contains": {"const": "confirmed"}}
    properties["block_on_plausible"] |= {"deprecated": True}
    definitions["Benchmark"] |= {"oneOf": [{"required": ["entry_point"]}, {"required": ["import_path"]}]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": ".github/gonogo.yml",
        "description": "Settings of a repository for gonogo; read as they stand on the base branch.",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "$defs": definitions,
    }


def schema_text() -> str:
    """The file as it is published."""
    return json.dumps(policy_schema(), indent=1, ensure_ascii=False) + "\n"


def said_below_fields(word: type[BaseModel]) -> Mapping[str, str]:
    """Field → the text that stands below it in the source."""
    tree = ast.parse(inspect.getsource(sys.modules[word.__module__]))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == word.__name__)
    said: dict[str, str] = {}
    for field, below in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            said[field.target.id] = " ".join(str(ast.literal_eval(below.value)).split())
    return said


def _rule_forms() -> list[Schema]:
    reason = {"type": "string", "pattern": r"\S", "description": said_below_fields(RuleSetting)["reason"]}
    ranked = {"enum": _SEVERITIES}
    return [
        ranked,
        _closed({"severity": ranked, "reason": reason}, required=["severity"]),
        _closed({"severity": {"enum": ["off", False]}, "reason": reason}, required=["severity", "reason"]),
        _closed({"off": reason}, required=["off"]),
    ]


def _closed(properties: Schema, *, required: list[str]) -> Schema:
    return {"type": "object", "additionalProperties": False, "properties": properties, "required": required}


def _described(schema: Schema, word: type[Word]) -> Schema:
    """With what the source says of each field, without titles; a benchmark's two names of the agent are text when they are there."""
    said = said_below_fields(word)
    plain = cast("Schema", _plain(schema))
    for name, field in plain["properties"].items():
        if name in said:
            field["description"] = said[name]
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    fields = {k: _plain(v) for k, v in cast("Schema", value).items() if k not in ("title", "default") or isinstance(v, dict)}
    choices = cast("list[Schema]", fields.get("anyOf", []))
    if len(choices) == 2 and {"type": "null"} in choices:
        del fields["anyOf"]
        fields |= next(choice for choice in choices if choice != {"type": "null"})
    return fields
