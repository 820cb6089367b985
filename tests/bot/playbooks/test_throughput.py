import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "throughput"]


def a_table(consumed=None):
    production = MemoryProduction("github:acme/shop")
    table = production.resource(
        "arn:aws:dynamodb:eu-west-1:1:table/sessions",
        "aws.dynamodb.table",
        "sessions",
        is_deployed=True,
        billing_mode="PROVISIONED",
    )
    if consumed is not None:
        production.metric(table, "ConsumedReadCapacityUnits", "Count", consumed * 300)
    return production


TERRAFORM = 'resource "aws_dynamodb_table" "s" {{\n  name = "sessions"\n  read_capacity = {}\n  write_capacity = 5\n}}\n'
CLOUDFORMATION = """Resources:
  S:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: sessions
      ProvisionedThroughput: {{ReadCapacityUnits: {}, WriteCapacityUnits: 5}}
"""
both_manifests = pytest.mark.parametrize(("path", "text"), [("main.tf", TERRAFORM), ("template.yaml", CLOUDFORMATION)])


@both_manifests
@pytest.mark.parametrize(
    ("consumed", "status"), [(760.0, "confirmed"), (120.0, "refuted"), (240.0, "plausible"), (None, "plausible")]
)
def test_capacity_is_held_against_what_is_consumed_at_the_peak(path, text, consumed, status) -> None:
    assert told(evaluation_of({path: text.format(1200)}, {path: text.format(250)}, a_table(consumed))) == [status]


@both_manifests
def test_more_capacity_is_silent(path, text) -> None:
    assert told(evaluation_of({path: text.format(250)}, {path: text.format(1200)}, a_table(760.0))) == []


def test_a_table_that_scales_by_itself_is_silent() -> None:
    scaling = 'resource "aws_appautoscaling_target" "r" {\n  resource_id = "table/sessions"\n  scalable_dimension = "dynamodb:table:ReadCapacityUnits"\n  min_capacity = 100\n  max_capacity = 2000\n}\n'

    assert (
        told(
            evaluation_of(
                {"main.tf": TERRAFORM.format(1200) + scaling}, {"main.tf": TERRAFORM.format(250) + scaling}, a_table(760.0)
            )
        )
        == []
    )
