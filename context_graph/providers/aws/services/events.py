"""Amazon EventBridge: buses, rules and their targets."""

from collections.abc import Mapping
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, dig
from gonogo.resource import Relation

SERVICE = "events"
PERMISSIONS = ("events:ListEventBuses", "events:ListRules", "events:ListTargetsByRule")


def collect(ask: Asking) -> None:
    """Every bus; every rule of each, with what it triggers while it is enabled."""
    for bus in ask.pages(SERVICE, "list_event_buses", "EventBuses", Limit=100):
        name = bus["Name"]
        with ask.detail(f"bus {name}"):
            ask.resource(bus["Arn"], "aws.events.bus", name, chosen(bus, "Description KmsKeyIdentifier"))
            for rule in ask.pages(SERVICE, "list_rules", "Rules", EventBusName=name, Limit=100):
                with ask.detail(f"rule {rule.get('Name')} of bus {name}"):
                    _rule(ask, rule, bus["Arn"])


def _rule(ask: Asking, rule: Mapping[str, Any], bus: str) -> None:
    arn, name, is_on = rule["Arn"], rule["Name"], rule.get("State", "ENABLED").startswith("ENABLED")
    attributes = chosen(rule, "ScheduleExpression EventPattern State ManagedBy Description EventBusName")
    ask.resource(arn, "aws.events.rule", name, {**attributes, "enabled": is_on})
    if is_on and rule.get("EventPattern"):
        ask.edge(bus, arn, Relation.TRIGGERS, "EventPattern")
    for target in ask.pages(SERVICE, "list_targets_by_rule", "Targets", Rule=name, EventBusName=rule["EventBusName"], Limit=100):
        if is_on:
            ask.edge(arn, target["Arn"], Relation.TRIGGERS, f"target {target['Id']}")
            if task := dig(target, "EcsParameters.TaskDefinitionArn"):
                ask.edge(arn, task, Relation.TRIGGERS, f"target {target['Id']}")
        if dead_letters := dig(target, "DeadLetterConfig.Arn"):
            ask.edge(arn, dead_letters, Relation.PUBLISHES_TO, f"dead letters of target {target['Id']}")
