"""Wrangler configuration (toml, json, jsonc): a Worker per environment, with its bindings, variables, routes and triggers.

Bindings and variables are not inherited by `env.*` blocks; name, routes, triggers and limits are (unless they are set there).
https://developers.cloudflare.com/workers/wrangler/configuration/#inheritable-keys
"""

from context_graph.manifests.environment import environment_settings, variables_of
from context_graph.manifests.node import Draft, Link, Node, Reading
from context_graph.manifests.wrangler_forms import BY_ID, CALLED, DURABLE_OBJECT, INHERITED, LISTED, SINGLE, Form
from gonogo.resource import Relation

MAX_BINDINGS = 2_000
"""Bindings of one file; what is more is not read."""
_TAILS = ("tail_consumers", "streaming_tail_consumers")
_BINDING_KEYS = (*LISTED, *SINGLE, *_TAILS, "queues", "durable_objects", "vars", "env", "name")


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
        inherited = {key: root.entries()[key] for key in INHERITED if key in root.entries() and key not in block.entries()}
        merged = Node({**inherited, **block.entries()}, block.line, end_line=block.end_line)
        _worker(reading, merged, block, file, name=physical, environment=environment)
    return reading


def _worker(reading: Reading, node: Node, block: Node, file: str, *, name: str | None, environment: str | None) -> None:
    address = "worker" if environment is None else f"env.{environment}.worker"
    draft = Draft("cloudflare.worker", address, file, block.line, block.end_line, node, name, environment=environment, scope=file)
    bindings: dict[str, Node] = {}
    for key, form in LISTED.items():
        listed = node.get(key)
        for item in listed.items() if listed is not None else []:
            _bind(reading, draft, bindings, item, form)
    for key, kind in SINGLE.items():
        single = node.get(key)
        label = single.get("binding") if single is not None else None
        if label is not None and (bound := label.string()):
            bindings[bound] = Node(kind, label.line, text=label.text)
    _durable_objects(reading, draft, bindings, node)
    _containers(reading, draft, node)
    _tails(reading, draft, node)
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


def _bind(reading: Reading, draft: Draft, bindings: dict[str, Node], item: Node, form: Form) -> None:
    name_node = item.get(form.label)
    points_to = next((found for field in form.targets if (found := item.get(field)) is not None), None)
    name = name_node.string() if name_node is not None else None
    if name is None or len(bindings) >= MAX_BINDINGS:
        _say_cut(reading, draft.file)
        return
    bindings[name] = Node(form.type, item.line, text=f"{name} ({form.type})", end_line=item.end_line)
    physical = points_to.string() if points_to is not None else None
    if physical is not None and points_to is not None:
        draft.extra[f"binding.{name}.target"] = Node(physical, points_to.line, text=physical)
    if form.target_kind is None:
        return
    label = form.target_kind.removeprefix("cloudflare.").replace(".", "_")
    if physical is None:  # Wrangler makes one for this Worker when it deploys
        target = Draft(form.target_kind, f"{label}/{_own(draft)}{name}", draft.file, item.line, item.end_line, item, name)
        target.extra["is_own"] = Node(value=True, line=item.line)
    else:
        named = _in_environment(physical, item) if form.type == "service" else physical
        address = f"{label}/{_told_apart(reading, draft, label, named, item)}"
        target = Draft(form.target_kind, address, draft.file, item.line, item.end_line, item, named)
    _mention(reading, draft, target)
    relation = Relation.INVOKES if form.target_kind in CALLED else Relation.CONNECTS_TO
    reading.links.append(
        Link(draft.address, target.address, relation, draft.file, item.line, f"{form.type} binding {name}", draft.scope)
    )


def _say_cut(reading: Reading, file: str) -> None:
    too_many = (file, None, f"more than {MAX_BINDINGS} bindings; the rest is not read")
    if len(reading.drafts) >= MAX_BINDINGS and too_many not in reading.not_read:
        reading.not_read.append(too_many)


