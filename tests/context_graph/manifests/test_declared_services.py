"""What a service does with another by a property of its own, and by what its role allows."""

import pytest

from context_graph.manifests.kinds import cloudformation_kind, terraform_kind
from context_graph.testing_manifests import edges_of


def sam(resources: str) -> dict[str, str]:
    return {"template.yaml": "Transform: AWS::Serverless-2016-10-31\nResources:\n" + resources}


def test_a_data_source_does_what_its_role_allows_and_a_build_too() -> None:
    edges = edges_of(
        sam(
            """  Store: {Type: AWS::DynamoDB::Table}
  Api: {Type: AWS::AppSync::GraphQLApi}
  Rates: {Type: AWS::ApiGateway::RestApi}
  Role:
    Type: AWS::IAM::Role
    Properties:
      Policies:
        - PolicyDocument: {Statement: [{Effect: Allow, Action: dynamodb:GetItem, Resource: !GetAtt Store.Arn}]}
  Kept:
    Type: AWS::AppSync::DataSource
    Properties: {ApiId: !GetAtt Api.ApiId, ServiceRoleArn: !GetAtt Role.Arn, DynamoDBConfig: {TableName: !Ref Store}}
  Asked:
    Type: AWS::AppSync::DataSource
    Properties: {ApiId: !GetAtt Api.ApiId, HttpConfig: {Endpoint: !Sub "https://${Rates}.example.com/"}}
  State: {Type: AWS::SSM::Parameter}
  BuildRole:
    Type: AWS::IAM::Role
    Properties:
      Policies:
        - PolicyDocument: {Statement: [{Effect: Allow, Action: [ssm:GetParameter, ssm:PutParameter], Resource: !Sub "arn:x:${State}"}]}
  Build:
    Type: AWS::CodeBuild::Project
    Properties:
      ServiceRole: !GetAtt BuildRole.Arn
      Environment: {EnvironmentVariables: [{Name: STATE, Value: !Ref State}]}
"""
        )
    )

    assert {e for e in edges if e[1] != "depends_on"} == {
        ("Kept", "reads_from", "Store"), ("Asked", "invokes", "Rates"), ("Build", "reads_from", "State"),
        ("Build", "writes_to", "State"),
    }  # fmt: skip


def test_policies_of_a_state_machine_say_what_it_does_with_what_it_is_given() -> None:
    edges = edges_of(
        sam(
            """  Jobs: {Type: AWS::SQS::Queue}
  Flow:
    Type: AWS::Serverless::StateMachine
    Properties:
      DefinitionUri: flow.asl.json
      DefinitionSubstitutions: {Jobs: !Ref Jobs}
      Policies: [{SQSSendMessagePolicy: {QueueName: !GetAtt Jobs.QueueName}}]
"""
        )
    )

    assert edges == {("Flow", "publishes_to", "Jobs")}


def test_what_asks_or_feeds_something_by_a_property_of_its_own() -> None:
    edges = edges_of(
        sam(
            """  Check: {Type: AWS::Serverless::Function}
  People: {Type: AWS::Cognito::UserPool}
  Api: {Type: AWS::Serverless::HttpApi, Properties: {Auth: {Authorizers: {Own: {FunctionArn: !GetAtt Check.Arn}, P: {UserPoolArn: !GetAtt People.Arn}}}}}
  Site: {Type: AWS::S3::Bucket}
  Web:
    Type: AWS::CloudFront::Distribution
    Properties:
      DistributionConfig:
        Origins: [{Id: site, DomainName: !GetAtt Site.RegionalDomainName}]
        DefaultCacheBehavior: {LambdaFunctionAssociations: [{LambdaFunctionARN: !Ref Check.Version}]}
  Clicks: {Type: AWS::Kinesis::Stream}
  Kept: {Type: AWS::KinesisFirehose::DeliveryStream, Properties: {KinesisStreamSourceConfiguration: {KinesisStreamARN: !GetAtt Clicks.Arn}, ExtendedS3DestinationConfiguration: {BucketARN: !GetAtt Site.Arn}}}
  Key: {Type: AWS::SecretsManager::Secret}
  Turns: {Type: AWS::SecretsManager::RotationSchedule, Properties: {SecretId: !Ref Key, RotationLambdaARN: !GetAtt Check.Arn}}
"""
        )
    )

    assert {e for e in edges if e[1] != "depends_on"} == {
        ("Api", "invokes", "Check"), ("Web", "routes_to", "Site"), ("Web", "invokes", "Check"), ("Clicks", "triggers", "Kept"),
        ("Kept", "writes_to", "Site"), ("Key", "triggers", "Check"),
    }  # fmt: skip
    assert ("Api", "depends_on", "People") in edges


@pytest.mark.parametrize(
    ("terraform", "cloudformation"),
    [
        ("aws_cloudwatch_event_archive", "AWS::Events::Archive"),
        ("aws_cloudwatch_log_resource_policy", "AWS::Logs::ResourcePolicy"),
        ("aws_service_discovery_service", "AWS::ServiceDiscovery::Service"),
        ("aws_sfn_activity", "AWS::StepFunctions::Activity"),
        ("aws_db_option_group", "AWS::RDS::OptionGroup"),
        ("aws_codepipeline", "AWS::CodePipeline::Pipeline"),
        ("aws_lambda_function_event_invoke_config", "AWS::Lambda::EventInvokeConfig"),
    ],
)
def test_one_thing_has_one_kind_in_every_format(terraform: str, cloudformation: str) -> None:
    assert terraform_kind(terraform) == cloudformation_kind(cloudformation)


def test_a_rule_of_terraform_triggers_the_task_and_not_what_it_runs_as() -> None:
    text = """resource "aws_cloudwatch_event_rule" "nightly" {}
resource "aws_ecs_cluster" "c" {}
resource "aws_ecs_task_definition" "clean" {}
resource "aws_security_group" "g" {}
resource "aws_iam_role" "r" {}
resource "aws_cloudwatch_event_target" "clean" {
  rule     = aws_cloudwatch_event_rule.nightly.name
  arn      = aws_ecs_cluster.c.arn
  role_arn = aws_iam_role.r.arn
  ecs_target {
    task_definition_arn = aws_ecs_task_definition.clean.arn
    network_configuration {
      security_groups = [aws_security_group.g.id]
    }
  }
}
"""

    assert {e for e in edges_of({"main.tf": text}) if e[0] == "aws_cloudwatch_event_rule.nightly"} == {
        ("aws_cloudwatch_event_rule.nightly", "triggers", "aws_ecs_task_definition.clean"),
        ("aws_cloudwatch_event_rule.nightly", "triggers", "aws_ecs_cluster.c"),
    }
