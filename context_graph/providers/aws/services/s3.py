"""Amazon S3: buckets of all regions, and what their events start."""

from collections.abc import Mapping
from typing import Any

from context_graph.providers.aws.asking import Asking, dig
from gonogo.resource import Relation

SERVICE = "s3"
PERMISSIONS = ("s3:GetBucketLocation", "s3:GetBucketNotification", "s3:GetBucketVersioning", "s3:ListAllMyBuckets")

_EVENTS = (
    ("LambdaFunctionConfigurations", "LambdaFunctionArn"),
    ("QueueConfigurations", "QueueArn"),
    ("TopicConfigurations", "TopicArn"),
)

_HOSTS = (".", "-website-", "-website.")


def collect(ask: Asking) -> None:
    """Every bucket, in its own region, with its notifications as edges."""
    for bucket in ask.pages(SERVICE, "list_buckets", "Buckets", MaxBuckets=1000):  # without a number there is one page, of 10,000
        with ask.detail(f"bucket {bucket.get('Name')}"):
            _bucket(ask, bucket)


def _bucket(ask: Asking, bucket: Mapping[str, Any]) -> None:
    name = bucket["Name"]
    at = f"arn:{ask.partition}:s3:::{name}"
    attributes: dict[str, Any] = {}
    region = bucket.get("BucketRegion")
    with ask.detail(f"region of bucket {name}"):
        region = region or _region(ask.one(SERVICE, "get_bucket_location", Bucket=name).get("LocationConstraint"))
    with ask.detail(f"versioning of bucket {name}"):
        attributes["versioning"] = ask.one(SERVICE, "get_bucket_versioning", Bucket=name).get("Status") == "Enabled"
    with ask.detail(f"notifications of bucket {name}"):
        notifications = ask.one(SERVICE, "get_bucket_notification_configuration", Bucket=name)
        for which, key in _EVENTS:
            for notification in notifications.get(which) or ():
                rules = dig(notification, "Filter.Key.FilterRules") or ()
                where = "".join(f", {rule['Name'].lower()} {rule['Value']}" for rule in rules)
                evidence = f"notification {' '.join(notification.get('Events') or ())}{where}"
                ask.edge(at, notification[key], Relation.TRIGGERS, evidence)
        if notifications.get("EventBridgeConfiguration") is not None:
            attributes["sends_to_eventbridge"] = True
            bus = region and f"arn:{ask.partition}:events:{region}:{ask.scope.account}:event-bus/default"
            ask.edge(at, bus or "", Relation.PUBLISHES_TO, "EventBridgeConfiguration")
    hosts = [f"{name}.s3{middle}.amazonaws.com" for middle in ("", *(f"{how}{region}" for how in _HOSTS if region))]
    ask.resource(at, "aws.s3.bucket", name, attributes, aliases=[*hosts, f"s3://{name}"], region=region)


def _region(place: str | None) -> str:
    """What the answer calls the two oldest regions. Source: S3 API reference, GetBucketLocation."""
    return {"": "us-east-1", "EU": "eu-west-1"}.get(place or "", place or "")
