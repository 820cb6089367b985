"""What values of Terraform lead to: elements of blocks and modules, JSON written as text, defaults of types."""

import pytest

from context_graph.testing_manifests import edges_of, graph_of, kinds_of

QUEUES = """variable "queues" {
  type    = map(object({ label = string, keep = optional(number, 7), tags = optional(map(string)) }))
  default = { letters = { label = "letters" }, parcels = { label = "parcels", keep = 2 } }
}
resource "aws_sqs_queue" "post" {
  for_each                  = var.queues
  name                      = each.value.label
  message_retention_seconds = each.value.keep
}
resource "aws_sns_topic" "news" {
  for_each = { for pair in setproduct(["eu", "us"], ["hot", "cold"]) : "${pair[0]}-${pair[1]}" => pair }
}
resource "aws_sns_topic_subscription" "news" {
  for_each  = aws_sns_topic.news
  topic_arn = each.value.arn
  endpoint  = aws_sqs_queue.post["parcels"].arn
}
"""
POLICY = """resource "aws_sqs_queue" "in" {}
resource "aws_sqs_queue" "out" {}
resource "aws_iam_policy" "post" {
  policy = <<-JSON
    {"Statement": [
      {"Effect": "Allow", "Action": "sqs:ReceiveMessage", "Resource": "${aws_sqs_queue.in.arn}"},
      {"Effect": "Allow", "Action": ["sqs:SendMessage"], "Resource": ["${aws_sqs_queue.out.arn}"]}
    ]}
  JSON
}
resource "aws_iam_role" "work" {}
resource "aws_iam_role_policy_attachment" "work" {
  role       = aws_iam_role.work.name
  policy_arn = aws_iam_policy.post.arn
}
resource "aws_lambda_function" "work" {
  role = aws_iam_role.work.arn
}
"""
CONTAINERS = """locals {
  web   = jsonencode({ name = "web", environment = [{ name = "TABLE", value = aws_dynamodb_table.t.name }] })
  agent = jsonencode({ name = "agent", logConfiguration = { options = { group = aws_cloudwatch_log_group.g.name } } })
}
resource "aws_dynamodb_table" "t" {
  name = "t"
}
resource "aws_cloudwatch_log_group" "g" {
  name = "g"
}
resource "aws_ecs_task_definition" "td" {
  family                = "td"
  container_definitions = "[${local.web}, ${local.agent}]"
}
"""


def test_the_default_of_an_optional_attribute_is_no_element_of_the_map_around_it() -> None:
    found = [d for d in graph_of({"main.tf": QUEUES}).resources if d.kind == "aws.sqs.queue"]

    assert [(d.address, d.name) for d in found] == [
        ('aws_sqs_queue.post["letters"]', "letters"), ('aws_sqs_queue.post["parcels"]', "parcels")]  # fmt: skip


def test_a_key_leads_to_its_element_and_a_block_over_a_block_has_the_same_elements() -> None:
    edges = edges_of({"main.tf": QUEUES})

    assert {e for e in edges if e[1] == "publishes_to"} == {
        (f'aws_sns_topic.news["{key}"]', "publishes_to", 'aws_sqs_queue.post["parcels"]')
        for key in ("eu-hot", "eu-cold", "us-hot", "us-cold")
    }
    assert ('aws_sns_topic_subscription.news["eu-hot"]', "depends_on", 'aws_sns_topic.news["us-hot"]') not in edges


