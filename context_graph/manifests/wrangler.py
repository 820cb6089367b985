"""Wrangler configuration (toml, json, jsonc): a Worker per environment, with its bindings, variables, routes and triggers.

Bindings and variables are not inherited by `env.*` blocks; name, routes, triggers and limits are (unless they are set there).
https://developers.cloudflare.com/workers/wrangler/configuration/#inheritable-keys
"""

from dataclasses import dataclass

from context_graph.manifests.environment import environment_settings, variables_of
from context_graph.manifests.node import Draft, Link, Node, Reading
from gonogo.resource import Relation


@dataclass(frozen=True, slots=True)
class _Form:
    """How a kind of binding is written: its type, the field with its name, the field with what it points to, that one's kind."""

    type: str
    label: str
    target: str
    target_kind: str | None = None


_LISTED = {
    "kv_namespaces": _Form("kv_namespace", "binding", "id", "cloudflare.kv_namespace"),
    "r2_buckets": _Form("r2_bucket", "binding", "bucket_name", "cloudflare.r2.bucket"),
    "d1_databases": _Form("d1", "binding", "database_name", "cloudflare.d1.database"),
    "services": _Form("service", "binding", "service", "cloudflare.worker"),
    "hyperdrive": _Form("hyperdrive", "binding", "id", "cloudflare.hyperdrive"),
    "vectorize": _Form("vectorize", "binding", "index_name", "cloudflare.vectorize.index"),
    "analytics_engine_datasets": _Form("analytics_engine", "binding", "dataset"),
    "dispatch_namespaces": _Form("dispatch_namespace", "binding", "namespace"),
    "mtls_certificates": _Form("mtls_certificate", "binding", "certificate_id"),
    "send_email": _Form("send_email", "name", "destination_address"),
    "workflows": _Form("workflow", "binding", "name", "cloudflare.workflow"),
    "pipelines": _Form("pipeline", "binding", "pipeline"),
    "ratelimits": _Form("ratelimit", "name", "namespace_id"),
    "secrets_store_secrets": _Form("secrets_store_secret", "binding", "secret_name"),
}
_DURABLE_OBJECT = _Form("durable_object_namespace", "name", "class_name")
_SINGLE = {"ai": "ai", "browser": "browser", "images": "images", "assets": "assets", "version_metadata": "version_metadata"}
_INHERITED = ("main", "compatibility_date", "routes", "route", "triggers", "limits", "workers_dev", "placement", "observability",
              "compatibility_flags", "account_id", "minify", "usage_model", "logpush", "preview_urls")  # fmt: skip
_CALLED = ("cloudflare.worker", "cloudflare.workflow")
_BY_ID = ("cloudflare.kv_namespace", "cloudflare.hyperdrive")
_BINDING_KEYS = (*_LISTED, *_SINGLE, "queues", "durable_objects", "vars", "tail_consumers", "env", "name")


def is_wrangler(root: Node, file: str) -> bool:
    """True when the file configures a Worker or a Pages project."""
    entries = root.entries()
    if file.rpartition("/")[2].startswith("wrangler."):
        return bool(entries)
    return "compatibility_date" in entries and ("main" in entries or "name" in entries)


def read_wrangler(root: Node, file: str) -> Reading:
    """The Worker at the top and one of each environment, with what they are bound to."""
    reading = Reading()
    name_node = root.get("name")
    name = name_node.string() if name_node is not None else None
    _worker(reading, root, root, file, name=name, environment=None)
    environments = root.get("env")
    for environment, block in (environments.entries() if environments is not None else {}).items():
        own = block.get("name")
        physical = own.string() if own is not None else f"{name}-{environment}" if name else None
        inherited = {key: root.entries()[key] for key in _INHERITED if key in root.entries() and key not in block.entries()}
        merged = Node({**inherited, **block.entries()}, block.line, end_line=block.end_line)
        _worker(reading, merged, block, file, name=physical, environment=environment)
    return reading


def _worker(reading: Reading, node: Node, block: Node, file: str, *, name: str | None, environment: str | None) -> None:
    address = "worker" if environment is None else f"env.{environment}.worker"
    draft = Draft("cloudflare.worker", address, file, block.line, block.end_line, node, name, environment=environment, scope=file)
    bindings: dict[str, Node] = {}
    for key, form in _LISTED.items():
        listed = node.get(key)
        for item in listed.items() if listed is not None else []:
            _bind(reading, draft, bindings, item, form)
    for key, kind in _SINGLE.items():
        single = node.get(key)
        label = single.get("binding") if single is not None else None
        if label is not None and (bound := label.string()):
            bindings[bound] = Node(kind, label.line, text=label.text)
    objects = node.get("durable_objects", "bindings")
    for item in objects.items() if objects is not None else []:
        _bind(reading, draft, bindings, item, _DURABLE_OBJECT)
    _queues(reading, draft, node, bindings)
    draft.extra |= _binding_settings(bindings, block.line)
    variables = node.get("vars")
    if variables is not None:
        draft.extra |= environment_settings(variables_of(variables), line=variables.line)
    draft.extra |= _routes(node)
    crons = node.get("triggers", "crons")
    if crons is not None:
        draft.extra["schedule"] = crons
    cpu = node.get("limits", "cpu_ms")
    if cpu is not None:
        draft.extra["cpu_limit_ms"] = cpu
    draft.ready = (*_BINDING_KEYS, "routes", "route", "triggers", "limits")
    reading.drafts.append(draft)


