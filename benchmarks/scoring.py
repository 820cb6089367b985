"""Scores a report against a label, and many scores into a summary. Pure: values in, values out."""

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

Json = Mapping[str, Any]

RANK = {"none": 0, "refuted": 1, "plausible": 2, "confirmed": 3}
MOST_LINES = 20
"""A citation of more lines than this cites no line."""


@dataclass(frozen=True)
class Cited:
    """A span of lines of a file on one side; without a line it cites the file only."""

    file: str
    first: int | None
    last: int | None
    side: str

    def is_at(self, other: "Cited", tolerance: int) -> bool:
        """Whether the first line of `other` lies in this span, give or take."""
        if self.file != other.file or self.side != other.side or self.first is None or self.last is None or other.first is None:
            return False
        return self.first - tolerance <= other.first <= self.last + tolerance


@dataclass(frozen=True)
class Score:
    """How one case went. None: the question does not arise for this label."""

    id: str
    suite: str
    category: str
    hard: bool
    pair: str | None
    expected: str
    verdict: str
    expected_status: str
    status: str
    is_right: bool
    is_status_right: bool
    is_status_right_loosely: bool
    file_any: bool | None = None
    line_any: bool | None = None
    line_decisive: bool | None = None
    resource: bool | None = None
    is_noisy: bool | None = None
    is_unstable: bool = False
    seconds: float = 0
    peak_mib: float = 0
    error: str = ""


def score(label: Json, report: Json | None, *, suite: str = "", tolerance: int = 3, **measured: Any) -> Score:
    """Compare what was said with what is right; a missing report is a wrong answer."""
    has_report, report = report is not None, report or {}
    trajectories = [t for t in _dicts(report.get("trajectories")) if _status(t) in RANK]
    verdict = str(report.get("verdict") or "?")
    expected_status = str(label["expected_status"])
    top = _highest(trajectories)
    about: dict[str, Any]
    if expected_status in ("confirmed", "plausible"):
        about = _culprit(label, report, trajectories, tolerance)
        status = about.pop("status")
        is_loosely_right = status == expected_status
    else:
        status, is_loosely_right = top, top in ("refuted", "none")
        about = {"is_noisy": top in ("plausible", "confirmed")}
    if not has_report:
        status, is_loosely_right = "?", False
    return Score(
        id=str(label["id"]), suite=suite, category=str(label.get("category", "")), hard=bool(label.get("hard")), pair=label.get("pair"),
        expected=str(label["expected"]), verdict=verdict, expected_status=expected_status, status=status,
        is_right=verdict == label["expected"], is_status_right=status == expected_status, is_status_right_loosely=is_loosely_right,
        **about, **measured,
    )  # fmt: skip


def summarise(scores: Sequence[Score]) -> dict[str, Any]:
    """The figures over all cases, and every row."""
    no_go_right = sum(s.expected == s.verdict == "no-go" for s in scores)
    false = [s.id for s in scores if s.expected == "go" and s.verdict == "no-go"]
    missed = [s.id for s in scores if s.expected == "no-go" and s.verdict != "no-go"]
    precision, recall = _share(no_go_right, no_go_right + len(false)), _share(no_go_right, no_go_right + len(missed))
    culprits = [s for s in scores if s.line_any is not None]
    found = [s for s in culprits if s.expected == s.verdict == "no-go"]
    plausible = [s for s in scores if s.expected_status == "plausible"]
    clean = [s for s in scores if s.is_noisy is not None]
    return {
        "cases": len(scores),
        "verdict_accuracy": _mean(scores, lambda s: s.is_right),
        "no_go": {
            "precision": precision, "recall": recall,
            "f1": round(2 * precision * recall / (precision + recall), 4) if precision and recall else None,
            "true_positives": no_go_right, "false_positives": false, "false_negatives": missed,
        },
        "culprit": {
            "n": len(culprits), "file_any": _mean(culprits, lambda s: s.file_any), "line_any": _mean(culprits, lambda s: s.line_any),
            "line_decisive": _mean(culprits, lambda s: s.line_decisive), "resource": _mean(culprits, lambda s: s.resource),
            "line_of_no_gos_found": _mean(found, lambda s: s.line_any), "decisive_line_of_no_gos_found": _mean(found, lambda s: s.line_decisive),
        },
        "status_agreement": {"strict": _mean(scores, lambda s: s.is_status_right), "loose": _mean(scores, lambda s: s.is_status_right_loosely)},
        "plausible_reported_without_blocking": _mean(plausible, lambda s: s.status == "plausible" and s.verdict == "go"),
        "noise_on_clean_go": {"share": _mean(clean, lambda s: s.is_noisy), "of": len(clean), "cases": [s.id for s in clean if s.is_noisy]},
        "pairs_both_right": _pairs(scores),
        "errors": {s.id: s.error for s in scores if s.error},
        "unstable_verdicts": [s.id for s in scores if s.is_unstable],
        "seconds": _spread([s.seconds for s in scores]),
        "peak_mib": _spread([s.peak_mib for s in scores]),
        "by_suite": _group(scores, lambda s: s.suite),
        "by_expected_status": _group(scores, lambda s: s.expected_status),
        "by_category": _group(scores, lambda s: s.category),
        "by_hard": _group(scores, lambda s: "hard" if s.hard else "plain"),
        "rows": [asdict(s) for s in scores],
    }  # fmt: skip


