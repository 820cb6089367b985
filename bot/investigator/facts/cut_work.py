"""Whether work runs into its present limit: then what was measured is bounded by that limit and says nothing of a longer one."""

from bot.investigator.asking import Reading, log_count
from bot.investigator.case import Case
from bot.investigator.facts.consumers import work_times
from gonogo.evidence import LogEvidence
from gonogo.record import Record

_AT_THE_LIMIT = 0.97
"""Of the limit; a run that is cut off is counted with about the limit itself."""
_TIMED_OUT = r"(?i)\btimed? ?out\b.{0,20}?(?:after|at|in)?[ =:]*\d|\b(?:Status: timeout|status=timeout|TimeoutExpired|SoftTimeLimitExceeded|TimeLimitExceeded|context deadline exceeded)\b"
_ENDED = r"(?i)^REPORT |\b(?:finished|completed?|done|succeeded|processed|took|elapsed|duration)\b"
_COMMON = 0.01
_FEW = 5


class Cut(Record):
    """Work that was cut off. `is_common`: at least one run in a hundred, most of the time."""

    said: str
    """Up to the limit: `1 % of its runs are cut off after`."""
    is_common: bool
    cited: tuple[Reading | LogEvidence, ...]


def cut_work(case: Case, worker: str, limit_s: float) -> Cut | None:
    """Runs that reach the limit, by their latencies or by log lines that say so; None when none is known to."""
    found = [one for one in work_times(case, worker) if not one.labels and one.active()]
    for one in sorted(found, key=lambda o: o.rank):
        usual = one.typical()
        if (
            one.percentile != "max"
            and one.rank <= 100 * (1 - _COMMON)
            and usual is not None
            and usual.value >= _AT_THE_LIMIT * limit_s
        ):
            return Cut(f"at least {100 - one.rank:g} % of its runs are cut off after", is_common=True, cited=(usual,))
    lines = log_count(case, worker, _TIMED_OUT)
    ended = log_count(case, worker, _ENDED) if lines is not None else None
    if lines is not None and ended is not None and lines.count >= _FEW and lines.count / (lines.count + ended.count) >= _COMMON:
        share = lines.count / (lines.count + ended.count)
        return Cut(
            f"{lines.count} of its {lines.count + ended.count} sampled runs ({share:.1%}) were cut off after",
            is_common=True,
            cited=(lines, ended),
        )
    peak = next((p for one in found if (p := one.peak()) is not None and p.value >= _AT_THE_LIMIT * limit_s), None)
    if peak is not None or lines is not None:
        return Cut("runs are cut off after", is_common=False, cited=tuple(c for c in (peak, lines) if c is not None))
    return None
