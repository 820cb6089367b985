"""A role keeps its actions on fewer resources: indexes, prefixes, second queues, wildcards."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

ROLE = "arn:aws:iam::1:role/booking"
TABLE = "arn:aws:dynamodb:eu-west-1:1:table/stays"
INDEX = f"{TABLE}/index/by-guest"
TF_TABLE = 'resource "aws_dynamodb_table" "stays" {\n  name = "stays"\n}\n\nresource "aws_iam_role" "booking" {\n  name = "booking"\n}\n\n'
TF_DOCUMENT = TF_TABLE + (
    'data "aws_iam_policy_document" "booking" {\n  statement {\n    actions   = ["dynamodb:GetItem", "dynamodb:Query"]\n'
    '    resources = [aws_dynamodb_table.stays.arn{more}]\n  }\n}\n\nresource "aws_iam_role_policy" "booking" {\n  role   = aws_iam_role.booking.id\n'
    "  policy = data.aws_iam_policy_document.booking.json\n}\n"
)
TF_JSON = TF_TABLE + (
    'resource "aws_iam_role_policy" "booking" {\n  role   = aws_iam_role.booking.id\n  policy = jsonencode({\n    Statement = [{\n'
    '      Effect   = "Allow"\n      Action   = ["dynamodb:Query"]\n      Resource = [aws_dynamodb_table.stays.arn{more}]\n    }]\n  })\n}\n'
)
SAM = (
    "Transform: AWS::Serverless-2016-10-31\nResources:\n  Stays:\n    Type: AWS::DynamoDB::Table\n    Properties: {TableName: stays}\n  Booking:\n"
    "    Type: AWS::Serverless::Function\n    Properties:\n      FunctionName: booking\n      Handler: app.handler\n      Policies:\n        - Statement:\n"
    "            - Effect: Allow\n              Action: [dynamodb:Query]\n              Resource:\n                - !GetAtt Stays.Arn\n{more}"
)
SERVERLESS = (
    "service: booking\nprovider:\n  name: aws\n  iam:\n    role:\n      statements:\n        - Effect: Allow\n          Action: [dynamodb:Query]\n"
    "          Resource:\n            - arn:aws:dynamodb:${aws:region}:${aws:accountId}:table/stays\n{more}functions:\n  booking:\n    name: booking\n    handler: app.handler\n"
)
FORMS = {
    "infra/document.tf": (TF_DOCUMENT, ', "${aws_dynamodb_table.stays.arn}/index/*"'),
    "infra/json.tf": (TF_JSON, ', "${aws_dynamodb_table.stays.arn}/index/by-guest"'),
    "template.yaml": (SAM, '                - !Sub "${Stays.Arn}/index/*"\n'),
    "serverless.yml": (SERVERLESS, "            - arn:aws:dynamodb:${aws:region}:${aws:accountId}:table/stays/index/*\n"),
}
PYTHON = 'import boto3\n\nstays = boto3.resource("dynamodb").Table("stays")\n\n\ndef of(guest):\n    return stays.query({index}KeyConditionExpression=guest)\n'
CODES = {
    "app.py": PYTHON.replace("{index}", 'IndexName="by-guest", '),
    "app.ts": 'import { QueryCommand } from "@aws-sdk/lib-dynamodb";\nconst GUESTS = "by-guest";\nexport const of = (g) => db.send(new QueryCommand({ TableName, IndexName: GUESTS }));\n',
    "main.go": 'package main\n\nfunc of() {\n\tdb.Query(ctx, &dynamodb.QueryInput{\n\t\tIndexName: aws.String("by-guest"),\n\t})\n}\n',
    "app.rb": 'require "aws-sdk-dynamodb"\ndef of(g) = DB.query(table_name: "stays", index_name: "by-guest")\n',
}
PLAIN = {"app.py": PYTHON.replace("{index}", "")}


def _production(index: float | None = 40.0, *, program: str = "aws.lambda.function") -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    name = "arn:aws:lambda:eu-west-1:1:function:booking"
    function = production.resource(name, program, "booking", is_deployed=True)
    role = production.resource(ROLE, "aws.iam.role", "booking", is_deployed=True)
    table = production.resource(TABLE, "aws.dynamodb.table", "stays", global_secondary_indexes=["by-guest"])
    production.edge(function, role, "connects_to")
    production.edge(function, table, "reads_from")
    production.metric(function, "Invocations", "Count", 600.0)
    production.metric(table, "ConsumedReadCapacityUnits", "Count", 900.0)
    if index is not None:
        production.resource(INDEX, "aws.dynamodb.index", "stays/by-guest")
        production.edge(table, INDEX, "connects_to")
        production.metric(INDEX, "ConsumedReadCapacityUnits", "Count", index)
    return production


def _statuses(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-permission"]


def _narrowed(path: str, code: dict[str, str], production: MemoryProduction) -> list[Status]:
    text, more = FORMS[path]
    return _statuses({path: text.replace("{more}", more), **code}, {path: text.replace("{more}", "")}, production)


@pytest.mark.parametrize("path", sorted(FORMS))
@pytest.mark.parametrize(
    ("code", "index", "expected"),
    [
        ({"app.py": CODES["app.py"]}, 40.0, Status.CONFIRMED),
        ({"app.py": CODES["app.py"]}, None, Status.CONFIRMED),
        (PLAIN, 0.0, Status.REFUTED),
        (PLAIN, None, Status.REFUTED),
    ],
)
def test_the_index_that_goes_from_a_policy_is_asked_for(
    path: str, code: dict[str, str], index: float | None, expected: Status
) -> None:
    assert _narrowed(path, code, _production(index)) == [expected]


@pytest.mark.parametrize("path", sorted(CODES))
def test_code_names_the_index_in_every_language(path: str) -> None:
    assert _narrowed("infra/document.tf", {path: CODES[path]}, _production()) == [Status.CONFIRMED]


def test_an_index_that_others_may_read_is_a_question() -> None:
    production = _production()
    other = production.resource("arn:aws:lambda:eu-west-1:1:function:report", "aws.lambda.function", "report")
    production.edge(other, TABLE, "reads_from")

    assert _narrowed("infra/document.tf", PLAIN, production) == [Status.PLAUSIBLE]


def test_an_index_whose_name_code_takes_from_elsewhere_is_a_question() -> None:
    code = {"app.py": PYTHON.replace("{index}", "IndexName=settings.index, ")}

    assert _narrowed("infra/document.tf", code, _production(None)) == [Status.PLAUSIBLE]


def test_a_statement_that_only_moves_is_silent() -> None:
    text, more = FORMS["infra/json.tf"]
    moved = (
        '\nresource "aws_iam_role_policy" "indexes" {\n  role   = aws_iam_role.booking.id\n  policy = jsonencode({\n    Statement = [{\n'
        '      Effect   = "Allow"\n      Action   = ["dynamodb:Query"]\n      Resource = "${aws_dynamodb_table.stays.arn}/index/*"\n    }]\n  })\n}\n'
    )
    base = {"infra/json.tf": text.replace("{more}", more), "app.py": CODES["app.py"]}

    assert _statuses(base, {"infra/json.tf": text.replace("{more}", "") + moved}, _production()) == []


POLICY = 'resource "aws_iam_role" "booking" {\n  name = "booking"\n}\n\nresource "aws_iam_role_policy" "booking" {\n  role   = aws_iam_role.booking.id\n  policy = jsonencode({\n    Statement = [{\n      Effect   = "Allow"\n      Action   = {actions}\n      Resource = {resources}\n    }]\n  })\n}\n'


def _policy(actions: str, resources: str) -> dict[str, str]:
    return {"iam.tf": POLICY.replace("{actions}", actions).replace("{resources}", resources)}


def _with(kind: str, arn: str, name: str, relation: str, metric: str, rate: float | None) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/c/booking", "aws.ecs.service", "booking", is_deployed=True)
    role = production.resource(ROLE, "aws.iam.role", "booking", is_deployed=True)
    target = production.resource(arn, kind, name)
    production.edge(service, role, "connects_to")
    production.edge(service, target, relation)
    production.metric(service, "RequestCountPerSecond", "Count/Second", 5.0)
    if rate is not None:
        production.metric(target, metric, "Count", rate)
    return production


UPLOAD = 'import boto3\ns3 = boto3.client("s3")\n\ndef save(id, f):\n    s3.put_object(Bucket="stays-files", Key=f"{prefix}{id}.pdf", Body=f)\n'


@pytest.mark.parametrize(
    ("prefix", "left", "rate", "expected"),
    [
        ("invoices/", "arn:aws:s3:::stays-files/photos/*", 300.0, [Status.CONFIRMED]),
        ("photos/", "arn:aws:s3:::stays-files/photos/*", 300.0, [Status.REFUTED]),
        ("photos/", "arn:aws:s3:::stays-files/photos/*", 0.0, [Status.REFUTED]),
        ("invoices/", "arn:aws:s3:::stays-files/photos/*", 0.0, [Status.REFUTED]),
        ("invoices/", "arn:aws:s3:::stays-files/invoices/paid/*", 300.0, [Status.PLAUSIBLE]),
        ("invoices/", "arn:aws:s3:::stays-files", 300.0, [Status.CONFIRMED]),
        ("", "arn:aws:s3:::stays-files", 300.0, [Status.CONFIRMED]),
        ("", "arn:aws:s3:::stays-files/photos/*", 300.0, [Status.PLAUSIBLE]),
        ("invoices/", "arn:aws:s3:::stays-*", 300.0, []),
    ],
)
def test_the_prefix_that_code_writes_below(prefix: str, left: str, rate: float, expected: list[Status]) -> None:
    production = _with("aws.s3.bucket", "arn:aws:s3:::stays-files", "stays-files", "writes_to", "PutRequests", rate)
    base = {**_policy('["s3:PutObject"]', '"arn:aws:s3:::stays-files/*"'), "app.py": UPLOAD.replace("{prefix}", prefix)}

    assert _statuses(base, _policy('["s3:PutObject"]', f'"{left}"'), production) == expected


@pytest.mark.parametrize(("rate", "expected"), [(60.0, Status.CONFIRMED), (0.0, Status.REFUTED), (None, Status.PLAUSIBLE)])
def test_a_second_queue_that_goes(rate: float | None, expected: Status) -> None:
    production = _with("aws.sqs.queue", "arn:aws:sqs:eu-west-1:1:audit", "audit", "publishes_to", "NumberOfMessagesSent", rate)
    code = {
        "app.py": 'import boto3, os\nsqs = boto3.client("sqs")\n\ndef put(m):\n    sqs.send_message(QueueUrl=os.environ["Q"], MessageBody=m)\n'
    }
    both = '["arn:aws:sqs:eu-west-1:1:stays", "arn:aws:sqs:eu-west-1:1:audit"]'

    assert _statuses(
        {**_policy('"sqs:SendMessage"', both), **code},
        _policy('"sqs:SendMessage"', '"arn:aws:sqs:eu-west-1:1:stays"'),
        production,
    ) == [expected]


@pytest.mark.parametrize("before", ['"*"', '"arn:aws:sns:eu-west-1:1:*"'])
def test_a_wildcard_that_becomes_one_name_leaves_the_other_out(before: str) -> None:
    production = _with(
        "aws.sns.topic", "arn:aws:sns:eu-west-1:1:alerts", "alerts", "publishes_to", "NumberOfMessagesPublished", 9.0
    )
    code = {"app.py": 'import boto3\nsns = boto3.client("sns")\n\ndef put(m, t):\n    sns.publish(TopicArn=t, Message=m)\n'}
    head = _policy('"sns:Publish"', '"arn:aws:sns:eu-west-1:1:stays"')

    assert _statuses({**_policy('"sns:Publish"', before), **code}, head, production) == [Status.CONFIRMED]


def test_what_a_variable_stands_for_at_head_proves_nothing() -> None:
    production = _with(
        "aws.sns.topic", "arn:aws:sns:eu-west-1:1:alerts", "alerts", "publishes_to", "NumberOfMessagesPublished", 9.0
    )
    other = production.resource("arn:aws:sns:eu-west-1:1:stays", "aws.sns.topic", "stays")
    production.edge("arn:aws:ecs:eu-west-1:1:service/c/booking", other, "publishes_to")
    code = {"app.py": 'import boto3\nsns = boto3.client("sns")\n\ndef put(m, t):\n    sns.publish(TopicArn=t, Message=m)\n'}

    assert _statuses({**_policy('"sns:Publish"', '"*"'), **code}, _policy('"sns:Publish"', "var.topics"), production) == [
        Status.PLAUSIBLE
    ]


def test_a_wildcard_that_becomes_all_that_the_program_reaches_is_refuted() -> None:
    production = _with(
        "aws.sns.topic", "arn:aws:sns:eu-west-1:1:stays", "stays", "publishes_to", "NumberOfMessagesPublished", 9.0
    )
    code = {"app.py": 'import boto3\nsns = boto3.client("sns")\n\ndef put(m, t):\n    sns.publish(TopicArn=t, Message=m)\n'}
    head = _policy('"sns:Publish"', '"arn:aws:sns:eu-west-1:1:stays"')

    assert _statuses({**_policy('"sns:Publish"', '"*"'), **code}, head, production) == [Status.REFUTED]


@pytest.mark.parametrize(
    ("attached", "expected"), [("AWSLambdaBasicExecutionRole", Status.CONFIRMED), ("shared-data-access", Status.PLAUSIBLE)]
)
def test_a_policy_from_elsewhere_may_allow_what_goes(attached: str, expected: Status) -> None:
    production = _production()
    production.resource(ROLE, "aws.iam.role", "booking", attached_policies=[attached])

    assert _narrowed("infra/document.tf", {"app.py": CODES["app.py"]}, production) == [expected]
