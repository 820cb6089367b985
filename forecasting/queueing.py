"""Arithmetic of queues and retries that what-if laws are made of. Pure numbers, checked against tables and simulations."""

from itertools import pairwise

import numpy as np

from forecasting.quantiles import Floats


def erlang_c(servers: int, offered: float) -> float:
    """The probability that an arrival waits in M/M/c; `offered` is arrivals × mean service time, below `servers`.

    By the recursion of Erlang B, which does not overflow (Cooper, Introduction to Queueing Theory, 1981).
    """
    blocking = 1.0
    for count in range(1, servers + 1):
        blocking = offered * blocking / (count + offered * blocking)
    busy = offered / servers
    return blocking / (1 - busy * (1 - blocking))


def response_factor(utilisation: float, changed: float, servers: int = 1) -> float:
    """Mean response time at the changed utilisation over that at the present one, in M/M/c; both below 1.

    With one server (1 − U) / (1 − U').
    """
    return _response(changed, servers) / _response(utilisation, servers)


def _response(utilisation: float, servers: int) -> float:
    """In units of the mean service time."""
    return 1 + erlang_c(servers, utilisation * servers) / (servers * (1 - utilisation))


def backlog(arrivals: Floats, served_per_s: float, *, waiting: float, step_s: float) -> Floats:
    """`arrivals` `[..., time]` a second → what waits after each step: q ← max(0, q + (λ − μ) · step)."""
    queue = np.full(arrivals.shape[:-1], float(waiting))
    depths = np.empty_like(arrivals)
    for at in range(arrivals.shape[-1]):
        queue = np.maximum(0.0, queue + (arrivals[..., at] - served_per_s) * step_s)
        depths[..., at] = queue
    return depths


def share_beyond(time_out_s: float, quantiles: dict[float, float]) -> float:
    """The share of calls that take longer, from latency quantiles (`{0.5: 0.12, 0.99: 0.9}`, seconds, at least the median).

    Between two quantiles the logarithm of the share left is linear in the time; beyond the last it falls at the rate that
    the last two give; below the lowest the share runs to 1 at 0 seconds.
    """
    points = [(0.0, 0.0), *((seconds, float(-np.log(1 - level))) for level, seconds in sorted(quantiles.items()))]
    for (low_s, low), (high_s, high) in pairwise(points):
        if time_out_s <= high_s:
            part = (time_out_s - low_s) / (high_s - low_s) if high_s > low_s else 1.0
            return float(np.exp(-(low + part * (high - low))))
    (low_s, low), (high_s, high) = points[-2:]
    rate = (high - low) / (high_s - low_s) if high_s > low_s else np.inf
    return float(np.exp(-(high + rate * (time_out_s - high_s))))


def amplification(failing: float, retried: float, attempts: int | None = None) -> float:
    """Calls in the steady state for each that is asked for: 1 / (1 − p · r), `retried` the share of failures that comes again.

    With at most `attempts` tries, (1 − (p·r)ⁿ) / (1 − p·r). Infinite when everything that fails comes again for ever.
    """
    again = failing * retried
    if attempts is not None:
        return float(attempts) if again >= 1 else (1 - again**attempts) / (1 - again)
    return np.inf if again >= 1 else 1 / (1 - again)
