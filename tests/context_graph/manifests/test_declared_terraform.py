"""The graph of Terraform trees: nested modules, elements of a block, and edges with both ends declared."""

from context_graph.testing_manifests import edges_of, graph_of

LAMBDA = """resource "aws_lambda_function" "work" {
  function_name = "work"
  role          = aws_iam_role.work.arn
}
resource "aws_iam_role" "work" {}
resource "aws_iam_role_policy" "work" {
  role   = aws_iam_role.work.id
  policy = data.aws_iam_policy_document.work.json
}
data "aws_iam_policy_document" "work" {
  statement {
    actions   = ["sqs:SendMessage"]
    resources = [for q in aws_sqs_queue.jobs : q.arn]
  }
}
resource "aws_sqs_queue" "jobs" {
  for_each = toset(["a", "b"])
  name     = each.key
}
"""


def test_what_a_role_allows_reaches_every_element_of_a_block() -> None:
    edges = edges_of({"main.tf": LAMBDA})

    assert {("aws_lambda_function.work", "publishes_to", f'aws_sqs_queue.jobs["{key}"]') for key in "ab"} <= edges
    assert {target for _, _, target in edges} <= {'aws_sqs_queue.jobs["a"]', 'aws_sqs_queue.jobs["b"]', "aws_iam_role.work"}


def test_a_value_is_followed_through_nested_modules() -> None:
    files = {
        "main.tf": 'module "data" {\n source = "./data"\n}\nmodule "app" {\n source = "./app"\n table = module.data.table\n}\n',
        "data/main.tf": 'module "store" {\n source = "./store"\n}\noutput "table" {\n value = module.store.name\n}\n',
        "data/store/main.tf": 'resource "aws_dynamodb_table" "t" {}\noutput "name" {\n value = aws_dynamodb_table.t.id\n}\n',
        "app/main.tf": 'variable "table" {}\nmodule "fn" {\n source = "./fn"\n env = { TABLE = var.table }\n}\n',
        "app/fn/main.tf": 'variable "env" {}\nresource "aws_lambda_function" "f" {\n environment {\n  variables = var.env\n }\n}\n',
    }

    assert edges_of(files) == {
        ("module.app.module.fn.aws_lambda_function.f", "connects_to", "module.data.module.store.aws_dynamodb_table.t")
    }


def test_data_sources_are_read_and_are_no_ends_of_edges() -> None:
    files = {
        "main.tf": """resource "aws_lb" "front" {}
resource "aws_lb_target_group" "app" {}
resource "aws_lb_listener" "https" {
  load_balancer_arn = aws_lb.front.arn
  default_action {
    type = "authenticate-cognito"
    authenticate_cognito {
      user_pool_arn = data.aws_cognito_user_pools.people.arns[0]
    }
  }
  default_action {
    type             = "forward"
    target_group_arn = aws_lb_target_group.app.arn
  }
}
data "aws_cognito_user_pools" "people" {
  name = "people"
}
"""
    }

    assert edges_of(files) == {
        ("aws_lb.front", "routes_to", "aws_lb_target_group.app"), ("aws_lb_listener.https", "depends_on", "aws_lb.front"),
        ("aws_lb_listener.https", "routes_to", "aws_lb_target_group.app"),
    }  # fmt: skip


def test_a_resource_of_several_variable_files_is_there_for_each_and_its_edges_once() -> None:
    files = {
        "main.tf": 'variable "on" {}\nresource "aws_sqs_queue" "a" {\n count = var.on ? 1 : 0\n}\nresource "aws_sqs_queue" "b" {\n redrive_policy = aws_sqs_queue.a[0].arn\n}\n',
        "envs/prod.tfvars": "on = true\n",
        "envs/dev.tfvars": "on = false\n",
    }

    graph = graph_of(files)

    assert {(d.address, d.is_conditional) for d in graph.resources} == {("aws_sqs_queue.a", True), ("aws_sqs_queue.b", False)}
    assert len(graph.edges) == 1


def test_copies_of_one_file_in_many_modules_keep_their_own_places() -> None:
    text = 'resource "aws_sqs_queue" "q" {\n  name = "q"\n}\n'

    found = graph_of({f"m{n}/main.tf": text for n in range(3)}).resources

    assert {(d.address, d.file) for d in found} == {(f"m{n}//aws_sqs_queue.q", f"m{n}/main.tf") for n in range(3)}
