"""CloudFormation, SAM and serverless.yml: intrinsics, shorthand, events, and the lines behind them."""

from context_graph.manifests import Manifests, read_manifests
from context_graph.testing import MemoryTree
from gonogo.resource import Declared

SAM = """Transform: AWS::Serverless-2016-10-31
Parameters:
  Stage: {Type: String, Default: prod}
  Password: {Type: String, NoEcho: true, Default: hunter22}
Globals:
  Function:
    Timeout: 10
    Environment: {Variables: {STAGE: !Ref Stage}}
Resources:
  Worker:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: !Sub "worker-${Stage}"
      MemorySize: 512
      Environment:
        Variables:
          TABLE: !Ref Table
          DB_PASSWORD: !Ref Password
      Policies:
        - DynamoDBReadPolicy: {TableName: !Ref Table}
      Events:
        Jobs:
          Type: SQS
          Properties:
            Queue: !GetAtt
              - Queue
              - Arn
            BatchSize: 10
  Queue:
    Type: AWS::SQS::Queue
    DeletionPolicy: Retain
    Properties:
      QueueName: jobs
      RedrivePolicy: {deadLetterTargetArn: !GetAtt Dead.Arn, maxReceiveCount: "3"}
  Dead: {Type: AWS::SQS::Queue, Condition: IsProd}
  Table:
    Type: AWS::DynamoDB::Table
    Properties:
      KeySchema: [{AttributeName: id, KeyType: HASH}]
      GlobalSecondaryIndexes:
        - IndexName: by-date
          KeySchema: [{AttributeName: date, KeyType: HASH}]
"""


def reading(files: dict[str, str]) -> Manifests:
    return read_manifests(MemoryTree(files))


def only(manifests: Manifests, address: str) -> Declared:
    return next(d for d in manifests.resources if d.address == address)


def values(declared: Declared) -> dict[str, object]:
    return {key: setting.value for key, setting in declared.settings.items()}


def test_globals_hold_for_a_function_and_its_own_values_win() -> None:
    worker = only(reading({"any-name.yml": SAM}), "Resources.Worker")

    assert (worker.kind, worker.name) == ("aws.lambda.function", "worker-prod")
    assert values(worker)["timeout_s"] == 10
    assert worker.settings["timeout_s"].line == 7
    assert values(worker)["environment_keys"] == ["DB_PASSWORD", "STAGE", "TABLE"]
    assert (worker.line, worker.end_line) == (10, 28)


def test_the_default_of_a_secret_parameter_is_never_kept() -> None:
    assert "hunter22" not in reading({"a.yaml": SAM}).model_dump_json()


def test_an_event_of_a_function_is_an_event_source_of_its_own() -> None:
    found = reading({"a.yaml": SAM})

    source = only(found, "Resources.Worker.Events.Jobs")

    assert source.kind == "aws.lambda.event_source_mapping"
    assert {k: values(source)[k] for k in ("queue", "source", "function", "event_source_batch_size")} == {
        "queue": "jobs",
        "source": "jobs",
        "function": "worker-prod",
        "event_source_batch_size": 10,
    }
    assert {(e.source, e.relation.value, e.target) for e in found.edges} >= {
        ("Resources.Queue", "triggers", "Resources.Worker"),
        ("Resources.Worker", "reads_from", "Resources.Table"),
        ("Resources.Queue", "depends_on", "Resources.Dead"),
    }


def test_redrive_keys_policies_and_conditions_are_settings() -> None:
    found = reading({"a.yaml": SAM})

    queue, table = values(only(found, "Resources.Queue")), values(only(found, "Resources.Table"))

    assert (queue["redrive_max_receive_count"], queue["redrive_target"], queue["deletion_policy"]) == (
        3,
        "Resources.Dead",
        "Retain",
    )
    assert table["hash_key"] == "id"
    assert only(found, "Resources.Table.index.by-date").kind == "aws.dynamodb.index"
    assert only(found, "Resources.Dead").is_conditional


