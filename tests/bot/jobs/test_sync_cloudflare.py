"""A sync of Cloudflare accounts: what is found, what is joined, and what an error must not do. Cloudflare is a server on loopback."""

from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.jobs.sync_graph import sync_graph
from bot.storage.graph import StoredGraph
from bot.storage.graph_writer import write
from context_graph.collecting import Collected, Mention, Scope, ScopeStatus
from context_graph.providers.cloudflare.account import accounts_of, collectors_of
from context_graph.providers.cloudflare.api import CloudflareApi
from context_graph.providers.cloudflare.registry import all_permissions
from context_graph.testing_cloudflare import ACCOUNT, TOKEN, ZONE, FakeCloudflare, a_shop, failure, served
from gonogo.resource import Resource
from gonogo.word import ResourceId

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
OTHER = "9f8e7d6c5b4a39281706f5e4d3c2b1a0"
AT = f"/accounts/{ACCOUNT}"
SQS = ResourceId("arn:aws:sqs:eu-west-1:111122223333:audit")
RDS = ResourceId("arn:aws:rds:eu-west-1:111122223333:db:ledger")


def at(what: str, own: str, account: str = ACCOUNT) -> ResourceId:
    return ResourceId(f"cloudflare:{what}:{account}/{own}")


EDGE = at("worker", "checkout-edge")
WRITER = at("worker", "order-writer")


@pytest.fixture
def shop() -> Generator[FakeCloudflare]:
    with served(a_shop()) as fake:
        yield fake


def sync(fake: FakeCloudflare, engine: sa.Engine, *, hours: int = 0, accounts: tuple[str, ...] = ()) -> dict[str, Collected]:
    """Scope (account, place, part) → how it ended."""
    api = CloudflareApi(TOKEN, base=fake.base, pause=lambda _: None)
    told: list[Collected] = []
    sync_graph(collectors_of(api, accounts or accounts_of(api), now=NOON + timedelta(hours=hours)), engine, told=told.append)
    return {f"{one.scope.account}/{one.scope.region}/{one.scope.service}": one for one in told}


def part(told: dict[str, Collected], service: str, account: str = ACCOUNT) -> Collected:
    [found] = [one for one in told.values() if one.scope.service == service and one.scope.account == account]
    return found


def edges(engine: sa.Engine, *ids: ResourceId) -> set[tuple[str, str, str]]:
    return {(e.relation.value, e.target, e.evidence) for e in StoredGraph(engine).edges_from(ids)}


def test_every_binding_of_a_worker_is_an_edge_to_what_it_is_bound_to(shop: FakeCloudflare, engine: sa.Engine) -> None:
    told = sync(shop, engine)

    assert {one.status for one in told.values()} == {ScopeStatus.OK}
    assert edges(engine, EDGE) == {
        ("connects_to", at("kv_namespace", "aa" * 16), "binding SESSIONS"),
        ("connects_to", at("d1_database", "11111111-2222-3333-4444-555555555555"), "binding DB"),
        ("connects_to", at("r2_bucket", "eu/receipts"), "binding FILES"),
        ("publishes_to", at("queue", "orders"), "binding ORDERS"),
        ("connects_to", at("durable_object_namespace", "cc" * 16), "binding CARTS"),
        ("invokes", WRITER, "binding WRITER"),
        ("connects_to", at("hyperdrive", "dd" * 16), "binding LEDGER"),
        ("writes_to", at("analytics_engine", "clicks"), "binding EVENTS"),
        ("invokes", at("dispatch_namespace", "tenants"), "binding TENANTS"),
        ("connects_to", at("vectorize", "products"), "binding SIMILAR"),
        ("invokes", at("workflow", "refund"), "binding REFUND"),
        ("triggers", WRITER, "tail consumer order-writer"),
        ("connects_to", "arn:aws:dynamodb:eu-west-1:111122223333:table/limits", "variable LIMITS"),
    }
    bound = {target for _, target, evidence in edges(engine, EDGE) if evidence.startswith("binding")}
    assert set(StoredGraph(engine).kinds_of(bound)) == bound


