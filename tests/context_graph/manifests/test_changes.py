"""What differs between two sides: one change a setting, and a rename is no removal."""

import pytest

from context_graph.manifests import Manifests, read_manifests, setting_changes
from context_graph.testing import MemoryTree


def reading(files: dict[str, str]) -> Manifests:
    return read_manifests(MemoryTree(files))


def queue(address: str, body: str) -> str:
    return f'resource "aws_sqs_queue" "{address}" {{\n{body}\n}}\n'


def test_equal_sides_have_no_changes() -> None:
    files = {"a.tf": queue("q", 'name = "x"\nredrive_policy = jsonencode({ maxReceiveCount = var.n })')}

    assert setting_changes(reading(files), reading(files)) == ()


def test_added_changed_and_removed_settings_are_one_change_each() -> None:
    base = reading({"a.tf": queue("q", "delay_seconds = 1\nvisibility_timeout_seconds = 30")})
    head = reading({"a.tf": queue("q", "delay_seconds = 2\nmessage_retention_seconds = 60")})

    changes = setting_changes(base, head)

    assert [(c.key, c.old and c.old.value, c.new and c.new.value) for c in changes] == [
        ("delay_s", 1, 2),
        ("message_retention_s", None, 60),
        ("visibility_timeout_s", 30, None),
    ]


def test_a_resource_that_went_is_one_change_with_an_empty_key() -> None:
    changes = setting_changes(reading({"a.tf": queue("q", 'name = "x"')}), reading({}))

    assert [(c.key, c.before and c.before.name, c.after) for c in changes] == [("", "x", None)]


def test_another_address_with_the_same_name_is_the_same_resource() -> None:
    base, head = reading({"a.tf": queue("old", 'name = "x"')}), reading({"b.tf": queue("new", 'name = "x"\ndelay_seconds = 5')})

    assert [(c.key, c.new and c.new.value) for c in setting_changes(base, head)] == [("delay_s", 5)]


def test_a_file_that_moved_changes_nothing() -> None:
    text = "Resources:\n  Q: {Type: 'AWS::SQS::Queue'}\n"

    assert setting_changes(reading({"a.yaml": text}), reading({"deploy/b.yaml": text})) == ()


def test_an_unknown_that_reads_differently_is_a_change() -> None:
    base, head = (
        reading({"a.tf": queue("q", "kms_master_key_id = aws_kms_key.a.id")}),
        reading({"a.tf": queue("q", "kms_master_key_id = aws_kms_key.b.id")}),
    )

    assert [c.key for c in setting_changes(base, head)] == ["kms_master_key_id"]


def test_moving_a_literal_into_a_local_changes_nothing() -> None:
    base, head = (
        reading({"a.tf": queue("q", "delay_seconds = 5")}),
        reading({"a.tf": queue("q", "delay_seconds = local.d") + "locals {\n d = 5\n}\n"}),
    )

    assert setting_changes(base, head) == ()


@pytest.mark.parametrize("gone", [0, 1, 2])
def test_a_statement_that_went_is_that_statement_alone(gone: int) -> None:
    actions = ["s3:GetObject", "sqs:SendMessage", "dynamodb:Query"]

    def policy(kept: list[str]) -> Manifests:
        listed = ",\n".join(f'{{ Effect = "Allow", Action = "{a}", Resource = "*" }}' for a in kept)
        return reading(
            {"a.tf": f'resource "aws_iam_policy" "p" {{\n  policy = jsonencode({{ Statement = [\n{listed}\n] }})\n}}\n'}
        )

    changes = setting_changes(policy(actions), policy([a for i, a in enumerate(actions) if i != gone]))

    assert [(c.key, c.old and c.old.value["actions"], c.new) for c in changes] == [(f"statement.{gone}", [actions[gone]], None)]
    assert changes[0].old is not None
    assert changes[0].old.line == 3 + gone


def test_a_statement_that_changed_is_not_a_removal() -> None:
    def policy(action: str) -> Manifests:
        return reading(
            {
                "a.tf": f'resource "aws_iam_policy" "p" {{\n policy = jsonencode({{ Statement = [{{ Action = "{action}" }}, {{ Action = "a:b" }}] }})\n}}\n'
            }
        )

    changes = setting_changes(policy("s3:*"), policy("s3:Get*"))

    assert [(c.key, c.old and c.old.value["actions"], c.new and c.new.value["actions"]) for c in changes] == [
        ("statement.0", ["s3:*"], ["s3:Get*"])
    ]


def test_the_same_logical_id_in_two_templates_stays_apart() -> None:
    text = "Resources:\n  Q: {Type: 'AWS::SQS::Queue', Properties: {DelaySeconds: N}}\n"
    base = reading({"a.yaml": text.replace("N", "1"), "b.yaml": text.replace("N", "2")})
    head = reading({"a.yaml": text.replace("N", "1"), "b.yaml": text.replace("N", "3")})

    changes = setting_changes(base, head)

    assert [(c.declared.file, c.key, c.new and c.new.value) for c in changes] == [("b.yaml", "delay_s", 3)]
