"""A metric that code exports no more, while an autoscaler or an alarm that does not change still reads it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import batched
from typing import cast

from bot.investigator.asking import Reading, config, edge, metric_names, number, quote, quote_removed, statistic_reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.facts.headroom import copies
from bot.investigator.facts.runners import declarations_of, is_workload
from bot.investigator.playbook import PlaybookInfo
from gonogo.context import Series
from gonogo.evidence import ConfigEvidence, FileEvidence, GraphEvidence, MetricEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Impact, Link, Refutation, Role, Trajectory
from gonogo.word import Json
from heuristics.surface.emitted import LostMetric, lost_metrics, reads_metric

INFO = PlaybookInfo(id="lost-metric", question="Does anything that scales or rings read the metric that goes?")

_SCALERS = pattern(r"(?i).*(autoscal|scaled_?(object|job)|scaling_?policy|scalable).*")
_ALARMS = pattern(r"(?i).*(alarm|alert|prometheus_?rule|monitor|slo|rule_?group|canary|analysis_?template).*")
_ACTIONS = pattern(r"(?i)arn:aws[\w-]*:autoscaling:|scalingpolicy|scaling_policy")
_READ_IN = pattern(r"(?i)metric|trigger|quer|expr|rule|alert|condition|target|specification|filter|signal|threshold|spec")
_OF_LIBRARIES = pattern(
    r"(?:http|https|process|go|jvm|python|nodejs|grpc|rpc|system|container|db|hikaricp|tomcat|kafka|redis|celery|sidekiq|gunicorn|flask|rails)_"
)
"""Names that instrumentation libraries export by themselves."""
_MARGIN = 1.25
"""A peak that takes a quarter more copies than there are is not to be had from the slack of a target."""


class _Reader(Record):
    """A live autoscaler or alarm that reads the metric."""

    resource: Resource
    cited: ConfigEvidence
    is_only: bool
    """Whether it reads nothing else."""
    scales: bool


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a lost name and a live reader of it; without live readers, one a manifest that names it."""
    for lost in case.diff.once(lost_metrics):
        readers = [r for r in _readers(case, lost) if not _goes_with_it(case, r.resource)]
        for reader in readers:
            if lost.is_made or _is_measured(case, lost):
                yield _chain(case, lost, reader)
        if not readers and lost.is_made:
            yield from _by_manifest(case, lost)


def _readers(case: Case, lost: LostMetric) -> Iterator[_Reader]:
    for affected in case.affected:
        found = case.production.resource(affected.resource)
        if found is None:
            continue
        scales = _SCALERS.fullmatch(found.kind) is not None or (
            _ALARMS.fullmatch(found.kind) is not None and _ACTIONS.search(str(found.attributes)) is not None
        )
        if not scales and _ALARMS.fullmatch(found.kind) is None:
            continue
        case.asked.append(f"does {found.id} read {lost.name}")
        for key, value in found.attributes.items():
            if _READ_IN.search(key) is not None and any(reads_metric(text, lost.name) for text in _texts(value)):
                cited = config(case, found.id, key)
                if cited is not None:
                    yield _Reader(found, cited, _is_only(value), scales)
                    break


def _goes_with_it(case: Case, reader: Resource) -> bool:
    """Whether the same change takes away the reader, or the program that it scales."""
    target = _target(case, reader)
    return any(
        declarations_of(case, one.id, "base") and not declarations_of(case, one.id)
        for one in (reader, *((target,) if target is not None else ()))
    )


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in cast("Mapping[str, Json]", value).values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[Json]", value):
            yield from _texts(one)


def _is_only(value: Json) -> bool:
    return not isinstance(value, list | tuple) or len(cast("Sequence[Json]", value)) == 1


def _is_measured(case: Case, lost: LostMetric) -> bool:
    """Whether a program of this repository has a live series of that name."""
    own = [r for r in case.deployed() if is_workload(r.kind)]
    return any(reads_metric(name.partition("{")[0], lost.name) for r in own for name in metric_names(case, r.id))


