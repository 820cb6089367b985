"""serverless.yml: functions with the provider's defaults, their events, and the CloudFormation beneath."""

import re
from collections.abc import Sequence
from dataclasses import replace

from context_graph.manifests.cloudformation import read_resources
from context_graph.manifests.intrinsics import Intrinsics
from context_graph.manifests.node import MAX_DEPTH, Draft, Node, Reading, Reference
from context_graph.manifests.policies import statement_settings
from context_graph.manifests.production_stage import LAPTOP_STAGES, production_among
from context_graph.manifests.sam import with_defaults
from gonogo.pattern import pattern

_VARIABLE = pattern(r"\$\{([^${}]{1,300})\}")
_INHERITED = ("runtime", "memorySize", "timeout", "environment", "logRetentionInDays", "architecture", "vpc", "tracing", "layers")
_SOURCES = {"sqs", "stream", "kafka", "msk", "activemq", "rabbitmq"}
_STANDARD = {"timeout": 6, "memorySize": 1024}


def is_serverless(root: Node) -> bool:
    """True when the document is a service of the Serverless Framework."""
    entries = root.entries()
    return (
        "provider" in entries
        and "service" in entries
        and ("functions" in entries or "resources" in entries or "plugins" in entries)
    )


def read_serverless(root: Node, file: str) -> Reading:
    """Functions, event sources and resources of the service."""
    variables = _Variables(root)
    root = variables.resolve(root)
    reading = Reading()
    resources = root.get("resources")
    logical: dict[str, str] = {}
    for part in resources.items() if resources is not None else []:
        if part.get("Resources") is None:
            continue
        found = read_resources(part, file, prefix="resources.Resources.")
        reading.add(found)
        listed = part.get("Resources")
        logical |= {name: f"resources.Resources.{name}" for name in (listed.entries() if listed is not None else {})}
    functions = root.get("functions")
    named: dict[str, Node] = {}
    for part in functions.items() if functions is not None else []:
        named |= part.entries()
    logical |= {_logical_name(name): f"functions.{name}" for name in named}
    intrinsics = Intrinsics(resources=logical, parameters={}, mappings=None)
    provider = root.get("provider") or Node({}, root.line)
    for name, function in named.items():
        if function.entries():
            reading.add(_function(name, intrinsics.resolve(function), intrinsics.resolve(provider), root, file))
    statements = provider.get("iam", "role", "statements") or provider.get("iamRoleStatements")
    if statements is not None:
        resolved = intrinsics.resolve(Node({"Statement": statements}, statements.line))
        role = Draft(
            "aws.iam.role", "provider.iam.role", file, statements.line, statements.end_line, Node({}, statements.line), scope=file
        )
        role.extra = statement_settings(resolved)
        reading.drafts.append(role)
    return reading


def _function(name: str, function: Node, provider: Node, root: Node, file: str) -> Reading:
    defaults = Node({key: value for key in _INHERITED if (value := provider.entries().get(key)) is not None}, provider.line)
    node = with_defaults(function, defaults).without("events", "name")
    draft = Draft(
        kind="aws.lambda.function",
        address=f"functions.{name}",
        file=file,
        line=function.line,
        end_line=function.end_line,
        node=node,
        name=_physical_name(name, function, provider, root),
        scope=file,
    )
    if "memorySize" not in node.entries() and "image" not in node.entries():
        draft.extra["memory_mb"] = Node(_STANDARD["memorySize"], function.line, text="(the framework's default)")
    if "timeout" not in node.entries():
        draft.extra["timeout_s"] = Node(_STANDARD["timeout"], function.line, text="(the framework's default)")
    reading = Reading(drafts=[draft])
    events = function.get("events")
    seen: dict[str, int] = {}
    for event in events.items() if events is not None else []:
        for kind, properties in event.entries().items():
            number = seen.get(kind, 0)
            seen[kind] = number + 1
            reading.drafts.append(_event(draft, kind, number, event, properties))
    return reading


