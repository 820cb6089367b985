"""Which live worker a changed number belongs to, how many copies of it run, and how much they can do side by side."""

import re

from bot.investigator.asking import number, quote_place
from bot.investigator.case import Case
from bot.investigator.facts.callees import own_workloads, workload_of
from bot.investigator.facts.connections import instances_of
from bot.investigator.facts.consumers import queues_of
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Resource
from heuristics.limits.changed import Changed, normal_name
from heuristics.limits.concurrency import scales_by_itself
from heuristics.runtime.declared import number_of

_COMMANDS = ("command", "args", "entry_point", "entrypoint", "cmd", "start_command", "run_command", "process_command")
_SCALED = (
    "max_replicas",
    "max_instances",
    "max_count",
    "max_capacity",
    "autoscaling_max",
    "hpa_max_replicas",
    "keda_max_replicas",
)
_WRITTEN = ("replicas", "desired_count", "deploy.replicas", "scale", "count")
_PROGRAM = pattern(r"[A-Za-z_][\w.:/@-]{2,80}")


class Copies(Record):
    """How many copies of a worker run after the change: `least` to `most`; `most` is None where an autoscaler has no known end."""

    least: float
    most: float | None
    evidence: Evidence | None
    """What says how many; None where nothing does, and one is only a guess."""


def worker_of(case: Case, changed: Changed) -> Resource | None:
    """The live worker whose processes or threads the value sets: by its declaration, its command line, its file, else the only one at a queue."""
    declared = changed.declared or changed.program
    live = case.live_of(declared)
    mine = own_workloads(case)
    if live is not None and (not mine or live in mine):
        return live
    if len(mine) == 1:
        return mine[0]
    for found in (_by_command(case, changed, mine), _by_name(declared, mine), workload_of(case, changed.file)):
        if found is not None:
            return found
    readers = [one for one in mine if queues_of(case, one.id)]
    return readers[0] if len(readers) == 1 else None


def copies_of(case: Case, worker: Resource) -> Copies:
    """The copies of a worker: what this very change sets, else what runs."""
    for change in case.diff.settings:
        if change.key in _WRITTEN and change.after is not None and case.diff.live_of(change.after) == worker.id:
            written = number_of(change.new)
            if written is not None:
                return Copies(written, written, quote_place(case, change.place))
    ceiling = number(case, worker.id, *_SCALED)
    count, evidence = instances_of(case, worker)
    if ceiling is not None and ceiling.value >= count:
        return Copies(count, ceiling.value, evidence or ceiling.evidence)
    declared = (
        [d for d in case.diff.declared["head"].resources if case.diff.live_of(d) == worker.id]
        if "head" in case.diff.declared
        else []
    )
    if any(scales_by_itself(case.diff, one, "replicas") for one in declared):
        return Copies(count, None, evidence)
    return Copies(count, count, evidence)


def ceiling_of(case: Case, worker: str) -> float:
    """How many copies a live autoscaler may run; 0 where the live configuration names none."""
    found = number(case, worker, *_SCALED)
    return found.value if found is not None else 0.0


def _by_command(case: Case, changed: Changed, mine: tuple[Resource, ...]) -> Resource | None:
    """The one whose live command line has all the words of the changed line."""
    line = (case.diff.base.text(changed.file) or "").split("\n")[(changed.base_line or 1) - 1 : (changed.base_line or 1)]
    words = set(_PROGRAM.findall(line[0])) - set(_COMMANDS) - {"CMD", "ENTRYPOINT", "exec", "ExecStart"} if line else set[str]()
    if len(words) < 2:
        return None
    found = [one for one in mine if words <= set(_PROGRAM.findall(_command(one)))]
    return found[0] if len(found) == 1 else None


def _command(resource: Resource) -> str:
    return " ".join(re.sub(r"[\[\]\"',]", " ", str(resource.attributes.get(key, ""))) for key in _COMMANDS)


def _by_name(declared: Declared | None, mine: tuple[Resource, ...]) -> Resource | None:
    """`worker` of a compose file is the live `receipts-worker` when no other name ends like that."""
    if declared is None or not declared.name:
        return None
    name = normal_name(declared.name)
    exact = [one for one in mine if normal_name(one.name) == name]
    found = exact or [one for one in mine if normal_name(one.name).endswith(f"-{name}")]
    return found[0] if len(found) == 1 else None
