"""The graph of CloudFormation and SAM: what a template makes by itself, and what it takes from other templates."""

from context_graph.manifests import declared_graph
from context_graph.testing import MemoryTree
from context_graph.testing_manifests import edges_of, kinds_of

DEAD_LETTERS = """AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Inform: {Type: String, Default: ""}
Resources:
  Failed:
    Type: AWS::SQS::Queue
  TooMany:
    Type: AWS::CloudWatch::Alarm
    Properties:
      AlarmActions: [!Ref Inform]
      Dimensions: [{Name: QueueName, Value: !GetAtt Failed.QueueName}]
Outputs:
  QueueArn: {Value: !GetAtt Failed.Arn}
"""
SHOP = """Transform: AWS::Serverless-2016-10-31
Resources:
  People: {Type: AWS::SNS::Topic}
  DeadLetters:
    Type: AWS::CloudFormation::Stack
    Properties:
      TemplateURL: LOCATION
      Parameters: {Inform: !Ref People}
  Bill:
    Type: AWS::Serverless::Function
    Properties:
      Policies:
        - Statement:
            - {Effect: Allow, Action: sqs:SendMessage, Resource: !GetAtt DeadLetters.Outputs.QueueArn}
"""
STORED = """AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  Api: {Type: AWS::ApiGateway::RestApi}
  ApiUrl:
    Type: AWS::SSM::Parameter
    Properties:
      Name: !Sub /shop/${Stage}/api/url
      Type: String
      Value: !Sub "https://${Api}.execute-api.example.com"
"""
CALLER = """Transform: AWS::Serverless-2016-10-31
Parameters:
  Stage: {Type: String, Default: dev}
  ApiUrl:
    Type: AWS::SSM::Parameter::Value<String>
Resources:
  Call:
    Type: AWS::Serverless::Function
    Properties:
      Environment: {Variables: {API_URL: !Ref ApiUrl}}
"""


def sam(resources: str) -> dict[str, str]:
    return {"template.yaml": "Transform: AWS::Serverless-2016-10-31\nResources:\n" + resources}


def test_a_nested_stack_gives_its_queue_and_takes_the_topic() -> None:
    for location in ("../shared/dead.yaml", "../../shared/dead.yaml"):
        edges = edges_of({"shared/dead.yaml": DEAD_LETTERS, "shop/template.yaml": SHOP.replace("LOCATION", location)})

        assert {("Bill", "publishes_to", "Failed"), ("TooMany", "publishes_to", "People")} <= edges
        assert ("Bill", "depends_on", "DeadLetters") in edges


def test_a_nested_stack_outside_the_checkout_is_only_a_stack() -> None:
    edges = edges_of({"shop/template.yaml": SHOP.replace("LOCATION", "../../../etc/dead.yaml")})

    assert edges == {("DeadLetters", "depends_on", "People"), ("Bill", "depends_on", "DeadLetters")}


def test_a_parameter_kept_in_ssm_leads_to_what_its_value_is() -> None:
    default = CALLER.replace("Value<String>\n", "Value<String>\n    Default: /shop/dev/api/url\n")
    beside = {"caller/metadata.yaml": "parameters:\n  ApiUrl: /shop/{Stage}/api/url\n"}
    overrides = {
        "caller/samconfig.toml": 'version = 0.1\n[default.deploy.parameters]\nparameter_overrides = "ApiUrl=/shop/dev/api/url Stage=dev"\n'
    }
    as_list = {"caller/parameters.json": '[{"ParameterKey": "ApiUrl", "ParameterValue": "/shop/dev/api/url"}]'}
    for files in ({"caller/t.yaml": default}, {"caller/t.yaml": CALLER} | beside, {"caller/t.yaml": CALLER} | overrides,
                  {"caller/t.yaml": CALLER} | as_list):  # fmt: skip
        assert ("Call", "invokes", "Api") in edges_of({"api/t.yaml": STORED} | files), files

    assert edges_of({"api/t.yaml": STORED, "caller/t.yaml": CALLER}) == {("ApiUrl", "depends_on", "Api")}


