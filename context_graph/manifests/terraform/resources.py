"""Resource blocks of an instance → drafts: one a block, one an element where `for_each` is known."""

from collections.abc import Iterator
from dataclasses import replace

from context_graph.manifests.kinds import terraform_kind
from context_graph.manifests.node import Draft, Node
from context_graph.manifests.terraform.elements import MAX_ELEMENTS, elements
from context_graph.manifests.terraform.module import Instance, block_node
from context_graph.manifests.terraform.syntax import Block

_NAMES: dict[str, tuple[str, ...]] = {
    "aws_lambda_function": ("function_name",),
    "aws_db_instance": ("identifier",),
    "aws_rds_cluster": ("cluster_identifier",),
    "aws_rds_cluster_instance": ("identifier",),
    "aws_s3_bucket": ("bucket",),
    "aws_ecs_task_definition": ("family",),
    "aws_elasticache_cluster": ("cluster_id",),
    "aws_elasticache_replication_group": ("replication_group_id",),
    "aws_cloudwatch_metric_alarm": ("alarm_name",),
    "aws_dynamodb_table": ("name",),
    "aws_opensearch_domain": ("domain_name",),
    "cloudflare_workers_script": ("script_name", "name"),
    "cloudflare_queue": ("queue_name", "name"),
    "cloudflare_workers_kv_namespace": ("title",),
}
_META = ("count", "for_each", "provider", "depends_on")
_UNNAMED = {"aws_security_group_rule", "aws_lambda_permission", "aws_lambda_event_source_mapping", "aws_iam_role_policy"}
_COMMUNITY = {
    "lambda": "aws.lambda.function", "sqs": "aws.sqs.queue", "sns": "aws.sns.topic", "rds": "aws.rds.instance",
    "rds-aurora": "aws.rds.cluster", "rds-proxy": "aws.rds.proxy", "dynamodb-table": "aws.dynamodb.table",
    "s3-bucket": "aws.s3.bucket", "alb": "aws.elb.loadbalancer", "elb": "aws.elb.classic_loadbalancer",
    "security-group": "aws.ec2.security_group", "elasticache": "aws.elasticache.cluster", "opensearch": "aws.opensearch.domain",
    "msk-kafka-cluster": "aws.msk.cluster", "apigateway-v2": "aws.apigateway.api",
    "step-functions": "aws.stepfunctions.state_machine", "cloudfront": "aws.cloudfront.distribution", "efs": "aws.efs.file_system",
    "memory-db": "aws.memorydb.cluster", "redshift": "aws.redshift.cluster", "appsync": "aws.appsync.api",
    "secrets-manager": "aws.secretsmanager.secret", "ssm-parameter": "aws.ssm.parameter",
    # cloudposse
    "lambda-function": "aws.lambda.function", "elasticache-redis": "aws.elasticache.cluster",
    "elasticache-memcached": "aws.elasticache.cluster", "rds-cluster": "aws.rds.cluster", "dynamodb": "aws.dynamodb.table",
    "sns-topic": "aws.sns.topic", "sqs-queue": "aws.sqs.queue", "documentdb-cluster": "aws.docdb.cluster",
    "mq-broker": "aws.mq.broker", "msk-apache-kafka-cluster": "aws.msk.cluster", "elasticsearch": "aws.opensearch.domain",
    "cloudfront-s3-cdn": "aws.cloudfront.distribution",
}  # fmt: skip
"""What the modules of `terraform-aws-modules` and `cloudposse` are there to make, where a workload may use it by name."""
_COMMUNITIES = {"terraform-aws-modules", "cloudposse"}


def drafts_of(instance: Instance, *, scope: str, environment: str | None) -> Iterator[Draft]:
    """Every resource block of the instance; a block is never dropped, whatever its count is."""
    for address, block in instance.definition.resources.items():
        for key, loop, is_conditional in elements(block, instance):
            node = block_node(block, instance, loop)
            node = node.without("for_each") if key else node
            draft = Draft(
                kind=terraform_kind(block.labels[0]),
                address=f"{instance.prefix}{address}{key}",
                file=block.file,
                line=block.line,
                end_line=block.end_line,
                node=node,
                name=physical_name(block.labels[0], node),
                is_conditional=is_conditional,
                environment=environment,
                scope=scope,
                ready=_META,
            )
            count = node.entries().get("count")
            if count is not None:
                draft.extra["count"] = count
                names = _counted_names(block, instance, count)
                if names is not None:
                    draft.extra["count_names"] = names
            if key:
                draft.extra["for_each_key"] = Node(key[2:-2], block.line)
            yield draft


def _counted_names(block: Block, instance: Instance, count: Node) -> Node | None:
    """The explicit physical names of the copies that a known `count` makes, in the order of their index."""
    number = count.number()
    if number is None or not 1 <= number <= MAX_ELEMENTS:
        return None
    loops = [{"count": Node({"index": Node(i, block.line)}, block.line)} for i in range(int(number))]
    names = [physical_name(block.labels[0], block_node(block, instance, loop)) for loop in loops]
    return Node([Node(name, block.line) for name in names], block.line) if all(names) else None


def opaque_modules(instance: Instance, name: str, *, scope: str, environment: str | None) -> Iterator[Draft]:
    """A call of a module that is not in the tree: its arguments, so that it is seen at all; one an element of `for_each`."""
    block = instance.definition.modules[name]
    for key, loop, is_conditional in elements(block, instance):
        node = block_node(block, instance, loop)
        node = node.without("for_each") if key else node
        source_node = node.get("source")
        source = (source_node.string() if source_node is not None else None) or ""
        parts = source.partition("//")[0].split("/")
        is_aws = len(parts) == 3 and parts[0] in _COMMUNITIES and parts[2] == "aws"
        entries = dict(node.entries())
        names = (n for k in ("function_name", "identifier", "bucket", "name") if k in entries and (n := entries[k].string()))
        draft = Draft(
            kind=_COMMUNITY.get(parts[1], "terraform.module") if is_aws else "terraform.module",
            address=f"{instance.prefix}module.{name}{key}",
            file=block.file,
            line=block.line,
            end_line=block.end_line,
            node=replace(node, value=entries),
            name=next(names, None),
            is_conditional=is_conditional,
            environment=environment,
            scope=scope,
            ready=("providers", "depends_on", "for_each"),
        )
        if key:
            draft.extra["for_each_key"] = Node(key[2:-2], block.line)
        yield draft


def physical_name(resource_type: str, node: Node) -> str | None:
    """The explicit name that a resource of this type is given, or None."""
    if resource_type in _UNNAMED:
        return None
    for key in _NAMES.get(resource_type, ("name",)):
        found = node.entries().get(key)
        if found is not None and (name := found.string()):
            return name
    metadata = node.get("metadata", "name") if resource_type.startswith("kubernetes_") else None
    return metadata.string() if metadata is not None else None
