"""A Cloudflare on loopback for tests: the envelope, pages and errors of the API v4 as its reference shows them."""

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, cast, override
from urllib.parse import parse_qs, urlsplit

ACCOUNT = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
ZONE = "f1e2d3c4b5a697887766554433221100"
TOKEN = "a-token-of-tests"  # noqa: S105  opens nothing but this fake
PREFIX = "/client/v4"

WHOLE = frozenset(("scripts", "domains", "routes", "consumers", "configs"))
"""Last words of the paths whose lists come in one piece, without `result_info`."""

BY_CURSOR = frozenset(("buckets",))


@dataclass
class FakeCloudflare:
    """Answers `results` (path → list or object) in pages of at most `largest_page`; `faults` (path → answers to give first).

    A fault is `(status, body, headers)`; one that is given as `always` stays. `asked` holds every path in order.
    """

    results: dict[str, Any] = field(default_factory=dict[str, Any])
    faults: dict[str, list[tuple[int, Any, Mapping[str, str]]]] = field(
        default_factory=dict[str, list[tuple[int, Any, Mapping[str, str]]]]
    )
    always: dict[str, tuple[int, Any, Mapping[str, str]]] = field(default_factory=dict[str, tuple[int, Any, Mapping[str, str]]])
    largest_page: int = 50
    has_totals: bool = True
    asked: list[str] = field(default_factory=list[str])
    base: str = ""

    def refuse(self, path: str, status: int, code: int, message: str) -> None:
        """Answer every question for this path with one of Cloudflare's errors."""
        self.always[path] = (status, failure(code, message), {})

    def answer(
        self, path: str, query: Mapping[str, Sequence[str]], *, token: str, jurisdiction: str
    ) -> tuple[int, Any, Mapping[str, str]]:
        """Status, body and headers."""
        self.asked.append(path)
        if token != f"Bearer {TOKEN}":
            return 403, failure(9109, "Invalid access token"), {}
        if waiting := self.faults.get(path):
            return waiting.pop(0)
        if path in self.always:
            return self.always[path]
        held = self.results.get(f"{path}@{jurisdiction}" if jurisdiction else path)
        if held is None:
            if jurisdiction:
                return 200, success({"buckets": []}, {"per_page": 1000}), {}
            return 404, failure(7003, f"Could not route to {path}, perhaps your object identifier is invalid?"), {}
        if not isinstance(held, list):
            return 200, success(held), {}
        return 200, self._page(path.rpartition("/")[2], cast("list[Any]", held), query), {}

    def _page(self, last: str, held: Sequence[Any], query: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        if last in WHOLE:
            return success([*held])
        size = min(int(query.get("per_page", ["20"])[0]), self.largest_page)
        if last in BY_CURSOR:
            start = int(query.get("cursor", ["c0"])[0][1:])
            after = start + size
            more = {"cursor": f"c{after}"} if after < len(held) else {}
            return success({last: [*held[start:after]]}, {"per_page": size, **more})
        page = int(query.get("page", ["1"])[0])
        some = [*held[(page - 1) * size : page * size]]
        information: dict[str, Any] = {"page": page, "per_page": size, "count": len(some)}
        if self.has_totals:
            information |= {"total_count": len(held), "total_pages": -(-len(held) // size)}
        return success(some, information)


def success(result: Any, information: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The envelope of an answer."""
    envelope: dict[str, Any] = {"success": True, "errors": [], "messages": [], "result": result}
    return envelope | ({"result_info": information} if information is not None else {})


def failure(code: int, message: str) -> dict[str, Any]:
    """The envelope of an error."""
    return {"success": False, "errors": [{"code": code, "message": message}], "messages": [], "result": None}


@contextmanager
def served(fake: FakeCloudflare) -> Generator[FakeCloudflare]:
    """The fake on a free port of loopback; `base` is where."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            status, body, headers = fake.answer(
                parts.path.removeprefix(PREFIX),
                parse_qs(parts.query),
                token=self.headers.get("Authorization", ""),
                jurisdiction=self.headers.get("cf-r2-jurisdiction", ""),
            )
            text = (body if isinstance(body, str) else json.dumps(body)).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", "Content-Length": str(len(text)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text)

        @override
        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    fake.base = f"http://127.0.0.1:{server.server_address[1]}{PREFIX}"
    try:
        yield fake
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def a_shop() -> FakeCloudflare:
    """An account with two Workers that share a queue, and one of everything that they may be bound to."""
    account, zone = f"/accounts/{ACCOUNT}", f"/zones/{ZONE}"
    api = f"{account}/workers/scripts/checkout-edge"
    writer = f"{account}/workers/scripts/order-writer"
    return FakeCloudflare(
        {
            "/accounts": [{"id": ACCOUNT, "name": "Acme", "type": "standard"}],
            "/zones": [{"id": ZONE, "name": "acme.example", "status": "active", "paused": False, "type": "full"}],
            f"{zone}/workers/routes": [
                {"id": "route1", "pattern": "shop.acme.example/*", "script": "checkout-edge"},
                {"id": "route2", "pattern": "shop.acme.example/static/*"},
            ],
            f"{account}/workers/scripts": [
                {"id": "checkout-edge", "etag": "e1", "usage_model": "standard", "logpush": False},
                {"id": "order-writer", "etag": "e2", "usage_model": "standard", "logpush": False},
            ],
            f"{account}/workers/subdomain": {"subdomain": "acme"},
            f"{account}/workers/domains": [
                {"id": "domain1", "zone_id": ZONE, "zone_name": "acme.example", "hostname": "pay.acme.example",
                 "service": "checkout-edge", "environment": "production"},
            ],
            f"{api}/settings": {
                "compatibility_date": "2026-05-01",
                "compatibility_flags": ["nodejs_compat"],
                "usage_model": "standard",
                "limits": {"cpu_ms": 80},
                "placement": {"mode": "smart"},
                "tail_consumers": [{"service": "order-writer"}],
                "bindings": [
                    {"name": "SESSIONS", "type": "kv_namespace", "namespace_id": "aa" * 16},
                    {"name": "DB", "type": "d1", "id": "11111111-2222-3333-4444-555555555555"},
                    {"name": "FILES", "type": "r2_bucket", "bucket_name": "receipts", "jurisdiction": "eu"},
                    {"name": "ORDERS", "type": "queue", "queue_name": "orders"},
                    {"name": "CARTS", "type": "durable_object_namespace", "class_name": "Cart", "namespace_id": "cc" * 16},
                    {"name": "WRITER", "type": "service", "service": "order-writer", "environment": "production"},
                    {"name": "LEDGER", "type": "hyperdrive", "id": "dd" * 16},
                    {"name": "EVENTS", "type": "analytics_engine", "dataset": "clicks"},
                    {"name": "TENANTS", "type": "dispatch_namespace", "namespace": "tenants"},
                    {"name": "SIMILAR", "type": "vectorize", "index_name": "products"},
                    {"name": "REFUND", "type": "workflow", "workflow_name": "refund", "script_name": "order-writer",
                     "class_name": "Refund"},
                    {"name": "API_KEY", "type": "secret_text"},
                    {"name": "AUDIT_QUEUE_URL", "type": "plain_text",
                     "text": "https://sqs.eu-west-1.amazonaws.com/111122223333/audit"},
                    {"name": "PASSPHRASE", "type": "plain_text", "text": "hunter2-and-more"},
                    {"name": "LIMITS", "type": "json", "json": {"table": "arn:aws:dynamodb:eu-west-1:111122223333:table/limits"}},
                    {"name": "AI", "type": "ai"},
                ],
            },
            f"{api}/schedules": {"schedules": [{"cron": "*/5 * * * *", "created_on": "2026-05-01T00:00:00Z"}]},
            f"{writer}/settings": {"compatibility_date": "2026-05-01", "bindings": []},
            f"{writer}/schedules": {"schedules": []},
            f"{account}/storage/kv/namespaces": [{"id": "aa" * 16, "title": "sessions", "supports_url_encoding": True}],
            f"{account}/d1/database": [
                {"uuid": "11111111-2222-3333-4444-555555555555", "name": "shop", "version": "production", "num_tables": 4,
                 "file_size": 45056, "created_at": "2026-05-01T00:00:00Z"},
            ],
            f"{account}/r2/buckets": [{"name": "media", "creation_date": "2026-05-01T00:00:00Z", "location": "WEUR"}],
            f"{account}/r2/buckets@eu": [{"name": "receipts", "creation_date": "2026-05-01T00:00:00Z", "jurisdiction": "eu"}],
            f"{account}/workers/durable_objects/namespaces": [
                {"id": "cc" * 16, "class": "Cart", "name": "checkout-edge_Cart", "script": "checkout-edge", "use_sqlite": True},
            ],
            f"{account}/queues": [
                {"queue_id": "q1" * 16, "queue_name": "orders", "producers_total_count": 1, "consumers_total_count": 1,
                 "producers": [{"type": "worker", "script": "checkout-edge"}], "consumers": [],
                 "settings": {"delivery_delay": 0, "delivery_paused": False, "message_retention_period": 345600}},
                {"queue_id": "q2" * 16, "queue_name": "orders-failed", "producers_total_count": 0, "consumers_total_count": 0,
                 "producers": [], "consumers": [], "settings": {"message_retention_period": 345600}},
            ],
            f"{account}/queues/{'q1' * 16}/consumers": [
                {"consumer_id": "k1", "type": "worker", "script_name": "order-writer", "queue_name": "orders",
                 "dead_letter_queue": "orders-failed",
                 "settings": {"batch_size": 50, "max_retries": 3, "max_wait_time_ms": 5000, "max_concurrency": 10,
                              "retry_delay": 10}},
            ],
            f"{account}/queues/{'q2' * 16}/consumers": [],
            f"{account}/hyperdrive/configs": [
                {"id": "dd" * 16, "name": "ledger", "origin_connection_limit": 60,
                 "origin": {"scheme": "postgres", "host": "ledger.abc.eu-west-1.rds.amazonaws.com", "port": 5432,
                            "database": "ledger", "user": "app_user", "password": "never-in-an-answer"},
                 "caching": {"disabled": False, "max_age": 60, "stale_while_revalidate": 15}},
            ],
        }
    )  # fmt: skip
