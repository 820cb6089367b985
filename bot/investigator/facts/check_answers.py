"""How production answered a path when it was asked as a health check asks: by probes, by counts of status codes, by access lines."""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from bot.investigator.asking import Reading, log_count, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.traffic import dimensions_of
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared
from heuristics.runtime.probes import Probe

_STATUS = pattern(
    r"(?:\b(?:status(?:_?code)?|code|http_status|rc|sc-status)[\"']?\s?[=:]\s?[\"']?|\"\s|HTTP/\d(?:\.\d)?\"?\s|\s)(?P<status>[1-5]\d\d)\b"
)
_CHECKERS = pattern(r"(?i)ELB-HealthChecker|kube-probe|GoogleHC|Route53|HealthCheck|Consul|blackbox|uptime|pingdom|curl/|wget/")
_NAMELESS = pattern(
    r"(?i)(token|auth\w*|authenticated|signed)[\"']?\s?[=:]\s?[\"']?(false|none|null|no|-|anonymous)\b|user[\"']?\s?[=:]\s?[\"']?(-|anonymous|null)"
)
_PROBED = pattern(r"(?i).*(probe_success|probe_up|health_?check_?(success|status|passed)|(^|_)up)")
_CODE_KEYS = pattern(r"(http_?)?(status|code|status_?code|response_?code|http_status)")


class Answered(StrEnum):
    """What a path answers to one who sends no credentials."""

    WELL = "well"
    BADLY = "badly"


class Answer(Record):
    """The answer with what says so; `said` is the status or the probe in words."""

    kind: Answered
    cited: tuple[Evidence, ...]
    said: str
    reading: Reading | None = None
    lines: int = 0


def answer_of(
    case: Case, resources: Sequence[str], path: str, declared: Declared, probe: Probe, *, is_walled: bool
) -> Answer | None:
    """The answer of the first of the resources that tells; None when none does."""
    for resource in resources:
        found = _by_metric(case, resource, path, declared, probe) or _by_lines(
            case, resource, path, declared, probe, is_walled=is_walled
        )
        if found is not None:
            return found
    return None


def is_success(status: int, declared: Declared, probe: Probe) -> bool:
    """Whether the check takes a status for healthy: the target group's codes, else below 400."""
    if probe is not Probe.TARGET or not declared.kind.startswith("aws."):
        return 200 <= status < 400
    setting = declared.settings.get("health_check_matcher")
    wanted = str(setting.value) if setting is not None and setting.value is not None else "200"
    return any(low <= status <= high for low, high in _ranges(wanted))


def _ranges(wanted: str) -> Iterator[tuple[int, int]]:
    for part in re.findall(r"(\d{3})(?:\s?-\s?(\d{3}))?", wanted):
        yield int(part[0]), int(part[1] or part[0])


def _by_metric(case: Case, resource: str, path: str, declared: Declared, probe: Probe) -> Answer | None:
    bad: list[Reading] = []
    good: list[Reading] = []
    case.asked.append(f"probes and status codes of {path} at {resource}")
    for series in case.production.series_of(resource):
        labels = dimensions_of(series.metric)
        if not any(
            v == path or v.endswith("//" + path.lstrip("/")) or re.fullmatch(rf"https?://[^/]+{re.escape(path)}", v)
            for v in labels.values()
        ):
            continue
        if _PROBED.fullmatch(series.metric.partition("{")[0]):
            low, high = statistic_reading(series, "min"), statistic_reading(series, "max")
            if low is not None and low.evidence.kind == "metric" and low.evidence.value >= 1:
                return Answer(Answered.WELL, (low.evidence,), "the probe of it succeeds all the time", low)
            if high is not None and high.evidence.kind == "metric" and high.evidence.value <= 0:
                return Answer(Answered.BADLY, (high.evidence,), "the probe of it fails all the time", high)
        status = next((v for k, v in labels.items() if _CODE_KEYS.fullmatch(k)), "")
        mean = statistic_reading(series, "mean") if re.fullmatch(r"[1-5]\d\d", status) else None
        if mean is not None and mean.value > 0:
            (good if is_success(int(status), declared, probe) else bad).append(mean)
    if bad and not good:
        return Answer(Answered.BADLY, tuple(b.evidence for b in bad[:2]), "it is never answered well", bad[0])
    return None


def _by_lines(case: Case, resource: str, path: str, declared: Declared, probe: Probe, *, is_walled: bool) -> Answer | None:
    whole = rf"(?<![\w/.-]){re.escape(path)}(?![\w/.-])"
    lines = [line.message[:2_000] for line in case.production.logs if line.resource == resource]
    found = [
        (line, int(m["status"]))
        for line in lines
        if (at := re.search(whole, line)) and (m := _STATUS.search(line, at.end()) or _STATUS.search(line))
    ]
    bad = sorted({s for _, s in found if not is_success(s, declared, probe)})
    good = [(line, s) for line, s in found if is_success(s, declared, probe)]
    nameless = [s for line, s in good if _CHECKERS.search(line) or _NAMELESS.search(line)]
    if good and not bad and (nameless or not is_walled):
        status = nameless[0] if nameless else good[0][1]
        cited = _cited(case, resource, whole, status)
        return (
            Answer(Answered.WELL, (cited,), f"sampled calls of it get {status}", lines=len(good)) if cited is not None else None
        )
    if bad and not nameless and not (good and not is_walled):
        cited = _cited(case, resource, whole, bad[0])
        count = sum(s == bad[0] for _, s in found)
        return Answer(Answered.BADLY, (cited,), f"sampled calls of it get {bad[0]}", lines=count) if cited is not None else None
    return None


def _cited(case: Case, resource: str, whole: str, status: int) -> Evidence | None:
    return log_count(case, resource, rf"{whole}.{{0,400}}(?<!\d){status}(?!\d)|(?<!\d){status}(?!\d).{{0,400}}{whole}")
