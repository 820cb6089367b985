"""CloudFormation and SAM templates, YAML or JSON: resources with resolved intrinsics, and what SAM makes of its shorthand."""

from dataclasses import replace

from context_graph.manifests.for_each import written_out
from context_graph.manifests.intrinsics import Intrinsics
from context_graph.manifests.kinds import cloudformation_kind
from context_graph.manifests.node import Draft, Link, Node, Reading, Stack
from context_graph.manifests.production_stage import LAPTOP_STAGES, names_the_stage, production_among
from context_graph.manifests.sam import Shared, expand_sam, implicit_apis, shared_of
from context_graph.manifests.sam_connectors import connector_links
from context_graph.manifests.sam_ids import generated_ids
from context_graph.manifests.stacks import nested_stack, outputs_of
from context_graph.manifests.yaml_source import truth
from gonogo.resource import Relation

_NAMES = {
    "DBInstance": "DBInstanceIdentifier",
    "DBCluster": "DBClusterIdentifier",
    "TaskDefinition": "Family",
    "SecurityGroup": "GroupName",
    "ReplicationGroup": "ReplicationGroupId",
    "CacheCluster": "ClusterName",
    "Policy": "PolicyName",
    "SimpleTable": "TableName",
    "GlobalTable": "TableName",
    "Domain": "DomainName",
}
"""Types whose name does not stand under `<Type>Name` or `Name`."""


def is_template(root: Node) -> bool:
    """True when the document is a template: a format version or transform, or resources with AWS types."""
    entries = root.entries()
    resources = entries.get("Resources")
    if resources is None or not resources.entries():
        return False
    if "AWSTemplateFormatVersion" in entries or "Transform" in entries:
        return True
    return any("::" in ((t.string() if (t := r.get("Type")) else None) or "") for r in resources.entries().values())


def read_template(root: Node, file: str) -> Reading:
    """Everything that the template declares."""
    return read_resources(root, file, prefix="Resources.")


def read_resources(root: Node, file: str, *, prefix: str) -> Reading:
    """The resources of a template, their addresses beginning with `prefix`."""
    reading = Reading()
    listed = root.get("Resources")
    parameters = _defaults(root)
    written = written_out(listed.entries(), parameters) if listed is not None else {}
    entries = {k: v for k, v in written.items() if v.get("Type") is not None}
    globals_ = root.get("Globals")
    sections = globals_.entries() if globals_ is not None else {}
    intrinsics = Intrinsics(
        resources=generated_ids(entries, sections, prefix) | {logical: prefix + logical for logical in entries},
        parameters=parameters,
        mappings=root.get("Mappings"),
    )
    shared = Shared(shared_of(root, intrinsics), prefix=prefix)
    stack = _stack(root, file, intrinsics)
    for logical, entry in entries.items():
        draft = _draft(logical, entry, file=file, prefix=prefix, intrinsics=intrinsics)
        if draft is None:
            reading.not_read.append((file, entry.line, f"resource {logical} has no Type that is text"))
            continue
        reading.drafts += [draft, *expand_sam(draft, entry, shared)]
        nested = nested_stack(_type_of(entry), draft.node)
        if nested is not None:
            stack.nested[draft.address] = nested
        after = entry.entries().get("DependsOn")
        reading.links += _ordered(draft, after, entries, prefix) if after is not None else []
    reading.drafts += implicit_apis(reading.drafts, shared)
    kinds = {logical: cloudformation_kind(_type_of(entry)) for logical, entry in entries.items()}
    reading.links += connector_links(entries, kinds, file=file, prefix=prefix)
    reading.stacks.append(stack)
    return reading