def _own(draft: Draft) -> str:
    return f"{draft.environment}." if draft.environment else ""


def _told_apart(reading: Reading, draft: Draft, label: str, physical: str, item: Node) -> str:
    """Databases of one name with two ids are two: the second one's id is part of its address."""
    found = item.get("database_id")
    own = found.string() if found is not None else None
    if own is None:
        return physical
    for other in reading.drafts:
        if other.scope == draft.scope and other.address == f"{label}/{physical}":
            known = other.node.get("database_id")
            return physical if known is None or known.string() == own else f"{physical}@{own}"
    return physical


def _in_environment(service: str, item: Node) -> str:
    """A service binding or a tail may name an environment of the other Worker."""
    environment = item.get("environment")
    written = environment.string() if environment is not None else None
    return f"{service}-{written}" if written else service


def _durable_objects(reading: Reading, draft: Draft, bindings: dict[str, Node], node: Node) -> None:
    """A class of objects belongs to the Worker whose script has it, so every environment has its own."""
    objects = node.get("durable_objects", "bindings")
    for item in objects.items() if objects is not None else []:
        _bind(reading, draft, bindings, item, DURABLE_OBJECT)
        class_node, script = item.get("class_name"), item.get("script_name")
        name = class_node.string() if class_node is not None else None
        if name is None:
            continue
        elsewhere = script.string() if script is not None else None
        target = Draft("cloudflare.durable_object", f"durable_object/{f'{elsewhere}.' if elsewhere else _own(draft)}{name}",
                       draft.file, item.line, item.end_line, item, name, environment=None if elsewhere else draft.environment)  # fmt: skip
        if not elsewhere:
            target.extra["is_own"] = Node(value=True, line=item.line)
        _mention(reading, draft, target)
        label = item.get("name")
        evidence = f"durable object binding {label.string() if label is not None else name}"
        reading.links.append(
            Link(draft.address, target.address, Relation.CONNECTS_TO, draft.file, item.line, evidence, draft.scope)
        )


def _containers(reading: Reading, draft: Draft, node: Node) -> None:
    """A container runs behind the class of objects that is named."""
    listed = node.get("containers")
    for item in listed.items() if listed is not None else []:
        name_node, class_node = item.get("name"), item.get("class_name")
        class_name = class_node.string() if class_node is not None else None
        name = (name_node.string() if name_node is not None else None) or class_name
        if name is None:
            continue
        address = f"container/{_own(draft)}{name}"
        made = Draft("cloudflare.container", address, draft.file, item.line, item.end_line, item, name, scope=draft.scope)
        made.environment = draft.environment
        reading.drafts.append(made)
        source = f"durable_object/{_own(draft)}{class_name}"
        known = any(other.address == source and other.scope == draft.scope for other in reading.drafts)
        reading.links.append(
            Link(
                source if known else draft.address,
                address,
                Relation.DEPENDS_ON,
                draft.file,
                item.line,
                f"container {name}",
                draft.scope,
            )
        )


def _tails(reading: Reading, draft: Draft, node: Node) -> None:
    """Workers that take what this one logs."""
    for item in [item for key in _TAILS if (listed := node.get(key)) is not None for item in listed.items()]:
        service = item.get("service")
        written = service.string() if service is not None else None
        if written is None:
            continue
        name = _in_environment(written, item)
        target = Draft("cloudflare.worker", f"worker/{name}", draft.file, item.line, item.end_line, item, name)
        _mention(reading, draft, target)
        reading.links.append(
            Link(draft.address, target.address, Relation.TRIGGERS, draft.file, item.line, f"tail consumer {name}", draft.scope)
        )


def _mention(reading: Reading, worker: Draft, target: Draft) -> None:
    """What a Worker is bound to exists elsewhere: the binding neither makes nor deletes it."""
    target.scope = worker.scope
    if target.kind in BY_ID:
        target.name = None
    if len(reading.drafts) >= MAX_BINDINGS:
        _say_cut(reading, worker.file)
        return
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
            part_of=draft.address,
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
