"""What a queue's workers have to do: how much arrives, how long one message takes, and who else works on it."""

from bot.investigator.asking import Reading, base_unit, statistic_reading
from bot.investigator.case import Case
from bot.investigator.facts.consumers import arriving, backlog, done, kind, logged_time, readers_of, work_times
from bot.investigator.facts.latencies import Latency
from bot.investigator.facts.rate_limits import is_about
from gonogo.context import Series
from gonogo.record import Record

_SHARED = ("aws.sqs", "rabbitmq", "redis", "sidekiq", "aws.mq", "azure.servicebus", "cloudflare.queue", "gcp.pubsub.subscription", "google.pubsub.subscription", "kubernetes.queue")  # fmt: skip
"""Where each message goes to one consumer only; every group of a topic gets them all."""
_CALM = 60.0


class Demand(Record):
    """Messages a second: on average and at the peak. `is_of_arrivals` is False where only what is worked off was read."""

    mean: Reading
    peak: Reading
    series: Series
    is_of_arrivals: bool
    is_in_step: bool = True
    """Whether what waits is so little that what is worked off is what arrives."""

    @property
    def said(self) -> str:
        """The verb of the sentence."""
        return "arrive" if self.is_of_arrivals else "are worked off today"

    def wait_s(self, capacity: float) -> float:
        """How long the last message would have waited at the worst moment of the window, at so many worked off a second."""
        factor, step, waiting, most = base_unit(self.series)[0], self.series.step_s, 0.0, 0.0
        for value in self.series.values:
            waiting = max(0.0, waiting + ((value or 0.0) * factor - capacity) * step)
            most = max(most, waiting)
        return most / capacity if capacity > 0 else float("inf")

    def days_over(self, capacity: float) -> int:
        """On how many days of the window more arrived for a while than is worked off."""
        factor, a_day = base_unit(self.series)[0], max(1, round(86_400 / self.series.step_s))
        return len({at // a_day for at, value in enumerate(self.series.values) if (value or 0.0) * factor > capacity})


def demand_of(case: Case, queue: str, reader: str) -> Demand | None:
    """What arrives at a queue; where nobody counts that, what is worked off, which is no more."""
    series = arriving(case, queue)
    is_of_arrivals = series is not None
    if series is None:
        series = done(case, queue, reader)
    mean, peak = (statistic_reading(series, s) if series is not None else None for s in ("mean", "max"))
    if series is None or mean is None or peak is None:
        return None
    waiting = backlog(case, queue, reader)
    is_in_step = waiting is not None and waiting.value <= max(10.0, mean.value * _CALM)
    return Demand(mean, peak, series, is_of_arrivals, is_in_step)


def service_times(case: Case, reader: str, queue: str) -> tuple[Reading | None, Reading | None]:
    """The usual time of a message, for what is managed at most, and its highest reading, for what is managed at least."""
    every = [t for t in work_times(case, reader) if t.active()]
    times = [t for t in every if not t.labels] or [t for t in every if is_about(case, f"x{t.labels}", queue)] or every
    usual = [t for t in times if t.percentile in ("p50", "mean")]
    wanted = [t for t in usual if t.rank == min(u.rank for u in usual)]
    fast = min((r for t in wanted if (r := t.typical()) is not None), key=_value, default=None)
    highest = [t for t in times if t not in usual]
    slow = _highest(usual) or _highest(highest)
    if fast is None:
        fast = logged_time(case, reader)
        slow = slow or fast
    return (fast if fast is not None and fast.value > 0 else None), (slow if slow is not None and slow.value > 0 else None)


def others_at(case: Case, queue: str, reader: str) -> str:
    """Another live consumer that takes messages from the same queue; empty without one."""
    if not kind(case, queue).startswith(_SHARED):
        return ""
    return next((one for one in readers_of(case, queue) if one != reader), "")


def _highest(times: list[Latency]) -> Reading | None:
    """The highest peak; that of a percentile where no usual time is read, for no message takes longer on average."""
    return max((r for t in times if (r := t.peak()) is not None), key=_value, default=None)


def _value(reading: Reading) -> float:
    return reading.value
