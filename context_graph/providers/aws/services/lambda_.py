"""AWS Lambda: functions with everything that is set on them, and what triggers them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from context_graph.normal_form import normal_attributes
from context_graph.providers.aws.arns import parse_arn, unqualified
from context_graph.providers.aws.asking import Asking, dig, listed
from context_graph.providers.aws.documents import opened, statements
from gonogo.resource import Relation

SERVICE = "lambda"
PERMISSIONS = (
    "lambda:GetFunctionConcurrency",
    "lambda:GetPolicy",
    "lambda:ListAliases",
    "lambda:ListEventSourceMappings",
    "lambda:ListFunctionEventInvokeConfigs",
    "lambda:ListFunctionUrlConfigs",
    "lambda:ListFunctions",
    "lambda:ListProvisionedConcurrencyConfigs",
)

_MAPPING = "aws.lambda.event_source_mapping"
_OWN_LISTS = ("apigateway", "elasticloadbalancing", "events", "execute-api", "s3", "scheduler", "sns", "sqs")
"""Sources that say themselves what they trigger: a permission that was left behind is no trigger."""


def collect(ask: Asking) -> None:
    """Every event source mapping as an edge; every function with its configuration, its sources' settings among it."""
    sources: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for mapping in ask.pages(SERVICE, "list_event_source_mappings", "EventSourceMappings"):
        with ask.detail(f"event source mapping {mapping.get('UUID')}"):
            _mapping(ask, mapping, sources)
    for function in ask.pages(SERVICE, "list_functions", "Functions"):
        with ask.detail(f"function {function.get('FunctionName')}"):
            _function(ask, function, sources[function["FunctionArn"]])


def _mapping(ask: Asking, mapping: Mapping[str, Any], sources: dict[str, list[Mapping[str, Any]]]) -> None:
    function = mapping.get("FunctionArn")
    if not function:
        return
    uuid = mapping["UUID"]
    ask.resource(ask.arn("lambda", f"event-source-mapping:{uuid}"), _MAPPING, uuid, mapping)
    source = mapping.get("EventSourceArn")
    state = mapping.get("State", "Enabled")
    if state not in ("Disabled", "Disabling"):
        sources[unqualified(function)].append(mapping)
        if source:
            ask.edge(source, function, Relation.TRIGGERS, f"event source mapping {uuid}, {state}")
    if failed := dig(mapping, "DestinationConfig.OnFailure.Destination"):
        ask.edge(function, failed, Relation.PUBLISHES_TO, f"event source mapping {uuid}, on failure")


def _function(ask: Asking, function: Mapping[str, Any], sources: Sequence[Mapping[str, Any]]) -> None:
    arn, name = function["FunctionArn"], function["FunctionName"]
    attributes = {**function}
    attributes.pop("Environment", None)
    variables: Mapping[str, str] = dig(function, "Environment.Variables") or {}
    attributes["environment_keys"] = sorted(variables)
    attributes["log_group"] = dig(function, "LoggingConfig.LogGroup") or f"/aws/lambda/{name}"
    attributes |= _source_settings(sources)
    attributes |= _asked(ask, name)
    hosts = [urlsplit(str(url)).hostname for url in listed(attributes, "function_urls")]
    ask.resource(arn, "aws.lambda.function", name, attributes, aliases=hosts)
    for key, value in variables.items():
        ask.mention(arn, value, f"environment variable {key}")
    log_group = ask.arn("logs", f"log-group:{attributes['log_group']}")
    ask.mention(arn, log_group, f"log group {attributes['log_group']}", Relation.DEPENDS_ON)
    if role := function.get("Role"):
        ask.acts_as(arn, role, "Role")
    if dead_letters := dig(function, "DeadLetterConfig.TargetArn"):
        ask.edge(arn, dead_letters, Relation.PUBLISHES_TO, "DeadLetterConfig.TargetArn")
    for file_system in function.get("FileSystemConfigs") or ():
        ask.edge(arn, file_system["Arn"], Relation.CONNECTS_TO, "FileSystemConfigs")
    with ask.detail(f"resource policy of {name}"):
        _triggers_of_policy(ask, arn, ask.one(SERVICE, "get_policy", FunctionName=name).get("Policy"))