def _chain(case: Case, lost: LostMetric, reader: _Reader) -> Trajectory:
    scaler, name = reader.resource, reader.resource.name
    target = _target(case, scaler)
    tie = _tie(case, scaler, target)
    lines = _lines(case, lost)
    still, follows = _declared(case, lost, scaler)
    says = f"{name} reads {lost.name}, which nothing exports any more once the new version runs"
    if follows is not None:
        moved = mechanism(says, follows, refuting=(follows,), refutation=Refutation.GUARDED)
        last = unknown(Role.HARM, f"{name} gets no data", "Is the manifest applied with the new version?", f"kubectl get hpa {name} -o yaml")  # fmt: skip
    else:
        moved = mechanism(says, *lines[-1:], still)
        last = _scaling(case, reader, target) if reader.scales else _ringing(case, reader)
        if last.comparison is not None and last.comparison.holds() and (lost.is_open or _OF_LIBRARIES.match(lost.name)):
            asked = f"Does a library, or a prefix from elsewhere, still export {lost.name}?"
            last = last.model_copy(update={"comparison": None, "question": asked, "query": f"curl -s localhost:PORT/metrics | grep {lost.name}"})  # fmt: skip
    metric_read = next((e.metric for e in last.evidence if isinstance(e, MetricEvidence)), lost.name)
    return Trajectory(
        title=f"{name} no longer {'scales' if reader.scales else 'rings'}: {lost.name} is exported no more",
        impact=Impact.HIGH if reader.scales else Impact.MEDIUM,
        resource=scaler.id,
        metric=metric_read,
        links=(
            trigger(f"{lost.file} exports {lost.name} no more", *lines),
            moved,
            exposure(f"{name} reads {lost.name} live" + (f" for {target.name}" if target is not None else ""), reader.cited, tie),
            last,
        ),
        make_safe=f"Export both names, move {name} to the new one, then drop the old.",
        path=(scaler.id, *((target.id,) if target is not None else ())),
        undo="Deploy the version before: the old name is back with it.",
    )


def _scaling(case: Case, reader: _Reader, target: Resource | None) -> Link:
    """Copies at the peak against those that there are when the metric goes."""
    scaler = reader.resource
    named = (scaler.id, *((target.id,) if target is not None else ()))
    peak, least = copies(case, *named), copies(case, *named, statistic="min")
    name = target.name if target is not None else scaler.name
    query = f'max_over_time(kube_horizontalpodautoscaler_status_current_replicas{{horizontalpodautoscaler="{scaler.name}"}}[7d])'
    if peak is None or least is None:
        floor = number(case, scaler.id, "min_replicas", "min_capacity", "min_replica_count")
        return unknown(Role.HARM, f"{name} stays at the copies that it has", f"How many copies of {name} run at the peak, and how many at night?", query, floor)  # fmt: skip
    if peak.value <= least.value:
        claim = f"{name} needs more copies than it has: it ran with {peak.value:g} all the time"
        return harm(claim, peak, least, comparison=compare(peak.value, ">", least.value, "copies"))
    now, days = _now(case, peak), _days_over(case, peak)
    said = f"{name} stays at the copies that it has, or falls back to the fewest, between {least.value:g} and {peak.value:g}"
    if now is None or not reader.is_only or peak.value < now.value * _MARGIN or days < _DAYS:
        asked = (
            "Does what else it reads scale it up in time?"
            if not reader.is_only
            else f"How many copies of {name} run when the last old one goes?"
        )
        return unknown(Role.HARM, said, asked, query, peak, least, now)
    claim = f"{said}: it has {now.value:g} now and needs up to {peak.value:g}, on {days} days of the window more than {now.value * _MARGIN:.3g}"
    return harm(claim, peak, now, least, comparison=compare(peak.value, ">", now.value, "copies"))


_DAYS = 2


def _now(case: Case, peak: Reading) -> Reading | None:
    found = _series(case, peak)
    last = statistic_reading(found, "last") if found is not None else None
    return (
        Reading(last.evidence.value, "", last.evidence)
        if last is not None and isinstance(last.evidence, MetricEvidence)
        else None
    )


def _days_over(case: Case, peak: Reading) -> int:
    """On how many days of the window clearly more ran than at its end."""
    found, now = _series(case, peak), _now(case, peak)
    if found is None or now is None:
        return 0
    a_day = max(1, round(86_400 / found.step_s))
    return sum(max((v or 0.0 for v in day), default=0.0) >= now.value * _MARGIN for day in batched(found.values, a_day))


def _series(case: Case, peak: Reading) -> Series | None:
    return next(
        (
            s
            for s in case.production.series_of(peak.evidence.resource)
            if isinstance(peak.evidence, MetricEvidence) and s.metric == peak.evidence.metric
        ),
        None,
    )


