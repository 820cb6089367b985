"""The sections of the first message, each a list of lines, most important first."""

import json
from collections import Counter
from collections.abc import Iterator

from bot.investigator.case import Case
from bot.investigator.log_templates import template_of
from bot.investigator.tools.list_changes import hunk_lines, summary_of
from context_graph.readings import statistic_of, values_in, window_of
from gonogo.change import ChangedFile
from gonogo.context import Series
from gonogo.trajectory import Link
from heuristics.code import is_docs_path, is_test_path

_MOST_PATTERNS = 8
_MOST_FORECASTS = 12


def change(case: Case) -> list[str]:
    """Title and body, the files, then hunks: migrations, manifests and code before tests and documents."""
    changes = case.diff.changes
    head = [f"repository {changes.repository}, base {changes.base[:12]}, head {changes.head[:12]}", f"title: {changes.title}"]
    head += [f"body: {line}" for line in changes.body.splitlines()[:30]]
    head += [f"commit {c.sha[:12]}: {c.message.splitlines()[0] if c.message else ''}" for c in changes.commits[:20]]
    found = {f.file for f in case.findings}
    files = sorted(
        changes.files, key=lambda f: (f.path not in found, is_test_path(f.path) or is_docs_path(f.path), _size(f), f.path)
    )
    new = [f for f in files if case.is_new(f.path)]
    lines = [*head, *(summary_of(f) for f in new[:60]), *_looked_at(case, files)]
    for file in new:
        if not file.is_binary and file.hunks:
            lines += [f"--- {file.path}", *hunk_lines(file)]
    return lines


def _looked_at(case: Case, files: list[ChangedFile]) -> Iterator[str]:
    """What an earlier evaluation has looked at, as it is now: named, and not shown again."""
    old = [f for f in files if not case.is_new(f.path)]
    if case.before is not None and old:
        yield f"looked at already, at commit {case.before.head[:12]}, and the same since: {len(old)} files. Your work is the files above."
        yield from (summary_of(f) for f in old[:40])


def candidates(case: Case) -> list[str]:
    """R1 … with their links: what is cited, compared and open."""
    lines: list[str] = []
    for at, one in enumerate(case.candidates, 1):
        lines.append(f"R{at} [{one.playbook}] {one.title} (impact {one.impact.value}; {one.metric} of {one.resource})")
        for number, link in enumerate(one.links, 1):
            lines += list(_link(number, link))
        lines.append(f"  make safe: {one.make_safe}")
    if case.carried:
        lines.append("From earlier commits of this pull request; these stand without you, so propose none of them again:")
        lines += [f"- {one.title} ({one.metric} of {one.resource})" for one in case.carried]
    return lines


def _link(number: int, link: Link) -> Iterator[str]:
    yield f"  {number} {link.role.value}: {link.claim}"
    if link.comparison is not None:
        c = link.comparison
        yield f"    compares {c.observed:g} {c.operator} {c.limit:g} {c.unit}".rstrip()
    for evidence in link.evidence:
        yield f"    cites {json.dumps(evidence.model_dump(mode='json', exclude_none=True), ensure_ascii=False)}"
    for evidence in link.refuting:
        yield f"    against it {json.dumps(evidence.model_dump(mode='json', exclude_none=True), ensure_ascii=False)}"
    if link.question:
        yield f"    open: {link.question}" + (f" ({link.query})" if link.query else "")


def findings(case: Case) -> list[str]:
    """What the rules saw."""
    return [f"{f.file}:{f.line} ({f.side}) {f.rule}: {f.message}" for f in case.findings]


def resources(case: Case) -> list[str]:
    """Nearest first: id, kind, the way to it, its configuration."""
    lines: list[str] = []
    for one in case.affected:
        lines.append(f"{one.resource} ({one.kind}) {' → '.join(one.path)}: {one.why}")
        found = case.production.resource(one.resource)
        lines += [f"  {k} = {json.dumps(v, ensure_ascii=False, default=str)}" for k, v in sorted(found.attributes.items())] if found else []  # fmt: skip
    edges = [f"{e.source} {e.relation.value} {e.target} ({e.origin.value})" for e in case.production.edges]
    return [*lines, *sorted(edges)]


