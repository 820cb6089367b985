"""Elastic Load Balancing, application, network and gateway balancers: listeners, rules, target groups, targets."""

from collections.abc import Iterator, Mapping
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, listed, part
from gonogo.resource import Relation

SERVICE = "elbv2"
PERMISSIONS = (
    "elasticloadbalancing:DescribeListeners",
    "elasticloadbalancing:DescribeLoadBalancerAttributes",
    "elasticloadbalancing:DescribeLoadBalancers",
    "elasticloadbalancing:DescribeRules",
    "elasticloadbalancing:DescribeTargetGroupAttributes",
    "elasticloadbalancing:DescribeTargetGroups",
    "elasticloadbalancing:DescribeTargetHealth",
)

_ATTRIBUTES = {
    "idle_timeout.timeout_seconds": "idle_timeout_s",
    "deletion_protection.enabled": "deletion_protection",
    "deregistration_delay.timeout_seconds": "deregistration_delay_s",
    "slow_start.duration_seconds": "slow_start_s",
    "stickiness.enabled": "stickiness_enabled",
}
_GROUP = (
    "TargetType Protocol ProtocolVersion Port HealthCheckProtocol HealthCheckPort HealthCheckPath HealthCheckEnabled"
    " HealthCheckIntervalSeconds HealthCheckTimeoutSeconds HealthyThresholdCount UnhealthyThresholdCount Matcher"
)


def collect(ask: Asking) -> None:
    """Balancers with what their listeners and rules forward to; target groups with who is registered."""
    for balancer in ask.pages(SERVICE, "describe_load_balancers", "LoadBalancers", PageSize=400):
        with ask.detail(f"balancer {balancer.get('LoadBalancerName')}"):
            _balancer(ask, balancer)
    for group in ask.pages(SERVICE, "describe_target_groups", "TargetGroups", PageSize=400):
        with ask.detail(f"target group {group.get('TargetGroupName')}"):
            _group(ask, group)


def _balancer(ask: Asking, balancer: Mapping[str, Any]) -> None:
    arn, name = balancer["LoadBalancerArn"], balancer["LoadBalancerName"]
    attributes = chosen(balancer, "DNSName Scheme Type IpAddressType")
    with ask.detail(f"attributes of {name}"):
        answer = ask.one(SERVICE, "describe_load_balancer_attributes", LoadBalancerArn=arn)
        attributes |= _named(answer.get("Attributes", ()))
    host = balancer.get("DNSName")
    hosts = [host, f"dualstack.{host}"] if host else []
    ask.resource(arn, "aws.elb.loadbalancer", name, attributes, aliases=hosts)
    with ask.detail(f"listeners of {name}"):
        for listener in ask.pages(SERVICE, "describe_listeners", "Listeners", LoadBalancerArn=arn, PageSize=400):
            with ask.detail(f"listener of {name}"):
                _listener(ask, arn, listener)


def _listener(ask: Asking, balancer: str, listener: Mapping[str, Any]) -> None:
    at, port = listener["ListenerArn"], f"{listener.get('Protocol', '')}:{listener.get('Port', '')}".strip(":")
    ask.resource(at, "aws.elb.listener", port, chosen(listener, "Port Protocol SslPolicy"))
    ask.edge(at, balancer, Relation.DEPENDS_ON, "LoadBalancerArn")
    for group in _forwarded(listener.get("DefaultActions") or ()):
        ask.edge(at, group, Relation.ROUTES_TO, "default action")
        ask.edge(balancer, group, Relation.ROUTES_TO, f"listener {port}, default action")
    for rule in ask.pages(SERVICE, "describe_rules", "Rules", ListenerArn=at, PageSize=400):
        if rule.get("IsDefault"):
            continue
        conditions = [f"{c.get('Field')} {' '.join(c.get('Values') or ())}".strip() for c in rule.get("Conditions") or ()]
        attributes = {**chosen(rule, "Priority"), "conditions": conditions}
        ask.resource(rule["RuleArn"], "aws.elb.listener_rule", f"{port} {rule.get('Priority')}", attributes)
        ask.edge(rule["RuleArn"], at, Relation.DEPENDS_ON, "ListenerArn")
        for group in _forwarded(rule.get("Actions") or ()):
            evidence = f"listener {port}, rule {rule.get('Priority')}: {', '.join(conditions[:3])}"
            ask.edge(rule["RuleArn"], group, Relation.ROUTES_TO, evidence)
            ask.edge(at, group, Relation.ROUTES_TO, evidence)
            ask.edge(balancer, group, Relation.ROUTES_TO, evidence)


def _forwarded(actions: Any) -> Iterator[str]:
    """The target groups that take it. A weight of 0 takes nothing today and is one step from taking all."""
    for action in actions:
        if group := action.get("TargetGroupArn"):
            yield group
        for several in listed(action, "ForwardConfig.TargetGroups"):
            yield several["TargetGroupArn"]


def _group(ask: Asking, group: Mapping[str, Any]) -> None:
    arn, name, kind = group["TargetGroupArn"], group["TargetGroupName"], group.get("TargetType", "instance")
    attributes = chosen(group, _GROUP)
    with ask.detail(f"attributes of {name}"):
        answer = ask.one(SERVICE, "describe_target_group_attributes", TargetGroupArn=arn)
        attributes |= _named(answer.get("Attributes", ()))
    ask.resource(arn, "aws.elb.target_group", name, attributes)
    with ask.detail(f"targets of {name}"):
        for described in ask.pages(SERVICE, "describe_target_health", "TargetHealthDescriptions", TargetGroupArn=arn):
            target = described["Target"]["Id"]
            state = part(described, "TargetHealth").get("State", "registered")
            if target.startswith("arn:"):  # a function, or a balancer behind this one
                ask.edge(arn, target, Relation.ROUTES_TO, f"target, {state}")
            elif kind == "instance":
                ask.edge(arn, ask.arn("ec2", f"instance/{target}"), Relation.ROUTES_TO, f"target, {state}")


def _named(attributes: Any) -> dict[str, Any]:
    return {_ATTRIBUTES[a["Key"]]: a["Value"] for a in attributes if a["Key"] in _ATTRIBUTES}
