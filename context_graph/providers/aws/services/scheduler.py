"""Amazon EventBridge Scheduler: schedules and what they start."""

from collections.abc import Mapping
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, dig
from gonogo.resource import Relation

SERVICE = "scheduler"
PERMISSIONS = ("scheduler:GetSchedule", "scheduler:ListSchedules")

_ANY_CALL = ":::aws-sdk:"
"""A target that is an API call: `arn:aws:scheduler:::aws-sdk:lambda:invoke`; whom it reaches stands in its input."""


def collect(ask: Asking) -> None:
    """Every schedule of every group; what it triggers while it is enabled."""
    for listed in ask.pages(SERVICE, "list_schedules", "Schedules", MaxResults=100):
        name, group = listed["Name"], listed["GroupName"]
        with ask.detail(f"schedule {group}/{name}"):
            _schedule(ask, ask.one(SERVICE, "get_schedule", Name=name, GroupName=group))


def _schedule(ask: Asking, schedule: Mapping[str, Any]) -> None:
    arn, target = schedule["Arn"], schedule["Target"]
    is_on = schedule.get("State", "ENABLED") == "ENABLED"
    attributes = chosen(
        schedule, "ScheduleExpression ScheduleExpressionTimezone FlexibleTimeWindow State GroupName StartDate EndDate"
    )
    attributes["retry_attempts"] = dig(target, "RetryPolicy.MaximumRetryAttempts")
    ask.resource(arn, "aws.scheduler.schedule", schedule["Name"], {**attributes, "enabled": is_on})
    if is_on and _ANY_CALL in target["Arn"]:
        ask.mention(arn, target.get("Input", ""), f"input of {target['Arn'].partition(_ANY_CALL)[2]}", Relation.TRIGGERS)
    elif is_on:
        ask.edge(arn, target["Arn"], Relation.TRIGGERS, "Target")
        if task := dig(target, "EcsParameters.TaskDefinitionArn"):
            ask.edge(arn, task, Relation.TRIGGERS, "Target")
    if dead_letters := dig(target, "DeadLetterConfig.Arn"):
        ask.edge(arn, dead_letters, Relation.PUBLISHES_TO, "DeadLetterConfig")
    if role := target.get("RoleArn"):
        ask.edge(arn, role, Relation.DEPENDS_ON, "RoleArn")
