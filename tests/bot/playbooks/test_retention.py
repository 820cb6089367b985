"""What is kept for a shorter time."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

QUEUE = 'resource "aws_sqs_queue" "sync" {\n  name                      = "sync"\n  message_retention_seconds = 1209600\n}\n'
BUCKET = """\
Resources:
  Archive:
    Type: AWS::S3::Bucket
    Properties:
      BucketName: archive
      LifecycleConfiguration:
        Rules:
          - Id: old
            Status: Enabled
            ExpirationInDays: 400
"""


def a_queue(age_s: float | None) -> MemoryProduction:
    production = MemoryProduction()
    queue = production.resource("arn:aws:sqs:eu-west-1:1:sync", "aws.sqs.queue", "sync", is_deployed=True)
    production.resource("worker", "aws.ecs.service", "worker")
    production.edge(queue, "worker", "triggers")
    if age_s is not None:
        production.metric(queue, "ApproximateAgeOfOldestMessage", "Seconds", age_s)
    return production


def a_bucket(*messages: str) -> MemoryProduction:
    production = MemoryProduction()
    bucket = production.resource("arn:aws:s3:::archive", "aws.s3.bucket", "archive", is_deployed=True)
    production.log(bucket, *messages)
    return production


def the_status(evaluation):
    (entry,) = evaluation.ledger
    return entry.status


@pytest.mark.parametrize(("age_s", "expected"), [(200_000, Status.CONFIRMED), (40, Status.REFUTED), (None, Status.PLAUSIBLE)])
def test_a_queue_that_keeps_less_is_judged_by_the_age_of_its_oldest_message(age_s, expected) -> None:
    evaluation = evaluation_of({"q.tf": QUEUE}, {"q.tf": QUEUE.replace("1209600", "86400")}, a_queue(age_s))

    assert the_status(evaluation) is expected


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        (["REST.GET.OBJECT inv/2025-11/7.pdf 200", "REST.GET.OBJECT inv/2026-05/1.pdf 200"], Status.CONFIRMED),
        (["REST.GET.OBJECT inv/2026-05-03/7.pdf 200", "REST.PUT.OBJECT inv/2020-01/7.pdf 200"], Status.REFUTED),
        ([], Status.PLAUSIBLE),
    ],
)
def test_a_bucket_that_keeps_less_is_judged_by_the_oldest_object_that_is_still_read(messages, expected) -> None:
    evaluation = evaluation_of(
        {"t.yaml": BUCKET}, {"t.yaml": BUCKET.replace("ExpirationInDays: 400", "ExpirationInDays: 30")}, a_bucket(*messages)
    )

    assert the_status(evaluation) is expected


def test_keeping_longer_is_silent() -> None:
    assert evaluation_of({"q.tf": QUEUE.replace("1209600", "86400")}, {"q.tf": QUEUE}, a_queue(200_000)).ledger == ()
