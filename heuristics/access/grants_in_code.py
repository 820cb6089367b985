"""IAM actions that programs of infrastructure allow: policy statements and `grant…` calls of CDK, Pulumi and their kin."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record

_TOOLS = pattern(
    r"aws-cdk-lib|@aws-cdk/|\baws_cdk\b|software\.amazon\.awscdk|Amazon\.CDK|github\.com/aws/aws-cdk-go|@pulumi/aws|\bpulumi_aws\b|com\.pulumi\.aws|pulumi-aws"
    r"|@cdktf/|\bcdktf\w*\b|\btroposphere\b|\bawacs\b|\bsst\b"
)
_ACTION = pattern(r"[\"'`]([a-z][a-z0-9-]{1,30}:(?:[A-Z*][A-Za-z0-9*?]{0,60}))[\"'`]")
_SUBJECT = pattern(
    r"(?i)([\w.]+?)[!?]?\.(?:add_?to_?(?:role_?|principal_?)?policy|add_?to_?principal_?policy|attach_?inline_?policy|add_?statements?)\s*\("
)
_CONSTRUCT = pattern(
    r"(?:(?P<variable>[\w.]+)\s*(?::\s*[\w.]+\s*)?:?=\s*)?(?:new\s+)?(?:[\w.]*\.)?(?P<kind>Role|Policy|RolePolicy|ManagedPolicy|PolicyDocument|PolicyStatement|Function|NodejsFunction|PythonFunction|IamRole|IamRolePolicy|IamPolicy)"
    r"(?:\.Builder\.create|\.Builder)?\s*\("
)
_OF_ROLE = pattern(r"\brole\s*[:=]\s*([\w.]+)")
_NAME = pattern(
    r"(?:roleName|role_name|functionName|function_name|RoleName|FunctionName|(?<![\w.])name)\s*(?:\(\s*|[:=]\s*(?:jsii\.String\(|pulumi\.String\()?)[\"'`]([\w+=,.@/-]{1,120})[\"'`]"
)
_GRANT = pattern(r"(?:this\.|self\.)?(?P<on>[\w.]+?)[!?]?\.(?P<grant>[gG]rant_?\w*)\s*\(\s*(?:this\.|self\.)?(?P<to>[\w.]+)")
_ARN = pattern(r"[\"'`](arn:[^\"'`]{1,300}|\*)[\"'`]")
_DENY = pattern(r"(?i)effect\W{1,12}(?:[\w.]*\.)?[\"']?deny")
_BEHIND = 25
"""Lines above an action in which the statement says whose it is."""
_GRANTED: dict[str, dict[str, str]] = {
    "bucket": {
        "grantread": "s3:GetObject s3:ListBucket",
        "grantwrite": "s3:PutObject s3:DeleteObject",
        "grantreadwrite": "s3:GetObject s3:ListBucket s3:PutObject s3:DeleteObject",
        "grantput": "s3:PutObject",
        "grantdelete": "s3:DeleteObject",
    },
    "table": {
        "grantreaddata": "dynamodb:GetItem dynamodb:Query dynamodb:Scan dynamodb:BatchGetItem",
        "grantwritedata": "dynamodb:PutItem dynamodb:UpdateItem dynamodb:DeleteItem dynamodb:BatchWriteItem",
        "grantreadwritedata": "dynamodb:GetItem dynamodb:Query dynamodb:Scan dynamodb:BatchGetItem dynamodb:PutItem dynamodb:UpdateItem dynamodb:DeleteItem dynamodb:BatchWriteItem",
        "grantfullaccess": "dynamodb:GetItem dynamodb:Query dynamodb:Scan dynamodb:PutItem dynamodb:UpdateItem dynamodb:DeleteItem",
    },
    "queue": {
        "grantsendmessages": "sqs:SendMessage",
        "grantconsumemessages": "sqs:ReceiveMessage sqs:DeleteMessage sqs:GetQueueAttributes",
    },
    "topic": {"grantpublish": "sns:Publish"},
    "secret": {"grantread": "secretsmanager:GetSecretValue"},
    "parameter": {"grantread": "ssm:GetParameter ssm:GetParameters"},
    "function": {"grantinvoke": "lambda:InvokeFunction"},
    "key": {"grantdecrypt": "kms:Decrypt", "grantencrypt": "kms:Encrypt", "grantencryptdecrypt": "kms:Encrypt kms:Decrypt"},
    "stream": {"grantwrite": "kinesis:PutRecord kinesis:PutRecords"},
    "machine": {"grantstartexecution": "states:StartExecution"},
    "bus": {"grantputeventsto": "events:PutEvents", "grantallputevents": "events:PutEvents"},
}  # fmt: skip


class Grant(Record):
    """One action that a program of infrastructure allows. `subject` is the variable or construct that gets it."""

    action: str
    line: int
    subject: str
    name: str
    """The physical name of the role or function, empty where the text does not give one."""
    kind: str
    resources: tuple[str, ...] = ()


def is_infrastructure_code(text: str) -> bool:
    """Whether a program describes cloud resources."""
    return _TOOLS.search(text[:100_000]) is not None


def grants_in(text: str) -> tuple[Grant, ...]:
    """Every action that the statements and grants of a file allow, in the order of the text; empty for other programs."""
    if not is_infrastructure_code(text) or len(text) > 400_000:
        return ()
    lines = [line[:1_000] for line in text.split("\n")]
    return (*_of_statements(lines), *_of_grants(lines))


def _of_statements(lines: list[str]) -> Iterator[Grant]:
    for number, line in enumerate(lines, start=1):
        found = _ACTION.findall(line)
        if not found or line.lstrip().startswith(("//", "#", "*")):
            continue
        subject = _subject_of(lines, number)
        around = "\n".join(lines[max(0, number - 6) : number + 8])
        if _DENY.search(around):
            continue
        name, kind = _named(lines, subject)
        resources = tuple(_ARN.findall("\n".join(_rest_of_statement(lines, number))))
        for action in found:
            yield Grant(action, number, subject, name, kind, resources)


def _rest_of_statement(lines: list[str], number: int) -> Iterator[str]:
    for at, line in enumerate(lines[number - 1 : number + 12]):
        if at and (
            _SUBJECT.search(line)
            or _CONSTRUCT.search(line)
            or (_ACTION.search(line) and not _ACTION.search(lines[number + at - 2]))
        ):
            return
        yield line


def _of_grants(lines: list[str]) -> Iterator[Grant]:
    for number, line in enumerate(lines, start=1):
        for found in _GRANT.finditer(line):
            method = found["grant"].replace("_", "").lower()
            subject = _last(found["to"])
            name, kind = _named(lines, subject)
            for action in _granted(lines, found["on"], method).split():
                yield Grant(action, number, subject, name, kind)


def _granted(lines: list[str], receiver: str, method: str) -> str:
    fitting = {kind: methods[method] for kind, methods in _GRANTED.items() if method in methods}
    if len(fitting) == 1:
        return next(iter(fitting.values()))
    made = re.compile(rf"\b{re.escape(_last(receiver))}\b[^\n]{{0,80}}")
    said = " ".join(m[0] for line in lines for m in made.finditer(line))[:4_000].lower()
    return next((actions for kind, actions in fitting.items() if kind in receiver.lower() or kind in said), "")


def _subject_of(lines: list[str], number: int) -> str:
    """Who gets the statement around a line: what it is added to, else the nearest role or policy that is made above it."""
    for at in range(number, max(0, number - _BEHIND), -1):
        line = lines[at - 1]
        added = _SUBJECT.search(line)
        if added is not None:
            return _last(added[1])
        made = _CONSTRUCT.search(line)
        if made is None or made["kind"] in ("PolicyStatement", "PolicyDocument"):
            continue
        role = _OF_ROLE.search("\n".join(lines[at - 1 : number + 12])) if "Policy" in made["kind"] else None
        return _last(role[1].removesuffix(".id").removesuffix(".name")) if role else _last(made["variable"] or "")
    return ""


def _named(lines: list[str], subject: str) -> tuple[str, str]:
    """The physical name and the kind of what a variable holds."""
    if not subject:
        return "", ""
    for at, line in enumerate(lines):
        made = _CONSTRUCT.search(line)
        if made is None or _last(made["variable"] or "") != subject:
            continue
        given = _NAME.search("\n".join(lines[at : at + 14]))
        kind = "aws.lambda.function" if made["kind"].endswith("Function") else "aws.iam.role"
        return (given[1].rpartition("/")[2] if given else ""), kind
    return "", ""


def _last(dotted: str) -> str:
    return dotted.rpartition(".")[2]
