"""Processor time in cores: what one copy of a workload uses, what all of them use together, and what one may use."""

from bot.investigator.asking import Reading, statistic_reading
from bot.investigator.case import Case
from gonogo.context import Series
from gonogo.evidence import MetricEvidence
from gonogo.pattern import pattern
from gonogo.record import Record

_UNITS = {
    "cores": 1.0, "core": 1.0, "vcpu": 1.0, "vcpus": 1.0, "cpu": 1.0, "cpus": 1.0, "seconds/second": 1.0, "s/s": 1.0,
    "millicores": 1e-3, "millicore": 1e-3, "milli": 1e-3, "mcores": 1e-3, "m": 1e-3, "millicpu": 1e-3, "microcores": 1e-6,
    "nanocores": 1e-9, "nanocpu": 1e-9,
}  # fmt: skip
_CPU = pattern(r"(?i)(?<![a-z])(v?cpu|processor)(?![a-rt-z])")
_NOT_USED = pattern(r"(?i)throttl|limit|request|quota|allocat|capacity|period|shares|idle|steal|wait")
_IN_CORES = pattern(r"(?i)(?<!milli)(?<!nano)cores?(?![a-z])|cpu_usage_seconds(_total)?_?:?rate|usage_seconds.*rate")
_IN_MILLICORES = pattern(r"(?i)milli_?(cores?|cpu)|mcores?(?![a-z])")
_OF_ALL = pattern(r"(?i)^sum[_:.(]|[_:.](sum|total|all|all_?(pods|copies|replicas|tasks|instances))$|[_:.]sum_?(i?rate)$|in_all")
_OF_ONE = pattern(
    r"(?i)(^|[_:.])(avg|average|mean|max|maximum|p\d\d+|quantile|per_?(pod|task|copy|replica|instance|container))([_:.]|$)"
)


class Cores(Record):
    """Cores at the peak. `least` and `most` are those of all copies together, for a level may be of one or of all."""

    least: float
    most: float
    reading: Reading
    """In cores, as the level was read."""
    is_sum: bool
    is_of_one: bool


def cores_at_peak(case: Case, resource: str, *, copies: float, each: float | None) -> Cores | None:
    """The cores that `copies` copies use together at the peak; `each` is what one may use, where that is known.

    A level is of all of them when its name says so or when it is more than one may use; of one when its name says that
    it is an average or the highest; else either.
    """
    for series in case.production.series_of(resource):
        factor = _factor(series)
        found = statistic_reading(series, "max") if factor is not None else None
        if factor is None or found is None or not isinstance(found.evidence, MetricEvidence):
            continue
        value = found.evidence.value * factor
        name = series.metric.partition("{")[0]
        is_of_one = _OF_ONE.search(name) is not None
        is_sum = not is_of_one and (_OF_ALL.search(name) is not None or (each is not None and value > 1.05 * each))
        least, most = (value * copies if is_of_one else value), (value if is_sum else value * copies)
        return Cores(least, most, Reading(value, "cores", found.evidence), is_sum=is_sum, is_of_one=is_of_one)
    return None


def cores_of(value: object) -> float | None:
    """`600m`, `0.6` and `2` as cores; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = str(value).strip()
    try:
        return float(text[:-1]) / 1000 if text.endswith("m") else float(text)
    except ValueError:
        return None


def _factor(series: Series) -> float | None:
    name, unit = series.metric.partition("{")[0], series.unit.strip().lower()
    if _CPU.search(name.replace("_", " ")) is None or _NOT_USED.search(name) is not None:
        return None
    if unit in _UNITS:
        return _UNITS[unit]
    if unit not in ("", "none", "count", "1", "count/second", "number"):
        return None
    if _IN_MILLICORES.search(name):
        return 1e-3
    return 1.0 if _IN_CORES.search(name) else None