def _ringing(case: Case, reader: _Reader) -> Link:
    name = reader.resource.name
    missing = config(case, reader.resource.id, "treat_missing_data")
    return unknown(
        Role.HARM,
        f"{name} has no data to ring on: what it watches for goes unseen",
        f"Does another alarm see what {name} watches for, and what does it do without data?",
        "aws cloudwatch describe-alarms; absent(<metric>) in Prometheus",
        missing,
    )


def _by_manifest(case: Case, lost: LostMetric) -> Iterator[Trajectory]:
    """A manifest of the repository that still names it, where no live reader was found."""
    for place in case.diff.head.search({lost.name}).get(lost.name, ()):
        text = case.diff.head.text(place.file) or ""
        if not place.file.endswith((".yaml", ".yml", ".json", ".tf")) or _NAMED_KINDS.search(text) is None:
            continue
        line, lines = quote(case, place.file, place.line), _lines(case, lost)
        says = f"{place.file} reads {lost.name}, which nothing exports any more once the new version runs"
        asked = f"Does what {place.file} declares run in production, and how many copies are needed at the peak?"
        yield Trajectory(
            title=f"{place.file} reads {lost.name}, which is exported no more",
            impact=Impact.MEDIUM,
            resource=case.repository,
            metric=lost.name,
            links=(
                trigger(f"{lost.file} exports {lost.name} no more", *lines),
                mechanism(says, line),
                unknown(Role.EXPOSURE, f"it is read live under {lost.name}", asked, f"kubectl get hpa,scaledobject,prometheusrule -A -o yaml | grep {lost.name}"),
                unknown(Role.HARM, "what scales or rings on it gets no data", asked, f"max_over_time({lost.name}[7d])"),
            ),
            make_safe="Export both names, move the reader to the new one, then drop the old.",
            undo="Deploy the version before: the old name is back with it.",
        )  # fmt: skip
        return


_NAMED_KINDS = pattern(
    r"HorizontalPodAutoscaler|ScaledObject|ScaledJob|PrometheusRule|AnalysisTemplate|CloudWatch::Alarm|aws_cloudwatch_metric_alarm|aws_appautoscaling_policy|ScalingPolicy|\bexpr:|\balert:"
)


def _lines(case: Case, lost: LostMetric) -> tuple[FileEvidence, ...]:
    removed = quote_removed(case, lost.file, lost.base_line)
    file = case.diff.changes.file(lost.file)
    path = file.head_path if file is not None else None
    return (*removed[:1], quote(case, path, lost.head_line)) if path is not None and lost.head_line is not None else removed


def _declared(case: Case, lost: LostMetric, scaler: Resource) -> tuple[FileEvidence | None, FileEvidence | None]:
    """The head line that still names the metric, or the head line of a declaration that names another one now."""
    for one in declarations_of(case, scaler.id):
        text = (case.diff.head.text(one.file) or "").split("\n")
        here = range(one.line, min(len(text), max(one.end_line, one.line + 40)) + 1)
        for at in here:
            if reads_metric(text[at - 1], lost.name):
                return quote(case, one.file, at), None
        file = case.diff.changes.file(one.file)
        if file is not None and any(
            reads_metric(t, lost.name) for t in (case.diff.base.text(file.base_path or one.file) or "").split("\n")
        ):
            at = next((n for n in sorted(file.added_lines()) if n in here), one.line)
            return None, quote(case, one.file, at)
    return None, None


def _target(case: Case, scaler: Resource) -> Resource | None:
    """The one workload that the autoscaler or alarm is tied to."""
    ends = dict.fromkeys((*(e.target for e in case.out_of(scaler.id)), *(e.source for e in case.into(scaler.id))))
    found = [r for one in ends if (r := case.production.resource(one)) is not None and is_workload(r.kind)]
    return found[0] if len(found) == 1 else None


def _tie(case: Case, scaler: Resource, target: Resource | None) -> GraphEvidence | None:
    ties: Sequence[tuple[str, str, Relation]] = [
        (e.source, e.target, e.relation)
        for e in (*case.out_of(scaler.id), *case.into(scaler.id))
        if target is not None and target.id in (e.source, e.target)
    ]
    return edge(case, *ties[0]) if ties else None
