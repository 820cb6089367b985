"""Jobs that do not start any more, and copies that work in step."""

from collections.abc import Iterator

from bot.investigator.asking import log_count, number, quote_place, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import own_workloads, workload_of
from bot.investigator.facts.placing import governed
from bot.investigator.facts.traffic import traffic_of
from gonogo.resource import Relation
from gonogo.trajectory import Impact, Role, Trajectory
from heuristics.runtime.herd import Unspread
from heuristics.runtime.schedules import Stopped

# -- stopped, unspread ---------------------------------------------------------------------------


def no_longer_starts(case: Case, found: Stopped) -> Iterator[Trajectory]:
    """A job that does not run any more, while something else reads what it writes."""
    runs = governed(case, found.change.declared)
    if runs is None:
        return
    written = [e.target for e in case.out_of(runs.id, Relation.WRITES_TO)]
    readers = [e for t in written for e in case.into(t, Relation.READS_FROM) if e.source != runs.id]
    rate, lines = traffic_of(case, runs.id), log_count(case, runs.id, r".")
    if not readers or (rate is None and lines is None):
        return
    line = quote_place(case, found.place)
    reader = case.production.resource(readers[0].source)
    name = reader.name if reader is not None else readers[0].source
    yield Trajectory(
        title=f"{found.name} does not run any more",
        impact=Impact.MEDIUM,
        resource=runs.id,
        metric="Invocations",
        links=(
            trigger(f"{found.name} is switched off", line),
            mechanism("what it writes is not renewed", line),
            exposure(f"{runs.name} runs today", rate, lines, comparison=compare(rate, ">", 0) if rate is not None else None),
            unknown(
                Role.HARM,
                f"{name} reads what {runs.name} writes and gets old data",
                f"What of {name} needs the result of {runs.name}, and how old may it be?",
                f"kubectl logs cronjob/{runs.name} --tail=50",
            ),
        ),
        make_safe="Take the readers off first, or keep the job until they are.",
        path=(runs.id,),
        undo="Switch it on again and run it once by hand.",
    )


def work_in_step(case: Case, found: Unspread) -> Trajectory:
    """Copies that lose the random part of a delay."""
    runs = workload_of(case, found.file)
    cited = quote_removed(case, found.file, found.base_line)
    running = number(case, runs.id, "replicas", "desired_count") if runs is not None else None
    name = runs.name if runs is not None else found.file
    claim = f"all copies of {name} do this at the same moment"
    question = f"How many copies of {name} run, and what do they call then?"
    end = (
        harm(f"{claim}: there is {running.value:g}", running, comparison=compare(running, ">", 1))
        if running is not None and running.value <= 1
        else unknown(Role.HARM, claim, question, f"kubectl get deploy {name}", running)
    )
    mine = own_workloads(case)
    return Trajectory(
        title=f"The copies of {name} work in step",
        impact=Impact.MEDIUM,
        resource=runs.id if runs is not None else mine[0].id if mine else case.repository,
        metric="RequestCount",
        links=(
            trigger("the random part of the delay goes", *cited),
            mechanism("copies that started together stay together, and what they call gets all of them at once", *cited),
            exposure(f"{running.value:g} copies of {name} run", running) if running is not None
            else unknown(Role.EXPOSURE, f"several copies of {name} run", question, f"kubectl get deploy {name}"),
            end,
        ),
        make_safe="Keep a random part of at least a tenth of the delay.",
        path=(runs.id,) if runs is not None else (),
        undo="Put the random part back and deploy.",
    )  # fmt: skip
