"""Network rules that a change takes away or narrows: security groups, network policies, firewalls."""

import ipaddress
import re
from collections.abc import Iterator, Mapping
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place, Setting
from gonogo.word import Json
from heuristics.access.selectors import POLICIES, Selector, namespace_of, pods_of, policy_rules, restricts
from heuristics.rule import Declarations, RuleContext
from heuristics.stages import is_for_production

_OWN_RULE = pattern(
    r"aws\.ec2\.security_group_(ingress|egress|rule)|aws\.ec2\.network_acl_rule|google\.compute\.firewall|azure\.network\w*\.?security_rule"
)
_HOLDERS = pattern(rf"aws\.ec2\.(security_group|network_acl)|azure\.network\.security_group|{POLICIES.pattern}")
_SOURCES = (
    "cidripv4", "cidripv6", "cidrip", "cidripv", "cidrblocks", "cidrblock", "sourceranges", "destinationranges", "sourceaddressprefix", "sourceaddressprefixes",
    "ipv6cidrblocks",
    "referencedsecuritygroupid", "sourcesecuritygroupid", "securitygroups", "destinationsecuritygroupid",
)  # fmt: skip


class ClosedRule(Record):
    """One rule that lets something in (or out) at base and not at head."""

    declared: Declared
    """The group or policy that holds the rule; the rule itself when its group is not declared."""
    source: str
    """CIDR, group or selector as it is written."""
    ports: tuple[int, int] | None
    """None means every port."""
    is_inward: bool
    place: Place
    kept_by: Place | None
    """A line at head that still lets the same traffic through."""
    left: tuple[str, ...] = ()
    """Sources that head still lets in (or out) on these ports."""
    added: tuple[str, ...] = ()
    """Those of them that base did not let in."""
    selector: Selector | None = None
    """The peers of a cluster's policy."""
    let_in: tuple[Selector, ...] = ()
    """Who head's policies still let through on these ports."""
    own: tuple[str, ...] = ()
    """What the rule itself is called: its name at the provider and the label of its block."""
    is_relabelled: bool = False
    """Whether head lets in peers of the same names by other labels: only labels that are known tell what becomes of them."""
    is_new_policy: bool = False
    """Whether nothing closed these pods at base: head's policy shuts out everyone that it does not name."""


class _Rule(Record):
    holder: Declared
    source: str
    ports: tuple[int, int] | None
    is_inward: bool
    line: int
    file: str
    selector: Selector | None = None
    own: tuple[str, ...] = ()


def closed_rules(context: RuleContext) -> tuple[ClosedRule, ...]:
    """Every rule that goes, with the rule that covers it where there is one."""
    closing = tuple(_closed_by_new_policies(context))
    if not any(
        c.before is not None and (_OWN_RULE.fullmatch(c.before.kind) or _HOLDERS.fullmatch(c.before.kind))
        for c in context.settings
    ):
        return closing
    before, after = list(_rules(context.declared["base"])), list(_rules(context.declared["head"]))
    changed = {c.declared.address for c in context.settings}
    found: list[ClosedRule] = []
    for rule in before:
        same = [r for r in after if r.holder.address == rule.holder.address and r.is_inward == rule.is_inward]
        if any(_is_same(r, rule) for r in same) or not is_for_production(context, rule.holder):
            continue
        if rule.selector is not None and not _closes(context, rule):
            continue  # what no policy guards any more is open to all
        same += [r for r in after if rule.selector is not None and r not in same and _guards_the_same(r, rule)]
        covering = next((r for r in same if _covers(r, rule)), None)
        if rule.holder.address in changed or covering is not None or not same or _went(context, rule):
            kept = Place(file=covering.file, line=covering.line) if covering is not None else None
            place = Place(file=rule.file, line=_line_of(context, rule), side="base")
            left = tuple(dict.fromkeys(r.source for r in same if _has_ports(r, rule)))
            was = {r.source for r in before if r.holder.address == rule.holder.address and r.is_inward == rule.is_inward}
            added = tuple(source for source in left if source not in was)
            let_in = tuple(r.selector for r in same if r.selector is not None and _has_ports(r, rule))
            found.append(
                ClosedRule(
                    rule.holder,
                    rule.source,
                    rule.ports,
                    rule.is_inward,
                    place,
                    kept,
                    left,
                    added,
                    rule.selector,
                    let_in,
                    rule.own,
                    is_relabelled=_is_relabelled(rule, same),
                )
            )
    return (*closing, *found)


