"""What IAM says about a connection: a workload that may only receive from a queue does not write to it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from context_graph.manifests.node import Draft, Link
from gonogo.resource import Relation

_SENDS = ("send", "put", "publish", "update", "delete", "write", "batchwrite", "create", "start")
_READS = ("receive", "get", "query", "scan", "batchget", "read", "list", "subscribe")
_TEMPLATES = {
    "SQSSendMessagePolicy": Relation.PUBLISHES_TO,
    "SQSPollerPolicy": Relation.READS_FROM,
    "SNSPublishMessagePolicy": Relation.PUBLISHES_TO,
    "DynamoDBReadPolicy": Relation.READS_FROM,
    "DynamoDBWritePolicy": Relation.WRITES_TO,
    "S3ReadPolicy": Relation.READS_FROM,
    "S3WritePolicy": Relation.WRITES_TO,
    "KinesisStreamReadPolicy": Relation.READS_FROM,
    "EventBridgePutEventsPolicy": Relation.PUBLISHES_TO,
}
_PUBLISHED = ("aws.sqs.queue", "aws.sns.topic", "aws.events.bus", "aws.kinesis.stream")
Grants = dict[str, set[Relation]]
"""Target → what may be done with it."""


def with_directions(links: Iterable[Link], drafts: Iterable[Draft], kinds: Mapping[str, str]) -> list[Link]:
    """The links of one scope, each plain connection replaced by the directions that the workload's policies allow."""
    members = list(drafts)
    roles = _grants_of_roles(members, kinds)
    granted: dict[str, Grants] = {}
    for draft in members:
        if draft.kind in ("aws.lambda.function", "aws.ecs.task_definition"):
            own = [_grants(draft, kinds)] + [
                roles[target] for target in _mentions(draft, kinds, "aws.iam.role") if target in roles
            ]
            granted[draft.address] = _joined(own)
    found: list[Link] = []
    for link in links:
        allowed = granted.get(link.source, {}).get(link.target) if link.relation == Relation.CONNECTS_TO else None
        found += [replace(link, relation=relation) for relation in sorted(allowed)] if allowed else [link]
    return found


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
            for role in _mentions(draft, kinds, "aws.iam.role"):
                roles[role].append(grants)
    for draft in drafts:
        if draft.kind in ("aws.iam.role_policy_attachment", "aws.iam.policy_attachment", "aws.iam.role"):
            attached = [policies[target] for target in _mentions(draft, kinds, "aws.iam.policy") if target in policies]
            for role in [draft.address] if draft.kind == "aws.iam.role" else _mentions(draft, kinds, "aws.iam.role"):
                roles[role] += attached
    return {role: _joined(several) for role, several in roles.items()}


def _grants(draft: Draft, kinds: Mapping[str, str]) -> Grants:
    grants: Grants = defaultdict(set)
    for key, node in draft.extra.items():
        if not key.startswith("statement.") or (effect := node.get("effect")) is None or effect.string() != "Allow":
            continue
        listed, template = node.get("actions"), node.get("template")
        actions = [str(action.json()) for action in listed.items()] if listed is not None else []
        resources = node.get("resources")
        targets = {
            reference.target for _, below in (resources.walk() if resources is not None else ()) for reference in below.references
        }
        for target in targets:
            kind = kinds.get(target, "")
            grants[target] |= {relation for action in actions if (relation := _direction(action, kind)) is not None}
            if template is not None and (known := _TEMPLATES.get(template.string() or "")) is not None:
                grants[target].add(known)
    return dict(grants)


def _direction(action: str, kind: str) -> Relation | None:
    verb = action.lower().partition(":")[2]
    if verb.startswith(_SENDS) and not verb.startswith(("deletemessage", "createlog", "putlog")):
        return Relation.PUBLISHES_TO if kind in _PUBLISHED else Relation.WRITES_TO
    return Relation.READS_FROM if verb.startswith(_READS) and not verb.startswith(("getqueue", "listqueues")) else None


def _mentions(draft: Draft, kinds: Mapping[str, str], kind: str) -> list[str]:
    found = [reference.target for _, node in draft.node.walk() for reference in node.references]
    return [target for target in dict.fromkeys(found) if kinds.get(target) == kind and target != draft.address]


def _joined(several: Iterable[Grants]) -> Grants:
    found: Grants = defaultdict(set)
    for grants in several:
        for target, relations in grants.items():
            found[target] |= relations
    return dict(found)
