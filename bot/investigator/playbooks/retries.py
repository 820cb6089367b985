"""More attempts, or attempts without a pause, against how near the service behind them is to its limits."""

import re
from collections.abc import Iterator

from bot.investigator.asking import edge, quote_place
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.callees import Callee, called, own_workloads, short
from bot.investigator.facts.rates import request_rate
from bot.investigator.facts.refusals import MATERIAL_PERCENT, Refusing, logged_refusals, refusing
from bot.investigator.facts.strain import Failing, Strain, failing, strains
from bot.investigator.facts.traffic import traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import FileEvidence
from gonogo.pattern import pattern
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.limits.attempts import Attempts, raised_attempts

INFO = PlaybookInfo(id="retries", question="Would the service stand the attempts if all of its calls failed for a while?")

_SMALLEST_FACTOR = 1.25
_NEAR_PERCENT = 70.0
"""A service is near its limit above this share of it at the peak."""
_FULL_PERCENT = 95.0
"""What refuses calls from here on is at this limit."""
_DOUBLES = 1.5
"""Attempts that grow by less than this hardly show at a service that refuses some of its calls."""
_FAILS_PERCENT = 1.0
_NEVER_FAILS_PERCENT = 0.5


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a service that is tried more often, or faster."""
    for found in raised_attempts(case.diff):
        if found.factor < _SMALLEST_FACTOR and not found.lost_pause:
            continue
        callees = called(case, found.changed)
        certain = callees[0] if len(callees) == 1 and callees[0].is_certain else None
        yield from _chain(case, found, certain, callees)


def _chain(case: Case, found: Attempts, callee: Callee | None, callees: tuple[Callee, ...]) -> Iterator[Trajectory]:
    strain = next(iter(strains(case, callee.target)), None) if callee else None
    fails = failing(case, callee.target) if callee else None
    refuses = refusing(case, callee) if callee else None
    if refuses is not None and not _tries_refusals_again(case, found):
        refuses = fails = None
    if callee is None and found.is_growing:
        return
    place = found.changed.place
    line = quote_place(case, place)
    target = (
        short(case, callee.target)
        if callee
        else " or ".join(sorted({short(case, c.target) for c in callees})) or "the service behind it"
    )
    mine = own_workloads(case)
    caller = callee.caller if callee else mine[0] if mine else None
    resource = callee.target if callee else caller.id if caller else case.repository
    tries = f"{found.old} to {found.new or 'more'} attempts" if found.factor > 1 else f"{found.old} attempts"
    yield Trajectory(
        title=f"{caller.name if caller else 'The client'} multiplies its calls to {target} when {target} is slow or fails",
        impact=Impact.HIGH if strain and strain.percent >= _NEAR_PERCENT else Impact.MEDIUM,
        resource=ResourceId(resource),
        metric=strain.reading.evidence.metric if strain and strain.reading.evidence.kind == "metric" else "Errors",
        links=(
            trigger(f"a call to {target} goes from {tries}" if found.factor > 1 else f"the pause between {tries} goes", line),
            mechanism(_how(found), line),
            _exposure(case, callee, target),
            _at_its_limit(case, found, callee, strain, refuses)
            or _harm(found, target, strain, fails, quote_place(case, found.budget.place) if found.budget is not None else None),
        ),
        make_safe=(
            "Wait between attempts with exponential backoff, full jitter and a cap, keep the attempts at "
            f"{found.old}, and stop retrying through a circuit breaker or a retry budget (10 % of the calls) while {target} fails."
        ),
        path=tuple(ResourceId(r) for r in dict.fromkeys((resource, *((caller.id,) if caller else ())))),
        undo=f"Set the attempts back to {found.old} and deploy; the extra calls stop with the old instances.",
    )  # fmt: skip


def _how(found: Attempts) -> str:
    if found.is_growing:
        return "attempts follow one another with a growing pause" + (" and jitter" if found.has_jitter else "")
    if found.has_pause is None:
        return "when every call fails, each one becomes that many calls"
    return "attempts follow one another " + ("after a fixed pause" if found.has_pause else "at once, with no pause that matters")


def _exposure(case: Case, callee: Callee | None, target: str) -> Link:
    if callee is None:
        return unknown(
            Role.EXPOSURE,
            f"calls go to {target}",
            "Which service do these attempts go to, and how many calls does it get?",
            "kubectl get deploy -A -o wide; sum by (target) (rate(http_client_requests_total[5m]))",
        )
    rate = request_rate(case, callee.target) or request_rate(case, callee.caller.id) or traffic_of(case, callee.caller.id)
    said = f"; up to {rate.value:.3g} requests per second pass here" if rate else ""
    return exposure(
        f"{callee.caller.name} calls {target}{said}", edge(case, callee.caller.id, callee.target, callee.relation), rate
    )


def _at_its_limit(
    case: Case, found: Attempts, callee: Callee | None, strain: Strain | None, refuses: Refusing | None
) -> Link | None:
    """A service that refuses calls again and again, or is full while its callers are told so: each refused call comes back at once."""
    factor = found.factor if found.factor > 1 else float(found.old)
    if (
        callee is None
        or not found.is_eager
        or found.budget is not None
        or factor < _DOUBLES
        or not _tries_refusals_again(case, found)
    ):
        return None
    target, limited = (
        short(case, callee.target),
        (strain.reading, strain.limit) if strain is not None and strain.percent >= _NEAR_PERCENT else (),
    )
    if refuses is not None and refuses.is_usual:
        return harm(
            f"{target} refuses up to {refuses.percent:.3g} % of its calls an hour, on {refuses.days} of {refuses.of_days} days, because it is at a limit: "
            f"each of them comes back at once, up to {factor:.2g} times the calls, and more are refused",
            refuses.reading, *limited, comparison=compare(round(refuses.percent, 4), ">=", MATERIAL_PERCENT, "%"),
        )  # fmt: skip
    told = logged_refusals(case, callee) if strain is not None and strain.percent >= _FULL_PERCENT else None
    if told is not None and strain is not None:
        return harm(
            f"{target} is full at the peak, {strain.what} at {strain.percent:.3g} %, and {told.count} sampled lines tell of refused calls: "
            f"up to {factor:.2g} times the calls are {strain.percent * factor:.3g} % of what it takes",
            strain.reading, strain.limit, told, comparison=compare(strain.percent * factor, ">", 100.0, "%"),
        )  # fmt: skip
    return None


def _tries_refusals_again(case: Case, found: Attempts) -> bool:
    """Whether the statuses that are tried again, where the code lists some, are those of a refusal."""
    place = found.changed.place
    lines = (case.diff.trees[place.side].text(place.file) or "").split("\n")
    near = "\n".join(lines[max(0, place.line - 12) : place.line + 12])
    listed = {code for part in _STATUSES.findall(near) for code in re.findall(r"\b[45]\d\d\b", part)}
    return not listed or bool(listed & {"429", "503"})


_STATUSES = pattern(r"(?i)(?:status|codes?|forcelist|retry_?on)\w*[\"']?\s*(?:=>|[:=(]|===?|in)+\s*([^\n]{0,120})")


def _harm(found: Attempts, target: str, strain: Strain | None, fails: Failing | None, budget: FileEvidence | None) -> Link:
    """Counted at saturation: when calls fail because the service is overloaded, all of them fail."""
    factor = found.factor if found.factor > 1 else float(found.old)
    capped = min(factor, 1 + found.budget.share) if found.budget is not None else factor
    if strain is not None and capped < factor and strain.percent * capped <= 100:
        return harm(
            f"{target} would be over its limit: {strain.what} peaks at {strain.percent:.3g} %, {strain.percent * capped:.3g} % when "
            f"the retry budget lets {capped - 1:.0%} of the calls be tried again",
            strain.reading, strain.limit, budget, comparison=compare(strain.percent * capped, ">", 100.0, "%"),
        )  # fmt: skip
    multiplied = strain.percent * factor if strain else 0.0
    is_failing = fails is not None and fails.percent >= _FAILS_PERCENT
    is_calm = fails is not None and fails.percent < _NEVER_FAILS_PERCENT
    if strain is not None and (fails is None or not is_calm or not found.is_growing) and multiplied <= 100 and found.factor > 1:
        return harm(
            f"{target} would be over its limit: {strain.what} peaks at {strain.percent:.3g} %, {multiplied:.3g} % with {factor:.2g} times the calls",
            strain.reading, strain.limit, fails.reading if fails else None, comparison=compare(multiplied, ">", 100.0, "%"),
        )  # fmt: skip
    if fails is not None and is_calm and found.is_growing:
        return harm(
            f"{target} fails often enough for the attempts to add up: {fails.percent:.2g} % of its calls at the worst",
            fails.reading, strain.reading if strain else None, comparison=compare(fails.percent, ">", _FAILS_PERCENT, "%"),
        )  # fmt: skip
    if (
        strain is not None
        and is_failing
        and fails is not None
        and strain.percent >= _NEAR_PERCENT
        and found.is_eager
        and found.budget is None
    ):
        return harm(
            f"{target} already fails up to {fails.percent:.3g} % of its calls with {strain.what} at {strain.percent:.3g} %; "
            f"when it slows down it gets up to {factor:.2g} times the calls, {multiplied:.3g} % of what it can take, and stays down",
            strain.reading, strain.limit, fails.reading, comparison=compare(multiplied, ">", 100.0, "%"),
        )  # fmt: skip
    known = [s.reading for s in (strain,) if s] + [f.reading for f in (fails,) if f]
    return unknown(
        Role.HARM,
        f"when {target} is slow it gets up to {factor:.2g} times the calls"
        + (f" ({strain.what} peaks at {strain.percent:.3g} %)" if strain else ""),
        f"How much of what it can take does {target} use at the peak (CPU, connections, calls against its rate limit), and how often does it fail?",
        f'max_over_time(cpu_utilization{{service="{target}"}}[7d]); max_over_time(http_error_ratio{{service="{target}"}}[7d])',
        *known,
    )
