"""Amazon RDS and Aurora, and the engines that share its API: instances, clusters, proxies, and the connections they allow."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from context_graph.providers.aws.asking import Asking, chosen, dig
from gonogo.resource import Relation

SERVICE = "rds"
PERMISSIONS = (
    "rds:DescribeDBClusterParameters",
    "rds:DescribeDBClusters",
    "rds:DescribeDBInstances",
    "rds:DescribeDBParameters",
    "rds:DescribeDBProxies",
    "rds:DescribeDBProxyTargets",
)

_INSTANCE = (
    "DBInstanceIdentifier DBInstanceClass Engine EngineVersion DBInstanceStatus AllocatedStorage MaxAllocatedStorage StorageType Iops"
    " MultiAZ BackupRetentionPeriod DBName DeletionProtection PubliclyAccessible DBClusterIdentifier StorageEncrypted"
    " ReadReplicaSourceDBInstanceIdentifier PerformanceInsightsEnabled AutoMinorVersionUpgrade CACertificateIdentifier"
)
_CLUSTER = (
    "DBClusterIdentifier Engine EngineVersion EngineMode Status BackupRetentionPeriod DatabaseName DeletionProtection Port MultiAZ"
    " ServerlessV2ScalingConfiguration StorageEncrypted DBClusterParameterGroup DBClusterInstanceClass AllocatedStorage"
)
_FAMILIES = {"docdb": "aws.docdb", "neptune": "aws.neptune"}
"""Engines whose resources RDS lists as its own."""


def collect(ask: Asking) -> None:
    """Clusters and instances by all their endpoints, proxies with what is behind them."""
    limits: dict[str, dict[str, Any]] = {}
    for cluster in ask.pages(SERVICE, "describe_db_clusters", "DBClusters", MaxRecords=100):
        with ask.detail(f"cluster {cluster.get('DBClusterIdentifier')}"):
            _cluster(ask, cluster, limits)
    for instance in ask.pages(SERVICE, "describe_db_instances", "DBInstances", MaxRecords=100):
        with ask.detail(f"instance {instance.get('DBInstanceIdentifier')}"):
            _instance(ask, instance, limits)
    for proxy in ask.pages(SERVICE, "describe_db_proxies", "DBProxies", MaxRecords=100):
        with ask.detail(f"proxy {proxy.get('DBProxyName')}"):
            _proxy(ask, proxy)


def _cluster(ask: Asking, cluster: Mapping[str, Any], limits: dict[str, dict[str, Any]]) -> None:
    arn, name = cluster["DBClusterArn"], cluster["DBClusterIdentifier"]
    attributes = chosen(cluster, _CLUSTER)
    if group := cluster.get("DBClusterParameterGroup"):
        ask_for = partial(ask.pages, SERVICE, "describe_db_cluster_parameters", "Parameters", DBClusterParameterGroupName=group)
        attributes |= _connections(ask, f"cluster/{group}", ask_for, limits)
    attributes["endpoint"], attributes["reader_endpoint"] = cluster.get("Endpoint"), cluster.get("ReaderEndpoint")
    members = cluster.get("DBClusterMembers") or ()
    attributes["members"] = [member["DBInstanceIdentifier"] for member in members]
    hosts = [cluster.get("Endpoint"), cluster.get("ReaderEndpoint"), *(cluster.get("CustomEndpoints") or ())]
    ask.resource(arn, f"{_family(cluster)}.cluster", name, attributes, aliases=hosts)
    for member in members:
        role = "writer" if member.get("IsClusterWriter") else "reader"
        ask.edge(arn, ask.arn("rds", f"db:{member['DBInstanceIdentifier']}"), Relation.ROUTES_TO, f"member, {role}")
    if secret := dig(cluster, "MasterUserSecret.SecretArn"):
        ask.edge(arn, secret, Relation.DEPENDS_ON, "MasterUserSecret")
    if source := cluster.get("ReplicationSourceIdentifier"):
        ask.edge(arn, source, Relation.DEPENDS_ON, "ReplicationSourceIdentifier")


def _instance(ask: Asking, instance: Mapping[str, Any], limits: dict[str, dict[str, Any]]) -> None:
    arn, name = instance["DBInstanceArn"], instance["DBInstanceIdentifier"]
    attributes = chosen(instance, _INSTANCE)
    for group in instance.get("DBParameterGroups") or ():
        attributes["parameter_group"] = group["DBParameterGroupName"]
        ask_for = partial(
            ask.pages, SERVICE, "describe_db_parameters", "Parameters", DBParameterGroupName=group["DBParameterGroupName"]
        )
        attributes |= _connections(ask, group["DBParameterGroupName"], ask_for, limits)
    attributes["endpoint"], attributes["port"] = dig(instance, "Endpoint.Address"), dig(instance, "Endpoint.Port")
    attributes["subnet_group"] = dig(instance, "DBSubnetGroup.DBSubnetGroupName")
    attributes["replicas"] = instance.get("ReadReplicaDBInstanceIdentifiers")
    ask.resource(arn, f"{_family(instance)}.instance", name, attributes, aliases=[attributes["endpoint"]])
    if cluster := instance.get("DBClusterIdentifier"):
        ask.edge(arn, ask.arn("rds", f"cluster:{cluster}"), Relation.DEPENDS_ON, "DBClusterIdentifier")
    if source := instance.get("ReadReplicaSourceDBInstanceIdentifier"):  # an ARN when it is in another region
        source = source if source.startswith("arn:") else ask.arn("rds", f"db:{source}")
        ask.edge(arn, source, Relation.DEPENDS_ON, "ReadReplicaSourceDBInstanceIdentifier")
    if secret := dig(instance, "MasterUserSecret.SecretArn"):
        ask.edge(arn, secret, Relation.DEPENDS_ON, "MasterUserSecret")


def _connections(ask: Asking, group: str, ask_for: Any, limits: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What the parameter group says of max_connections: a number, or the formula that the engine settles. Asked once a group."""
    if group not in limits:
        limits[group] = {}
        with ask.detail(f"parameters of {group}"):
            only = [{"Name": "parameter-name", "Values": ["max_connections"]}]
            for parameter in ask_for(Filters=only):
                value = parameter.get("ParameterValue")
                if parameter.get("ParameterName") == "max_connections" and value:
                    is_number = value.isdecimal()
                    limits[group] = {"max_connections": int(value)} if is_number else {"max_connections_formula": value}
    return limits[group]


def _proxy(ask: Asking, proxy: Mapping[str, Any]) -> None:
    arn, name = proxy["DBProxyArn"], proxy["DBProxyName"]
    attributes = chosen(proxy, "Status EngineFamily RequireTLS IdleClientTimeout Endpoint")
    ask.resource(arn, "aws.rds.proxy", name, attributes, aliases=[proxy.get("Endpoint")])
    for auth in proxy.get("Auth") or ():
        if secret := auth.get("SecretArn"):
            ask.edge(arn, secret, Relation.READS_FROM, "Auth")
    with ask.detail(f"targets of proxy {name}"):
        for target in ask.pages(SERVICE, "describe_db_proxy_targets", "Targets", DBProxyName=name):
            kind = "cluster" if target.get("Type") == "TRACKED_CLUSTER" else "db"
            behind = target.get("TargetArn") or ask.arn("rds", f"{kind}:{target['RdsResourceId']}")
            ask.edge(arn, behind, Relation.CONNECTS_TO, f"target group {target.get('TargetGroup', 'default')}")


def _family(described: Mapping[str, Any]) -> str:
    return _FAMILIES.get(str(described.get("Engine")), "aws.rds")
