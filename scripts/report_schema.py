"""The JSON schema of `gonogo.report/1`, made from the words: docs/report.schema.json.

It describes every field and leaves room for new ones, since fields of the report are added and never renamed.
"""

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, cast, get_args

from pydantic import BaseModel

from gonogo.acceptance import Accepted
from gonogo.context import Gap
from gonogo.evaluation import SCHEMA, BudgetUse, Conclusion, Coverage, Failure, ModelUse
from gonogo.evidence import Evidence
from gonogo.finding import Finding
from gonogo.forecast import Forecast
from gonogo.go_if import GoIf
from gonogo.live import LiveNote
from gonogo.resource import AffectedResource
from gonogo.trajectory import Comparison, Impact, Refutation, Role, Status
from gonogo.verdict import Verdict

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}


def report_schema() -> Schema:
    """The whole schema."""
    properties: dict[str, Schema] = {
        "schema": {"const": SCHEMA},
        "verdict": _described("Null when the evaluation could not be finished.", _choice(Verdict, nullable=True)),
        "conclusion": _choice(Conclusion),
        "summary": _described("One paragraph.", TEXT),
        "repository": TEXT,
        "base": _described("The merge base of base and head.", TEXT),
        "head": TEXT,
        "production": _object({"source": TEXT, "read_at": _described("ISO 8601, or null.", TEXT_OR_NULL)}),
        "affected": _list(_word(AffectedResource, only=("resource", "kind", "path", "why"))),
        "findings": _list(_word(Finding)),
        "trajectories": _list(_trajectory()),
        "forecasts": _list(_word(Forecast)),
        "gaps": _described("What was not looked at.", _list(_word(Gap))),
        "notes": _list(TEXT),
        "is_held": _described("The live gate is on and something in `live` is open: a no-go for now.", {"type": "boolean"}),
        "live": _described("What is unsettled in production around the change.", _list(_word(LiveNote))),
        "go_if": _described("What would turn a no-go, smallest first; each was tried.", _list(_word(GoIf))),
        "coverage": _word(Coverage),
        "budget": _word(BudgetUse),
        "model": _word(ModelUse),
        "investigator": TEXT,
        "gonogo_version": TEXT,
        "timings": _described("Seconds a stage.", {"type": "object", "additionalProperties": {"type": "number"}}),
        "error": _described("The stage that could not finish; absent when all did.", _word(Failure)),
    }
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": SCHEMA}
    return head | _object(properties, optional=("error",))


def schema_text() -> str:
    """The file as it is published."""
    return json.dumps(report_schema(), indent=1, ensure_ascii=False) + "\n"


def field_paths(schema: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """Every field of the report, dotted, `[]` for the items of a list."""
    for name, field in cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {})).items():
        yield f"{prefix}{name}"
        yield from field_paths(field, f"{prefix}{name}.")
    for choice in cast("list[Mapping[str, Any]]", schema.get("anyOf", [])):
        yield from field_paths(choice, prefix)
    if "items" in schema:
        yield from field_paths(cast("Mapping[str, Any]", schema["items"]), prefix.removesuffix(".") + "[].")


def _trajectory() -> Schema:
    link = {
        "role": _choice(Role),
        "claim": TEXT,
        "question": _described("What would settle this link, when nothing has.", TEXT_OR_NULL),
        "query": _described("The read-only query or command that answers the question.", TEXT_OR_NULL),
        "comparison": {"anyOf": [_word(Comparison), {"type": "null"}]},
        "evidence": _described(
            "Citations that were read again and hold.", _list({"anyOf": [_evidence(kind) for kind in _kinds()]})
        ),
        "refutation": _choice(Refutation),
    }
    return _object(
        {
            "id": _described("Names it in `/gonogo ack <id>`; the same for the same claim about the same lines.", TEXT),
            "title": TEXT,
            "status": _choice(Status),
            "impact": _choice(Impact),
            "resource": TEXT,
            "metric": TEXT,
            "playbook": TEXT,
            "links": _list(_object(link, optional=("refutation",))),
            "make_safe": TEXT,
            "undo": TEXT,
            "asked": _list(TEXT),
            "accepted": _described(
                "Who took the risk, and why; null when nobody did.", {"anyOf": [_word(Accepted), {"type": "null"}]}
            ),
            "blocks": _described("It makes the verdict no-go.", {"type": "boolean"}),
        }
    )


def _kinds() -> tuple[type[BaseModel], ...]:
    return cast("tuple[type[BaseModel], ...]", get_args(get_args(Evidence)[0]))


def _evidence(kind: type[BaseModel]) -> Schema:
    """Fields without a value are left out of a citation, so only those that must have one are required."""
    schema = _word(kind)
    added: dict[str, Schema] = {
        "verified": {"const": True},
        "observed": TEXT,
        "production": {"type": "boolean"},
        "refutes": _described("It speaks against the claim.", {"const": True}),
    }
    is_any = {name for name, field in schema["properties"].items() if not field.keys() & {"type", "const", "enum", "anyOf"}}
    needed = [name for name, field in kind.model_fields.items() if field.is_required() and name not in is_any]
    return schema | {
        "properties": schema["properties"] | added,
        "required": ["kind", *needed, "verified", "observed", "production"],
    }


def _word(word: type[BaseModel], *, only: tuple[str, ...] = ()) -> Schema:
    """A word as it is dumped: every field present, others to come."""
    schema = word.model_json_schema(mode="serialization")
    properties = _resolved(schema["properties"], schema.get("$defs", {}))
    kept = {name: value for name, value in properties.items() if not only or name in only}
    return _object(kept)


def _resolved(value: Any, definitions: Mapping[str, Any]) -> Any:
    """Without references, titles and defaults; closed words are opened, since fields are added."""
    if isinstance(value, list):
        return [_resolved(item, definitions) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, Any]", value)
    if "$ref" in fields:
        return _resolved(definitions[fields["$ref"].rsplit("/", 1)[-1]], definitions)
    kept: dict[str, Any] = {k: v for k, v in fields.items() if k not in ("title", "default") or isinstance(v, dict)}
    if kept.get("additionalProperties") is False:
        del kept["additionalProperties"]
    return {key: _resolved(item, definitions) for key, item in kept.items()}


def _object(properties: Mapping[str, Schema], *, optional: tuple[str, ...] = ()) -> Schema:
    return {"type": "object", "properties": dict(properties), "required": [name for name in properties if name not in optional]}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _choice(words: type[StrEnum], *, nullable: bool = False) -> Schema:
    return {"enum": [*(word.value for word in words), *([None] if nullable else [])]}


def _described(description: str, schema: Schema) -> Schema:
    return {"description": description, **schema}
