"""The graph of Wrangler files: a Worker of each environment, what it is bound to, and what Workers share."""

from context_graph.testing_manifests import edges_of, graph_of, kinds_of

ID, OTHER = "a" * 32, "b" * 32
EDGE = f"""{{
  "name": "edge", "main": "a.ts", "compatibility_date": "2025-01-01",
  "kv_namespaces": [{{"binding": "CACHE", "id": "{ID}"}}],
  "queues": {{"producers": [{{"binding": "JOBS", "queue": "jobs"}}]}},
  "durable_objects": {{"bindings": [{{"name": "ROOM", "class_name": "Room"}}]}},
  "containers": [{{"name": "box", "class_name": "Room", "image": "./Dockerfile"}}],
  "tail_consumers": [{{"service": "logs"}}],
  "env": {{
    "staging": {{
      "kv_namespaces": [{{"binding": "CACHE", "id": "{OTHER}"}}],
      "services": [{{"binding": "API", "service": "api", "environment": "staging"}}]
    }},
    "production": {{"durable_objects": {{"bindings": [{{"name": "ROOM", "class_name": "Room"}}]}}}}
  }}
}}
"""
API = f"""name = "api"
main = "b.ts"
compatibility_date = "2025-01-01"
[[kv_namespaces]]
binding = "SHARED"
id = "{ID}"
[[queues.consumers]]
queue = "jobs"
dead_letter_queue = "dead"
[[d1_databases]]
binding = "DB"
[env.staging]
name = "api-staging"
[[env.staging.r2_buckets]]
binding = "FILES"
bucket_name = "files"
"""


def test_bindings_are_not_inherited_and_every_environment_has_its_own_objects() -> None:
    edges = edges_of({"edge/wrangler.jsonc": EDGE})

    assert edges == {
        ("worker", "connects_to", f"kv_namespace/{ID}"), ("worker", "publishes_to", "queue/jobs"),
        ("worker", "connects_to", "durable_object/Room"), ("durable_object/Room", "depends_on", "container/box"),
        ("worker", "triggers", "worker/logs"), ("env.staging.worker", "connects_to", f"kv_namespace/{OTHER}"),
        ("env.staging.worker", "invokes", "worker/api-staging"), ("env.production.worker", "connects_to", "durable_object/production.Room"),
    }  # fmt: skip


def test_what_two_workers_are_bound_to_is_one_resource() -> None:
    graph = graph_of({"edge/wrangler.jsonc": EDGE, "api/wrangler.toml": API})

    shared = [d.address for d in graph.resources if d.address.endswith(ID)]
    users = {e.source for e in graph.edges if e.target == shared[0]}
    assert len(shared) == 1
    assert users == {"edge/wrangler.jsonc//worker", "api/wrangler.toml//worker"}
    assert [(e.source, str(e.relation)) for e in graph.edges if e.target == "queue/jobs"] == [
        ("edge/wrangler.jsonc//worker", "publishes_to")
    ]


def test_a_service_binding_meets_the_worker_that_the_tree_declares() -> None:
    edges = {
        (e.source, str(e.relation), e.target) for e in graph_of({"edge/wrangler.jsonc": EDGE, "api/wrangler.toml": API}).edges
    }

    assert ("edge/wrangler.jsonc//env.staging.worker", "invokes", "api/wrangler.toml//env.staging.worker") in edges


def test_a_binding_without_an_id_is_made_for_the_worker_and_a_consumer_is_an_edge() -> None:
    files = {"api/wrangler.toml": API}

    assert edges_of(files) == {
        ("worker", "connects_to", f"kv_namespace/{ID}"), ("queue/jobs", "triggers", "worker"),
        ("queue/jobs", "depends_on", "queue/dead"), ("worker", "connects_to", "d1_database/DB"),
        ("env.staging.worker", "connects_to", "r2_bucket/files"),
    }  # fmt: skip
    assert ("d1_database/DB", "cloudflare.d1.database") in kinds_of(files)
    assert not any(kind == "cloudflare.queue_consumer" for _, kind in kinds_of(files))


def test_placeholders_for_ids_are_not_shared_between_files() -> None:
    text = EDGE.replace(ID, "DEV_KV")

    graph = graph_of({"a/wrangler.jsonc": text, "b/wrangler.jsonc": text})

    assert sorted(d.address for d in graph.resources if d.address.endswith("DEV_KV")) == [
        "a/wrangler.jsonc//kv_namespace/DEV_KV", "b/wrangler.jsonc//kv_namespace/DEV_KV",
    ]  # fmt: skip


def test_databases_of_one_name_and_two_ids_are_two() -> None:
    text = """name = "api"
compatibility_date = "2025-01-01"
d1_databases = [{binding = "DB", database_name = "shop", database_id = "1"}]
[env.staging]
d1_databases = [{binding = "DB", database_name = "shop", database_id = "2"}]
"""

    assert edges_of({"wrangler.toml": text}) == {
        ("worker", "connects_to", "d1_database/shop"), ("env.staging.worker", "connects_to", "d1_database/shop@2"),
    }  # fmt: skip
