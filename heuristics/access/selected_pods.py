"""Services whose selector, or whose pods' labels, change so that no pod of the manifests is selected any more.

A Service sends to pods that have every label of its selector; with none it has no endpoints, and its clients get connection
refused or 503 (https://kubernetes.io/docs/concepts/services-networking/service/).
"""

from collections.abc import Iterator, Mapping
from typing import cast

from gonogo.change import Side
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Place
from heuristics.rule import RuleContext

_WORKLOADS = tuple(f"kubernetes.{k}" for k in ("deployment", "statefulset", "daemonset", "rollout", "replicaset", "pod"))
_OF_ROLL_OUTS = pattern(
    r"(?i)(?:.*[/._-])?(?:colou?r|version|slot|track|release|revision|variant|canary|stage|stable|active|deployment|pod-template-hash|index|name-suffix|role|shard)"
)
"""Labels by which people switch between two sets of pods, of which the other may come from elsewhere."""


class UnmatchedService(Record):
    """A Service with the workload that it selected at base."""

    service: Declared
    before: Mapping[str, str]
    after: Mapping[str, str]
    workload: Declared
    """At head, the workload that the Service selected at base."""
    labels: Mapping[str, str]
    """The labels of its pods at head."""
    selected: Declared | None
    """A workload of head that the new selector matches."""
    place: Place
    """The line of the selector or label that differs."""
    labels_place: Place
    is_selector: bool
    """The selector changed, and not the labels of the pods."""
    may_be_elsewhere: bool
    """The label tells versions of one program apart: the pods may be deployed from somewhere else."""
    is_refused: bool = False
    """The workload's own selector changes too, which no API server takes (`field is immutable`): today's pods stay, unless it is made anew."""


def unmatched_services(context: RuleContext) -> tuple[UnmatchedService, ...]:
    """Every Service of which the selector or the pods changed and which does not select the pods of today."""
    return tuple(_found(context))


def _found(context: RuleContext) -> Iterator[UnmatchedService]:
    head, base = context.declared["head"].resources, context.declared["base"].resources
    for change in context.settings:
        service, before = change.after, change.before
        if service is None or before is None or service.kind != "kubernetes.service" or change.key != "selector":
            continue
        yield from _of(context, before, service, base, head, is_selector=True)
    for change in context.settings:
        workload = change.after
        if change.key != "pod_labels" or workload is None or change.before is None or workload.kind not in _WORKLOADS:
            continue
        for service in head:
            if service.kind == "kubernetes.service" and _same_space(service, workload):
                old = next(
                    (
                        b
                        for b in base
                        if (b.kind, b.address, b.environment) == (service.kind, service.address, service.environment)
                    ),
                    None,
                )
                if old is not None and labels_of(old, "selector") == labels_of(service, "selector"):
                    yield from _of(context, old, service, base, head, is_selector=False)


def _of(
    context: RuleContext,
    old: Declared,
    new: Declared,
    base: tuple[Declared, ...],
    head: tuple[Declared, ...],
    *,
    is_selector: bool,
) -> Iterator[UnmatchedService]:
    before, after = labels_of(old, "selector"), labels_of(new, "selector")
    if not before or not after:
        return
    chosen = [w for w in base if _is_selected(w, old, before)]
    kept = [h for w in chosen if (h := _same(w, head)) is not None]
    if len(chosen) != 1 or len(kept) != 1:
        return
    workload, labels = kept[0], _all_labels(kept[0], head)
    if not labels:
        return
    today = labels_of(chosen[0], "pod_labels") or {}
    if after.items() <= today.items() and after.items() <= labels.items():
        return
    differing = [k for k, v in after.items() if today.get(k) != v or labels.get(k) != v] or list(after)
    selected = next((w for w in head if _is_selected(w, new, after, among=head)), None)
    labels_at = _line(context, workload, "pod_labels", ())
    at = _line(context, new, "selector", differing) if is_selector else labels_at
    is_elsewhere = any(_OF_ROLL_OUTS.fullmatch(k) for k in differing)
    own = (labels_of(chosen[0], "selector"), labels_of(workload, "selector"))
    is_refused = None not in own and own[0] != own[1]
    yield UnmatchedService(new, before, after, workload, labels, selected, at, labels_at, is_selector, is_elsewhere, is_refused)


def labels_of(declared: Declared, key: str) -> dict[str, str] | None:
    """Labels that a setting holds; None when one of them is not known before it is rendered."""
    setting = declared.settings.get(key)
    value = setting.value if setting is not None else None
    if not isinstance(value, Mapping):
        return None
    found = {str(k): v for k, v in cast("Mapping[object, object]", value).items()}
    if any(not isinstance(v, str | int) or "{{" in str(v) or "${" in str(v) for v in found.values()):
        return None
    return {k: str(v) for k, v in found.items()}


def _is_selected(workload: Declared, service: Declared, selector: Mapping[str, str], *, among: tuple[Declared, ...] = ()) -> bool:
    if workload.kind not in _WORKLOADS or not _same_space(workload, service):
        return False
    labels = _all_labels(workload, among) if among else labels_of(workload, "pod_labels")
    return labels is not None and selector.items() <= labels.items()


def _all_labels(workload: Declared, among: tuple[Declared, ...]) -> dict[str, str]:
    """The labels of its pods with what overlays lay over them."""
    same = [w for w in among if (w.kind, w.name) == (workload.kind, workload.name) and _same_space(w, workload)]
    return {k: v for w in (*same, workload) for k, v in (labels_of(w, "pod_labels") or {}).items()}


def _same_space(one: Declared, other: Declared) -> bool:
    spaces = [s.value for d in (one, other) if (s := d.settings.get("namespace")) is not None]
    environments = {d.environment for d in (one, other) if d.environment is not None}
    return (len(spaces) < 2 or spaces[0] == spaces[1]) and len(environments) < 2


def _same(workload: Declared, head: tuple[Declared, ...]) -> Declared | None:
    key = (workload.kind, workload.name, workload.environment)
    found = [
        h for h in head if (h.kind, h.name, h.environment) == key and _same_space(h, workload) and labels_of(h, "pod_labels")
    ]
    return found[0] if len(found) == 1 else None


def _line(context: RuleContext, declared: Declared, key: str, words: "tuple[str, ...] | list[str]", side: Side = "head") -> Place:
    """The line below the setting that holds one of the words; the setting's own when none does."""
    setting = declared.settings.get(key)
    at = declared.place(setting, side)
    lines = (context.trees[side].text(at.file) or "").split("\n")
    for number in range(at.line, min(len(lines), at.line + 15)):
        if any(lines[number - 1].strip().strip("\"'").startswith((word + ":", word + '"', word + "'")) for word in words):
            return Place(file=at.file, line=number, side=side)
    return at