def test_a_json_template_has_lines_too() -> None:
    text = '{\n "AWSTemplateFormatVersion": "2010-09-09",\n "Resources": {\n  "Q": {\n   "Type": "AWS::SQS::Queue",\n   "Properties": {\n    "VisibilityTimeout": 60\n   }\n  }\n }\n}\n'

    queue = only(reading({"stack.json": text}), "Resources.Q")

    assert (queue.line, queue.end_line) == (4, 9)
    assert (queue.settings["visibility_timeout_s"].value, queue.settings["visibility_timeout_s"].line) == (60, 7)


def test_versions_keep_their_zeros_and_passwords_are_withheld() -> None:
    text = (
        "Resources:\n  Db:\n    Type: AWS::RDS::DBInstance\n    Properties: {EngineVersion: 15.10, AllocatedStorage: '100',"
        " MasterUserPassword: hunter22, DBInstanceIdentifier: main}\n"
    )

    settings = values(only(reading({"a.yaml": text}), "Resources.Db"))

    assert (settings["engine_version"], settings["allocated_storage_gb"], settings["identifier"]) == ("15.10", 100, "main")
    assert settings["master_user_password"] == "(withheld)"


def test_attributes_of_load_balancers_have_their_names() -> None:
    text = (
        "Resources:\n  Lb:\n    Type: AWS::ElasticLoadBalancingV2::LoadBalancer\n    Properties:\n      LoadBalancerAttributes:\n"
        "        - {Key: idle_timeout.timeout_seconds, Value: '60'}\n        - {Key: other, Value: x}\n"
    )

    load_balancer = only(reading({"a.yaml": text}), "Resources.Lb")

    assert values(load_balancer) == {"idle_timeout_s": 60, "load_balancer_attributes.other": "x"}
    assert load_balancer.settings["idle_timeout_s"].line == 6


SERVERLESS = """service: shop
custom: {mem: 512}
provider:
  name: aws
  runtime: nodejs20.x
  timeout: 20
  stage: ${opt:stage, 'prod'}
  environment: {LEVEL: info}
functions:
  api:
    handler: api.handler
    memorySize: ${self:custom.mem}
    environment: {JOBS: !Ref Jobs}
    events:
      - httpApi: GET /orders
      - schedule: rate(5 minutes)
      - sqs:
          arn: !GetAtt Jobs.Arn
          batchSize: 5
resources:
  Resources:
    Jobs: {Type: AWS::SQS::Queue, Properties: {QueueName: "jobs-${self:provider.stage}"}}
"""


def test_a_serverless_function_has_the_providers_defaults_and_its_deployed_name() -> None:
    function = only(reading({"serverless.yml": SERVERLESS}), "functions.api")

    assert function.name == "shop-prod-api"
    assert {k: values(function)[k] for k in ("timeout_s", "memory_mb", "environment_keys")} == {
        "timeout_s": 20,
        "memory_mb": 512,
        "environment_keys": ["JOBS", "LEVEL"],
    }


def test_serverless_events_are_resources_with_their_lines() -> None:
    found = reading({"serverless.yml": SERVERLESS})

    source = only(found, "functions.api.events.sqs.Jobs")
    route = only(found, "functions.api.events.httpApi.get /orders")

    assert (values(source)["queue"], source.settings["event_source_batch_size"].line) == ("jobs-prod", 19)
    assert (route.kind, values(route)["method"], values(route)["path"]) == ("aws.apigateway.route", "GET", "/orders")
    assert ("resources.Resources.Jobs", "triggers", "functions.api") in {
        (e.source, e.relation.value, e.target) for e in found.edges
    }


def test_a_broken_template_is_said_with_file_and_line() -> None:
    found = reading({"template.yaml": "Resources:\n  A:\n   Type: 'AWS::SQS::Queue\n  B: [\n"})

    assert [(n.file, n.line is not None) for n in found.not_read] == [("template.yaml", True)]
