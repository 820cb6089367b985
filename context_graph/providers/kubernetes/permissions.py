"""The role that allows exactly the lists that a sync reads, as YAML that kubectl apply takes."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from context_graph.providers.kubernetes.kinds import KINDS

ROLE = "gonogo-reads"


def all_permissions() -> list[str]:
    """Every permission that a sync of a whole cluster uses, sorted."""
    return sorted(kind.permission for kind in KINDS)


def role_yaml(permissions: Iterable[str], namespaces: Sequence[str] = ()) -> str:
    """A ClusterRole; with namespaces a Role in each of them, of what stands inside of namespaces."""
    inside = {kind.permission for kind in KINDS if kind.is_namespaced}
    wanted = [one for one in permissions if one in inside or not namespaces]
    rules = _rules(wanted)
    if not namespaces:
        return _document("ClusterRole", "", rules)
    return "---\n".join(_document("Role", namespace, rules) for namespace in namespaces)


def _document(kind: str, namespace: str, rules: str) -> str:
    place = f"  namespace: {namespace}\n" if namespace else ""
    return f"apiVersion: rbac.authorization.k8s.io/v1\nkind: {kind}\nmetadata:\n  name: {ROLE}\n{place}rules:\n{rules}"


def _rules(permissions: Iterable[str]) -> str:
    groups: dict[str, list[str]] = defaultdict(list)
    for permission in sorted(set(permissions)):
        plural, _, group = permission.removeprefix("list ").partition(".")
        groups[group].append(plural)
    return "".join(
        f'- apiGroups: ["{group}"]\n  resources: [{", ".join(plurals)}]\n  verbs: [list]\n'
        for group, plurals in sorted(groups.items())
    )
