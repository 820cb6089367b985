"""Who a policy of a cluster lets through: namespaces, pods and service accounts, whatever kind of policy says it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared
from heuristics.access.label_wants import Want, is_wider, wants_of

POLICIES = pattern(
    r"kubernetes\.(networkpolicy|cilium(clusterwide)?networkpolicy|globalnetworkpolicy|authorizationpolicy|adminnetworkpolicy)"
)
_NAMESPACE_LABELS = pattern(
    r"(k8s:|any:)?(kubernetes\.io/metadata\.name|io\.kubernetes\.pod\.namespace|name|namespace|projectcalico\.org/name)"
)
_NAME_LABELS = pattern(r"(k8s:|any:)?(app|name|component|service|k8s-app|app\.kubernetes\.io/(name|component|instance))")
_ACCOUNT = pattern(r"(?:spiffe://)?[\w.-]{1,100}/ns/([\w.*-]{1,63})/sa/([\w.*-]{1,63})")


class Selector(Record):
    """Peers of one entry. `namespaces` None means every namespace; no `names` and no `accounts` means every pod of them."""

    namespaces: tuple[str, ...] | None
    names: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    is_exact: bool = True
    """False when it asks for labels that are not the name of a namespace or of a workload."""
    text: str = ""
    wants: tuple[Want, ...] | None = None
    """What it asks of the labels of pods; None where it names them otherwise."""

    @property
    def said(self) -> str:
        """The peers in words."""
        where = "every namespace" if self.namespaces is None else f"namespace {' and '.join(self.namespaces)}"
        who = self.names or self.accounts
        said = f"{' and '.join(who)} of {where}" if who else where
        return said if self.is_exact else f"{said} ({self.text[:80]})"

    def covers(self, other: "Selector") -> bool:
        """Whether everyone that the other lets through is let through by this one."""
        if self.wants is not None and other.wants is not None and self.wants != other.wants:
            if not is_wider(self.wants, other.wants):
                return False
        elif not self.is_exact or (not other.is_exact and (self.names or self.accounts)):
            return False
        if self.namespaces is not None and (other.namespaces is None or not set(other.namespaces) <= set(self.namespaces)):
            return False
        mine, theirs = {*self.names, *self.accounts}, {*other.names, *other.accounts}
        return not mine or (bool(theirs) and theirs <= mine)


class PolicyRule(Record):
    """One peer on one port. `peer` is a CIDR as text, or a selector. Ports None means every port."""

    peer: Selector | str
    ports: tuple[int, int] | None
    is_inward: bool
    line: int


def pods_of(declared: Declared) -> tuple[str, ...] | None:
    """The names of the workloads that a policy guards; empty for all of its namespace, None when its labels are no names."""
    labels = _labels_of(_tree(declared))
    if not labels:
        return ()
    names = [v for k, v in labels.items() if _NAME_LABELS.fullmatch(k)]
    return tuple(names) if len(names) == 1 else None


def namespace_of(declared: Declared) -> str:
    """The namespace that a policy stands in."""
    for key in ("namespace", "metadata.namespace"):
        if key in declared.settings and isinstance(declared.settings[key].value, str):
            return str(declared.settings[key].value)
    return "default"


def restricts(declared: Declared, *, inward: bool) -> bool:
    """Whether a policy closes this direction for the pods that it guards, but for what it lets through."""
    if declared.kind.endswith("authorizationpolicy"):
        return inward and _is_allowing(declared)
    types = next((s.value for k, s in declared.settings.items() if k in ("spec.policy_types", "spec.types")), None)
    said = [str(t).lower() for t in cast("Sequence[object]", types)] if isinstance(types, list | tuple) else []
    side = "ingress" if inward else "egress"
    if said:
        return side in said
    return inward or any(re.match(rf"(spec\.)?{side}\b", key) for key in declared.settings)


def policy_rules(declared: Declared) -> Iterator[PolicyRule]:
    """Every peer that a policy lets through."""
    own = namespace_of(declared)
    tree = _tree(declared)
    if declared.kind.endswith("authorizationpolicy"):
        if _is_allowing(declared):
            yield from _of_mesh(declared, tree)
        return
    for side in ("ingress", "egress"):
        for number, rule in enumerate(_items(_get(tree, side))):
            line = _line(declared, side, number)
            if str(_get(rule, "action") or "allow").lower() not in ("allow", "pass"):
                continue
            ports = _ports(rule)
            for peer in _peers(rule, own, is_inward=side == "ingress"):
                for port in ports:
                    yield PolicyRule(peer, port, side == "ingress", line)


def _is_allowing(declared: Declared) -> bool:
    action = declared.settings.get("spec.action")
    has_rules = any(key.startswith("spec.rules") for key in declared.settings)
    return (action is None or str(action.value).upper() == "ALLOW") and has_rules


# -- the peers of a rule --------------------------------------------------------------------------


def _peers(rule: object, own: str, *, is_inward: bool) -> Iterator[Selector | str]:
    word = "from" if is_inward else "to"
    listed = _items(_get(rule, word))
    cilium = {k: _items(_get(rule, f"{word}{k}")) for k in ("endpoints", "cidr", "cidrset", "entities")}
    calico = _get(rule, "source" if is_inward else "destination")
    if not listed and not any(cilium.values()) and calico is None:
        if not any(_get(rule, f"{word}{k}") is not None for k in ("fqdns", "services", "groups", "nodes")):
            yield Selector(None)
        return
    for peer in listed:
        block = _get(_get(peer, "ipblock"), "cidr")
        if isinstance(block, str):
            yield block
            continue
        yield from _of_kubernetes(peer, own)
    for peer in cilium["endpoints"]:
        yield from _of_cilium(peer, own)
    yield from (str(c) for c in cilium["cidr"])
    yield from (str(c) for block in cilium["cidrset"] if (c := _get(block, "cidr")) is not None)
    if {"cluster", "all"} & {str(e) for e in cilium["entities"]}:
        yield Selector(None)
    if calico is not None:
        yield from _of_calico(calico, own)


def _of_kubernetes(peer: object, own: str) -> Iterator[Selector]:
    spaces, pods = _get(peer, "namespaceselector"), _get(peer, "podselector")
    names, exact = _names(_labels_of(pods)) if pods is not None else ((), True)
    expressions = _items(_get(pods, "matchexpressions"))
    wants = wants_of(_labels_of(pods), expressions) if pods is not None else ()
    for found, is_named in _namespaces(spaces, own):
        yield Selector(found, names, (), exact and not expressions and is_named, str(peer)[:200], wants if is_named else None)


def _namespaces(spaces: object, own: str) -> Iterator[tuple[tuple[str, ...] | None, bool]]:
    if spaces is None:
        yield (own,), True
        return
    labels = _labels_of(spaces)
    expressions = _items(_get(spaces, "matchexpressions"))
    named = [v for k, v in labels.items() if _NAMESPACE_LABELS.fullmatch(k)]
    others = [k for k in labels if not _NAMESPACE_LABELS.fullmatch(k)]
    for expression in expressions:
        values = [str(v) for v in _items(_get(expression, "values"))]
        if str(_get(expression, "operator")) == "In" and _NAMESPACE_LABELS.fullmatch(str(_get(expression, "key"))):
            named += values
        else:
            others.append(str(_get(expression, "key")))
    if not named and not others:
        yield None, True
    for name in named or [""] * bool(others):
        yield (name,) if name else None, not others


def _of_cilium(peer: object, own: str) -> Iterator[Selector]:
    labels = _labels_of(peer)
    spaces = [v for k, v in labels.items() if "pod.namespace" in k or "metadata.name" in k]
    own_labels = {k: v for k, v in labels.items() if "pod.namespace" not in k and "metadata.name" not in k}
    names, exact = _names(own_labels)
    expressions = _items(_get(peer, "matchexpressions"))
    wants = wants_of(own_labels, expressions)
    yield Selector(tuple(spaces) or (own,), names, (), exact and not expressions, str(peer)[:200], wants)


_CALICO = pattern(r"([\w./:-]{1,80})\s{0,4}==\s{0,4}['\"]([\w.-]{1,80})['\"]")


def _of_calico(source: object, own: str) -> Iterator[Selector | str]:
    nets = _items(_get(source, "nets"))
    yield from (str(n) for n in nets)
    spaces, pods = str(_get(source, "namespaceselector") or ""), str(_get(source, "selector") or "")
    if not spaces and not pods:
        if not nets:
            yield Selector(None)
        return
    named = tuple(v for k, v in _CALICO.findall(spaces[:500]) if _NAMESPACE_LABELS.fullmatch(k))
    labels = dict(_CALICO.findall(pods[:500]))
    names, exact = _names(labels)
    exact = exact and not re.search(r"&&|\|\||!=|has\(|\bin\b", spaces + pods) and (not spaces or bool(named))
    wants = wants_of(labels, ()) if exact else None
    yield Selector(named or (own,), names, (), exact, f"{spaces} {pods}".strip(), wants)


def _of_mesh(declared: Declared, tree: object) -> Iterator[PolicyRule]:
    """Istio: namespaces, service accounts and addresses, each by itself."""
    for number, rule in enumerate(_items(_get(tree, "rules"))):
        line = _line(declared, "rules", number)
        ports: list[tuple[int, int] | None] = [
            (int(str(p)), int(str(p)))
            for to in _items(_get(rule, "to"))
            for p in _items(_get(_get(to, "operation"), "ports"))
            if str(p).isdigit()
        ] or [None]
        peers: list[Selector | str] = []
        for entry in _items(_get(rule, "from")):
            source = _get(entry, "source")
            peers += [Selector((str(n),)) for n in _items(_get(source, "namespaces"))]
            for principal in [*_items(_get(source, "principals")), *_items(_get(source, "serviceaccounts"))]:
                found = _ACCOUNT.fullmatch(str(principal))
                if found is not None:
                    peers.append(Selector((found[1],), (), () if found[2] == "*" else (found[2],), "*" not in found[1]))
                else:
                    peers.append(Selector(None, is_exact=str(principal) == "*", text=str(principal)))
            peers += [str(c) for c in [*_items(_get(source, "ipblocks")), *_items(_get(source, "remoteipblocks"))]]
        for peer in peers or ([Selector(None)] if _get(rule, "from") is None else []):
            for port in ports[:8]:
                yield PolicyRule(peer, port, is_inward=True, line=line)


def _names(labels: Mapping[str, str]) -> tuple[tuple[str, ...], bool]:
    named = tuple(v for k, v in labels.items() if _NAME_LABELS.fullmatch(k))
    return named[:1], len(named) == len(labels) and len(set(named)) <= 1


def _ports(rule: object) -> list[tuple[int, int] | None]:
    entries = _items(_get(rule, "ports")) + [p for to in _items(_get(rule, "toports")) for p in _items(_get(to, "ports"))]
    found: list[tuple[int, int] | None] = []
    for entry in entries:
        low, high = str(_get(entry, "port") or ""), str(_get(entry, "endport") or "")
        found.append((int(low), int(high) if high.isdigit() else int(low)) if low.isdigit() else None)
    return list(dict.fromkeys(found))[:8] or [None]


# -- settings as the tree that they were ----------------------------------------------------------


def _tree(declared: Declared) -> Mapping[str, object]:
    """The settings as nested mappings, keys without case and separators; label keys stay as they are."""
    root: dict[str, object] = {}
    for key, setting in declared.settings.items():
        before, is_label, label = key.partition(".match_labels.")
        path = [_bare(p) for p in before.split(".")] + (["matchlabels", label] if is_label else [])
        path = path[1:] if path[0] == "spec" else path
        node = root
        for part in path[:-1]:
            below = node.setdefault(part, {})
            node = cast("dict[str, object]", below) if isinstance(below, dict) else {}
        node[path[-1]] = setting.value if setting.value is not None else setting.text
    return root


def _get(node: object, key: str) -> object:
    if not isinstance(node, Mapping):
        return None
    entries = cast("Mapping[str, object]", node)
    return next((v for k, v in entries.items() if _bare(k) == key), None)


def _items(node: object) -> list[object]:
    if node is None:
        return []
    if isinstance(node, list | tuple):
        return list(cast("Sequence[object]", node))
    if isinstance(node, Mapping):
        entries = cast("Mapping[str, object]", node)
        if entries and all(k.isdigit() or k.startswith("#") for k in entries):
            return list(entries.values())
    return [node]


def _labels_of(node: object) -> dict[str, str]:
    """The labels that a selector asks for; those of the pods of a whole policy."""
    for key in ("podselector", "endpointselector", "selector"):
        inner = _get(node, key)
        if isinstance(inner, Mapping):
            return _labels_of(cast("Mapping[str, object]", inner)) or _flat(cast("Mapping[str, object]", inner))
        if isinstance(inner, str):
            return dict(_CALICO.findall(inner[:500]))
    labels = _get(node, "matchlabels")
    return _flat(cast("Mapping[str, object]", labels)) if isinstance(labels, Mapping) else {}


def _flat(labels: Mapping[str, object]) -> dict[str, str]:
    return {k: str(v) for k, v in labels.items() if isinstance(v, str | int)}


def _bare(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()


def _line(declared: Declared, side: str, number: int) -> int:
    shape = re.compile(rf"(spec\.)?{side}(\.{number}\b|\.(?!\d)|$)")
    lines = [s.line for k, s in declared.settings.items() if shape.match(k)]
    return min(lines, default=declared.line)
