"""AWS Lambda: functions, their concurrency, and what triggers them."""

from collections.abc import Mapping
from typing import Any

from context_graph.providers.aws.asking import Asking, dig
from gonogo.resource import Relation

SERVICE = "lambda"


def collect(ask: Asking) -> None:
    """Every function with its configuration; every event source mapping as an edge."""
    for function in ask.pages(SERVICE, "list_functions", "Functions"):
        _function(ask, function)
    for mapping in ask.pages(SERVICE, "list_event_source_mappings", "EventSourceMappings"):
        _mapping(ask, mapping)


def _function(ask: Asking, function: Mapping[str, Any]) -> None:
    arn, name = function["FunctionArn"], function["FunctionName"]
    attributes = {**function}
    attributes.pop("Environment", None)
    variables: Mapping[str, str] = dig(function, "Environment.Variables") or {}
    attributes["environment_keys"] = sorted(variables)
    with ask.detail(f"concurrency of {name}"):
        reserved = ask.one(SERVICE, "get_function_concurrency", FunctionName=name)
        attributes["ReservedConcurrentExecutions"] = reserved.get("ReservedConcurrentExecutions")
    with ask.detail(f"aliases of {name}"):
        attributes["aliases"] = {
            alias["Name"]: alias["FunctionVersion"] for alias in ask.pages(SERVICE, "list_aliases", "Aliases", FunctionName=name)
        }
    ask.resource(arn, "aws.lambda.function", name, attributes)
    for key, value in variables.items():
        ask.mention(arn, value, f"environment variable {key}")
    if role := function.get("Role"):
        ask.edge(arn, role, Relation.DEPENDS_ON, "Role")
    if dead_letters := dig(function, "DeadLetterConfig.TargetArn"):
        ask.edge(arn, dead_letters, Relation.PUBLISHES_TO, "DeadLetterConfig.TargetArn")
    for file_system in function.get("FileSystemConfigs") or ():
        ask.edge(arn, file_system["Arn"], Relation.CONNECTS_TO, "FileSystemConfigs")


def _mapping(ask: Asking, mapping: Mapping[str, Any]) -> None:
    function = mapping.get("FunctionArn")
    if not function:
        return
    uuid = mapping["UUID"]
    at = f"arn:aws:lambda:{ask.scope.region}:{ask.scope.account}:event-source-mapping:{uuid}"
    ask.resource(at, "aws.lambda.event_source_mapping", uuid, mapping)
    source = mapping.get("EventSourceArn")
    state = mapping.get("State", "Enabled")
    if source and state not in ("Disabled", "Disabling"):
        ask.edge(source, function, Relation.TRIGGERS, f"event source mapping {uuid}, {state}")
    if failed := dig(mapping, "DestinationConfig.OnFailure.Destination"):
        ask.edge(function, failed, Relation.PUBLISHES_TO, f"event source mapping {uuid}, on failure")
