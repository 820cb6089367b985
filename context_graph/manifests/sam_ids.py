"""Logical ids that SAM makes up, and that a template may refer to as to its own.

https://github.com/aws/serverless-application-model/blob/develop/docs/internals/generated_resources.rst
"""

from collections.abc import Iterator, Mapping

from context_graph.manifests.node import Node
from context_graph.normal_form import canonical

_FUNCTION, _MACHINE = "AWS::Serverless::Function", "AWS::Serverless::StateMachine"
_APIS = ("AWS::Serverless::Api", "AWS::Serverless::HttpApi")
_IMPLIED = ("ServerlessRestApi", "ServerlessHttpApi")
_PLACED = {"schedule", "schedulev2", "cloudwatchevent", "eventbridgerule"}
"""Events that make a rule or a schedule; the resources of the others only join their source to the function."""


def generated_ids(entries: Mapping[str, Node], sections: Mapping[str, Node], prefix: str) -> dict[str, str]:
    """Made-up logical id → address of the resource that stands for it in the graph.

    A role, alias, version or URL of a function is the function; a stage or deployment of an API is the API.
    """
    found: dict[str, str] = {}
    for logical in _IMPLIED:
        found |= dict.fromkeys((logical, f"{logical}ProdStage", f"{logical}ApiGatewayDefaultStage"), prefix + logical)
    for logical, entry in entries.items():
        kind, properties = _text(entry.get("Type")), entry.get("Properties") or Node({}, entry.line)
        if kind in (_FUNCTION, _MACHINE):
            found |= dict.fromkeys(_of_workload(logical, properties, sections), prefix + logical)
            found |= dict(_of_events(logical, properties, prefix))
        elif kind in _APIS:
            stage = _text(properties.get("StageName"))
            names = (f"{logical}.Stage", f"{logical}.Deployment", f"{logical}{stage}Stage", f"{logical}ApiGatewayDefaultStage")
            found |= dict.fromkeys(names, prefix + logical)
    return found


def _of_workload(logical: str, properties: Node, sections: Mapping[str, Node]) -> Iterator[str]:
    yield from (f"{logical}Role", f"{logical}Url", f"{logical}.Alias", f"{logical}.Version")
    shared = sections.get("Function")
    alias = properties.get("AutoPublishAlias") or (shared.get("AutoPublishAlias") if shared is not None else None)
    yield f"{logical}Alias{_text(alias)}"


def _of_events(logical: str, properties: Node, prefix: str) -> Iterator[tuple[str, str]]:
    events = properties.get("Events")
    for name, event in (events.entries() if events is not None else {}).items():
        is_placed = canonical(_text(event.get("Type"))) in _PLACED
        yield f"{logical}{name}", f"{prefix}{logical}.Events.{name}" if is_placed else prefix + logical
        yield f"{logical}{name}Permission", prefix + logical


def _text(node: Node | None) -> str:
    return (node.string() if node is not None else None) or ""
