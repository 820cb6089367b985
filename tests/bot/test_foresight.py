from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from bot.evaluation.foresight import LazyForesight
from bot.evidence.check import settle
from bot.testing import evaluation_of
from context_graph.testing_production import START, MemoryProduction
from gonogo.context import ProductionContext, Window
from gonogo.evidence import ForecastEvidence, MetricEvidence
from gonogo.resource import AffectedResource
from gonogo.trajectory import Comparison, Impact, Link, Role, Status, Trajectory
from gonogo.verdict import Verdict
from gonogo.word import ResourceId

DEPLOYMENT = "kubernetes:prod/signup/deployment/signup"
MANIFEST = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: signup\n  namespace: signup\nspec:\n  replicas: {}\n"
T = np.arange(2016)


def cpu(*, low=20.0, high=58.0, growth=0.0, noise=1.2, cut=0):
    """A week of five-minute readings; the peak of each day grows by `growth`."""
    top = high + growth * T / 288
    values = low + (top - low) * (0.5 + 0.5 * np.sin(T / 288 * 2 * np.pi)) + np.random.default_rng(1).normal(size=T.size) * noise
    return [float(v) for v in np.maximum(values, 0)][: T.size - cut]


def a_production(values):
    production = MemoryProduction("github:acme/signup")
    production.resource(DEPLOYMENT, "kubernetes.deployment", "signup", is_deployed=True, namespace="signup", replicas=6)
    production.metric(DEPLOYMENT, "cpu_utilization", "Percent", values)
    return production


def said_of(values, *, copies=4):
    return evaluation_of(
        {"k8s/deployment.yaml": MANIFEST.format(6)}, {"k8s/deployment.yaml": MANIFEST.format(copies)}, a_production(values)
    )


def harm_of(evaluation):
    return next(link for link in evaluation.ledger[0].trajectory.links if link.role is Role.HARM)


def test_growth_to_a_limit_is_a_no_go_although_the_last_week_fitted():
    said = said_of(cpu(high=36, growth=4.4))

    assert said.verdict is Verdict.NO_GO
    harm = harm_of(said)
    assert "within 24 h (backtest: " in harm.claim
    assert "× seasonal naive on the last" in harm.claim
    assert {e.kind for e in harm.evidence} >= {"metric", "forecast"}
    assert harm.comparison is not None
    assert harm.comparison.observed >= 100


def test_a_peak_near_the_limit_that_comes_back_no_higher_is_refuted_by_the_forecast():
    said = said_of(cpu())

    assert said.ledger[0].status is Status.REFUTED
    assert "nine times in ten the coming peak stays below" in harm_of(said).claim


def test_a_peak_that_lies_days_back_and_is_not_foreseen_is_a_question():
    moved_away = [*cpu(high=80)[: 288 * 4], *cpu(high=36)]

    said = said_of(moved_away)

    assert said.verdict is Verdict.GO
    assert said.ledger[0].status is Status.PLAUSIBLE
    assert "lies days back" in harm_of(said).claim


def test_without_two_days_of_history_the_window_alone_counts():
    said = said_of(cpu()[:400])

    assert all(e.kind != "forecast" for e in harm_of(said).evidence)


def test_the_report_holds_the_forecast_with_its_backtest():
    report = said_of(cpu()).to_report()

    (forecast,) = report["forecasts"]
    assert forecast["resource"] == DEPLOYMENT
    assert forecast["horizon_s"] == 86400
    assert len(forecast["p10"]) == len(forecast["p50"]) == len(forecast["p90"]) == 144
    assert all(a <= b <= c for a, b, c in zip(forecast["p10"], forecast["p50"], forecast["p90"], strict=True))
    assert 0.6 <= forecast["backtest"]["coverage"] <= 0.95
    assert forecast["peak"]["p10"] <= forecast["peak"]["p50"] <= forecast["peak"]["p90"]


def test_a_change_that_asks_about_no_limit_makes_no_forecast():
    said = evaluation_of({"app.py": "x = 1\n"}, {"app.py": "x = 2\n"}, a_production(cpu()))

    assert said.forecasts == ()


def test_a_forecaster_that_fails_is_a_gap_and_the_window_stands():
    def broken():
        raise RuntimeError("no memory")

    production = a_production(cpu())
    affected = (AffectedResource(resource=ResourceId(DEPLOYMENT), kind="kubernetes.deployment", path=(), why="", is_named=True),)
    foresight = LazyForesight(ProductionContext(series=tuple(production.readings)), affected, broken)

    assert foresight.of(DEPLOYMENT, "cpu_utilization") is None
    assert foresight.gaps[0].why == "RuntimeError: no memory"


