"""Holders of state that a deploy deletes."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:orders"

TERRAFORM = """\
resource "aws_db_instance" "orders" {
  identifier        = "orders"
  engine            = "postgres"
  storage_encrypted = false
  allocated_storage = 400
}
"""

CLOUDFORMATION = """\
Resources:
  Carts:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: carts
      BillingMode: PAY_PER_REQUEST
      KeySchema:
        - {AttributeName: id, KeyType: HASH}
"""


def a_production(*, connections: float | None = 40, **attributes) -> MemoryProduction:
    production = MemoryProduction()
    production.resource(DATABASE, "aws.rds.instance", "orders", is_deployed=True, engine="postgres", **attributes)
    production.resource("arn:aws:ecs:1:api", "aws.ecs.service", "api")
    production.edge("arn:aws:ecs:1:api", DATABASE, "writes_to")
    if connections is not None:
        production.metric(DATABASE, "DatabaseConnections", "Count", connections)
    return production


def carts(**metrics: float) -> MemoryProduction:
    production = MemoryProduction()
    table = production.resource("arn:aws:dynamodb:1:table/carts", "aws.dynamodb.table", "carts", is_deployed=True, hash_key="id")
    for name, value in metrics.items():
        production.metric(table, name, "Count", value)
    return production


def the_status(evaluation):
    (entry,) = [e for e in evaluation.ledger if e.trajectory.playbook == "stateful-replacement"]
    return entry.status


def terraform(old: str, new: str, production: MemoryProduction | None):
    return evaluation_of({"db.tf": TERRAFORM}, {"db.tf": TERRAFORM.replace(old, new)}, production)


def test_a_database_in_use_that_is_replaced_is_a_no_go_with_its_line_and_its_connections() -> None:
    evaluation = terraform("storage_encrypted = false", "storage_encrypted = true", a_production())

    (entry,) = evaluation.ledger
    assert entry.status is Status.CONFIRMED
    assert entry.trajectory.resource == DATABASE
    assert entry.trajectory.links[0].evidence[0].line == 4
    assert [f.rule for f in evaluation.findings] == ["stateful/replaced"]


def test_a_table_whose_key_changes_is_a_no_go_in_cloudformation() -> None:
    evaluation = evaluation_of(
        {"template.yaml": CLOUDFORMATION},
        {"template.yaml": CLOUDFORMATION.replace("AttributeName: id", "AttributeName: cart_id")},
        carts(ConsumedWriteCapacityUnits=90),
    )

    assert the_status(evaluation) is Status.CONFIRMED


def test_a_removed_table_in_use_is_a_no_go() -> None:
    evaluation = evaluation_of(
        {"template.yaml": CLOUDFORMATION, "app.tf": TERRAFORM},
        {"template.yaml": "Resources: {}\n"},
        carts(ConsumedReadCapacityUnits=9),
    )

    assert the_status(evaluation) is Status.CONFIRMED


def test_another_address_without_a_moved_block_is_a_no_go_and_with_one_is_nothing() -> None:
    readdressed = TERRAFORM.replace('"aws_db_instance" "orders"', '"aws_db_instance" "main"')
    moved = readdressed + "moved {\n  from = aws_db_instance.orders\n  to   = aws_db_instance.main\n}\n"

    assert the_status(evaluation_of({"db.tf": TERRAFORM}, {"db.tf": readdressed}, a_production())) is Status.CONFIRMED
    assert evaluation_of({"db.tf": TERRAFORM}, {"db.tf": moved}, a_production()).ledger == ()


def test_nobody_using_it_refutes() -> None:
    assert (
        the_status(terraform("storage_encrypted = false", "storage_encrypted = true", a_production(connections=0)))
        is Status.REFUTED
    )


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (
            TERRAFORM.replace("}\n", "  lifecycle {\n    prevent_destroy = true\n  }\n}\n"),
            TERRAFORM.replace("= false", "= true").replace("}\n", "  lifecycle {\n    prevent_destroy = true\n  }\n}\n"),
        ),
        (TERRAFORM, "removed {\n  from = aws_db_instance.orders\n  lifecycle {\n    destroy = false\n  }\n}\n"),
    ],
)
def test_what_the_manifest_keeps_refutes(base, head) -> None:
    assert the_status(evaluation_of({"db.tf": base}, {"db.tf": head}, a_production())) is Status.REFUTED


def test_a_retained_resource_of_the_deployed_template_refutes() -> None:
    base = CLOUDFORMATION.replace("    Properties:", "    DeletionPolicy: Retain\n    Properties:")

    evaluation = evaluation_of({"template.yaml": base}, {"template.yaml": "Resources: {}\n"}, carts(ConsumedReadCapacityUnits=9))

    assert the_status(evaluation) is Status.REFUTED


def test_deletion_protection_that_is_on_refutes() -> None:
    production = a_production(deletion_protection=True)

    assert the_status(terraform("storage_encrypted = false", "storage_encrypted = true", production)) is Status.REFUTED


def test_without_production_it_is_a_question() -> None:
    evaluation = terraform("storage_encrypted = false", "storage_encrypted = true", None)

    (entry,) = evaluation.ledger
    assert entry.status is Status.PLAUSIBLE
    assert any(link.question and link.query for link in entry.trajectory.links)


@pytest.mark.parametrize(
    ("old", "new"), [("allocated_storage = 400", "allocated_storage = 800"), ("  storage_encrypted = false\n", "")]
)
def test_what_changes_in_place_or_means_the_default_is_silent(old, new) -> None:
    assert terraform(old, new, a_production()).ledger == ()


WRANGLER = """\
name = "board"
main = "src/index.ts"

[[durable_objects.bindings]]
name = "ROOM"
class_name = "Room"
"""


@pytest.mark.parametrize(("requests", "expected"), [(None, Status.PLAUSIBLE), (40.0, Status.CONFIRMED)])
def test_a_deleted_class_is_a_question_until_its_use_was_measured(requests, expected) -> None:
    production = MemoryProduction()
    production.resource("cloudflare:worker:board", "cloudflare.worker", "board", is_deployed=True)
    production.resource("cloudflare:durable_object:Room", "cloudflare.durable_object", "Room")
    production.edge("cloudflare:worker:board", "cloudflare:durable_object:Room", "connects_to")
    production.metric("cloudflare:worker:board", "RequestsPerSecond", "Count/Second", 90)
    if requests is not None:
        production.metric("cloudflare:durable_object:Room", "Requests", "Count", requests)

    evaluation = evaluation_of(
        {"wrangler.toml": WRANGLER},
        {"wrangler.toml": WRANGLER + '\n[[migrations]]\ntag = "v2"\ndeleted_classes = ["Room"]\n'},
        production,
    )

    assert the_status(evaluation) is expected
