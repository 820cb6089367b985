"""The one way in: records every request, holds it to GitHub's description, plays the planned faults, adds GitHub's headers."""

import asyncio
import contextlib
import hashlib
import json
import re
import secrets
import time
import traceback
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.github.against_description import LET_PASS, complaint
from tests.github.faults import Answer, Cut, Hang, Planned, Wait, secondary_limit
from tests.github.hub import Hub
from tests.github.record import Call, Violation

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

API, WEB = "/api", "/web"
VERSIONS = {"", "2022-11-28", "2026-03-10"}


@dataclass
class _Answered:
    status: int = 500
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


class Door:
    """The outermost ASGI application, in front of the API and the web."""

    def __init__(self, hub: Hub, api: Asgi, web: Asgi) -> None:
        self._hub, self._api, self._web = hub, api, web

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        raw: str = scope["path"]
        prefix = next((p for p in (API, WEB) if raw.startswith(f"{p}/")), None)
        if prefix is None:
            await _give(send, _Answered(404, {"content-type": "text/plain"}, f"neither {API} nor {WEB}".encode()))
            return
        body = await _body_of(receive)
        path, query = unquote(raw[len(prefix) :]), scope["query_string"].decode()
        headers = {name.decode().lower(): value.decode() for name, value in scope["headers"]}
        call = self._hub.record.open(scope["method"], path, query, _parsed(body), headers)
        refused: _Answered | None = None
        if prefix == API:
            path = call.path = self._renamed(path)
            refused = self._against_description(call, headers, body)
        inner = dict(scope) | {"path": path, "raw_path": path.encode(), "root_path": "", "hub": self._hub}
        planned = self._hub.faults.take(call.method, path, call.body) or self._too_many(call)
        call.fault = planned.fault.name if planned else None
        answered = refused or await self._answer(call, planned, inner, body, send, is_api=prefix == API)
        call.ended_at = time.monotonic()
        if answered is None:
            return
        call.status = answered.status
        await _give(send, answered)

    def _against_description(self, call: Call, headers: dict[str, str], body: bytes) -> _Answered | None:
        """Note what the description does not allow; what GitHub refuses too is refused."""
        reason = complaint(call.method, call.path, call.query, headers, body)
        if reason is None:
            return None
        self._hub.record.violations.append(Violation(call.method, call.path, reason))
        if reason.startswith(LET_PASS):
            return None
        call.took_effect = False
        said = {"message": f"Invalid request.\n\n{reason}", "documentation_url": "https://docs.github.com/rest", "status": "422"}
        return _Answered(422, {"content-type": "application/json; charset=utf-8"}, json.dumps(said).encode())

    async def _answer(
        self, call: Call, planned: Planned | None, scope: Scope, body: bytes, send: Send, *, is_api: bool
    ) -> _Answered | None:
        """None: the connection was cut."""
        match planned.fault if planned else None:
            case Answer() as answer:
                answered = _Answered(answer.status, {"content-type": answer.content_type}, answer.content())
                if answer.after_commit:
                    await self._run(call, scope, body, is_api=is_api)
                call.took_effect = answer.after_commit
                return self._with_headers(call, answered, answer.headers) if is_api else answered
            case Cut(after_commit):
                if after_commit:
                    await self._run(call, scope, body, is_api=is_api)
                call.took_effect = after_commit
                await _cut(send)
                return None
            case Hang():
                call.took_effect = False
                while planned and not planned.is_cleared:  # noqa: ASYNC110  another thread clears it
                    await asyncio.sleep(0.05)
                await _cut(send)
                return None
            case Wait(seconds):
                await asyncio.sleep(seconds)
            case None:
                pass
        answered = await self._run(call, scope, body, is_api=is_api)
        return self._with_headers(call, answered, {}) if is_api else answered

    async def _run(self, call: Call, scope: Scope, body: bytes, *, is_api: bool) -> _Answered:
        if is_api and call.headers.get("x-github-api-version", "") not in VERSIONS:
            return _Answered(400, {"content-type": "application/json"}, b'{"message":"Unsupported API version"}')
        answered = _Answered()
        try:
            if is_api:
                with self._hub.world.lock:  # the routes of the API do not wait for anything
                    await self._api(scope, _replay(body), _keep(answered))
            else:
                await self._web(scope, _replay(body), _keep(answered))
        except Exception:  # noqa: BLE001  whatever it is, the test must see it
            self._hub.record.crashes.append(f"{call}\n{traceback.format_exc()}")
        return answered

    def _with_headers(self, call: Call, answered: _Answered, more: Any) -> _Answered:
        used = len(self._hub.record.calls)
        limits = {"x-ratelimit-limit": "5000", "x-ratelimit-remaining": str(max(5000 - used, 1)), "x-ratelimit-used": str(used),
                  "x-ratelimit-reset": str(int(time.time()) + 3600), "x-ratelimit-resource": "core",
                  "x-github-request-id": secrets.token_hex(8).upper()}  # fmt: skip
        answered.headers = limits | answered.headers | dict(more)
        if call.method == "GET" and answered.status == 200:
            tag = f'W/"{hashlib.sha256(answered.body).hexdigest()}"'
            answered.headers["etag"] = tag
            if call.headers.get("if-none-match") == tag:
                return _Answered(304, {k: v for k, v in answered.headers.items() if not k.startswith("content-")}, b"")
        return answered

    def _too_many(self, call: Call) -> Planned | None:
        most = self._hub.faults.contents_per_minute
        if most is None or call.method == "GET" or not call.path.startswith("/repos/"):
            return None
        if self._hub.record.contents_within(60) <= most:  # this one is among them
            return None
        return Planned(call.path, secondary_limit(), left=0, skip=0, when=None)

    def _renamed(self, path: str) -> str:
        """`/repositories/{id}/...` is the repository by whatever name it has now."""
        if match := re.match(r"/repositories/(\d+)(?=/|$)", path):
            repository = self._hub.world.repositories.get(int(match[1]))
            return f"/repos/{repository.full_name if repository else 'ghost/gone'}{path[match.end() :]}"
        return path


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body) if body else None
    except ValueError:
        return body


async def _body_of(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


def _replay(body: bytes) -> Receive:
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if left:
            return left.pop()
        await asyncio.Event().wait()  # the client is still there
        return {"type": "http.disconnect"}

    return receive


def _keep(answered: _Answered) -> Send:
    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answered.status = message["status"]
            answered.headers = {n.decode().lower(): v.decode() for n, v in message.get("headers", ())}
        else:
            answered.body += message.get("body", b"")

    return send


async def _give(send: Send, answered: _Answered) -> None:
    headers = answered.headers | ({} if answered.status == 304 else {"content-length": str(len(answered.body))})
    with contextlib.suppress(OSError):
        await send(
            {
                "type": "http.response.start",
                "status": answered.status,
                "headers": [(n.encode(), v.encode()) for n, v in headers.items()],
            }
        )
        await send({"type": "http.response.body", "body": answered.body})


async def _cut(send: Send) -> None:
    """Close the connection as if the network had: uvicorn's `send` is a method of the cycle that holds the transport."""
    transport: Any = getattr(send, "__self__").transport  # noqa: B009  not of the ASGI interface
    transport.abort()
    await asyncio.sleep(0.01)  # until uvicorn has noticed, or it complains of an answer that is missing
