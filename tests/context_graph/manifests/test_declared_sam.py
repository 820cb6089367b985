"""What SAM and CloudFormation make by themselves: ids, connectors, loops, destinations; and names of exports."""

from context_graph.testing_manifests import edges_of, kinds_of

WORK = """  Store: {Type: AWS::DynamoDB::Table}
  Bus: {Type: AWS::Events::EventBus}
  Work:
    Type: AWS::Serverless::Function
    Properties:
      AutoPublishAlias: live
      Events:
        Paid: {Type: EventBridgeRule, Properties: {EventBusName: !Ref Bus, Pattern: {source: [till]}}}
        Get: {Type: Api, Properties: {Path: /, Method: get}}
"""


def sam(resources: str) -> dict[str, str]:
    return {"template.yaml": "Transform: AWS::Serverless-2016-10-31\nResources:\n" + resources}


def test_made_up_ids_are_the_resources_that_they_belong_to() -> None:
    edges = edges_of(
        sam(
            WORK
            + """  More:
    Type: AWS::IAM::Policy
    Properties:
      Roles: [!Ref WorkRole]
      PolicyDocument: {Statement: [{Effect: Allow, Action: dynamodb:GetItem, Resource: !GetAtt Store.Arn}]}
  Watch:
    Type: AWS::Serverless::Function
    Properties:
      Environment:
        Variables: {RULE: !Ref WorkPaid, ALIAS: !Ref WorkAliaslive, API: !Sub "https://${ServerlessRestApi}.example.com"}
  Address:
    Type: AWS::SSM::Parameter
    Properties: {Type: String, Value: !GetAtt WorkUrl.FunctionUrl}
"""
        )
    )

    assert {
        ("Work", "reads_from", "Store"), ("More", "depends_on", "Work"), ("Watch", "depends_on", "Work.Events.Paid"),
        ("Watch", "invokes", "Work"), ("Watch", "invokes", "ServerlessRestApi"), ("Address", "depends_on", "Work"),
    } <= edges  # fmt: skip


def test_an_id_of_the_templates_own_wins_over_a_made_up_one() -> None:
    edges = edges_of(
        sam(WORK + "  WorkUrl: {Type: AWS::SNS::Topic}\n  Seen: {Type: AWS::SSM::Parameter, Properties: {Value: !Ref WorkUrl}}\n")
    )

    assert ("Seen", "depends_on", "WorkUrl") in edges
    assert ("Seen", "depends_on", "Work") not in edges


def test_a_connector_says_who_does_what() -> None:
    edges = edges_of(
        sam(
            """  Jobs: {Type: AWS::SQS::Queue}
  Store: {Type: AWS::DynamoDB::Table}
  Next: {Type: AWS::Serverless::Function}
  Work:
    Type: AWS::Serverless::Function
    Connectors:
      Kept: {Properties: {Destination: [{Id: Store}, {Id: Next}], Permissions: [Read, Write]}}
  Sends:
    Type: AWS::Serverless::Connector
    Properties: {Source: {Id: Work}, Destination: {Id: Jobs}, Permissions: [Write]}
  Runs:
    Type: AWS::Serverless::Connector
    Properties: {Source: {Id: Jobs}, Destination: {Id: Next}, Permissions: [Read, Write]}
  Nowhere:
    Type: AWS::Serverless::Connector
    Properties: {Source: {Id: Work}, Destination: {Id: Elsewhere}, Permissions: [Write]}
"""
        )
    )

    assert edges == {
        ("Work", "reads_from", "Store"), ("Work", "writes_to", "Store"), ("Work", "invokes", "Next"),
        ("Work", "publishes_to", "Jobs"), ("Jobs", "triggers", "Next"),
    }  # fmt: skip


def test_outcomes_of_a_function_go_to_their_destinations_and_not_to_a_stack() -> None:
    files = {
        "shared/dead.yaml": "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  Failed: {Type: AWS::SQS::Queue}\n"
        "Outputs:\n  Arn: {Value: !GetAtt Failed.Arn}\n",
        **sam(
            """  Dead: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: shared/dead.yaml}}
  Store: {Type: AWS::DynamoDB::Table}
  Next: {Type: AWS::Serverless::Function}
  Work:
    Type: AWS::Serverless::Function
    Properties:
      EventInvokeConfig:
        DestinationConfig:
          OnFailure: {Type: SQS, Destination: !GetAtt Dead.Outputs.Arn}
          OnSuccess: {Type: Lambda, Destination: !GetAtt Next.Arn}
  Reads:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Changes:
          Type: DynamoDB
          Properties:
            Stream: !GetAtt Store.StreamArn
            DestinationConfig: {OnFailure: {Destination: !GetAtt Dead.Outputs.Arn}}
"""
        ),
    }

    assert {e for e in edges_of(files) if e[2] != "Dead"} == {
        ("Work", "publishes_to", "Failed"), ("Work", "triggers", "Next"), ("Store", "triggers", "Reads"),
        ("Reads", "publishes_to", "Failed"),
    }  # fmt: skip
    assert {relation for _, relation, target in edges_of(files) if target == "Dead"} == {"depends_on"}


