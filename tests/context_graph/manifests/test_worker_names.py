"""Which Worker, object or namespace a binding means, and every kind of binding that leads to something."""

import json

import pytest

from context_graph.testing_manifests import edges_of, kinds_of

JOBS = """name = "jobs"
main = "a.ts"
compatibility_date = "2025-01-01"
durable_objects = { bindings = [{ name = "LOCK", class_name = "Lock" }] }
[env.production.durable_objects]
bindings = [{ name = "LOCK", class_name = "Lock" }]
[env.staging]
vars = { A = "b" }
"""


def _api(**bindings: object) -> str:
    return json.dumps({"name": "api", "main": "a.ts", "compatibility_date": "2025-01-01", **bindings})


def test_a_binding_may_name_an_environment_of_the_other_worker() -> None:
    services = [{"binding": "A", "service": "jobs"}, {"binding": "B", "service": "jobs", "environment": "production"}]
    tails = [{"service": "logs"}, {"service": "jobs", "environment": "staging"}]

    found = edges_of({"jobs/wrangler.toml": JOBS, "api/wrangler.jsonc": _api(services=services, tail_consumers=tails)})

    assert {edge for edge in found if edge[1] != "connects_to"} == {
        ("worker", "invokes", "worker"),
        ("worker", "invokes", "env.production.worker"),
        ("worker", "triggers", "worker/logs"),
        ("worker", "triggers", "env.staging.worker"),
    }


def test_objects_of_another_worker_are_that_workers() -> None:
    objects = {
        "bindings": [
            {"name": "L", "class_name": "Lock", "script_name": "jobs-production"},
            {"name": "M", "class_name": "Lock", "script_name": "elsewhere"},
        ]
    }
    files = {"jobs/wrangler.toml": JOBS, "api/wrangler.jsonc": _api(durable_objects=objects)}

    assert {kind for kind in kinds_of(files) if kind[1].endswith("object")} == {
        ("durable_object/Lock", "cloudflare.durable_object"),
        ("durable_object/production.Lock", "cloudflare.durable_object"),
        ("durable_object/elsewhere.Lock", "cloudflare.durable_object"),
    }
    assert {target for _, _, target in edges_of({"api/wrangler.jsonc": files["api/wrangler.jsonc"], "jobs/wrangler.toml": JOBS})} == {
        "durable_object/Lock", "durable_object/production.Lock", "durable_object/elsewhere.Lock",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("key", "binding", "target"),
    [
        ("ai_search_namespaces", {"namespace": "docs"}, "ai_search_namespace/docs"),
        ("ai_search", {"instance_name": "docs"}, "ai_search_instance/docs"),
        ("agent_memory", {"namespace": "m"}, "agent_memory_namespace/m"),
        (
            "vpc_services",
            {"service_id": "0199295b-b3ac-7760-8246-bca40877b3e9"},
            "vpc_service/0199295b-b3ac-7760-8246-bca40877b3e9",
        ),
        ("vpc_networks", {"tunnel_id": "t"}, "vpc_network/t"),
        ("secrets_store_secrets", {"store_id": "s", "secret_name": "key"}, "secrets_store_secret/key"),
        ("mtls_certificates", {"certificate_id": "c"}, "mtls_certificate/c"),
        ("pipelines", {"stream": "clicks"}, "pipeline/clicks"),
        ("pipelines", {"pipeline": "clicks"}, "pipeline/clicks"),
    ],
)
def test_a_binding_leads_to_what_it_is_bound_to(key: str, binding: dict[str, str], target: str) -> None:
    files = {"wrangler.json": _api(**{key: [{"binding": "IT", **binding}]})}

    assert edges_of(files) == {("worker", "connects_to", target)}


def test_assets_are_inherited_and_streaming_tails_are_tails() -> None:
    text = _api(assets={"binding": "FILES", "directory": "d"}, env={"live": {"streaming_tail_consumers": [{"service": "tail"}]}})

    assert edges_of({"wrangler.json": text}) == {("env.live.worker", "triggers", "worker/tail")}