def _stack(root: Node, file: str, intrinsics: Intrinsics) -> Stack:
    """What other templates may take from this one, and what this one takes from SSM."""
    outputs = root.get("Outputs")
    written_outputs = written_out(outputs.entries(), _defaults(root)) if outputs is not None else {}
    resolved = {name: intrinsics.resolve(node) for name, node in written_outputs.items()}
    stack = Stack(file)
    stack.outputs, stack.exports = outputs_of(resolved)
    parameters = root.get("Parameters")
    for name, parameter in (parameters.entries() if parameters is not None else {}).items():
        default, type_node = parameter.get("Default"), parameter.get("Type")
        written = default.string() if default is not None else None
        if type_node is not None and "AWS::SSM::" in (type_node.string() or ""):
            stack.ssm_paths[name] = written or ""
        elif written is not None:
            stack.defaults[name] = written
    return stack


def _ordered(draft: Draft, after: Node, entries: dict[str, Node], prefix: str) -> list[Link]:
    """`DependsOn`."""
    found: list[Link] = []
    for item in after.items():
        name = item.string()
        if name is not None and name in entries:
            line = item.line
            found.append(
                Link(draft.address, prefix + name, Relation.DEPENDS_ON, draft.file, line, f"DependsOn {name}", draft.scope)
            )
    return found


def _type_of(entry: Node) -> str:
    type_node = entry.get("Type")
    return (type_node.string() if type_node is not None else None) or ""


def _draft(logical: str, entry: Node, *, file: str, prefix: str, intrinsics: Intrinsics) -> Draft | None:
    type_node = entry.get("Type")
    resource_type = type_node.string() if type_node is not None else None
    if resource_type is None:
        return None
    written = entry.entries().get("Properties")
    properties = intrinsics.resolve(written) if written is not None else Node({}, entry.line)
    if not properties.entries():
        properties = replace(properties, value={})
    extra = {k: intrinsics.resolve(v) for k in _POLICIES if (v := entry.entries().get(k)) is not None}
    return Draft(
        kind=cloudformation_kind(resource_type),
        address=prefix + logical,
        file=file,
        line=entry.line,
        end_line=entry.end_line,
        node=properties,
        name=physical_name(resource_type, properties),
        is_conditional="Condition" in entry.entries(),
        scope=file,
        extra={_POLICIES[key]: node for key, node in extra.items()}
        | {"type": Node(resource_type, entry.line, text=resource_type)}
        if cloudformation_kind(resource_type) not in _HAVE_A_TYPE
        else {_POLICIES[key]: node for key, node in extra.items()},
    )


_POLICIES = {"DeletionPolicy": "deletion_policy", "UpdateReplacePolicy": "update_replace_policy", "Condition": "condition"}
_HAVE_A_TYPE = {"aws.route53.record", "aws.elb.loadbalancer", "aws.ssm.parameter"}


def physical_name(resource_type: str, properties: Node) -> str | None:
    """The explicit name among the properties, or None."""
    last = resource_type.rpartition("::")[2]
    entries = properties.entries()
    for key in (_NAMES.get(last, f"{last}Name"), "Name"):
        if key in entries and (name := entries[key].string()):
            return name
    return None


def _defaults(root: Node) -> dict[str, Node | None]:
    """Parameter → its default; of a stage that is a developer's by default, what production is called in this template."""
    parameters, mappings = root.get("Parameters"), root.get("Mappings")
    keys = [key for one in (mappings.entries().values() if mappings is not None else ()) for key in one.entries()]
    found: dict[str, Node | None] = {}
    for name, parameter in (parameters.entries() if parameters is not None else {}).items():
        secret = truth(parameter.get("NoEcho")) or (parameter.get("NoEcho") or Node(None, 0)).string() == "true"
        type_node = parameter.get("Type")
        is_lookup = "AWS::SSM::" in ((type_node.string() if type_node is not None else None) or "")
        default, allowed = parameter.get("Default"), parameter.get("AllowedValues")
        if names_the_stage(name) and (default is None or default.string() in LAPTOP_STAGES):
            stage = production_among([*(v.string() or "" for v in (allowed.items() if allowed is not None else ())), *keys])
            default = Node(stage, parameter.line, text=stage) if stage else default
        found[name] = None if secret or is_lookup else default
    return found
