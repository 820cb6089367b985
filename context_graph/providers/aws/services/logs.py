"""Amazon CloudWatch Logs: log groups and how long they keep what is written."""

from context_graph.providers.aws.asking import Asking, chosen

SERVICE = "logs"
PERMISSIONS = ("logs:DescribeLogGroups",)


def collect(ask: Asking) -> None:
    """Every log group."""
    for group in ask.pages(SERVICE, "describe_log_groups", "logGroups", limit=50):
        with ask.detail(f"log group {group.get('logGroupName')}"):
            name = group["logGroupName"]
            attributes = chosen(group, "retentionInDays logGroupClass metricFilterCount")
            attributes["stored_bytes"] = group.get("storedBytes")
            ask.resource(ask.arn("logs", f"log-group:{name}"), "aws.logs.group", name, attributes)
