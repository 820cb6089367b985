"""Kubernetes, Helm, kustomize and compose."""

from context_graph.manifests import Manifests, read_manifests, setting_changes
from context_graph.testing import MemoryTree
from gonogo.resource import Declared

APP = """apiVersion: apps/v1
kind: Deployment
metadata: {name: shop, namespace: web}
spec:
  replicas: 3
  strategy: {rollingUpdate: {maxUnavailable: 1, maxSurge: 25%}}
  template:
    metadata: {labels: {app: shop}}
    spec:
      terminationGracePeriodSeconds: 60
      containers:
        - {name: proxy, image: "envoy:1"}
        - name: shop
          image: registry/shop:1
          env:
            - {name: DB_URL, valueFrom: {secretKeyRef: {name: shop-db, key: url}}}
            - {name: STOCK_URL, value: "http://stock:8080/"}
            - {name: DEBUG, value: "true"}
          resources:
            requests: {cpu: 250m, memory: 256Mi}
            limits: {memory: 1Gi}
          livenessProbe:
            httpGet: {path: /healthz, port: 8080}
            timeoutSeconds: 1
---
apiVersion: v1
kind: Service
metadata: {name: shop, namespace: web}
spec: {selector: {app: shop}}
---
apiVersion: v1
kind: Service
metadata: {name: stock, namespace: web}
spec: {selector: {app: stock}}
---
apiVersion: v1
kind: Secret
metadata: {name: shop-db, namespace: web}
stringData: {url: "postgres://u:verysecret@h/db"}
"""


def reading(files: dict[str, str]) -> Manifests:
    return read_manifests(MemoryTree(files))


def only(manifests: Manifests, address: str) -> Declared:
    return next(d for d in manifests.resources if d.address == address)


def values(declared: Declared) -> dict[str, object]:
    return {key: setting.value for key, setting in declared.settings.items()}


def test_a_deployment_has_the_settings_of_its_main_container() -> None:
    shop = only(reading({"app.yaml": APP}), "deployment/web/shop")

    wanted = {
        "replicas": 3, "max_unavailable": 1, "max_surge": "25%", "termination_grace_s": 60, "image": "registry/shop:1",
        "cpu_request": 0.25, "memory_request_mib": 256, "memory_limit_mib": 1024, "liveness_path": "/healthz", "liveness_timeout_s": 1,
        "environment_keys": ["DB_URL", "DEBUG", "STOCK_URL"], "environment.DEBUG": "true", "container.proxy.image": "envoy:1",
    }  # fmt: skip
    assert {key: values(shop)[key] for key in wanted} == wanted
    assert (shop.settings["memory_limit_mib"].line, shop.line, shop.end_line) == (21, 1, 24)


def test_objects_are_joined_by_selectors_hosts_and_secrets() -> None:
    found = reading({"app.yaml": APP})

    assert {(e.source, e.relation.value, e.target) for e in found.edges} == {
        ("service/web/shop", "routes_to", "deployment/web/shop"),
        ("deployment/web/shop", "connects_to", "service/web/stock"),
        ("deployment/web/shop", "depends_on", "secret/web/shop-db"),
    }


def test_values_of_secrets_are_never_kept() -> None:
    found = reading({"app.yaml": APP})

    assert "verysecret" not in found.model_dump_json()
    assert values(only(found, "secret/web/shop-db"))["environment_keys"] == ["url"]


def test_flow_style_scalers_and_budgets_are_read() -> None:
    text = (
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: a}\nspec: {scaleTargetRef: {kind: Deployment, name: a},"
        " minReplicas: 2, maxReplicas: 9, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 70}}}]}\n"
        "---\n{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: a}, spec: {minAvailable: 1}}\n"
    )

    found = reading({"a.yaml": text})

    scaler = values(only(found, "horizontalpodautoscaler/default/a"))
    assert {k: scaler[k] for k in ("min_replicas", "max_replicas", "target_cpu_percent")} == {
        "min_replicas": 2,
        "max_replicas": 9,
        "target_cpu_percent": 70,
    }
    assert values(only(found, "poddisruptionbudget/default/a"))["min_available"] == 1


def test_a_network_rule_that_went_is_one_change() -> None:
    text = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\nspec:\n  ingress:\n{rules}"
    rules = [
        "    - {from: [{podSelector: {matchLabels: {app: a}}}]}\n",
        "    - {from: [{podSelector: {matchLabels: {app: b}}}]}\n",
    ]

    changes = setting_changes(
        reading({"a.yaml": text.replace("{rules}", "".join(rules))}), reading({"a.yaml": text.replace("{rules}", rules[1])})
    )

    gone = next(c for c in changes if c.key.startswith("ingress."))
    assert [c.key for c in changes] == ["ingress.0", "ingress_rules"]
    assert (gone.old and gone.old.line, gone.new) == (6, None)


CHART = {
    "chart/Chart.yaml": "name: shop\n",
    "chart/values.yaml": "replicas: 2\nresources:\n  limits: {memory: 512Mi}\n",
    "chart/values-prod.yaml": "replicas: 6\n",
    "chart/templates/d.yaml": 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ include "x" . }}\nspec:\n'
    "  {{- if not .Values.auto }}\n  replicas: {{ .Values.replicas }}\n  {{- end }}\n  template:\n    spec:\n      containers:\n"
    '        - name: a\n          image: "a:{{ .Values.tag | default "1" }}"\n          resources:\n'
    "            {{- toYaml .Values.resources | nindent 12 }}\n",
}  # fmt: skip


def test_a_chart_is_read_with_the_values_of_each_environment() -> None:
    found = reading(CHART)

    deployment = found.resources[0]

    assert (deployment.kind, deployment.environment) == ("kubernetes.deployment", "prod")
    assert {k: values(deployment)[k] for k in ("replicas", "memory_limit_mib", "image")} == {
        "replicas": 6,
        "memory_limit_mib": 512,
        "image": "a:1",
    }
    replicas = deployment.settings["replicas"]
    assert replicas.file is not None
    assert replicas.file == "chart/values-prod.yaml"


def test_values_without_their_chart_are_workloads() -> None:
    found = reading({"deploy/values.yaml": "api:\n  replicaCount: 3\n  resources: {limits: {cpu: 500m}}\n"})

    assert {k: values(found.resources[0])[k] for k in ("replicas", "cpu_limit")} == {"replicas": 3, "cpu_limit": 0.5}


def test_a_kustomization_gives_its_namespace_and_replicas() -> None:
    found = reading(
        {
            "prod/kustomization.yaml": "namespace: live\nresources: [d.yaml]\nreplicas:\n  - {name: a, count: 5}\n",
            "prod/d.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {replicas: 1}\n",
        }
    )

    assert only(found, "deployment/live/a").environment == "prod"
    assert values(only(found, "kustomization/prod"))["replicas.a"] == 5


def test_a_compose_service_has_limits_and_dependencies() -> None:
    text = (
        "services:\n  web:\n    image: web:1\n    environment: [DATABASE_URL=postgres://u:verysecret@db/app, DEBUG]\n    mem_limit: 512M\n"
        "    depends_on: {cache: {condition: service_started}}\n  db: {image: postgres}\n  cache: {image: redis}\n"
    )

    found = reading({"docker-compose.yml": text})

    web = values(only(found, "services.web"))
    assert (web["memory_limit_mib"], web["environment.DATABASE_URL"], web["environment.DEBUG"]) == (
        512,
        "postgres://db/app",
        None,
    )
    assert {(e.source, e.relation.value, e.target) for e in found.edges} == {
        ("services.web", "connects_to", "services.db"),
        ("services.web", "depends_on", "services.cache"),
    }
