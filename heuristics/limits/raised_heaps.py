"""Heaps that a change lets grow: flags of the JVM, Node, Go and .NET, and caches that hold their data in memory."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_ci_path, is_production_code
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere, is_for_production

MIB = 1024 * 1024


class Flag(Record):
    """One way to bound a heap. `roomy` is the share of the container above which what is not heap gets short."""

    name: str
    shape: re.Pattern[str]
    is_percent: bool
    roomy: float
    besides: str


_BESIDES_JVM = "metaspace, threads, code cache and direct buffers"
_FLAGS = (
    Flag("MaxRAMPercentage", pattern(r"-XX:MaxRAMPercentage=(?P<n>\d{1,3}(?:\.\d{1,4})?)"), is_percent=True, roomy=0.8, besides=_BESIDES_JVM),
    Flag("-Xmx", pattern(r"-Xmx(?P<n>\d{1,12})(?P<unit>[kKmMgG]?)\b"), is_percent=False, roomy=0.8, besides=_BESIDES_JVM),
    Flag("-XX:MaxHeapSize", pattern(r"-XX:MaxHeapSize=(?P<n>\d{1,12})(?P<unit>[kKmMgG]?)\b"), is_percent=False, roomy=0.8, besides=_BESIDES_JVM),
    Flag("--max-old-space-size", pattern(r"--max[-_]old[-_]space[-_]size(?:[= ]|\",\s?\")(?P<n>\d{1,7})(?P<unit>)\b"), is_percent=False, roomy=0.85, besides="buffers and native memory"),
    Flag("GOMEMLIMIT", pattern(r"GOMEMLIMIT[\"']?(?:,\s{0,3}value)?\s{0,3}[=:]\s{0,3}[\"']?(?P<n>\d{1,12})(?P<unit>(?:[KMG]i)?)B"), is_percent=False, roomy=0.95, besides="memory outside of the Go runtime"),
    Flag("DOTNET_GCHeapHardLimitPercent", pattern(r"GCHeapHardLimitPercent[\"']?(?:,\s{0,3}value)?\s{0,3}[=:]\s{0,3}[\"']?(?:0x)?(?P<n>[0-9A-Fa-f]{1,3})\b"), is_percent=True, roomy=0.8, besides="native memory and threads"),
    Flag("maxmemory", pattern(r"(?:^|--|\s)maxmemory[\s=\",]{1,5}(?P<n>\d{1,12})(?P<unit>(?:[kKmMgG][bB]?)?)\b"), is_percent=False, roomy=0.8, besides="buffers of clients and copies for snapshots"),
)  # fmt: skip


class RaisedHeap(Record):
    """A heap that may get bigger: a share of its container in percent, or MiB."""

    flag: Flag
    old: float
    new: float
    place: Place

    def mib(self, number: float, container_mib: float) -> float:
        """A number of the flag in MiB."""
        return number / 100 * container_mib if self.flag.is_percent else number


def raised_heaps(context: RuleContext) -> Iterator[RaisedHeap]:
    """Every flag whose number grows in a file that reaches production."""
    for file in context.changes.files:
        path = file.head_path
        if not path or not file.hunks or not is_production_code(file.path) or is_ci_path(file.path) or is_elsewhere(file.path):
            continue
        before, after = file.removed_lines(), file.added_lines()
        for flag in _FLAGS:
            olds = [value for text in before.values() if (value := _value(flag, text)) is not None]
            news = [(line, value) for line, text in after.items() if (value := _value(flag, text)) is not None]
            for old, (line, new) in zip(olds, news, strict=False):
                if new > old:
                    yield RaisedHeap(flag, old, new, Place(file=path, line=line))


def container_mib(context: RuleContext) -> tuple[float, Place] | None:
    """The memory of the container as head's manifests bound it, where all of them that are for production say the same."""
    sides = context.declared.get("head")
    found: dict[float, Place] = {}
    for declared in sides.resources if sides else ():
        if not is_for_production(context, declared):
            continue
        for key, setting in declared.settings.items():
            if key.rpartition(".")[2] in ("memory_limit_mib", "mem_limit_mib") and isinstance(setting.value, int | float):
                found.setdefault(float(setting.value), Place(file=setting.file or declared.file, line=setting.line))
    return next(iter(found.items())) if len(found) == 1 else None


def _value(flag: Flag, text: str) -> float | None:
    found = flag.shape.search(text[:2_000])
    if found is None:
        return None
    if flag.name.startswith("DOTNET"):
        return float(int(found["n"], 16))
    if flag.is_percent:
        return float(found["n"])
    unit = found["unit"].lower()[:1]
    bare = 1.0 if flag.name.startswith("--") else 1 / MIB
    return float(found["n"]) * {"k": 1 / 1024, "m": 1.0, "g": 1024.0, "": bare}[unit]
