"""`POST /webhooks/github`: raw body, signature, known delivery, queue, 202. No GitHub call, no database, nothing read but its form.

401 the signature is missing or wrong; 413 too large; 400 signed but not readable; 503 the queue is not there, so that GitHub lists
the delivery as failed and the sweep asks for it again; 202 everything else, unknown events and `ping` too.
"""

import asyncio
import hashlib
import hmac
import json
import logging
import re
from collections.abc import Mapping
from urllib.parse import parse_qs

from pydantic_core import from_json
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from bot.entrypoints.web.deliveries import REDIS_ERRORS, Deliveries

MAX_BODY_BYTES = 25 * 2**20
"""GitHub sends nothing larger (docs.github.com, webhook events and payloads)."""
BODY_WITHIN_S = 30.0

_WORD = re.compile(r"[A-Za-z0-9_.-]{1,100}")
_GUID = re.compile(r"[A-Za-z0-9._:-]{1,200}")

log = logging.getLogger("gonogo.web")


class Refused(Exception):
    """The request is answered with this status and these words."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class Webhook:
    """The endpoint, an ASGI application: 10,000 of them may come at once."""

    def __init__(self, *, secret: str, app_id: int, deliveries: Deliveries) -> None:
        self._secret = secret.encode()
        self._app_id = str(app_id)
        self._deliveries = deliveries

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] != "POST":
            await PlainTextResponse("POST only\n", 405, headers={"Allow": "POST"})(scope, receive, send)
            return
        headers: dict[str, str] = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        try:
            told = await self._take(headers, receive)
            answer = Response(status_code=202, headers={"Gonogo-Delivery": told})  # without a body it is one write, not two
        except Refused as refused:
            told = refused.why
            answer = JSONResponse({"error": told}, refused.status)
        event, guid = headers.get("x-github-event", ""), headers.get("x-github-delivery", "")
        scope["gonogo.log"] = {"event": event[:100], "delivery": guid[:100], "answer": told}
        await answer(scope, receive, send)

    async def _take(self, headers: Mapping[str, str], receive: Receive) -> str:
        body = await self._signed_body(headers, receive)
        event, guid = headers.get("x-github-event", ""), headers.get("x-github-delivery", "")
        if not _WORD.fullmatch(event):
            raise Refused(400, "X-GitHub-Event is missing or no name of an event")
        if not _GUID.fullmatch(guid):
            raise Refused(400, "X-GitHub-Delivery is missing or no id")
        text = _json_object(body, content_type=headers.get("content-type", ""))
        app = headers.get("x-github-hook-installation-target-id", "")
        try:
            is_new = await self._deliveries.accept(
                app=app if app.isascii() and app.isdigit() else self._app_id, guid=guid, event=event, body=text
            )
        except REDIS_ERRORS as error:
            log.error(  # noqa: TRY400  its traceback tells nothing
                "queue not reached", extra={"why": type(error).__name__, "delivery": guid}
            )
            raise Refused(503, "the queue is not reached; this delivery was not taken") from error
        return "queued" if is_new else "known"

    async def _signed_body(self, headers: Mapping[str, str], receive: Receive) -> bytes:
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > MAX_BODY_BYTES:
            raise Refused(413, "larger than 25 MB")
        signature = headers.get("x-hub-signature-256", "")
        if not signature:
            raise Refused(401, "X-Hub-Signature-256 is missing")
        body = await _body(receive)
        expected = "sha256=" + hmac.digest(self._secret, body, hashlib.sha256).hex()
        if not hmac.compare_digest(expected.encode(), signature.encode()):
            raise Refused(401, "X-Hub-Signature-256 is not that of this body and our secret")
        return body


async def _body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    total_bytes = 0
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise Refused(400, "the body ended early")
                part: bytes = message.get("body", b"")
                total_bytes += len(part)
                if total_bytes > MAX_BODY_BYTES:
                    raise Refused(413, "larger than 25 MB")
                parts.append(part)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError as error:
        raise Refused(408, f"the body did not arrive within {BODY_WITHIN_S:g} s") from error


def _json_object(body: bytes, *, content_type: str) -> str:
    """The body as text, once it is known to be a JSON object; a hook set to form encoding carries it in the field `payload`."""
    try:
        text = body.decode()
        if content_type.partition(";")[0].strip().lower() == "application/x-www-form-urlencoded":
            text = parse_qs(text, strict_parsing=True, max_num_fields=8)["payload"][0]
        is_object = isinstance(_parsed(text), dict)
    except (ValueError, KeyError, RecursionError) as error:
        raise Refused(400, "the body is not JSON") from error
    if not is_object:
        raise Refused(400, "the body is no JSON object")
    return text


def _parsed(text: str) -> object:
    try:
        return from_json(text, allow_inf_nan=False, cache_strings="none")  # twice as quick as json.loads, and stricter
    except ValueError:
        return json.loads(text, parse_constant=_no_json)  # takes half a surrogate pair in a string


def _no_json(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
