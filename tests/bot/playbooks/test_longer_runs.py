"""A function may run longer than before: the queue that feeds it may be of another stack, and its runs may be cut off today."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

FUNCTION = "arn:aws:lambda:eu-west-1:1:function:thumbs"
QUEUE = "arn:aws:sqs:eu-west-1:1:jobs"

SAM = """Transform: AWS::Serverless-2016-10-31
Parameters:
  JobsArn:
    Type: AWS::SSM::Parameter::Value<String>
    Default: /shared/jobs/arn
Resources:
  Thumbs:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: thumbs
      Handler: app.handler
      Timeout: {timeout}
      Events:
        Jobs:
          Type: SQS
          Properties: {{Queue: !Ref JobsArn, BatchSize: 5}}
"""
SAM_GLOBALS = """Transform: AWS::Serverless-2016-10-31
Globals:
  Function:
    Timeout: {timeout}
Resources:
  Thumbs:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: thumbs
      Handler: app.handler
      Events:
        Jobs:
          Type: SQS
          Properties: {{Queue: !ImportValue jobs-arn}}
"""
SERVERLESS = """service: thumbs
provider: {{name: aws, runtime: python3.12, timeout: {timeout}}}
functions:
  thumbs:
    name: thumbs
    handler: app.handler
    events:
      - sqs: arn:aws:sqs:eu-west-1:1:jobs
"""
CLOUDFORMATION = """Resources:
  Thumbs:
    Type: AWS::Lambda::Function
    Properties:
      FunctionName: thumbs
      Handler: app.handler
      Timeout: {timeout}
