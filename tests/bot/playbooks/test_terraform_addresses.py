"""Stores whose Terraform address changes: counted, keyed, renamed, with and without `moved` blocks."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

COUNTED = 'locals {\n  names = ["stage-a", "stage-b"]\n}\n\nresource "aws_dynamodb_table" "t" {\n  count    = length(local.names)\n  name     = local.names[count.index]\n  hash_key = "id"\n}\n'
KEYED = (
    COUNTED.replace('["stage-a", "stage-b"]', 'toset(["stage-a", "stage-b"])')
    .replace("count    = length(local.names)", "for_each = local.names")
    .replace("local.names[count.index]", "each.key")
)
PLAIN = 'resource "aws_dynamodb_table" "t" {\n  name     = "stage-a"\n  hash_key = "id"\n}\n'
MAPPED = 'resource "aws_dynamodb_table" "t" {\n  for_each = { a = "stage-a" }\n  name     = each.value\n  hash_key = "id"\n}\n'
MODULE = 'module "{name}" {{\n  source = "./store"\n}}\n'


def _move(origin: str, target: str) -> str:
    return f"\nmoved {{\n  from = {origin}\n  to   = {target}\n}}\n"


BOTH = _move("aws_dynamodb_table.t[0]", 'aws_dynamodb_table.t["stage-a"]') + _move(
    "aws_dynamodb_table.t[1]", 'aws_dynamodb_table.t["stage-b"]'
)
CROSSED = _move("aws_dynamodb_table.t[0]", 'aws_dynamodb_table.t["stage-b"]') + _move(
    "aws_dynamodb_table.t[1]", 'aws_dynamodb_table.t["stage-a"]'
)


def _statuses(base: dict[str, str], head: dict[str, str | None], *, units: float = 900, **attributes: object) -> list[Status]:
    production = MemoryProduction("github:acme/shop")
    for name in ("stage-a", "stage-b", "stage-c"):
        one = production.resource(
            f"arn:aws:dynamodb:eu-west-1:1:table/{name}",
            "aws.dynamodb.table",
            name,
            is_deployed=True,
            hash_key="id",
            **attributes,
        )
        production.metric(one, "ConsumedWriteCapacityUnits", "Count", units)
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "stateful-replacement"]


LOST = [Status.CONFIRMED, Status.CONFIRMED]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (COUNTED, KEYED, LOST),
        (KEYED, COUNTED, LOST),
        (COUNTED, KEYED + BOTH, [Status.REFUTED]),
        (COUNTED, KEYED + CROSSED, LOST),
        (COUNTED, KEYED + BOTH.rpartition("\nmoved")[0], [Status.CONFIRMED]),
        (PLAIN, MAPPED, [Status.CONFIRMED]),
        (PLAIN, MAPPED + _move("aws_dynamodb_table.t", 'aws_dynamodb_table.t["a"]'), [Status.REFUTED]),
        (PLAIN, PLAIN.replace("  name ", "  count    = 1\n  name "), []),
        (COUNTED, COUNTED.replace('["stage-a", "stage-b"]', '["stage-b"]'), LOST),
        (COUNTED, COUNTED.replace('"stage-b"]', '"stage-b", "stage-c"]'), []),
        (COUNTED, COUNTED.replace('"stage-a", "stage-b"', '"stage-b", "stage-a"'), LOST),
    ],
)
def test_a_block_that_is_counted_or_keyed_otherwise(before: str, after: str, expected: list[Status]) -> None:
    assert _statuses({"t.tf": before}, {"t.tf": after}) == expected


def test_the_moved_blocks_may_stand_in_another_file() -> None:
    assert _statuses({"t.tf": COUNTED}, {"t.tf": KEYED, "moved.tf": BOTH}) == [Status.REFUTED]


def test_a_block_that_may_not_be_destroyed_or_a_table_that_is_protected_is_refuted() -> None:
    kept = "  lifecycle {\n    prevent_destroy = true\n  }\n}\n"
    guarded = [COUNTED.rstrip()[:-1] + kept, KEYED.rstrip()[:-1] + kept]

    assert set(_statuses({"t.tf": guarded[0]}, {"t.tf": guarded[1]})) == {Status.REFUTED}
    assert set(_statuses({"t.tf": COUNTED}, {"t.tf": KEYED}, deletion_protection_enabled=True)) == {Status.REFUTED}


def test_tables_that_nobody_uses_are_refuted() -> None:
    assert set(_statuses({"t.tf": COUNTED}, {"t.tf": KEYED}, units=0)) == {Status.REFUTED}


@pytest.mark.parametrize(("moved", "expected"), [("", [Status.CONFIRMED]), (_move("module.old", "module.new"), [])])
def test_a_module_that_is_renamed(moved: str, expected: list[Status]) -> None:
    base = {"main.tf": MODULE.format(name="old"), "store/t.tf": PLAIN}

    assert _statuses(base, {"main.tf": MODULE.format(name="new") + moved}) == expected


def test_a_module_that_is_keyed_without_a_move_loses_what_it_holds() -> None:
    base = {"main.tf": MODULE.format(name="s"), "store/t.tf": PLAIN}
    keyed = 'module "s" {\n  source   = "./store"\n  for_each = toset(["x"])\n}\n'

    assert _statuses(base, {"main.tf": keyed}) == [Status.CONFIRMED]
    assert _statuses(base, {"main.tf": keyed + _move("module.s", 'module.s["x"]')}) in ([], [Status.REFUTED])
