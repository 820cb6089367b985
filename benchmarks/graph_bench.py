"""The graph of production, measured (`make bench`): the walk of one change at 100,000 and 1,000,000 resources on SQLite and
PostgreSQL, beside networkx loading the whole graph; and a sync of 10,000 resources with its peak memory.

The estate is made here: apps of 24 resources and the repository that deploys them, four edges a resource, of which 85% stay
inside the app, 10% lead to another and 5% to a few hubs that much leans on (a network, a key), as real ones are skewed.
"""

import argparse
import gc
import importlib
import importlib.util
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa

from benchmarks.graph_estate import Synthetic, estate_edges, estate_nodes, repositories, synthetic_scopes
from bot.jobs.sync_graph import sync_graph
from bot.storage.database import open_database
from bot.storage.graph import StoredGraph
from bot.storage.tables import EDGE
from context_graph.affected import affected_resources
from scripts.postgres_server import postgres_server, server_binaries

SIZES = (100_000, 1_000_000)
WALKS = 200
REPEATS = 5
MAX_P95_MS = 10.0
SYNCED = 10_000


def main() -> int:
    """Print the tables; 1 when a walk's p95 is over its limit."""
    parser = argparse.ArgumentParser(description="Time of walks and syncs of the graph.")
    parser.add_argument("--nodes", type=int, nargs="+", default=SIZES, help="sizes of the graph")
    parser.add_argument(
        "--sync-here", type=int, metavar="N", help="only sync N resources and print what that took (a process of its own)"
    )
    options = parser.parse_args()
    gc.set_threshold(100_000, 50, 100)  # as the command line sets it
    if options.sync_here:
        print(json.dumps(_sync(options.sync_here)))
        return 0
    print(f"{'graph walk of one change':<46} {'p50 ms':>8} {'p95 ms':>8} {'CPU p95':>8}   resources p50/max")
    slow = [what for size in options.nodes for what in _walks(size)]
    print(f"\nsync of {SYNCED:,} resources")
    child = [sys.executable, "-m", "benchmarks.graph_bench", "--sync-here", str(SYNCED)]
    took = json.loads(subprocess.run(child, check=True, capture_output=True, text=True).stdout)
    print(
        f"gonogo, SQLite: {took['seconds']:.1f} s, peak {took['peak_mib']:.0f} MiB, {took['at_rest_mib']:.0f} MiB of it before it began"
    )
    if slow:
        print(f"\nover {MAX_P95_MS:g} ms: {', '.join(slow)}", file=sys.stderr)
    return 1 if slow else 0


def _walks(size: int) -> Iterator[str]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = {"SQLite": f"sqlite:///{folder}/graph.db"}
        if server_binaries() is not None:
            urls["PostgreSQL"] = stack.enter_context(postgres_server())
        else:
            print(f"{size:,} resources, PostgreSQL: skipped: not installed")
        for name, url in urls.items():
            engine = open_database(url)
            stack.callback(engine.dispose)
            started = time.perf_counter()
            _fill(engine, size)
            filled = time.perf_counter() - started
            wall, cpu, found = _walked(engine, size)
            p95 = _p95(wall)
            what = f"{size:,} resources, {name}"
            print(
                f"{what:<46} {statistics.median(wall):8.2f} {p95:8.2f} {_p95(cpu):8.2f}   {_sizes(found)} (filled in {filled:.0f} s)"
            )
            if p95 > MAX_P95_MS:
                yield what
        if size <= SIZES[0]:
            print(_networkx(folder / "graph.db", size))