def _event(draft: Draft, kind: str, number: int, event: Node, properties: Node) -> Draft:
    target = Node(None, event.line, text=draft.address, is_known=False, references=(Reference(draft.address, "Arn", event.line),))
    entries = dict(properties.entries())
    extra: dict[str, Node] = {"event_type": Node(kind, event.line, text=kind)}
    kinds = {"schedule": "aws.events.rule", "eventBridge": "aws.events.rule", "cloudwatchEvent": "aws.events.rule"}
    kinds |= {"sns": "aws.sns.subscription", "s3": "aws.lambda.s3_event", "http": "aws.apigateway.route"}
    kinds |= {"httpApi": "aws.apigateway.route", "websocket": "aws.apigateway.route", "alb": "aws.elb.listener_rule"}
    resource_kind = "aws.lambda.event_source_mapping" if kind in _SOURCES else kinds.get(kind, f"aws.lambda.{kind.lower()}_event")
    if not entries and (properties.string() is not None or properties.references or not properties.is_known):
        entries = _shorthand(kind, properties)
    if resource_kind == "aws.events.rule":
        entries["Targets"] = target
        rate = entries.pop("rate", None)
        if rate is not None:
            extra["schedule"] = rate.items()[0] if len(rate.items()) == 1 else rate
    elif resource_kind == "aws.sns.subscription":
        entries["Endpoint"] = target
        topic = entries.pop("arn", None) or entries.pop("topicName", None)
        entries |= {"topic": topic} if topic is not None else {}
    else:
        entries["FunctionName"] = target
    if kind == "sqs" and "arn" in entries:
        extra["queue"] = entries["arn"]
    return Draft(
        kind=resource_kind,
        address=f"{draft.address}.events.{kind}.{_identity(kind, entries, number)}",
        file=draft.file,
        line=event.line,
        end_line=max(event.end_line, properties.end_line),
        node=replace(properties, value=entries, is_known=True, references=()),
        scope=draft.scope,
        extra=extra,
        part_of="" if resource_kind == "aws.events.rule" else draft.address,
    )


def _shorthand(kind: str, written: Node) -> dict[str, Node]:
    """What `sqs: arn...`, `schedule: rate(...)` and `http: GET /orders` stand for."""
    method, _, path = (written.string() or "").partition(" ")
    if kind in ("http", "httpApi") and path:
        return {"method": replace(written, value=method, text=method), "path": replace(written, value=path, text=path)}
    return {{"schedule": "rate", "http": "path", "httpApi": "path", "s3": "bucket", "sns": "topic"}.get(kind, "arn"): written}


def _identity(kind: str, entries: dict[str, Node], number: int) -> str:
    """What keeps an event's address when another one is put before it."""
    if kind in ("http", "httpApi", "websocket"):
        parts = [p for key in ("method", "path", "route") if key in entries and (p := entries[key].string())]
        return " ".join(parts).lower() if parts else str(number)
    source = entries.get("arn") or entries.get("bucket") or entries.get("name")
    if source is not None and source.references:
        return source.references[0].target.rpartition(".")[2]
    if source is not None and (written := source.string()):
        return written.rpartition(":")[2]
    return str(number)


def _physical_name(name: str, function: Node, provider: Node, root: Node) -> str | None:
    explicit = function.get("name")
    if explicit is not None:
        return explicit.string()
    service = root.get("service")
    service = service.get("name") or service if service is not None else None
    stage = provider.get("stage")
    usual = _production_stage(root) or "dev"
    parts = [(service.string() if service is not None else None), (stage.string() if stage is not None else usual), name]
    return "-".join(str(part) for part in parts) if None not in parts else None


def _logical_name(name: str) -> str:
    normal = name.replace("-", "Dash").replace("_", "Underscore")
    return normal[:1].upper() + normal[1:] + "LambdaFunction"


_STAGE = {("sls", "stage"), ("opt", "stage"), ("self", "provider.stage")}


def _production_stage(root: Node) -> str:
    """What the stage of production is called where the document has values by stage; empty when it has none."""
    pending = [(part, 0) for name in ("custom", "params", "stages") if (part := root.get(name)) is not None]
    found: set[str] = set()
    while pending:
        node, depth = pending.pop()
        found |= set(node.entries())
        pending += [(below, depth + 1) for below in node.entries().values() if depth < 4]
    return production_among(found)


