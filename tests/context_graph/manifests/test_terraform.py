"""Terraform: values through variables, locals, modules and files of variables; nothing is dropped and nothing is run."""

from context_graph.manifests import Manifests, read_manifests, setting_changes
from context_graph.testing import MemoryTree
from gonogo.resource import Declared


def reading(files: dict[str, str]) -> Manifests:
    return read_manifests(MemoryTree(files))


def only(manifests: Manifests, address: str, environment: str | None = None) -> Declared:
    return next(d for d in manifests.resources if d.address == address and d.environment == environment)


def test_a_literal_stands_on_its_line() -> None:
    found = reading({"q.tf": 'resource "aws_sqs_queue" "q" {\n  name = "orders"\n  visibility_timeout_seconds = 60\n}\n'})

    queue = only(found, "aws_sqs_queue.q")

    assert (queue.kind, queue.name, queue.line, queue.end_line) == ("aws.sqs.queue", "orders", 1, 4)
    assert (queue.settings["visibility_timeout_s"].value, queue.settings["visibility_timeout_s"].line) == (60, 3)


def test_a_value_from_a_variable_is_cited_where_the_default_stands() -> None:
    found = reading(
        {
            "main.tf": 'resource "aws_lambda_function" "f" {\n  memory_size = var.memory\n}\n',
            "variables.tf": 'variable "memory" {\n  default = 512\n}\n',
        }
    )

    function = only(found, "aws_lambda_function.f")
    memory = function.settings["memory_mb"]

    assert memory.file is not None
    assert (memory.value, function.place(memory, "head").file, memory.line) == (512, "variables.tf", 2)


def test_each_file_of_variables_is_an_environment_where_it_makes_a_difference() -> None:
    found = reading(
        {
            "main.tf": 'variable "env" {}\nresource "aws_sqs_queue" "q" {\n  name = "orders-${var.env}"\n}\n'
            'resource "aws_sns_topic" "t" {\n  name = "same"\n}\n',
            "envs/prod.tfvars": 'env = "prod"\n',
            "envs/staging.tfvars": 'env = "staging"\n',
        }
    )

    assert only(found, "aws_sqs_queue.q", "prod").name == "orders-prod"
    assert only(found, "aws_sqs_queue.q", "staging").name == "orders-staging"
    assert only(found, "aws_sns_topic.t").name == "same"


def test_a_module_gets_its_arguments_and_gives_its_outputs() -> None:
    found = reading(
        {
            "main.tf": 'module "q" {\n  source = "./queue"\n  name = "jobs"\n}\nresource "aws_lambda_event_source_mapping" "m" {\n'
            '  event_source_arn = module.q.arn\n  function_name = aws_lambda_function.f.arn\n}\nresource "aws_lambda_function" "f" {}\n',
            "queue/main.tf": 'variable "name" {}\nresource "aws_sqs_queue" "this" {\n  name = var.name\n}\n'
            'output "arn" {\n  value = aws_sqs_queue.this.arn\n}\n',
        }
    )

    assert only(found, "module.q.aws_sqs_queue.this").name == "jobs"
    assert only(found, "aws_lambda_event_source_mapping.m").settings["queue"].value == "jobs"
    assert ("module.q.aws_sqs_queue.this", "triggers", "aws_lambda_function.f") in {
        (e.source, e.relation.value, e.target) for e in found.edges
    }


def test_one_element_of_for_each_is_one_resource_and_an_output_of_it_is_that_ones() -> None:
    found = reading(
        {
            "main.tf": 'module "b" {\n  source = "./b"\n  for_each = toset(["x", "y"])\n  name = each.key\n}\n'
            'resource "aws_s3_bucket_policy" "p" {\n  bucket = module.b["x"].id\n}\n',
            "b/main.tf": 'variable "name" {}\nresource "aws_s3_bucket" "this" {\n  bucket = "files-${var.name}"\n}\n'
            'output "id" {\n  value = aws_s3_bucket.this.id\n}\n',
        }
    )

    assert only(found, 'module.b["x"].aws_s3_bucket.this').name == "files-x"
    assert [e.target for e in found.edges if e.source == "aws_s3_bucket_policy.p"] == ['module.b["x"].aws_s3_bucket.this']


def test_a_block_whose_count_is_zero_or_unknown_stays_and_is_conditional() -> None:
    found = reading(
        {
            "a.tf": 'resource "aws_db_instance" "a" {\n  count = 0\n  identifier = "a"\n}\nresource "aws_db_instance" "b" {\n'
            '  count = var.wanted ? 1 : 0\n  identifier = "b"\n}\nresource "aws_db_instance" "c" {\n  for_each = var.many\n}\n'
            'resource "aws_db_instance" "d" {\n  count = 1\n}\n'
        }
    )

    assert {d.address: d.is_conditional for d in found.resources} == {
        "aws_db_instance.a": True,
        "aws_db_instance.b": True,
        "aws_db_instance.c": True,
        "aws_db_instance.d": False,
    }


def test_a_module_that_is_not_in_the_tree_is_one_opaque_resource() -> None:
    text = 'module "f" {\n  source = "terraform-aws-modules/lambda/aws"\n  function_name = "pdf"\n  memory_size = 256\n}\n'

    function = only(reading({"a.tf": text}), "module.f")

    assert (function.kind, function.name, function.settings["memory_mb"].value) == ("aws.lambda.function", "pdf", 256)


def test_one_address_in_two_roots_is_two_resources() -> None:
    text = 'resource "aws_sqs_queue" "q" {}\n'

    found = reading({"a/main.tf": text, "b/main.tf": text})

    assert [d.address for d in found.resources] == ["a//aws_sqs_queue.q", "b//aws_sqs_queue.q"]


