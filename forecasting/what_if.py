"""What would be if: named laws on sample paths, never a learned correlation.

Traffic explains latency with R² below 0.15 in most real fits, often with the wrong sign, so nothing here is fitted across
series: each answer shows its law, its parameters with their sources, and how much of history ever reached that regime.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from forecasting.quantiles import Floats
from forecasting.queueing import amplification, backlog, response_factor, share_beyond

_STORM = 100.0
"""Amplification from which on nothing is steady any more."""
EXTRAPOLATED_BELOW = 0.01
"""Share of history in a regime below which it is called extrapolated."""


@dataclass(frozen=True)
class Parameter:
    """A number that a law uses, and where it is from."""

    name: str
    value: float
    unit: str
    source: str


@dataclass(frozen=True)
class WhatIf:
    """Changed paths `[path, horizon]`, or a refusal: the law has no answer there.

    `support` is the share of history in that regime; None when there is no history of it.
    """

    law: str
    parameters: tuple[Parameter, ...]
    paths: Floats | None
    support: float | None
    refusal: str | None = None

    @property
    def is_extrapolated(self) -> bool:
        """Whether less than 1 % of history reached that regime."""
        return self.support is None or self.support < EXTRAPOLATED_BELOW


def traffic(paths: Floats, history: Floats, factor: float) -> WhatIf:
    """What is proportional to traffic by definition (arrivals, requests, bytes) grows with it."""
    return WhatIf(f"traffic × {factor:g}", (_factor(factor),), paths * factor, _support(history, factor * _middle(paths)))


def utilisation(paths: Floats, history: Floats, factor: float, *, full: float) -> WhatIf:
    """A utilisation grows in proportion until it is `full` (1 or 100); from there on there is no steady state and no answer."""
    changed = paths * factor
    law = f"traffic × {factor:g}: utilisation U' = {factor:g} · U"
    parameters = (_factor(factor), Parameter("full", full, "", "by definition"))
    support = _support(history, factor * _middle(paths))
    share = float((changed >= full).any(axis=1).mean())
    if share > 0.5:
        return WhatIf(
            law,
            parameters,
            None,
            support,
            f"saturates: utilisation reaches 1 on {share:.0%} of the paths, where queues grow without end",
        )
    return WhatIf(law, parameters, np.minimum(changed, full), support)


def latency(paths: Floats, utilisation_now: Floats, factor: float, *, servers: int, source: str) -> WhatIf:
    """Response time of M/M/c when its utilisation (`[time]`, 0 to 1, of history) grows by the factor; refused at 1."""
    busy = float(np.nanquantile(utilisation_now, 0.95))
    law = f"traffic × {factor:g}: response time of M/M/{servers}"
    parameters = (
        _factor(factor),
        Parameter("utilisation", busy, "", f"p95 of {source}"),
        Parameter("servers", servers, "", source),
    )
    support = _support(utilisation_now, busy * factor)
    if busy * factor >= 1:
        return WhatIf(
            law,
            parameters,
            None,
            support,
            f"saturates: utilisation would be {busy * factor:.2f}, and no queue is stable at 1 or above",
        )
    return WhatIf(law, parameters, paths * response_factor(busy, busy * factor, servers), support)


def queue_depth(
    arrivals: Floats,
    throughput: Floats,
    *,
    waiting: float,
    step_s: float,
    factor: float = 1.0,
    consumers: float = 1.0,
    source: str,
) -> WhatIf:
    """The queue recursion with the observed service rate: the 95th percentile of what was worked off, `[time]` a second.

    `arrivals` `[path, horizon]` a second times `factor`; the service rate times `consumers` (new over old).
    """
    served = float(np.nanquantile(throughput, 0.95))
    changed = arrivals * factor
    law = "queue: q ← max(0, q + (λ − μ) · step)"
    parameters = (
        _factor(factor),
        Parameter("consumers", consumers, "× before", "asked"),
        Parameter(
            "service rate", served * consumers, "1/s", f"p95 of {source}" + ("" if consumers == 1 else f" × {consumers:g}")
        ),
        Parameter("waiting now", waiting, "messages", "last reading"),
    )
    paths = backlog(changed, served * consumers, waiting=waiting, step_s=step_s)
    return WhatIf(law, parameters, paths, _support(throughput, float(np.median(changed.mean(axis=1)))))


def time_out(
    arrivals: Floats,
    quantiles: Mapping[float, float],
    *,
    seconds: float,
    retried: float = 1.0,
    attempts: int | None = None,
    source: str,
) -> WhatIf:
    """A time-out that is cut: the share of calls beyond it fails, and what is retried comes back into the arrivals."""
    failing = share_beyond(seconds, dict(quantiles))
    grown = amplification(failing, retried, attempts)
    law = (
        "time-out: p = P(latency > time-out), arrivals × 1 / (1 − p·r)"
        if attempts is None
        else "time-out: p = P(latency > time-out), arrivals × (1 − (p·r)ⁿ) / (1 − p·r)"
    )
    parameters = (
        Parameter("time-out", seconds, "s", "asked"),
        Parameter("share beyond it", failing, "", f"latency quantiles of {source}"),
        Parameter("retried", retried, "of failures", "asked"),
        *((Parameter("attempts", attempts, "", "asked"),) if attempts is not None else ()),
        Parameter("amplification", grown, "×", "the law"),
    )
    if grown > _STORM:
        return WhatIf(
            law, parameters, None, None, f"retry storm: {failing * retried:.1%} of the calls come again, so the load has no limit"
        )
    return replace(
        traffic(arrivals, arrivals[:0].ravel(), grown), law=law, parameters=parameters, support=1.0 if failing > 0.01 else None
    )


def concurrency(in_flight: Floats, history: Floats, *, limit: float, source: str) -> WhatIf:
    """Little's law: what is in flight is arrivals × time; above a lower limit it can't be, so it waits or is refused."""
    share = float((in_flight >= limit).any(axis=1).mean())
    parameters = (Parameter("limit", limit, "at the same time", source),)
    law = "concurrency: L = λ · W held against the limit"
    support = _support(history, limit)
    if share > 0.5:
        return WhatIf(
            law, parameters, None, support, f"saturates: {share:.0%} of the paths need {limit:g} or more at the same time"
        )
    return WhatIf(law, parameters, np.minimum(in_flight, limit), support)


def batch_rate(*, batch: float, overhead_s: float, per_message_s: float, consumers: float) -> float:
    """Messages a second: consumers × batch ÷ (overhead + batch × time of one); the service rate for `queue_depth`."""
    return consumers * batch / (overhead_s + batch * per_message_s)


def parse_what_if(text: str) -> dict[str, float]:
    """`traffic=1.5` or `traffic=1.5,consumers=0.5` → numbers by name; raises ValueError with one line."""
    found: dict[str, float] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if name not in NAMES or not equals:
            raise ValueError(f"'{part.strip()}' is no what-if; write {', '.join(f'{n}=NUMBER' for n in NAMES)}")
        try:
            number = float(value)
        except ValueError:
            raise ValueError(f"'{value}' is not a number in --what-if {name}=…") from None
        if not (np.isfinite(number) and number > 0):
            raise ValueError(f"{name}={value}: a number above 0 is wanted")
        found[name] = number
    return found


NAMES = ("traffic", "consumers", "concurrency", "timeout", "retries")


def _factor(factor: float) -> Parameter:
    return Parameter("traffic", factor, "× forecast", "asked")


def _middle(paths: Floats) -> float:
    return float(np.median(paths.max(axis=1))) if paths.size else 0.0


def _support(history: Floats, level: float) -> float | None:
    known = history[np.isfinite(history)]
    return float((known >= level).mean()) if known.size else None


def described(answer: WhatIf) -> Sequence[str]:
    """One line for the law and one for each parameter, then the support."""
    lines = [answer.law]
    lines += [f"  {p.name} = {p.value:,.4g} {p.unit}".rstrip() + f" ({p.source})" for p in answer.parameters]
    if answer.support is None:
        lines.append("  history never showed that regime: extrapolated")
    else:
        note = ": extrapolated" if answer.is_extrapolated else ""
        lines.append(f"  {answer.support:.1%} of history reached that regime{note}")
    return lines
