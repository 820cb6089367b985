"""serverless.yml for several stages: what is read is what production gets."""

import pytest

from context_graph.manifests import read_manifests
from context_graph.testing import MemoryTree

SERVICE = """service: fx
provider:
  name: aws
  runtime: nodejs20.x
{stage}{custom}
functions:
  rates:
{name}    handler: src/rates.handler
    reservedConcurrency: {concurrency}
    environment:
      TABLE: rates-${{sls:stage}}
"""
BY_STAGE = "custom:\n  size:\n    prod: 50\n    dev: 2\n"


def _function(
    *,
    stage: str = "  stage: ${opt:stage, 'dev'}\n",
    custom: str = BY_STAGE,
    name: str = "    name: fx-rates-${sls:stage}\n",
    concurrency: str = "${self:custom.size.${sls:stage}}",
):
    text = SERVICE.format(stage=stage, custom=custom, name=name, concurrency=concurrency)
    found = read_manifests(MemoryTree({"serverless.yml": text}, side="head"))
    return next(d for d in found.resources if d.kind == "aws.lambda.function")


@pytest.mark.parametrize(
    ("concurrency", "custom"),
    [
        ("${self:custom.size.${sls:stage}}", BY_STAGE),
        ("${self:custom.size.${opt:stage, 'dev'}}", BY_STAGE),
        ("${self:custom.size.${self:provider.stage}}", BY_STAGE),
        ("${self:custom.size.${self:custom.stage}}", BY_STAGE + "  stage: ${opt:stage, 'dev'}\n"),
        ("${self:custom.${sls:stage}.size}", "custom:\n  prod: {size: 50}\n  dev: {size: 2}\n"),
        ("${param:size}", "params:\n  prod: {size: 50}\n  dev: {size: 2}\n"),
        ("${param:size}", "params:\n  default: {size: 50}\n  prod: {other: 1}\n"),
    ],
)
def test_the_value_of_production_is_read(concurrency: str, custom: str) -> None:
    function = _function(concurrency=concurrency, custom=custom)

    assert function.settings["reserved_concurrency"].value == 50
    assert function.name == "fx-rates-prod"


def test_the_line_is_the_one_that_holds_the_number() -> None:
    function = _function()

    assert function.settings["reserved_concurrency"].line == 8


@pytest.mark.parametrize(
    ("key", "expected"), [("production", "fx-rates-production"), ("prd", "fx-rates-prd"), ("live", "fx-rates-live")]
)
def test_the_stage_is_called_as_the_document_calls_it(key: str, expected: str) -> None:
    assert _function(custom=BY_STAGE.replace("prod", key)).name == expected


def test_a_fixed_stage_is_what_it_is() -> None:
    assert _function(stage="  stage: eu\n", custom="", concurrency="5").name == "fx-rates-eu"


def test_without_values_by_stage_a_chosen_one_is_production() -> None:
    assert _function(custom="", concurrency="5").name == "fx-rates-prod"
    assert _function(stage="  stage: ${opt:stage, 'main'}\n", custom="", concurrency="5").name == "fx-rates-main"


def test_a_made_up_name_has_the_stage_of_production() -> None:
    assert _function(name="").name == "fx-prod-rates"
    assert _function(name="", stage="", custom="", concurrency="5").name == "fx-dev-rates"


def test_variables_take_the_stage_as_well() -> None:
    assert _function().settings["environment.TABLE"].value == "rates-prod"