def test_a_loop_over_a_module_reaches_every_copy_of_it() -> None:
    files = {
        "main.tf": """module "part" {
  source   = "./part"
  for_each = toset(["a", "b"])
}
resource "aws_lambda_function" "all" {
  environment {
    variables = { TABLES = join(",", [for one in module.part : one.table]), FIRST = module.part["a"].table }
  }
}
resource "aws_cloudwatch_event_rule" "tick" {}
resource "aws_cloudwatch_event_target" "tick" {
  for_each = module.part
  rule     = aws_cloudwatch_event_rule.tick.name
  arn      = each.value.function
}
""",
        "part/main.tf": """resource "aws_dynamodb_table" "t" {}
resource "aws_lambda_function" "f" {}
output "table" {
  value = aws_dynamodb_table.t.id
}
output "function" {
  value = aws_lambda_function.f.arn
}
""",
    }

    assert {e for e in edges_of(files) if e[1] != "depends_on"} == {
        *(("aws_lambda_function.all", "connects_to", f'module.part["{k}"].aws_dynamodb_table.t') for k in "ab"),
        *(("aws_cloudwatch_event_rule.tick", "triggers", f'module.part["{k}"].aws_lambda_function.f') for k in "ab"),
    }


def test_a_module_that_is_not_in_the_tree_is_there_for_each_element() -> None:
    text = """module "store" {
  source   = "terraform-aws-modules/opensearch/aws"
  for_each = toset(["a", "b"])
}
resource "aws_lambda_function" "find" {
  environment {
    variables = { SEARCH = module.store["b"].domain_endpoint }
  }
}
"""

    assert {a for a in kinds_of({"main.tf": text}) if a[0].startswith("module")} == {
        (f'module.store["{k}"]', "aws.opensearch.domain") for k in "ab"
    }
    assert edges_of({"main.tf": text}) == {("aws_lambda_function.find", "connects_to", 'module.store["b"]')}


def test_each_statement_of_a_policy_in_a_heredoc_holds_for_its_own_resource() -> None:
    edges = edges_of({"main.tf": POLICY})

    assert {e for e in edges if e[0] == "aws_lambda_function.work"} == {
        ("aws_lambda_function.work", "depends_on", "aws_iam_role.work"),
        ("aws_lambda_function.work", "reads_from", "aws_sqs_queue.in"),
        ("aws_lambda_function.work", "publishes_to", "aws_sqs_queue.out"),
    }


def test_encoded_containers_inside_a_text_keep_their_variables_and_references() -> None:
    files = {"main.tf": CONTAINERS}

    assert edges_of(files) == {
        ("aws_ecs_task_definition.td", "connects_to", "aws_dynamodb_table.t"),
        ("aws_ecs_task_definition.td", "depends_on", "aws_cloudwatch_log_group.g"),
    }


def test_a_policy_document_has_the_statements_of_its_sources() -> None:
    text = (
        POLICY.partition('resource "aws_iam_policy"')[0]
        + """data "aws_iam_policy_document" "base" {
  statement {
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.out.arn]
  }
}
data "aws_iam_policy_document" "whole" {
  source_policy_documents = [data.aws_iam_policy_document.base.json]
  statement {
    actions   = ["sqs:ReceiveMessage"]
    resources = [aws_sqs_queue.in.arn]
  }
}
resource "aws_iam_role" "work" {}
resource "aws_iam_role_policy" "work" {
  role   = aws_iam_role.work.id
  policy = data.aws_iam_policy_document.whole.json
}
resource "aws_lambda_function" "work" {
  role = aws_iam_role.work.arn
}
"""
    )

    assert {
        ("aws_lambda_function.work", "reads_from", "aws_sqs_queue.in"),
        ("aws_lambda_function.work", "publishes_to", "aws_sqs_queue.out"),
    } <= edges_of({"main.tf": text})


