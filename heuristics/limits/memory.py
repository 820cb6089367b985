"""Memory limits that a change lowers, and heaps that it raises past what holds them."""

import re
from collections.abc import Iterator
from enum import StrEnum

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Relation
from heuristics.code import is_ci_path, is_production_code
from heuristics.limits.changed import Changed, as_number, changed_numbers, words_of
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

MIB = 1024 * 1024


class Holds(StrEnum):
    """What the limit holds."""

    FUNCTION = "function"
    CONTAINER = "container"
    HEAP = "heap"
    DISK = "disk"


class MemoryLimit(Record):
    """A lowered limit in MiB. `container` names the container when the workload has several."""

    changed: Changed
    holds: Holds
    old_mib: float
    new_mib: float
    container: str = ""


def lowered_memory(context: RuleContext) -> Iterator[MemoryLimit]:
    """Every memory limit, heap and scratch disk that gets smaller."""
    for changed in changed_numbers(context):
        if (changed.declared is not None and (found := _of_manifest(changed)) is not None and found.new_mib < found.old_mib) or (
            changed.declared is None and (found := _of_code(changed)) is not None and found.new_mib < found.old_mib
        ):
            yield found
    yield from (found for found in heaps(context) if found.new_mib < found.old_mib)


def heaps(context: RuleContext) -> Iterator[MemoryLimit]:
    """Maximum heap sizes in flags (`-Xmx2g`, `--max-old-space-size=2048`) that differ between the sides."""
    for file in context.changes.files:
        if not file.hunks or not is_production_code(file.path) or is_ci_path(file.path) or is_elsewhere(file.path):
            continue
        before = [(n, size) for n, text in file.removed_lines().items() if (size := _heap(text)) is not None]
        after = [(n, size) for n, text in file.added_lines().items() if (size := _heap(text)) is not None]
        for (base_line, old), (head_line, new) in zip(before, after, strict=False):
            if old != new:
                flag = _HEAP.search(file.added_lines()[head_line])
                name = "-Xmx" if flag is None or flag["jvm"] else "--max-old-space-size"
                changed = Changed(
                    name, name, file.head_path or file.path, base_line, head_line, old, new, f"{old:g} MiB", f"{new:g} MiB"
                )
                yield MemoryLimit(changed, Holds.HEAP, old, new)


def service_of(context: RuleContext, task: Declared) -> tuple[Declared, ...]:
    """The declared services that run a task definition."""
    sides = context.declared.get("head")
    if sides is None:
        return ()
    users = {e.source for e in sides.edges if e.target == task.address and e.relation is Relation.DEPENDS_ON}
    return tuple(d for d in sides.resources if d.address in users and d.kind == "aws.ecs.service")


_HEAP = pattern(r"-Xmx(?P<jvm>\d{1,9})(?P<unit>[kKmMgG]?)\b|--max[-_]old[-_]space[-_]size[= ](?P<node>\d{1,7})")


def _heap(text: str) -> float | None:
    found = _HEAP.search(text[:2000])
    if found is None:
        return None
    if found["node"]:
        return float(found["node"])
    scale = {"k": 1 / 1024, "m": 1.0, "g": 1024.0, "": 1 / MIB}[found["unit"].lower()]
    return float(found["jvm"]) * scale


def _of_manifest(changed: Changed) -> MemoryLimit | None:
    declared = changed.declared
    if declared is None:
        return None
    prefix, _, key = changed.key.rpartition(".")
    container = prefix.partition(".")[2] if prefix.startswith("container.") else ""
    if prefix and not container and not prefix.startswith(("template", "spec", "service_config", "deploy")):
        return None
    old, new = changed.old, changed.new
    if declared.kind == "aws.lambda.function":
        holds = {"memory_mb": Holds.FUNCTION, "ephemeral_storage_mb": Holds.DISK}.get(key)
        return MemoryLimit(changed, holds, old, new) if holds and old is not None and new is not None else None
    if key in ("memory_limit_mib", "mem_limit_mib"):
        return MemoryLimit(changed, Holds.CONTAINER, old, new, container) if old is not None and new is not None else None
    if key in ("memory", "available_memory", "mem_limit", "memory_limit") or words_of(key)[-2:] == ("limits", "memory"):
        sizes = _size(changed.old_text), _size(changed.new_text)
        holds = Holds.FUNCTION if "function" in declared.kind else Holds.CONTAINER
        return (
            MemoryLimit(changed, holds, sizes[0], sizes[1], container) if sizes[0] is not None and sizes[1] is not None else None
        )
    return None


def _of_code(changed: Changed) -> MemoryLimit | None:
    """Infrastructure written as code (`memorySize`, `memoryLimitMiB`) and the sizes of small platforms (`memory = "1gb"`)."""
    words = changed.words
    if words[-2:] == ("memory", "size") and changed.call.endswith("Function"):
        holds = Holds.FUNCTION
    elif words[:2] == ("memory", "limit") or (
        words == ("memory",) and changed.file.endswith(("fly.toml", "render.yaml", ".nomad", ".nomad.hcl"))
    ):
        holds = Holds.CONTAINER
    else:
        return None
    old, new = _size(changed.old_text), _size(changed.new_text)
    return MemoryLimit(changed, holds, old, new) if old is not None and new is not None else None


def _size(text: str | None) -> float | None:
    """`512Mi`, `1Gi`, `512M`, `1g` in MiB; a bare number is MiB, as cloud functions write it."""
    found = re.fullmatch(r"\s*[\"']?(\d{1,12}(?:\.\d{1,3})?)\s*([KMGkmg]?)(i?)[bB]?[\"']?\s*", text or "")
    if found is None:
        return as_number(text)
    scale = {"": 1.0, "k": 1 / 1024, "m": 1.0, "g": 1024.0}[found[2].lower()]
    return (
        float(found[1])
        * scale
        * (1.0 if found[3] or not found[2] else {"k": 1000 / 1024, "m": 1e6 / MIB, "g": 1e9 / 1024**3}[found[2].lower()])
    )
