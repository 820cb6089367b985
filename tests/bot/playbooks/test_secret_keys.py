"""Keys of Secrets and ConfigMaps that a pod asks for, by plain manifests and by charts."""

from typing import Any

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

POD = "kubernetes:c/pay/deployment/signer"
MANIFEST = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: signer, namespace: pay}}
spec:
  template:
    spec:
      containers:
        - name: signer
          env:
            - name: DB_URL
              valueFrom: {{secretKeyRef: {{name: "{store}", key: db_url}}}}
{more}"""
KEY = '            - name: HMAC_KEY\n              valueFrom: {{{kind}KeyRef: {{name: "{store}", key: hmac{optional}}}}}\n'
READS = {"app.py": 'import os\n\nKEY = os.environ["HMAC_KEY"]\n'}


def _production(keys: list[str], *, attribute: str = "keys", kind: str = "secret", namespace: str = "pay") -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    named: dict[str, Any] = {attribute: keys}
    pod = production.resource(
        POD, "kubernetes.deployment", "signer", is_deployed=True, namespace="pay", environment_keys=["DB_URL"]
    )
    store = production.resource(
        f"kubernetes:c/{namespace}/{kind}/signer-env",
        f"kubernetes.{kind}",
        "signer-env",
        namespace=namespace,
        **named,
    )
    if namespace == "pay":
        production.edge(pod, store, "reads_from")
    production.metric(pod, "http_requests_per_second", "Count/Second", 7.0)
    return production


def _statuses(
    production: MemoryProduction,
    *,
    store: str = "signer-env",
    kind: str = "secret",
    optional: str = "",
    more: dict[str, str] | None = None,
    reads: bool = True,
    path: str = "deploy/signer.yaml",
) -> list[Status]:
    key = KEY.format(kind=kind, store=store, optional=optional)
    base = {"app.py": "import os\n", path: MANIFEST.format(store=store, more=""), **(more or {})}
    head: dict[str, str | None] = {path: MANIFEST.format(store=store, more=key), **(READS if reads else {})}
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "missing-name"]


@pytest.mark.parametrize("attribute", ["keys", "data_keys", "secret_keys", "key_names"])
def test_a_key_that_the_live_secret_lacks_is_confirmed(attribute: str) -> None:
    assert _statuses(_production(["db_url"], attribute=attribute)) == [Status.CONFIRMED]


def test_a_key_that_it_has_is_refuted() -> None:
    assert _statuses(_production(["db_url", "hmac"])) == [Status.REFUTED]


CHART = {"chart/Chart.yaml": "apiVersion: v2\nname: signer\nversion: 1.0.0\n", "chart/values.yaml": "secretName: signer-env\n"}


@pytest.mark.parametrize(("keys", "expected"), [(["db_url"], Status.CONFIRMED), (["db_url", "hmac"], Status.REFUTED)])
def test_the_name_that_a_chart_takes_from_its_values(keys: list[str], expected: Status) -> None:
    found = _statuses(_production(keys), store="{{ .Values.secretName }}", more=CHART, path="chart/templates/signer.yaml")

    assert found == [expected]


@pytest.mark.parametrize(("keys", "expected"), [(["db_url"], Status.CONFIRMED), (["db_url", "hmac"], Status.REFUTED)])
def test_a_name_that_a_template_makes_is_found_by_the_keys_beside_it(keys: list[str], expected: Status) -> None:
    store = "{{ include `signer.fullname` . }}-env"

    assert _statuses(_production(keys), store=store, more=CHART, path="chart/templates/signer.yaml") == [expected]


def test_a_key_is_missed_whoever_reads_the_variable() -> None:
    assert _statuses(_production(["db_url"]), reads=False) == [Status.CONFIRMED]


def test_a_key_of_a_configmap_counts_alike() -> None:
    production = _production(["db_url"])
    store = production.resource(
        "kubernetes:c/pay/configmap/signer-conf", "kubernetes.configmap", "signer-conf", namespace="pay", keys=["level"]
    )
    production.edge(POD, store, "reads_from")
    base = {"deploy/signer.yaml": MANIFEST.format(store="signer-env", more="")}
    head: dict[str, str | None] = {
        "deploy/signer.yaml": MANIFEST.format(
            store="signer-env", more=KEY.format(kind="configMap", store="signer-conf", optional="")
        )
    }
    evaluation = evaluation_of(base, head, production)

    assert [e.status for e in evaluation.ledger if e.trajectory.playbook == "missing-name"] == [Status.CONFIRMED]


def test_an_optional_reference_says_nothing_by_itself() -> None:
    assert _statuses(_production(["db_url"]), optional=", optional: true", reads=False) == []


def test_a_secret_of_the_same_name_elsewhere_proves_nothing() -> None:
    assert Status.CONFIRMED not in _statuses(_production(["db_url"], namespace="other"))
