"""The graph of Compose files and of Kubernetes objects: who starts after whom, who calls whom, and what both keep."""

from context_graph.testing_manifests import edges_of, graph_of, kinds_of

COMPOSE = """services:
  web:
    image: web
    environment:
      API_ADDR: "api:${API_PORT:-80}"
      SERVICE_NAME: db
      DATABASE_URL: postgres://u:${PASSWORD}@db:5432/shop
    depends_on: {db: {condition: service_healthy}}
    volumes: ["uploads:/data", "./src:/src"]
  api:
    build: .
    environment: [CART_ADDR, "BROKERS=queue:9092,other:9092"]
    command: ["serve", "--cache=cache:6379"]
    secrets: [{source: key}]
  db: {image: postgres, environment: {POSTGRES_USER: web}}
  cart: {image: cart, profiles: [extra]}
  queue: {image: kafka, environment: ["LISTENERS=PLAINTEXT://queue:9092"]}
  cache: {image: redis}
volumes: {uploads: }
secrets: {key: {file: ./key}}
"""
CALLS = {
    ("services.web", "connects_to", "services.api"), ("services.web", "connects_to", "services.db"),
    ("services.web", "depends_on", "services.db"), ("services.web", "depends_on", "volumes.uploads"),
    ("services.api", "connects_to", "services.queue"), ("services.api", "connects_to", "services.cache"),
    ("services.api", "depends_on", "secrets.key"),
}  # fmt: skip
WEB = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      serviceAccountName: web
      containers:
        - name: web
          env: [{name: API_ADDR, value: "api:80"}, {name: OTEL_SERVICE_NAME, value: web}, {name: FAR, value: "http://far.other.svc.cluster.local"}]
          envFrom: [{configMapRef: {name: settings}}]
      volumes: [{name: k, secret: {secretName: key}}, {name: d, persistentVolumeClaim: {claimName: data}}]
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}}
---
apiVersion: v1
kind: Service
metadata: {name: api}
spec: {selector: {app: api}}
"""
REST = """apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {CACHE_URL: "redis://cache:6379"}
---
{apiVersion: v1, kind: Service, metadata: {name: cache}}
---
{apiVersion: v1, kind: Secret, metadata: {name: key}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: web}}
---
{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data}}
---
{apiVersion: v1, kind: Service, metadata: {name: far, namespace: other}}
---
{apiVersion: gateway.networking.k8s.io/v1, kind: Gateway, metadata: {name: front}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: site}
spec: {parentRefs: [{name: front}], rules: [{backendRefs: [{name: web, port: 80}]}]}
"""


def test_a_compose_service_calls_the_hosts_in_its_variables_and_command() -> None:
    assert edges_of({"compose.yaml": COMPOSE}) == CALLS


def test_variables_that_are_passed_through_come_from_the_env_file_beside() -> None:
    edges = edges_of({"compose.yaml": COMPOSE, ".env": "CART_HOST=cart # beside\nCART_ADDR=${CART_HOST}:80\n"})

    assert edges == CALLS | {("services.api", "connects_to", "services.cart")}


def test_a_service_behind_a_profile_is_conditional_and_stores_are_resources() -> None:
    graph = graph_of({"compose.yaml": COMPOSE})

    assert [d.name for d in graph.resources if d.is_conditional] == ["cart"]
    assert {("volumes.uploads", "compose.volume"), ("secrets.key", "compose.secret")} <= kinds_of({"compose.yaml": COMPOSE})


def test_an_override_adds_to_the_services_of_the_base_file() -> None:
    override = "services:\n  web: {image: web:dev, depends_on: [cache]}\n  mail: {image: mail, links: [api]}\n"

    graph = graph_of({"compose.yaml": COMPOSE, "compose.override.yaml": override})

    assert [d.file for d in graph.resources if d.name == "web"] == ["compose.yaml"]
    assert {("services.web", "services.cache"), ("services.mail", "services.api")} <= {(e.source, e.target) for e in graph.edges}
    assert all("//" not in e.source + e.target for e in graph.edges)


def test_a_file_that_gives_a_service_no_image_only_adds_to_it() -> None:
    tracing = "services:\n  web: {environment: {OTEL_ENDPOINT: 'http://collector:4318'}}\n  collector: {image: collector}\n"

    edges = edges_of({"compose.yaml": COMPOSE, "compose.tracing.yaml": tracing})

    assert edges == CALLS | {("services.web", "connects_to", "services.collector")}


def test_a_service_takes_what_it_extends() -> None:
    text = "services:\n  base: {image: x, environment: {DB: 'db:5432'}}\n  job: {extends: {service: base}}\n  db: {image: y}\n"

    assert edges_of({"compose.yaml": text}) == {
        ("services.base", "connects_to", "services.db"), ("services.job", "connects_to", "services.db"),
    }  # fmt: skip


def test_a_workload_uses_what_its_pod_names() -> None:
    assert edges_of({"k8s/web.yaml": WEB, "k8s/rest.yaml": REST}) == {
        ("service/default/web", "routes_to", "deployment/default/web"),
        ("deployment/default/web", "connects_to", "service/default/api"),
        ("deployment/default/web", "connects_to", "service/default/cache"),
        ("deployment/default/web", "connects_to", "service/other/far"),
        ("deployment/default/web", "depends_on", "configmap/default/settings"),
        ("deployment/default/web", "depends_on", "secret/default/key"),
        ("deployment/default/web", "depends_on", "persistentvolumeclaim/default/data"),
        ("deployment/default/web", "depends_on", "serviceaccount/default/web"),
        ("httproute/default/site", "routes_to", "service/default/web"),
        ("gateway/default/front", "routes_to", "httproute/default/site"),
    }


def test_copies_of_the_same_objects_are_joined_inside_their_own_folder() -> None:
    graph = graph_of({"release/all.yaml": WEB, "base/web.yaml": WEB, "overlays/prod/web.yaml": WEB})

    assert all(e.source.partition("/")[0] == e.target.partition("/")[0] for e in graph.edges)
    assert len(graph.edges) == 6


def test_a_patch_is_no_object_and_a_generated_one_is() -> None:
    kustomization = """kind: Kustomization
resources: [../base]
patches: [{path: more.yaml}]
configMapGenerator: [{name: settings, literals: [A=1]}, {name: other, behavior: merge}]
"""
    patch = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n"

    found = {d.address: d.file for d in graph_of({
        "base/web.yaml": WEB, "over/kustomization.yaml": kustomization, "over/more.yaml": patch}).resources}  # fmt: skip

    assert "over/more.yaml" not in found.values()
    assert found["configmap/default/settings"] == "over/kustomization.yaml"
    assert not any("kustomization/" in address or "other" in address for address in found)


def test_policies_and_bindings_name_what_they_are_for() -> None:
    text = (
        WEB
        + """---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: only}
spec: {podSelector: {matchLabels: {app: web}}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: bot}}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: reader}, rules: []}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: b}
roleRef: {kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: bot}]
"""
    )

    assert {
        ("networkpolicy/default/only", "depends_on", "deployment/default/web"),
        ("rolebinding/default/b", "depends_on", "role/default/reader"),
        ("rolebinding/default/b", "depends_on", "serviceaccount/default/bot"),
    } <= edges_of({"all.yaml": text})
