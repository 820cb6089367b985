"""Edges between AWS resources of one manifest, from what refers to what and where the reference stands."""

from collections.abc import Iterator, Mapping

from context_graph.manifests.node import Draft, Link, Node, Reference
from context_graph.normal_form import canonical
from gonogo.resource import Relation

_STORES = {
    "aws.sqs.queue", "aws.sns.topic", "aws.dynamodb.table", "aws.s3.bucket", "aws.rds.instance", "aws.rds.cluster",
    "aws.rds.proxy", "aws.elasticache.cluster", "aws.kinesis.stream", "aws.secretsmanager.secret", "aws.ssm.parameter",
    "aws.firehose.delivery_stream", "aws.opensearch.domain", "aws.events.bus",
}  # fmt: skip
_CALLED = {"aws.lambda.function", "aws.stepfunctions.state_machine", "aws.apigateway.api", "aws.elb.loadbalancer"}
_WORKLOADS = {"aws.lambda.function", "aws.ecs.task_definition", "aws.ecs.service", "aws.stepfunctions.state_machine"}
_JOINS: dict[str, tuple[tuple[str, ...], tuple[str, ...], Relation]] = {
    # kind of the joining resource: where its source stands, where its target stands, what that means
    "aws.lambda.event_source_mapping": (
        ("EventSourceArn", "queue", "stream", "source", "arn", "topics"), ("FunctionName", "function"), Relation.TRIGGERS),
    "aws.events.target": (("rule",), ("arn",), Relation.TRIGGERS),
    "aws.sns.subscription": (("TopicArn", "topic"), ("endpoint",), Relation.PUBLISHES_TO),
    "aws.lambda.permission": (("SourceArn",), ("FunctionName", "function"), Relation.TRIGGERS),
    "aws.s3.bucket_notification": (("bucket",), ("lambda_function", "queue", "topic"), Relation.TRIGGERS),
    "aws.apigateway.integration": (("RestApiId", "rest_api_id", "ApiId"), ("uri", "IntegrationUri"), Relation.ROUTES_TO),
    "aws.apigateway.method": (("RestApiId",), ("Integration",), Relation.ROUTES_TO),
    "aws.elb.listener": (("LoadBalancerArn",), ("DefaultActions", "default_action"), Relation.ROUTES_TO),
    "aws.elb.target_group_attachment": (("TargetGroupArn",), ("target_id",), Relation.ROUTES_TO),
    "aws.logs.subscription_filter": (("LogGroupName",), ("DestinationArn",), Relation.TRIGGERS),
}  # fmt: skip
_PATHS: dict[str, dict[str, tuple[Relation, bool]]] = {
    # kind: start of the path → relation and whether the reference points backwards
    "aws.events.rule": {"targets": (Relation.TRIGGERS, False)},
    "aws.scheduler.schedule": {"target": (Relation.TRIGGERS, False)},
    "aws.pipes.pipe": {"target": (Relation.TRIGGERS, False), "source": (Relation.TRIGGERS, True)},
    "aws.s3.bucket": {"notificationconfiguration": (Relation.TRIGGERS, False)},
    "aws.sns.topic": {"subscription": (Relation.PUBLISHES_TO, False)},
    "aws.ecs.service": {"loadbalancers": (Relation.ROUTES_TO, True), "loadbalancer": (Relation.ROUTES_TO, True)},
    "aws.apigateway.api": {"definitionbody": (Relation.ROUTES_TO, False), "body": (Relation.ROUTES_TO, False)},
    "aws.cloudfront.distribution": {
        "origin": (Relation.ROUTES_TO, False), "distributionconfig.origins": (Relation.ROUTES_TO, False)},
    "aws.route53.record": {
        "alias": (Relation.ROUTES_TO, False), "aliastarget": (Relation.ROUTES_TO, False), "records": (Relation.ROUTES_TO, False),
        "resourcerecords": (Relation.ROUTES_TO, False)},
    "aws.stepfunctions.state_machine": {"definition": (Relation.INVOKES, False), "definitionstring": (Relation.INVOKES, False)},
    "aws.rds.proxy_target": {"dbinstanceidentifier": (Relation.CONNECTS_TO, False)},
}  # fmt: skip
_ENVIRONMENT_PARTS = ("environment", "environmentvariables", "containerdefinitions", "secrets")


def aws_links(draft: Draft, kinds: Mapping[str, str]) -> Iterator[Link]:
    """The edges that this resource's properties declare. `kinds` maps the addresses of the scope to their kinds."""
    join = _JOINS.get(draft.kind)
    joined = list(_joined(draft, *join)) if join is not None else []
    yield from joined
    seen: set[tuple[str, str]] = set()
    for path, node in draft.node.walk():
        for reference in node.references:
            where = (reference.target, path[0] if path else "")
            if where not in seen and reference.target != draft.address and reference.target in kinds:
                seen.add(where)
                yield _link(draft, path, node, reference, kinds)


def _joined(draft: Draft, sources: tuple[str, ...], targets: tuple[str, ...], relation: Relation) -> Iterator[Link]:
    for source in _mentioned(draft.node, sources):
        for target in _mentioned(draft.node, targets):
            if source.target != target.target:
                place = draft.node.line or draft.line
                line = source.line or place
                yield Link(source.target, target.target, relation, draft.file, line, draft.address, draft.scope)


def _mentioned(node: Node, keys: tuple[str, ...]) -> list[Reference]:
    found: list[Reference] = []
    for key in keys:
        below = node.get(key)
        if below is not None:
            found += [reference for _, inner in below.walk() for reference in inner.references]
    return found


def _link(draft: Draft, path: tuple[str, ...], node: Node, reference: Reference, kinds: Mapping[str, str]) -> Link:
    relation, is_backwards = _relation(draft, path, kinds[reference.target])
    source, target = (reference.target, draft.address) if is_backwards else (draft.address, reference.target)
    line = node.line if node.file in (None, draft.file) else draft.line
    evidence = f"{path[-1]} = {node.text}" if path else node.text
    return Link(source, target, relation, draft.file, line, evidence[:200], draft.scope)


def _relation(draft: Draft, path: tuple[str, ...], target_kind: str) -> tuple[Relation, bool]:
    whole = ".".join(canonical(part) for part in path)
    for start, found in _PATHS.get(draft.kind, {}).items():
        if whole == start or whole.startswith(start + "."):
            return found
    parts = whole.split(".")
    if draft.kind in _WORKLOADS and parts and parts[0] in _ENVIRONMENT_PARTS:
        if target_kind == "aws.sns.topic":
            return Relation.PUBLISHES_TO, False
        if target_kind in _STORES:
            return Relation.CONNECTS_TO, False
        if target_kind in _CALLED:
            return Relation.INVOKES, False
    if draft.kind == "aws.lambda.function" and parts[0] in ("policies", "deadletterqueue", "deadletterconfig"):
        return (Relation.CONNECTS_TO if target_kind in _STORES and parts[0] == "policies" else Relation.DEPENDS_ON), False
    return Relation.DEPENDS_ON, False
