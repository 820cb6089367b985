"""A function that loses its warm runs, against how long a cold start takes and how long its callers wait."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

FUNCTION = "arn:aws:lambda:eu-west-1:1:function:premium-quote"
PORTAL = "arn:aws:ecs:eu-west-1:1:service/web/broker-portal"


def told(evaluation):
    assert evaluation.failures == ()
    return [(e.status.value, e.trajectory.resource) for e in evaluation.ledger if e.trajectory.playbook == "concurrency"]


def a_production(*, start_ms=None, calls=3800.0, patience=2500):
    production = MemoryProduction("github:acme/quote")
    production.resource(FUNCTION, "aws.lambda.function", "premium-quote", is_deployed=True, provisioned_concurrency=12)
    production.resource("arn:aws:apigateway:eu-west-1::/restapis/q7", "aws.apigateway.api", "quote")
    production.resource(PORTAL, "aws.ecs.service", "broker-portal", quote_timeout_ms=patience)
    production.edge(PORTAL, "arn:aws:apigateway:eu-west-1::/restapis/q7", "invokes")
    production.edge("arn:aws:apigateway:eu-west-1::/restapis/q7", FUNCTION, "invokes")
    production.metric(FUNCTION, "Invocations", "Count", calls)
    production.metric(FUNCTION, "Duration.p99", "Milliseconds", 480.0)
    if start_ms is not None:
        production.log(FUNCTION, *[f"REPORT RequestId: 1 Duration: 300.00 ms Init Duration: {start_ms} ms"] * 6)
    return production


SERVERLESS = (
    "service: quote\nprovider: {name: aws, runtime: java21}\nfunctions:\n  quote:\n    name: premium-quote\n    handler: Q\n    timeout: 15\n",
    "    provisionedConcurrency: 12\n",
)
SAM = (
    "Transform: AWS::Serverless-2016-10-31\nResources:\n  Quote:\n    Type: AWS::Serverless::Function\n    Properties:\n      FunctionName: premium-quote\n      Runtime: java21\n      Handler: Q\n      AutoPublishAlias: live\n",
    "      ProvisionedConcurrencyConfig: {ProvisionedConcurrentExecutions: 12}\n",
)
TERRAFORM = (
    'resource "aws_lambda_function" "quote" {\n  function_name = "premium-quote"\n  runtime = "java21"\n}\n',
    'resource "aws_lambda_provisioned_concurrency_config" "quote" {\n  function_name = aws_lambda_function.quote.function_name\n  qualifier = "live"\n  provisioned_concurrent_executions = 12\n}\n',
)
FORMS = {"serverless.yml": SERVERLESS, "template.yaml": SAM, "main.tf": TERRAFORM}


@pytest.mark.parametrize("path", FORMS)
@pytest.mark.parametrize(
    ("start_ms", "status"), [(None, "plausible"), (6200.0, "confirmed"), (310.0, "refuted"), (2200.0, "plausible")]
)
def test_a_cold_start_is_held_against_what_the_caller_waits(path, start_ms, status) -> None:
    function, warm = FORMS[path]

    evaluation = evaluation_of({path: function + warm}, {path: function}, a_production(start_ms=start_ms))

    assert told(evaluation) == [(status, FUNCTION)]


def test_a_function_that_nobody_calls_is_silent() -> None:
    function, warm = SERVERLESS

    assert told(evaluation_of({"serverless.yml": function + warm}, {"serverless.yml": function}, a_production(calls=0.0))) == []


def test_warm_runs_that_come_are_silent() -> None:
    function, warm = SERVERLESS

    assert told(evaluation_of({"serverless.yml": function}, {"serverless.yml": function + warm}, a_production())) == []
