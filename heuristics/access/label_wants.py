"""What a selector wants of labels (`matchLabels`, `matchExpressions`), and whether labels that are known meet it.

https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from gonogo.record import Record


class Want(Record):
    """One condition on one label; the operators are those of Kubernetes."""

    key: str
    operator: str
    values: tuple[str, ...] = ()

    def is_met_by(self, labels: Mapping[str, str]) -> bool:
        """Whether labels meet it."""
        match self.operator:
            case "In":
                return labels.get(self.key) in self.values
            case "NotIn":
                return labels.get(self.key) not in self.values
            case "Exists":
                return self.key in labels
            case "DoesNotExist":
                return self.key not in labels
            case _:
                return False


def wants_of(labels: Mapping[str, str], expressions: Sequence[object]) -> tuple[Want, ...]:
    """The conditions of a selector, in the order of their keys."""
    found = [Want(bare_key(k), "In", (v,)) for k, v in labels.items()]
    found += [want for one in expressions if (want := _of_expression(one)) is not None]
    return tuple(sorted(found, key=lambda w: (w.key, w.operator, w.values)))


def unmet(wants: Sequence[Want], labels: Mapping[str, str]) -> list[Want]:
    """The conditions that labels do not meet."""
    return [want for want in wants if not want.is_met_by(labels)]


def is_wider(wants: Sequence[Want], than: Sequence[Want]) -> bool:
    """Whether whatever meets the second meets the first, as far as the conditions themselves say."""
    return all(any(_implies(other, want) for other in than) for want in wants)


def said_of(wants: Sequence[Want]) -> str:
    """The conditions in words."""
    return ", ".join(_said(want) for want in wants)


def bare_key(key: str) -> str:
    """Cilium puts where a label comes from before it."""
    return key.removeprefix("k8s:").removeprefix("any:")


def _said(want: Want) -> str:
    if want.operator == "In" and len(want.values) == 1:
        return f"{want.key}={want.values[0]}"
    return f"{want.key} {want.operator} {' '.join(want.values)}".strip()


def _implies(one: Want, other: Want) -> bool:
    if one.key != other.key:
        return False
    if one == other or (other.operator == "Exists" and one.operator == "In"):
        return True
    return one.operator == other.operator == "In" and set(one.values) <= set(other.values)


def _of_expression(node: object) -> Want | None:
    if not isinstance(node, Mapping):
        return None
    entries = dict(_bare(cast("Mapping[str, object]", node)))
    values = entries.get("values")
    listed = list(cast("Sequence[object]", values)) if isinstance(values, list | tuple) else list[object]()
    return Want(bare_key(str(entries.get("key", ""))), str(entries.get("operator", "")), tuple(str(v) for v in listed))


def _bare(entries: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for key, value in entries.items():
        yield key.replace("_", "").lower(), value
