"""IAM actions that a change takes from a role, with the code that still needs them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from gonogo.record import Record
from gonogo.resource import Declared, Place, Setting
from gonogo.word import Json
from heuristics.access.grants_in_code import Grant, grants_in
from heuristics.access.sdk import IMPLIED, allows, known_actions, uses_of_action
from heuristics.code import Use, is_production_code, language_of
from heuristics.code.paths import CODE_LANGUAGES
from heuristics.rule import Declarations, RuleContext
from heuristics.stages import is_elsewhere, is_for_production

_MANAGED: Mapping[str, tuple[str, ...]] = {
    "AmazonS3FullAccess": ("s3:*",),
    "AmazonS3ReadOnlyAccess": ("s3:Get*", "s3:List*"),
    "AmazonSQSFullAccess": ("sqs:*",),
    "AmazonSNSFullAccess": ("sns:*",),
    "AmazonDynamoDBFullAccess": ("dynamodb:*",),
    "AmazonDynamoDBReadOnlyAccess": ("dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:BatchGetItem"),
    "AmazonKinesisFullAccess": ("kinesis:*",),
    "AmazonSESFullAccess": ("ses:*",),
    "AmazonSSMReadOnlyAccess": ("ssm:Get*",),
    "SecretsManagerReadWrite": ("secretsmanager:*",),
    "AWSLambda_FullAccess": ("lambda:*",),
    "AmazonEventBridgeFullAccess": ("events:*",),
    "AdministratorAccess": ("*",),
    "PowerUserAccess": ("*",),
}
_TEMPLATES: Mapping[str, tuple[str, ...]] = {
    "SQSSendMessagePolicy": ("sqs:SendMessage",),
    "SQSPollerPolicy": ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"),
    "SNSPublishMessagePolicy": ("sns:Publish",),
    "DynamoDBCrudPolicy": (
        "dynamodb:GetItem",
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:DeleteItem",
        "dynamodb:Query",
        "dynamodb:Scan",
    ),
    "DynamoDBReadPolicy": ("dynamodb:GetItem", "dynamodb:Query", "dynamodb:Scan", "dynamodb:BatchGetItem"),
    "DynamoDBWritePolicy": ("dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:BatchWriteItem"),
    "S3ReadPolicy": ("s3:GetObject", "s3:ListBucket"),
    "S3WritePolicy": ("s3:PutObject",),
    "S3CrudPolicy": ("s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:ListBucket"),
    "LambdaInvokePolicy": ("lambda:InvokeFunction",),
    "AWSSecretsManagerGetSecretValuePolicy": ("secretsmanager:GetSecretValue",),
    "SSMParameterReadPolicy": ("ssm:GetParameter", "ssm:GetParameters"),
    "EventBridgePutEventsPolicy": ("events:PutEvents",),
    "KinesisCrudPolicy": ("kinesis:PutRecord", "kinesis:PutRecords"),
    "SESCrudPolicy": ("ses:SendEmail", "ses:SendRawEmail"),
    "StepFunctionsExecutionPolicy": ("states:StartExecution",),
}


class RemovedAction(Record):
    """One action that a policy allowed at base and allows no more."""

    action: str
    before: Declared
    place: Place
    """The removed line."""
    uses: tuple[Use, ...]
    is_implied: bool
    """A platform may need it for the program, whatever the code says."""
    kept_by: tuple[Declared, Setting] | None
    """Another statement at head that allows it to the same role."""
    is_kept_new: bool = False
    resources: tuple[str, ...] = ()
    role: Declared | None = None


class Allowed(Record):
    """One action that a statement allows, and the resources as they are written."""

    action: str
    declared: Declared
    setting: Setting
    resources: tuple[str, ...]


def removed_actions(context: RuleContext) -> tuple[RemovedAction, ...]:
    """Every action that goes; of a wildcard, those that this code uses."""
    coded = tuple(removed_in_code(context))
    if not any(is_grant(c.before) for c in context.settings if c.before is not None):
        return coded
    before, after = context.declared["base"], context.declared["head"]
    olds, news = allowed_by_role(before), allowed_by_role(after)
    found: list[RemovedAction] = []
    seen: set[tuple[str, str]] = set()
    for role, allowed in olds.items():
        left = news.get(role, [])
        for one in allowed:
            if not is_for_production(context, one.declared):
                continue
            if any(allows(other.action, one.action) for other in left if other.declared.address == one.declared.address):
                continue
            for action in known_actions(one.action):
                kept = next((o for o in left if allows(o.action, action)), None)
                if (role, action) in seen or (kept is not None and kept.declared.address == one.declared.address):
                    continue
                uses = uses_of_action(context.head, action)
                if action != one.action and not uses:
                    continue
                seen.add((role, action))
                found.append(_removed(context, role, action, one, kept, allowed, uses))
    return (*found, *coded)


def removed_in_code(context: RuleContext) -> Iterator[RemovedAction]:
    """Actions that a program of infrastructure allowed to a role, and allows it no more."""
    for file in context.changes.files:
        path = file.head_path or file.base_path
        if not file.base_path or not path or not _is_program(path) or is_elsewhere(path):
            continue
        before = grants_in(context.base.text(file.base_path) or "")
        after = grants_in(context.head.text(file.head_path) or "") if file.head_path and before else ()
        for grant in before:
            left = [g for g in after if g.subject == grant.subject or not g.subject or not grant.subject]
            is_left = any(allows(g.action, grant.action) for g in left)
            if is_left or grant != next(g for g in before if (g.action, g.subject) == (grant.action, grant.subject)):
                continue
            for action in known_actions(grant.action):
                uses = uses_of_action(context.head, action)
                if any(allows(g.action, action) for g in left) or (action != grant.action and not uses):
                    continue
                yield _coded(file.base_path, grant, action, uses)


def _is_program(path: str) -> bool:
    return language_of(path) in CODE_LANGUAGES and is_production_code(path)


def _coded(path: str, grant: Grant, action: str, uses: tuple[Use, ...]) -> RemovedAction:
    kind = grant.kind or "aws.iam.role"
    subject = grant.subject or path.rpartition("/")[2].partition(".")[0]
    declared = Declared(
        kind=kind, address=subject, name=grant.name or None, file=path, line=grant.line, end_line=grant.line, settings={}
    )
    return RemovedAction(
        action=action,
        before=declared,
        place=Place(file=path, line=grant.line, side="base"),
        uses=uses,
        is_implied=IMPLIED.match(action) is not None,
        kept_by=None,
        resources=grant.resources,
        role=declared if grant.name else None,
    )


def _removed(
    context: RuleContext,
    role: str,
    action: str,
    one: Allowed,
    kept: Allowed | None,
    allowed: Sequence[Allowed],
    uses: tuple[Use, ...],
) -> RemovedAction:
    declared = next((d for d in context.declared["base"].resources if d.address == role), None)
    return RemovedAction(
        action=action,
        before=one.declared,
        place=Place(file=one.declared.file, line=_line_of(context, one), side="base"),
        uses=uses,
        is_implied=IMPLIED.match(action) is not None,
        kept_by=(kept.declared, kept.setting) if kept is not None else None,
        is_kept_new=kept is not None
        and not any(o.declared.address == kept.declared.address and allows(o.action, action) for o in allowed),
        resources=one.resources,
        role=declared,
    )


def _line_of(context: RuleContext, one: Allowed) -> int:
    """The line of the action inside its statement, else the statement's."""
    lines = (context.base.text(one.declared.file) or "").split("\n")
    for number in range(max(one.setting.line, 1), min(one.setting.line + 80, len(lines) + 1)):
        if re.search(rf"""["'\s\[-]{re.escape(one.action)}(["'\s,\]]|$)""", lines[number - 1]):
            return number
    return one.setting.line


