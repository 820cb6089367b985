"""A network rule goes while packets still come through it."""

import ipaddress
import re
from collections.abc import Iterator, Sequence

from bot.investigator.asking import quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, trigger, unknown
from bot.investigator.facts.flows import Flow, flows_by
from bot.investigator.facts.policy_peers import guarded_by, has_live_policy, policy_links
from bot.investigator.facts.relabelled_peers import all_let_in, relabelled_links
from bot.investigator.facts.rule_peers import behind_of, judged_peers, peers_of
from bot.investigator.facts.traffic import lines_like
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence, GraphEvidence, LogEvidence, MetricEvidence
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from heuristics.access import ClosedRule, closed_rules
from heuristics.access.network import network_of
from heuristics.access.selectors import POLICIES

INFO = PlaybookInfo(id="narrowed-network", question="Does anything still come through the rule that goes?")

_KEYS = pattern(
    r"(source|src|client|peer|remote|cidr|from|destination|dst|subnet)(_?(ip|cidr|addr(ess)?|group|security_group|sg|subnet|id))?"
)
_RULE_KEYS = pattern(
    r"(firewall_?|security_?group_?|nsg_?|acl_?|policy_?)?(rule|policy)(_?(name|id|label))?|firewall_?(name|id)?"
)
_PORT_KEYS = pattern(r"(dst_?|destination_?|to_?)?port")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every rule that goes."""
    for rule in case.diff.once(closed_rules)[:60]:
        found = _chain(case, rule)
        if found is not None:
            yield found


def _chain(case: Case, rule: ClosedRule) -> Trajectory | None:
    guarded = guarded_by(case, rule) if rule.selector is not None or POLICIES.fullmatch(rule.declared.kind) else []
    group = _group(case, rule, guarded)
    read = relabelled_links if rule.is_relabelled else policy_links
    by_peer = read(case, rule, guarded) if rule.kept_by is None else None
    if rule.is_relabelled and by_peer is None and rule.kept_by is None:
        return None  # the same peers by other labels, and nobody is known to call
    if rule.is_new_policy and (by_peer is None or has_live_policy(case, rule, guarded)):
        return None  # nobody is known to call what it guards, or a policy from elsewhere already guards it and may let them in
    by_peer = by_peer or (all_let_in(case, rule, guarded) if rule.kept_by is None else None)
    links = by_peer or _links(case, rule, group)
    behind = behind_of(case, group) if group is not None else []
    behind += [
        e.resource for link in links for e in (*link.evidence, *link.refuting) if isinstance(e, MetricEvidence | ConfigEvidence)
    ]
    behind += [e.source for link in links for e in link.evidence if isinstance(e, GraphEvidence)]
    target = group.id if group is not None else case.repository
    name = group.name if group is not None else rule.declared.name or rule.declared.address
    safe = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in links)
    ends = (
        "and nothing uses it"
        if safe
        else "and may cut off callers"
        if any(link.question for link in links)
        else "and cuts off its callers"
    )
    way = "from" if rule.is_inward else "to"
    return Trajectory(
        title=f"{name} lets {_ports(rule)} {way} {rule.source} through no more {ends}",
        impact=Impact.LOW if safe else Impact.HIGH,
        resource=target,
        metric="AcceptedFlows",
        links=(
            _trigger(case, rule, way),
            *links,
        ),
        make_safe="Keep the rule until the flow logs show no accepted packet of it for a full business cycle.",
        undo="Put the rule back and apply it.",
        path=tuple(dict.fromkeys((target, *behind))),
    )


def _trigger(case: Case, rule: ClosedRule, way: str) -> Link:
    if rule.is_new_policy:
        name = rule.declared.name or rule.declared.address
        return trigger(f"the new policy {name} closes its pods to {rule.source}", quote(case, rule.place.file, rule.place.line))
    claim = f"the rule for {_ports(rule)} {way} {rule.source} goes ({rule.place.file} line {rule.place.line} before the change)"
    return trigger(claim, *quote_removed(case, rule.place.file, rule.place.line))


def _links(case: Case, rule: ClosedRule, group: Resource | None) -> list[Link]:
    if rule.kept_by is not None:
        at = quote(case, rule.kept_by.file, rule.kept_by.line)
        claim = f"{rule.source} would be cut off; {rule.kept_by.file} line {rule.kept_by.line} still lets it through"
        return [harm(claim, refuting=(at,), refutation=Refutation.UNCHANGED)]
    if group is None:
        return judged_peers(case, rule, None, peers_of(case, rule, None)) or [_ask(rule, None)]
    hits, others = _through(case, rule, group)
    flows = _flow_lines(case, rule, group)
    if hits:
        return _of_flows(rule, group, hits, [flows] if flows is not None else [])
    if flows is not None:
        claim = f"{flows.count} sampled packets of {rule.source} were accepted; they are refused from now on"
        return [harm(claim, flows, comparison=compare(flows.count, ">", 0, "sampled packets"))]
    if len(others) >= 2 and any(o.peak.value > 0 for o in others):
        claim = f"{rule.source} would be cut off; accepted packets are counted by source, and none is of it"
        return [harm(claim, refuting=[o.mean for o in others[:3]])]
    return judged_peers(case, rule, group, peers_of(case, rule, group)) or [_ask(rule, group)]


def _through(case: Case, rule: ClosedRule, group: Resource) -> tuple[list[Flow], list[Flow]]:
    """Series that count only what comes through the rule, and those that count other sources at the same place."""
    hits, others = flows_by(case, group.id, _KEYS, lambda value: _is_source(case, rule, value))
    own, _ = flows_by(case, group.id, _RULE_KEYS, lambda value: bool(rule.own) and value in rule.own)
    hits = own or hits
    if rule.ports is not None and not hits and not others:
        low, high = rule.ports
        hits, _ = flows_by(case, group.id, _PORT_KEYS, lambda value: value.isdigit() and low <= int(value) <= high)
    for behind in behind_of(case, group) if not hits else ():
        at, _ = flows_by(case, behind, _KEYS, lambda value: _is_source(case, rule, value))
        hits = [*hits, *at]
    return hits, others


def _of_flows(rule: ClosedRule, group: Resource, hits: Sequence[Flow], lines: Sequence[LogEvidence]) -> list[Link]:
    best = max(hits, key=lambda f: (f.peak.value > 0, f.mean.value))
    if best.peak.value <= 0:
        claim = f"{rule.source} would be cut off; nothing of it came through in {best.days:.2g} days"
        return [harm(claim, best.peak, comparison=compare(best.peak.value, ">", 0))]
    links: list[Link] = [exposure("the flow logs have accepted packets of this rule", *lines)] if lines else []
    if best.recent is None or best.recent.value > 0 or lines:
        claim = f"{rule.source} comes through {best.said} on average and is refused from now on"
        cited = [r for r in (best.mean, best.recent) if r is not None]
        return [*links, harm(claim, *cited, comparison=compare(best.mean.value, ">", 0))]
    question = f"Does {rule.source} still need {group.name}? Nothing of it came through in the last day"
    return [unknown(Role.HARM, f"{rule.source} is cut off", question, _query(rule, group.name), best.mean)]


def _is_source(case: Case, rule: ClosedRule, value: str) -> bool:
    wanted = rule.source.strip("\"' ")
    if value in (wanted, wanted.partition(".")[2].partition(".")[0]) or (
        wanted.startswith("sg-") and value.endswith("/" + wanted)
    ):
        return True
    if wanted.startswith("sg-") and any(r.name == value and r.id.endswith("/" + wanted) for r in case.production.resources):
        return True
    group = re.match(r"(?:data\.)?aws_security_group\.([\w-]+)\.", wanted)
    if group is not None:
        declared = next((d for d in case.diff.declared["base"].resources if d.address == f"aws_security_group.{group[1]}"), None)
        live = case.diff.live_of(declared) if declared is not None else None
        return (declared is not None and value == declared.name) or (live is not None and live.endswith(value))
    outer, inner = network_of(wanted), network_of(value)
    if outer is None or inner is None or outer.version != inner.version or "." not in value + ":":
        return False
    return int(outer.network_address) <= int(inner.network_address) and int(inner.broadcast_address) <= int(
        outer.broadcast_address
    )


_FLOW = pattern(r"(?<![\d.])(\d{1,3}(?:\.\d{1,3}){3}) (\d{1,3}(?:\.\d{1,3}){3}) \d{1,5} (\d{1,5}) .*\bACCEPT\b")


def _flow_lines(case: Case, rule: ClosedRule, group: Resource) -> LogEvidence | None:
    """Accepted packets of the rule in the sampled flow logs, cited by the addresses that were seen."""
    network = network_of(rule.source)
    if network is None or network.prefixlen == 0:
        return None
    seen: set[tuple[str, str]] = set()
    for line in case.production.logs:
        match = _FLOW.search(line.message[:1_000]) if line.resource == group.id else None
        if match is None:
            continue
        address, port = match[1] if rule.is_inward else match[2], int(match[3])
        inside = network_of(address)
        is_port = rule.ports is None or rule.ports[0] <= port <= rule.ports[1]
        if is_port and inside is not None and inside.version == network.version and ipaddress.ip_address(address) in network:
            seen.add((address, match[3]))
    if not seen:
        return None
    addresses = "|".join(sorted({re.escape(a) for a, _ in seen})[:40])
    ports = "|".join(sorted({p for _, p in seen})[:10])
    where = rf"(?<![\d.])(?:{addresses}) \S+" if rule.is_inward else rf"\S+ (?:{addresses})"
    return lines_like(case, group.id, rf"{where} \d+ (?:{ports}) .*\bACCEPT\b")


def _ask(rule: ClosedRule, group: Resource | None) -> Link:
    name = group.name if group is not None else rule.declared.name or rule.declared.address
    question = f"Did {rule.source} reach {name} on {_ports(rule)} in the last 30 days?"
    query = _query(rule, name)
    return unknown(Role.HARM, f"{rule.source} cannot reach what is behind {name}", question, query)


def _query(rule: ClosedRule, name: str) -> str:
    port = f" and dstport = {rule.ports[0]}" if rule.ports is not None else ""
    return f"filter action = 'ACCEPT'{port} and isIpv4InSubnet(srcAddr, '{rule.source}') | stats count() by srcAddr  (VPC flow logs of {name})"


def _group(case: Case, rule: ClosedRule, guarded: Sequence[Resource]) -> Resource | None:
    if len(guarded) == 1:
        return guarded[0]
    found = case.live_of(rule.declared)
    if found is not None:
        return found
    groups: Sequence[Resource] = [
        r
        for r in case.deployed()
        if any(word in r.kind for word in ("security_group", "firewall", "networkpolicy", "network_acl", "nsg"))
    ]
    return groups[0] if len(groups) == 1 else None


def _ports(rule: ClosedRule) -> str:
    if rule.ports is None:
        return "every port"
    return f"port {rule.ports[0]}" if rule.ports[0] == rule.ports[1] else f"ports {rule.ports[0]}-{rule.ports[1]}"