def test_brokers_and_document_clusters_trigger_functions_too() -> None:
    edges = edges_of(
        sam(
            """  Broker: {Type: AWS::AmazonMQ::Broker}
  Papers: {Type: AWS::DocDB::DBCluster}
  Work:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Mail: {Type: MQ, Properties: {Broker: !GetAtt Broker.Arn, Queues: [mail]}}
        Change: {Type: DocumentDB, Properties: {Cluster: !Ref Papers}}
"""
        )
    )

    assert {("Broker", "triggers", "Work"), ("Papers", "triggers", "Work")} <= edges


def test_a_loop_makes_a_resource_for_every_word() -> None:
    files = {
        "template.yaml": """Transform: AWS::LanguageExtensions
Parameters: {Lanes: {Type: CommaDelimitedList, Default: "Slow, Fast"}}
Resources:
  Fn::ForEach::Mail:
    - Name
    - [Letters, Parcels]
    - ${Name}Queue: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref Name}}
      Fn::ForEach::Lane:
        - Lane
        - !Ref Lanes
        - ${Name}${Lane}Topic: {Type: AWS::SNS::Topic}
  Fn::ForEach::Unknown: [X, !Ref Elsewhere, {"${X}Topic": {Type: AWS::SNS::Topic}}]
  Sent:
    Type: AWS::SNS::Subscription
    Properties: {TopicArn: !Ref LettersFastTopic, Protocol: sqs, Endpoint: !GetAtt ParcelsQueue.Arn}
"""
    }

    assert {address for address, _ in kinds_of(files)} == {
        "LettersQueue", "ParcelsQueue", "LettersSlowTopic", "LettersFastTopic", "ParcelsSlowTopic", "ParcelsFastTopic", "Sent",
    }  # fmt: skip
    assert ("LettersFastTopic", "publishes_to", "ParcelsQueue") in edges_of(files)


def test_an_import_finds_the_export_that_is_written_alike_whatever_the_stack_is_called() -> None:
    files = {
        "net.yaml": "AWSTemplateFormatVersion: '2010-09-09'\nResources:\n  News: {Type: AWS::SNS::Topic}\n"
        'Outputs:\n  Arn: {Value: !Ref News, Export: {Name: !Sub "${AWS::StackName}-news"}}\n',
        "app.yaml": """AWSTemplateFormatVersion: '2010-09-09'
Parameters: {Net: {Type: String, Default: network}}
Resources:
  Work:
    Type: AWS::Lambda::Function
    Properties: {Environment: {Variables: {NEWS: {"Fn::ImportValue": !Sub "${Net}-news"}}}}
""",
    }

    assert edges_of(files) == {("Work", "publishes_to", "News")}


def test_a_parameter_in_ssm_is_found_where_the_templates_differ_in_their_stage() -> None:
    files = {
        "base.yaml": """AWSTemplateFormatVersion: '2010-09-09'
Parameters: {Stage: {Type: String, Default: dev, AllowedValues: [dev, prod]}}
Resources:
  Kept: {Type: AWS::DynamoDB::Table}
  Name: {Type: AWS::SSM::Parameter, Properties: {Name: !Sub "/shop/${Stage}/kept/name", Value: !Ref Kept}}
  Other: {Type: AWS::SSM::Parameter, Properties: {Name: !Sub "/shop/${Stage}/kept/arn", Value: !GetAtt Kept.Arn}}
""",
        "app.yaml": """Transform: AWS::Serverless-2016-10-31
Parameters:
  Stage: {Type: String, Default: test}
  Kept: {Type: "AWS::SSM::Parameter::Value<String>", Default: /shop/dev/kept/name}
Resources:
  One: {Type: AWS::Serverless::Function, Properties: {Environment: {Variables: {T: !Ref Kept}}}}
  Two:
    Type: AWS::Serverless::Function
    Properties: {Environment: {Variables: {T: !Sub "{{resolve:ssm:/shop/${Stage}/kept/name}}"}}}
  Three: {Type: AWS::Serverless::Function, Properties: {Environment: {Variables: {T: "{{resolve:ssm:/else/dev/kept/name}}"}}}}
""",
    }

    assert {e for e in edges_of(files) if e[1] == "connects_to"} == {
        ("One", "connects_to", "Kept"), ("Two", "connects_to", "Kept")}  # fmt: skip
