"""Pods that ask for a node which is not there: they wait, and the roll-out stands still."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import config, number, quote_changes
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.rollout_shared import id_of, in_use, who
from bot.investigator.facts.nodes import Node, cited_refusal, is_listed, makes_nodes, nodes_of, refusal
from bot.investigator.playbook import PlaybookInfo
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.rule import RuleContext
from heuristics.runtime.declared import shown
from heuristics.runtime.scheduling import Rescheduled, rescheduled

INFO = PlaybookInfo(id="scheduling", question="Does a live node take the pods as they are asked for from now on?")

_SHOWN = 8
"""Nodes that are cited one by one."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a workload whose pods look for other nodes; one that only asks for more is told of where nodes were read."""
    for found in case.diff.once(_all):
        resource, name = who(case, found.change)
        nodes = nodes_of(case, resource) if resource is not None else ()
        if not nodes and not (found.is_moved and _names_own_label(found)):
            continue
        chain = _chain(case, found, resource, name, nodes)
        if found.is_moved or chain.links[-1].question is None:
            yield chain


def _all(context: RuleContext) -> tuple[Rescheduled, ...]:
    return tuple(rescheduled(context))


def _names_own_label(found: Rescheduled) -> bool:
    """Whether the pods ask for a label that somebody has to give to nodes, and no node was read."""
    return any(found.before.labels.get(k) != v for k, v in found.after.labels.items())


def _chain(case: Case, found: Rescheduled, resource: Resource | None, name: str, nodes: Sequence[Node]) -> Trajectory:
    lines = [line for change in found.changes[:3] for line in quote_changes(case, change)]
    what = "; ".join(f"`{c.key}` of {name} goes from {shown(c.old)} to {shown(c.new)}" for c in found.changes[:3])
    own = id_of(case, resource)
    running = number(case, resource.id, "available_replicas", "replicas") if resource is not None else None
    return Trajectory(
        title=f"The new pods of {name} find no node",
        impact=Impact.HIGH,
        resource=own,
        metric="kube_deployment_status_replicas_unavailable",
        links=(
            trigger(what, *lines),
            mechanism("a pod that no node takes stays Pending, and the roll-out stands still", *lines[:1]),
            exposure(f"{running.value:g} pods of {name} are running", running) if running is not None else in_use(case, resource, name, None),
            _harm(case, found, name, nodes),
        ),
        make_safe="Give the label to nodes with enough room first, or ask for what the nodes have; look at `kubectl get nodes -L` before.",
        path=tuple(dict.fromkeys((own, *(n.resource.id for n in nodes)))),
        undo=f"Set `{found.change.key}` back and apply: the old pods run on until new ones are ready.",
    )  # fmt: skip


def _harm(case: Case, found: Rescheduled, name: str, nodes: Sequence[Node]) -> Link:
    wanted = found.after
    said = ", ".join([*(f"{k}={v}" for k, v in wanted.labels.items()), *(["its affinity"] if wanted.terms else [])]) or "its size"
    question = f"How many nodes take a pod of {name} ({said}), and how many have room?"
    query = f"kubectl get nodes {'-l ' + ','.join(f'{k}={v}' for k, v in wanted.labels.items()) if wanted.labels else '--show-labels'}; kubectl describe nodes"
    open_to = [n for n in nodes if not refusal(n, wanted)]
    real = [n for n in open_to if not n.is_pool]
    if not open_to:
        why = [cited_refusal(case, n, refusal(n, wanted)) for n in nodes[:_SHOWN]]
        claim = f"none of {len(nodes)} live nodes takes a pod of {name} ({said})"
        if nodes and is_listed(nodes, found.before) and all(why) and not makes_nodes(case):
            return harm(claim, *why, comparison=compare(0.0, "<", 1.0, "nodes"))
        return unknown(Role.HARM, claim if nodes else f"no node takes a pod of {name} ({said})", question, query, *why)
    proofs = [proof for n in open_to[:_SHOWN] for proof in _cited(case, n, found)]
    if all(n.is_too_small(wanted) for n in open_to) and is_listed(nodes, found.before) and not makes_nodes(case):
        biggest = [max((s for n in open_to if (s := n.size[i]) is not None), default=0.0) for i in (0, 1)]
        claim = f"the biggest of {len(open_to)} nodes that may take a pod of {name} has {biggest[0]:g} cores and {biggest[1]:,.0f} MiB; a pod asks for {wanted.cpu or 0:g} and {wanted.memory_mib or 0:,.0f}"
        return harm(claim, *proofs, comparison=compare(0.0, "<", 1.0, "nodes"))
    rooms = [n.slots(wanted) for n in real[:_SHOWN]]
    room = sum(r for r in rooms if r is not None)
    need = found.most_pods
    if need is not None and rooms and room >= need:
        claim = f"a roll-out of {name} needs {need:g} pods at once, more than the {room:g} that {len(real)} nodes with {said} have room for"
        return harm(claim, *proofs, comparison=compare(need, ">", room, "pods"))
    needs = f"{need:g} pods at once" if need is not None else "its pods at once"
    claim = f"{len(open_to)} nodes may take a pod of {name} ({said}), and a roll-out needs {needs}; there is room for {room:g}"
    return unknown(Role.HARM, claim, question, query, *proofs)


def _cited(case: Case, node: Node, found: Rescheduled) -> list[Cited]:
    labels = [config(case, node.resource.id, f"{node.labels_key}.{k}") for k in found.after.labels]
    return [*labels, config(case, node.resource.id, "allocatable", "capacity"), config(case, node.resource.id, "requested", "requests", "allocated")]  # fmt: skip