def is_grant(declared: Declared) -> bool:
    """Whether a declaration holds statements."""
    return declared.kind.startswith("aws.iam.") or any(k.startswith(("statement.", "managed_policy.")) for k in declared.settings)


def allowed_by_role(side: Declarations) -> dict[str, list[Allowed]]:
    """Address of a role (or of what has statements of its own) → everything that it is allowed."""
    known = {d.address: d for d in side.resources}
    granted = {d.address: list(_statements(d)) for d in side.resources if is_grant(d)}
    roles: dict[str, list[Allowed]] = {}
    targets: dict[str, set[str]] = {}
    policies: dict[str, set[str]] = {}
    for edge in side.edges:
        source, target = known.get(edge.source), known.get(edge.target)
        if source is None or target is None or not source.kind.startswith("aws.iam."):
            continue
        if target.kind == "aws.iam.role":
            targets.setdefault(source.address, set()).add(target.address)
        elif target.kind == "aws.iam.policy" and "attachment" in source.kind:
            policies.setdefault(source.address, set()).add(target.address)
    for address, statements in granted.items():
        declared = known[address]
        if declared.kind in ("aws.iam.policy", "aws.iam.policy_document") and address not in targets:
            attached = {r for a, wanted in policies.items() if address in wanted for r in targets.get(a, ())}
            for role in attached or {address}:
                roles.setdefault(role, []).extend(statements)
            continue
        for role in targets.get(address, {address}):
            roles.setdefault(role, []).extend(statements)
    return roles


def _statements(declared: Declared) -> Iterator[Allowed]:
    for key, setting in declared.settings.items():
        if key.startswith("statement."):
            yield from _statement(declared, setting)
        elif key.startswith("managed_policy.") or (key == "policy_arn" and isinstance(setting.value, str)):
            name = str(setting.value or setting.text).rpartition("/")[2]
            for action in _MANAGED.get(name, ()):
                yield Allowed(action, declared, setting, ())


def _statement(declared: Declared, setting: Setting) -> Iterator[Allowed]:
    if not isinstance(setting.value, Mapping):
        return
    value = cast("Mapping[str, Json]", setting.value)
    if str(value.get("effect", "Allow")).lower() != "allow":
        return
    resources = tuple(_words(value.get("resources")))
    for action in [*_words(value.get("actions")), *_TEMPLATES.get(str(value.get("template")), ())]:
        yield Allowed(action, declared, setting, resources)


def _words(value: Json) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(one) for one in cast("list[object]", value)] if isinstance(value, list | tuple) else []
