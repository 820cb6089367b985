"""What a name in a Kubernetes object means: across files, overlays, namespaces and the cluster."""

import pytest

from context_graph.testing_manifests import edges_of, graph_of

API = """apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  template:
    metadata: {labels: {app: api, tier: web}}
    spec:
      priorityClassName: high
      imagePullSecrets: [{name: pull}]
      containers:
        - name: api
          env: [{name: DB, value: db.data.svc.cluster.local}]
          envFrom: [{secretRef: {name: made}}]
---
apiVersion: v1
kind: Service
metadata: {name: api, namespace: shop, labels: {watched: "yes"}}
spec: {selector: {app: api}}
"""


def _object(kind: str, name: str, spec: str = "{}", space: str | None = "shop", rest: str = "") -> str:
    where = f", namespace: {space}" if space else ""
    return f"---\napiVersion: v1\nkind: {kind}\nmetadata: {{name: {name}{where}}}\nspec: {spec}\n{rest}"


def test_objects_of_the_cluster_are_found_from_every_namespace() -> None:
    account, claim = "{kind: ServiceAccount, name: api, namespace: shop}", "{storageClassName: fast}"
    found = edges_of(
        {
            "a.yaml": API,
            "b.yaml": _object("PriorityClass", "high", space=None) + _object("StorageClass", "fast", space=None)
            + _object("ClusterRole", "reader", space=None) + _object("ServiceAccount", "api") + _object("Secret", "pull")
            + _object("PersistentVolumeClaim", "data", claim)
            + _object("RoleBinding", "reads", rest="roleRef: {kind: ClusterRole, name: reader}\nsubjects: [{kind: ServiceAccount, name: api}]\n")
            + _object("ClusterRoleBinding", "all", space=None, rest=f"roleRef: {{kind: ClusterRole, name: reader}}\nsubjects: [{account}]\n"),
        }
    )  # fmt: skip

    assert found >= {
        ("deployment/shop/api", "depends_on", "priorityclass/default/high"),
        ("deployment/shop/api", "depends_on", "secret/shop/pull"),
        ("persistentvolumeclaim/shop/data", "depends_on", "storageclass/default/fast"),
        ("rolebinding/shop/reads", "depends_on", "clusterrole/default/reader"),
        ("rolebinding/shop/reads", "depends_on", "serviceaccount/shop/api"),
        ("clusterrolebinding/default/all", "depends_on", "serviceaccount/shop/api"),
    }


def test_a_service_may_be_another_name_for_one_of_another_namespace() -> None:
    far = _object("Service", "db", "{type: ExternalName, externalName: pg.infra.svc.cluster.local}", "data")

    assert edges_of({"a.yaml": API + far + _object("Service", "pg", "{}", "infra")}) == {
        ("deployment/shop/api", "connects_to", "service/data/db"),
        ("service/data/db", "routes_to", "service/infra/pg"),
        ("service/shop/api", "routes_to", "deployment/shop/api"),
    }


@pytest.mark.parametrize(
    ("kind", "spec", "target"),
    [
        ("NetworkPolicy", "{podSelector: {matchLabels: {app: api}}}", "deployment/shop/api"),
        ("NetworkPolicy", "{podSelector: {matchExpressions: [{key: tier, operator: In, values: [web]}]}}", "deployment/shop/api"),
        ("PodDisruptionBudget", "{selector: {matchLabels: {app: api}, matchExpressions: [{key: tier, operator: Exists}]}}", "deployment/shop/api"),
        ("SecurityGroupPolicy", "{podSelector: {matchLabels: {tier: web}}}", "deployment/shop/api"),
        ("AuthorizationPolicy", "{selector: {matchLabels: {app: api}}}", "deployment/shop/api"),
        ("Sidecar", "{workloadSelector: {labels: {app: api}}}", "deployment/shop/api"),
        ("CiliumNetworkPolicy", "{endpointSelector: {matchLabels: {app: api}}}", "deployment/shop/api"),
        ("PodMonitor", "{selector: {matchLabels: {app: api}}}", "deployment/shop/api"),
        ("ServiceMonitor", '{selector: {matchLabels: {watched: "yes"}}}', "service/shop/api"),
        ("DestinationRule", "{host: api.shop.svc.cluster.local}", "service/shop/api"),
    ],
)  # fmt: skip
def test_policies_and_monitors_are_joined_to_what_they_select(kind: str, spec: str, target: str) -> None:
    found = edges_of({"a.yaml": API, "b.yaml": _object(kind, "it", spec)})

    assert {edge for edge in found if edge[0] == f"{kind.lower()}/shop/it"} == {(f"{kind.lower()}/shop/it", "depends_on", target)}


