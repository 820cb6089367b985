"""What IAM says about a connection: a workload that may only receive from a queue does not write to it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from context_graph.manifests.node import Draft, Link
from context_graph.manifests.relations import is_called, is_published, is_store
from gonogo.resource import Relation

_SENDS = ("send", "put", "publish", "update", "delete", "write", "batchwrite", "create", "start", "partiqlinsert", "*")
_READS = ("receive", "get", "query", "scan", "batchget", "read", "list", "subscribe", "partiqlselect", "*")
_CALLS = ("invoke", "start", "*")
_READ, _WRITE, _SEND = {Relation.READS_FROM}, {Relation.WRITES_TO}, {Relation.PUBLISHES_TO}
_TEMPLATES: Mapping[str, set[Relation]] = {
    # https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/serverless-policy-template-list.html
    "SQSSendMessagePolicy": _SEND, "SQSPollerPolicy": _READ, "SNSPublishMessagePolicy": _SEND, "SNSCrudPolicy": _SEND,
    "EventBridgePutEventsPolicy": _SEND, "KinesisCrudPolicy": _SEND | _READ, "KinesisStreamReadPolicy": _READ,
    "FirehoseWritePolicy": _SEND, "FirehoseCrudPolicy": _SEND,
    "DynamoDBReadPolicy": _READ, "DynamoDBWritePolicy": _WRITE, "DynamoDBCrudPolicy": _READ | _WRITE,
    "DynamoDBBackupFullAccessPolicy": _READ, "DynamoDBReconfigurePolicy": _WRITE,
    "S3ReadPolicy": _READ, "S3WritePolicy": _WRITE, "S3CrudPolicy": _READ | _WRITE, "S3FullAccessPolicy": _READ | _WRITE,
    "ElasticsearchHttpPostPolicy": _WRITE, "RekognitionDetectOnlyPolicy": set(),
    "AWSSecretsManagerGetSecretValuePolicy": _READ, "SSMParameterReadPolicy": _READ, "SSMParameterWithSlashPrefixReadPolicy": _READ,
    "LambdaInvokePolicy": {Relation.INVOKES}, "StepFunctionsExecutionPolicy": {Relation.INVOKES},
}  # fmt: skip
_WORKLOADS = {
    "aws.lambda.function", "aws.ecs.task_definition", "aws.stepfunctions.state_machine", "aws.apprunner.service",
    "aws.appsync.data_source", "aws.codebuild.project", "aws.codepipeline.pipeline", "aws.glue.job", "aws.batch.job_definition",
}  # fmt: skip
"""What acts under a role of its own."""
_MENTIONED = (Relation.CONNECTS_TO, Relation.DEPENDS_ON)
_STREAMED = ("getrecords", "getsharditerator", "describestream", "liststreams", "listshards", "getqueue", "listqueues")
Grants = dict[str, set[Relation]]
"""Target → what may be done with it."""


def with_directions(links: Iterable[Link], drafts: Iterable[Draft], kinds: Mapping[str, str]) -> list[Link]:
    """The links of one scope, each plain connection replaced by the directions that the workload's policies allow."""
    members = list(drafts)
    roles = _grants_of_roles(members, kinds)
    granted: dict[str, Grants] = {}
    for draft in members:
        if draft.kind in _WORKLOADS:
            acts_as = [draft.address, *_mentions(draft, kinds, "aws.iam.role")]
            own = [_grants(draft, kinds)] + [roles[target] for target in acts_as if target in roles]
            granted[draft.address] = _joined(own)
    found: list[Link] = []
    said: set[tuple[str, str]] = set()
    for link in links:
        allowed = granted.get(link.source, {}).get(link.target, set())
        said.add((link.source, link.target))
        if link.relation is Relation.READS_FROM:
            found += [replace(link, relation=relation) for relation in sorted(allowed | _READ)]
        elif link.relation in _MENTIONED and allowed:
            found += [replace(link, relation=relation) for relation in sorted(allowed)]
        else:
            found.append(link)
        if link.relation is Relation.TRIGGERS:
            said.add((link.target, link.source))  # what triggers it is read because of that
    by_address = {draft.address: draft for draft in members}
    return found + [
        link
        for source, grants in granted.items()
        for target, relations in grants.items()
        if (source, target) not in said and source != target
        for link in _allowed(by_address[source], target, relations)
    ]