def _closed_by_new_policies(context: RuleContext) -> Iterator[ClosedRule]:
    """A policy that is the first to close a direction for its pods."""
    sides = context.declared.get("base"), context.declared.get("head")
    if sides[0] is None or sides[1] is None:
        return
    policies = [[d for d in side.resources if POLICIES.fullmatch(d.kind)] for side in sides if side is not None]
    for declared in policies[1]:
        if not restricts(declared, inward=True) or not is_for_production(context, declared):
            continue
        if any(restricts(d, inward=True) and (_guards(d, declared) or _guards(declared, d)) for d in policies[0]):
            continue
        let_in = tuple(
            one.peer
            for d in policies[1]
            if _guards(d, declared)
            for one in policy_rules(d)
            if one.is_inward and isinstance(one.peer, Selector)
        )
        place = Place(file=declared.file, line=declared.line)
        yield ClosedRule(
            declared,
            "all that it does not name",
            None,
            is_inward=True,
            place=place,
            kept_by=None,
            selector=Selector(None),
            let_in=let_in,
            is_new_policy=True,
        )


def _is_same(other: _Rule, rule: _Rule) -> bool:
    wants = [r.selector.wants if r.selector is not None else None for r in (other, rule)]
    return other.source == rule.source and other.ports == rule.ports and (None in wants or wants[0] == wants[1])


def _is_relabelled(rule: _Rule, same: list[_Rule]) -> bool:
    names = rule.selector.names if rule.selector is not None else ()
    others = [r.selector for r in same if r.selector is not None and _has_ports(r, rule)]
    return any(s.names == names and s.namespaces == rule.selector.namespaces for s in others if rule.selector is not None)


def _closes(context: RuleContext, rule: _Rule) -> bool:
    """Whether head still has a policy that closes this direction for the pods of the rule."""
    return any(
        POLICIES.fullmatch(d.kind) and restricts(d, inward=rule.is_inward) and _guards(d, rule.holder)
        for d in context.declared["head"].resources
    )


def _guards_the_same(other: _Rule, rule: _Rule) -> bool:
    return (
        other.is_inward == rule.is_inward
        and POLICIES.fullmatch(other.holder.kind) is not None
        and _guards(other.holder, rule.holder)
    )


def _guards(other: Declared, holder: Declared) -> bool:
    """Whether a policy guards at least the pods that another one guards."""
    if other.kind != holder.kind or namespace_of(other) != namespace_of(holder):
        return False
    return other.address == holder.address or pods_of(other) == () or pods_of(other) == pods_of(holder)


def _line_of(context: RuleContext, rule: _Rule) -> int:
    """The line of the peer inside its rule, where one of its names stands by itself."""
    selector = rule.selector
    words = [*(selector.names or selector.accounts or selector.namespaces or ())] if selector is not None else [rule.source]
    lines = (context.base.text(rule.file) or "").split("\n")
    for number in range(rule.line, min(len(lines), rule.line + 80) + 1) if selector is not None else ():
        if any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", lines[number - 1][:1_000]) for word in words):
            return number
    return rule.line


def _went(context: RuleContext, rule: _Rule) -> bool:
    return any(
        c.before is not None
        and c.before.file == rule.file
        and c.before.line <= rule.line <= max(c.before.end_line, c.before.line)
        for c in context.settings
    )


def _rules(side: Declarations) -> Iterator[_Rule]:
    known = {d.address: d for d in side.resources}
    groups = {
        e.source: known[e.target]
        for e in side.edges
        if e.target in known and known[e.target].kind == "aws.ec2.security_group" and _names_group(e.evidence)
    }
    for declared in side.resources:
        if _OWN_RULE.fullmatch(declared.kind):
            values = {_bare(k): s for k, s in declared.settings.items()}
            own = tuple(n for n in (declared.name, declared.address.rpartition(".")[2]) if n)
            holder = groups.get(declared.address, declared)
            yield from _parsed(holder, values, _is_inward(declared, values), declared.line, declared.file, own)
        elif POLICIES.fullmatch(declared.kind):
            for one in policy_rules(declared):
                peer = one.peer if isinstance(one.peer, Selector) else None
                source = one.peer if isinstance(one.peer, str) else one.peer.said
                yield _Rule(declared, source, one.ports, one.is_inward, one.line, declared.file, peer)
        elif _HOLDERS.fullmatch(declared.kind):
            yield from _nested(declared)
            for key, setting in declared.settings.items():
                match = re.fullmatch(r"(ingress|egress)\.\d+", key)
                if match is not None and isinstance(setting.value, Mapping):
                    inner = {
                        _bare(k): Setting(value=v, line=setting.line)
                        for k, v in cast("Mapping[str, Json]", setting.value).items()
                    }
                    yield from _parsed(declared, inner, match[1] == "ingress", setting.line, declared.file)


