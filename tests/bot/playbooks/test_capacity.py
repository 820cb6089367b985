"""Less capacity against what is used at the peak: confirmed, refuted, open and silent."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(base, head, production=None):
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "capacity"]


DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: search, namespace: web}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: search}}}}
  template:
    metadata: {{labels: {{app: search}}}}
    spec:
      containers:
        - name: search
          image: search:1
          resources:
            limits:
              cpu: {cpu}
"""
HPA = """apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: search, namespace: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: search}}
  minReplicas: 2
  maxReplicas: {most}
  metrics:
    - type: Resource
      resource: {{name: cpu, target: {{type: Utilization, averageUtilization: 65}}}}
"""
ECS = 'resource "aws_ecs_service" "search" {{\n  name          = "search"\n  cluster       = "web"\n  desired_count = {}\n}}\n'
RDS = 'resource "aws_db_instance" "orders" {{\n  identifier     = "orders-pg"\n  engine         = "postgres"\n  instance_class = "{}"\n}}\n'
REDIS = """resource "aws_elasticache_parameter_group" "cart" {{
  name   = "cart"
  family = "redis7"
  parameter {{
    name  = "maxmemory-policy"
    value = "{}"
  }}
}}
resource "aws_elasticache_replication_group" "cart" {{
  replication_group_id = "cart"
  parameter_group_name = aws_elasticache_parameter_group.cart.name
}}
"""


def a_pod(*, cpu=None, cores=None, replicas=8, rate=None):
    production = MemoryProduction()
    pod = production.resource(
        "kubernetes:prod/web/deployment/search", "kubernetes.deployment", "search", is_deployed=True, replicas=replicas
    )
    if cpu is not None:
        production.metric(pod, "cpu_utilization", "Percent", cpu)
    if cores is not None:
        production.metric(pod, "container_cpu_usage_cores", "Cores", cores)
    if rate is not None:
        production.metric(pod, "http_requests_per_second", "Count/Second", rate)
    return production


def a_scaled_pod(copies, cpu):
    production = a_pod(cpu=cpu)
    scaler = production.resource(
        "kubernetes:prod/web/horizontalpodautoscaler/search", "kubernetes.horizontalpodautoscaler", "search"
    )
    production.edge(scaler, "kubernetes:prod/web/deployment/search", "routes_to")
    production.metric(scaler, "kube_horizontalpodautoscaler_status_current_replicas", "Count", copies)
    return production


def a_service(cpu):
    production = MemoryProduction()
    service = production.resource(
        "arn:aws:ecs:eu-west-1:1:service/web/search", "aws.ecs.service", "search", is_deployed=True, desired_count=9
    )
    production.metric(service, "CPUUtilization", "Percent", cpu)
    return production


def a_server(cpu, connections=20.0):
    production = MemoryProduction()
    server = production.resource(
        "arn:aws:rds:eu-west-1:1:db:orders-pg", "aws.rds.instance", "orders-pg", is_deployed=True, engine="postgres"
    )
    production.metric(server, "CPUUtilization", "Percent", cpu)
    production.metric(server, "DatabaseConnections", "Count", connections)
    return production


def a_cache(full, evicted):
    production = MemoryProduction()
    cache = production.resource(
        "arn:aws:elasticache:eu-west-1:1:replicationgroup:cart", "aws.elasticache.cluster", "cart", is_deployed=True
    )
    production.metric(cache, "DatabaseMemoryUsagePercentage", "Percent", full)
    production.metric(cache, "Evictions", "Count", evicted)
    return production


def pod(replicas=8, cpu='"2"'):
    return {"k8s/search.yaml": DEPLOYMENT.format(replicas=replicas, cpu=cpu)}