def _allowed(workload: Draft, target: str, relations: set[Relation]) -> list[Link]:
    """What a role lets the workload do, where nothing else of the workload mentions the target."""
    evidence = "its role allows it"
    return [
        Link(workload.address, target, relation, workload.file, workload.line, evidence, workload.scope)
        for relation in sorted(relations)
    ]


def _grants_of_roles(drafts: list[Draft], kinds: Mapping[str, str]) -> dict[str, Grants]:
    policies: dict[str, Grants] = {}
    roles: dict[str, list[Grants]] = defaultdict(list)
    for draft in drafts:
        if not draft.kind.startswith("aws.iam."):
            continue
        grants = _grants(draft, kinds)
        if draft.kind == "aws.iam.role":
            roles[draft.address].append(grants)
        elif grants:
            policies[draft.address] = grants
            for role in _holders(draft, kinds):
                roles[role].append(grants)
    for draft in drafts:
        if draft.kind in ("aws.iam.role_policy_attachment", "aws.iam.policy_attachment", "aws.iam.role"):
            attached = [policies[target] for target in _mentions(draft, kinds, "aws.iam.policy") if target in policies]
            for role in [draft.address] if draft.kind == "aws.iam.role" else _mentions(draft, kinds, "aws.iam.role"):
                roles[role] += attached
    return {role: _joined(several) for role, several in roles.items()}


def _holders(draft: Draft, kinds: Mapping[str, str]) -> list[str]:
    """The roles that a policy is for; a workload itself where its role is made with it."""
    named = draft.node.get("Roles") or draft.node.get("role")
    found = [reference.target for _, node in (named.mentions() if named is not None else ()) for reference in node.references]
    return list(
        dict.fromkeys(
            [*_mentions(draft, kinds, "aws.iam.role"), *(target for target in found if kinds.get(target) in _WORKLOADS)]
        )
    )


def _grants(draft: Draft, kinds: Mapping[str, str]) -> Grants:
    grants: Grants = defaultdict(set)
    for key, node in draft.extra.items():
        if not key.startswith("statement.") or (effect := node.get("effect")) is None or effect.string() != "Allow":
            continue
        listed, template = node.get("actions"), node.get("template")
        actions = [str(action.json()) for action in listed.items()] if listed is not None else []
        resources = node.get("resources")
        targets = {
            reference.target
            for _, below in (resources.mentions() if resources is not None else ())
            for reference in below.references
        }
        for target in targets:
            kind = kinds.get(target, "")
            grants[target] |= {relation for action in actions for relation in _direction(action, kind)}
            if template is not None and (known := _TEMPLATES.get(template.string() or "")) is not None:
                grants[target] |= known
    return dict(grants)


def _direction(action: str, kind: str) -> set[Relation]:
    """What an action lets its holder do with a resource of this kind."""
    service, _, verb = action.lower().partition(":")
    verb = verb or service
    if verb.startswith(_STREAMED):
        return set()
    if is_called(kind):
        return {Relation.INVOKES} if verb.startswith(_CALLS) else set()
    if not is_store(kind) and not kind.startswith(("aws.secretsmanager.", "aws.ssm.")):
        return set()
    found: set[Relation] = set()
    if verb.startswith(_SENDS) and not verb.startswith(("deletemessage", "createlog", "putlog")):
        found.add(Relation.PUBLISHES_TO if is_published(kind) else Relation.WRITES_TO)
    if verb.startswith(_READS):
        found.add(Relation.READS_FROM)
    return found


def _mentions(draft: Draft, kinds: Mapping[str, str], kind: str) -> list[str]:
    found = [reference.target for _, node in draft.node.mentions() for reference in node.references]
    return [target for target in dict.fromkeys(found) if kinds.get(target) == kind and target != draft.address]


def _joined(several: Iterable[Grants]) -> Grants:
    found: Grants = defaultdict(set)
    for grants in several:
        for target, relations in grants.items():
            found[target] |= relations
    return dict(found)
