"""Sends webhooks as GitHub does: signed, with its headers, once, never again by itself; and keeps the list of deliveries.

Its own faults: `lose`, `duplicate`, `hold` and `release`.
"""

import hashlib
import hmac
import json
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

import httpx

from tests.github.world import App, World, now


@dataclass
class Delivery:
    """One attempt to deliver one event. `status_code` 0: nothing answered; then `status` says why."""

    id: int
    guid: str
    app: App
    event: str
    action: str | None
    body: bytes
    installation_id: int | None
    repository_id: int | None
    delivered_at: datetime
    is_redelivery: bool = False
    duration_s: float = 0.0
    status: str = "pending"
    status_code: int = 0
    request_headers: dict[str, str] = field(default_factory=dict)
    response_headers: dict[str, str] = field(default_factory=dict)
    response_body: str = ""

    @property
    def payload(self) -> dict[str, Any]:
        return json.loads(self.body)


@dataclass
class _Plan:
    what: str
    event: str
    left: int


class Mail:
    """The outgoing webhooks of all Apps. GitHub waits ten seconds for an answer."""

    timeout_s = 10.0

    def __init__(self, world: World) -> None:
        self._world = world
        self._pool = ThreadPoolExecutor(8, thread_name_prefix="webhooks")
        self._client = httpx.Client(
            timeout=self.timeout_s, trust_env=False, verify=False
        )  # loopback only; reading certificates takes a while
        self._lock = threading.Lock()
        self._plans: list[_Plan] = []
        self._held: list[Delivery] | None = None
        self.deliveries: list[Delivery] = []

    def close(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._client.close()

    def lose(self, event: str = "*", *, times: int = 1) -> None:
        """The next deliveries of this event (`pull_request` or `pull_request.synchronize`; `*` any) never arrive; GitHub lists them as failed."""
        self._plans.append(_Plan("lose", event, times))

    def duplicate(self, event: str = "*", *, times: int = 1) -> None:
        """The next deliveries of this event arrive twice, with one GUID."""
        self._plans.append(_Plan("duplicate", event, times))

    def hold(self) -> None:
        """Keep back what is sent from now on."""
        self._held = []

    def release(self, order: Callable[[list[Delivery]], Sequence[Delivery]] = list) -> list[Delivery]:
        """Send what was kept back, in the order that `order` makes of it: `release(lambda held: held[::-1])`. What it leaves out is lost."""
        held, self._held = self._held or [], None
        for delivery in order(held):
            self._attempt(delivery)
        for delivery in held:
            if delivery.status == "pending":
                _lose(delivery)
        return held

    def send(
        self, app: App, event: str, payload: dict[str, Any], *, wait: bool = True, guid: str | None = None
    ) -> Delivery | None:
        """Deliver; None when the App has no active webhook. With `wait`, after it was answered."""
        if app.webhook_url is None:
            return None
        body = json.dumps(payload, ensure_ascii=False).encode()
        installation: dict[str, Any] = payload.get("installation") or {}
        repository: dict[str, Any] = payload.get("repository") or {}
        delivery = Delivery(
            id=self._world.new_id(), guid=guid or str(uuid.uuid4()), app=app, event=event, action=payload.get("action"), body=body,
            installation_id=installation.get("id"), repository_id=repository.get("id"), delivered_at=now(),
        )  # fmt: skip
        with self._lock:
            self.deliveries.append(delivery)
            plan = self._plan(delivery)
            if self._held is not None and plan != "lose":
                self._held.append(delivery)
                return delivery
        if plan == "lose":
            _lose(delivery)
            return delivery
        sent = [self._soon(delivery) for _ in range(2 if plan == "duplicate" else 1)]
        if wait:
            _ended(sent)
        return delivery

    def redeliver(self, delivery: Delivery) -> Delivery:
        """A new attempt with the same GUID and body; it is sent soon, the caller does not wait."""
        again = Delivery(
            self._world.new_id(), delivery.guid, delivery.app, delivery.event, delivery.action, delivery.body,
            delivery.installation_id, delivery.repository_id, now(), is_redelivery=True,
        )  # fmt: skip
        with self._lock:
            self.deliveries.append(again)
        self._soon(again)
        return again

    def settle(self, *, within_s: float = 15) -> None:
        """Until everything that was sent is answered or has failed."""
        until = time.monotonic() + within_s
        while any(d.status == "pending" for d in self.deliveries if self._held is None or d not in self._held):
            if time.monotonic() > until:
                raise TimeoutError("webhooks are still on their way")
            time.sleep(0.01)

    def _soon(self, delivery: Delivery) -> Future[None]:
        try:
            return self._pool.submit(self._attempt, delivery)
        except RuntimeError:  # it was closed: a client that outlived its test still asks
            _lose(delivery)
            done = Future[None]()
            done.set_result(None)
            return done

    def _plan(self, delivery: Delivery) -> str | None:
        names = (delivery.event, f"{delivery.event}.{delivery.action}")
        for plan in self._plans:
            if plan.left and any(fnmatchcase(name, plan.event) for name in names):
                plan.left -= 1
                return plan.what
        return None

    def _attempt(self, delivery: Delivery) -> None:
        headers = headers_of(delivery.app, delivery.event, delivery.guid, delivery.body)
        began = time.monotonic()
        delivery.request_headers = headers
        try:
            answer = self._client.post(delivery.app.webhook_url or "", content=delivery.body, headers=headers)
        except httpx.TimeoutException:
            delivery.status, delivery.status_code = "timed out", 0
        except httpx.HTTPError:
            _lose(delivery)
        else:
            delivery.response_headers, delivery.response_body = dict(answer.headers), answer.text
            delivery.status_code = answer.status_code
            delivery.status = "OK" if answer.is_success else f"Invalid HTTP Response: {answer.status_code}"
        delivery.duration_s = round(time.monotonic() - began, 2)
        delivery.delivered_at = now()


def headers_of(app: App, event: str, guid: str, body: bytes) -> dict[str, str]:
    """The headers of a delivery, signatures included."""
    secret = app.webhook_secret.encode()
    return {
        "User-Agent": "GitHub-Hookshot/044aadd", "Accept": "*/*", "Content-Type": "application/json",
        "X-GitHub-Event": event, "X-GitHub-Delivery": guid, "X-GitHub-Hook-ID": str(app.id + 1),
        "X-GitHub-Hook-Installation-Target-ID": str(app.id), "X-GitHub-Hook-Installation-Target-Type": "integration",
        "X-Hub-Signature": "sha1=" + hmac.new(secret, body, hashlib.sha1).hexdigest(),
        "X-Hub-Signature-256": "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest(),
    }  # fmt: skip


def _lose(delivery: Delivery) -> None:
    delivery.status, delivery.status_code = "failed to connect to host", 502


def _ended(sent: Sequence[Future[None]]) -> None:
    for one in sent:
        one.result()