"""
TERRAFORM = """resource "aws_lambda_function" "thumbs" {{
  function_name = "thumbs"
  handler = "app.handler"
  timeout = {timeout}
}}
"""
TERRAFORM_DATA = (
    TERRAFORM
    + """data "aws_sqs_queue" "jobs" {{
  name = "jobs"
}}
resource "aws_lambda_event_source_mapping" "jobs" {{
  event_source_arn = data.aws_sqs_queue.jobs.arn
  function_name = aws_lambda_function.thumbs.arn
}}
"""
)
MANIFESTS = {
    "template.yaml": SAM,
    "sam/template.yaml": SAM_GLOBALS,
    "serverless.yml": SERVERLESS,
    "stack.yaml": CLOUDFORMATION,
    "main.tf": TERRAFORM,
    "infra/main.tf": TERRAFORM_DATA,
}
every_manifest = pytest.mark.parametrize("path", MANIFESTS)


def a_feed(*, visibility_s: float | None = 30.0, **seconds: float) -> MemoryProduction:
    production = MemoryProduction("github:acme/thumbs")
    production.resource(FUNCTION, "aws.lambda.function", "thumbs", is_deployed=True, Timeout=25)
    more = {} if visibility_s is None else {"VisibilityTimeout": visibility_s}
    production.resource(QUEUE, "aws.sqs.queue", "jobs", **more)
    production.edge(QUEUE, FUNCTION, "triggers")
    production.metric(QUEUE, "NumberOfMessagesSent", "Count", 1500.0)
    for percentile, value in seconds.items():
        production.metric(FUNCTION, f"Duration.{percentile}", "Milliseconds", value * 1000)
    return production


def told(path: str, production: MemoryProduction, *, before: float = 25, after: float = 150) -> list[str]:
    text = MANIFESTS[path]
    evaluation = evaluation_of({path: text.format(timeout=before)}, {path: text.format(timeout=after)}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "batch-and-visibility"]


@every_manifest
def test_runs_that_are_cut_off_today_and_may_go_on_past_the_visibility_are_confirmed(path: str) -> None:
    assert told(path, a_feed(p50=9, p99=25, max=25)) == ["confirmed"]


@every_manifest
def test_a_queue_that_hides_longer_than_the_new_time_out_refutes(path: str) -> None:
    assert told(path, a_feed(visibility_s=900, p50=9, p99=25, max=25)) == ["refuted"]


@every_manifest
def test_runs_that_end_long_before_the_old_time_out_refute(path: str) -> None:
    assert told(path, a_feed(p50=2, p99=5, max=9)) == ["refuted"]


@every_manifest
def test_one_run_that_was_cut_off_neither_confirms_nor_refutes(path: str) -> None:
    assert told(path, a_feed(p50=9, p99=12, max=25)) == ["plausible"]


@every_manifest
def test_without_durations_it_stays_a_question(path: str) -> None:
    assert told(path, a_feed()) == ["plausible"]


def test_without_the_visibility_of_the_queue_nothing_is_told() -> None:
    assert told("main.tf", a_feed(visibility_s=None, p99=25, max=25)) == []


def test_a_visibility_far_above_what_is_cut_off_today_is_a_question() -> None:
    assert told("main.tf", a_feed(visibility_s=120, p50=9, p99=25, max=25)) == ["plausible"]


def test_a_little_more_time_than_the_visibility_is_a_question() -> None:
    assert told("main.tf", a_feed(visibility_s=28, p50=9, p99=25, max=25), after=32) == ["plausible"]


def test_a_shorter_time_out_is_not_told() -> None:
    assert told("main.tf", a_feed(p50=9, p99=12, max=14), after=20) == []


def test_a_function_that_no_queue_feeds_is_not_told() -> None:
    production = MemoryProduction("github:acme/thumbs")
    production.resource(FUNCTION, "aws.lambda.function", "thumbs", is_deployed=True, Timeout=25)
    production.metric(FUNCTION, "Duration.p99", "Milliseconds", 25_000)

    assert told("main.tf", production) == []


def test_log_lines_of_runs_that_timed_out_count_when_no_metric_was_read() -> None:
    production = a_feed()
    production.log(
        FUNCTION, *[f"REPORT RequestId: {n} Duration: {3000 + n * 90}.10 ms Billed Duration: 3100 ms" for n in range(90)]
    )
    production.log(FUNCTION, *[f"2026-05-04T00:0{n}:00Z {n}abc Task timed out after 25.02 seconds" for n in range(8)])

    assert told("template.yaml", production) == ["confirmed"]


def test_logged_runs_that_all_end_in_time_refute() -> None:
    production = a_feed()
    production.log(
        FUNCTION, *[f"REPORT RequestId: {n} Duration: {3000 + n * 90}.10 ms Billed Duration: 3100 ms" for n in range(90)]
    )

    assert told("template.yaml", production) == ["refuted"]


def test_a_single_logged_time_out_leaves_it_open() -> None:
    production = a_feed()
    production.log(
        FUNCTION, *[f"REPORT RequestId: {n} Duration: {3000 + n * 90}.10 ms Billed Duration: 3100 ms" for n in range(90)]
    )
    production.log(FUNCTION, "2026-05-04T00:00:00Z 7abc Task timed out after 25.02 seconds")

    assert told("template.yaml", production) == ["plausible"]


def test_every_queue_of_the_function_is_held_against_it() -> None:
    production = a_feed(visibility_s=900, p50=9, p99=25, max=25)
    other = production.resource("arn:aws:sqs:eu-west-1:1:express", "aws.sqs.queue", "express", visibility_timeout_s=30)
    production.edge(other, FUNCTION, "triggers")

    assert sorted(told("stack.yaml", production)) == ["confirmed", "refuted"]


def test_a_time_out_that_was_the_default_before_is_known_from_production() -> None:
    text = TERRAFORM.format(timeout=150)
    before = "\n".join(line for line in text.split("\n") if "timeout" not in line)

    evaluation = evaluation_of({"main.tf": before}, {"main.tf": text}, a_feed(p50=9, p99=25, max=25))

    assert [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "batch-and-visibility"] == ["confirmed"]


def test_a_variable_of_terraform_gives_the_time_out() -> None:
    files = {
        "main.tf": TERRAFORM.replace("{{", "{").replace("}}", "}").replace("{timeout}", "var.timeout")
        + 'variable "timeout" {\n  type = number\n}\n',
        "prod.tfvars": "timeout = 25\n",
    }

    evaluation = evaluation_of(files, {"prod.tfvars": "timeout = 150\n"}, a_feed(p50=9, p99=25, max=25))

    assert [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "batch-and-visibility"] == ["confirmed"]


CDK = {
    "lib/stack.ts": """import * as lambda from 'aws-cdk-lib/aws-lambda';
export class S extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new lambda.Function(this, 'F', { functionName: 'thumbs', handler: 'a.b', timeout: Duration.seconds(%d) });
  }
}
""",
    "lib/node.ts": """export class S extends Stack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new NodejsFunction(this, 'F', {
      entry: 'src/a.ts',
      timeout: cdk.Duration.seconds(%d),
    });
  }
}
""",
    "stack/app.py": """class S(Stack):
    def __init__(self, scope, id):
        super().__init__(scope, id)
        _lambda.Function(self, "F", function_name="thumbs", timeout=Duration.seconds(%d))
""",
}


@pytest.mark.parametrize("path", CDK)
@pytest.mark.parametrize(("visibility_s", "status"), [(30, "confirmed"), (900, "refuted")])
def test_a_program_of_infrastructure_gives_the_time_out(path: str, visibility_s: float, status: str) -> None:
    production = a_feed(visibility_s=visibility_s, p50=9, p99=25, max=25)

    evaluation = evaluation_of({path: CDK[path] % 25}, {path: CDK[path] % 150}, production)

    assert [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "batch-and-visibility"] == [status]