def test_related_series_are_forecast_in_the_same_call_sixteen_at_most():
    production = a_production(cpu())
    for number in range(20):
        production.metric(DEPLOYMENT, f"requests_{number}", "Count", [v + number for v in cpu(noise=2)])
    affected = (AffectedResource(resource=ResourceId(DEPLOYMENT), kind="kubernetes.deployment", path=(), why="", is_named=True),)
    foresight = LazyForesight(ProductionContext(series=tuple(production.readings)), affected)

    assert foresight.of(DEPLOYMENT, "cpu_utilization") is not None
    assert len(foresight.forecasts) == 16


def a_claim(*evidence):
    limit = Comparison(observed=101, operator=">=", limit=100)
    links = (Link(role=Role.HARM, claim="it is full", evidence=evidence, comparison=limit),)
    return Trajectory(
        title="t", impact=Impact.HIGH, resource=ResourceId(DEPLOYMENT), metric="cpu_utilization", links=links, make_safe=""
    )


@pytest.fixture(scope="module")
def recorded():
    production = a_production(cpu())
    affected = (AffectedResource(resource=ResourceId(DEPLOYMENT), kind="kubernetes.deployment", path=(), why="", is_named=True),)
    foresight = LazyForesight(ProductionContext(series=tuple(production.readings)), affected)
    forecast = foresight.of(DEPLOYMENT, "cpu_utilization")
    assert forecast is not None
    assert forecast.peak is not None
    values = [v for v in production.readings[0].values if v is not None]
    window = Window(start=START, end=START + timedelta(days=7))
    metric = MetricEvidence(
        resource=ResourceId(DEPLOYMENT), metric="cpu_utilization", statistic="max", window=window, value=max(values)
    )
    cited = ForecastEvidence(
        resource=ResourceId(DEPLOYMENT),
        metric="cpu_utilization",
        horizon_s=86400,
        quantile="p50",
        value=forecast.peak.p50,
        backtest_mase=forecast.backtest.mase,
    )
    return production, forecast, metric, cited


def status(recorded, *evidence):
    production, forecast, _, _ = recorded
    ledger, _ = settle([a_claim(*evidence)], {}, production, {DEPLOYMENT}, (forecast,))
    return ledger[0].status


def test_a_forecast_beside_production_evidence_carries_a_finding(recorded):
    assert status(recorded, recorded[2], recorded[3]) is Status.CONFIRMED


def test_a_forecast_alone_never_confirms(recorded):
    assert status(recorded, recorded[3]) is Status.PLAUSIBLE


@pytest.mark.parametrize(
    "changed", [{"value": 99.0}, {"backtest_mase": 0.01}, {"horizon_s": 3600}, {"quantile": "p90"}, {"metric": "memory"}]
)
def test_a_forecast_that_is_not_the_recorded_one_takes_the_finding_with_it(recorded, changed):
    assert status(recorded, recorded[2], recorded[3].model_copy(update=changed)) is Status.PLAUSIBLE


def test_the_instant_of_the_first_step_is_recorded(recorded):
    assert recorded[1].start == datetime(2026, 5, 11, tzinfo=UTC)


TAX = "kubernetes:prod/shop/deployment/tax"
CLIENT = (
    "import os\nimport requests\n\ndef quote(order):\n    return requests.post(os.environ['TAX_URL'], json=order, timeout={})\n"
)


def said_of_time_out(*, growth, to=3):
    production = MemoryProduction("github:acme/shop")
    shop = production.resource("kubernetes:prod/shop/deployment/shop", "kubernetes.deployment", "shop", is_deployed=True)
    production.resource(TAX, "kubernetes.deployment", "tax")
    production.edge(shop, TAX, "connects_to")
    p99 = [v / 20 for v in cpu(low=12, high=36, growth=growth, noise=0.6)]
    production.metric(shop, 'http_client_request_duration_seconds{quantile="0.99",target="tax"}', "Seconds", p99)
    production.metric(shop, "http_requests_per_second", "1/s", [20.0] * T.size)
    return evaluation_of({"shop/tax.py": CLIENT.format(8)}, {"shop/tax.py": CLIENT.format(to)}, production)


def test_calls_that_grow_slower_every_day_reach_a_shorter_time_out_tomorrow():
    said = said_of_time_out(growth=3.4)

    (entry,) = [e for e in said.ledger if e.trajectory.playbook == "time-out"]
    assert entry.status is Status.CONFIRMED
    harm = next(link for link in entry.trajectory.links if link.role is Role.HARM)
    assert "within 24 h (backtest: " in harm.claim
    assert {e.kind for e in harm.evidence} >= {"metric", "forecast"}


def test_calls_that_are_as_slow_as_ever_fit_into_a_shorter_time_out():
    said = said_of_time_out(growth=0)

    assert [e.status for e in said.ledger if e.trajectory.playbook == "time-out"] == [Status.REFUTED]
