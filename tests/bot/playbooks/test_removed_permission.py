"""Actions that a role loses."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

ROLE = "arn:aws:iam::1:role/intake"
TERRAFORM = (
    'resource "aws_iam_role" "intake" {\n  name = "intake"\n}\n\ndata "aws_iam_policy_document" "objects" {\n  statement {\n    actions = [\n'
    '      "s3:GetObject",\n{extra}    ]\n    resources = ["arn:aws:s3:::scans/*"]\n  }\n}\n\nresource "aws_iam_role_policy" "objects" {\n'
    '  name = "objects"\n  role = aws_iam_role.intake.id\n  policy = data.aws_iam_policy_document.objects.json\n}\n'
)
SAM = (
    "Transform: AWS::Serverless-2016-10-31\nResources:\n  Intake:\n    Type: AWS::Serverless::Function\n    Properties:\n      FunctionName: intake\n"
    "      Handler: app.handler\n      Policies:\n        - Statement:\n            - Effect: Allow\n              Action:\n                - s3:GetObject\n{extra}              Resource: '*'\n"
)
PUTS = 'import boto3\ns3 = boto3.client("s3")\n\ndef save(f):\n    s3.upload_fileobj(f, "scans", "a")\n'


def _tf(extra: str) -> str:
    return TERRAFORM.replace("{extra}", extra)


def _statuses(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-permission"]


def _production(puts: float | None = 900.0, *, with_service: bool = True) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    role = production.resource(ROLE, "aws.iam.role", "intake", is_deployed=True)
    if not with_service:
        return production
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/core/intake", "aws.ecs.service", "intake", is_deployed=True)
    bucket = production.resource("arn:aws:s3:::scans", "aws.s3.bucket", "scans")
    production.edge(service, role, "connects_to")
    production.edge(service, bucket, "writes_to")
    if puts is not None:
        production.metric(bucket, "PutRequests", "Count", puts)
    else:
        production.metric(service, "RequestCountPerSecond", "Count/Second", 5.0)
    return production


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("intake/store.py", PUTS),
        (
            "src/store.ts",
            'import { S3Client, PutObjectCommand } from "@aws-sdk/client-s3";\nexport const save = (b) => s3.send(new PutObjectCommand({ Body: b }));\n',
        ),
        ("store.go", "package main\n\nfunc save() {\n\ts3c.PutObject(ctx, &s3.PutObjectInput{})\n}\n"),
    ],
)
@pytest.mark.parametrize("puts", [900.0, None])
def test_an_action_that_code_still_needs_is_confirmed(path: str, code: str, puts: float | None) -> None:
    base = {"iam.tf": _tf('      "s3:PutObject",\n'), path: code}

    assert _statuses(base, {"iam.tf": _tf("")}, _production(puts)) == [Status.CONFIRMED]


def test_an_inline_policy_of_a_function_is_read_too() -> None:
    production = MemoryProduction("github:acme/shop")
    found = production.resource("arn:aws:lambda:eu-west-1:1:function:intake", "aws.lambda.function", "intake", is_deployed=True)
    production.metric(found, "Invocations", "Count", 300.0)
    base = {"template.yaml": SAM.replace("{extra}", "                - s3:PutObject\n"), "app.py": PUTS}

    assert _statuses(base, {"template.yaml": SAM.replace("{extra}", "")}, production) == [Status.CONFIRMED]


def test_an_action_that_no_code_uses_is_refuted() -> None:
    base = {"iam.tf": _tf('      "s3:DeleteObject",\n'), "intake/store.py": PUTS}

    assert _statuses(base, {"iam.tf": _tf("")}, _production()) == [Status.REFUTED]


def test_an_action_that_was_never_done_is_refuted() -> None:
    base = {"iam.tf": _tf('      "s3:PutObject",\n'), "intake/store.py": PUTS}

    assert _statuses(base, {"iam.tf": _tf("")}, _production(puts=0)) == [Status.REFUTED]


def test_a_role_whose_code_is_elsewhere_is_a_question() -> None:
    assert _statuses({"iam.tf": _tf('      "ses:SendRawEmail",\n')}, {"iam.tf": _tf("")}, _production(with_service=False)) == [
        Status.PLAUSIBLE
    ]


def test_what_the_platform_may_need_is_a_question() -> None:
    base = {"iam.tf": _tf('      "kms:Decrypt",\n'), "intake/store.py": PUTS}

    assert _statuses(base, {"iam.tf": _tf("")}, _production()) == [Status.PLAUSIBLE]


@pytest.mark.parametrize("after", ['      "s3:*",\n', '      "s3:Put*",\n'])
def test_a_wildcard_that_still_allows_it_is_silent(after: str) -> None:
    base = {"iam.tf": _tf('      "s3:PutObject",\n'), "intake/store.py": PUTS}

    assert _statuses(base, {"iam.tf": _tf(after)}, _production()) == []


def test_a_wildcard_that_is_narrowed_below_what_code_does_is_confirmed() -> None:
    base = {"iam.tf": _tf('      "s3:*",\n'), "intake/store.py": PUTS}

    assert _statuses(base, {"iam.tf": _tf('      "s3:ListBucket",\n')}, _production()) == [Status.CONFIRMED]


def test_an_added_action_is_silent() -> None:
    assert _statuses({"iam.tf": _tf(""), "a.py": PUTS}, {"iam.tf": _tf('      "s3:PutObject",\n')}, _production()) == []
