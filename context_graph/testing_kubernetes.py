"""A small API server of Kubernetes on loopback, for tests: lists in pages, metadata alone, and the faults of a real one."""

import base64
import json
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, override
from urllib.parse import parse_qs, urlsplit

from context_graph.providers.kubernetes.kinds import KINDS

SERVED = {
    **{kind.name: (kind.group, kind.version, kind.plural) for kind in KINDS},
    "Secret": ("", "v1", "secrets"),
    "Pod": ("", "v1", "pods"),
}
REASONS = {
    401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 410: "Expired", 429: "TooManyRequests", 500: "InternalError",
    503: "ServiceUnavailable",
}  # fmt: skip


@dataclass(frozen=True)
class FakeAnswer:
    """One answer without a server in between."""

    status: int
    data: bytes
    headers: Mapping[str, str]


@dataclass
class FakeCluster:
    """What the server holds and how it behaves; tests change it between requests."""

    token: str = "let-me-in"  # noqa: S105  opens nothing but this fake
    objects: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    refused: dict[str, int] = field(default_factory=dict[str, int])
    """`plural`, or `namespace/plural`, → HTTP status that its lists answer with."""

    absent: set[str] = field(default_factory=set[str])
    """API groups that this cluster does not serve."""

    busy: Counter[str] = field(default_factory=Counter[str])
    """`plural` → how many requests are still answered with 429 and `Retry-After: 1`."""

    expires: set[str] = field(default_factory=set[str])
    """Plurals whose continue tokens are too old when they come back."""

    requests: list[tuple[str, Mapping[str, str], str]] = field(default_factory=list[tuple[str, Mapping[str, str], str]])
    """Path, query and Accept header of every request."""

    def hold(self, *objects: Mapping[str, Any]) -> None:
        """Put objects in, each with `kind` and `metadata`."""
        self.objects += [json.loads(json.dumps(one)) for one in objects]

    def drop(self, kind: str, name: str) -> None:
        """Take one out."""
        self.objects = [one for one in self.objects if (one["kind"], one["metadata"]["name"]) != (kind, name)]

    def ask(self, path: str, query: Mapping[str, str], accept: str) -> FakeAnswer:
        """What ClusterApi asks through; the cluster is in this process."""
        self.requests.append((path, query, accept))
        status, body = self.answer(path, query, accept)
        return FakeAnswer(status, json.dumps(body).encode(), {"Retry-After": "7"} if status == 429 else {})

    def answer(self, path: str, query: Mapping[str, str], accept: str) -> tuple[int, dict[str, Any]]:
        """Status and body of a GET."""
        parts = path.strip("/").split("/")
        group, version, rest = ("", parts[1], parts[2:]) if parts[0] == "api" else (parts[1], parts[2], parts[3:])
        namespace = rest[1] if len(rest) == 3 and rest[0] == "namespaces" else ""
        plural = rest[-1]
        kind = next((name for name, where in SERVED.items() if where == (group, version, plural)), None)
        if kind is None or group in self.absent:
            return 404, _status(404, "the server could not find the requested resource")
        status = self.refused.get(f"{namespace}/{plural}", self.refused.get(plural, 0))
        if status:
            of = f'"{plural}" in API group "{group}"' + (
                f' in the namespace "{namespace}"' if namespace else " at the cluster scope"
            )
            return status, _status(status, f'{plural} is forbidden: User "gonogo" cannot list resource {of}')
        if self.busy[plural] > 0:
            self.busy[plural] -= 1
            return 429, _status(429, "too many requests, please try again later")
        held = [one for one in self.objects if one["kind"] == kind and namespace in ("", _namespace(one))]
        return self._page(held, kind, group, version, plural, query, is_metadata="PartialObjectMetadataList" in accept)

    def _page(
        self, held: list[dict[str, Any]], kind: str, group: str, version: str, plural: str, query: Mapping[str, str], *,
        is_metadata: bool,
    ) -> tuple[int, dict[str, Any]]:  # fmt: skip
        token, limit = query.get("continue", ""), int(query.get("limit", 0)) or len(held) or 1
        if token and plural in self.expires:
            gone = _status(410, "The provided continue parameter is too old to display a consistent list result.")
            return 410, gone | {"metadata": {"continue": token}}
        start = json.loads(base64.urlsafe_b64decode(token))["start"] if token else 0
        page, left = held[start : start + limit], len(held) - start - limit
        metadata: dict[str, Any] = {"resourceVersion": "1000"}
        if left > 0:
            metadata["continue"] = base64.urlsafe_b64encode(
                json.dumps({"v": "meta.k8s.io/v1", "start": start + limit}).encode()
            ).decode()
            metadata["remainingItemCount"] = left
        if is_metadata:
            items = [
                {"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": one["metadata"]} for one in page
            ]
            return 200, {
                "kind": "PartialObjectMetadataList",
                "apiVersion": "meta.k8s.io/v1",
                "metadata": metadata,
                "items": items,
            }
        items = [{key: value for key, value in one.items() if key not in ("kind", "apiVersion")} for one in page]
        api = f"{group}/{version}" if group else version
        return 200, {"kind": f"{kind}List", "apiVersion": api, "metadata": metadata, "items": items}


