"""Which live resource a changed declaration governs: itself, or what it scales, runs, configures or starts."""

from collections.abc import Iterator

from bot.investigator.case import Case
from gonogo.resource import Declared, Relation, Resource

_GOVERNED: dict[str, tuple[str, ...]] = {
    "kubernetes.horizontalpodautoscaler": ("kubernetes.deployment", "kubernetes.statefulset", "kubernetes.rollout"),
    "kubernetes.scaledobject": ("kubernetes.deployment", "kubernetes.statefulset"),
    "kubernetes.poddisruptionbudget": ("kubernetes.deployment", "kubernetes.statefulset"),
    "aws.autoscaling.target": ("aws.ecs.service", "aws.dynamodb.table", "aws.lambda.function", "aws.rds.cluster"),
    "aws.ecs.task_definition": ("aws.ecs.service",),
    "aws.elasticache.parameter_group": ("aws.elasticache.cluster",),
    "aws.rds.parameter_group": ("aws.rds.instance",),
    "aws.rds.cluster_parameter_group": ("aws.rds.cluster", "aws.rds.instance"),
    "aws.rds.cluster_instance": ("aws.rds.instance", "aws.rds.cluster"),
    "aws.elb.target_group": ("aws.ecs.service", "kubernetes.deployment", "aws.autoscaling.group", "aws.elb.loadbalancer"),
    "aws.events.rule": ("aws.lambda.function", "aws.ecs.service", "aws.stepfunctions.state_machine"),
    "aws.scheduler.schedule": ("aws.lambda.function", "aws.ecs.service", "aws.stepfunctions.state_machine"),
    "aws.lambda.schedule_event": ("aws.lambda.function",),
    "aws.cloudfront.cache_policy": ("aws.cloudfront.distribution",),
    "aws.apigateway.stage": ("aws.apigateway.api",),
    "aws.dynamodb.index": ("aws.dynamodb.table",),
    "helm.release": ("kubernetes.deployment", "kubernetes.statefulset", "kubernetes.cronjob"),
    "kustomize.overlay": ("kubernetes.deployment", "kubernetes.statefulset", "kubernetes.cronjob"),
    "compose.service": ("host", "docker", "compose", "aws.ecs.service"),
}
"""Declared kinds that are not themselves what degrades → the live kinds that are."""


def governed(case: Case, declared: Declared, *, about: str = "") -> Resource | None:
    """The one live resource whose behaviour the declaration sets; None when several or none could be meant.

    `about` is the name of the workload where the setting itself says it.
    """
    kinds = _GOVERNED.get(declared.kind)
    if kinds is None:
        own = case.diff.live_of(declared)
        if own is not None:
            return case.production.resource(own)
        return _by_name(case, (declared.kind,), declared.name, _namespace(declared)) or _only(case, (declared.kind,))
    names = [about, _text(declared, "target"), declared.name or ""]
    joined = {r.id: r for other in related(case, declared) if (r := case.live_of(other)) is not None and r.kind.startswith(kinds)}
    if len(joined) == 1:
        return next(iter(joined.values()))
    wanted = _text(declared, "resource_id")
    for name in [wanted.rpartition("/")[2] if "/" in wanted else wanted, *names]:
        found = _by_name(case, kinds, name, _namespace(declared)) if name else None
        if found is not None:
            return found
    return _only(case, kinds)


def governor(case: Case, declared: Declared, workload: Resource) -> Resource | None:
    """The live autoscaler of a workload: the declaration's own, else one with an edge to it."""
    own = case.diff.live_of(declared)
    found = case.production.resource(own) if own is not None and own != workload.id else None
    if found is not None:
        return found
    for edge in case.into(workload.id):
        other = case.production.resource(edge.source)
        if other is not None and "autoscal" in other.kind:
            return other
    return None


def related(case: Case, declared: Declared) -> Iterator[Declared]:
    """Declarations one step away, in either direction, on the head side."""
    side = case.diff.declared["head"]
    ends = {
        e.target if e.source == declared.address else e.source for e in side.edges if declared.address in (e.source, e.target)
    }
    yield from (d for d in side.resources if d.address in ends)


def downstream(case: Case, resource: str) -> tuple[Resource, ...]:
    """What a resource works on: live targets of its reads, writes and calls that were read."""
    wanted = (Relation.READS_FROM, Relation.WRITES_TO, Relation.CONNECTS_TO, Relation.INVOKES)
    found = {e.target: r for e in case.out_of(resource, *wanted) if (r := case.production.resource(e.target)) is not None}
    return tuple(found.values())


def _by_name(case: Case, kinds: tuple[str, ...], name: str | None, namespace: str | None) -> Resource | None:
    if not name:
        return None
    same = [
        r
        for a in case.affected
        if a.kind.startswith(kinds) and (r := case.production.resource(a.resource)) is not None and r.name == name
    ]
    if len(same) > 1 and namespace:
        same = [r for r in same if f"/{namespace}/" in r.id]
    return same[0] if len(same) == 1 else None


def _only(case: Case, kinds: tuple[str, ...]) -> Resource | None:
    """The one resource of these kinds that the repository deploys to, when it deploys nothing else of the sort."""
    mine = {e.target for e in case.out_of(case.repository, Relation.DEPLOYS_TO)}
    found = [r for r in case.deployed() if r.kind.startswith(kinds) and r.id in mine]
    declared = [d for d in case.diff.declared["head"].resources if d.kind.startswith(kinds)]
    named = {d.name for d in declared if d.name is not None}
    return found[0] if len(found) == 1 and (not named or found[0].name in named) else None


def _namespace(declared: Declared) -> str | None:
    found = declared.settings.get("namespace")
    return str(found.value) if found is not None and isinstance(found.value, str) else None


def _text(declared: Declared, key: str) -> str:
    found = declared.settings.get(key)
    return found.value if found is not None and isinstance(found.value, str) else ""
