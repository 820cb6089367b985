"""How Wrangler writes each kind of binding: https://developers.cloudflare.com/workers/wrangler/configuration/#bindings."""

from gonogo.record import Record


class Form(Record):
    """How a kind of binding is written: its type, the field with its name, the fields with what it points to, that one's kind."""

    type: str
    label: str
    targets: tuple[str, ...]
    target_kind: str | None = None


def _bound(kind: str, field: str, target_kind: str | None = None, *others: str, label: str = "binding") -> Form:
    return Form(kind, label, (field, *others), target_kind)


LISTED = {
    "kv_namespaces": _bound("kv_namespace", "id", "cloudflare.kv_namespace"),
    "r2_buckets": _bound("r2_bucket", "bucket_name", "cloudflare.r2.bucket"),
    "d1_databases": _bound("d1", "database_name", "cloudflare.d1.database", "database_id"),
    "services": _bound("service", "service", "cloudflare.worker"),
    "hyperdrive": _bound("hyperdrive", "id", "cloudflare.hyperdrive"),
    "vectorize": _bound("vectorize", "index_name", "cloudflare.vectorize.index"),
    "analytics_engine_datasets": _bound("analytics_engine", "dataset", "cloudflare.analytics_engine.dataset"),
    "dispatch_namespaces": _bound("dispatch_namespace", "namespace", "cloudflare.dispatch_namespace"),
    "mtls_certificates": _bound("mtls_certificate", "certificate_id", "cloudflare.mtls_certificate"),
    "send_email": _bound("send_email", "destination_address", label="name"),
    "workflows": _bound("workflow", "name", "cloudflare.workflow"),
    "pipelines": _bound("pipeline", "pipeline", "cloudflare.pipeline", "stream"),
    "ratelimits": _bound("ratelimit", "namespace_id", label="name"),
    "secrets_store_secrets": _bound("secrets_store_secret", "secret_name", "cloudflare.secrets_store.secret"),
    "ai_search_namespaces": _bound("ai_search_namespace", "namespace", "cloudflare.ai_search.namespace"),
    "ai_search": _bound("ai_search", "instance_name", "cloudflare.ai_search.instance"),
    "agent_memory": _bound("agent_memory", "namespace", "cloudflare.agent_memory.namespace"),
    "artifacts": _bound("artifacts", "namespace", "cloudflare.artifacts.namespace"),
    "flagship": _bound("flagship", "app_id", "cloudflare.flagship.app"),
    "vpc_services": _bound("vpc_service", "service_id", "cloudflare.vpc.service"),
    "vpc_networks": _bound("vpc_network", "network_id", "cloudflare.vpc.network", "tunnel_id"),
    "k2": _bound("k2", "stream", "cloudflare.k2.stream"),
    "worker_loaders": _bound("worker_loader", "id"),
}
DURABLE_OBJECT = _bound("durable_object_namespace", "class_name", label="name")
SINGLE = {
    "ai": "ai", "browser": "browser", "images": "images", "assets": "assets", "version_metadata": "version_metadata",
    "media": "media", "stream": "stream", "analytics": "analytics",
}  # fmt: skip
INHERITED = (
    "main", "compatibility_date", "routes", "route", "triggers", "limits", "workers_dev", "placement", "observability", "assets",
    "compatibility_flags", "account_id", "minify", "usage_model", "logpush", "preview_urls", "migrations",
)  # fmt: skip
CALLED = ("cloudflare.worker", "cloudflare.workflow")
BY_ID = (
    "cloudflare.kv_namespace", "cloudflare.hyperdrive", "cloudflare.mtls_certificate", "cloudflare.flagship.app",
    "cloudflare.vpc.service", "cloudflare.vpc.network",
)  # fmt: skip
"""Kinds that are named by an id; a placeholder for one, such as `DEV_KV`, is a thing of its own in every file."""