def test_a_worker_has_its_settings_in_normal_form(shop: FakeCloudflare, engine: sa.Engine) -> None:
    sync(shop, engine)

    edge, writer = sorted(StoredGraph(engine).resources([EDGE, WRITER]), key=lambda r: r.name)
    assert (edge.kind, edge.name, edge.account, edge.region) == ("cloudflare.worker", "checkout-edge", ACCOUNT, "global")
    assert edge.attributes["bindings"] == {
        "SESSIONS": "kv_namespace", "DB": "d1", "FILES": "r2_bucket", "ORDERS": "queue", "CARTS": "durable_object_namespace",
        "WRITER": "service", "LEDGER": "hyperdrive", "EVENTS": "analytics_engine", "TENANTS": "dispatch_namespace",
        "SIMILAR": "vectorize", "REFUND": "workflow", "API_KEY": "secret_text", "AUDIT_QUEUE_URL": "plain_text",
        "PASSPHRASE": "plain_text", "LIMITS": "json", "AI": "ai",
    }  # fmt: skip
    assert edge.attributes["environment_keys"] == ["API_KEY", "AUDIT_QUEUE_URL", "LIMITS", "PASSPHRASE"]
    assert edge.attributes["routes"] == ["pay.acme.example", "shop.acme.example/*"]
    assert edge.attributes["schedule"] == ["*/5 * * * *"]
    assert (edge.attributes["cpu_limit_ms"], edge.attributes["placement_mode"]) == (80, "smart")
    assert (edge.attributes["compatibility_date"], edge.attributes["compatibility_flags"]) == ("2026-05-01", ["nodejs_compat"])
    assert {key: writer.attributes[key] for key in ("bindings", "routes", "schedule", "environment_keys")} == {
        "bindings": {}, "routes": [], "schedule": [], "environment_keys": [],
    }  # fmt: skip


def test_a_queue_has_its_consumers_limits_and_where_dead_letters_go(shop: FakeCloudflare, engine: sa.Engine) -> None:
    sync(shop, engine)

    [queue] = StoredGraph(engine).resources([at("queue", "orders")])
    assert queue.attributes == {
        "queue_id": "q1" * 16, "message_retention_s": 345600, "delay_s": 0, "delivery_paused": False,
        "consumers": ["worker:order-writer"], "producers": ["worker:checkout-edge"], "event_source_batch_size": 50,
        "event_source_retry_attempts": 3, "event_source_batching_window_s": 5, "event_source_maximum_concurrency": 10,
        "retry_delay_s": 10, "redrive_target": "orders-failed",
    }  # fmt: skip
    assert edges(engine, queue.id) == {
        ("triggers", WRITER, "consumer order-writer"),
        ("publishes_to", at("queue", "orders-failed"), "dead letters"),
    }


def test_requests_lead_from_a_zone_over_routes_and_domains_to_a_worker(shop: FakeCloudflare, engine: sa.Engine) -> None:
    sync(shop, engine)

    zone, route, passed, domain = (at("zone", ZONE), at("workers_route", "route1"), at("workers_route", "route2"),
                                   at("workers_custom_domain", "domain1"))  # fmt: skip
    assert {(relation, target) for relation, target, _ in edges(engine, zone, route, passed, domain)} == {
        ("routes_to", route), ("routes_to", passed), ("routes_to", domain), ("routes_to", EDGE),
    }  # fmt: skip
    assert edges(engine, passed) == set()


def test_texts_and_hosts_lead_to_what_aws_has_under_them(shop: FakeCloudflare, engine: sa.Engine) -> None:
    queue, database = (
        Resource(id=SQS, kind="aws.sqs.queue", name="audit", account="111122223333", region="eu-west-1"),
        Resource(id=RDS, kind="aws.rds.instance", name="ledger", account="111122223333", region="eu-west-1"),
    )
    aliases = {
        "https://sqs.eu-west-1.amazonaws.com/111122223333/audit": SQS,
        "ledger.abc.eu-west-1.rds.amazonaws.com": RDS,
    }
    scope = Scope("aws", "111122223333", "eu-west-1", "sqs")
    write(engine, Collected(scope, ScopeStatus.OK, NOON, resources=(queue, database), aliases=aliases))

    sync(shop, engine)

    assert ("connects_to", SQS, "variable AUDIT_QUEUE_URL") in edges(engine, EDGE)
    assert edges(engine, at("hyperdrive", "dd" * 16)) == {("connects_to", RDS, "origin host")}


