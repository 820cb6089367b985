"""An autoscaler that may run fewer copies than its workload needed: by cores, by requests in flight, by copies that ran."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

HPA = """apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: quotes, namespace: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: quotes}}
  minReplicas: 2
  maxReplicas: {}
"""
KEDA = """apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: quotes, namespace: web}}
spec:
  scaleTargetRef: {{name: quotes}}
  maxReplicaCount: {}
  triggers:
    - type: prometheus
      metadata: {{query: "sum(rate(http_requests_total[1m]))", threshold: "40"}}
"""
CHART = {"chart/Chart.yaml": "apiVersion: v2\nname: quotes\nversion: 0.1.0\n", "chart/values.yaml": "image: quotes:1\n"}
VALUES = "image: quotes:1\nautoscaling:\n  minReplicas: 2\n  maxReplicas: {}\nresources:\n  limits: {{cpu: 600m}}\n"
HPA_V1 = HPA.replace("autoscaling/v2", "autoscaling/v1") + "  targetCPUUtilizationPercentage: 70\n"
APP_TARGET = """resource "aws_appautoscaling_target" "quotes" {{
  service_namespace  = "ecs"
  resource_id        = "service/web/quotes"
  scalable_dimension = "ecs:service:DesiredCount"
  min_capacity       = 2
  max_capacity       = {}
}}
"""
APP_TARGET_BY_VARIABLE = {
    "main.tf": 'variable "most" {\n  type = number\n}\n' + APP_TARGET.format("var.most"),
}
CFN_TARGET = """Resources:
  Target:
    Type: AWS::ApplicationAutoScaling::ScalableTarget
    Properties:
      ServiceNamespace: ecs
      ResourceId: service/web/quotes
      ScalableDimension: ecs:service:DesiredCount
      MinCapacity: 2
      MaxCapacity: {}
"""
ASG = 'resource "aws_autoscaling_group" "quotes" {{\n  name     = "quotes"\n  min_size = 2\n  max_size = {}\n}}\n'
CLOUD_RUN = """resource "google_cloud_run_v2_service" "quotes" {{
  name     = "quotes"
  location = "europe-west1"
  template {{
    max_instance_request_concurrency = 20
    scaling {{
      max_instance_count = {}
    }}
  }}
}}
"""
KNATIVE = """apiVersion: serving.knative.dev/v1
kind: Service
metadata: {{name: quotes}}
spec:
  template:
    metadata:
      annotations:
        autoscaling.knative.dev/maxScale: "{}"
    spec:
      containerConcurrency: 20
      containers: [{{image: "quotes:1"}}]