def _walked(engine: sa.Engine, size: int) -> tuple[list[float], list[float], list[int]]:
    """Milliseconds of each walk, on the clock and of this process, and how much each found.

    Each start is walked a few times, warm, and its quickest counts: what else the machine does only ever adds.
    """
    stored = StoredGraph(engine)
    wall: list[float] = []
    cpu: list[float] = []
    found: list[int] = []
    for start in repositories(size, WALKS):
        taken: list[tuple[float, float]] = []
        reached = 0
        for _ in range(REPEATS):
            began, worked = time.perf_counter(), time.process_time()
            with stored.reading() as graph:
                reached = len(affected_resources(start, (), graph)[0])
            taken.append(((time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000))
        wall.append(min(clock for clock, _ in taken))
        cpu.append(min(worked for _, worked in taken))
        found.append(reached)
    return wall, cpu, found


def _fill(engine: sa.Engine, size: int) -> None:
    """Straight into the tables, the quick way; a sync is measured apart."""
    indexes = [index for index in EDGE.indexes if index.name]
    for index in indexes:
        index.drop(engine)
    in_degrees = [0] * (size + 1)
    for _, _, target in estate_edges(size):
        in_degrees[target] += 1
    with engine.connect() as connection, connection.begin():
        if engine.dialect.name == "sqlite":
            for statement in ("PRAGMA foreign_keys=OFF", "PRAGMA cache_size=-400000", "BEGIN IMMEDIATE"):
                connection.exec_driver_sql(statement)
        now = datetime.now(UTC)
        scope = {"p": "aws", "a": "1", "r": "eu-west-1", "s": "all", "t": "ok", "now": now}
        connection.execute(
            sa.text(
                "INSERT INTO scope (number, provider, account, region, service, status, why, asked_at, answered_at)"
                " VALUES (1, :p, :a, :r, :s, :t, '', :now, :now)"
            ),
            scope,
        )
        fill = _copy if engine.dialect.name == "postgresql" else _insert
        fill(
            connection,
            "node",
            "number, id, kind, name, account, region, attributes, scope, in_degree",
            estate_nodes(size, in_degrees),
        )
        seen = now.isoformat(sep=" ")
        rows = ((source, relation, target, 1, "live", "made", seen) for source, relation, target in estate_edges(size))
        fill(connection, "edge", "source, relation, target, scope, origin, evidence, seen_at", rows)
    for index in indexes:
        index.create(engine)
    with engine.begin() as connection:
        connection.exec_driver_sql("ANALYZE")


def _copy(connection: sa.Connection, table: str, columns: str, rows: Iterator[Sequence[object]]) -> None:
    cursor = cast("Any", connection.connection.cursor())
    cursor.execute("SET session_replication_role = replica")  # foreign keys hold by construction
    with cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _insert(connection: sa.Connection, table: str, columns: str, rows: Iterator[Sequence[object]]) -> None:
    places = ", ".join("?" for _ in columns.split(","))
    cast("Any", connection.connection.cursor()).executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)


def _networkx(database: Path, size: int) -> str:
    """What it takes to have the whole graph in memory instead, for one change."""
    what = f"{size:,} resources, networkx, loading it all"
    if importlib.util.find_spec("networkx") is None:
        return f"{what:<46} skipped: not installed (pip install networkx)"
    networkx = cast("Any", importlib.import_module("networkx"))
    engine = open_database(f"sqlite:///{database}")
    started, before = time.perf_counter(), _memory_mib()
    graph = networkx.MultiDiGraph()
    with engine.connect() as connection:
        for number, at, kind, name, attributes in connection.exec_driver_sql(
            "SELECT number, id, kind, name, attributes FROM node"
        ):
            graph.add_node(number, id=at, kind=kind, name=name, attributes=json.loads(attributes))
        query = "SELECT source, target, relation, evidence FROM edge"
        for source, target, relation, evidence in connection.exec_driver_sql(query):
            graph.add_edge(source, target, relation=relation, evidence=evidence)
    engine.dispose()
    took = (time.perf_counter() - started) * 1000
    return f"{what:<46} {took:8.0f}   once a change; {_memory_mib() - before:.0f} MiB more"


def _sync(count: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        engine = open_database(f"sqlite:///{folder}/graph.db")
        collectors = [Synthetic(scope, per_scope) for scope, per_scope in synthetic_scopes(count)]
        at_rest, started = _memory_mib(), time.perf_counter()
        ended = sync_graph(collectors, engine, told=lambda _: None)
        seconds = time.perf_counter() - started
        engine.dispose()
    return {"seconds": seconds, "peak_mib": _memory_mib(), "at_rest_mib": at_rest, "scopes": len(ended)}


def _memory_mib() -> float:
    """The most that this process has held so far. Where the system keeps it for this program alone, without its parent's."""
    status = Path("/proc/self/status")
    if status.is_file():
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(len(values) * 0.95)]


def _sizes(found: Sequence[int]) -> str:
    return f"{statistics.median(found):,.0f}/{max(found):,}"


if __name__ == "__main__":
    raise SystemExit(main())