def test_a_url_of_a_worker_leads_to_it_from_another_cloud(shop: FakeCloudflare, engine: sa.Engine) -> None:
    calls = {
        "domain": "https://pay.acme.example/v1/charge",
        "route": "https://shop.acme.example",
        "workers.dev": "https://checkout-edge.acme.workers.dev/health",
        "some of a host": "https://static.acme.example/logo.png",
    }
    shop.results[f"/zones/{ZONE}/workers/routes"].append(
        {"id": "route3", "pattern": "static.acme.example/img/*", "script": "checkout-edge"}
    )
    functions = {name: ResourceId(f"arn:aws:lambda:eu-west-1:111122223333:function:{n}") for n, name in enumerate(calls)}

    class Lambda:
        scope = Scope("aws", "111122223333", "eu-west-1", "lambda")

        def collect(self) -> Collected:
            resources = [Resource(id=at, kind="aws.lambda.function", name=name) for name, at in functions.items()]
            mentions = [Mention(functions[name], url, name) for name, url in calls.items()]
            return Collected(self.scope, ScopeStatus.OK, NOON, resources=resources, mentions=mentions)

    api = CloudflareApi(TOKEN, base=shop.base)
    sync_graph([Lambda(), *collectors_of(api, [ACCOUNT], now=NOON)], engine, told=lambda _: None)

    assert edges(engine, *functions.values()) == {("invokes", EDGE, name) for name in ("domain", "route", "workers.dev")}


def test_no_value_of_a_variable_and_no_user_of_a_database_is_kept(
    shop: FakeCloudflare, engine: sa.Engine, tmp_path: Path
) -> None:
    sync(shop, engine)

    engine.dispose()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"checkout-edge" in kept
    for secret in (b"hunter2", b"never-in-an-answer", b"app_user", TOKEN.encode()):
        assert secret not in kept


def test_the_permissions_of_the_token_are_exactly_those_of_the_calls(shop: FakeCloudflare, engine: sa.Engine) -> None:
    told = sync(shop, engine)

    used = {permission for one in told.values() for permission in one.calls} | {"Account: Account Settings Read"}
    assert shop.asked[0] == "/accounts"
    assert sorted(used) == all_permissions()


@pytest.mark.parametrize(
    ("status", "code", "message", "ended"),
    [
        (403, 10000, "Authentication error", ScopeStatus.DENIED),
        (400, 6003, "Invalid request headers", ScopeStatus.DENIED),
        (401, 9109, "Unauthorized to access requested resource", ScopeStatus.DENIED),
        (429, 10429, "You have been rate limited", ScopeStatus.THROTTLED),
        (500, 1, "internal error", ScopeStatus.PARTIAL),
        (200, 10001, "Unable to authenticate request", ScopeStatus.DENIED),  # HTTP says fine, the envelope says no
        (200, 1234, "something else", ScopeStatus.PARTIAL),
    ],
)
def test_a_refused_list_is_never_an_empty_one(
    shop: FakeCloudflare, engine: sa.Engine, status: int, code: int, message: str, ended: ScopeStatus
) -> None:
    sync(shop, engine)
    shop.refuse(f"{AT}/storage/kv/namespaces", status, code, message)

    told = sync(shop, engine, hours=1)

    refused = part(told, "kv")
    assert refused.status is ended
    assert message in refused.why
    assert refused.denied == (["Account: Workers KV Storage Read"] if ended is ScopeStatus.DENIED else [])
    assert StoredGraph(engine).kinds_of([at("kv_namespace", "aa" * 16)])
    assert {one.status for one in told.values() if one is not refused} == {ScopeStatus.OK}


def test_r2_that_is_not_switched_on_is_not_called_denied(shop: FakeCloudflare, engine: sa.Engine) -> None:
    shop.refuse(f"{AT}/r2/buckets", 403, 10042, "Please enable R2 through the Cloudflare Dashboard.")

    refused = part(sync(shop, engine), "r2")

    assert (refused.status, refused.denied) == (ScopeStatus.UNSUPPORTED, [])


def test_what_an_ok_list_no_longer_has_is_retired(shop: FakeCloudflare, engine: sa.Engine) -> None:
    sync(shop, engine)
    shop.results[f"{AT}/storage/kv/namespaces"] = []

    sync(shop, engine, hours=1)

    assert not StoredGraph(engine).kinds_of([at("kv_namespace", "aa" * 16)])
    assert StoredGraph(engine).kinds_of([EDGE])


def test_a_worker_that_is_deleted_between_list_and_question_is_no_fault(shop: FakeCloudflare, engine: sa.Engine) -> None:
    shop.refuse(f"{AT}/workers/scripts/order-writer/settings", 404, 10007, "This Worker does not exist on your account.")

    told = sync(shop, engine)

    assert part(told, "workers").status is ScopeStatus.OK
    assert not StoredGraph(engine).kinds_of([WRITER])


