"""How many log lines a second become patterns on one core: `python -m benchmarks.log_patterns_bench`."""

import random
from datetime import UTC, datetime, timedelta
from time import process_time

from context_graph.providers.log_patterns import mine
from gonogo.context import LogLine
from gonogo.word import ResourceId

RESOURCE = ResourceId("bench:service:orders")
START = datetime(2026, 5, 4, tzinfo=UTC)
GOAL = 10_000


def lines(count: int, *, are_all_different: bool) -> list[LogLine]:
    """Lines of eight wordings with numbers, ids and addresses in them; or lines that share no wording at all."""
    chance = random.Random(7)
    words = [f"word{n}" for n in range(5_000)]
    found: list[LogLine] = []
    for at in range(count):
        order, took = chance.randrange(10**8), chance.random() * 900
        address = f"10.{chance.randrange(256)}.{chance.randrange(256)}.{chance.randrange(256)}"
        told = (
            f"GET /v1/orders/{order} 200 {took:.1f}ms from {address}",
            f"order {order} paid with card ending {chance.randrange(10**4):04}",
            f"ERROR charge of order {order} refused by acquirer: insufficient funds (code {chance.randrange(99)})",
            f"connection to ledger-db:5432 lost after {took:.0f} ms, retrying",
            f"cache miss for cart {chance.getrandbits(128):032x}",
            f"Authorization: Bearer {chance.getrandbits(200):050x} accepted for user {order}",
            f"published event {chance.getrandbits(64):016x} to orders topic partition {chance.randrange(24)}",
            f"2026-05-04T10:{at % 60:02}:11.{at % 1000:03}Z INFO worker-{chance.randrange(16)} heartbeat",
        )
        message = " ".join(chance.choices(words, k=8)) if are_all_different else told[at % len(told)]
        found.append(
            LogLine.model_construct(timestamp=START + timedelta(milliseconds=at), resource=RESOURCE, severity="", message=message)
        )
    return found


def main() -> int:
    """Print both rates; 1 when lines of ordinary services come slower than the goal."""
    rates: list[float] = []
    for name, count, are_all_different in (("eight wordings", 100_000, False), ("all lines different", 10_000, True)):
        given = lines(count, are_all_different=are_all_different)
        started = process_time()
        mined = mine(RESOURCE, given)
        seconds = process_time() - started
        rates.append(count / seconds)
        print(
            f"log patterns, {name:<20} {count:>8,} lines  {count / seconds:>9,.0f} lines/s  {len(mined.patterns):>6,} patterns  {mined.share:.0%} read"
        )
    return 0 if rates[0] >= GOAL else 1


if __name__ == "__main__":
    raise SystemExit(main())
