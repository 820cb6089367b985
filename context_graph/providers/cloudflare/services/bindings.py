"""What a Worker is bound to: each kind of binding, what it points to, and what a program does with it.

https://developers.cloudflare.com/workers/configuration/multipart-upload-metadata/#bindings
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from context_graph.providers.cloudflare.asking import Asking, part
from gonogo.resource import Relation
from gonogo.word import Json, ResourceId


@dataclass(frozen=True)
class _Form:
    """The field that names what is bound, what that is, and the relation to it; a kind where only the binding tells of it."""

    field: str
    what: str
    relation: Relation = Relation.CONNECTS_TO
    kind: str = ""


_FORMS: Mapping[str, _Form] = {
    "kv_namespace": _Form("namespace_id", "kv_namespace"),
    "d1": _Form("id", "d1_database"),
    "r2_bucket": _Form("bucket_name", "r2_bucket"),
    "queue": _Form("queue_name", "queue", Relation.PUBLISHES_TO),
    "durable_object_namespace": _Form("namespace_id", "durable_object_namespace"),
    "service": _Form("service", "worker", Relation.INVOKES),
    "hyperdrive": _Form("id", "hyperdrive"),
    "analytics_engine": _Form("dataset", "analytics_engine", Relation.WRITES_TO, "cloudflare.analytics_engine.dataset"),
    "dispatch_namespace": _Form("namespace", "dispatch_namespace", Relation.INVOKES, "cloudflare.dispatch_namespace"),
    "vectorize": _Form("index_name", "vectorize", kind="cloudflare.vectorize.index"),
    "workflow": _Form("workflow_name", "workflow", Relation.INVOKES, "cloudflare.workflow"),
    "pipelines": _Form("pipeline", "pipeline", Relation.PUBLISHES_TO, "cloudflare.pipeline"),
}
_VARIABLES = ("plain_text", "json", "secret_text")
"""Bindings that are variables of the program; the first two have their values in the answer."""


def bindings_of(ask: Asking, worker: ResourceId, bindings: Sequence[Mapping[str, Any]]) -> dict[str, Json]:
    """The attributes that follow from them, values left out; edges and mentions are noted on the way."""
    kinds: dict[str, Json] = {}
    targets: dict[str, Json] = {}
    for binding in sorted(bindings, key=lambda one: str(one.get("name"))):
        name, kind = str(binding["name"]), str(binding["type"])
        kinds[name] = kind
        _say_value(ask, worker, name, binding)
        form = _FORMS.get(kind)
        own = binding.get(form.field) if form is not None else None
        if form is None or not isinstance(own, str) or not own:
            continue
        targets[name] = own
        _bound(ask, worker, name, form, _own(kind, own, binding))
        _others(ask, worker, name, binding)
    variables: list[Json] = sorted(name for name, kind in kinds.items() if kind in _VARIABLES)
    return {"bindings": kinds, "binding_targets": targets or None, "environment_keys": variables}


def _bound(ask: Asking, worker: ResourceId, name: str, form: _Form, own: str) -> None:
    target = ask.at(form.what, own)
    if form.kind:
        ask.resource(target, form.kind, own, {})
    ask.edge(worker, target, form.relation, f"binding {name}")


def _own(kind: str, own: str, binding: Mapping[str, Any]) -> str:
    """A bucket of a jurisdiction is another than the one of the same name outside it."""
    jurisdiction = binding.get("jurisdiction")
    return f"{jurisdiction}/{own}" if kind == "r2_bucket" and isinstance(jurisdiction, str) and jurisdiction != "default" else own


def _others(ask: Asking, worker: ResourceId, name: str, binding: Mapping[str, Any]) -> None:
    """A Worker that runs behind what is bound: the script of a workflow, the outbound Worker of a dispatch namespace."""
    script, outbound = binding.get("script_name"), part(part(binding, "outbound"), "worker").get("service")
    if binding["type"] == "workflow" and isinstance(script, str) and script:
        ask.edge(ask.at("workflow", str(binding["workflow_name"])), ask.at("worker", script), Relation.INVOKES, f"binding {name}")
    if isinstance(outbound, str) and outbound:
        ask.edge(worker, ask.at("worker", outbound), Relation.INVOKES, f"binding {name}, outbound")


def _say_value(ask: Asking, worker: ResourceId, name: str, binding: Mapping[str, Any]) -> None:
    match binding["type"]:
        case "plain_text":
            value = binding.get("text")
        case "json":
            value = binding.get("json")
            value = value if isinstance(value, str) or value is None else json.dumps(value)
        case _:
            return
    if isinstance(value, str):
        ask.mention(worker, value, f"variable {name}")