def test_a_policy_document_is_read_where_it_is_used() -> None:
    found = reading(
        {
            "a.tf": 'data "aws_iam_policy_document" "d" {\n  statement {\n    actions = ["sqs:SendMessage"]\n'
            '    resources = ["*"]\n  }\n}\nresource "aws_iam_role_policy" "p" {\n  policy = data.aws_iam_policy_document.d.json\n}\n'
        }
    )

    statement = only(found, "aws_iam_role_policy.p").settings["statement.0"]

    assert (statement.value, statement.line) == ({"effect": "Allow", "actions": ["sqs:SendMessage"], "resources": ["*"]}, 2)


def test_a_policy_in_a_heredoc_keeps_its_lines_around_interpolations() -> None:
    text = (
        'resource "aws_iam_policy" "p" {\n  policy = <<EOF\n{"Statement": [\n  {"Effect": "Allow", "Action": "s3:GetObject",'
        ' "Resource": "${aws_s3_bucket.b.arn}/*"}\n]}\nEOF\n}\nresource "aws_s3_bucket" "b" {}\n'
    )

    found = reading({"a.tf": text})

    statement = only(found, "aws_iam_policy.p").settings["statement.0"]
    assert statement.line == 4
    assert statement.value["actions"] == ["s3:GetObject"]
    assert ("aws_iam_policy.p", "aws_s3_bucket.b") in {(e.source, e.target) for e in found.edges}


def test_what_is_unknown_keeps_its_text_and_an_expression_is_never_run() -> None:
    text = 'resource "aws_lambda_function" "f" {\n  timeout = file("/etc/passwd")\n  memory_size = local.x\n}\nlocals {\n  x = local.x\n}\n'

    settings = only(reading({"a.tf": text}), "aws_lambda_function.f").settings

    assert (settings["timeout_s"].value, settings["timeout_s"].text) == (None, 'file("/etc/passwd")')
    assert settings["memory_mb"].value is None


def test_expressions_are_computed_as_far_as_the_text_goes() -> None:
    text = (
        'locals {\n  m = { a = 30, b = { c = "x" } }\n  l = [for k, v in local.m : k if k != "b"]\n}\n'
        'resource "aws_lambda_function" "f" {\n  timeout = local.m["a"] * 2\n  handler = "${local.m.b.c}.${join("-", local.l)}"\n'
        '  memory_size = var.big ? 2048 : 512\n  runtime = lookup({ a = "python3.12" }, "a")\n}\nvariable "big" {\n  default = false\n}\n'
    )

    settings = only(reading({"a.tf": text}), "aws_lambda_function.f").settings

    assert {k: s.value for k, s in settings.items()} == {
        "timeout_s": 60,
        "handler": "x.a",
        "memory_mb": 512,
        "runtime": "python3.12",
    }


def test_default_of_an_optional_attribute_counts() -> None:
    text = (
        'variable "f" {\n  type = object({ memory = optional(number, 256), name = string })\n  default = { name = "a" }\n}\n'
        'resource "aws_lambda_function" "f" {\n  memory_size = var.f.memory\n}\n'
    )

    assert only(reading({"a.tf": text}), "aws_lambda_function.f").settings["memory_mb"].value == 256


def test_moved_is_not_a_removal() -> None:
    base = 'resource "aws_sqs_queue" "old" {\n  delay_seconds = 1\n}\n'
    head = 'resource "aws_sqs_queue" "new" {\n  delay_seconds = 2\n}\nmoved {\n  from = aws_sqs_queue.old\n  to = aws_sqs_queue.new\n}\n'

    changes = setting_changes(reading({"a.tf": base}), reading({"a.tf": head}))

    assert [(c.key, c.old and c.old.value, c.new and c.new.value) for c in changes] == [("delay_s", 1, 2)]


def test_a_broken_file_is_said_with_its_line_and_the_rest_is_kept() -> None:
    found = reading(
        {
            "a.tf": 'resource "aws_sqs_queue" "q" {\n  name = "a"\n}\nresource "aws" {\n  = = =\n',
            "b.tf": 'resource "aws_sns_topic" "t" {}\n',
        }
    )

    assert {d.address for d in found.resources} >= {"aws_sqs_queue.q", "aws_sns_topic.t"}
    assert [n.file for n in found.not_read] == ["a.tf"]
    assert (found.not_read[0].line or 0) >= 4


def test_permissions_settle_the_direction_of_a_connection() -> None:
    text = (
        'resource "aws_lambda_function" "f" {\n  role = aws_iam_role.r.arn\n  environment {\n'
        '    variables = { TABLE = aws_dynamodb_table.t.name }\n  }\n}\nresource "aws_dynamodb_table" "t" {\n  name = "t"\n}\n'
        'resource "aws_iam_role" "r" {}\nresource "aws_iam_role_policy" "p" {\n  role = aws_iam_role.r.id\n'
        '  policy = jsonencode({ Statement = [{ Effect = "Allow", Action = ["dynamodb:Query"], Resource = aws_dynamodb_table.t.arn }] })\n}\n'
    )

    found = reading({"a.tf": text})

    relations = {
        (e.relation.value, e.line)
        for e in found.edges
        if (e.source, e.target) == ("aws_lambda_function.f", "aws_dynamodb_table.t")
    }
    assert relations == {("reads_from", 4)}


def test_dynamic_blocks_are_written_out() -> None:
    text = (
        'resource "aws_security_group" "g" {\n  dynamic "ingress" {\n    for_each = [80, 443]\n    content {\n'
        "      from_port = ingress.value\n    }\n  }\n}\n"
    )

    settings = only(reading({"a.tf": text}), "aws_security_group.g").settings

    assert [settings[f"ingress.{n}"].value for n in (0, 1)] == [{"from_port": 80}, {"from_port": 443}]
