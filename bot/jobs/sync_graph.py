"""Brings the persistent graph up to date: every scope for itself, in parallel; then who names whom, and what roles allow."""

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace

import sqlalchemy as sa

from bot.storage.graph import StoredGraph
from bot.storage.graph_writer import write
from context_graph.collecting import Collected, Collector, Grants, ScopeStatus
from context_graph.naming import edges_of
from context_graph.permits import ALLOWED, named_in, settle
from gonogo.resource import Relation
from gonogo.word import ResourceId

IN_PARALLEL = 8

Told = Callable[[Collected], None]


def sync_graph(
    collectors: Iterable[Collector], engine: sa.Engine, *, told: Told, in_parallel: int = IN_PARALLEL
) -> list[Collected]:
    """Ask every scope and write what it answers as soon as it does; give back how each one ended, without its resources.

    Only what configurations mention and what policies say is kept until all scopes are in, since a name may belong to any of them.
    """
    ended: list[Collected] = []
    with ThreadPoolExecutor(max_workers=in_parallel, thread_name_prefix="sync") as pool:
        waiting = {pool.submit(collector.collect) for collector in collectors}
        for done in as_completed(waiting):
            waiting.discard(done)  # what a scope held is free as soon as it is written
            collected = done.result()
            write(engine, collected)
            told(collected)
            ended.append(replace(collected, resources=(), edges=(), aliases={}))
    _join(ended, engine)
    return [replace(one, mentions=(), roles={}, grants={}) for one in ended]


def _join(ended: Iterable[Collected], engine: sa.Engine) -> None:
    """Write what mentions name under `SERVICE/named`, and what policies make of it under `SERVICE/permitted`.

    The second is complete only when the scope and IAM both answered in full: a list of policies that was refused is no policy.
    """
    ended, graph = list(ended), StoredGraph(engine)
    asked_before = {state.scope for state in graph.scopes()}
    grants: dict[tuple[str, str], dict[ResourceId, Grants]] = {}
    iam: dict[tuple[str, str], ScopeStatus] = {}
    for one in ended:
        if one.scope.service == "iam":
            grants.setdefault((one.scope.provider, one.scope.account), {}).update(one.grants)
            iam[one.scope.provider, one.scope.account] = one.status
    for one in ended:
        account = (one.scope.provider, one.scope.account)
        edges = edges_of(one.mentions, one.near or one.scope, graph)
        allowed = grants.get(account, {})
        known = graph.kinds_of(named_in(one.roles.values(), allowed))
        settled = settle(edges, one.roles, allowed, known, _joined(graph, one.roles))
        named = replace(one, scope=replace(one.scope, service=f"{one.scope.service}/named"), mentions=())
        write(engine, replace(named, edges=settled.left))
        permitted = replace(named, scope=replace(one.scope, service=f"{one.scope.service}/permitted"))
        if one.roles or permitted.scope in asked_before:
            policies = iam.get(account, ScopeStatus.PARTIAL)
            if one.status is ScopeStatus.OK and policies is not ScopeStatus.OK:
                permitted = replace(permitted, status=ScopeStatus.PARTIAL, why=f"the account's policies: {policies.value}")
            write(engine, replace(permitted, edges=settled.by_policy))


def _joined(graph: StoredGraph, workloads: Mapping[ResourceId, ResourceId]) -> set[tuple[ResourceId, ResourceId]]:
    """Pairs that configuration joins already: what triggers a workload is read because of that, whatever else is allowed."""
    from_there = graph.edges_from(workloads)
    into = {(e.source, e.target) for e in graph.edges_to(workloads) if e.relation is Relation.TRIGGERS}
    said = (e for e in from_there if e.relation is not Relation.CONNECTS_TO and not e.evidence.endswith(ALLOWED))
    return into | {(e.source, e.target) for e in said}
