"""Data that is kept for a longer time, against the volume that holds it."""

import re
from collections.abc import Iterator

from bot.investigator.asking import config, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.disk_use import DiskUse, disk_use
from bot.investigator.facts.kept_in import is_about, store_of_line
from bot.investigator.playbook import PlaybookInfo
from context_graph.readings import is_configured
from gonogo.evidence import ConfigEvidence
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.stateful.kept import KeptFor, kept_changes

INFO = PlaybookInfo(id="full-volume", question="Does the volume hold what is kept from now on?")

_FULL = 100.0
_OPEN_FROM = 85.0
"""Percent of a volume from which on nobody can say that it fits."""
_BOUNDED = pattern(
    r"(?i)(?:log\.)?retention[._-]?(?:bytes|size)\W{1,4}(?!-1\b)[\"']?\d+|maximum-retention-size|(?<![\w.-])max[_-]?bytes\W{1,4}[\"']?\d{6,}"
)
_OWN = pattern(r"(?i)(?<!log\.)(?<!local\.)\bretention\.(?:ms|bytes)[\"']?\s*[=:]\s*[\"']?\d")
_TIERED = pattern(
    r"(?i)remote\.(?:log\.)?storage\.(?:system\.)?enable[\"']?\s*[=:]\s*[\"']?true|storage_mode\W{1,6}TIERED|local\.retention\.(?:ms|bytes)"
)
_GROWS = ("storage_autoscaling", "autoscaling", "disk_autoresize", "storage_auto_resize", "auto_expand", "autoresize")
_SIZE = pattern(r"(?i)(?:volume|disk|storage|ebs|pvc)\w*")
_TEXTS = (".tf", ".tfvars", ".yaml", ".yml", ".json", ".properties", ".conf", ".sh", ".env", ".toml", ".hcl")


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a time of keeping that gets longer, where it is known how full the volume is."""
    for found in case.diff.once(kept_changes):
        store = store_of_line(case, found.file, found.line) if found.new_s > found.old_s else None
        use = disk_use(case, store) if store is not None and "topic" not in store.kind else None
        if store is not None and use is not None and is_about(case, found.key, store) and not _is_bounded(case, found):
            yield _chain(case, found, store, use)


def _chain(case: Case, found: KeptFor, store: Resource, use: DiskUse) -> Trajectory:
    line = quote(case, found.file, found.line)
    old, new = _span(found.old_s), _span(found.new_s)
    return Trajectory(
        title=f"The volume of {store.name} fills up",
        impact=Impact.HIGH,
        resource=ResourceId(store.id),
        metric=next((r.evidence.metric for r in use.readings if r.evidence.kind == "metric"), "disk used"),
        links=(
            trigger(f"`{found.key}` goes from {old} to {new}", line, *quote_removed(case, found.file, found.base_line)[:1]),
            mechanism(f"in the end it holds {found.new_s / found.old_s:.3g} times as much", line),
            exposure(f"{store.name} is {use.usual:.3g} % full with what it keeps for {old}", *use.readings, _size(case, store)),
            _harm(case, found, store, use),
        ),
        make_safe="Make the volume bigger first, or keep only what is needed for longer.",
        path=tuple(dict.fromkeys((ResourceId(store.id), *(r.evidence.resource for r in use.readings)))),
        undo=f"Set it back to {old}; what is older is deleted and the room is free again.",
    )  # fmt: skip


def _harm(case: Case, found: KeptFor, store: Resource, use: DiskUse) -> Link:
    ratio = found.new_s / found.old_s / _enlarged(case)
    least, most = use.least * ratio, use.most * ratio
    cited = (*use.readings, _size(case, store))
    if most < _OPEN_FROM:
        return harm(
            f"it needs more than its volume: {use.most:.3g} % × {ratio:.3g} = {most:.3g} %",
            *cited,
            comparison=compare(most, ">", _FULL, "%"),
        )
    open_because = _open_because(case, found, store, use)
    if least > _FULL and open_because is None:
        days = (_FULL - use.usual) / use.usual * found.old_s / 86_400
        claim = f"it needs {least:.3g} % of its volume ({use.least:.3g} % × {ratio:.3g}) and is full about {days:.2g} days after the change"
        return harm(claim, *cited, comparison=compare(least, ">", _FULL, "%"))
    question = open_because or "Does it hold that much?"
    query = f"bytes in a second of {store.name} × {found.new_s:,.0f} s × copies ÷ size of the volume"
    return unknown(Role.HARM, f"it needs {least:.3g} to {most:.3g} % of its volume", question, query, *cited)


def _open_because(case: Case, found: KeptFor, store: Resource, use: DiskUse) -> str | None:
    """The question that is left although the numbers say that it fills; None when none is."""
    growing = config(case, store.id, *_GROWS)
    if growing is not None and growing.value not in (False, None, "false", "disabled", 0):
        return "How far does its volume grow by itself?"
    if is_configured(store, "storage_mode") and str(store.attributes.get("storage_mode", "")).upper() == "TIERED":
        return "How much of it goes to the tier behind?"
    if not use.is_steady:
        return "How much of it is deleted by age today?"
    texts = [case.diff.head.text(p) or "" for p in case.diff.head.paths() if p.endswith(_TEXTS) and p != found.file]
    if any(_OWN.search(text) for text in texts[:400]):
        return "How much of it has a retention of its own?"
    return None


def _is_bounded(case: Case, found: KeptFor) -> bool:
    """Whether a size bounds what is kept, or older data goes to another store: the volume does not fill by time."""
    folder = found.file.rpartition("/")[0]
    near = [p for p in case.diff.head.paths() if p.rpartition("/")[0] == folder and p.endswith(_TEXTS)]
    return any(
        _BOUNDED.search(text) or _TIERED.search(text) for p in {found.file, *near[:60]} if (text := case.diff.head.text(p) or "")
    )


def _enlarged(case: Case) -> float:
    """By what factor the same change makes the volume bigger."""
    found = [
        float(v.new) / float(v.old)
        for v in case.diff.values
        if isinstance(v.old, int | float) and isinstance(v.new, int | float) and not isinstance(v.new, bool) and 0 < v.old < v.new
        and _SIZE.search(v.path) and not re.search(r"(?i)retention|time", v.path)
    ]  # fmt: skip
    sizes = [
        _gib(v.new_text) / _gib(v.old_text)
        for v in case.diff.values
        if _SIZE.search(v.path) and _gib(v.old_text) and _gib(v.new_text)
    ]
    return max([1.0, *found, *sizes])


def _gib(text: str | None) -> float:
    found = re.fullmatch(r"[\"']?(\d+(?:\.\d+)?)\s?([MGT])i?B?[\"']?", text or "")
    return float(found[1]) * {"M": 1 / 1024, "G": 1.0, "T": 1024.0}[found[2]] if found is not None else 0.0


def _size(case: Case, store: Resource) -> ConfigEvidence | None:
    return config(
        case, store.id, "volume_size_gib", "volume_size", "storage_gib", "allocated_storage", "disk_size_gb", "size_gib"
    )


def _span(seconds: float) -> str:
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}{'' if seconds == size else 's'}"
    return f"{seconds:.3g} s"
