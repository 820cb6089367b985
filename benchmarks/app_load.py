"""Sends webhooks as fast as told and times each answer: a plain HTTP/1.1 client, since a comfortable one would be the slowest part."""

import asyncio
import hashlib
import hmac
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

SECRET = "bench"


@dataclass
class Answers:
    """Status of every delivery in turn, and how long each took, in milliseconds."""

    statuses: list[int] = field(default_factory=list[int])
    ms: list[float] = field(default_factory=list[float])
    seconds: float = 0.0

    def percentile(self, share: float) -> float:
        """Of the milliseconds."""
        ordered = sorted(self.ms)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def requests(bodies: Sequence[bytes], guids: Sequence[str]) -> Iterator[bytes]:
    """Signed deliveries, one a GUID, with the bodies in turn."""
    signatures = [hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest() for body in bodies]
    for number, guid in enumerate(guids):
        body, signature = bodies[number % len(bodies)], signatures[number % len(bodies)]
        head = (
            "POST /webhooks/github HTTP/1.1\r\nHost: gonogo\r\nContent-Type: application/json\r\nUser-Agent: GitHub-Hookshot/bench\r\n"
            f"X-GitHub-Event: ping\r\nX-GitHub-Delivery: {guid}\r\nX-Hub-Signature-256: sha256={signature}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        yield head.encode() + body


async def burst(port: int, sent: Sequence[bytes], *, connections: int) -> Answers:
    """All of them, each connection sending its next as soon as it has its answer."""
    waiting, answers, started = iter(sent), Answers(), time.perf_counter()

    async def one_connection() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for request in waiting:
            began = time.perf_counter()
            writer.write(request)
            answers.statuses.append(await _status(reader))
            answers.ms.append((time.perf_counter() - began) * 1000)
        writer.close()
        await writer.wait_closed()

    async with asyncio.TaskGroup() as group:
        for _ in range(connections):
            group.create_task(one_connection())
    answers.seconds = time.perf_counter() - started
    return answers


async def steady(port: int, sent: Sequence[bytes], *, a_second: float) -> Answers:
    """So many a second, whatever the answers do; each is timed from the moment it was due, so a stall counts for all it held up."""
    answers, started = Answers(), time.perf_counter()
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def one(request: bytes, due: float) -> None:
        while idle and idle[-1][0].at_eof():  # the server closes a connection that was idle for long
            idle.pop()[1].close()
        reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        answers.statuses.append(await _status(reader))
        answers.ms.append((time.perf_counter() - due) * 1000)
        idle.append((reader, writer))

    async with asyncio.TaskGroup() as group:
        for number, request in enumerate(sent):
            due = started + number / a_second
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            group.create_task(one(request, due))
    answers.seconds = time.perf_counter() - started
    for _, writer in idle:
        writer.close()
    return answers


async def _status(reader: asyncio.StreamReader) -> int:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = next(int(line.partition(":")[2]) for line in head.split("\r\n") if line.lower().startswith("content-length:"))
    await reader.readexactly(length)
    return int(head.split(" ", 2)[1])
