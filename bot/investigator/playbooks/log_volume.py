"""A more talkative log on a busy path, against the disk or the quota that it goes to."""

import re
from collections.abc import Iterator

from bot.investigator.asking import Reading, metric, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.chains.looped_lines import LEAST_BYTES, MOST_BYTES, Looped, let_through, looped_line, of_rounds
from bot.investigator.facts.callees import own_workloads
from bot.investigator.facts.hot_paths import PathRate, path_rate
from bot.investigator.facts.log_sinks import Disk, Quota, cap_of, disk_of, quota_of
from bot.investigator.facts.pinned import pin_of
from bot.investigator.facts.placing import governed
from bot.investigator.facts.runners import workloads
from bot.investigator.facts.traffic import per_second, traffic_of
from bot.investigator.playbook import PlaybookInfo
from gonogo.pattern import pattern
from gonogo.resource import Place, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.hot.reach import reach_of
from heuristics.logs.verbosity import Louder, is_logger_of, louder

INFO = PlaybookInfo(id="log-volume", question="Does what takes the log have room for what is written from now on?")

_SIZES = (
    pattern(
        r"(?i).*(request|body|payload|message|event|item|record)s?_?.*(size|bytes|length)(_bytes)?([._](mean|avg|average|p50|sum))?(\{[^}]*\})?"
    ),
)
_LISTENS = pattern(r"@\w*Listener\b|@Incoming\b|\bConsumer\w*\b|\bsubscribe\(|@\w+\.task\b|@shared_task|\bperform\b")
_JOB = pattern(
    r"@Scheduled\b|\bcron\b|\bCronJob\b|schedule\.every|BaseCommand|@Cron\(|CommandLineRunner|Tasklet|\bQuartz\b|IJob\b|every\s*\(|__main__"
)
_PER_REQUEST = pattern(
    r"(?i)org\.hibernate\.(?:sql|type|orm\.jdbc)|org\.springframework\.(?:web|jdbc|security)|org\.apache\.http|httpclient\.wire|sqlalchemy\.engine|django\.(?:db|request|server)|urllib3|botocore|werkzeug|uvicorn|microsoft\.(?:aspnetcore|entityframeworkcore)|reactor\.netty|feign|okhttp|active_?record"
)
"""Libraries that write a line or more for each request at debug level."""
_DAY_S = 86_400.0
_SOON_H, _LATE_H = 7 * 24.0, 90 * 24.0
_FEW_GB_A_DAY = 1.0


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a level, and one a log call with a whole body."""
    for found in case.diff.once(louder):
        resource = _program(case, found)
        if resource is None and found.declared is not None and found.declared.kind == "compose.service":
            continue  # no container of production is called like it: a laptop's
        pinned = pin_of(case, resource, found.variable) if found.is_default else None
        if pinned is not None:
            line = quote(case, found.place.file, found.place.line)
            yield _told(case, found, resource, (
                mechanism(f"the default of `{found.variable}` takes effect", line, refuting=(pinned.cited,), refutation=Refutation.UNCHANGED),
            ), None)  # fmt: skip
            continue
        chain = _chain(case, found, resource)
        if chain is not None:
            yield chain


def _program(case: Case, found: Louder) -> Resource | None:
    if found.declared is not None:
        placed = governed(case, found.declared)
        if placed is not None:
            return placed
        if found.declared.kind == "compose.service":
            return None
    own, _, _ = path_rate(case, found.place.file, found.place.line)
    mine = workloads(case)
    return own or (mine[0] if len(mine) == 1 else None)


def _chain(case: Case, found: Louder, resource: Resource | None) -> Trajectory | None:
    line = quote(case, found.place.file, found.place.line)
    written = let_through(case, found)
    is_partial = bool(found.logger) and not _PER_REQUEST.match(found.logger)
    if found.logger and found.what == "level":
        own = tuple(one for one in written if is_logger_of(found.logger, one[0].file))
        if not own and _has_code(case, found.logger):
            return None  # the logger writes nothing at this level
        if own:
            written = tuple(one for one in own if _is_on_a_path(case, one[0]))
            if not written:
                return None  # a job now and then
        elif is_partial:
            return None  # of a library that seldom writes
        else:
            written = ()
    else:
        written = tuple(one for one in written[:60] if _is_on_a_path(case, one[0]))
    whole = next((place for place, is_whole in written if is_whole), None)
    hot = whole or (found.place if found.what == "body" else None)
    looped = looped_line(case, written, resource) if hot is None and resource is not None else None
    rate = path_rate(case, hot.file, hot.line)[2] if hot is not None else _of_logger(case, written) if is_partial else None
    rate = looped.rate if looped is not None and looped.rate is not None else rate
    peak = rate.peak if rate is not None else traffic_of(case, resource.id) if resource is not None else None
    if found.what == "body" and rate is None:
        return None
    size = metric(case, resource.id, _SIZES, "mean") if resource is not None else None
    low, high, said = _bytes(found, size if size is not None and size.unit == "B" else None, hot, len(written))
    if looped is not None:
        low, high, said = of_rounds(looped, low, high, said)
    wording, at = _mechanism(found, hot, looped), hot or (looped.place if looped is not None else None)
    if resource is None or peak is None:
        last: Link = unknown(
            Role.HARM, "the log grows by some hundred bytes or more for every request", "How many requests a second does it get, and where does its log go?",
            "requests a second over the last 7 days; df -h on the host; ingested bytes of the log group", peak,
        )  # fmt: skip
        return _told(case, found, resource, (mechanism(wording, line), _exposed(case, resource, peak), last), None)
    mean = traffic_of(case, resource.id, "mean") if rate is None else rate.mean
    least = (mean.value if mean is not None else 0.0) * low * (rate.is_exact if rate is not None else not is_partial)
    most = (rate.most if rate is not None else peak.value) * high
    cited: tuple[Cited, ...] = (mean, size, looped.items.reading if looped is not None and looped.items is not None else None)
    last, sink, metric_name = _harm(case, resource, least, most, said, cited)
    links = (
        mechanism(wording, line, quote(case, at.file, at.line) if at is not None else None),
        _exposed(case, resource, peak),
        last,
    )
    return _told(case, found, resource, links, sink, metric_name)


def _has_code(case: Case, logger: str) -> bool:
    last = re.split(r"\W+", logger)[-1]
    return any(is_logger_of(logger, place.file) for place in case.diff.head.search({last}).get(last, ()))


def _of_logger(case: Case, written: tuple[tuple[Place, bool], ...]) -> PathRate | None:
    """The busiest path that a logger of the program writes on."""
    rates = [r for place, _ in written[:8] if (r := path_rate(case, place.file, place.line)[2]) is not None]
    return max(rates, key=lambda r: (r.is_exact, r.peak.value), default=None)


def _is_on_a_path(case: Case, place: Place) -> bool:
    """Whether requests or messages come by a line."""
    reach = reach_of(case.diff, place.file, place.line)
    text = (case.diff.head.text(place.file) or "")[:100_000]
    return bool(reach.routes) or reach.is_every_request or _LISTENS.search(text) is not None or not _JOB.search(text)


def _bytes(found: Louder, size: Reading | None, hot: Place | None, lines: int) -> tuple[float, float, str]:
    """Bytes that one request adds to the log: at least, at most, and in words."""
    if hot is not None and size is not None:
        return size.value, size.value * 3 + MOST_BYTES * (found.what == "level"), f"{size.value:,.0f} bytes each"
    least = LEAST_BYTES * max(1, min(lines, 5))
    return least, MOST_BYTES, f"at least {least:,.0f} bytes each"


def _mechanism(found: Louder, hot: Place | None, looped: Looped | None) -> str:
    if found.is_statement_log:
        return "every statement is written to the log of the server"
    if hot is not None:
        return f"`{hot.file}` line {hot.line} writes the whole body to the log"
    if looped is not None:
        count = f" (some {looped.items.low:,.0f})" if looped.items is not None else ""
        return f"`{looped.place.file}` line {looped.place.line} writes a line to the log for each item of a loop{count}"
    return f"everything from {found.new} on is written to the log"


def _exposed(case: Case, resource: Resource | None, peak: Reading | None) -> Link:
    if resource is not None and peak is not None:
        return exposure(f"{resource.name} is called {per_second(peak.value)} at the peak", peak, comparison=compare(peak, ">", 0))
    name = resource.name if resource is not None else "the program"
    del case
    return unknown(
        Role.EXPOSURE,
        f"{name} is busy in production",
        f"How many requests a second does {name} get?",
        "requests a second over the last 7 days",
    )


def _harm(
    case: Case, resource: Resource, least: float, most: float, said: str, cited: tuple[Cited, ...]
) -> tuple[Link, ResourceId | None, str]:
    """The harm link, what degrades, and its metric."""
    disk, cap, quota = disk_of(case, resource), cap_of(case, resource), quota_of(case, resource)
    a_day = f"{least * _DAY_S / 1e9:,.3g} GB a day"
    if quota is not None:
        link = _of_quota(quota, least, most, a_day, cited)
        return link, quota.resource, quota.metric
    if cap is not None:
        room = disk.free.value if disk is not None else 1e9
        claim = f"the log files of {resource.name}, capped at {cap.total / 1e6:,.0f} MB, fill the disk"
        link = harm(
            claim, cap.cited, disk.free if disk is not None else None, *cited, comparison=compare(cap.total, ">", room, "B")
        )
        return link, disk.resource if disk is not None else None, disk.metric if disk is not None else "disk"
    if disk is not None and disk.is_uncapped:
        return _of_disk(disk, resource, least, most, a_day, said, cited), disk.resource, disk.metric
    top = most * _DAY_S / 1e9
    if top < _FEW_GB_A_DAY:
        claim = f"the log grows by more than {_FEW_GB_A_DAY:g} GB a day: by at most {top:,.2g} GB"
        return harm(claim, *cited, comparison=compare(top, ">", _FEW_GB_A_DAY, "GB/day")), None, "IncomingBytes"
    claim = f"the log of {resource.name} grows by {a_day} or more ({said})"
    question = "Where does this log go, and which rotation, disk or daily quota does it meet there?"
    return unknown(Role.HARM, claim, question, _query(resource), *cited), None, "IncomingBytes"


def _of_disk(disk: Disk, resource: Resource, least: float, most: float, a_day: str, said: str, cited: tuple[Cited, ...]) -> Link:
    soon = disk.free.value / least / 3600 if least > 0 else float("inf")
    late = disk.free.value / most / 3600 if most > 0 else float("inf")
    free = f"{disk.free.value / 1e9:,.3g} GB"
    if soon < _SOON_H:
        claim = f"{a_day} ({said}) fill the {free} that {disk.name} has free in {soon:,.2g} hours; nothing rotates the log"
        return harm(claim, disk.free, *cited, disk.cited, comparison=compare(round(soon, 6), "<", _SOON_H, "h"))
    if late > _LATE_H:
        claim = f"the {free} that {disk.name} has free are full in less than {_LATE_H / 24:g} days: it takes {late / 24:,.0f}"
        return harm(claim, disk.free, *cited, comparison=compare(round(late, 6), "<", _LATE_H, "h"))
    claim = f"the {free} that {disk.name} has free last {late / 24:,.1f} days or more"
    return unknown(
        Role.HARM, claim, "How long does the log stay at this level, and is it rotated?", _query(resource), disk.free, *cited
    )


def _of_quota(quota: Quota, least: float, most: float, a_day: str, cited: tuple[Cited, ...]) -> Link:
    now = quota.today.value if quota.today is not None else 0.0
    claim = f"{a_day} more beside {now * _DAY_S / 1e9:,.3g} GB today exceed the {quota.limit * _DAY_S / 1e9:,.3g} GB that may be ingested"
    if now + least > quota.limit:
        return harm(claim, quota.cited, quota.today, *cited, comparison=compare(now + least, ">", quota.limit, "B/s"))
    if now + most < 0.85 * quota.limit:
        return harm(claim, quota.cited, quota.today, *cited, comparison=compare(now + most, ">", quota.limit, "B/s"))
    return unknown(
        Role.HARM,
        claim,
        "How many bytes does one request add to the log?",
        "ingested bytes of the log group, by hour",
        quota.cited,
        *cited,
    )


def _query(resource: Resource) -> str:
    if resource.kind.startswith("docker"):
        return f"docker inspect {resource.name} --format '{{{{json .HostConfig.LogConfig}}}}'; df -h"
    return f"ingested bytes of the logs of {resource.name} over the last 7 days, and the quota of the log service"


def _told(
    case: Case,
    found: Louder,
    resource: Resource | None,
    links: tuple[Link, ...],
    sink: ResourceId | None,
    metric_name: str = "IncomingBytes",
) -> Trajectory:
    mine = own_workloads(case)
    own = resource.id if resource is not None else mine[0].id if mine else ResourceId(case.repository)
    name = resource.name if resource is not None else "the program"
    line = quote(case, found.place.file, found.place.line)
    before = quote_removed(case, found.place.file, found.base_line)[:1] if found.base_line is not None else ()
    what = (
        f"the log level goes from {found.old} to {found.new}"
        if found.what == "level"
        else "a log call with a whole body is added"
    )
    return Trajectory(
        title=f"The log of {name} floods what takes it",
        impact=Impact.HIGH,
        resource=sink or own,
        metric=metric_name,
        links=(trigger(what, line, *before), *links),
        make_safe="Sample it, or raise the level of one logger for a short time; cap the files first (`max-size`, `max-file`).",
        path=tuple(dict.fromkeys((own, sink or own))),
        undo=f"Set it back to `{found.old or 'no log call'}` and deploy; delete the log that was written.",
    )