def test_settings_that_are_refused_leave_the_worker_known_and_its_bindings_unknown(
    shop: FakeCloudflare, engine: sa.Engine
) -> None:
    shop.refuse(f"{AT}/workers/scripts/order-writer/settings", 500, 1, "internal error")

    told = sync(shop, engine)

    [writer] = StoredGraph(engine).resources([WRITER])
    assert part(told, "workers").status is ScopeStatus.PARTIAL
    assert "bindings" not in writer.attributes
    assert "environment_keys" not in writer.attributes


@pytest.mark.parametrize("path", [f"/zones/{ZONE}/workers/routes", "/zones", f"{AT}/workers/domains"])
def test_routes_that_were_not_read_in_full_are_unknown_and_not_absent(shop: FakeCloudflare, engine: sa.Engine, path: str) -> None:
    shop.refuse(path, 403, 10000, "Authentication error")

    sync(shop, engine)

    [edge] = StoredGraph(engine).resources([EDGE])
    assert "routes" not in edge.attributes


def test_a_zone_that_refuses_costs_neither_other_zones_nor_workers(shop: FakeCloudflare, engine: sa.Engine) -> None:
    second = "2" * 32
    shop.results["/zones"] = [*shop.results["/zones"], {"id": second, "name": "acme.test", "status": "active"}]
    shop.results[f"/zones/{second}/workers/routes"] = [{"id": "route9", "pattern": "acme.test/*", "script": "order-writer"}]
    sync(shop, engine)
    shop.refuse(f"/zones/{ZONE}/workers/routes", 403, 10000, "Authentication error")

    told = sync(shop, engine, hours=1)

    statuses = {one.scope.region: one.status for one in told.values() if one.scope.service == "routes"}
    assert statuses == {"acme.example": ScopeStatus.DENIED, "acme.test": ScopeStatus.OK}
    assert part(told, "workers").status is ScopeStatus.OK
    assert StoredGraph(engine).kinds_of([at("workers_route", "route1")])
    assert edges(engine, at("workers_route", "route9")) == {("routes_to", WRITER, "route acme.test/*")}


def test_an_account_that_refuses_everything_costs_no_other_account(shop: FakeCloudflare, engine: sa.Engine) -> None:
    for path in ("workers/scripts", "storage/kv/namespaces", "d1/database", "r2/buckets", "queues", "hyperdrive/configs",
                 "workers/domains", "workers/subdomain", "workers/durable_objects/namespaces"):  # fmt: skip
        shop.refuse(f"/accounts/{OTHER}/{path}", 403, 10000, "Authentication error")

    told = sync(shop, engine, accounts=(OTHER, ACCOUNT))

    assert part(told, "workers", OTHER).status is ScopeStatus.DENIED
    assert {one.status for one in told.values() if one.scope.account == ACCOUNT} == {ScopeStatus.OK}


def test_what_asks_to_be_asked_later_is_asked_later(shop: FakeCloudflare, engine: sa.Engine) -> None:
    limited = (429, failure(10429, "You have been rate limited"), {"Retry-After": "7"})
    shop.faults[f"{AT}/d1/database"] = [limited, limited]
    pauses: list[float] = []
    api = CloudflareApi(TOKEN, base=shop.base, pause=pauses.append)
    told: list[Collected] = []

    sync_graph(collectors_of(api, [ACCOUNT], now=NOON), engine, told=told.append)

    assert pauses == [7, 7]
    assert {one.status for one in told} == {ScopeStatus.OK}


def test_data_of_a_shape_that_is_not_known_costs_that_thing_only(shop: FakeCloudflare, engine: sa.Engine) -> None:
    shop.results[f"{AT}/storage/kv/namespaces"].append({"id": "ee" * 16})

    told = sync(shop, engine)

    assert part(told, "kv").status is ScopeStatus.PARTIAL
    assert StoredGraph(engine).kinds_of([at("kv_namespace", "aa" * 16)])


def test_a_detail_that_is_throttled_ends_the_scope_and_retires_nothing(shop: FakeCloudflare, engine: sa.Engine) -> None:
    sync(shop, engine)
    shop.refuse(f"{AT}/workers/scripts/checkout-edge/settings", 429, 10429, "You have been rate limited")
    shop.asked.clear()

    told = sync(shop, engine, hours=1)

    assert part(told, "workers").status is ScopeStatus.PARTIAL
    assert "You have been rate limited" in part(told, "workers").why
    assert not any("order-writer" in path for path in shop.asked)
    assert set(StoredGraph(engine).kinds_of([EDGE, WRITER])) == {EDGE, WRITER}
