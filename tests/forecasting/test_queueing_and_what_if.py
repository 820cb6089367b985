import heapq
import math

import numpy as np
import pytest

from forecasting.queueing import amplification, backlog, erlang_c, response_factor, share_beyond
from forecasting.what_if import parse_what_if, queue_depth, time_out, traffic, utilisation


@pytest.mark.parametrize(
    ("servers", "offered", "waits"),
    [(1, 0.5, 0.5), (1, 0.9, 0.9), (2, 1.0, 1 / 3), (2, 1.8, 0.8526), (5, 4.0, 0.5541), (10, 8.0, 0.4092), (100, 80.0, 0.0196)],
)
def test_erlang_c_equals_the_table(servers, offered, waits):
    assert erlang_c(servers, offered) == pytest.approx(waits, abs=6e-4)


def test_with_one_server_the_response_time_grows_as_one_minus_utilisation():
    assert response_factor(0.5, 0.8) == pytest.approx((1 - 0.5) / (1 - 0.8))


def simulated_response(servers, utilisation, *, calls=120_000, seed=1):
    """Mean response time of M/M/c with a mean service time of 1, event by event."""
    draw = np.random.default_rng(seed)
    arrivals = np.cumsum(draw.exponential(1 / (utilisation * servers), calls))
    services = draw.exponential(1.0, calls)
    free = [0.0] * servers
    spent = 0.0
    for arrived, service in zip(arrivals, services, strict=True):
        start = max(arrived, heapq.heappop(free))
        heapq.heappush(free, start + service)
        spent += start + service - arrived
    return spent / calls


@pytest.mark.parametrize(("servers", "now", "then"), [(1, 0.4, 0.6), (4, 0.5, 0.75), (8, 0.6, 0.8)])
def test_the_law_of_response_times_equals_a_simulated_queue(servers, now, then):
    measured = simulated_response(servers, then) / simulated_response(servers, now, seed=2)

    assert response_factor(now, then, servers) == pytest.approx(measured, rel=0.06)


def simulated_retry_storm(asked, failing, retried, *, rounds=4000, seed=3):
    """Calls a round in the steady state when each failure comes again in the next round with that probability."""
    draw = np.random.default_rng(seed)
    again, total = 0, 0
    for _ in range(rounds):
        calls = asked + again
        again = draw.binomial(calls, failing * retried)
        total += calls
    return total / rounds


@pytest.mark.parametrize(("failing", "retried"), [(0.2, 1.0), (0.5, 1.0), (0.8, 0.75)])
def test_retries_amplify_as_a_simulated_storm_does(failing, retried):
    assert amplification(failing, retried) == pytest.approx(simulated_retry_storm(500, failing, retried) / 500, rel=0.02)


def test_a_storm_in_which_everything_fails_and_comes_again_has_no_end():
    assert amplification(1.0, 1.0) == math.inf
    assert time_out(np.ones((2, 3)), {0.5: 1.0, 0.99: 2.0}, seconds=1e-9, source="x").paths is None


def test_limited_attempts_bound_the_storm():
    draw = np.random.default_rng(4)
    tries = [next(n for n in range(1, 5) if n == 4 or draw.random() >= 0.7) for _ in range(60_000)]

    assert amplification(0.7, 1.0, 4) == pytest.approx(np.mean(tries), rel=0.02)
    assert amplification(1.0, 1.0, 4) == 4


def test_the_share_beyond_a_time_out_is_exact_for_exponential_latency():
    quantiles = {level: -math.log(1 - level) * 0.2 for level in (0.5, 0.9, 0.99)}

    for seconds in (0.05, 0.2, 0.5, 2.0):
        assert share_beyond(seconds, quantiles) == pytest.approx(math.exp(-seconds / 0.2), rel=1e-6)


def test_a_queue_grows_by_what_is_not_worked_off_and_drains_to_nothing():
    arrivals = np.array([10.0, 10, 10, 0, 0, 0])

    assert backlog(arrivals, 6.0, waiting=0, step_s=60).tolist() == [240, 480, 720, 360, 0, 0]


def test_the_recursion_equals_a_simulated_overloaded_queue():
    draw = np.random.default_rng(5)
    rate, served, seconds = 12.0, 10.0, 3600
    came = np.cumsum(draw.exponential(1 / rate, int(rate * seconds * 1.2)))
    came = came[came < seconds]
    done = 0.0
    left = 0
    for at, service in zip(came, draw.exponential(1 / served, came.size), strict=True):
        done = max(done, at) + service
        left += done > seconds

    answer = queue_depth(np.full((1, 60), rate), np.full(500, served), waiting=0, step_s=60, source="deleted")

    assert answer.paths is not None
    assert answer.paths[0, -1] == pytest.approx(left, rel=0.08)


def test_utilisation_refuses_at_one():
    answer = utilisation(np.full((10, 4), 70.0), np.full(100, 70.0), 1.5, full=100)

    assert answer.paths is None
    assert answer.refusal is not None
    assert "saturates" in answer.refusal


def test_a_what_if_says_how_much_of_history_was_there():
    history = np.concatenate([np.full(95, 10.0), np.full(5, 40.0)])

    assert traffic(np.full((4, 4), 10.0), history, 2.0).support == pytest.approx(0.05)
    assert traffic(np.full((4, 4), 10.0), history, 9.0).is_extrapolated


@pytest.mark.parametrize("text", ["trafic=2", "traffic", "traffic=no", "traffic=-1", "traffic=inf", ""])
def test_a_what_if_that_cannot_be_read_is_one_line(text):
    with pytest.raises(ValueError, match=r"what-if|number"):
        parse_what_if(text)
