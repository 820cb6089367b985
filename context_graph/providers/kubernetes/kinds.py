"""The kinds of objects that are read, and where the API lists them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """One kind. Namespaces are told from the others by having none around them."""

    name: str
    """As objects write it: `Deployment`."""
    plural: str
    """As paths and roles write it: `deployments`."""
    group: str
    """Empty for the core."""
    version: str
    is_namespaced: bool = True
    metadata_only: bool = False
    """Names, labels and annotations are all that is asked for."""
    page: int = 250

    def path(self, namespace: str = "") -> str:
        """Where all of them are listed, or those of one namespace."""
        root = f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"
        return f"{root}/namespaces/{namespace}/{self.plural}" if namespace else f"{root}/{self.plural}"

    @property
    def permission(self) -> str:
        """`list deployments.apps`, as kubectl auth can-i takes it."""
        return f"list {self.plural}.{self.group}" if self.group else f"list {self.plural}"


KINDS: tuple[Kind, ...] = (
    Kind("Namespace", "namespaces", "", "v1", is_namespaced=False, metadata_only=True),
    Kind("Deployment", "deployments", "apps", "v1"),
    Kind("StatefulSet", "statefulsets", "apps", "v1"),
    Kind("DaemonSet", "daemonsets", "apps", "v1"),
    Kind("CronJob", "cronjobs", "batch", "v1"),
    Kind("Job", "jobs", "batch", "v1"),
    Kind("Service", "services", "", "v1"),
    Kind("Ingress", "ingresses", "networking.k8s.io", "v1"),
    Kind("Gateway", "gateways", "gateway.networking.k8s.io", "v1"),
    Kind("HTTPRoute", "httproutes", "gateway.networking.k8s.io", "v1"),
    Kind("ConfigMap", "configmaps", "", "v1", page=50),
    Kind("ServiceAccount", "serviceaccounts", "", "v1", metadata_only=True),
    Kind("PersistentVolumeClaim", "persistentvolumeclaims", "", "v1"),
    Kind("HorizontalPodAutoscaler", "horizontalpodautoscalers", "autoscaling", "v2"),
    Kind("PodDisruptionBudget", "poddisruptionbudgets", "policy", "v1"),
    Kind("NetworkPolicy", "networkpolicies", "networking.k8s.io", "v1"),
    Kind("ResourceQuota", "resourcequotas", "", "v1"),
    Kind("LimitRange", "limitranges", "", "v1"),
)
"""No Secret is listed: that would bring its values. Those that workloads name are known by that."""
