"""Health checks that give up before a copy has started or answered, or that ask in vain."""

from collections.abc import Iterator

from bot.investigator.asking import number, quote, quote_change, quote_changes, quote_place, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.capacity_judged import rate_at
from bot.investigator.chains.rollout_shared import MATERIAL, id_of, in_use, path_of, said, usual_rate, who
from bot.investigator.facts.durations import start_up
from bot.investigator.facts.latencies import Answer, Latency, judged, latencies
from bot.investigator.facts.placing import governed
from gonogo.resource import SettingChange
from gonogo.trajectory import Certainty, Impact, Refutation, Role, Trajectory
from heuristics.runtime.declared import label
from heuristics.runtime.probes import (  # fmt: skip
    MissingPath,
    Probe,
    TighterStart,
    TighterTimeout,
    budget_of,
)

# -- probes ------------------------------------------------------------------------------------


def starts_too_slowly(case: Case, found: TighterStart) -> Trajectory:
    """A check that gives up before a copy is up, by how long copies took to start."""
    resource, name = who(case, found.change)
    span = start_up(case, resource.id) if resource else None
    line = quote_change(case, found.change)
    after = found.after
    killed = f"a copy of {name} that is not up after {after.how} is killed and starts again"
    if found.held_back_by is not None:
        startup = budget_of(found.held_back_by, Probe.STARTUP)
        setting = found.held_back_by.settings.get("startup") or found.held_back_by.settings.get("startup_failure_threshold")
        at = found.held_back_by.place(setting)
        held = quote(case, at.file, at.line)
        room = f"{startup.earliest_s:g} s" if startup is not None else "its own time"
        moved = mechanism(
            f"{killed}; its start-up probe gives it {room} first, and liveness waits for that",
            line,
            refuting=(held,),
            refutation=Refutation.GUARDED,
        )
        if startup is not None and span is not None and span.usual.value > startup.latest_s:
            moved = mechanism(f"{killed}; its start-up probe gives it only {room}", line, held)
            after = startup
    else:
        moved = mechanism(killed, line)
    claim = "" if span is None else f"{name} needs {span.least.value:.3g} to {span.most.value:.3g} s to come up"
    if span is None:
        end = unknown(Role.HARM, f"{name} needs more than {after.earliest_s:g} s to come up", f"How long does a copy of {name} take from start to ready?",
                      f"kubectl get events --field-selector reason=Unhealthy; kubectl logs deploy/{name} | grep -i started")  # fmt: skip
    elif span.usual.value > after.latest_s:
        end = harm(
            f"{claim}: more than {after.latest_s:g} s, so new copies end in CrashLoopBackOff",
            span.usual,
            span.least,
            span.most,
            comparison=compare(span.usual, ">", after.latest_s),
        )
    elif span.most.value <= after.earliest_s:
        end = harm(
            f"{claim}, more than the {after.earliest_s:g} s it has at the least",
            span.most,
            comparison=compare(span.most, ">", after.earliest_s),
        )
    else:
        end = unknown(Role.HARM, f"{claim}; it is stopped after {after.earliest_s:g} to {after.latest_s:g} s", f"How long does {name} take to start when the node is busy?",
                      f"kubectl logs deploy/{name} | grep -i started", span.usual, span.most)  # fmt: skip
    what = {Probe.STARTUP: "start-up probe", Probe.TARGET: "health check"}.get(found.probe, "liveness probe")
    return Trajectory(
        title=f"The {what} kills {name} before it has started",
        impact=Impact.HIGH,
        resource=id_of(case, resource),
        metric="kube_pod_container_status_restarts_total",
        links=(
            trigger(said(found.change, name), *quote_changes(case, found.change)),
            moved,
            in_use(case, resource, name, span.usual if span else None),
            end,
        ),
        make_safe=f"Add a `startupProbe` that covers {max(span.most.value * 1.5 if span else 0, (found.before.latest_s if found.before else 0)):,.0f} s, and keep the short check for later.",
        path=path_of(case, resource),
        undo="Set the probe back and apply; copies that crash in a loop come up then.",
    )


