"""Who comes through a network rule: the live resources in its source, whether they run, and what they hold open behind it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Network, IPv6Network
from typing import cast

from bot.investigator.asking import Reading, config, edge, lists_name, metric, number, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm
from bot.investigator.facts.empty_sources import attached_to_nothing, source_group
from bot.investigator.facts.runners import is_workload
from bot.investigator.facts.traffic import dimensions_of, per_second, traffic_of
from gonogo.context import Statistic
from gonogo.evidence import ConfigEvidence, Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Link
from gonogo.word import ResourceId
from heuristics.access import ClosedRule
from heuristics.access.network import network_of
from heuristics.code.word_sets import words
from heuristics.limits.changed import words_of

Network = IPv4Network | IPv6Network
GROUP_KEYS = (
    "security_groups", "security_group_ids", "vpc_security_group_ids", "security_group", "network_security_groups", "sg_ids",
    "vpc_config.security_group_ids",
)  # fmt: skip
_ADDRESS_KEYS = (
    "private_ip", "private_ips", "ip", "ips", "ip_address", "cidr", "cidrs", "cidr_block", "subnet_cidr", "subnet_cidrs", "subnets",
)  # fmt: skip
_NOISE = words(
    "security group groups id ids sg var data local module aws source client clients output outputs the from self name value"
)
_RUNNING = ("running_count", "desired_count", "replicas", "count", "machines", "instances", "desired_capacity")
_RAN = pattern(
    r"(?i)running_?task_?count|.*replicas(_available|_ready)?|.*running_(tasks|pods|instances)|GroupInServiceInstances"
)
_STOPPED = ("stopped", "terminated", "deallocated", "inactive", "suspended")
_HELD = pattern(r"(?i).*(connection|activity|session|numbackends|clients|threads_connected|flows|backends).*")


class Peer(Record):
    """One resource that the rule lets through. Absent readings were not there."""

    resource: Resource
    cited: tuple[Evidence, ...]
    """That it is in the source, and that it reaches what is behind."""
    is_joined: bool
    held_most: Reading | None
    """Connections of it that were open behind the rule at the most."""
    held_mean: Reading | None
    running: Reading | None
    rate: Reading | None


def peers_of(case: Case, rule: ClosedRule, group: Resource | None) -> list[Peer]:
    """The resources in the source of the rule, by what production says of their groups or addresses; empty when it does not.

    Those that another rule still lets in are left out; so is everything when the change adds a source, which may be the same by
    another name.
    """
    if any(network_of(source) is None for source in rule.added):
        return []
    behind = behind_of(case, group) if group is not None else []
    return [_peer(case, member, proof, behind) for member, proof in _members(case, rule, group)]


def behind_of(case: Case, group: Resource) -> list[ResourceId]:
    """What the group guards: live edges of the group, and what says that it is in it."""
    found = [e.source for e in case.into(group.id)] + [e.target for e in case.out_of(group.id)]
    tail = _tail(group.id)
    if is_workload(group.kind):
        found = [group.id]
    found += [r.id for r in case.production.resources if tail in _groups(r)]
    kinds = {r.id: r.kind for r in case.production.resources}
    return [r for r in dict.fromkeys(found) if not kinds.get(r, "").startswith(("team", "github"))]


def _peer(case: Case, member: Resource, proof: Evidence | None, behind: Sequence[str]) -> Peer:
    joined = next(
        (
            shown
            for e in case.out_of(member.id)
            if e.target in behind and (shown := edge(case, e.source, e.target, e.relation)) is not None
        ),
        None,
    )
    ran = metric(case, member.id, [_RAN], "max")
    running = Reading(ran.evidence.value, "", ran.evidence) if ran is not None and ran.evidence.kind == "metric" else None
    return Peer(
        member,
        tuple(e for e in (proof, joined) if e is not None),
        joined is not None,
        _held(case, member, behind, "max"),
        _held(case, member, behind, "mean"),
        running or number(case, member.id, *_RUNNING),
        traffic_of(case, member.id, "mean"),
    )


def _held(case: Case, member: Resource, behind: Sequence[str], statistic: Statistic) -> Reading | None:
    """Connections that a label of the metric says are of this client."""
    for resource in behind:
        for series in case.production.series_of(resource):
            labels = dimensions_of(series.metric).values()
            if not _HELD.fullmatch(series.metric.partition("{")[0]) or not any(_is_called(member, v) for v in labels):
                continue
            found = statistic_reading(series, statistic)
            if found is not None and found.evidence.kind == "metric":
                return Reading(found.evidence.value, "", found.evidence)
    return None


def _is_called(member: Resource, label: str) -> bool:
    return words_of(label) == words_of(member.name) or label == member.id


def judged_peers(case: Case, rule: ClosedRule, group: Resource | None, peers: Sequence[Peer]) -> list[Link] | None:
    """Harm when a peer that runs holds connections or works; no harm when every peer is shown to do neither, or there is none; else None."""
    name = group.name if group is not None else ""
    for peer in peers if rule.is_inward and name else ():
        is_running = peer.running is None or peer.running.value > 0
        if peer.held_mean is not None and peer.held_mean.value > 0 and is_running:
            claim = f"{peer.resource.name} holds {peer.held_mean.value:.3g} connections through {name} on average, and none after this"
            return [
                _met(peer),
                harm(claim, peer.held_mean, *peer.cited, comparison=compare(peer.held_mean, ">", 0, "connections")),
            ]
        if peer.held_most is None and peer.is_joined and is_running and peer.rate is not None and peer.rate.value > 0:
            claim = (
                f"{peer.resource.name} works {per_second(peer.rate.value)} on average and reaches what is behind {name} no more"
            )
            return [_met(peer), harm(claim, peer.rate, *peer.cited, comparison=compare(peer.rate, ">", 0))]
    idle = [one for peer in peers if (one := _idle(case, peer)) is not None] if rule.is_inward else []
    if len(idle) < len(peers):
        return None
    if not peers:
        return _nobody(case, rule, group)
    said = ", ".join(peer.resource.name for peer in peers[:3])
    claim = f"{rule.source} would be cut off; only {said} is in it, and {idle[0][1]}"
    first = idle[0][0]
    if isinstance(first, Reading):
        return [harm(claim, first, *peers[0].cited, comparison=compare(first, ">", 0))]
    return [harm(claim, *peers[0].cited, refuting=(first,))]


def _nobody(case: Case, rule: ClosedRule, group: Resource | None) -> list[Link] | None:
    """No harm when the source is a live group that is attached to nothing."""
    source = source_group(case, _group_of_source(case, rule, group)) if network_of(rule.source) is None else None
    empty = attached_to_nothing(case, source) if source is not None and rule.is_inward else None
    if source is None or empty is None or any(network_of(added) is None for added in rule.added):
        return None
    return [harm(f"{rule.source} would be cut off; {source.name} is attached to no network interface", refuting=(empty,))]


def _met(peer: Peer) -> Link:
    said = f"{peer.resource.name} is in the source of the rule" + (
        f" and {peer.running.value:g} of it run" if peer.running else ""
    )
    return exposure(said, peer.running, peer.rate, *peer.cited)


def _idle(case: Case, peer: Peer) -> tuple[Reading | ConfigEvidence, str] | None:
    if peer.held_most is not None and peer.held_most.value == 0:
        return peer.held_most, "had no connection behind it in the window"
    is_started = any(e.relation is Relation.TRIGGERS for e in case.into(peer.resource.id))
    if peer.running is not None and peer.running.value == 0 and not (is_started and peer.running.evidence.kind == "config"):
        return peer.running, "none of it runs"
    state = config(case, peer.resource.id, "state", "status", "instance_state", "power_state")
    if state is not None and str(state.value).lower() in _STOPPED and not is_started:
        return state, "it is stopped"
    if peer.rate is not None and peer.rate.value == 0 and peer.held_most is None:
        return peer.rate, "nothing calls it"
    return None


# -- who is in the source ----------------------------------------------------------------------------------


def _members(case: Case, rule: ClosedRule, group: Resource | None) -> Iterator[tuple[Resource, Evidence | None]]:
    network = network_of(rule.source)
    left = [n for source in rule.left if (n := network_of(source)) is not None]
    if network is not None:
        for resource in case.production.resources if network.prefixlen > 0 else ():
            inside = [
                a for text in _texts(resource, _ADDRESS_KEYS) if (a := network_of(text)) is not None and _within(a, network)
            ]
            if any(not any(_within(a, n) for n in left) for a in inside):
                yield resource, None
        return
    wanted = _group_of_source(case, rule, group)
    others = _let_in(group, rule) - {wanted}
    for resource in case.production.resources if wanted else ():
        if wanted in _groups(resource) and (group is None or resource.id != group.id) and not others & set(_groups(resource)):
            key = next(k for k in GROUP_KEYS if wanted in _texts(resource, (k,)))
            yield resource, lists_name(case, resource.id, key, wanted or "")


def _group_of_source(case: Case, rule: ClosedRule, group: Resource | None) -> str | None:
    """The id of the group that the rule names: written out, declared here, or the only one whose members bear the name of the reference."""
    written = rule.source.strip("\"' ")
    if written.startswith("sg-"):
        return written
    reference = re.match(r"(?:data\.)?aws_security_group\.([\w-]+)(?:\[[^\]]*\])?\.", written)
    declared = next(
        (d for d in case.diff.declared["base"].resources if reference and d.address == f"aws_security_group.{reference[1]}"), None
    )
    live = case.diff.live_of(declared) if declared is not None else None
    if live is not None:
        return _tail(live)
    names = (set(words_of(written)) | ({*words_of(declared.name)} if declared and declared.name else set[str]())) - _NOISE
    if not names:
        return None
    let_in = _let_in(group, rule)
    fitting: set[str] = set()
    for resource in case.production.resources:
        if names != set(words_of(resource.name)) - _NOISE:
            continue
        own = [_tail(resource.id)] if resource.kind == "aws.ec2.security_group" else _groups(resource)
        fitting |= {g for g in own if g in let_in} if let_in else set(own)
    return fitting.pop() if len(fitting) == 1 else None


def _let_in(group: Resource | None, rule: ClosedRule) -> frozenset[str]:
    """The sources that the live group lets in on the ports of the rule."""
    found: set[str] = set()
    if group is None:
        return frozenset()
    for key in ("ingress", "ingress_rules", "inbound", "rules") if rule.is_inward else ("egress", "egress_rules", "outbound"):
        entries = group.attributes.get(key)
        for entry in cast("list[object]", entries) if isinstance(entries, list) else []:
            if not isinstance(entry, Mapping):
                continue
            values = cast("Mapping[str, object]", entry)
            low = values.get("from_port", values.get("port"))
            high = values.get("to_port", values.get("port", low))
            is_port = rule.ports is None or not isinstance(low, int) or not isinstance(high, int) or low <= rule.ports[0] <= high
            if is_port:
                found |= {v for k, v in values.items() if isinstance(v, str) and k not in ("protocol", "description")}
    return frozenset(found)


def _groups(resource: Resource) -> tuple[str, ...]:
    return tuple(_tail(text) for text in _texts(resource, GROUP_KEYS))


def _texts(resource: Resource, keys: Sequence[str]) -> list[str]:
    found: list[str] = []
    for key in keys:
        value: object = resource.attributes
        for part in key.split("."):
            value = cast("Mapping[str, object]", value).get(part) if isinstance(value, Mapping) else None
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += [one for one in cast("list[object]", value) if isinstance(one, str)]
    return found


def _within(inner: Network, outer: Network) -> bool:
    if inner.version != outer.version:
        return False
    return int(outer.network_address) <= int(inner.network_address) and int(inner.broadcast_address) <= int(
        outer.broadcast_address
    )


def _tail(resource: str) -> str:
    return resource.rpartition("/")[2] if "/" in resource else resource
