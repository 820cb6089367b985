"""Brings the persistent graph up to date: every scope for itself, in parallel; then who names whom."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace

import sqlalchemy as sa

from bot.storage.graph import StoredGraph
from bot.storage.graph_writer import write
from context_graph.collecting import Collected, Collector
from context_graph.naming import edges_of

IN_PARALLEL = 8

Told = Callable[[Collected], None]


def sync_graph(
    collectors: Iterable[Collector], engine: sa.Engine, *, told: Told, in_parallel: int = IN_PARALLEL
) -> list[Collected]:
    """Ask every scope and write what it answers as soon as it does; give back how each one ended, without its resources.

    Only what configurations mention is kept until all scopes are in, since a name may belong to any of them.
    """
    ended: list[Collected] = []
    with ThreadPoolExecutor(max_workers=in_parallel, thread_name_prefix="sync") as pool:
        for done in as_completed([pool.submit(collector.collect) for collector in collectors]):
            collected = done.result()
            write(engine, collected)
            told(collected)
            ended.append(replace(collected, resources=(), edges=(), aliases={}))
    graph = StoredGraph(engine)
    for collected in ended:
        links = replace(collected.scope, service=f"{collected.scope.service}/named")
        edges = edges_of(collected.mentions, collected.scope, graph)
        write(engine, replace(collected, scope=links, edges=edges, mentions=()))
    return [replace(collected, mentions=()) for collected in ended]
