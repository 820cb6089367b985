"""Rates, latencies and limits of a resource, whatever its provider calls them.

Names are the providers': CloudWatch, Prometheus exporters, Cloudflare. A name that is not listed is not guessed at.
"""

import re
from re import Pattern

from bot.investigator.asking import Reading, metric
from bot.investigator.case import Case
from gonogo.context import Statistic
from gonogo.pattern import pattern

Names = tuple[str | Pattern[str], ...]

ARRIVALS: Names = (
    "NumberOfMessagesSent", "MessagesProducedPerSecond", "IncomingRecords", "NumberOfMessagesPublished", pattern(r"(?i)(messages?|records|events)_?(in|produced|sent|published).*"),
)  # fmt: skip
REQUESTS: Names = (
    "RequestCountPerSecond", "RequestsPerSecond", "http_requests_per_second", "Invocations", "RequestCount", "Count", "Requests",
    pattern(r"(?i)(http_)?(requests?|rps|calls|invocations|rpc)(_?total|_?count)?(_?per_?second|_rate)?"),
    *ARRIVALS,
)  # fmt: skip
LATENCY: Names = (
    "Duration", "TargetResponseTime", "Latency", "IntegrationLatency", pattern(r"(?i).*(duration|latency|response_?time)(_?(seconds|ms|milliseconds))?"),
)  # fmt: skip
CPU: Names = ("CPUUtilization", "cpu_utilization", pattern(r"(?i).*cpu.*(util|percent|usage).*"))
MEMORY: Names = (
    "MemoryUtilization", "memory_utilization", pattern(r"(?i).*memory.*(util|percent|working_set|usage|used).*"),
)  # fmt: skip
ERRORS: Names = ("Errors", "http_error_ratio", "5XXError", "HTTPCode_Target_5XX_Count", pattern(r"(?i).*error.*"))


def request_rate(case: Case, resource: str, statistic: Statistic = "max") -> Reading | None:
    """Requests, invocations or messages a second at the resource; its peak by default."""
    found = metric(case, resource, REQUESTS, statistic)
    return found if found and found.unit == "1/s" else None


def arrival_rate(case: Case, resource: str, statistic: Statistic = "mean") -> Reading | None:
    """Messages a second that arrive at a queue, topic or stream."""
    found = metric(case, resource, ARRIVALS, statistic)
    return found if found and found.unit == "1/s" else None


def latency(case: Case, resource: str, percentile: str = "p99", statistic: Statistic = "max") -> Reading | None:
    """The highest value that a latency percentile took over the window, in seconds.

    A provider's percentile series (`Duration.p99`) is read first; a series of raw values or of averages gives its own
    statistic. A lower percentile stands in when the wanted one is not there: the claim must name which it was.
    """
    order = [percentile, *[p for p in ("p99", "p95", "max", "p90", "p50") if p != percentile]]
    for suffix in order:
        wanted = [re.compile(_with_suffix(name, suffix)) for name in LATENCY]
        found = metric(case, resource, wanted, statistic)
        if found and found.unit == "s":
            return found
    found = metric(case, resource, LATENCY, statistic)
    return found if found and found.unit == "s" else None


def _with_suffix(name: str | Pattern[str], suffix: str) -> str:
    body = name.pattern if isinstance(name, Pattern) else re.escape(name)
    flags = "(?i:" if "(?i)" in body else "(?:"
    body = body.replace("(?i)", "")
    return rf"{flags}{body})[.]{suffix}(?:\{{.*\}})?|{flags}{body})_{suffix}(?:_\w+)?"
