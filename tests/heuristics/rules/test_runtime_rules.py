"""Rules about capacity, roll-outs, caches and schedules: what is found, and what is most like it and harmless."""

import pytest

from bot.testing import evaluation_of

POD = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: app, namespace: x}}
spec:
  replicas: {replicas}
  strategy: {{type: {strategy}}}
  template:
    spec:
      terminationGracePeriodSeconds: {grace}
      containers:
        - name: app
          image: app:1
          resources: {{limits: {{cpu: {cpu}}}}}
          livenessProbe: {{httpGet: {{path: {path}, port: 80}}, initialDelaySeconds: {delay}}}
{ready}"""
PLAIN = {"replicas": 9, "strategy": "RollingUpdate", "grace": 60, "cpu": '"2"', "path": "/healthz", "delay": 100, "ready": "          readinessProbe: {periodSeconds: 5}\n"}  # fmt: skip
HPA = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: app, namespace: x}}\nspec: {{scaleTargetRef: {{kind: Deployment, name: app}}, minReplicas: {}, maxReplicas: {}}}\n"
RDS = 'resource "aws_db_instance" "x" {{\n  identifier     = "x"\n  instance_class = "{}"\n  iops           = {}\n}}\n'
REDIS = 'resource "aws_elasticache_parameter_group" "x" {{\n  name = "x"\n  parameter {{\n    name  = "maxmemory-policy"\n    value = "{}"\n  }}\n}}\n'
CRON = 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {{name: {}, namespace: x}}\nspec: {{schedule: "{}", suspend: {}}}\n'
CACHE = "import redis\n\nCACHE_TTL_SECONDS = {}\nr = redis.Redis()\n"
KEYED = 'VERSION = "{}"\n\n\ndef get(r, key):\n    return cache.get(f"{{VERSION}}:{{key}}")\n'
HEADER = 'def page(response):\n    response.headers["Cache-Control"] = "{}"\n'
ROUTE = {"app.py": '@app.get("/healthz")\ndef healthz():\n    return {}\n'}


def pod(**changed):
    return {"k8s.yaml": POD.format(**{**PLAIN, **changed})}


def spread(part):
    return {"app/job.py": f"import random\nimport time\n\n\ndef run():\n    time.sleep(60{part})\n"}


def crons(a, b, suspend="false"):
    return {"a.yaml": CRON.format("a", a, suspend), "b.yaml": CRON.format("b", b, "false")}


CASES = {
    "capacity/replicas-lowered": (pod(), pod(replicas=3), pod(replicas=12)),
    "capacity/autoscaling-lowered": ({"h.yaml": HPA.format(2, 24)}, {"h.yaml": HPA.format(2, 8)}, {"h.yaml": HPA.format(3, 30)}),
    "capacity/cpu-limit-lowered": (pod(), pod(cpu="300m"), pod(cpu='"4"')),
    "capacity/instance-downsized": (
        {"d.tf": RDS.format("db.r6g.2xlarge", 3000)},
        {"d.tf": RDS.format("db.r6g.large", 3000)},
        {"d.tf": RDS.format("db.r7g.2xlarge", 3000)},
    ),
    "capacity/limit-lowered": (
        {"d.tf": RDS.format("db.r6g.large", 6000)},
        {"d.tf": RDS.format("db.r6g.large", 3000)},
        {"d.tf": RDS.format("db.r6g.large", 9000)},
    ),
    "capacity/eviction-disabled": (
        {"r.tf": REDIS.format("allkeys-lru")},
        {"r.tf": REDIS.format("noeviction")},
        {"r.tf": REDIS.format("allkeys-lfu")},
    ),
    "rollout/probe-tightened": (pod(), pod(delay=5), pod(delay=200)),
    "rollout/probe-path-missing": ({**ROUTE, **pod()}, pod(path="/alive"), pod(path="/actuator/health")),
    "rollout/readiness-removed": (pod(), pod(ready=""), pod(ready="          readinessProbe: {periodSeconds: 9}\n")),
    "rollout/all-at-once": (pod(), pod(strategy="Recreate"), pod(replicas=12)),
    "rollout/grace-shortened": (pod(), pod(grace=5), pod(grace=90)),
    "cache/life-shortened": ({"c.py": CACHE.format(300)}, {"c.py": CACHE.format(5)}, {"c.py": CACHE.format(900)}),
    "cache/switched-off": (
        {"c.py": HEADER.format("public, max-age=60")},
        {"c.py": HEADER.format("no-store")},
        {"c.py": HEADER.format("public, max-age=90")},
    ),
    "cache/key-changed": (
        {"c.py": KEYED.format("v3")},
        {"c.py": KEYED.format("v4")},
        {"c.py": KEYED.format("v3") + "\n\nx = 1\n"},
    ),
    "schedule/more-frequent": (
        crons("0 * * * *", "30 1 * * *"),
        crons("*/5 * * * *", "30 1 * * *"),
        crons("0 */2 * * *", "30 1 * * *"),
    ),
    "schedule/same-minute": (
        crons("0 1 * * *", "30 4 * * *"),
        crons("0 2 * * *", "0 2 * * *"),
        crons("0 2 * * *", "30 4 * * *"),
    ),
    "schedule/switched-off": (
        crons("0 1 * * *", "0 2 * * *"),
        crons("0 1 * * *", "0 2 * * *", "true"),
        crons("0 3 * * *", "0 2 * * *"),
    ),
    "schedule/spread-removed": (spread(" + random.random()"), spread(""), spread(" + 2 * random.random()")),
}


def found(rule, base, head):
    evaluation = evaluation_of(base, head)
    assert evaluation.failures == ()
    return [f for f in evaluation.findings if f.rule == rule]


@pytest.mark.parametrize("rule", CASES)
def test_the_hazard_is_found_at_a_line(rule):
    base, head, _ = CASES[rule]

    assert [f.line > 0 and bool(f.safe_alternative) for f in found(rule, base, head)][:1] == [True]


@pytest.mark.parametrize("rule", CASES)
def test_what_is_most_like_it_and_harmless_is_not(rule):
    base, _, harmless = CASES[rule]

    assert found(rule, base, harmless) == []