def answers_too_slowly(case: Case, found: TighterTimeout) -> Trajectory:
    """A check that waits less for its answer, by how long the answer takes."""
    resource, name = who(case, found.change)
    line = quote_change(case, found.change)
    every = latencies(case, resource.id, outgoing=False) if resource else ()
    of_path = [one for one in every if found.path and found.path in one.labels]
    claim = f"the {found.probe.value.replace('_', ' ')} of {name} takes more than {found.new_s:g} s to answer"
    question = f"How long does {found.path or 'the probe'} of {name} take to answer at p99?"
    verdict = judged([Latency(o.percentile, "", o.series, o.factor) for o in of_path] or every, found.new_s)
    if verdict.answer is Answer.EXCEEDED and of_path and verdict.reading is not None:
        end = harm(
            f"{claim}: {verdict.percentile} is {verdict.reading.value:.3g} s, {verdict.share}",
            verdict.reading,
            comparison=compare(verdict.reading, ">", found.new_s),
        )
    elif verdict.answer is Answer.FITS and verdict.reading is not None:
        end = harm(
            f"{claim}: {verdict.percentile} is {verdict.reading.value:.3g} s at its highest",
            verdict.reading,
            comparison=compare(verdict.reading, ">", found.new_s),
        )
    else:
        end = unknown(
            Role.HARM,
            claim,
            question,
            f"kubectl exec deploy/{name} -- curl -w '%{{time_total}}' localhost{found.path or '/health'}",
            verdict.reading,
        )
    return Trajectory(
        title=f"The {found.probe.value.replace('_', ' ')} of {name} gives up after {found.new_s:g} s",
        impact=Impact.HIGH,
        resource=id_of(case, resource),
        metric="kube_pod_container_status_restarts_total",
        links=(
            trigger(said(found.change, name), *quote_changes(case, found.change)),
            mechanism(f"a copy that answers its check later than {found.new_s:g} s counts as dead or not ready", line),
            in_use(case, resource, name, None),
            end,
        ),
        make_safe=f"Keep the time-out above the p99 of the check under load ({found.old_s:g} s before).",
        path=path_of(case, resource),
        undo=f"Set it back to {found.old_s:g} s and apply.",
    )


def asks_in_vain(case: Case, found: MissingPath) -> Trajectory:
    """A check whose path no code answers."""
    resource = governed(case, found.declared)
    name = resource.name if resource else label(found.declared)
    line = quote_place(case, found.place)
    was = quote(case, found.was.file, found.was.line, side="base")
    ends = (
        "copies are killed again and again"
        if found.probe in (Probe.LIVENESS, Probe.STARTUP)
        else "no copy counts as ready and none gets traffic"
    )
    rate = rate_at(case, resource.id) if resource else None
    running = number(case, resource.id, "desired_count", "replicas") if resource else None
    shown_rate = f"{name} takes up to {rate.value:.3g} requests a second" if rate else f"{name} runs in production"
    meets = (
        exposure(shown_rate, rate, comparison=compare(rate, ">", 0)) if rate
        else unknown(Role.EXPOSURE, shown_rate, f"Does {name} take traffic?", f"kubectl get deploy {name}", running)
    )  # fmt: skip
    return Trajectory(
        title=f"The {found.probe.value.replace('_', ' ')} of {name} asks for {found.path}, which nothing answers",
        impact=Impact.HIGH,
        resource=id_of(case, resource),
        metric="kube_deployment_status_replicas_available",
        links=(
            trigger(f"the path of the check goes from {found.old_path} to {found.path}", line),
            mechanism(
                f"the code of this repository answers {found.old_path} and has no route that ends in {found.path}, so the check gets 404",
                line,
                was,
            ),
            meets,
            harm(f"every check of a new copy fails: {ends}", line),
        ),
        make_safe=f"Keep `{found.old_path}`, or add the route `{found.path}` in the same change and deploy it first.",
        certainty=Certainty.NAME_ABSENT,
        path=path_of(case, resource),
        undo=f"Set the path back to {found.old_path} and apply.",
    )


def unready_traffic(case: Case, change: SettingChange) -> Iterator[Trajectory]:
    """Copies that get traffic while they start."""
    resource, name = who(case, change)
    span = start_up(case, resource.id) if resource else None
    rate = usual_rate(case, resource)
    old = change.before.place(change.old, "base") if change.before else None
    cited = quote_removed(case, old.file, old.line) if old else ()
    claim = f"requests reach copies of {name} that can't answer yet"
    if rate is not None and span is not None:
        lost = rate.value * span.least.value
        end = harm(
            f"{claim}: {rate.value:.3g} a second for {span.least.value:.3g} s are about {lost:,.0f} in each roll-out",
            rate,
            span.least,
            comparison=compare(round(lost, 3), ">=", MATERIAL),
        )
    elif rate is not None and rate.value * 300 < MATERIAL:
        end = harm(f"{claim}: {rate.value:.3g} a second", rate, comparison=compare(round(rate.value * 300, 3), ">=", MATERIAL))
    else:
        end = unknown(Role.HARM, claim, f"How many requests a second does {name} take, and how long does a copy take to start?", f"kubectl logs deploy/{name} | grep -i started", rate, span.usual if span else None)  # fmt: skip
    yield Trajectory(
        title=f"{name} gets traffic before it is ready",
        impact=Impact.MEDIUM,
        resource=id_of(case, resource),
        metric="http_errors",
        links=(
            trigger(f"the readiness probe of {name} is removed", *cited),
            mechanism("without one a copy counts as ready as soon as its process runs", *cited),
            in_use(case, resource, name, rate),
            end,
        ),
        make_safe="Keep the `readinessProbe`; make it cheap when it costs too much.",
        path=path_of(case, resource),
        undo="Put the probe back and apply.",
    )
