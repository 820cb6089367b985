"""What Workers keep data in: KV namespaces, D1 databases, R2 buckets, namespaces of Durable Objects."""

from context_graph.providers.cloudflare.asking import Asking, chosen
from gonogo.resource import Relation

KV_PERMISSIONS = ("Account: Workers KV Storage Read",)
D1_PERMISSIONS = ("Account: D1 Read",)
R2_PERMISSIONS = ("Account: Workers R2 Storage Read",)
DURABLE_OBJECT_PERMISSIONS = ("Account: Workers Scripts Read",)

_JURISDICTIONS = ("", "eu")
"""Buckets of a jurisdiction are in no other list. FedRAMP's are not looked for: its accounts are apart."""


def collect_kv(ask: Asking) -> None:
    """Every KV namespace; no key of it is listed."""
    for namespace in ask.pages(f"{ask.account}/storage/kv/namespaces", per_page=1000):
        with ask.detail(f"KV namespace {namespace.get('id')}"):
            ask.resource(ask.at("kv_namespace", str(namespace["id"])), "cloudflare.kv_namespace", str(namespace["title"]), {})


def collect_d1(ask: Asking) -> None:
    """Every D1 database, with its size where the list has it; no row is read."""
    for database in ask.pages(f"{ask.account}/d1/database", per_page=1000):
        with ask.detail(f"D1 database {database.get('uuid')}"):
            attributes = chosen(database, "version num_tables") | {
                "file_size_bytes": database.get("file_size"),
                "jurisdiction": database.get("jurisdiction"),
            }
            ask.resource(
                ask.at("d1_database", str(database["uuid"])), "cloudflare.d1_database", str(database["name"]), attributes
            )


def collect_r2(ask: Asking) -> None:
    """Every R2 bucket of every jurisdiction; no object is listed."""
    for jurisdiction in _JURISDICTIONS:
        for bucket in ask.pages(f"{ask.account}/r2/buckets", "buckets", per_page=1000, by_cursor=True, jurisdiction=jurisdiction):
            with ask.detail(f"R2 bucket {bucket.get('name')}"):
                name = str(bucket["name"])
                own = f"{jurisdiction}/{name}" if jurisdiction else name
                attributes = chosen(bucket, "location storage_class") | {"jurisdiction": jurisdiction or None}
                ask.resource(ask.at("r2_bucket", own), "cloudflare.r2_bucket", name, attributes)


def collect_durable_objects(ask: Asking) -> None:
    """Every namespace of Durable Objects: its objects run in the Worker that has the class."""
    for namespace in ask.pages(f"{ask.account}/workers/durable_objects/namespaces", per_page=1000):
        with ask.detail(f"Durable Object namespace {namespace.get('id')}"):
            at, script = ask.at("durable_object_namespace", str(namespace["id"])), namespace.get("script")
            name = str(namespace.get("class") or namespace.get("name"))
            attributes = {"script": script, "use_sqlite": namespace.get("use_sqlite"), "namespace": namespace.get("name")}
            ask.resource(at, "cloudflare.durable_object_namespace", name, attributes)
            if isinstance(script, str) and script:
                ask.edge(at, ask.at("worker", script), Relation.INVOKES, f"class {name}")
