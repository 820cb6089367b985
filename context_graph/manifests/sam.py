"""SAM's shorthand: Globals, events inside a function, and the resources that they stand for."""

from collections.abc import Sequence
from dataclasses import field, replace

from context_graph.manifests.intrinsics import Intrinsics
from context_graph.manifests.node import Draft, Node, Reference
from context_graph.normal_form import canonical
from gonogo.record import Record

_SECTIONS = {
    "AWS::Serverless::Function": "Function",
    "AWS::Serverless::Api": "Api",
    "AWS::Serverless::HttpApi": "HttpApi",
    "AWS::Serverless::SimpleTable": "SimpleTable",
    "AWS::Serverless::StateMachine": "StateMachine",
}
_STREAMS = {"sqs", "kinesis", "dynamodb", "msk", "selfmanagedkafka", "mq", "documentdb"}
_RESOURCES_OF_THEIR_OWN = ("aws.events.rule", "aws.scheduler.schedule")
"""What an event makes besides joining its source to the function; everything else is only the join."""
_SCHEDULES = {"schedule": "aws.events.rule", "schedulev2": "aws.scheduler.schedule"}


class Shared(Record, frozen=False):
    """What the resources of one template share: `Globals` by section, and the APIs that SAM makes where an event names none."""

    sections: dict[str, Node]
    prefix: str
    implied: dict[str, Draft] = field(default_factory=dict[str, Draft])


def shared_of(root: Node, intrinsics: Intrinsics) -> dict[str, Node]:
    """Section of `Globals` → its resolved values."""
    section = root.get("Globals")
    return {name: intrinsics.resolve(node) for name, node in (section.entries() if section is not None else {}).items()}


def expand_sam(draft: Draft, entry: Node, shared: Shared) -> list[Draft]:
    """Gives the draft its Globals, and returns the event sources declared inside it."""
    type_node = entry.get("Type")
    section = _SECTIONS.get((type_node.string() if type_node is not None else None) or "")
    if section is None:
        return []
    if section in shared.sections:
        draft.node = with_defaults(draft.node, shared.sections[section])
    events = draft.node.get("Events")
    draft.node = draft.node.without("Events")
    if section not in ("Function", "StateMachine") or events is None:
        return []
    found = [_event(draft, name, event, shared) for name, event in events.entries().items()]
    return [event for event in found if event is not None]


def implicit_apis(drafts: Sequence[Draft], shared: Shared) -> list[Draft]:
    """The APIs that SAM makes for events that name none, unless the template declares them after all."""
    declared = {draft.address for draft in drafts}
    return [api for address, api in shared.implied.items() if address not in declared]


def with_defaults(node: Node, defaults: Node, depth: int = 0) -> Node:
    """The mapping with what it lacks taken from the defaults; mappings merge, lists add up, scalars win."""
    if not isinstance(defaults.value, dict) or depth > 20:
        return node
    merged = dict(node.entries())
    spelled = {canonical(key): key for key in merged}
    for key, value in defaults.value.items():
        own = spelled.get(canonical(key))
        if own is None:
            merged[key] = value
        elif isinstance(merged[own].value, dict) and isinstance(value.value, dict):
            merged[own] = with_defaults(merged[own], value, depth + 1)
        elif isinstance(merged[own].value, list) and isinstance(value.value, list):
            merged[own] = replace(merged[own], value=[*value.value, *merged[own].items()])
    return replace(node, value=merged)


def _event(draft: Draft, name: str, event: Node, shared: Shared) -> Draft | None:
    type_node = event.get("Type")
    kind = canonical((type_node.string() if type_node is not None else None) or "")
    properties = event.entries().get("Properties") or Node({}, event.line)
    target = Node(None, event.line, text=draft.address, is_known=False, references=(Reference(draft.address, "Arn", event.line),))
    if kind in _STREAMS:
        return _source(draft, name, event, properties, target)
    if kind in _SCHEDULES or kind in ("cloudwatchevent", "eventbridgerule"):
        return _placed(
            draft,
            name,
            event,
            kind=_SCHEDULES.get(kind, "aws.events.rule"),
            node=properties,
            more={"Targets": target, "Target": target},
            event_type=kind,
        )
    if kind == "sns":
        return _placed(
            draft, name, event, kind="aws.sns.subscription", node=properties, more={"Endpoint": target}, event_type=kind
        )
    if kind in ("api", "httpapi"):
        api = properties.get("RestApiId" if kind == "api" else "ApiId") or _implied(draft, event, kind, shared)
        more = {"Function": target, "RestApiId": _declared_api(api, shared)}
        return _placed(draft, name, event, kind="aws.apigateway.route", node=properties, more=more, event_type=kind)
    if kind in ("s3", "alexaskill", "iotrule", "cloudwatchlogs", "cognito"):
        return _placed(
            draft, name, event, kind=f"aws.lambda.{kind}_event", node=properties, more={"Function": target}, event_type=kind
        )
    return None


def _implied(draft: Draft, event: Node, kind: str, shared: Shared) -> Node:
    """The API that SAM makes for all events of this kind that name none; it stands where the first of them does."""
    section = "Api" if kind == "api" else "HttpApi"
    address = shared.prefix + ("ServerlessRestApi" if kind == "api" else "ServerlessHttpApi")
    if address not in shared.implied:
        node = shared.sections.get(section) or Node({}, event.line)
        made = Draft("aws.apigateway.api", address, draft.file, event.line, event.end_line, replace(node, line=event.line))
        made.scope, made.environment = draft.scope, draft.environment
        shared.implied[address] = made
    reference = Reference(address, "Ref", event.line)
    return Node(None, event.line, text=address, is_known=False, references=(reference,))


def _declared_api(api: Node, shared: Shared) -> Node:
    """A plain logical id among an event's properties is a reference too."""
    written = api.string()
    if written is None or api.references:
        return api
    return replace(api, value=None, is_known=False, references=(Reference(shared.prefix + written, "Ref", api.line),))


def _source(draft: Draft, name: str, event: Node, properties: Node, target: Node) -> Draft:
    node = replace(properties, value={**properties.entries(), "FunctionName": target})
    found = _placed(draft, name, event, kind="aws.lambda.event_source_mapping", node=node, more={}, event_type="")
    queue = properties.get("Queue")
    if queue is not None:
        found.extra["queue"] = queue
    return found


def _placed(draft: Draft, name: str, event: Node, *, kind: str, node: Node, more: dict[str, Node], event_type: str) -> Draft:
    wanted = {key: value for key, value in more.items() if key != ("Target" if kind == "aws.events.rule" else "Targets")}
    schedule = node.get("Schedule")
    extra = {"event_type": Node(event_type, event.line, text=event_type)} if event_type else {}
    if schedule is not None:
        extra["schedule"] = schedule
    return Draft(
        kind=kind,
        address=f"{draft.address}.Events.{name}",
        file=draft.file,
        line=event.line,
        end_line=event.end_line,
        node=replace(node, value={**node.entries(), **wanted}),
        name=None,
        is_conditional=draft.is_conditional,
        environment=draft.environment,
        scope=draft.scope,
        extra=extra,
        ready=("Schedule",) if schedule is not None else (),
        part_of="" if kind in _RESOURCES_OF_THEIR_OWN else draft.address,
    )