def metrics(case: Case) -> list[str]:
    """Each series: statistics over all that was read, then the forecast of the coming day for the nearest ones."""
    near = {a.resource: at for at, a in enumerate(case.affected)}
    ordered = sorted(case.production.series, key=lambda s: (near.get(s.resource, len(near)), s.metric))
    lines: list[str] = []
    for at, series in enumerate(ordered):
        lines.append(_summary(series))
        forecast = (
            case.foresight.of(series.resource, series.metric) if case.foresight is not None and at < _MOST_FORECASTS else None
        )
        if forecast is not None and forecast.peak is not None:
            said = f"  coming day: highest value p50 {forecast.peak.p50:.4g}, p90 {forecast.peak.p90:.4g}; backtest MASE {forecast.backtest.mase:.2f}"
            lines.append(said + (f"; not citable: {'; '.join(forecast.objections)}" if forecast.objections else ""))
    return lines


def _summary(series: Series) -> str:
    window = window_of(series)
    readings = values_in(series, window)
    said = ", ".join(
        f"{s} {v:.4g}" for s in ("mean", "p50", "p99", "max", "last") if (v := statistic_of(readings, s)) is not None
    )
    span = f"{window.start.isoformat()} to {window.end.isoformat()}"
    return f"{series.resource} {series.metric} [{series.unit}] {said or 'no reading'} ({span}, every {series.step_s:g} s)"


def databases(case: Case) -> list[str]:
    """Servers, tables the change is likely about first, their indexes."""
    words = " ".join(
        text for f in case.diff.changes.files for text in (*f.added_lines().values(), *f.removed_lines().values())
    ).lower()
    lines: list[str] = []
    for one in case.production.databases:
        lines.append(f"{one.resource}: {one.engine} {one.version}")
        for table in sorted(one.tables, key=lambda t: (t.name.lower() not in words, t.name)):
            figures = table.model_dump(
                mode="json", include={"row_estimate", "total_bytes", "writes_per_second", "reads_per_second"}
            )
            lines.append(f"  table {table.name}: " + ", ".join(f"{k} {v:g}" for k, v in figures.items() if v is not None))
        lines += [f"  index {i.name} on {i.table}: {i.scans_per_hour} scans an hour; {i.definition}" for i in one.indexes]
    return lines


def logs(case: Case) -> list[str]:
    """The commonest wordings of each resource; a sample, so counts are no rates."""
    lines: list[str] = []
    for resource in dict.fromkeys(line.resource for line in case.production.logs):
        counted = Counter((x.severity, template_of(x.message)) for x in case.production.logs if x.resource == resource)
        lines.append(f"{resource}: {sum(counted.values())} sampled lines")
        ranked = sorted(counted.items(), key=lambda c: (c[0][0].upper() not in ("ERROR", "FATAL", "CRITICAL"), -c[1], c[0]))
        lines += [f"  {count} × {severity or '-'} {text}" for (severity, text), count in ranked[:_MOST_PATTERNS]]
    return lines


def happenings(case: Case) -> list[str]:
    """Alarms that ring, then deploys, newest first."""
    rung = [f"alarm {a.name} of {a.resource}: {a.state} since {a.since.isoformat()}" for a in case.production.alarms]
    rolled = [
        f"deploy of {d.resource} at {d.timestamp.isoformat()}: {d.version} {d.status}" for d in reversed(case.production.deploys)
    ]
    return [*rung, *rolled]


def not_read(case: Case) -> list[str]:
    """Gaps, and where production comes from."""
    at = case.production.read_at
    source = f"production facts: {case.production.source}" + (f", as of {at.isoformat()}" if at else "")
    return [source, *(f"{g.stage}: {g.what}: {g.why}" for g in case.production.gaps)]


def _size(file: ChangedFile) -> int:
    return sum(len(h.added) + len(h.removed) for h in file.hunks)