class _Variables:
    """`${self:a.b, default}`, the stage of production, and defaults of `${opt:...}` and `${env:...}`; the rest stays an unknown."""

    def __init__(self, root: Node) -> None:
        self._root = root
        self._left = 20_000
        self._production = _production_stage(root)

    def resolve(self, node: Node, depth: int = 0) -> Node:
        if depth > MAX_DEPTH:
            return node
        if isinstance(node.value, dict):
            return replace(node, value={key: self.resolve(below, depth + 1) for key, below in node.value.items()})
        if isinstance(node.value, list):
            return replace(node, value=[self.resolve(item, depth + 1) for item in node.value])
        if isinstance(node.value, str) and "${" in node.value:
            return self._filled(node, depth + 1)
        return node

    def _filled(self, node: Node, depth: int) -> Node:
        written = str(node.value)
        whole = _VARIABLE.fullmatch(written)
        if whole is not None:
            found = self._value(whole.group(1), depth)
            return (
                replace(found, text=written, line=found.line if found.is_known else node.line)
                if found is not None
                else self._open(node)
            )
        for _ in range(8):
            parts = {match.group(0): self._value(match.group(1), depth) for match in _VARIABLE.finditer(written)}
            known = {sign: found.string() for sign, found in parts.items() if found is not None and found.string() is not None}
            if not known:
                break
            for sign, value in known.items():
                written = written.replace(sign, str(value))
            if len(written) > 20_000:
                break
            inner = _VARIABLE.fullmatch(written)
            found = self._value(inner.group(1), depth) if inner is not None else None
            if found is not None:  # `${self:custom.size.${sls:stage}}`: a number stays one, and its line is where it stands
                return replace(found, text=str(node.value)[:400], line=found.line if found.is_known else node.line)
        if _VARIABLE.search(written) and not re.fullmatch(r"(?:[^$]|\$\{AWS::[A-Za-z]+\}|\$\{[A-Z]\w*(?:\.\w+)?\})*", written):
            return self._open(node)
        return replace(node, value=written, text=str(node.value)[:400])

    def _value(self, expression: str, depth: int) -> Node | None:
        self._left -= 1
        if depth > MAX_DEPTH or self._left < 0:
            return None
        choices = [part.strip() for part in expression.split(",")]
        for at, choice in enumerate(choices):
            source, colon, path = choice.partition(":")
            if colon and (source, path) in _STAGE:
                stage = self._stage(source, choices[at + 1 :], depth)
                if stage is not None:
                    return stage
            elif colon and source == "param":
                found = self._root.get("params", self._production, path) or self._root.get("params", "default", path)
                if found is not None:
                    return self.resolve(found, depth + 1)
            elif colon and source == "self":
                found = self._root.get(*path.split(".")) if path else None
                if found is not None:
                    return self.resolve(found, depth + 1)
            elif choice[:1] in "'\"" and choice[-1:] == choice[:1]:
                return Node(choice[1:-1], 0, text=choice)
            elif re.fullmatch(r"-?\d{1,15}|true|false", choice):
                return Node(choice if not choice.lstrip("-").isdigit() else int(choice), 0, text=choice)
        return None

    def _stage(self, source: str, choices: Sequence[str], depth: int) -> Node | None:
        """The stage of production where the stage is chosen at the deploy; a fixed one is what it is."""
        provider = self._root.get("provider")
        written = provider.get("stage") if provider is not None and source in ("sls", "self") else None
        if written is not None:
            return self.resolve(written, depth + 1)
        fallback = next((one.strip("'\"") for one in choices if ":" not in one), "" if source == "opt" else "dev")
        chosen = self._production or ("prod" if fallback.lower() in LAPTOP_STAGES and source == "opt" else fallback)
        return Node(chosen, 0, text=f"(the stage of production, else {fallback})") if chosen else None

    def _open(self, node: Node) -> Node:
        return Node(None, node.line, text=str(node.value)[:400], is_known=False)
