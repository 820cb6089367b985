"""Edges between cloud resources of one manifest, from what refers to what and where the reference stands."""

from collections.abc import Iterator, Mapping

from context_graph.manifests.node import Draft, Link, Node, Reference
from context_graph.manifests.relations import joined_relation, relation_of
from context_graph.normal_form import canonical
from gonogo.resource import Relation

_JOINS: dict[str, tuple[tuple[str, ...], tuple[str, ...], Relation]] = {
    # kind of the joining resource: where its source stands, where its target stands, what that means
    "aws.lambda.event_source_mapping": (
        ("EventSourceArn", "queue", "stream", "broker", "cluster", "source", "arn", "topics"), ("FunctionName", "function"), Relation.TRIGGERS),
    "aws.events.target": (("rule",), ("arn", "ecs_target"), Relation.TRIGGERS),
    "aws.apigateway.authorizer": (("RestApiId", "ApiId"), ("AuthorizerUri",), Relation.INVOKES),
    "aws.secretsmanager.rotation_schedule": (("SecretId",), ("RotationLambdaARN",), Relation.TRIGGERS),
    "aws.secretsmanager.secret_rotation": (("SecretId",), ("RotationLambdaARN",), Relation.TRIGGERS),
    "aws.dynamodb.kinesis_streaming_destination": (("TableName",), ("StreamArn",), Relation.PUBLISHES_TO),
    "aws.rds.proxy_target": (("DBProxyName",), ("DBInstanceIdentifier", "DBClusterIdentifier"), Relation.CONNECTS_TO),
    "aws.rds.db_proxy_target_group": (("DBProxyName",), ("DBInstanceIdentifiers", "DBClusterIdentifiers"), Relation.CONNECTS_TO),
    "aws.sns.subscription": (("TopicArn", "topic"), ("endpoint",), Relation.PUBLISHES_TO),
    "aws.lambda.event_invoke_config": (("FunctionName",), ("DestinationConfig",), Relation.PUBLISHES_TO),
    "aws.lambda.permission": (("SourceArn",), ("FunctionName", "function"), Relation.TRIGGERS),
    "aws.lambda.s3_event": (("bucket",), ("Function", "FunctionName"), Relation.TRIGGERS),
    "aws.lambda.cognito_event": (("UserPool", "pool"), ("Function", "FunctionName"), Relation.TRIGGERS),
    "aws.lambda.cloudwatchlogs_event": (("LogGroupName",), ("Function", "FunctionName"), Relation.TRIGGERS),
    "aws.lambda.iotrule_event": ((), ("Function", "FunctionName"), Relation.TRIGGERS),
    "aws.s3.bucket_notification": (("bucket",), ("lambda_function", "queue", "topic"), Relation.TRIGGERS),
    "aws.apigateway.integration": (("RestApiId", "rest_api_id", "ApiId"), ("uri", "IntegrationUri"), Relation.ROUTES_TO),
    "aws.apigateway.method": (("RestApiId",), ("Integration",), Relation.ROUTES_TO),
    "aws.apigateway.route": (("RestApiId", "ApiId"), ("Function", "FunctionName"), Relation.ROUTES_TO),
    "aws.elb.listener": (("LoadBalancerArn",), ("DefaultActions", "default_action"), Relation.ROUTES_TO),
    "aws.elb.listener_rule": (("ListenerArn",), ("Actions", "action", "Function", "FunctionName"), Relation.ROUTES_TO),
    "aws.elb.target_group_attachment": (("TargetGroupArn",), ("target_id",), Relation.ROUTES_TO),
    "aws.autoscaling.attachment": (("lb_target_group_arn", "alb_target_group_arn"), ("autoscaling_group_name",), Relation.ROUTES_TO),
    "aws.logs.subscription_filter": (("LogGroupName",), ("DestinationArn",), Relation.TRIGGERS),
}  # fmt: skip


_FAILURES = (("FunctionName", "function"), ("DestinationConfig",), Relation.PUBLISHES_TO)
"""Where a function that reads a source puts what it could not work on."""


def aws_links(draft: Draft, kinds: Mapping[str, str]) -> Iterator[Link]:
    """The edges that this resource's properties declare. `kinds` maps the addresses of the scope to their kinds.

    What a part (an event of a function) refers to and does not join, its owner refers to as well.
    """
    join = _JOINS.get(draft.kind)
    joined = list(_joined(draft, *join, kinds)) if join is not None else []
    if draft.kind == "aws.lambda.event_source_mapping":
        joined += _joined(draft, *_FAILURES, kinds)
    yield from joined
    used = {link.source for link in joined} | {link.target for link in joined}
    owner = draft.part_of or draft.address
    seen: set[tuple[str, str]] = set()
    for path, node in draft.node.mentions():
        for reference in node.references:
            where = (reference.target, path[0] if path else "")
            if where in seen or reference.target in (draft.address, owner) or reference.target not in kinds:
                continue
            seen.add(where)
            yield _link(draft, path, node, reference, kinds)
            if draft.part_of and reference.target not in used:
                yield _of_owner(draft, path, node, reference)


def _joined(
    draft: Draft, sources: tuple[str, ...], targets: tuple[str, ...], relation: Relation, kinds: Mapping[str, str]
) -> Iterator[Link]:
    for source in _mentioned(draft.node, sources):
        for target in _mentioned(draft.node, targets):
            if source.target != target.target and source.target in kinds and _can_take(draft.kind, kinds.get(target.target)):
                place = draft.node.line or draft.line
                line = source.line or place
                meant = joined_relation(kinds.get(source.target, ""), kinds.get(target.target, ""), relation)
                yield Link(source.target, target.target, meant, draft.file, line, draft.address, draft.scope)


def _can_take(kind: str, target_kind: str | None) -> bool:
    """A listener's actions also name who signs people in; only target groups and functions take what it forwards."""
    if target_kind == "aws.cloudformation.stack":
        return False  # it is what its output stands for
    if kind == "aws.events.target" and target_kind is not None and target_kind.startswith(("aws.iam.", "aws.ec2.")):
        return False  # what a task runs in and as
    if target_kind is None or not kind.startswith("aws.elb.listener"):
        return target_kind is not None
    return target_kind in ("aws.elb.target_group", "aws.lambda.function")


def _mentioned(node: Node, keys: tuple[str, ...]) -> list[Reference]:
    found: list[Reference] = []
    for key in keys:
        below = node.get(key)
        if below is not None:
            found += [
                reference
                for path, inner in below.mentions()
                if not any(canonical(part).startswith("deadletter") for part in path)
                for reference in inner.references
            ]
    return found


def _link(draft: Draft, path: tuple[str, ...], node: Node, reference: Reference, kinds: Mapping[str, str]) -> Link:
    relation, is_backwards = relation_of(draft.kind, path, kinds[reference.target])
    source, target = (reference.target, draft.address) if is_backwards else (draft.address, reference.target)
    return Link(source, target, relation, draft.file, _line(draft, node), _evidence(path, node), draft.scope)


def _of_owner(draft: Draft, path: tuple[str, ...], node: Node, reference: Reference) -> Link:
    line = _line(draft, node)
    return Link(draft.part_of, reference.target, Relation.DEPENDS_ON, draft.file, line, _evidence(path, node), draft.scope)


def _line(draft: Draft, node: Node) -> int:
    return node.line if node.file in (None, draft.file) else draft.line


def _evidence(path: tuple[str, ...], node: Node) -> str:
    return (f"{path[-1]} = {node.text}" if path else node.text)[:200]
