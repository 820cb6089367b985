"""A graph that was read from a provider knows no repositories: what a repository deploys, its own manifests say."""

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status
from gonogo.verdict import Verdict

SHOP, TAX = "kubernetes:prod/shop/deployment/shop", "kubernetes:prod/shop/deployment/tax"
MANIFEST = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\n  namespace: shop\nspec:\n  replicas: 2\n  template:\n    spec:\n"
    "      containers:\n        - name: shop\n          image: registry.example.com/acme/shop:1\n"
)
CLIENT = (
    "import os\nimport requests\n\ndef quote(order):\n    return requests.post(os.environ['TAX_URL'], json=order, timeout={})\n"
)


def said_of(*, time_out: int, name: str = "shop"):
    production = MemoryProduction("github:acme/other")
    shop = production.resource(SHOP, "kubernetes.deployment", "shop", namespace="shop", replicas=2)
    production.resource(TAX, "kubernetes.deployment", "tax", namespace="shop")
    production.edge(shop, TAX, "connects_to")
    production.metric(shop, 'http_client_request_duration_seconds{quantile="0.99",target="tax"}', "Seconds", [4.0] * 288)
    production.metric(shop, "http_requests_per_second", "1/s", [20.0] * 288)
    files = {
        "k8s/shop.yaml": MANIFEST.replace("name: shop\n  namespace", f"name: {name}\n  namespace"),
        "shop/tax.py": CLIENT.format(8),
    }
    return evaluation_of(files, {**files, "shop/tax.py": CLIENT.format(time_out)}, production)


def test_code_of_a_workload_that_only_the_manifests_name_is_judged_by_its_telemetry():
    said = said_of(time_out=3)

    assert said.verdict is Verdict.NO_GO
    assert said.blockers()[0].trajectory.title == "A time-out of 3 s cuts off a call of shop to tax"
    assert not any(
        e.kind == "graph" and e.source.startswith("github:")
        for link in said.blockers()[0].trajectory.links
        for e in link.evidence
    )


def test_the_same_is_refuted_where_it_fits():
    assert [e.status for e in said_of(time_out=6).ledger if e.trajectory.playbook == "time-out"] == [Status.REFUTED]


def test_a_manifest_of_another_name_makes_no_workload_of_ours():
    said = said_of(time_out=3, name="another")

    assert said.verdict is Verdict.GO
    assert Status.CONFIRMED not in {e.status for e in said.ledger}
