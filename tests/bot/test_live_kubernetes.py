"""A pull request judged against a cluster: the synced graph says the same as a snapshot of it that somebody wrote by hand."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from bot.entrypoints.cli.app import main
from context_graph.testing_kubernetes import FakeCluster, a_shop, kubeconfig, serving
from scripts.build_demo import run_git, start_repository

CHECKOUT, SERVICE = "kubernetes:prod/shop/deployment/checkout", "kubernetes:prod/shop/service/checkout"
MANIFEST = """apiVersion: apps/v1
kind: Deployment
metadata: {name: checkout, namespace: shop}
spec:
  replicas: 3
  selector: {matchLabels: {app: checkout}}
  template:
    metadata: {labels: {app: checkout, tier: web}}
    spec:
      containers: [{name: checkout, image: "ghcr.io/acme/checkout:1.8.2"}]
---
apiVersion: v1
kind: Service
metadata: {name: checkout, namespace: shop}
spec:
  selector: {app: checkout}
  ports: [{port: 80, targetPort: 8080}]
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GONOGO_DATABASE_URL", "GONOGO_PROMETHEUS_URL", "GONOGO_DATABASES", "GONOGO_LOKI_URL", "GONOGO_LOG_FILES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GONOGO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("GONOGO_CLOUDWATCH", "off")
    return tmp_path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    start_repository(folder)
    manifest = folder / "k8s" / "checkout.yaml"
    manifest.parent.mkdir()
    manifest.write_text(MANIFEST)
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "main")
    run_git(folder, "checkout", "-q", "-b", "pr")
    manifest.write_text(MANIFEST.replace("spec:\n  selector: {app: checkout}", "spec:\n  selector: {app: checkout, tier: api}"))
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "pr")
    run_git(folder, "remote", "add", "origin", "https://github.com/acme/shop.git")
    return folder


@pytest.fixture
def synced(home: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[FakeCluster]:
    cluster = FakeCluster()
    cluster.hold(*a_shop())
    with serving(cluster) as url:
        config = kubeconfig(home, url, user={"token": cluster.token})
        monkeypatch.setattr("kubernetes.config.kube_config.KUBE_CONFIG_DEFAULT_LOCATION", str(config))
        assert main(["graph", "sync", "--sources", "kubernetes"]) == 0
        yield cluster


def a_snapshot(folder: Path) -> Path:
    """What spec 00 asks of a snapshot, written by hand."""
    resources: list[dict[str, Any]] = [
        {"id": CHECKOUT, "kind": "kubernetes.deployment", "name": "checkout", "account": "prod", "region": "shop", "attributes": {
            "namespace": "shop", "replicas": 3, "pod_labels": {"app": "checkout", "tier": "web"}}},
        {"id": SERVICE, "kind": "kubernetes.service", "name": "checkout", "account": "prod", "region": "shop", "attributes": {
            "namespace": "shop", "selector": {"app": "checkout"}, "port": 80}},
    ]  # fmt: skip
    edge = {"source": SERVICE, "target": CHECKOUT, "relation": "routes_to", "evidence": "selector"}
    folder.mkdir()
    (folder / "resources.jsonl").write_text("".join(json.dumps(one) + "\n" for one in resources))
    (folder / "edges.jsonl").write_text(json.dumps(edge) + "\n")
    return folder


def judged(repository: Path, production: str, report: Path) -> dict[str, Any]:
    main(
        ["check", "--repo", str(repository), "--base", "main", "--head", "pr", "--production", production, "--json", str(report)]
    )
    found: dict[str, Any] = json.loads(report.read_text())
    return found


@pytest.mark.usefixtures("synced")
def test_the_cluster_and_a_snapshot_of_it_give_the_same_chain(repository: Path, home: Path) -> None:
    live = judged(repository, "live", home / "live.json")
    written = judged(repository, str(a_snapshot(home / "production")), home / "written.json")

    [chain], [same] = live["trajectories"], written["trajectories"]
    assert (live["production"]["source"], live["verdict"]) == ("live", written["verdict"])
    assert (chain["title"], chain["status"], chain["links"]) == (same["title"], same["status"], same["links"])
    assert {SERVICE, CHECKOUT} <= {one["resource"] for one in live["affected"]}
