"""Amazon DynamoDB: tables with keys, indexes, capacity, stream, expiry and size."""

from collections.abc import Mapping
from typing import Any

from context_graph.normal_form import normal_attributes
from context_graph.providers.aws.asking import Asking, chosen, dig
from gonogo.resource import Relation

SERVICE = "dynamodb"
PERMISSIONS = (
    "dynamodb:DescribeContinuousBackups",
    "dynamodb:DescribeTable",
    "dynamodb:DescribeTimeToLive",
    "dynamodb:ListTables",
)


def collect(ask: Asking) -> None:
    """Every table. What reads its stream is an event source mapping of Lambda, or a pipe."""
    for name in ask.pages(SERVICE, "list_tables", "TableNames"):
        with ask.detail(f"table {name}"):
            _table(ask, ask.one(SERVICE, "describe_table", TableName=name)["Table"])


def _table(ask: Asking, table: Mapping[str, Any]) -> None:
    arn, name = table["TableArn"], table["TableName"]
    attributes = chosen(table, "TableName TableStatus StreamSpecification DeletionProtectionEnabled OnDemandThroughput")
    attributes |= _keys(table)
    attributes["billing_mode"] = dig(table, "BillingModeSummary.BillingMode") or "PROVISIONED"
    if attributes["billing_mode"] == "PROVISIONED":
        attributes |= chosen(table, "ProvisionedThroughput")
    attributes["item_count"] = table.get("ItemCount")
    attributes["size_bytes"] = table.get("TableSizeBytes")
    attributes["table_class"] = dig(table, "TableClassSummary.TableClass")
    attributes["replica_regions"] = sorted(replica["RegionName"] for replica in table.get("Replicas") or ())
    for which, key in (
        ("GlobalSecondaryIndexes", "global_secondary_indexes"),
        ("LocalSecondaryIndexes", "local_secondary_indexes"),
    ):
        attributes[key] = [_index(index, attributes["billing_mode"]) for index in table.get(which) or ()]
    with ask.detail(f"expiry of table {name}"):
        expiry = ask.one(SERVICE, "describe_time_to_live", TableName=name).get("TimeToLiveDescription", {})
        attributes["ttl_attribute"] = expiry.get("AttributeName")
        attributes["ttl_enabled"] = expiry.get("TimeToLiveStatus") in ("ENABLED", "ENABLING")
    with ask.detail(f"backups of table {name}"):
        backups = ask.one(SERVICE, "describe_continuous_backups", TableName=name)
        status = dig(backups, "ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus")
        attributes["point_in_time_recovery"] = status == "ENABLED"
    ask.resource(arn, "aws.dynamodb.table", name, attributes)
    for replica in table.get("Replicas") or ():
        other = arn.replace(f":{ask.scope.region}:", f":{replica['RegionName']}:")
        ask.edge(arn, other, Relation.WRITES_TO, "replica of a global table")


def _keys(described: Mapping[str, Any]) -> dict[str, Any]:
    roles = {part["KeyType"]: part["AttributeName"] for part in described.get("KeySchema") or ()}
    return {"hash_key": roles.get("HASH"), "range_key": roles.get("RANGE")}


def _index(index: Mapping[str, Any], billing_mode: str) -> dict[str, Any]:
    described = chosen(index, "IndexName IndexStatus Projection") | _keys(index)
    if billing_mode == "PROVISIONED":
        described |= chosen(index, "ProvisionedThroughput")
    return {key: value for key, value in normal_attributes("aws.dynamodb.index", described).items() if value is not None}
