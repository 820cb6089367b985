"""Names that a manifest takes away, and who still reads them."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status


def _statuses(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction | None) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "removed-name"]


def _function(rate: float = 300.0) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    found = production.resource(
        "arn:aws:lambda:eu-west-1:1:function:find",
        "aws.lambda.function",
        "find",
        is_deployed=True,
        environment_keys=["A", "SEARCH_URL"],
    )
    production.metric(found, "Invocations", "Count", rate)
    return production


SERVERLESS = "service: find\nprovider: {name: aws, runtime: nodejs20.x}\nfunctions:\n  find:\n    name: find\n    handler: src/find.handler\n    environment:\n      A: '1'\n"
READS = {"src/find.js": "exports.handler = () => fetch(process.env.SEARCH_URL);\n"}


def test_a_variable_that_code_still_needs_is_confirmed() -> None:
    base = {"serverless.yml": SERVERLESS + "      SEARCH_URL: https://s.example\n", **READS}

    assert _statuses(base, {"serverless.yml": SERVERLESS}, _function()) == [Status.CONFIRMED]


def test_a_variable_that_nothing_reads_is_refuted() -> None:
    base = {"serverless.yml": SERVERLESS + "      SEARCH_URL: https://s.example\n", "src/find.js": "exports.handler = () => 1;\n"}

    assert _statuses(base, {"serverless.yml": SERVERLESS}, _function()) == [Status.REFUTED]


def test_a_variable_whose_reads_go_with_it_is_refuted() -> None:
    base = {"serverless.yml": SERVERLESS + "      SEARCH_URL: https://s.example\n", **READS}
    head: dict[str, str | None] = {"serverless.yml": SERVERLESS, "src/find.js": "exports.handler = () => 1;\n"}

    assert _statuses(base, head, _function()) == [Status.REFUTED]


def test_a_variable_with_a_default_is_refuted() -> None:
    code = {"src/find.js": 'const url = process.env.SEARCH_URL ?? "https://s.example";\nexports.handler = () => fetch(url);\n'}
    base = {"serverless.yml": SERVERLESS + "      SEARCH_URL: https://s.example\n", **code}

    assert _statuses(base, {"serverless.yml": SERVERLESS}, _function()) == [Status.REFUTED]


def test_a_function_that_nobody_calls_is_refuted() -> None:
    base = {"serverless.yml": SERVERLESS + "      SEARCH_URL: https://s.example\n", **READS}

    assert _statuses(base, {"serverless.yml": SERVERLESS}, _function(rate=0)) == [Status.REFUTED]


DEPLOYMENT = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: mailer, namespace: mail}\nspec:\n  template:\n    spec:\n      containers:\n"
    "        - name: mailer\n          image: mailer:1\n          envFrom: [{configMapRef: {name: mailer-env}}]\n"
)
CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mailer-env, namespace: mail}\ndata:\n  API_URL: https://a.example\n"


def _mailer() -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    mailer = production.resource(
        "kubernetes:prod/mail/deployment/mailer",
        "kubernetes.deployment",
        "mailer",
        is_deployed=True,
        replicas=3,
        namespace="mail",
    )
    config = production.resource(
        "kubernetes:prod/mail/configmap/mailer-env",
        "kubernetes.configmap",
        "mailer-env",
        keys=["API_URL", "SMTP_HOST"],
        namespace="mail",
    )
    production.edge(mailer, config, "reads_from")
    return production


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('HOST = ENV.fetch("SMTP_HOST")\n', Status.CONFIRMED),
        ('HOST = ENV.fetch("SMTP_HOST", "localhost")\n', Status.REFUTED),
        ("HOST = 1\n", Status.REFUTED),
    ],
)
def test_a_key_of_a_config_map_is_missed_by_the_pods_that_take_it(code: str, expected: Status) -> None:
    base = {"k8s/worker.yaml": DEPLOYMENT, "k8s/config.yaml": CONFIG + "  SMTP_HOST: smtp.example\n", "app/smtp.rb": code}

    assert _statuses(base, {"k8s/config.yaml": CONFIG}, _mailer()) == [expected]


@pytest.mark.parametrize("reader", ["aaa", "zzz"])
def test_of_several_takers_of_a_config_map_the_one_that_misses_the_key_counts(reader: str) -> None:
    production = _mailer()
    config = "kubernetes:prod/mail/configmap/mailer-env"
    base = {"k8s/worker.yaml": DEPLOYMENT, "k8s/config.yaml": CONFIG + "  SMTP_HOST: smtp.example\n", "mailer/a.rb": "X = 1\n"}
    other = production.resource(
        f"kubernetes:prod/mail/deployment/{reader}",
        "kubernetes.deployment",
        reader,
        is_deployed=True,
        replicas=2,
        namespace="mail",
    )
    production.edge(other, config, "reads_from")
    base["k8s/other.yaml"] = DEPLOYMENT.replace("name: mailer, ", f"name: {reader}, ").replace(
        "name: mailer\n", f"name: {reader}\n"
    )
    base[f"{reader}/smtp.rb"] = 'HOST = ENV.fetch("SMTP_HOST")\n'

    assert _statuses(base, {"k8s/config.yaml": CONFIG}, production) == [Status.CONFIRMED]


def test_a_key_that_a_pod_names_by_itself_is_confirmed() -> None:
    pod = DEPLOYMENT.replace(
        "envFrom: [{configMapRef: {name: mailer-env}}]",
        "env:\n            - name: HOST\n              valueFrom: {configMapKeyRef: {name: mailer-env, key: SMTP_HOST}}",
    )
    base = {"k8s/worker.yaml": pod, "k8s/config.yaml": CONFIG + "  SMTP_HOST: smtp.example\n", "app/a.rb": 'ENV.fetch("HOST")\n'}

    assert _statuses(base, {"k8s/config.yaml": CONFIG}, _mailer()) == [Status.CONFIRMED]


def test_a_variable_that_moves_into_a_config_map_of_the_pod_is_refuted() -> None:
    before = DEPLOYMENT.replace("envFrom", "env: [{name: SMTP_HOST, value: smtp.example}]\n          envFrom")
    base = {"k8s/worker.yaml": before, "k8s/config.yaml": CONFIG, "app/smtp.rb": 'ENV.fetch("SMTP_HOST")\n'}
    head: dict[str, str | None] = {"k8s/worker.yaml": DEPLOYMENT, "k8s/config.yaml": CONFIG + "  SMTP_HOST: smtp.example\n"}

    assert _statuses(base, head, _mailer()) == [Status.REFUTED]


def test_a_repository_without_code_asks() -> None:
    base = {"k8s/worker.yaml": DEPLOYMENT, "k8s/config.yaml": CONFIG + "  SMTP_HOST: smtp.example\n"}

    assert _statuses(base, {"k8s/config.yaml": CONFIG}, _mailer()) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("export const submit = (env: Env, o: Order) => env.ORDERS.send(o);\n", Status.CONFIRMED),
        ("export interface Env {\n  ORDERS: Queue;\n}\nexport const submit = () => 1;\n", Status.REFUTED),
    ],
)
def test_a_binding_of_a_worker_is_missed_where_code_uses_it(code: str, expected: Status) -> None:
    production = MemoryProduction("github:acme/shop")
    worker = production.resource(
        "cloudflare:worker:edge", "cloudflare.worker", "edge", is_deployed=True, bindings={"ORDERS": "queue"}
    )
    production.metric(worker, "RequestsPerSecond", "Count/Second", 6.0)
    base = {
        "wrangler.toml": 'name = "edge"\nmain = "src/a.ts"\n\n[[queues.producers]]\nbinding = "ORDERS"\nqueue = "orders"\n',
        "src/a.ts": code,
    }

    assert _statuses(base, {"wrangler.toml": 'name = "edge"\nmain = "src/a.ts"\n'}, production) == [expected]


def test_a_changed_value_is_silent() -> None:
    base = {"serverless.yml": SERVERLESS + "      SEARCH_URL: https://s.example\n", **READS}

    assert _statuses(base, {"serverless.yml": SERVERLESS + "      SEARCH_URL: https://t.example\n"}, _function()) == []


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "docker-compose.yml",
            "services:\n  find:\n    image: find\n    environment:\n      A: '1'\n      SEARCH_URL: http://localhost\n",
            "services:\n  find:\n    image: find\n    environment:\n      A: '1'\n",
        ),
        (
            "k8s/overlays/staging/config.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: find-env}\ndata: {A: '1', SEARCH_URL: x}\n",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: find-env}\ndata: {A: '1'}\n",
        ),
    ],
)
def test_laptops_and_staging_are_not_production(path: str, before: str, after: str) -> None:
    assert _statuses({path: before, **READS}, {path: after}, _function()) == []


def test_the_development_block_of_a_worker_is_not_production() -> None:
    wrangler = 'name = "edge"\nmain = "src/a.ts"\n{top}\n[env.production]\nname = "edge-production"\n\n[[env.production.queues.producers]]\nbinding = "ORDERS"\nqueue = "orders"\n'
    top = '[[queues.producers]]\nbinding = "ORDERS"\nqueue = "orders-dev"\n'
    production = MemoryProduction("github:acme/shop")
    production.resource(
        "cloudflare:worker:edge-production",
        "cloudflare.worker",
        "edge-production",
        is_deployed=True,
        bindings={"ORDERS": "queue"},
    )
    production.resource("cloudflare:worker:edge", "cloudflare.worker", "edge", bindings={"ORDERS": "queue"})
    base = {"wrangler.toml": wrangler.format(top=top), "src/a.ts": "export const submit = (env, o) => env.ORDERS.send(o);\n"}

    assert _statuses(base, {"wrangler.toml": wrangler.format(top="")}, production) == []
