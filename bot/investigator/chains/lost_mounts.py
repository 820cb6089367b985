"""A program starts with an empty directory where its data lay: what lies there today, and whether it is in use."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, quote_place, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.contents import contents_of, use_of
from bot.investigator.facts.placing import governed
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.stateful.mounts import DURABLE, LostMount, lost_mounts


def empty_directories(case: Case) -> Iterator[Trajectory]:
    """One chain for every path of a program whose storage is another one from now on."""
    for found in case.diff.once(lost_mounts):
        yield _chain(case, found)


def _chain(case: Case, found: LostMount) -> Trajectory:
    live = governed(case, found.workload)
    name = live.name if live is not None else found.workload.name or found.workload.address
    held = _held(case, found, live)
    use = use_of(case, live) if live is not None else None
    target = live.id if live is not None else case.repository
    now = (
        f"{found.after.kind} {found.after.name}"
        if found.after is not None and found.after.lasts
        else "storage that goes with the container"
    )
    lines = (
        (quote_place(case, found.place),)
        if found.place.side == "head"
        else quote_removed(case, found.place.file, found.place.line)
    )
    cited = [r.evidence.resource for r in (held, use) if r is not None]
    return Trajectory(
        title=f"{name} starts without what lies in {found.path}",
        impact=Impact.HIGH,
        resource=ResourceId(target),
        metric=held.evidence.metric if held is not None and held.evidence.kind == "metric" else "stored bytes",
        links=(
            trigger(f"{found.path} of {name} goes from {found.before.kind} {found.before.name} to {now}", *lines),
            mechanism(
                "nothing copies the data: the program finds an empty directory"
                if found.is_new
                else "whether the data was copied there cannot be seen here",
                *lines,
            ),
            *([exposure(f"{name} is in use", use, comparison=compare(use, ">", 0))] if use is not None else []),
            _harm(found, name, held, use),
        ),
        make_safe=f"Keep {found.before.kind} {found.before.name} at {found.path}; for a move stop the writers, copy the data, and switch over then.",
        path=tuple(dict.fromkeys((ResourceId(target), *cited))),
        undo=f"Mount {found.before.kind} {found.before.name} again; what was written meanwhile is in the other place.",
    )


def _harm(found: LostMount, name: str, held: Reading | None, use: Reading | None) -> Link:
    if held is not None and held.value == 0:
        return harm(f"{name} misses what it stored; it stored nothing", held, comparison=compare(held, ">", 0))
    if found.is_new and held is not None:
        return harm(
            f"{name} misses what it stored: {held.value:,.0f} {held.unit}".rstrip(), held, use, comparison=compare(held, ">", 0)
        )
    if found.is_new and use is not None and use.value > 0 and DURABLE.search(found.image):
        return harm(f"{name} misses what it stored, and is in use", use, comparison=compare(use, ">", 0))
    question = f"What lies in {found.path} of {name}, and is it copied to where the program looks for it then?"
    return unknown(Role.HARM, f"{name} misses what it stored", question, f"du -sh {found.path}  # inside {name}", held, use)


def _held(case: Case, found: LostMount, live: Resource | None) -> Reading | None:
    volumes = [r for r in case.production.resources if r.name == found.before.name and ("volume" in r.kind or "pvc" in r.kind)]
    for one in [*(volumes if len(volumes) == 1 else []), *([live] if live is not None else [])]:
        if (held := contents_of(case, one)) is not None:
            return held
    return None
