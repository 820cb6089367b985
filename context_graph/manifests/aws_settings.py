"""Parts of AWS resources that are more than a scalar: environments, containers, statements, rules, keys, lifecycles.

Works on the tree of either Terraform or CloudFormation: names are compared without case and separators.
"""

from collections.abc import Callable
from dataclasses import replace

from context_graph.manifests.environment import environment_settings, variables_of
from context_graph.manifests.node import Draft, Node
from context_graph.manifests.policies import opened_json, rule_settings, statement_settings


def prepare_aws(draft: Draft) -> list[Draft]:
    """Fills the draft's `extra` with the settings of its composite parts; returns further resources found inside it."""
    prepare = _PREPARERS.get(draft.kind)
    if prepare is None and draft.kind.startswith("aws.iam."):
        prepare = _policy
    return (prepare(draft) or []) if prepare is not None else []


def _take(draft: Draft, settings: dict[str, Node], *ready: str) -> None:
    draft.extra = settings | draft.extra
    draft.ready = (*draft.ready, *ready)


def _function(draft: Draft) -> None:
    block = draft.node.get("Environment")
    variables = block.get("Variables") if block is not None else None
    if variables is None and block is not None and draft.node.get("environment_variables") is None and block.is_known:
        variables = block if all(not isinstance(v.value, dict | list) for v in block.entries().values()) else None
    variables = variables or draft.node.get("environment_variables")
    if variables is not None:
        settings = environment_settings(variables_of(variables), line=variables.line, file=variables.file)
        _take(draft, settings, *(("environment", "environment_variables") if settings else ()))
    _opened(draft, "policies", _inline_policies)


def _task_definition(draft: Draft) -> None:
    containers = opened_json(draft.node.get("ContainerDefinitions"))
    if containers is None or not isinstance(containers.value, list | dict):
        return
    settings: dict[str, Node] = {}
    for number, container in enumerate(containers.items()):
        settings |= {key: node for key, node in _container(container, is_main=number == 0).items() if key not in settings}
    _take(draft, settings, "ContainerDefinitions")


def _container(container: Node, *, is_main: bool) -> dict[str, Node]:
    name_node = container.get("name")
    name = (name_node.string() if name_node is not None else None) or "?"
    secrets = container.get("secrets")
    variables = variables_of(container.get("environment")) + (variables_of(secrets) if secrets is not None else [])
    line = next((n.line for n in (container.get("environment"), secrets) if n is not None), container.line)
    settings = environment_settings(variables, line=line, file=container.file)
    for theirs, ours in _CONTAINER.items():
        found = container.get(*theirs.split("."))
        if found is not None and not isinstance(found.value, dict):
            settings[ours] = found
    rest = container.without("name", "environment", "secrets", *(path for path in _CONTAINER if "." not in path))
    if rest.entries():
        settings[f"container.{name}"] = replace(rest, text=name)
    return settings if is_main else {f"container.{name}.{k}": v for k, v in settings.items() if not k.startswith("container.")}


_CONTAINER = {
    "image": "image",
    "command": "command",
    "entryPoint": "entrypoint",
    "memory": "memory_limit_mib",
    "memoryReservation": "memory_request_mib",
    "cpu": "container_cpu",
    "essential": "essential",
    "stopTimeout": "termination_grace_s",
    "healthCheck.interval": "liveness_period_s",
    "healthCheck.timeout": "liveness_timeout_s",
    "healthCheck.retries": "liveness_failure_threshold",
    "healthCheck.startPeriod": "liveness_initial_delay_s",
}


def _policy(draft: Draft) -> None:
    document = next((d for d in map(draft.node.get, ("PolicyDocument", "policy", "inline_policy.policy")) if d is not None), None)
    settings = statement_settings(document)
    if document is None and draft.node.get("statement") is not None:
        settings = statement_settings(Node({"Statement": draft.node.get("statement") or draft.node}, draft.line))
        _take(draft, settings, "statement")
        return
    _take(draft, settings, *(("PolicyDocument", "policy") if settings else ()))
    trust = draft.node.get("AssumeRolePolicyDocument") or draft.node.get("assume_role_policy")
    trusted = statement_settings(trust, prefix="trust")
    _take(draft, trusted, *(("AssumeRolePolicyDocument", "assume_role_policy") if trusted else ()))
    _opened(draft, "policies", _inline_policies)
    _opened(draft, "inline_policy", _inline_policies)


