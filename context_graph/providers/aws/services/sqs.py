"""Amazon SQS: queues and where their dead letters go."""

import json

from context_graph.providers.aws.asking import Asking
from gonogo.resource import Relation

SERVICE = "sqs"
PERMISSIONS = ("sqs:GetQueueAttributes", "sqs:ListQueues")


def collect(ask: Asking) -> None:
    """Every queue with all its attributes; its redrive policy as an edge."""
    for url in ask.pages(
        SERVICE, "list_queues", "QueueUrls", MaxResults=1000
    ):  # without MaxResults there is no token, and no second page
        name = url.rpartition("/")[2]
        with ask.detail(f"queue {name}"):
            attributes = ask.one(SERVICE, "get_queue_attributes", QueueUrl=url, AttributeNames=["All"]).get("Attributes", {})
            arn = attributes["QueueArn"]
            ask.resource(arn, "aws.sqs.queue", name, {**attributes, "QueueUrl": url}, aliases=[url])
            redrive = json.loads(attributes.get("RedrivePolicy") or "{}")
            if target := redrive.get("deadLetterTargetArn"):
                ask.edge(arn, target, Relation.PUBLISHES_TO, f"RedrivePolicy, after {redrive.get('maxReceiveCount')} receives")