@pytest.mark.parametrize(
    ("base", "head", "production", "status"),
    [
        (pod(8), pod(3), a_pod(cpu=50.0), "confirmed"),
        (pod(8), pod(3), a_pod(cpu=20.0), "refuted"),
        (pod(8), pod(3), a_pod(cpu=34.0), "plausible"),
        (pod(8), pod(3), a_pod(), "plausible"),
        (pod(8), pod(3), a_pod(cpu=90.0, replicas=3), "refuted"),
        (pod(8), pod(0), a_pod(rate=12.0), "confirmed"),
        (pod(8), pod(0), a_pod(rate=0.0), "refuted"),
        ({"s.tf": ECS.format(9)}, {"s.tf": ECS.format(3)}, a_service(60.0), "confirmed"),
        ({"s.tf": ECS.format(9)}, {"s.tf": ECS.format(3)}, a_service(5.0), "refuted"),
        ({**pod(), "hpa.yaml": HPA.format(most=24)}, {"hpa.yaml": HPA.format(most=8)}, a_scaled_pod(19.0, 70.0), "confirmed"),
        ({**pod(), "hpa.yaml": HPA.format(most=24)}, {"hpa.yaml": HPA.format(most=8)}, a_scaled_pod(3.0, 60.0), "refuted"),
        ({**pod(), "hpa.yaml": HPA.format(most=24)}, {"hpa.yaml": HPA.format(most=8)}, a_pod(), "plausible"),
        ({**pod(8), "hpa.yaml": HPA.format(most=24)}, pod(3), a_scaled_pod(8.0, 70.0), "refuted"),
        (pod(cpu='"2"'), pod(cpu="300m"), a_pod(cores=0.7), "confirmed"),
        (pod(cpu='"2"'), pod(cpu="300m"), a_pod(cores=0.05), "refuted"),
        (pod(cpu='"2"'), pod(cpu="300m"), a_pod(rate=40.0), "plausible"),
        ({"d.tf": RDS.format("db.r6g.2xlarge")}, {"d.tf": RDS.format("db.r6g.large")}, a_server(55.0), "confirmed"),
        ({"d.tf": RDS.format("db.r6g.2xlarge")}, {"d.tf": RDS.format("db.r6g.large")}, a_server(8.0), "refuted"),
        ({"d.tf": RDS.format("db.r6g.2xlarge")}, {"d.tf": RDS.format("db.t4g.micro")}, a_server(4.0, 900.0), "confirmed"),
        ({"r.tf": REDIS.format("allkeys-lru")}, {"r.tf": REDIS.format("noeviction")}, a_cache(99.0, 9000.0), "confirmed"),
        ({"r.tf": REDIS.format("allkeys-lru")}, {"r.tf": REDIS.format("noeviction")}, a_cache(30.0, 0.0), "refuted"),
    ],
)  # fmt: skip
def test_what_is_left_is_held_against_the_peak(base, head, production, status):
    assert told(base, head, production) == [status]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (pod(3), pod(8)),
        (pod(cpu="300m"), pod(cpu='"2"')),
        ({"d.tf": RDS.format("db.r6g.large")}, {"d.tf": RDS.format("db.r6g.2xlarge")}),
        ({"d.tf": RDS.format("db.m5.large")}, {"d.tf": RDS.format("db.m6g.large")}),
        ({"envs/staging/s.tf": ECS.format(9)}, {"envs/staging/s.tf": ECS.format(1)}),
        ({"s.tf": ECS.format(9)}, {"s.tf": ECS.format(9).replace('"web"', '"web" # the cluster')}),
        ({"s.tf": ECS.format(9)}, {"s.tf": ECS.format("var.count")}),
    ],
)
def test_more_or_as_much_capacity_is_not_spoken_of(base, head):
    assert told(base, head, a_pod(cpu=90.0)) == []


def test_without_production_it_asks():
    assert told(pod(8), pod(2)) == ["plausible"]


def test_a_busy_neighbour_proves_nothing():
    production = a_pod()
    other = production.resource("kubernetes:prod/web/deployment/other", "kubernetes.deployment", "other")
    production.metric(other, "cpu_utilization", "Percent", 99.0)

    assert told(pod(8), pod(2), production) == ["plausible"]


REQUESTING = DEPLOYMENT.replace("limits:\n              cpu: {cpu}", 'requests:\n              cpu: "1"')


@pytest.mark.parametrize(
    "metric",
    [
        "container_cpu_usage_cores.sum",
        "container_cpu_usage_cores_sum",
        "sum:container_cpu_usage_cores",
        "sum(container_cpu_usage_cores)",
    ],
)
@pytest.mark.parametrize(("cores", "status"), [(1.2, "refuted"), (2.9, "plausible")])
def test_a_lower_floor_is_held_against_what_all_copies_use_together(metric, cores, status):
    production = a_pod(replicas=9)
    pod = "kubernetes:prod/web/deployment/search"
    production.resource(pod, "kubernetes.deployment", "search", replicas=9, cpu_request_millicores=1000)
    production.metric(pod, metric, "Cores", cores)
    files = {"d.yaml": REQUESTING.format(replicas=9), "hpa.yaml": HPA.format(most=20).replace("minReplicas: 2", "minReplicas: 9")}

    assert told(files, {"hpa.yaml": HPA.format(most=20).replace("minReplicas: 2", "minReplicas: 3")}, production) == [status]
