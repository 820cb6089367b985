"""Roll-outs that leave too few copies at work, or cut work off."""

import re
from collections.abc import Iterator

from bot.investigator.asking import number, quote, quote_change, quote_changes
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, mechanism, trigger, unknown
from bot.investigator.chains.rollout_shared import MATERIAL, id_of, in_use, path_of, said, usual_rate, who
from bot.investigator.facts.durations import logged_work, start_up
from bot.investigator.facts.headroom import cpu_percent, held_against
from bot.investigator.facts.latencies import Answer, judged, latencies
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.traffic import upstream
from gonogo.evidence import FileEvidence
from gonogo.pattern import pattern
from gonogo.resource import Resource
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.runtime.declared import setting_number, shown
from heuristics.runtime.rollouts import FewerDuring, ShorterGrace

# -- exchange of copies --------------------------------------------------------------------------


def too_few(case: Case, found: FewerDuring) -> Iterator[Trajectory]:
    """A roll-out that leaves none, or too few, at work."""
    resource, name = who(case, found.change)
    live = number(case, resource.id, "replicas", "desired_count") if resource else None
    count = found.copies if found.copies is not None else live.value if live is not None else None
    if count is not None and count <= 0:
        return
    left = None if count is None else max(0.0, -(-count * found.share // 1) if found.share else 0.0)
    line = quote_change(case, found.change)
    stays = (
        "no copy"
        if found.share == 0
        else f"{left:g} of {count:g} copies"
        if left is not None
        else f"{found.share:.0%} of the copies"
    )
    end = (
        _none_left(case, found, resource, name)
        if found.share == 0 or left == 0
        else _some_left(case, found, resource, name, count, left)
    )
    yield Trajectory(
        title=f"Each roll-out of {name} leaves {stays} at work",
        impact=Impact.HIGH,
        resource=id_of(case, resource),
        metric="kube_deployment_status_replicas_available",
        links=(
            trigger(said(found.change, name), *quote_changes(case, found.change)),
            mechanism(f"while copies of {name} are exchanged {stays} {'answers' if left == 0 else 'answer'}", line),
            in_use(case, resource, name, usual_rate(case, resource)),
            end,
        ),
        make_safe="Keep `RollingUpdate` with `maxUnavailable: 0` or 1 and some `maxSurge`, so that new copies are ready before old ones stop.",
        path=path_of(case, resource),
        undo=f"Set `{found.change.key}` back to {shown(found.change.old)}; a roll-out that has begun has to end first.",
    )


def _none_left(case: Case, found: FewerDuring, resource: Resource | None, name: str) -> Link:
    rate = usual_rate(case, resource)
    span = start_up(case, resource.id) if resource else None
    delay = setting_number(found.change.after, "readiness_initial_delay_s", default=0.0) or 0.0
    claim = f"{name} is down until the first new copy is ready"
    question = f"How many requests a second does {name} take, and how long does a copy take to be ready?"
    query = f'kubectl logs deploy/{name} | grep -i started; sum(rate(http_requests_total{{service="{name}"}}[5m]))'
    if rate is None:
        return unknown(Role.HARM, claim, question, query, span.usual if span else None)
    least, most = (span.least.value, span.most.value) if span else (max(delay, 1.0), 300.0)
    lost = rate.value * least
    how = f"{rate.value:.3g} requests a second for at least {least:.3g} s"
    if lost >= MATERIAL and found.is_certain:
        return harm(
            f"{claim}: {how} are {lost:,.0f} that fail in each roll-out",
            rate,
            span.least if span else None,
            comparison=compare(round(lost, 3), ">=", MATERIAL),
        )
    if rate.value * most < MATERIAL:
        return harm(
            f"{claim}: {rate.value:.3g} requests a second for at most {most:.3g} s",
            rate,
            span.most if span else None,
            comparison=compare(round(rate.value * most, 3), ">=", MATERIAL),
        )
    return unknown(Role.HARM, f"{claim}: {how}", question, query, rate, span.usual if span else None)


def _some_left(
    case: Case, found: FewerDuring, resource: Resource | None, name: str, count: float | None, left: float | None
) -> Link:
    peak = cpu_percent(case, resource.id) if resource else None
    claim = f"what is left of {name} can't carry the load at the peak"
    question = f"How much CPU do the copies of {name} use at the peak?"
    query = f'max_over_time(cpu_utilization{{service="{name}"}}[7d])'
    if peak is None:
        return unknown(Role.HARM, claim, question, query)
    after = peak.value * (count / left if count and left else 1 / found.share)
    said = f"the CPU of {name} is at {peak.value:.3g} % at the peak, which is {after:,.0f} % during a roll-out"
    if after >= 100 and not found.is_certain:
        return unknown(
            Role.HARM, said, f"Does a roll-out or drain of {name} at the peak really stop that many copies?", query, peak
        )
    return held_against(after, 100, "%", claim=said, question=question, query=query, cited=(peak,))


_PUTS_BACK = pattern(
    r"(?i)acks_late|late_ack|reject_on_worker_lost|requeue|re_enqueue|checkpoint|resume_from|super_fetch|reliable_fetch"
)


def cut_off(case: Case, found: ShorterGrace) -> Trajectory:
    """Work under way that is killed sooner, by how long it takes."""
    resource, name = who(case, found.change)
    line = quote_change(case, found.change)
    times = latencies(case, resource.id, outgoing=False) if resource else ()
    if found.is_connection and resource:
        times = (*times, *(one for other in upstream(case, resource.id) for one in latencies(case, other, outgoing=False)))
    jobs = logged_work(case, resource.id) if resource else None
    rate = request_rate(case, resource.id, "mean") if resource else None
    what = "a connection" if found.is_connection else "a copy"
    claim = f"work under way at {name} takes longer than {found.new_s:g} s"
    answer = judged(times, found.new_s, per_second=rate.value if rate else None)
    if answer.answer is Answer.EXCEEDED and answer.reading is not None:
        end: Link = harm(
            f"{claim}: {answer.percentile} is {answer.reading.value:.4g} s, {answer.share}",
            answer.reading,
            answer.support,
            comparison=compare(answer.reading, ">", found.new_s),
        )
    elif jobs is not None and jobs.usual.value > found.new_s:
        end = harm(
            f"{claim}: half of the logged jobs take more than {jobs.usual.value:.4g} s, up to {jobs.most.value:.4g} s",
            jobs.usual,
            jobs.most,
            comparison=compare(jobs.usual, ">", found.new_s),
        )
    elif answer.answer is Answer.FITS and answer.reading is not None and (jobs is None or jobs.most.value <= found.new_s):
        end = harm(
            f"{claim}: {answer.percentile} is {answer.reading.value:.4g} s at its highest",
            answer.reading,
            comparison=compare(answer.reading, ">", found.new_s),
        )
    elif answer.answer is Answer.UNREAD and jobs is not None and jobs.most.value <= found.new_s:
        end = harm(
            f"{claim}: the longest logged job took {jobs.most.value:.4g} s",
            jobs.most,
            comparison=compare(jobs.most, ">", found.new_s),
        )
    else:
        end = unknown(Role.HARM, claim, f"How long do requests or jobs of {name} take at most?", f"kubectl logs deploy/{name} | grep -iE 'took|finished|seconds'", answer.reading, jobs.most if jobs else None)  # fmt: skip
    back = _puts_back(case)
    if back is not None and not found.is_connection and end.comparison is not None and end.comparison.holds():
        end = unknown(
            Role.HARM,
            f"{end.claim}; the code seems to put unfinished work back",
            f"Does {name} take up work again that was killed?",
            "",
            *end.evidence,
            back,
        )
    return Trajectory(
        title=f"Roll-outs cut off work of {name} after {found.new_s:g} s",
        impact=Impact.HIGH,
        resource=id_of(case, resource),
        metric="failed jobs" if jobs is not None or not found.is_connection else "HTTPCode_ELB_5XX_Count",
        links=(
            trigger(said(found.change, name), *quote_changes(case, found.change)),
            mechanism(f"{what} that is not done {found.new_s:g} s after it was asked to stop is killed with its work", line),
            in_use(case, resource, name, answer.reading or (jobs.usual if jobs else None)),
            end,
        ),
        make_safe=f"Keep it above the longest work ({found.old_s:g} s before), or make the work resume where it was.",
        path=path_of(case, resource),
        undo=f"Set it back to {found.old_s:g} s and apply before the next roll-out.",
    )


def _puts_back(case: Case) -> FileEvidence | None:
    words = (
        "acks_late",
        "task_acks_late",
        "task_reject_on_worker_lost",
        "requeue",
        "checkpoint",
        "super_fetch",
        "reliable_fetch",
        "resume_from",
    )
    for places in case.diff.head.search(words).values():
        for place in places:
            if not place.file.endswith((".md", ".txt", ".lock")):
                cited = quote(case, place.file, place.line)
                if _PUTS_BACK.search(cited.quote) and not re.search(r"(?i)requeue\s*=\s*false|=\s*false", cited.quote):
                    return cited
    return None
