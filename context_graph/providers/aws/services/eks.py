"""Amazon EKS: clusters. What runs in them is read through Kubernetes."""

from context_graph.providers.aws.asking import Asking, chosen, dig
from gonogo.resource import Relation

SERVICE = "eks"
PERMISSIONS = ("eks:DescribeCluster", "eks:ListClusters")


def collect(ask: Asking) -> None:
    """Every cluster."""
    for name in ask.pages(SERVICE, "list_clusters", "clusters", maxResults=100):
        with ask.detail(f"cluster {name}"):
            cluster = ask.one(SERVICE, "describe_cluster", name=name)["cluster"]
            attributes = chosen(cluster, "version status platformVersion endpoint")
            attributes["public_access"] = dig(cluster, "resourcesVpcConfig.endpointPublicAccess")
            host = (cluster.get("endpoint") or "").partition("://")[2]
            ask.resource(cluster["arn"], "aws.eks.cluster", name, attributes, aliases=[host])
            if role := cluster.get("roleArn"):
                ask.edge(cluster["arn"], role, Relation.DEPENDS_ON, "roleArn")