def test_a_task_connects_to_the_services_it_has_the_host_of_and_reads_the_secrets_it_is_given() -> None:
    text = """resource "aws_service_discovery_service" "bills" {
  name = "bills"
}
resource "aws_ecs_service" "bills" {
  name = "bills"
  service_registries {
    registry_arn = aws_service_discovery_service.bills.arn
  }
}
resource "aws_ecs_service" "carts" {
  name = "carts"
}
resource "aws_secretsmanager_secret" "key" {}
resource "aws_secretsmanager_secret_version" "key" {
  secret_id     = aws_secretsmanager_secret.key.id
  secret_string = jsonencode({ host = aws_db_instance.db.address })
}
resource "aws_db_instance" "db" {}
resource "aws_ecs_task_definition" "web" {
  container_definitions = jsonencode([{
    name        = "web"
    environment = [
      { name = "CARTS", value = "http://${aws_ecs_service.carts.name}" },
      { name = "BILLS", value = "http://${aws_service_discovery_service.bills.name}.local" },
    ]
    secrets = [{ name = "KEY", valueFrom = "${aws_secretsmanager_secret_version.key.arn}:key::" }]
  }])
}
"""

    assert edges_of({"main.tf": text}) == {
        ("aws_ecs_task_definition.web", "connects_to", "aws_ecs_service.carts"),
        ("aws_ecs_task_definition.web", "connects_to", "aws_service_discovery_service.bills"),
        ("aws_ecs_task_definition.web", "reads_from", "aws_secretsmanager_secret_version.key"),
        ("aws_service_discovery_service.bills", "routes_to", "aws_ecs_service.bills"),
        ("aws_secretsmanager_secret_version.key", "depends_on", "aws_secretsmanager_secret.key"),
        ("aws_secretsmanager_secret_version.key", "depends_on", "aws_db_instance.db"),
    }


def test_a_function_publishes_to_where_its_outcomes_go() -> None:
    text = """resource "aws_lambda_function" "work" {}
resource "aws_sqs_queue" "in" {}
resource "aws_sqs_queue" "failed" {}
resource "aws_lambda_function" "next" {}
resource "aws_lambda_event_source_mapping" "in" {
  event_source_arn = aws_sqs_queue.in.arn
  function_name    = aws_lambda_function.work.arn
  destination_config {
    on_failure {
      destination_arn = aws_sqs_queue.failed.arn
    }
  }
}
resource "aws_lambda_function_event_invoke_config" "work" {
  function_name = aws_lambda_function.work.function_name
  destination_config {
    on_success {
      destination = aws_lambda_function.next.arn
    }
  }
}
"""

    assert {e for e in edges_of({"main.tf": text}) if e[1] != "depends_on"} == {
        ("aws_sqs_queue.in", "triggers", "aws_lambda_function.work"),
        ("aws_lambda_function.work", "publishes_to", "aws_sqs_queue.failed"),
        ("aws_lambda_function.work", "triggers", "aws_lambda_function.next"),
    }


@pytest.mark.parametrize(
    ("expression", "keys"),
    [
        ('toset(slice(reverse(["a", "b", "c"]), 0, 2))', {"b", "c"}),
        ('setsubtract(setunion(["a"], ["b"]), ["a"])', {"b"}),
        ('setintersection(["a", "b"], ["b"])', {"b"}),
        ('toset(formatlist("%s-%s", ["a", "b"], "x"))', {"a-x", "b-x"}),
        ('toset([for n in range(3) : "n${n}" if n != 1])', {"n0", "n2"}),
        ('jsondecode("{\\"a\\": 1, \\"b\\": 2}")', {"a", "b"}),
        ('{ for k in ["eu-a", "us-b"] : trimprefix(k, "eu-") => k if startswith(k, "eu") }', {"a"}),
        ('toset([one(["a"]), substr("abc", 1, 2), trimsuffix("d.x", ".x")])', {"a", "bc", "d"}),
        ('anytrue([true, false]) && alltrue([true]) && strcontains("abc", "b") ? toset(["y"]) : toset(["n"])', {"y"}),
    ],
)  # fmt: skip
def test_elements_are_known_as_far_as_the_functions_go(expression: str, keys: set[str]) -> None:
    found = graph_of({"main.tf": f'resource "aws_sqs_queue" "q" {{\n  for_each = {expression}\n}}\n'}).resources

    assert {d.address for d in found} == {f'aws_sqs_queue.q["{key}"]' for key in keys}