@pytest.mark.parametrize(
    "spec",
    [
        "{podSelector: {}}",
        "{podSelector: {matchLabels: {app: api, other: x}}}",
        "{podSelector: {matchLabels: {app: api}, matchExpressions: [{key: tier, operator: NotIn, values: [web]}]}}",
        "{podSelector: {matchExpressions: [{key: tier, operator: DoesNotExist}]}}",
    ],
)
def test_a_policy_is_not_joined_to_what_it_does_not_select(spec: str) -> None:
    assert not {
        e for e in edges_of({"a.yaml": API, "b.yaml": _object("NetworkPolicy", "it", spec)}) if e[0].startswith("network")
    }


OVERLAYS = {
    "base/kustomization.yaml": "resources: [a.yaml]\n",
    "base/a.yaml": API,
    "overlays/prod/kustomization.yaml": "namespace: shop\nresources: [../../base, more.yaml]\nsecretGenerator: [{name: made, literals: [A=1]}]\n"
    "patches:\n  - path: p.yaml\n",
    "overlays/prod/more.yaml": _object("Service", "meter", space=None).removeprefix("---\n")
    + _object("Ingress", "edge", "{defaultBackend: {service: {name: api, port: {number: 80}}}}", None),
    "overlays/prod/p.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop}\nspec:\n  template:\n    spec:\n"
    "      containers: [{name: api, env: [{name: METER, value: 'http://meter:1'}]}]\n",
    "overlays/dev/kustomization.yaml": "namespace: shop\nresources: [../../base]\nsecretGenerator: [{name: made, literals: [A=2]}]\n",
}  # fmt: skip


def test_an_overlay_and_its_base_are_joined() -> None:
    assert edges_of(OVERLAYS) == {
        ("service/shop/api", "routes_to", "deployment/shop/api"),
        ("ingress/shop/edge", "routes_to", "service/shop/api"),
        ("deployment/shop/api", "connects_to", "service/shop/meter"),
        ("deployment/shop/api", "depends_on", "secret/shop/made"),
    }


def test_what_every_overlay_makes_for_itself_is_used_in_each() -> None:
    made = {e.target for e in graph_of(OVERLAYS).edges if e.target.endswith("secret/shop/made")}

    assert made == {f"overlays/{name}/kustomization.yaml//secret/shop/made" for name in ("dev", "prod")}


def test_an_edge_that_a_patch_adds_stands_in_the_patch() -> None:
    found = next(e for e in graph_of(OVERLAYS).edges if e.target == "service/shop/meter")

    assert (found.file, found.line) == ("overlays/prod/p.yaml", 7)


def test_an_object_of_one_environment_is_not_what_another_one_means() -> None:
    files = {
        "envs/dev/a.yaml": _object("Service", "db"),
        "envs/prod/b.yaml": API.replace("db.data.svc.cluster.local", "db:5432"),
    }

    assert ("deployment/shop/api", "connects_to", "service/shop/db") not in edges_of(files)


@pytest.mark.parametrize(
    ("variable", "is_host"), [("DB_PASS", False), ("RABBIT_VHOST", False), ("API_TOKEN", False), ("DB_SERVER", True)]
)
def test_what_a_variable_calls_a_word_says_whether_it_is_a_host(variable: str, is_host: bool) -> None:
    text = API.replace("name: DB, value: db.data.svc.cluster.local", f"name: {variable}, value: store")

    found = edges_of({"a.yaml": text + _object("Service", "store")})

    assert (("deployment/shop/api", "connects_to", "service/shop/store") in found) is is_host