def test_an_export_leads_to_its_stack_and_one_of_two_stacks_to_none() -> None:
    exporting = "Resources:\n  Orders: {Type: AWS::DynamoDB::Table}\nOutputs:\n  T: {Value: !Ref Orders, Export: {Name: !Sub '${AWS::StackName}-orders'}}\n"
    importing = sam(
        "  Read:\n    Type: AWS::Serverless::Function\n    Properties:\n      Environment: {Variables: {TABLE: !ImportValue {'Fn::Sub': '${Data}-orders'}}}\n"
    )

    assert edges_of({"data/t.yaml": exporting} | importing) == {("Read", "connects_to", "Orders")}
    assert edges_of({"data/t.yaml": exporting, "other/t.yaml": exporting} | importing) == set()


def test_events_are_edges_and_the_api_that_sam_makes_is_a_resource() -> None:
    files = sam("""  Table: {Type: AWS::DynamoDB::Table}
  Queue: {Type: AWS::SQS::Queue}
  Topic: {Type: AWS::SNS::Topic}
  Work:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Get: {Type: Api, Properties: {Path: /a, Method: get}}
        Put: {Type: Api, Properties: {Path: /a, Method: put}}
        Rows: {Type: DynamoDB, Properties: {Stream: !GetAtt Table.StreamArn}}
        Jobs: {Type: SQS, Properties: {Queue: !GetAtt Queue.Arn}}
        News: {Type: SNS, Properties: {Topic: !Ref Topic}}
        Nightly: {Type: Schedule, Properties: {Schedule: rate(1 day)}}
""")

    assert edges_of(files) == {
        ("ServerlessRestApi", "routes_to", "Work"), ("Table", "triggers", "Work"), ("Queue", "triggers", "Work"),
        ("Topic", "triggers", "Work"), ("Work.Events.Nightly", "triggers", "Work"),
    }  # fmt: skip
    assert {("ServerlessRestApi", "aws.apigateway.api"), ("Work.Events.Nightly", "aws.events.rule")} <= kinds_of(files)
    assert len(kinds_of(files)) == 6
    api = next(d for d in declared_graph(MemoryTree(files)).resources if d.kind == "aws.apigateway.api")
    assert (api.file, api.line) == ("template.yaml", 10)


def test_a_role_says_what_is_read_and_what_is_written() -> None:
    files = sam("""  Table: {Type: AWS::DynamoDB::Table}
  Queue: {Type: AWS::SQS::Queue}
  Other: {Type: AWS::Lambda::Function}
  Both:
    Type: AWS::Serverless::Function
    Properties: {Policies: [{DynamoDBCrudPolicy: {TableName: !Ref Table}}]}
  Reads:
    Type: AWS::Serverless::Function
    Properties:
      Environment: {Variables: {T: !Ref Table}}
      Policies: [{Statement: [{Effect: Allow, Action: [dynamodb:Query], Resource: !GetAtt Table.Arn}]}]
  Calls:
    Type: AWS::Serverless::Function
    Properties:
      Role: !GetAtt Role.Arn
  Role:
    Type: AWS::IAM::Role
    Properties:
      Policies:
        - PolicyDocument: {Statement: [{Effect: Allow, Action: [lambda:InvokeFunction], Resource: !GetAtt Other.Arn}]}
""")

    edges = edges_of(files)

    assert {("Both", "reads_from", "Table"), ("Both", "writes_to", "Table"), ("Reads", "reads_from", "Table")} <= edges
    assert {("Calls", "invokes", "Other"), ("Calls", "depends_on", "Role"), ("Role", "depends_on", "Other")} <= edges
    assert ("Reads", "connects_to", "Table") not in edges


def test_what_stands_beside_a_target_is_no_target() -> None:
    files = sam("""  Role: {Type: AWS::IAM::Role}
  Dead: {Type: AWS::SQS::Queue}
  Run: {Type: AWS::Lambda::Function}
  Rule:
    Type: AWS::Events::Rule
    DependsOn: Run
    Properties:
      Targets: [{Arn: !GetAtt Run.Arn, RoleArn: !GetAtt Role.Arn, DeadLetterConfig: {Arn: !GetAtt Dead.Arn}}]
""")

    assert edges_of(files) == {
        ("Rule", "triggers", "Run"), ("Rule", "depends_on", "Run"), ("Rule", "depends_on", "Role"), ("Rule", "depends_on", "Dead"),
    }  # fmt: skip
