"""Which live resource a declaration is: by kind and explicit physical name, where that is unique. Shared words join nothing."""

from collections.abc import Collection, Mapping, Sequence

from context_graph.cloudflare_ids import account_of, accounts_of_files, ids_of, may_be
from gonogo.ports import Graph
from gonogo.resource import Declared
from gonogo.word import ResourceId

_FAMILIES: Mapping[str, tuple[str, ...]] = {
    "aws.apigateway.rest_api": ("aws.apigateway.api",),
    "aws.apigatewayv2.api": ("aws.apigateway.api",),
    "aws.elasticache.replication_group": ("aws.elasticache.cluster",),
    "aws.rds.cluster": ("aws.rds.instance", "aws.rds.cluster"),
    "aws.rds.cluster_instance": ("aws.rds.instance",),
    "cloudflare.d1.database": ("cloudflare.d1_database",),
    "cloudflare.durable_object": ("cloudflare.durable_object_namespace",),
    "cloudflare.r2.bucket": ("cloudflare.r2_bucket",),
    "google.cloud.run_v2_service": ("gcp.run.service", "gcp.cloudrun.service"),
    "google.cloud.run_service": ("gcp.run.service", "gcp.cloudrun.service"),
    "google.cloud.run_v2_job": ("gcp.run.job", "gcp.cloudrun.job"),
    "google.sql.database_instance": ("gcp.sql.instance", "gcp.cloudsql.instance"),
    "google.redis.instance": ("gcp.memorystore.instance", "gcp.memorystore.redis"),
    "google.pubsub.topic": ("gcp.pubsub.topic",),
    "google.pubsub.subscription": ("gcp.pubsub.subscription",),
    "google.storage.bucket": ("gcp.storage.bucket",),
    "azure.container.app": ("azure.app.container_app", "azure.app.container"),
    "azure.linux.web_app": ("azure.app.service", "azure.app.web"),
    "azure.linux.function_app": ("azure.app.function",),
    "azure.servicebus.queue": ("azure.servicebus.queue",),
    "kubernetes.service": ("gcp.run.service", "gcp.cloudrun.service"),
}
"""Declared kinds that a live registry lists under another kind as well."""


def join_live(declared: Sequence[Declared], graph: Graph, deploys_to: Collection[ResourceId]) -> dict[str, ResourceId]:
    """Key of a declaration (`kind|address|environment`) → live id.

    Cloudflare's own id in a binding settles it. An explicit name must be unique among the resources of its kind, or among
    those that this repository deploys to. A declaration without a name is joined only when it is the one of its kind and the
    repository deploys to just one.
    """
    joined: dict[str, ResourceId] = {}
    explicit = [one for one in declared if one.name is not None]
    named = graph.named({kind for one in explicit for kind in _live_kinds(one.kind)}, {one.name or "" for one in explicit})
    alike: dict[tuple[str, str], list[ResourceId]] = {}
    for resource, found in named.items():
        alike.setdefault(found, []).append(resource)
    kinds = graph.kinds_of(deploys_to)
    accounts = accounts_of_files(declared)
    nameless: dict[str, dict[str, Declared]] = {}
    for one in declared:
        if one.name is None:
            nameless.setdefault(one.kind, {})[_key(one)] = one
            continue
        same = [r for kind in _live_kinds(one.kind) for r in alike.get((kind, one.name), ()) if _same_place(one, r, accounts)]
        mine = [r for r in same if r in deploys_to]
        if len(same) == 1 or len(mine) == 1:
            joined[_key(one)] = mine[0] if len(mine) == 1 else same[0]
    joined |= _by_id(declared, graph, accounts, {account_of(at) for at in (*joined.values(), *deploys_to)})
    for kind, keys in nameless.items():
        mine = [r for r in deploys_to if kinds.get(r, ("", ""))[0] == kind and r not in joined.values()]
        if len(keys) == 1 and len(mine) == 1 and all(_same_place(one, mine[0], accounts) for one in keys.values()):
            joined.setdefault(next(iter(keys)), mine[0])
    return joined


def _key(declared: Declared) -> str:
    return f"{declared.kind}|{declared.address}|{declared.environment or ''}"


def _live_kinds(kind: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((kind, *_FAMILIES.get(kind, ()))))


def _by_id(
    declared: Sequence[Declared], graph: Graph, accounts: Mapping[str, frozenset[str]], near: Collection[str]
) -> dict[str, ResourceId]:
    """What holds Cloudflare's own id: in the account that its file names, else in those of what is known to be the repository's."""
    wanted = {_key(one): ids_of(one, accounts.get(one.file, [at for at in near if at])) for one in declared}
    known = graph.kinds_of([at for ids in wanted.values() for at in ids])
    return {key: found[0] for key, ids in wanted.items() if len(found := [at for at in ids if at in known]) == 1}


def _same_place(declared: Declared, resource: ResourceId, accounts: Mapping[str, frozenset[str]]) -> bool:
    return _same_namespace(declared, resource) and may_be(declared, resource, accounts.get(declared.file, frozenset()))


def _same_namespace(declared: Declared, resource: str) -> bool:
    if declared.kind.startswith("kubernetes."):  # kubernetes:<cluster>/<namespace>/<kind>/<name>
        namespace = declared.settings.get("namespace")
        parts = resource.rpartition(":")[2].split("/")
        return namespace is None or namespace.value is None or len(parts) < 4 or parts[-3] == namespace.value
    return True
