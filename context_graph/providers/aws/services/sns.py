"""Amazon SNS: topics and who is subscribed."""

from context_graph.providers.aws.asking import Asking
from gonogo.resource import Relation

SERVICE = "sns"
PERMISSIONS = ("sns:GetTopicAttributes", "sns:ListSubscriptions", "sns:ListTopics")


def collect(ask: Asking) -> None:
    """Every topic; every confirmed subscription as an edge."""
    for topic in ask.pages(SERVICE, "list_topics", "Topics"):
        arn = topic["TopicArn"]
        with ask.detail(f"topic {arn}"):
            attributes = ask.one(SERVICE, "get_topic_attributes", TopicArn=arn).get("Attributes", {})
            ask.resource(arn, "aws.sns.topic", arn.rpartition(":")[2], attributes)
    for subscription in ask.pages(SERVICE, "list_subscriptions", "Subscriptions"):
        arn, protocol, endpoint = subscription["SubscriptionArn"], subscription["Protocol"], subscription["Endpoint"]
        if not arn.startswith("arn:"):
            continue  # PendingConfirmation, Deleted
        if protocol == "lambda":
            ask.edge(subscription["TopicArn"], endpoint, Relation.TRIGGERS, f"subscription {arn.rpartition(':')[2]}")
        elif endpoint.startswith("arn:"):
            ask.edge(subscription["TopicArn"], endpoint, Relation.PUBLISHES_TO, f"subscription {arn.rpartition(':')[2]}")
        else:
            ask.mention(subscription["TopicArn"], endpoint, f"subscription by {protocol}")
