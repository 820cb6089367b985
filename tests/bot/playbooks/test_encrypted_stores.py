"""Permissions on keys, which no code names."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

KEY = "arn:aws:kms:eu-west-1:1:key/11111111-2222-3333-4444-555555555555"
POLICY = (
    'data "aws_iam_policy_document" "p" {\n  statement {\n    actions = ["s3:GetObject", "s3:PutObject"]\n    resources = ["*"]\n  }\n{extra}}\n\n'
    'resource "aws_iam_role_policy" "p" {\n  name = "p"\n  role = "intake"\n  policy = data.aws_iam_policy_document.p.json\n}\n'
)
CODE = {
    "app.py": 'import boto3\ns3 = boto3.client("s3")\n\ndef handler(e, c):\n    s3.put_object(Bucket="b", Key="k", Body=s3.get_object(Bucket="b", Key="k")["Body"].read())\n',
    "src/app.ts": 'import { S3Client, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";\nconst s3 = new S3Client({});\nexport const handler = async () => { await s3.send(new GetObjectCommand({})); await s3.send(new PutObjectCommand({})); };\n',
}


def _statuses(action: str, path: str, production: MemoryProduction, resource: str = "var.key") -> list[Status]:
    extra = f'  statement {{\n    actions = ["{action}"]\n    resources = [{resource}]\n  }}\n'
    files = {"iam.tf": POLICY.replace("{extra}", extra), path: CODE[path]}
    evaluation = evaluation_of(files, {"iam.tf": POLICY.replace("{extra}", "")}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-permission"]


def _production(relation: str = "reads_from", rate: float | None = 60.0, key_policy: str = "", **bucket: str) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    role = production.resource("arn:aws:iam::1:role/intake", "aws.iam.role", "intake", is_deployed=True)
    program = production.resource("arn:aws:lambda:eu-west-1:1:function:intake", "aws.lambda.function", "intake", is_deployed=True)
    store = production.resource("arn:aws:s3:::scans", "aws.s3.bucket", "scans", is_deployed=False, **bucket)
    key = production.resource(KEY, "aws.kms.key", "scans", key_policy=key_policy)
    production.edge(program, role, "depends_on")
    production.edge(program, store, relation)
    if "kms_key_id" in bucket:
        production.edge(store, key, "depends_on")
    if rate is not None:
        production.metric(program, "Invocations", "Count", rate)
    return production


@pytest.mark.parametrize("path", list(CODE))
@pytest.mark.parametrize(
    ("action", "relation"), [("kms:Decrypt", "reads_from"), ("kms:GenerateDataKey", "writes_to"), ("kms:*", "reads_from")]
)
def test_the_key_of_a_store_that_is_in_use_is_needed(path: str, action: str, relation: str) -> None:
    production = _production(relation, sse_algorithm="aws:kms", kms_key_id=KEY)
    assert _statuses(action, path, production) == [Status.CONFIRMED]


@pytest.mark.parametrize("path", list(CODE))
@pytest.mark.parametrize(
    "production",
    [
        _production(sse_algorithm="AES256"),
        _production(rate=0.0, sse_algorithm="aws:kms", kms_key_id=KEY),
        _production(key_policy="allows role/intake", sse_algorithm="aws:kms", kms_key_id=KEY),
    ],
)
def test_a_key_that_nothing_needs_is_refuted(path: str, production: MemoryProduction) -> None:
    assert _statuses("kms:Decrypt", path, production) == [Status.REFUTED]


def test_what_was_not_read_stays_a_question() -> None:
    assert _statuses("kms:Decrypt", "app.py", _production(rate=None, sse_algorithm="aws:kms", kms_key_id=KEY)) == [
        Status.PLAUSIBLE
    ]


def test_another_key_than_that_of_the_store_is_not_confirmed() -> None:
    production = _production(sse_algorithm="aws:kms", kms_key_id=KEY)
    other = '"arn:aws:kms:eu-west-1:1:key/99999999-0000-0000-0000-000000000000"'
    assert Status.CONFIRMED not in _statuses("kms:Decrypt", "app.py", production, other)