def _bind(reading: Reading, draft: Draft, bindings: dict[str, Node], item: Node, form: _Form) -> None:
    name_node, points_to = item.get(form.label), item.get(form.target)
    name = name_node.string() if name_node is not None else None
    if name is None:
        return
    bindings[name] = Node(form.type, item.line, text=f"{name} ({form.type})", end_line=item.end_line)
    physical = points_to.string() if points_to is not None else None
    if physical is None or points_to is None:
        return
    draft.extra[f"binding.{name}.target"] = Node(physical, points_to.line, text=physical)
    if form.target_kind is None:
        return
    address = f"{form.target_kind.removeprefix('cloudflare.').replace('.', '_')}/{physical}"
    _mention(reading, draft, Draft(form.target_kind, address, draft.file, item.line, item.end_line, item, physical))
    relation = Relation.INVOKES if form.target_kind in _CALLED else Relation.CONNECTS_TO
    reading.links.append(
        Link(draft.address, address, relation, draft.file, item.line, f"{form.type} binding {name}", draft.scope)
    )


def _mention(reading: Reading, worker: Draft, target: Draft) -> None:
    """What a Worker is bound to exists elsewhere: the binding neither makes nor deletes it."""
    target.scope = worker.scope
    if target.kind in _BY_ID:
        target.name = None
    if not any(d.address == target.address and d.scope == target.scope for d in reading.drafts):
        target.extra["is_reference"] = Node(value=True, line=target.line)
        reading.drafts.append(target)


def _queue(name: str, draft: Draft, node: Node) -> Draft:
    return Draft("cloudflare.queue", f"queue/{name}", draft.file, node.line, node.line, Node({"name": node}, node.line), name)


def _queues(reading: Reading, draft: Draft, node: Node, bindings: dict[str, Node]) -> None:
    producers = node.get("queues", "producers")
    for item in producers.items() if producers is not None else []:
        label, queue = item.get("binding"), item.get("queue")
        name, physical = (label.string() if label is not None else None), (queue.string() if queue is not None else None)
        if name is None or physical is None or queue is None:
            continue
        bindings[name] = Node("queue", item.line, text=f"{name} (queue {physical})", end_line=item.end_line)
        draft.extra[f"binding.{name}.target"] = Node(physical, queue.line, text=physical)
        _mention(reading, draft, _queue(physical, draft, queue))
        reading.links.append(
            Link(
                draft.address, f"queue/{physical}", Relation.PUBLISHES_TO, draft.file, item.line, f"producer {name}", draft.scope
            )
        )
    consumers = node.get("queues", "consumers")
    for item in consumers.items() if consumers is not None else []:
        queue = item.get("queue")
        physical = queue.string() if queue is not None else None
        if physical is None or queue is None:
            continue
        _mention(reading, draft, _queue(physical, draft, queue))
        prefix = f"env.{draft.environment}." if draft.environment else ""
        consumer = Draft(
            "cloudflare.queue_consumer", f"{prefix}queues.consumers.{physical}", draft.file, item.line, item.end_line, item,
            environment=draft.environment, scope=draft.scope, ready=("queue",),
            extra={"queue": queue, "source": queue, "function": Node(draft.name or draft.address, item.line)},
        )  # fmt: skip
        reading.drafts.append(consumer)
        reading.links.append(
            Link(
                f"queue/{physical}",
                draft.address,
                Relation.TRIGGERS,
                draft.file,
                item.line,
                f"consumer of {physical}",
                draft.scope,
            )
        )
        dead = item.get("dead_letter_queue")
        if dead is not None and (dead_name := dead.string()):
            _mention(reading, draft, _queue(dead_name, draft, dead))
            reading.links.append(
                Link(
                    f"queue/{physical}",
                    f"queue/{dead_name}",
                    Relation.DEPENDS_ON,
                    draft.file,
                    dead.line,
                    "dead letters",
                    draft.scope,
                )
            )


def _binding_settings(bindings: dict[str, Node], line: int) -> dict[str, Node]:
    ordered = dict(sorted(bindings.items()))
    return {"bindings": Node(ordered, line, text=", ".join(ordered))} | {
        f"binding.{name}": node for name, node in ordered.items()
    }


def _routes(node: Node) -> dict[str, Node]:
    listed = node.get("routes") or node.get("route")
    patterns: list[Node] = []
    for item in listed.items() if listed is not None else []:
        found = item.get("pattern") if item.entries() else item
        if found is not None and found.string() is not None:
            patterns.append(found)
    return {"routes": Node(patterns, listed.line, text=", ".join(str(p.value) for p in patterns))} if patterns and listed else {}
