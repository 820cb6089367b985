"""The chain of classes that the Java which is live cannot load."""

import re
from collections.abc import Iterator

from bot.investigator.asking import config, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, trigger, unknown
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import busy, per_second, traffic_of
from gonogo.resource import Resource
from gonogo.trajectory import Certainty, Impact, Link, Role, Trajectory
from heuristics.dependencies.bumps import bumps
from heuristics.dependencies.java_floors import JavaNeed, java_needs


def of_old_java(case: Case) -> Iterator[Trajectory]:
    """One chain a library or bytecode level, where a live function's managed runtime is an older Java."""
    needs = case.diff.once(java_needs)
    if not needs or any(b.is_runtime and b.ecosystem == "java" for b in case.diff.once(bumps)):
        return
    for need in needs:
        programs = runners(case, need.place.file)
        chain = _chain(case, need, programs[0]) if len(programs) == 1 else None
        if chain is not None:
            yield chain


def _chain(case: Case, need: JavaNeed, program: Resource) -> Trajectory | None:
    cited = config(case, program.id, "runtime")
    live = re.match(r"java(\d+)", str(program.attributes.get("runtime", "")))
    if cited is None or live is None or int(live[1]) >= need.java:
        return None
    line = quote(case, need.place.file, need.place.line)
    says = f"its classes need Java {need.java}, and {program.name} runs on {live[0]}: loading them fails with UnsupportedClassVersionError"
    rate = traffic_of(case, program.id)
    links: list[Link] = [trigger(f"{need.label} takes the place of {need.old_text}", line), mechanism(says, line, cited)]
    if rate is None:
        question, query = f"How often is {program.name} called?", f"Invocations of {program.name} over the last 7 days"
        links.append(unknown(Role.EXPOSURE, f"{program.name} is called in production", question, query))
        links.append(harm("every call fails", line))
    else:
        said = f"up to {per_second(rate.value)} a call of {program.name} fails"
        links += [busy(case, program), harm(said, rate, comparison=compare(rate, ">", 0))]
    return Trajectory(
        title=f"{need.label} needs Java {need.java}, and {program.name} runs on Java {live[1]}",
        impact=Impact.HIGH,
        resource=program.id,
        metric="Errors",
        certainty=Certainty.NAME_ABSENT,
        links=tuple(links),
        make_safe=f"Move {program.name} to Java {need.java} or later first, or stay on {need.old_text}.",
        path=(program.id,),
        undo=f"Deploy the version before, with {need.old_text}.",
    )
