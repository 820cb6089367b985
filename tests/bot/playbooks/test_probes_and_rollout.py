"""Probes and the exchange of copies: confirmed, refuted, open and silent."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(base, head, production=None):
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "probes-and-rollout"]


DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: ledger, namespace: pay}}
spec:
  replicas: 8
  strategy:
    type: {strategy}
{rolling}  selector: {{matchLabels: {{app: ledger}}}}
  template:
    metadata: {{labels: {{app: ledger}}}}
    spec:
      terminationGracePeriodSeconds: {grace}
      containers:
        - name: ledger
          image: ledger:1
{probes}"""
LIVENESS = """          livenessProbe:
            httpGet: {{path: {path}, port: 8080}}
            initialDelaySeconds: {delay}
            periodSeconds: 10
            timeoutSeconds: {timeout}
            failureThreshold: 3
"""
STARTUP = """          startupProbe:
            httpGet: {path: /live, port: 8080}
            periodSeconds: 10
            failureThreshold: 30
"""
READINESS = "          readinessProbe:\n            httpGet: {path: /ready, port: 8080}\n"


def pods(*, strategy="RollingUpdate", unavailable=None, grace=900, delay=150, timeout=5, path="/live", more="", ready=READINESS):
    rolling = f"    rollingUpdate: {{maxUnavailable: {unavailable}}}\n" if unavailable is not None else ""
    probes = more + LIVENESS.format(delay=delay, timeout=timeout, path=path) + ready
    return {"deploy.yaml": DEPLOYMENT.format(strategy=strategy, rolling=rolling, grace=grace, probes=probes)}


def running(*, starts=(), rate=None, cpu=None, jobs=(), latency=None, labelled=None):
    production = MemoryProduction()
    ledger = production.resource(
        "kubernetes:prod/pay/deployment/ledger", "kubernetes.deployment", "ledger", is_deployed=True, replicas=8
    )
    production.log(ledger, *(f"Started LedgerApplication in {s} seconds (process running for {s})" for s in starts))
    production.log(ledger, *(f"encoded job=855606 seconds={s}" for s in jobs))
    if rate is not None:
        production.metric(ledger, "http_requests_per_second", "Count/Second", rate)
    if cpu is not None:
        production.metric(ledger, "cpu_utilization", "Percent", cpu)
    if latency is not None:
        production.metric(ledger, "http_request_duration_seconds.p99", "Seconds", latency)
    if labelled is not None:
        production.metric(ledger, "http_request_duration_seconds.p50{route=/live}", "Seconds", labelled)
    return production


SLOW, QUICK, BETWEEN = (66.0, 78.5, 92.0), (4.0, 6.5, 8.0), (20.0, 40.0, 60.0)


@pytest.mark.parametrize(
    ("base", "head", "production", "status"),
    [
        (pods(), pods(delay=15), running(starts=SLOW), "confirmed"),
        (pods(), pods(delay=15), running(starts=QUICK), "refuted"),
        (pods(), pods(delay=15), running(starts=BETWEEN), "plausible"),
        (pods(), pods(delay=15), running(), "plausible"),
        (pods(more=STARTUP), pods(delay=15, more=STARTUP), running(starts=SLOW), "refuted"),
        (pods(delay=15, more=STARTUP), pods(delay=15), running(starts=SLOW), "confirmed"),
        (pods(), pods(timeout=1), running(labelled=1.8), "confirmed"),
        (pods(), pods(timeout=1), running(latency=0.05), "refuted"),
        (pods(), pods(timeout=1), running(latency=3.0), "plausible"),
        (pods(), pods(strategy="Recreate"), running(starts=SLOW, rate=300.0), "confirmed"),
        (pods(), pods(strategy="Recreate"), running(starts=QUICK, rate=0.01), "refuted"),
        (pods(), pods(strategy="Recreate"), running(), "plausible"),
        (pods(unavailable=1), pods(unavailable="75%"), running(cpu=40.0), "confirmed"),
        (pods(unavailable=1), pods(unavailable="50%"), running(cpu=20.0), "refuted"),
        (pods(unavailable=1), pods(unavailable="50%"), running(), "plausible"),
        (pods(), pods(grace=30), running(jobs=(232, 310, 555)), "confirmed"),
        (pods(), pods(grace=30), running(jobs=(2, 3, 9)), "refuted"),
        (pods(), pods(grace=30), running(latency=0.3), "refuted"),
        (pods(), pods(grace=30), running(), "plausible"),
        (pods(), pods(ready=""), running(starts=SLOW, rate=40.0), "confirmed"),
        (pods(), pods(ready=""), running(starts=QUICK, rate=0.001), "refuted"),
    ],
)
def test_probes_and_rollouts_are_held_against_production(base, head, production, status):
    assert told(base, head, production) == [status]


ROUTES = {"app.py": 'from fastapi import FastAPI\napp = FastAPI()\n\n@app.get("/healthz")\ndef healthz():\n    return {}\n'}


def test_a_probe_that_asks_for_a_path_that_no_code_answers_is_stopped():
    assert told({**ROUTES, **pods(path="/healthz")}, pods(path="/alive"), running(rate=20.0)) == ["confirmed"]


def test_a_probe_path_that_the_code_answers_is_not_spoken_of():
    both = {"app.py": ROUTES["app.py"] + '\n@app.get("/alive")\ndef alive():\n    return {}\n'}

    assert told({**both, **pods(path="/healthz")}, pods(path="/alive"), running(rate=20.0)) == []


def test_a_framework_s_own_path_is_not_spoken_of():
    assert told({**ROUTES, **pods(path="/healthz")}, pods(path="/actuator/health"), running(rate=20.0)) == []


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (pods(delay=15), pods(delay=150)),
        (pods(strategy="Recreate"), pods()),
        (pods(grace=30), pods(grace=900)),
        (pods(ready=""), pods()),
        (pods(), pods(more=STARTUP)),
        (pods(unavailable="50%"), pods(unavailable=1)),
    ],
)
def test_more_patience_is_not_spoken_of(base, head):
    assert told(base, head, running(starts=SLOW, rate=100.0)) == []


ECS = """resource "aws_ecs_service" "ledger" {{
  name                               = "ledger"
  desired_count                      = 4
  deployment_minimum_healthy_percent = {least}
  deployment_maximum_percent         = 100
  health_check_grace_period_seconds  = {grace}
}}
"""


@pytest.mark.parametrize(("rate", "status"), [(80.0, "confirmed"), (0.01, "refuted")])
def test_a_service_whose_tasks_may_all_stop_is_down_in_each_rollout(rate, status):
    production = MemoryProduction()
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/x/ledger", "aws.ecs.service", "ledger", is_deployed=True)
    production.metric(service, "RequestCountPerSecond", "Count/Second", rate)

    assert told({"s.tf": ECS.format(least=50, grace=60)}, {"s.tf": ECS.format(least=0, grace=60)}, production) == [status]


TARGETS = 'resource "aws_lb_target_group" "x" {{\n  name                 = "x"\n  deregistration_delay = {}\n}}\n'


@pytest.mark.parametrize(("p99", "status"), [(40.0, "confirmed"), (0.2, "refuted")])
def test_connections_are_cut_off_when_a_target_leaves_sooner_than_requests_end(p99, status):
    production = MemoryProduction()
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/x/x", "aws.ecs.service", "x", is_deployed=True)
    production.metric(service, "TargetResponseTime.p99", "Seconds", p99)

    assert told({"lb.tf": TARGETS.format(300)}, {"lb.tf": TARGETS.format(10)}, production) == [status]
