"""Time to read a Terraform tree of 1,500 files, beside python-hcl2 parsing the same files (`make bench`).

The tree is made here: as many copies as it takes of components with variables, locals, a nested module, `for_each`,
`count`, policies and an event source. gonogo resolves values and draws edges; python-hcl2 only parses.
"""

import argparse
import gc
import importlib
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from context_graph.manifests import declared_graph, read_manifests
from context_graph.testing import MemoryTree

FILES = 1_500
MAX_SECONDS = 3.0
"""CPU seconds that the whole tree may take."""
MODULES = 300
"""Uses of one shared module, each with arguments of its own."""

_VARIABLES = """variable "name" {{ default = "service{n}" }}
variable "queues" {{
  type    = map(object({{ retention = optional(number, 86400), fifo = optional(bool, false) }}))
  default = {{ jobs = {{ retention = 3600 }}, mail = {{}}, audit = {{ fifo = true }} }}
}}
variable "is_enabled" {{ default = true }}
"""
_LOCALS = """locals {{
  prefix = "${{var.name}}-{n}"
  tags   = merge({{ team = "team{n}" }}, {{ service = local.prefix }})
  names  = [for key, queue in var.queues : upper(key) if !queue.fifo]
}}
"""
_MAIN = """module "store" {{
  source = "../modules/store"
  name   = local.prefix
  tags   = local.tags
}}
resource "aws_sqs_queue" "this" {{
  for_each                  = var.queues
  name                      = "${{local.prefix}}-${{each.key}}"
  message_retention_seconds = each.value.retention
  redrive_policy            = jsonencode({{ deadLetterTargetArn = aws_sqs_queue.dead.arn, maxReceiveCount = 3 }})
  tags                      = local.tags
}}
resource "aws_sqs_queue" "dead" {{
  name = "${{local.prefix}}-dead"
}}
resource "aws_cloudwatch_metric_alarm" "dead" {{
  count      = var.is_enabled ? 1 : 0
  alarm_name = "${{local.prefix}}-dead"
  dimensions = {{ QueueName = aws_sqs_queue.dead.name }}
}}
"""
_FUNCTION = """resource "aws_lambda_function" "work" {{
  function_name = "${{local.prefix}}-work"
  role          = aws_iam_role.work.arn
  timeout       = 30
  environment {{
    variables = {{ TABLE = module.store.table, DEAD = aws_sqs_queue.dead.url, NAMES = join(",", local.names) }}
  }}
}}
resource "aws_lambda_event_source_mapping" "work" {{
  event_source_arn = aws_sqs_queue.this["jobs"].arn
  function_name    = aws_lambda_function.work.arn
  batch_size       = 10
}}
"""
_ROLE = """resource "aws_iam_role" "work" {{
  name               = "${{local.prefix}}-work"
  assume_role_policy = jsonencode({{ Statement = [{{ Effect = "Allow", Action = "sts:AssumeRole" }}] }})
}}
data "aws_iam_policy_document" "work" {{
  statement {{
    actions   = ["sqs:SendMessage", "dynamodb:PutItem"]
    resources = [aws_sqs_queue.dead.arn, module.store.arn]
  }}
}}
resource "aws_iam_role_policy" "work" {{
  role   = aws_iam_role.work.id
  policy = data.aws_iam_policy_document.work.json
}}
"""
_STORE = """variable "name" {}
variable "tags" { default = {} }
resource "aws_dynamodb_table" "this" {
  name     = "${var.name}-store"
  hash_key = "id"
  tags     = var.tags
}
output "table" { value = aws_dynamodb_table.this.name }
output "arn" { value = aws_dynamodb_table.this.arn }
"""


def main() -> int:
    """Print the table; 1 when the tree takes longer than it may."""
    parser = argparse.ArgumentParser(description="Time to read a Terraform tree of 1,500 files.")
    parser.add_argument("--runs", type=int, default=3, help="runs of each reader; the median counts")
    options = parser.parse_args()
    gc.set_threshold(100_000, 50, 100)  # as the command line sets it
    files = terraform_tree()
    tree = MemoryTree(files)
    graph = declared_graph(tree)
    seconds = _median(lambda: declared_graph(tree), options.runs)
    rows = [
        ("gonogo, resources and edges", f"{seconds:8.2f}", f"{len(graph.resources):,} resources, {len(graph.edges):,} edges"),
        (
            "gonogo, settings too",
            f"{_median(lambda: read_manifests(tree), options.runs):8.2f}",
            "what gonogo check reads, one side",
        ),
        ("python-hcl2, syntax only", *_hcl2(list(files.values()))),
    ]
    print(f"{len(files):,} Terraform files                 CPU seconds")
    print("\n".join(f"{what:<38} {time_taken}   {note}" for what, time_taken, note in rows))
    if seconds > MAX_SECONDS:
        print(f"\nover {MAX_SECONDS:g} s", file=sys.stderr)
    return 1 if seconds > MAX_SECONDS else 0


def terraform_tree() -> dict[str, str]:
    """Path → text: components of five files each, and the module that they share."""
    files = {"modules/store/main.tf": _STORE}
    parts = {"variables.tf": _VARIABLES, "locals.tf": _LOCALS, "main.tf": _MAIN, "function.tf": _FUNCTION, "role.tf": _ROLE}
    for number in range(MODULES):
        for name, text in parts.items():
            if len(files) < FILES:
                files[f"component{number:03}/{name}"] = text.format(n=number)
    return files


def _hcl2(texts: Sequence[str]) -> tuple[str, str]:
    """python-hcl2 on the same texts, one run: it takes an order of magnitude longer."""
    if importlib.util.find_spec("hcl2") is None:
        return " skipped", "python-hcl2 is not installed (pip install python-hcl2)"
    module = importlib.import_module("hcl2")
    failed = 0
    started = time.process_time()
    for text in texts:
        try:
            module.loads(text)
        except Exception:  # noqa: BLE001 - whatever it raises, the file counts as not parsed
            failed += 1
    return f"{time.process_time() - started:8.2f}", f"{len(texts) - failed:,} parsed"


def _median(read: Callable[[], object], runs: int) -> float:
    taken: list[float] = []
    for _ in range(runs):
        started = time.process_time()
        read()
        taken.append(time.process_time() - started)
    return statistics.median(taken)


if __name__ == "__main__":
    raise SystemExit(main())
