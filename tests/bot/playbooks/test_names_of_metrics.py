"""A statistic after a dot and the resource's own name in braces do not hide a metric."""

import pytest

from bot.investigator.metric_names import is_level, plain_name
from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

TABLE = "arn:aws:dynamodb:eu-west-3:1:table/readings"
SAM = """Resources:
  Readings:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: readings
      ProvisionedThroughput: {{ReadCapacityUnits: 30, WriteCapacityUnits: {}}}
"""
NAMES = [
    "ConsumedWriteCapacityUnits",
    "ConsumedWriteCapacityUnits.sum",
    "ConsumedWriteCapacityUnits.Sum",
    "ConsumedWriteCapacityUnits{TableName=readings}",
    "ConsumedWriteCapacityUnits.sum{TableName=readings}",
    "aws_dynamodb_consumed_write_capacity_units_sum",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("units", "status"), [(18.0, "refuted"), (55.0, "confirmed")])
def test_sums_over_five_minutes_are_held_against_units_a_second(name, units, status) -> None:
    production = MemoryProduction("github:acme/probes")
    production.resource(TABLE, "aws.dynamodb.table", "readings", is_deployed=True, BillingMode="PROVISIONED")
    production.metric(TABLE, name, "Count", units * 300)

    evaluation = evaluation_of({"template.yaml": SAM.format(100)}, {"template.yaml": SAM.format(40)}, production)

    assert [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "throughput"] == [status]


@pytest.mark.parametrize(
    "name",
    [
        "ConsumedWriteCapacityUnits.mean",
        "ConsumedWriteCapacityUnits.max",
        "ConsumedWriteCapacityUnits{GlobalSecondaryIndexName=x}",
    ],
)
def test_what_one_request_uses_or_an_index_alone_is_not_taken_for_the_table(name) -> None:
    assert plain_name(name, "max", "Count", TABLE) == name


@pytest.mark.parametrize(
    ("name", "statistic", "unit", "plain"),
    [
        ("CPUUtilization.average", "max", "Percent", "CPUUtilization"),
        ("CPUUtilization.max", "max", "Percent", "CPUUtilization"),
        ("CPUUtilization.max", "mean", "Percent", "CPUUtilization.max"),
        ("Duration.p99", "max", "Milliseconds", "Duration.p99"),
        ("ConcurrentExecutions.max", "max", "Count", "ConcurrentExecutions"),
    ],
)
def test_the_average_and_the_peak_of_a_step_stand_for_a_level(name, statistic, unit, plain) -> None:
    assert plain_name(name, statistic, unit, TABLE) == plain


@pytest.mark.parametrize(
    "name",
    [
        "rabbitmq_queue_messages_published_total",
        "rabbitmq_queue_messages_acked_total",
        "queue_messages_delivered_total",
        "sidekiq_queue_jobs_enqueued_total",
        "bullmq_queue_jobs_added_total",
        "EnqueueCount",
        "NumberOfMessagesSent",
    ],
)
def test_what_enters_or_leaves_a_queue_is_counted_as_events(name) -> None:
    assert not is_level(name)


@pytest.mark.parametrize(
    "name",
    [
        "rabbitmq_queue_messages_ready",
        "rabbitmq_queue_messages_unacked",
        "sidekiq_enqueued_jobs",
        "ApproximateNumberOfMessagesVisible",
        "celery_queue_length",
        "DatabaseConnections",
        "kafka_consumergroup_lag_total",
    ],
)
def test_what_waits_in_a_queue_is_a_level(name) -> None:
    assert is_level(name)