def _inline_policies(policies: Node) -> dict[str, Node]:
    """The statements of a role's or function's own policies; SAM's policy templates are a statement each."""
    settings: dict[str, Node] = {}
    for number, policy in enumerate(policies.items()):
        document = (
            policy.get("PolicyDocument") or policy.get("policy") or (policy if policy.get("Statement") is not None else None)
        )
        if document is not None:
            settings |= statement_settings(document, start=len(settings))
        elif policy.string() is not None:
            settings[f"managed_policy.{number}"] = policy
        elif policy.is_known and len(policy.entries()) == 1:
            template, arguments = next(iter(policy.entries().items()))
            named = {"effect": Node("Allow", policy.line), "template": Node(template, policy.line), "resources": arguments}
            settings[f"statement.{len(settings)}"] = Node(named, policy.line, text=template)
    return settings


def _opened(draft: Draft, key: str, settings_of: Callable[[Node], dict[str, Node]]) -> None:
    node = draft.node.get(key)
    if node is not None and (settings := settings_of(node)):
        _take(draft, settings, key)


def _resource_policy(draft: Draft) -> None:
    document = draft.node.get("PolicyDocument") or draft.node.get("policy")
    settings = statement_settings(document)
    _take(draft, settings, *(("PolicyDocument", "policy") if settings else ()))


def _security_group(draft: Draft) -> None:
    incoming = rule_settings(draft.node.get("ingress") or draft.node.get("SecurityGroupIngress"), "ingress")
    outgoing = rule_settings(draft.node.get("egress") or draft.node.get("SecurityGroupEgress"), "egress")
    _take(draft, incoming | outgoing, "ingress", "egress", "SecurityGroupIngress", "SecurityGroupEgress")


def _table(draft: Draft) -> list[Draft]:
    settings = _key_schema(draft.node)
    indexes: list[Draft] = []
    for which in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes", "global_secondary_index", "local_secondary_index"):
        listed = draft.node.get(which)
        for number, index in enumerate(listed.items() if listed is not None else []):
            if not index.entries():
                continue
            indexes.append(_index(draft, index, number, is_global="global" in which.lower()))
    ready = ("KeySchema", "GlobalSecondaryIndexes", "LocalSecondaryIndexes", "global_secondary_index", "local_secondary_index")
    primary = draft.node.get("PrimaryKey", "Name")
    if primary is not None:
        settings["hash_key"] = primary
    _take(draft, settings, *ready)
    return indexes


def _index(draft: Draft, index: Node, number: int, *, is_global: bool) -> Draft:
    name_node = index.get("IndexName") or index.get("name")
    name = (name_node.string() if name_node is not None else None) or str(number)
    return Draft(
        kind="aws.dynamodb.index",
        part_of=draft.address,
        address=f"{draft.address}.index.{name}",
        file=draft.file,
        line=index.line,
        end_line=index.end_line,
        node=index,
        name=f"{draft.name}/{name}" if draft.name else None,
        is_conditional=draft.is_conditional,
        environment=draft.environment,
        scope=draft.scope,
        extra={
            **_key_schema(index),
            "is_global": Node(is_global, index.line),
            "table": Node(draft.name or draft.address, draft.line),
        },
        ready=("KeySchema",),
    )


def _key_schema(node: Node) -> dict[str, Node]:
    schema = node.get("KeySchema")
    found: dict[str, Node] = {}
    for part in schema.items() if schema is not None else []:
        role, attribute = part.get("KeyType"), part.get("AttributeName")
        if role is not None and attribute is not None:
            found["hash_key" if role.string() == "HASH" else "range_key"] = attribute
    return found


def _lifecycle(draft: Draft) -> None:
    rules = draft.node.get("LifecycleConfiguration", "Rules") or draft.node.get("lifecycle_rule") or draft.node.get("rule")
    settings: dict[str, Node] = {}
    for number, rule in enumerate(rules.items() if rules is not None else []):
        name_node = rule.get("id")
        name = (name_node.string() if name_node is not None else None) or str(number)
        for theirs, ours in _LIFECYCLE.items():
            found = rule.get(*theirs.split("."))
            if found is not None and not isinstance(found.value, dict | list):
                settings[f"lifecycle.{name}.{ours}"] = found
                settings.setdefault(ours, found) if ours == "expiration_days" else None
    _take(draft, settings, *(("LifecycleConfiguration", "lifecycle_rule", "rule") if settings else ()))


