"""Which law answers a what-if about a metric, by what the metric is; and where its parameters are read."""

import re
from dataclasses import dataclass

import numpy as np

from forecasting.quantiles import Floats
from forecasting.what_if import WhatIf, latency, queue_depth, time_out, traffic, utilisation

_SHARE = re.compile(r"(?i)percent|%|ratio")
_LATENCY = re.compile(r"(?i).*(duration|latency|response_?time).*")
_WAITING = re.compile(r"(?i).*(messagesvisible|messages_ready|queue_(depth|length|size|messages)|backlog|pending|lag).*")
_ARRIVING = re.compile(r"(?i).*(messagessent|published|produced|enqueued|incoming|messages_in).*")
_LEAVING = re.compile(r"(?i).*(messagesdeleted|acknowledged|acked|consumed|processed|messages_out).*")
_PROPORTIONAL = re.compile(r"(?i).*(request|invocation|count|sent|rate|bytes|messages|records|throughput|concurren|qps|rps).*")
_PERCENTILE = re.compile(r"\.p(\d+(?:\.\d+)?)$")


@dataclass(frozen=True)
class Relatives:
    """The asked metric first, then those of its relatives; '' is the name of one that is another resource's.

    `values` `[series, time]` is history and `paths` `[path, series, horizon]` the future, on steps of `step_s` seconds; a
    count is the sum over `counted_s` seconds.
    """

    metrics: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats
    paths: Floats
    step_s: float
    counted_s: float

    def row(self, wanted: re.Pattern[str]) -> int | None:
        """The first series of the resource with a name like that."""
        return next((i for i, name in enumerate(self.metrics) if name and wanted.fullmatch(name)), None)

    def per_second(self, row: int) -> float:
        """What turns readings of a series into a rate a second."""
        return 1.0 if "second" in self.units[row].lower() or "/s" in self.units[row] else 1.0 / self.counted_s


def scenario_of(asked: dict[str, float], relatives: Relatives) -> WhatIf:
    """The asked metric under the what-if; ValueError with one line when no law speaks about it."""
    name, unit = relatives.metrics[0], relatives.units[0]
    paths, history = relatives.paths[:, 0], relatives.values[0]
    factor = asked.get("traffic", 1.0)
    if "timeout" in asked:
        return _timed_out(asked, relatives, factor)
    if _WAITING.fullmatch(name):
        return _waiting(asked, relatives, factor)
    if "consumers" in asked:
        raise ValueError(f"fewer or more consumers change a queue, and {name} is none")
    if "concurrency" in asked or _SHARE.search(unit):
        grown = factor / asked.get("concurrency", 1.0)
        full = 100.0 if "percent" in unit.lower() or "%" in unit else 1.0
        if not _SHARE.search(unit):
            raise ValueError(f"less concurrency is told by a utilisation, and {name} is none")
        return utilisation(paths, history, grown, full=full)
    if _LATENCY.fullmatch(name):
        busy = next((i for i, u in enumerate(relatives.units) if relatives.metrics[i] and _SHARE.search(u) and i), None)
        if busy is None:
            raise ValueError(f"what traffic does to {name} depends on a utilisation of the same resource, and none was read")
        share = relatives.values[busy] / (100.0 if "percent" in relatives.units[busy].lower() else 1.0)
        return latency(paths, share, factor, servers=1, source=relatives.metrics[busy])
    if _PROPORTIONAL.fullmatch(name):
        return traffic(paths, history, factor)
    raise ValueError(f"no law says what happens to {name}")


def _waiting(asked: dict[str, float], relatives: Relatives, factor: float) -> WhatIf:
    arriving, leaving = relatives.row(_ARRIVING), relatives.row(_LEAVING)
    if arriving is None or leaving is None:
        raise ValueError(
            "a queue's depth needs what arrives and what is worked off (such as NumberOfMessagesSent and NumberOfMessagesDeleted), and they were not read"
        )
    depth = relatives.values[0]
    known = depth[np.isfinite(depth)]
    return queue_depth(
        relatives.paths[:, arriving] * relatives.per_second(arriving),
        relatives.values[leaving] * relatives.per_second(leaving),
        waiting=float(known[-1]) if known.size else 0.0,
        step_s=relatives.step_s,
        factor=factor,
        consumers=asked.get("consumers", 1.0),
        source=relatives.metrics[leaving],
    )


def _timed_out(asked: dict[str, float], relatives: Relatives, factor: float) -> WhatIf:
    """A time-out in seconds: its share of failures from the latency percentiles, retries back into what is asked about."""
    quantiles: dict[float, float] = {}
    for row, name in enumerate(relatives.metrics):
        found = _PERCENTILE.search(name)
        known = relatives.values[row][np.isfinite(relatives.values[row])]
        if found and _LATENCY.fullmatch(name) and known.size:
            quantiles[float(found[1]) / 100] = float(np.median(known)) / (1000 if "milli" in relatives.units[row].lower() else 1)
    if len(quantiles) < 2:
        raise ValueError(
            "a time-out needs two percentiles of the latency of the same resource (such as Duration.p50 and Duration.p99)"
        )
    retries = asked.get("retries", 0.0)
    return time_out(
        relatives.paths[:, 0] * factor,
        quantiles,
        seconds=asked["timeout"],
        attempts=1 + round(retries),
        source="the same resource",
    )