def _is_inward(declared: Declared, values: Mapping[str, Setting]) -> bool:
    said = next((str(values[k].value).lower() for k in ("type", "direction") if k in values), declared.kind)
    is_out = "egress" in values and values["egress"].value is True
    return "egress" not in said and "outbound" not in said and not is_out


def _nested(declared: Declared) -> Iterator[_Rule]:
    """Rules that stand as blocks inside a network ACL or a network security group."""
    blocks: dict[str, dict[str, Setting]] = {}
    for key, setting in declared.settings.items():
        match = re.fullmatch(r"((ingress|egress|security_rule)(?:\.[#\w-]+)??)\.([a-z_]+)", key)
        if match is not None:
            blocks.setdefault(match[1], {})[_bare(match[3])] = setting
    for name, values in blocks.items():
        if any(str(values[k].value).lower() == "deny" for k in ("action", "access", "ruleaction") if k in values):
            continue
        said = str(values["direction"].value).lower() if "direction" in values else name
        first = min(values.values(), key=lambda s: s.line)
        own = (str(values["name"].value),) if "name" in values else ()
        yield from _parsed(declared, values, not said.startswith(("egress", "out")), first.line, declared.file, own)


def _names_group(evidence: str) -> bool:
    return re.match(r"(?i)(security_?group_?id|group_?id|security_?group)\b", evidence) is not None


def _parsed(
    holder: Declared, values: Mapping[str, Setting], is_inward: bool, line: int, file: str, own: tuple[str, ...] = ()
) -> Iterator[_Rule]:
    if any(str(values[k].value).lower() == "deny" for k in ("action", "access", "ruleaction") if k in values):
        return
    low, high = (
        _number(values, "fromport", "port", "destinationportrange"),
        _number(values, "toport", "port", "destinationportrange"),
    )
    ports = (low, high) if low is not None and high is not None and (low, high) not in ((0, 0), (0, 65535), (-1, -1)) else None
    sources = [word for key in _SOURCES if key in values for word in _words(values[key])]
    for source in sources:
        yield _Rule(holder, source, ports, is_inward, line, file, own=own)


def _words(setting: Setting) -> list[str]:
    value = setting.value
    if isinstance(value, list | tuple):
        return [str(one) for one in cast("list[object]", value)]
    return [str(value)] if isinstance(value, str) else [setting.text] if setting.text else []


def _number(values: Mapping[str, Setting], *keys: str) -> int | None:
    for key in keys:
        value = values[key].value if key in values else None
        if isinstance(value, int | float | str) and re.fullmatch(r"-?\d{1,5}(\.0)?", str(value)):
            return int(float(value))
    return None


def _bare(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()


def _covers(wider: _Rule, rule: _Rule) -> bool:
    if not _has_ports(wider, rule):
        return False
    if wider.selector is not None and rule.selector is not None:
        return wider.selector.covers(rule.selector)
    if wider.source == rule.source:
        return True
    outer, inner = network_of(wider.source), network_of(rule.source)
    if outer is None or inner is None or outer.version != inner.version:
        return False
    return int(outer.network_address) <= int(inner.network_address) and int(inner.broadcast_address) <= int(
        outer.broadcast_address
    )


def _has_ports(wider: _Rule, rule: _Rule) -> bool:
    return wider.ports is None or (rule.ports is not None and wider.ports[0] <= rule.ports[0] and rule.ports[1] <= wider.ports[1])


def network_of(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    """The network that a CIDR or address names, or None."""
    try:
        return ipaddress.ip_network(text.strip("\"' "), strict=False)
    except ValueError:
        return None