def _namespace(one: Mapping[str, Any]) -> str:
    metadata: Mapping[str, Any] = one["metadata"] or {}
    return str(metadata.get("namespace", ""))


def _status(code: int, message: str) -> dict[str, Any]:
    return {
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
        "reason": REASONS.get(code, "Unknown"), "code": code,
    }  # fmt: skip


@contextmanager
def serving(cluster: FakeCluster) -> Generator[str]:
    """The server's URL, while it runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            cluster.requests.append((parts.path, query, self.headers.get("Accept", "")))
            status, body = cluster.answer(parts.path, query, self.headers.get("Accept", ""))
            if self.headers.get("Authorization") != f"Bearer {cluster.token}":
                status, body = 401, _status(401, "Unauthorized")
            written = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(written)))
            if status == 429:
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(written)

        @override
        def log_message(self, format: str, *args: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def kubeconfig(
    folder: Path, url: str, *, user: Mapping[str, Any], cluster: str = "prod", contexts: Iterable[str] = ("prod",)
) -> Path:
    """A kubeconfig with this user, the first context current."""
    named = [{"name": name, "context": {"cluster": cluster, "user": "reader", "namespace": "shop"}} for name in contexts]
    written = {
        "apiVersion": "v1", "kind": "Config", "current-context": named[0]["name"], "contexts": named,
        "clusters": [{"name": cluster, "cluster": {"server": url}}],
        "users": [{"name": "reader", "user": user}],
    }  # fmt: skip
    path = folder / "kubeconfig"
    path.write_text(json.dumps(written), encoding="utf-8")
    return path


def a_shop() -> list[dict[str, Any]]:
    """A cluster's objects as its API gives them, with what the API adds: a shop behind an Ingress, a nightly job, a database."""
    template = {
        "metadata": {"labels": {"app": "checkout", "tier": "web"}},
        "spec": {
            "serviceAccountName": "checkout",
            "terminationGracePeriodSeconds": 30,
            "containers": [
                {
                    "name": "checkout", "image": "ghcr.io/acme/checkout:1.8.2", "imagePullPolicy": "IfNotPresent",
                    "args": ["--port=8080", "--api-token", "hunter2-in-a-flag"],
                    "env": [
                        {"name": "DATABASE_URL", "value": "postgres://app:hunter2@ledger.c1.eu-west-1.rds.amazonaws.com:5432/ledger"},
                        {"name": "BASKET_URL", "value": "http://basket.shop.svc.cluster.local:8080"},
                        {"name": "STRIPE_KEY", "valueFrom": {"secretKeyRef": {"name": "stripe", "key": "api-key"}}},
                    ],
                    "envFrom": [{"configMapRef": {"name": "checkout"}}],
                    "ports": [{"containerPort": 8080, "protocol": "TCP"}],
                    "resources": {"limits": {"cpu": "500m", "memory": "512Mi"}, "requests": {"cpu": "250m", "memory": "256Mi"}},
                    "readinessProbe": {
                        "httpGet": {"path": "/ready", "port": 8080, "scheme": "HTTP"}, "periodSeconds": 10, "timeoutSeconds": 1,
                        "failureThreshold": 3, "successThreshold": 1,
                    },
                }
            ],
            "volumes": [{"name": "cache", "persistentVolumeClaim": {"claimName": "cache"}}],
        },
    }  # fmt: skip
    nightly = {
        "spec": {
            "containers": [{"name": "nightly", "image": "ghcr.io/acme/nightly:3", "env": [
                {"name": "ORDERS_QUEUE", "valueFrom": {"configMapKeyRef": {"name": "checkout", "key": "ORDERS_QUEUE"}}}]}],
            "restartPolicy": "Never",
        }
    }  # fmt: skip
    applied = {"kubectl.kubernetes.io/last-applied-configuration": '{"spec":{"password":"hunter2-applied"}}'}
    return [
        _object("Namespace", "shop", None),
        _object("ServiceAccount", "checkout", "shop", annotations={
            "eks.amazonaws.com/role-arn": "arn:aws:iam::111122223333:role/checkout"}),
        _object("Deployment", "checkout", "shop", annotations=applied, spec={
            "replicas": 3, "selector": {"matchLabels": {"app": "checkout"}}, "template": template, "minReadySeconds": 5,
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}},
        }, status={"replicas": 3, "readyReplicas": 2, "availableReplicas": 2}),
        _object("Deployment", "basket", "shop", spec={
            "replicas": 1, "selector": {"matchLabels": {"app": "basket"}},
            "template": {"metadata": {"labels": {"app": "basket"}}, "spec": {"containers": [{"name": "basket", "image": "basket:1"}]}},
        }),
        _object("CronJob", "nightly", "shop", spec={
            "schedule": "0 3 * * *", "concurrencyPolicy": "Forbid", "suspend": False, "jobTemplate": {"spec": {"template": nightly}}}),
        _object("Job", "nightly-29384", "shop", owner="CronJob", spec={"template": nightly}),
        _object("ConfigMap", "checkout", "shop", data={
            "ORDERS_QUEUE": "arn:aws:sqs:eu-west-1:111122223333:orders", "FLAGS": "hunter2-in-a-map"}),
        _object("Secret", "stripe", "shop", data={"api-key": "aHVudGVyMg=="}),
        _object("PersistentVolumeClaim", "cache", "shop", spec={
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "8Gi"}}, "storageClassName": "gp3"},
            status={"phase": "Bound"}),
        _object("Service", "checkout", "shop", spec={
            "type": "ClusterIP", "clusterIP": "10.0.0.7", "selector": {"app": "checkout"}, "ports": [{"port": 80, "targetPort": 8080}]}),
        _object("Service", "basket", "shop", spec={"selector": {"app": "basket"}, "ports": [{"port": 8080}]}),
        _object("Service", "warehouse", "shop", spec={
            "type": "ExternalName", "externalName": "ledger.c1.eu-west-1.rds.amazonaws.com"}),
        _object("Ingress", "front", "shop", spec={"ingressClassName": "alb", "rules": [{"host": "shop.acme.test", "http": {"paths": [
            {"path": "/", "pathType": "Prefix", "backend": {"service": {"name": "checkout", "port": {"number": 80}}}}]}}]},
            status={"loadBalancer": {"ingress": [{"hostname": "k8s-front-1.eu-west-1.elb.amazonaws.com"}]}}),
        _object("HTTPRoute", "front", "shop", spec={
            "hostnames": ["api.acme.test"], "parentRefs": [{"name": "public"}],
            "rules": [{"backendRefs": [{"name": "basket", "port": 8080}]}]}),
        _object("Gateway", "public", "shop", spec={"gatewayClassName": "envoy", "listeners": [{"name": "http", "port": 80}]}),
        _object("HorizontalPodAutoscaler", "checkout", "shop", spec={
            "minReplicas": 3, "maxReplicas": 12, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "checkout"},
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 70}}}],
        }),
        _object("PodDisruptionBudget", "checkout", "shop", spec={
            "minAvailable": 2, "selector": {"matchLabels": {"app": "checkout"}}}),
        _object("NetworkPolicy", "checkout", "shop", spec={
            "podSelector": {"matchLabels": {"app": "checkout"}}, "policyTypes": ["Ingress"],
            "ingress": [{"from": [{"podSelector": {"matchLabels": {"tier": "edge"}}}]}]}),
        _object("ResourceQuota", "shop", "shop", spec={"hard": {"requests.cpu": "20", "pods": "100"}}),
        _object("LimitRange", "shop", "shop", spec={"limits": [{"type": "Container", "default": {"cpu": "500m"}}]}),
    ]  # fmt: skip


def _object(
    kind: str,
    name: str,
    namespace: str | None,
    *,
    annotations: Mapping[str, str] | None = None,
    owner: str | None = None,
    **rest: Any,
) -> dict[str, Any]:
    group, version, _ = SERVED[kind]
    metadata: dict[str, Any] = {
        "name": name, "uid": f"uid-of-{kind}-{name}", "resourceVersion": "42", "creationTimestamp": "2026-01-02T03:04:05Z",
        "labels": {"app.kubernetes.io/managed-by": "Helm"},
        "managedFields": [{"manager": "helm", "operation": "Update", "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {}}}],
    }  # fmt: skip
    if namespace:
        metadata["namespace"] = namespace
    if annotations:
        metadata["annotations"] = dict(annotations)
    if owner:
        metadata["ownerReferences"] = [{"kind": owner, "name": name.rpartition("-")[0], "controller": True}]
    return {"apiVersion": f"{group}/{version}" if group else version, "kind": kind, "metadata": metadata, **rest}
