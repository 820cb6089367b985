"""Amazon ElastiCache: replication groups as one resource each, clusters of their own, serverless caches."""

from collections.abc import Iterator, Mapping
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, dig
from gonogo.resource import Relation

SERVICE = "elasticache"
PERMISSIONS = (
    "elasticache:DescribeCacheClusters",
    "elasticache:DescribeReplicationGroups",
    "elasticache:DescribeServerlessCaches",
)

_GROUP = (
    "ReplicationGroupId Description Status AutomaticFailover MultiAZ ClusterEnabled CacheNodeType SnapshotRetentionLimit"
    " TransitEncryptionEnabled AtRestEncryptionEnabled AuthTokenEnabled Engine"
)
_CLUSTER = "CacheClusterId CacheNodeType Engine EngineVersion CacheClusterStatus NumCacheNodes SnapshotRetentionLimit TransitEncryptionEnabled"


def collect(ask: Asking) -> None:
    """A replication group with the engine of its nodes; a node is no resource of its own, it answers for its group."""
    nodes: dict[str, list[Mapping[str, Any]]] = {}
    for cluster in ask.pages(SERVICE, "describe_cache_clusters", "CacheClusters", MaxRecords=100, ShowCacheNodeInfo=True):
        with ask.detail(f"cluster {cluster.get('CacheClusterId')}"):
            if group := cluster.get("ReplicationGroupId"):
                nodes.setdefault(group, []).append(cluster)
            else:
                attributes = chosen(cluster, _CLUSTER)
                attributes["parameter_group"] = dig(cluster, "CacheParameterGroup.CacheParameterGroupName")
                at = cluster["ARN"]
                ask.resource(at, "aws.elasticache.cluster", cluster["CacheClusterId"], attributes, aliases=_hosts(cluster))
    for group in ask.pages(SERVICE, "describe_replication_groups", "ReplicationGroups", MaxRecords=100):
        with ask.detail(f"replication group {group.get('ReplicationGroupId')}"):
            _group(ask, group, nodes.get(group["ReplicationGroupId"], []))
    for cache in ask.pages(SERVICE, "describe_serverless_caches", "ServerlessCaches", MaxResults=50):
        with ask.detail(f"serverless cache {cache.get('ServerlessCacheName')}"):
            attributes = chosen(cache, "Engine FullEngineVersion Status CacheUsageLimits SnapshotRetentionLimit")
            hosts = [dig(cache, "Endpoint.Address"), dig(cache, "ReaderEndpoint.Address")]
            ask.resource(
                cache["ARN"], "aws.elasticache.serverless_cache", cache["ServerlessCacheName"], attributes, aliases=hosts
            )


def _group(ask: Asking, group: Mapping[str, Any], nodes: list[Mapping[str, Any]]) -> None:
    attributes = chosen(group, _GROUP)
    for node in nodes[:1]:
        attributes |= chosen(node, "Engine EngineVersion CacheNodeType")
        attributes["parameter_group"] = dig(node, "CacheParameterGroup.CacheParameterGroupName")
    shards = group.get("NodeGroups") or ()
    attributes["node_groups"] = len(shards) or None
    attributes["node_count"] = len(group.get("MemberClusters") or ()) or None
    hosts = [dig(group, "ConfigurationEndpoint.Address")]
    for shard in shards:
        hosts += [dig(shard, "PrimaryEndpoint.Address"), dig(shard, "ReaderEndpoint.Address")]
        hosts += [dig(member, "ReadEndpoint.Address") for member in shard.get("NodeGroupMembers") or ()]
    for node in nodes:
        hosts += [*_hosts(node), node.get("ARN")]
    attributes["endpoint"] = next((host for host in hosts if host), None)
    arn = group.get("ARN") or ask.arn("elasticache", f"replicationgroup:{group['ReplicationGroupId']}")
    ask.resource(arn, "aws.elasticache.cluster", group["ReplicationGroupId"], attributes, aliases=hosts)
    if store := group.get("GlobalReplicationGroupInfo"):
        ask.mention(arn, str(store.get("GlobalReplicationGroupId", "")), "global datastore", Relation.DEPENDS_ON)


def _hosts(cluster: Mapping[str, Any]) -> Iterator[str | None]:
    yield dig(cluster, "ConfigurationEndpoint.Address")
    for node in cluster.get("CacheNodes") or ():
        yield dig(node, "Endpoint.Address")
