"""Resource blocks of an instance → drafts: one a block, one an element where `for_each` is known."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from context_graph.manifests.kinds import terraform_kind
from context_graph.manifests.node import Draft, Node
from context_graph.manifests.terraform.expressions import pairs
from context_graph.manifests.terraform.module import Instance, block_node
from context_graph.manifests.terraform.syntax import Block

MAX_ELEMENTS = 60
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
    "lambda": "aws.lambda.function",
    "sqs": "aws.sqs.queue",
    "sns": "aws.sns.topic",
    "rds": "aws.rds.instance",
    "rds-aurora": "aws.rds.cluster",
    "dynamodb-table": "aws.dynamodb.table",
    "s3-bucket": "aws.s3.bucket",
    "alb": "aws.elb.loadbalancer",
    "security-group": "aws.ec2.security_group",
    "elasticache": "aws.elasticache.cluster",
}


def drafts_of(instance: Instance, *, scope: str, environment: str | None) -> Iterator[Draft]:
    """Every resource block of the instance; a block is never dropped, whatever its count is."""
    for address, block in instance.definition.resources.items():
        for key, loop, is_conditional in elements(block, instance):
            node = block_node(block, instance, loop)
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


def opaque_module(instance: Instance, name: str, *, scope: str, environment: str | None) -> Draft:
    """A call of a module that is not in the tree: one node with its arguments, so that it is seen at all."""
    block = instance.definition.modules[name]
    node = block_node(block, instance, {})
    source_node = node.get("source")
    source = (source_node.string() if source_node is not None else None) or ""
    parts = source.partition("//")[0].split("/")
    kind = (
        _COMMUNITY.get(parts[1], "terraform.module")
        if parts[0] == "terraform-aws-modules" and len(parts) > 1
        else "terraform.module"
    )
    entries = dict(node.entries())
    if kind == "aws.ecs.service":
        entries.pop("source", None)
    named = next(
        (n for key in ("function_name", "identifier", "bucket", "name") if key in entries and (n := entries[key].string())), None
    )
    return Draft(
        kind=kind,
        address=f"{instance.prefix}module.{name}",
        file=block.file,
        line=block.line,
        end_line=block.end_line,
        node=replace(node, value=entries),
        name=named,
        is_conditional="count" in entries or "for_each" in entries,
        environment=environment,
        scope=scope,
        ready=("providers", "depends_on", "for_each"),
    )


def elements(block: Block, instance: Instance) -> list[tuple[str, Mapping[str, Node], bool]]:
    """(index in the address, loop variables, conditional) of each element that the block stands for."""
    unknown = Node(None, block.line, is_known=False)
    each, count = block.attributes.get("for_each"), block.attributes.get("count")
    if each is not None:
        source = instance.evaluation(block.file).value(each.expression)
        items = pairs(source)
        if items is not None and 0 < len(items) <= MAX_ELEMENTS:
            is_set = isinstance(source.value, list)
            keyed = [(value if is_set else key, value) for key, value in items]
            if all(key.string() is not None for key, _ in keyed):
                return [
                    (f'["{key.string()}"]', {"each": Node({"key": key, "value": value}, block.line)}, False)
                    for key, value in keyed
                ]
        return [("", {"each": replace(unknown, references=source.references)}, True)]
    if count is not None:
        number = instance.evaluation(block.file).value(count.expression)
        is_literal = count.expression.text.strip().isdigit() and number.number() not in (None, 0)
        index = Node(0, block.line) if number.number() == 1 else unknown
        return [("", {"count": Node({"index": index}, block.line)}, not is_literal)]
    return [("", {}, False)]


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