def _asked(ask: Asking, name: str) -> dict[str, Any]:
    """What has a question of its own: concurrency, aliases, what happens to asynchronous events, URLs."""
    found: dict[str, Any] = {}
    with ask.detail(f"concurrency of {name}"):
        reserved = ask.one(SERVICE, "get_function_concurrency", FunctionName=name)
        found["ReservedConcurrentExecutions"] = reserved.get("ReservedConcurrentExecutions")
    with ask.detail(f"aliases of {name}"):
        aliases = ask.pages(SERVICE, "list_aliases", "Aliases", FunctionName=name)
        found["aliases"] = {alias["Name"]: alias["FunctionVersion"] for alias in aliases}
    with ask.detail(f"provisioned concurrency of {name}"):
        configs = list(
            ask.pages(SERVICE, "list_provisioned_concurrency_configs", "ProvisionedConcurrencyConfigs", FunctionName=name)
        )
        if configs:
            found["provisioned_concurrency"] = sum(c["RequestedProvisionedConcurrentExecutions"] for c in configs)
    with ask.detail(f"asynchronous invocation of {name}"):
        for config in ask.pages(SERVICE, "list_function_event_invoke_configs", "FunctionEventInvokeConfigs", FunctionName=name):
            if config["FunctionArn"].endswith(":$LATEST") or "MaximumRetryAttempts" not in found:
                found |= {k: config.get(k) for k in ("MaximumRetryAttempts", "MaximumEventAgeInSeconds")}
            for outcome in ("OnSuccess", "OnFailure"):
                if target := dig(config, f"DestinationConfig.{outcome}.Destination"):
                    is_called = ":lambda:" in target
                    relation = Relation.TRIGGERS if is_called else Relation.PUBLISHES_TO
                    ask.edge(config["FunctionArn"], target, relation, f"asynchronous invocation, {outcome}")
    with ask.detail(f"URLs of {name}"):
        urls = list(ask.pages(SERVICE, "list_function_url_configs", "FunctionUrlConfigs", FunctionName=name))
        found["function_urls"] = [url["FunctionUrl"] for url in urls]
        found["function_url_auth"] = sorted({url["AuthType"] for url in urls})
    return found


def _source_settings(sources: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How events come in, as the function has it: what all its sources say alike; with several, what each says too."""
    each = [{k: v for k, v in normal_attributes(_MAPPING, m).items() if k in _COPIED and v is not None} for m in sources]
    alike = {k: v for k, v in each[0].items() if all(other.get(k) == v for other in each[1:])} if each else {}
    if len(each) > 1:
        alike["event_sources"] = [
            {"source": m.get("EventSourceArn"), **settings} for m, settings in zip(sources, each, strict=True)
        ]
    return alike


_COPIED = {
    "event_source_batch_size", "event_source_batching_window_s", "event_source_maximum_concurrency", "event_source_retry_attempts",
    "event_source_max_record_age_s", "event_source_parallelization_factor", "event_source_tumbling_window_s",
    "function_response_types", "bisect_on_error",
}  # fmt: skip


def _triggers_of_policy(ask: Asking, arn: str, policy: object) -> None:
    """Who may invoke it by the function's own policy and is not asked itself: a log group, a user pool, a rule of IoT, ..."""
    for statement in statements(opened(policy)):
        if statement.effect != "Allow" or not any(a.lower().startswith(("lambda:invoke", "lambda:*")) for a in statement.actions):
            continue
        for source in statement.sources:
            parsed = parse_arn(source)
            if parsed is not None and parsed.service not in _OWN_LISTS and "*" not in source.removesuffix(":*"):
                ask.edge(source, arn, Relation.TRIGGERS, f"resource policy, {statement.sid or 'unnamed'}")
