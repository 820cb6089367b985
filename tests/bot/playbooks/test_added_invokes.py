"""Functions that every request invokes from now on: rate times duration, against the concurrency and the caller's time."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

CALLER = "arn:aws:lambda:eu-west-1:1:function:booking"
TARGET = "arn:aws:lambda:eu-west-1:1:function:quota-check"
MANIFEST = "service: booking\nprovider: {name: aws, runtime: nodejs20.x}\nfunctions:\n  booking: {name: booking, handler: src/booking.handler}\n"
FORMS = {
    "src/booking.py": (
        'import boto3\n\nclient = boto3.client("lambda")\n\n\ndef handler(event, _):\n{call}    return save(event)\n',
        '    client.invoke(FunctionName="quota-check", Payload=event["body"])\n',
    ),
    "src/booking.ts": (
        'import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";\nexport const handler = async (event) => {\n{call}  return save(event);\n};\n',
        '  await lambda.send(new InvokeCommand({ FunctionName: "quota-check", Payload: event.body }));\n',
    ),
    "src/booking.go": (
        "package main\n\nfunc handler(ctx context.Context, e Event) error {\n{call}\treturn save(e)\n}\n",
        '\tclient.Invoke(ctx, &lambda.InvokeInput{FunctionName: aws.String("quota-check"), Payload: e.Body})\n',
    ),
}


def _statuses(path: str, production: MemoryProduction, *, call: str | None = None) -> list[Status]:
    text, usual = FORMS[path]
    base = {path: text.replace("{call}", ""), "serverless.yml": MANIFEST}
    evaluation = evaluation_of(base, {path: text.replace("{call}", call or usual)}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "added-call"]


def _production(
    per_step: float = 30.0, *, usual_ms: float | None = 400.0, at_once: float = 3.0, limit: int | None = 10, timeout: int = 10
) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(CALLER, "aws.lambda.function", "booking", is_deployed=True, timeout_s=timeout)
    production.resource(TARGET, "aws.lambda.function", "quota-check", timeout_s=5)
    if limit is not None:
        production.resource(TARGET, "aws.lambda.function", "quota-check", timeout_s=5, reserved_concurrency=limit)
    production.edge(CALLER, TARGET, "invokes")
    production.metric(CALLER, "Invocations", "Count", per_step)
    production.metric(CALLER, "Duration.p99", "Milliseconds", 300.0)
    production.metric(TARGET, "Duration.p99", "Milliseconds", 1_200.0)
    production.metric(TARGET, "ConcurrentExecutions.max", "Count", at_once)
    if usual_ms is not None:
        production.metric(TARGET, "Duration.p50", "Milliseconds", usual_ms)
    return production


@pytest.mark.parametrize("path", sorted(FORMS))
@pytest.mark.parametrize(
    ("per_step", "expected"), [(30.0, Status.REFUTED), (1_200.0, Status.PLAUSIBLE), (12_000.0, Status.CONFIRMED)]
)
def test_rate_times_duration_is_held_against_the_reserved_concurrency(path: str, per_step: float, expected: Status) -> None:
    assert _statuses(path, _production(per_step)) == [expected]


@pytest.mark.parametrize(
    ("production", "expected"),
    [
        (_production(timeout=1), Status.PLAUSIBLE),
        (_production(timeout=1, usual_ms=1_100.0), Status.CONFIRMED),
        (_production(12_000.0, usual_ms=None), Status.PLAUSIBLE),
        (_production(limit=None), Status.REFUTED),
        (_production(12_000.0, limit=None), Status.PLAUSIBLE),
    ],
)
def test_time_and_unknown_limits(production: MemoryProduction, expected: Status) -> None:
    assert _statuses("src/booking.py", production) == [expected]


def test_a_caller_that_does_not_wait_has_time() -> None:
    call = '    client.invoke(FunctionName="quota-check", InvocationType="Event", Payload=event["body"])\n'

    assert _statuses("src/booking.py", _production(timeout=1, usual_ms=1_100.0), call=call) == [Status.REFUTED]
