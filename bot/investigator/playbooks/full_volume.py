"""Data that is kept for a longer time, against the volume that holds it."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, config, number, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.disk_use import DiskUse, disk_use
from bot.investigator.facts.held_share import holders, share_of, shared_use, shares_its_volume
from bot.investigator.facts.kept_in import is_about, store_of_line
from bot.investigator.playbook import PlaybookInfo
from context_graph.readings import is_configured
from gonogo.evidence import ConfigEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.stateful.kept import KeptFor, kept_changes

INFO = PlaybookInfo(id="full-volume", question="Does the volume hold what is kept from now on?")

_FULL = 100.0
_DAY_S, _MONTH_S, _GIB = 86_400.0, 30 * 86_400.0, 1024.0**3
_EVER = float("inf")
_BOUNDS = ("retention_bytes", "retention.bytes", "max_bytes", "log_retention_bytes", "max_store_size_bytes")
_BOUND_OF_ALL = pattern(r"(?i)log[._]retention[._]bytes[\"']?\s*[:=]\s*[\"']?[1-9]")
_CLEANED = pattern(r"(?i)cleanup[._]?policy")
_COMPACTED = pattern(r"(?i)cleanup[._]?policy(?:_config)?[\"']?\s*[:=,]\s*[\"'\[]*\s*compact(?!\s*,\s*delete)\b")
_BEGINS = pattern(r"^(---|resource |\s*- (topic|name|stream)\b|.*\bkind:)|TopicBuilder|NewTopic\(|TopicConfig\{")
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
        if store is None or not is_about(case, found.key, store):
            continue
        if shares_its_volume(store, found.key):
            use = shared_use(case, store)
            if use is not None and not _is_bounded_itself(case, found, store):
                yield _chain(case, found, store, use, _need_of_share(case, found, store, use))
            continue
        use = disk_use(case, store)
        if use is not None and found.new_s != _EVER and not _is_bounded(case, found):
            yield _chain(case, found, store, use, _need(case, found, store, use))


class _Need(Record):
    """Percent of the volume from now on, at the least and at the most, and how that is computed."""

    least: float
    most: float
    said: str
    said_most: str
    days: float
    cited: tuple[Cited, ...]
    question: str | None = None
    holds: str = ""


def _need(case: Case, found: KeptFor, store: Resource, use: DiskUse) -> _Need:
    """Where all of the volume is kept for that time: it grows as the time does."""
    ratio = found.new_s / found.old_s / _enlarged(case)
    days = (_FULL - use.usual) / use.usual * found.old_s / _DAY_S
    times = f"× {ratio:.3g}"
    return _Need(
        use.least * ratio, use.most * ratio, f"{use.least:.3g} % {times}", f"{use.most:.3g} % {times}", days,
        (*use.readings, _size(case, store)), _open_because(case, found, store, use), f"in the end it holds {found.new_s / found.old_s:.3g} times as much",
    )  # fmt: skip


def _need_of_share(case: Case, found: KeptFor, store: Resource, use: DiskUse) -> _Need:
    """Where others are on the volume too: only the share of this one grows. For ever is held against a month."""
    share = share_of(case, store, case.diff.head.text(found.file) or "")
    new_s = max(_MONTH_S, found.old_s * 2) if found.new_s == _EVER else found.new_s
    larger, ratio = _enlarged(case), new_s / found.old_s
    holds = f"nothing of {store.name} is deleted in the {_span(new_s - found.old_s)} after the change; in the end there is {ratio:.3g} times as much of it"
    question = _grows(case, *holders(case, store)) or (None if use.is_steady else "How much of it is deleted by age today?")
    all_of_it = use.most * ratio / larger
    if share is None or use.capacity is None:
        cited = (*use.readings, *(share.readings if share is not None else ()))
        asked = question or f"How many bytes of {store.name} does one volume hold?"
        return _Need(use.least / larger, all_of_it, f"{use.least:.3g} %", f"at most {use.most:.3g} % × {ratio:.3g}", float("inf"), cited, asked, holds)  # fmt: skip
    a_second = (share.least, share.most) if share.is_rate else (share.least / found.old_s, share.most / found.old_s)
    extra = [100 * each * (new_s - found.old_s) / use.capacity for each in a_second]
    if not share.is_steady:
        question = question or f"How much of {store.name} is deleted by age today?"
    if share.least <= 0:
        question = question or f"How many bytes of {store.name} does one volume hold?"
    most = min((use.most + extra[1]) / larger, all_of_it)
    days = (_FULL * larger - use.usual) / 100 * use.capacity / a_second[0] / _DAY_S if a_second[0] > 0 else float("inf")
    gib = [each * new_s / _GIB for each in a_second]
    about = f"{gib[0]:,.0f} GiB of {store.name} where {a_second[0] * found.old_s / _GIB:,.0f} GiB are now, on {use.capacity * larger / _GIB:,.0f} GiB"
    return _Need(
        (use.least + extra[0]) / larger, most, f"{use.least:.3g} % + {extra[0]:.3g} %: {about}", f"{use.most:.3g} % + {extra[1]:.3g} %", days,
        (*use.readings, *share.readings), question, holds,
    )  # fmt: skip


def _chain(case: Case, found: KeptFor, store: Resource, use: DiskUse, need: _Need) -> Trajectory:
    line = quote(case, found.file, found.line)
    old, new = _span(found.old_s), _span(found.new_s)
    volume = next((r.evidence.resource for r in use.readings), ResourceId(store.id))
    return Trajectory(
        title=f"The volume of {store.name} fills up",
        impact=Impact.HIGH,
        resource=volume if volume != store.id and shares_its_volume(store, found.key) else ResourceId(store.id),
        metric=next((r.evidence.metric for r in use.readings if r.evidence.kind == "metric"), "disk used"),
        links=(
            trigger(f"`{found.key}` goes from {old} to {new}", line, *quote_removed(case, found.file, found.base_line)[:1]),
            mechanism(need.holds, line),
            exposure(f"the volume of {store.name} is {use.usual:.3g} % full with what is kept for {old}", *use.readings, _size(case, store)),
            _harm(found, store, need),
        ),
        make_safe="Make the volume bigger first, set a bound in bytes, or keep only what is needed for longer.",
        path=tuple(
            dict.fromkeys(
                (ResourceId(store.id), *(r.evidence.resource for r in (*use.readings, *need.cited) if isinstance(r, Reading)))
            )
        ),
        undo=f"Set it back to {old}; what is older is deleted and the room is free again.",
    )  # fmt: skip


def _harm(found: KeptFor, store: Resource, need: _Need) -> Link:
    if need.most < _OPEN_FROM and found.new_s != _EVER:
        return harm(
            f"it needs more than its volume: {need.said_most} = {need.most:.3g} %",
            *need.cited,
            comparison=compare(need.most, ">", _FULL, "%"),
        )
    if need.least > _FULL and need.question is None:
        claim = f"it needs {need.least:.3g} % of its volume ({need.said}) and is full about {need.days:.2g} days after the change"
        return harm(claim, *need.cited, comparison=compare(need.least, ">", _FULL, "%"))
    kept = f"{found.new_s:,.0f} s" if found.new_s != _EVER else "the days until it is full"
    return unknown(
        Role.HARM,
        f"it needs {need.least:.3g} to {need.most:.3g} % of its volume",
        need.question or "Does it hold that much?",
        f"bytes in a second of {store.name} × {kept} × copies ÷ size of the volume",
        *need.cited,
    )


def _grows(case: Case, *stores: Resource) -> str | None:
    """The question that is left where a volume grows by itself, or old data goes to another tier."""
    volumes = [
        r
        for s in stores
        for e in case.out_of(s.id)
        if (r := case.production.resource(e.target)) is not None and "volume" in r.kind
    ]
    for one in (*stores, *volumes):
        growing = config(case, one.id, *_GROWS)
        if growing is not None and growing.value not in (False, None, "false", "disabled", 0):
            return "How far does its volume grow by itself?"
        if is_configured(one, "storage_mode") and str(one.attributes.get("storage_mode", "")).upper() == "TIERED":
            return "How much of it goes to the tier behind?"
    return None


def _is_bounded_itself(case: Case, found: KeptFor, store: Resource) -> bool:
    """Whether a size bounds this topic or stream, its old data goes to another store, or it is compacted and not deleted."""
    bound = number(case, store.id, *_BOUNDS)
    lines = (case.diff.head.text(found.file) or "").split("\n")
    near = "\n".join(_block(lines, found.line))
    policy = config(case, store.id, "cleanup_policy", "cleanup.policy")
    live = str(policy.value).lower() if policy is not None else ""
    servers = [r for r in holders(case, store) if r is not store]
    whole = "\n".join(case.diff.head.text(p) or "" for p in case.diff.head.paths() if p.endswith(_TEXTS) and p != found.file)
    return (
        (bound is not None and bound.value > 0)
        or _BOUNDED.search(near) is not None
        or _TIERED.search(near) is not None
        or (_COMPACTED.search(near) is not None if _CLEANED.search(near) else "compact" in live and "delete" not in live)
        or any(b.value > 0 for r in servers if (b := number(case, r.id, *_BOUNDS)) is not None)
        or _BOUND_OF_ALL.search(whole) is not None
    )


def _block(lines: list[str], line: int) -> list[str]:
    """The lines around one that are part of the same thing: up to the next line that names another one."""
    first = next(
        (i for i in range(line - 1, max(-1, line - 40), -1) if i < line - 1 and _BEGINS.search(lines[i])), max(0, line - 12)
    )
    last = next((i for i in range(line, min(len(lines), line + 25)) if _BEGINS.search(lines[i])), min(len(lines), line + 12))
    return lines[first:last]


def _open_because(case: Case, found: KeptFor, store: Resource, use: DiskUse) -> str | None:
    """The question that is left although the numbers say that it fills; None when none is."""
    if (growing := _grows(case, store)) is not None:
        return growing
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
    if seconds == _EVER:
        return "for ever"
    for size, unit in ((86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}{'' if seconds == size else 's'}"
    return f"{seconds:.3g} s"