def _culprit(label: Json, report: Json, trajectories: Sequence[Json], tolerance: int) -> dict[str, Any]:
    main = Cited(_path(label["expected_file"]), label["expected_line"], None, "head")
    wanted = [main, *(Cited(_path(a["file"]), a["line"], None, a.get("side", "head")) for a in label.get("also_lines") or ())]
    findings = [_span(f) for f in _dicts(report.get("findings")) if f.get("file")]
    everything = [*(c for t in trajectories for c in _cited(t)), *findings]
    decisive = {"confirmed"} if label["expected_status"] == "confirmed" else {"plausible", "confirmed"}
    deciding = [c for t in trajectories if _status(t) in decisive for c in _cited(t)]
    resources = {str(r) for r in (label.get("expected_resource"), *(label.get("also_resources") or ())) if r}

    def lines(cited: Sequence[Cited]) -> bool:
        return any(c.is_at(w, tolerance) for c in cited for w in wanted)

    files = {w.file for w in wanted}
    about_it = [t for t in trajectories if str(t.get("resource")) in resources or any(c.file in files for c in _cited(t))]
    return {
        "file_any": any(c.file == main.file for c in everything),
        "line_any": lines(everything),
        "line_decisive": lines(deciding),
        "resource": any(str(t.get("resource")) in resources for t in trajectories),
        "status": _highest(about_it),
    }


def _cited(trajectory: Json) -> Iterator[Cited]:
    for link in _dicts(trajectory.get("links")):
        yield from (_span(e) for e in _dicts(link.get("evidence")) if e.get("file"))


def _span(citation: Json) -> Cited:
    first, last = citation.get("line"), citation.get("end_line") or citation.get("line")
    side = str(citation.get("side") or "head")
    if not isinstance(first, int) or not isinstance(last, int) or not 0 <= last - first <= MOST_LINES:
        return Cited(_path(citation["file"]), None, None, side)
    return Cited(_path(citation["file"]), first, last, side)


def _path(value: object) -> str:
    return str(value).removeprefix("./")


def _status(trajectory: Json) -> str:
    return str(trajectory.get("status", ""))


def _highest(trajectories: Sequence[Json]) -> str:
    return max((_status(t) for t in trajectories), key=lambda s: RANK[s], default="none")


def _dicts(value: object) -> list[Json]:
    return [cast("Json", v) for v in cast("list[object]", value) if isinstance(v, dict)] if isinstance(value, list) else []


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _mean(scores: Sequence[Score], of: Callable[[Score], bool | None]) -> float | None:
    return _share(sum(bool(of(s)) for s in scores), len(scores))


def _pairs(scores: Sequence[Score]) -> dict[str, Any]:
    pairs: dict[str, list[bool]] = {}
    for s in scores:
        if s.pair:
            pairs.setdefault(f"{s.suite}/{s.pair}", []).append(s.is_right)
    full = {name: answers for name, answers in pairs.items() if len(answers) > 1}
    return {
        "right": sum(all(a) for a in full.values()),
        "of": len(full),
        "wrong": sorted(name for name, answers in full.items() if not all(answers)),
    }


def _group(scores: Sequence[Score], key: Callable[[Score], str]) -> dict[str, Any]:
    groups = {name: [s for s in scores if key(s) == name] for name in sorted({key(s) for s in scores})}
    return {name: {"n": len(group), "verdict_accuracy": _mean(group, lambda s: s.is_right)} for name, group in groups.items()}


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    ranked = sorted(values)
    p95 = ranked[min(len(ranked) - 1, int(0.95 * len(ranked)))]
    return {name: round(value, 3) for name, value in (("median", statistics.median(ranked)), ("p95", p95), ("max", ranked[-1]))}