"""
CONTAINER_APP = """resource "azurerm_container_app" "quotes" {{
  name = "quotes"
  template {{
    min_replicas = 1
    max_replicas = {}
  }}
}}
"""
NOMAD = """job "quotes" {{
  group "web" {{
    count = 4
    scaling {{
      enabled = true
      min     = 2
      max     = {}
    }}
  }}
}}
"""
RENDER = "services:\n  - type: web\n    name: quotes\n    scaling:\n      minInstances: 2\n      maxInstances: {}\n      targetCPUPercent: 70\n"
COPILOT = "name: quotes\ntype: Load Balanced Web Service\ncount:\n  range: 2-{}\n  cpu_percentage: 70\n"
CDK = "const scaling = service.autoScaleTaskCount({{\n  minCapacity: 2,\n  maxCapacity: {},\n}});\n"
CONTAINERS = 'name = "quotes"\nmain = "src/index.ts"\n[[containers]]\nclass_name = "Quotes"\nmax_instances = {}\n'
APP_ENGINE = "service: quotes\nruntime: python312\nautomatic_scaling:\n  min_instances: 2\n  max_instances: {}\n"

DEPLOYMENT = ("kubernetes:prod/web/deployment/quotes", "kubernetes.deployment")
ECS = ("arn:aws:ecs:eu-west-1:1:service/web/quotes", "aws.ecs.service")
GROUP = ("arn:aws:autoscaling:eu-west-1:1:autoScalingGroup:quotes", "aws.autoscaling.group")
RUN = ("gcp:run:europe-west1:shop/quotes", "google.cloud.run_v2_service")
KN = ("kubernetes:prod/default/service/quotes", "kubernetes.service")
AZURE = ("azure:containerapp:shop/quotes", "azure.container.app")
JOB = ("nomad:job:quotes", "nomad.job")
PLATFORM = ("render:service:quotes", "render.service")
WORKER = ("cloudflare:worker:quotes", "cloudflare.worker")
ENGINE = ("gcp:appengine:shop/quotes", "google.app_engine.service")

FORMS = [
    ("hpa.yaml", HPA, DEPLOYMENT, "kube_horizontalpodautoscaler_status_current_replicas"),
    ("hpa.yaml", HPA_V1, DEPLOYMENT, "kube_deployment_status_replicas_available"),
    ("keda.yaml", KEDA, DEPLOYMENT, "kube_deployment_status_replicas_ready"),
    ("chart/values-prod.yaml", VALUES, DEPLOYMENT, "kube_deployment_status_replicas_available"),
    ("main.tf", APP_TARGET, ECS, "RunningTaskCount"),
    ("stack.yaml", CFN_TARGET, ECS, "RunningTaskCount"),
    ("main.tf", ASG, GROUP, "GroupInServiceInstances"),
    ("main.tf", CLOUD_RUN, RUN, "run.googleapis.com/container/instance_count"),
    ("service.yaml", KNATIVE, KN, "revision_pod_count"),
    ("main.tf", CONTAINER_APP, AZURE, "Replicas"),
    ("quotes.nomad.hcl", NOMAD, JOB, "nomad_job_running_allocations"),
    ("render.yaml", RENDER, PLATFORM, "instance_count"),
    ("app.yaml", APP_ENGINE, ENGINE, "instance_count"),
    ("copilot/quotes/manifest.yml", COPILOT, ECS, "RunningTaskCount"),
    ("lib/stack.ts", CDK, ECS, "RunningTaskCount"),
    ("wrangler.toml", CONTAINERS, WORKER, "running_instances"),
]


def told(base, head, production):
    evaluation = evaluation_of({**CHART, **base} if any("chart/" in f for f in base) else base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "capacity"]


def daily(low, high):
    """Two days, each with an evening of four hours."""
    return ([low] * 216 + [high] * 48 + [low] * 24) * 2


def live(place, **attributes):
    production = MemoryProduction()
    production.resource(place[0], place[1], "quotes", is_deployed=True, **attributes)
    return production


@pytest.mark.parametrize(("file", "text", "place", "name"), FORMS)
@pytest.mark.parametrize(("evening", "status"), [(21.0, "confirmed"), (10.0, "plausible"), (6.0, "refuted")])
def test_the_copies_of_every_evening_are_held_against_the_new_ceiling(file, text, place, name, evening, status):
    production = live(place)
    production.metric(place[0], name, "Count", daily(4.0, evening))
    assert told({file: text.format(24)}, {file: text.format(8)}, production) == [status]


def test_a_ceiling_of_a_variable_is_read_from_its_values():
    base = {**APP_TARGET_BY_VARIABLE, "production.auto.tfvars": "most = 24\n"}
    production = live(ECS)
    production.metric(ECS[0], "RunningTaskCount", "Count", daily(4.0, 21.0))
    assert told(base, {"production.auto.tfvars": "most = 8\n"}, production) == ["confirmed"]


def test_copies_that_a_rollout_doubled_for_a_moment_prove_nothing():
    production = live(DEPLOYMENT)
    production.metric(DEPLOYMENT[0], "kube_deployment_status_replicas", "Count", [*[7.0] * 286, 20.0, 7.0] * 7)
    assert told({"hpa.yaml": HPA.format(24)}, {"hpa.yaml": HPA.format(8)}, production) == ["plausible"]


@pytest.mark.parametrize(
    ("name", "unit", "factor"),
    [
        ("container_cpu_usage_seconds_rate_sum", "cores", 1.0),
        ("sum:container_cpu_cores", "Cores", 1.0),
        ("cpu_millicores_total", "millicores", 1000.0),
        ("namespace_workload:container_cpu_usage_seconds:sum_rate", "cores", 1.0),
        ("container_cpu_usage_cores", "Cores", 1.0),
        ("kubernetes.cpu.usage.total", "millicores", 1000.0),
        ("cpu_usage_cores_all_pods", "", 1.0),
        ("cpu_used", "vCPU", 1.0),
    ],
)
@pytest.mark.parametrize(
    ("copies", "cores", "status"), [(21.0, 7.1, "confirmed"), (14.0, 3.2, "refuted"), (14.0, 4.4, "plausible")]
)
@pytest.mark.parametrize("limit", [{"cpu_limit_m": 600}, {"cpu_limit": "600m"}, {"cpu_limit_cores": 0.6}])
def test_the_cores_of_all_copies_are_held_against_what_the_allowed_ones_may_use(name, unit, factor, copies, cores, status, limit):
    production = live(DEPLOYMENT, **limit)
    production.metric(DEPLOYMENT[0], "kube_deployment_status_replicas_available", "Count", daily(4.0, copies))
    production.metric(DEPLOYMENT[0], name, unit, daily(1.0 * factor, cores * factor))
    assert told({"hpa.yaml": HPA.format(24)}, {"hpa.yaml": HPA.format(8)}, production) == [status]


@pytest.mark.parametrize(("each", "status"), [(0.5, "confirmed"), (0.1, "refuted")])
def test_cores_of_one_copy_count_for_each_that_ran(each, status):
    production = live(DEPLOYMENT, cpu_limit_m=600)
    production.metric(DEPLOYMENT[0], "kube_deployment_status_replicas_available", "Count", daily(4.0, 14.0))
    production.metric(DEPLOYMENT[0], "container_cpu_usage_cores_avg", "Cores", daily(each / 2, each))
    assert told({"hpa.yaml": HPA.format(24)}, {"hpa.yaml": HPA.format(8)}, production) == [status]


@pytest.mark.parametrize(("file", "text", "place"), [("main.tf", CLOUD_RUN, RUN), ("service.yaml", KNATIVE, KN)])
@pytest.mark.parametrize(("rate", "status"), [(300.0, "confirmed"), (80.0, "refuted")])
def test_requests_in_flight_are_held_against_what_the_allowed_instances_take(file, text, place, rate, status):
    production = live(place)
    production.metric(place[0], "http_requests_per_second", "Count/Second", daily(20.0, rate))
    production.metric(place[0], "http_request_duration_seconds_p50", "Seconds", 0.8)
    production.metric(place[0], "http_request_duration_seconds_p99", "Seconds", 1.2)
    production.metric(place[0], "instance_count", "Count", daily(2.0, 12.0))
    assert told({file: text.format(24)}, {file: text.format(8)}, production) == [status]
