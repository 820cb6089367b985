"""Cloud Run and its kin: the most instances that may run, held against how many did."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

KNATIVE = """apiVersion: serving.knative.dev/v1
kind: Service
metadata: {{name: api}}
spec:
  template:
    metadata:
      annotations:
        autoscaling.knative.dev/maxScale: "{}"
    spec:
      containers: [{{image: api}}]
"""
TERRAFORM = """resource "google_cloud_run_v2_service" "api" {{
  name = "api"
  template {{
    scaling {{
      max_instance_count = {}
    }}
  }}
}}
"""


@pytest.mark.parametrize(("path", "text"), [("service.yaml", KNATIVE), ("main.tf", TERRAFORM)])
@pytest.mark.parametrize("metric", ["instance_count", "run.googleapis.com/container/instance_count", "container_instance_count"])
@pytest.mark.parametrize(
    ("new", "cpu", "status"), [(5, None, "plausible"), (5, 70.0, "confirmed"), (20, 70.0, "refuted"), (40, 70.0, "none")]
)
def test_fewer_instances_than_ran_at_the_peak(
    path: str, text: str, metric: str, new: int, cpu: float | None, status: str
) -> None:
    production = MemoryProduction("github:acme/api")
    api = production.resource("gcp:run/api", "gcp.run.service", "api", is_deployed=True)
    production.metric(api, metric, "Count", 14)
    production.metric(api, "request_count", "Count", 30_000)
    if cpu is not None:
        production.metric(api, "cpu_utilization", "Percent", cpu)

    evaluation = evaluation_of({path: text.format(30)}, {path: text.format(new)}, production)

    assert [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "capacity"] == (
        [] if status == "none" else [status]
    )
