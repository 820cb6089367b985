"""Pods that ask for other nodes than before: a selector, an affinity, a toleration that goes, more CPU or memory requested."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from gonogo.record import Record
from gonogo.resource import Declared, SettingChange
from gonogo.word import Json
from heuristics.rule import RuleContext
from heuristics.runtime.declared import number_of, production_settings, setting_number

_WORKLOADS = ("kubernetes.deployment", "kubernetes.statefulset", "kubernetes.daemonset", "kubernetes.cronjob", "kubernetes.job")
_REQUEST = re.compile(r"(?:container\.[^.]+\.)?(?P<what>cpu_request|memory_request_mib)")


class Wanted(Record):
    """What a pod asks of its node. CPU in cores and memory in MiB, None when a request is an expression or absent."""

    labels: Mapping[str, str]
    terms: Sequence[Mapping[str, Json]]
    """Node selector terms of a required affinity: one of them has to match."""
    tolerations: Sequence[Mapping[str, Json]]
    cpu: float | None
    memory_mib: float | None


class Rescheduled(Record):
    """One workload whose pods find their nodes in another way from now on."""

    change: SettingChange
    changes: tuple[SettingChange, ...]
    before: Wanted
    after: Wanted
    most_pods: float | None
    """Pods at the same time in a roll-out: replicas and surge."""

    @property
    def is_moved(self) -> bool:
        """Whether the labels, the affinity or the tolerations changed, and not only the size."""
        return any(_REQUEST.fullmatch(c.key) is None for c in self.changes)


def rescheduled(context: RuleContext) -> Iterator[Rescheduled]:
    """One a workload; what only asks for less of a node is left out."""
    found: dict[tuple[str, str], list[SettingChange]] = {}
    for change in production_settings(context):
        if change.before is None or change.after is None or change.declared.kind not in _WORKLOADS:
            continue
        if _asks_more(change):
            found.setdefault((change.declared.file, change.declared.address), []).append(change)
    for changes in found.values():
        first = changes[0]
        assert first.before is not None
        assert first.after is not None
        yield Rescheduled(first, tuple(changes), wanted_of(first.before), wanted_of(first.after), _most_pods(first.after))


def wanted_of(declared: Declared) -> Wanted:
    """What the pods of a declaration ask for."""
    settings = declared.settings
    labels = {k.removeprefix("node_selector."): str(s.value) for k, s in settings.items() if k.startswith("node_selector.") and s.value is not None}  # fmt: skip
    return Wanted(
        labels=labels,
        terms=_rows(settings["node_affinity"].value) if "node_affinity" in settings else (),
        tolerations=_rows(settings["tolerations"].value) if "tolerations" in settings else (),
        cpu=_sum(declared, "cpu_request"),
        memory_mib=_sum(declared, "memory_request_mib"),
    )


def _asks_more(change: SettingChange) -> bool:
    if change.key.startswith("node_selector."):
        return change.new is not None
    if change.key in ("node_affinity", "node_name"):
        return change.new is not None
    if change.key == "tolerations":
        return True
    if _REQUEST.fullmatch(change.key) is None:
        return False
    old, new = number_of(change.old) or 0.0, number_of(change.new)
    return new is not None and new > old


def _most_pods(declared: Declared) -> float | None:
    replicas = setting_number(declared, "replicas")
    if replicas is None:
        return None
    setting = declared.settings.get("max_surge")
    text = str(setting.value) if setting is not None else "25%"
    if declared.kind != "kubernetes.deployment":
        return replicas
    share = float(text[:-1]) / 100 if re.fullmatch(r"\d{1,3}%", text) else None
    surge = -(-replicas * share // 1) if share is not None else number_of(setting) or 0.0
    return replicas + surge


def _sum(declared: Declared, what: str) -> float | None:
    """Over all containers; None when one of them is no number, or none says it."""
    numbers = [
        number_of(s) for k, s in declared.settings.items() if (m := _REQUEST.fullmatch(k)) is not None and m["what"] == what
    ]
    known = [n for n in numbers if n is not None]
    return sum(known) if known and len(known) == len(numbers) else None


def _rows(value: object) -> tuple[Mapping[str, Json], ...]:
    listed = cast("Sequence[object]", value) if isinstance(value, list | tuple) else ()
    return tuple(cast("Mapping[str, Json]", one) for one in listed if isinstance(one, Mapping))