_LIFECYCLE = {
    "expiration.days": "expiration_days",
    "ExpirationInDays": "expiration_days",
    "NoncurrentVersionExpiration.NoncurrentDays": "noncurrent_expiration_days",
    "NoncurrentVersionExpiration.days": "noncurrent_expiration_days",
    "NoncurrentVersionExpirationInDays": "noncurrent_expiration_days",
    "transition.days": "transition_days",
    "Transitions.TransitionInDays": "transition_days",
    "status": "status",
    "enabled": "enabled",
    "prefix": "prefix",
    "filter.prefix": "prefix",
    "filter.and.prefix": "prefix",
    "filter.tag.key": "tag",
    "filter.tag.value": "tag_value",
    "filter.object_size_greater_than": "size_above",
    "ObjectSizeGreaterThan": "size_above",
}


def _parameters(draft: Draft) -> None:
    listed = draft.node.get("Parameters") or draft.node.get("parameter") or draft.node.get("Properties")
    settings: dict[str, Node] = {}
    if listed is not None and listed.entries() and listed.get("name") is None:
        settings = {f"parameter.{name}": value for name, value in listed.entries().items()}
    elif listed is not None:
        for item in listed.items():
            name, value = item.get("name"), item.get("value")
            if name is not None and value is not None and (key := name.string()) is not None:
                settings[f"parameter.{key}"] = value
    _take(draft, settings, "Parameters", "parameter")


def _load_balancer(draft: Draft) -> None:
    for name in ("LoadBalancerAttributes", "TargetGroupAttributes"):
        listed = draft.node.get(name)
        settings: dict[str, Node] = {}
        rest: list[Node] = []
        for item in listed.items() if listed is not None else []:
            key, value = item.get("Key"), item.get("Value")
            ours = _ATTRIBUTES.get(key.string() or "") if key is not None else None
            if ours is not None and value is not None:
                settings[ours] = value
            else:
                rest.append(item)
        if listed is not None and settings:
            left = {name: replace(listed, value=rest)} if rest else {}
            draft.node = replace(draft.node, value={**draft.node.without(name).entries(), **left})
            _take(draft, settings)


_ATTRIBUTES = {
    "idle_timeout.timeout_seconds": "idle_timeout_s",
    "deletion_protection.enabled": "deletion_protection",
    "deregistration_delay.timeout_seconds": "deregistration_delay_s",
    "slow_start.duration_seconds": "slow_start_s",
    "stickiness.enabled": "stickiness_enabled",
}


def _state_machine(draft: Draft) -> None:
    _opened(draft, "policies", _inline_policies)
    definition = opened_json(draft.node.get("Definition") or draft.node.get("DefinitionString"))
    states = definition.get("States") if definition is not None else None
    if states is None or definition is None:
        return
    settings = {f"state.{name}": state for name, state in states.entries().items()}
    timeout = definition.get("TimeoutSeconds")
    _take(draft, settings | ({"timeout_s": timeout} if timeout is not None else {}), "Definition", "DefinitionString")


_PREPARERS: dict[str, Callable[[Draft], list[Draft] | None]] = {
    "aws.lambda.function": _function,
    "aws.ecs.task_definition": _task_definition,
    "aws.ec2.security_group": _security_group,
    "aws.dynamodb.table": _table,
    "aws.s3.bucket": _lifecycle,
    "aws.s3.bucket_lifecycle_configuration": _lifecycle,
    "aws.rds.parameter_group": _parameters,
    "aws.rds.cluster_parameter_group": _parameters,
    "aws.elasticache.parameter_group": _parameters,
    "aws.elb.loadbalancer": _load_balancer,
    "aws.elb.target_group": _load_balancer,
    "aws.stepfunctions.state_machine": _state_machine,
    "aws.sqs.queue_policy": _resource_policy,
    "aws.sns.topic_policy": _resource_policy,
    "aws.s3.bucket_policy": _resource_policy,
    "aws.kms.key": _resource_policy,
    "aws.secretsmanager.secret_policy": _resource_policy,
}
