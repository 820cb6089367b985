"""Templates for several stages whose default is a developer's: what is read is what production gets."""

import pytest

from context_graph.manifests import read_manifests
from context_graph.testing import MemoryTree

CLOUDFORMATION = """Parameters:
  Stage:
    Type: String
{parameter}
Mappings:
  Sizes:
    prod: {{Conc: 50}}
    dev: {{Conc: 2}}
Resources:
  F:
    Type: AWS::Lambda::Function
    Properties:
      FunctionName: !Sub rates-${{Stage}}
      ReservedConcurrentExecutions: !FindInMap [Sizes, !Ref Stage, Conc]
"""
TERRAFORM = """{more}
resource "aws_lambda_function" "f" {{
  function_name = "rates"
  reserved_concurrent_executions = {value}
}}
"""
MAP = "locals {\n  size = { prod = 50, dev = 2 }\n}\n"
VARIABLE = 'variable "env" {\n  default = "dev"\n}\n'


def _function(files: dict[str, str]):
    found = read_manifests(MemoryTree(files, side="head"))
    return next(d for d in found.resources if d.kind == "aws.lambda.function")


@pytest.mark.parametrize(
    "parameter", ["    Default: dev", "    AllowedValues: [dev, prod]", "    Default: dev\n    AllowedValues: [dev, prod]"]
)
def test_a_parameter_that_names_the_stage_is_production(parameter: str) -> None:
    function = _function({"template.yaml": CLOUDFORMATION.format(parameter=parameter)})

    assert function.settings["reserved_concurrency"].value == 50
    assert function.name == "rates-prod"


def test_a_default_that_is_no_developers_stays() -> None:
    text = CLOUDFORMATION.format(parameter="    Default: eu").replace("dev: {Conc", "eu: {Conc")

    assert _function({"template.yaml": text}).settings["reserved_concurrency"].value == 2


def test_another_parameter_keeps_its_default() -> None:
    text = CLOUDFORMATION.format(parameter="    Default: dev").replace("Stage", "Flavour")

    assert _function({"template.yaml": text}).settings["reserved_concurrency"].value == 2


@pytest.mark.parametrize(
    ("more", "value"),
    [
        (MAP, "local.size[terraform.workspace]"),
        (MAP, "lookup(local.size, terraform.workspace, 5)"),
        (MAP + VARIABLE, "local.size[var.env]"),
        (MAP + VARIABLE, "lookup(local.size, var.env, 5)"),
        (VARIABLE, 'var.env == "prod" ? 50 : 2'),
        ("", 'terraform.workspace == "prod" ? 50 : 2'),
        ('variable "size" {\n  default = { prod = 50, dev = 2 }\n}\n', "var.size[terraform.workspace]"),
    ],
)
def test_a_workspace_or_variable_of_terraform_is_production(more: str, value: str) -> None:
    function = _function({"main.tf": TERRAFORM.format(more=more, value=value)})

    assert function.settings["reserved_concurrency"].value == 50


def test_a_file_of_values_says_which_stage_it_is() -> None:
    function = _function(
        {"main.tf": TERRAFORM.format(more=MAP + VARIABLE, value="local.size[var.env]"), "terraform.tfvars": 'env = "dev"\n'}
    )

    assert function.settings["reserved_concurrency"].value == 2


def test_without_values_of_production_the_default_stays() -> None:
    text = TERRAFORM.format(more=MAP.replace("prod", "stage") + VARIABLE, value="local.size[var.env]")

    assert _function({"main.tf": text}).settings["reserved_concurrency"].value == 2
