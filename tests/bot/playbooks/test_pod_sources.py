"""A name that a program needs from its start, and pods that take their environment whole from ConfigMaps and Secrets."""

from collections.abc import Mapping, Sequence

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

CODE = {
    "src/config.ts": (
        'function need(n: string) {\n  const v = process.env[n];\n  if (!v) throw new Error(n);\n  return v;\n}\nexport const c = { url: need("DATABASE_URL")%s };\n',
        ', key: need("HMAC_KEY")',
    ),
    "app/config.py": ('import os\n\nURL = os.environ["DATABASE_URL"]\n%s', 'KEY = os.environ["HMAC_KEY"]\n'),
    "main.go": (
        'package main\n\nimport "os"\n\nfunc main() {\n%s\trun()\n}\n',
        '\tif os.Getenv("HMAC_KEY") == "" {\n\t\tpanic("HMAC_KEY")\n\t}\n',
    ),
    "config/initializers/key.rb": ("URL = ENV.fetch('DATABASE_URL')\n%s", "KEY = ENV.fetch('HMAC_KEY')\n"),
}
POD = """apiVersion: {api}
kind: {kind}
metadata: {{name: ledger, namespace: pay}}
spec:
  template:
    spec:
      containers:
        - name: api
          image: ledger:1
          envFrom:
            - secretRef: {{name: ledger-env}}
            - configMapRef: {{name: ledger-settings}}
{more}"""
DEPLOYMENT = POD.format(api="apps/v1", kind="Deployment", more="")
SECRET, SETTINGS = ["DATABASE_URL", "SENTRY_DSN"], ["REGION"]


def _production(
    *,
    secret: Sequence[str] | None = tuple(SECRET),
    settings: Sequence[str] | None = tuple(SETTINGS),
    kind: str = "deployment",
    live: Sequence[str] = (),
) -> MemoryProduction:
    production = MemoryProduction("github:acme/ledger")
    more = {"env_from": list(live)} if live else {}
    pod = production.resource(
        f"kubernetes:c/pay/{kind}/ledger", f"kubernetes.{kind}", "ledger", is_deployed=True, namespace="pay", **more
    )  # pyright: ignore[reportArgumentType]
    for name, store, keys in (("secret", "ledger-env", secret), ("configmap", "ledger-settings", settings)):
        listed = {"keys": list(keys)} if keys is not None else {}
        at = production.resource(f"kubernetes:c/pay/{name}/{store}", f"kubernetes.{name}", store, namespace="pay", **listed)  # pyright: ignore[reportArgumentType]
        production.edge(pod, at, "reads_from")
    production.metric(pod, "http_requests_total", "Count", 900)
    return production


def _told(
    production: MemoryProduction,
    *,
    code: str = "src/config.ts",
    manifest: str = DEPLOYMENT,
    more: Mapping[str, str] | None = None,
    changed: Mapping[str, str] | None = None,
    path: str = "k8s/ledger.yaml",
) -> list[str]:
    text, added = CODE[code]
    base = {code: text % "", path: manifest, **(more or {})}
    evaluation = evaluation_of(base, {code: text % added, **(changed or {})}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "missing-name"]


@pytest.mark.parametrize("code", CODE)
def test_a_name_that_no_source_of_the_pod_has_is_confirmed(code: str) -> None:
    assert _told(_production(), code=code) == ["confirmed"]


@pytest.mark.parametrize("code", CODE)
@pytest.mark.parametrize("facts", [{"secret": [*SECRET, "HMAC_KEY"]}, {"settings": ["HMAC_KEY"]}])
def test_a_name_that_one_of_them_has_is_refuted(code: str, facts: dict[str, list[str]]) -> None:
    assert _told(_production(**facts), code=code) == ["refuted"]


@pytest.mark.parametrize("facts", [{"secret": None}, {"settings": None}])
def test_a_source_whose_keys_were_not_read_leaves_it_open(facts: dict[str, None]) -> None:
    assert _told(_production(**facts)) == ["plausible"]


@pytest.mark.parametrize(("api", "kind"), [("apps/v1", "StatefulSet"), ("apps/v1", "DaemonSet")])
def test_other_workloads_count_as_well(api: str, kind: str) -> None:
    assert _told(_production(kind=kind.lower()), manifest=POD.format(api=api, kind=kind, more="")) == ["confirmed"]


def test_a_variable_of_the_manifest_itself_is_given() -> None:
    manifest = POD.format(api="apps/v1", kind="Deployment", more='          env:\n            - {name: HMAC_KEY, value: "x"}\n')

    assert _told(_production(), manifest=manifest) == ["refuted"]


def test_a_source_that_production_does_not_know_leaves_it_open() -> None:
    manifest = DEPLOYMENT.replace("{name: ledger-settings}", "{name: ledger-extra}")

    assert _told(_production(), manifest=manifest) == ["plausible"]


def test_a_source_that_only_the_live_workload_names_leaves_it_open() -> None:
    assert _told(_production(live=["secret/ledger-env", "configmap/ledger-settings", "secret/shared"])) == ["plausible"]
    assert _told(_production(live=["secret/ledger-env", "configmap/ledger-settings"])) == ["confirmed"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Dockerfile", 'FROM node:22\nENTRYPOINT ["doppler", "run", "--"]\nCMD ["node", "dist/index.js"]\n'),
        ("docker-entrypoint.sh", "#!/bin/sh\nexec chamber exec ledger -- node dist/index.js\n"),
        ("package.json", '{"scripts": {"start": "infisical run -- node dist/index.js"}}\n'),
    ],
)
def test_a_start_that_fetches_variables_leaves_it_open(path: str, text: str) -> None:
    assert _told(_production(), more={path: text}) == ["plausible"]


def test_an_injector_of_the_cluster_leaves_it_open() -> None:
    manifest = DEPLOYMENT.replace(
        "    spec:\n      containers",
        '    metadata:\n      annotations: {vault.hashicorp.com/agent-inject: "true"}\n    spec:\n      containers',
    )

    assert _told(_production(), manifest=manifest) == ["plausible"]


def test_an_image_that_sets_the_variable_gives_it() -> None:
    assert _told(_production(), more={"Dockerfile": "FROM node:22\nENV HMAC_KEY=unsafe\n"}) == ["refuted"]


@pytest.mark.parametrize(
    ("prefix", "joined", "expected"),
    [("", True, "refuted"), ("", False, "plausible"), ("            - prefix: APP_\n", True, "plausible")],
)
def test_what_a_pod_takes_whole_adds_to_its_own_list(prefix: str, joined: bool, expected: str) -> None:
    production = _production(secret=[*SECRET, "HMAC_KEY"])
    pod = "kubernetes:c/pay/deployment/ledger"
    production.resource(
        pod, "kubernetes.deployment", "ledger", namespace="pay", environment_keys=["PORT"], env_from=["secret/ledger-env"]
    )
    production.links = [e for e in production.links if joined or e.relation.value != "reads_from"]
    manifest = DEPLOYMENT.replace("          envFrom:\n", f"          envFrom:\n{prefix}")
    manifest = manifest.replace("- prefix: APP_\n            - secretRef", "- prefix: APP_\n              secretRef")

    assert _told(production, manifest=manifest) == [expected]


EXTERNAL = """apiVersion: external-secrets.io/v1beta1
kind: ExternalSecret
metadata: {{name: ledger-env, namespace: pay}}
spec:
  target: {{name: ledger-env}}
  data:
    - secretKey: DATABASE_URL
      remoteRef: {{key: prod/ledger, property: url}}
{more}"""
MORE = "    - secretKey: HMAC_KEY\n      remoteRef: {key: prod/ledger, property: hmac}\n"


def test_an_external_secret_that_gets_the_key_in_the_same_change_is_no_proof_of_absence() -> None:
    told = _told(
        _production(), more={"k8s/secret.yaml": EXTERNAL.format(more="")}, changed={"k8s/secret.yaml": EXTERNAL.format(more=MORE)}
    )

    assert told != ["confirmed"]


def test_a_config_map_that_gets_the_key_in_the_same_change_refutes() -> None:
    settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: ledger-settings, namespace: pay}}\ndata:\n  REGION: eu\n{more}"

    told = _told(
        _production(),
        more={"k8s/settings.yaml": settings.format(more="")},
        changed={"k8s/settings.yaml": settings.format(more="  HMAC_KEY: abc\n")},
    )

    assert told == ["refuted"]


CHART = {
    "chart/Chart.yaml": "apiVersion: v2\nname: ledger\nversion: 1.0.0\n",
    "chart/values.yaml": "replicas: 2\nsecret: ledger-env\nextra: []\n",
}
TEMPLATE = DEPLOYMENT.replace("spec:\n  template", "spec:\n  replicas: {{ .Values.replicas }}\n  template", 1)


def test_a_chart_whose_variables_stand_in_plain_text_counts() -> None:
    assert _told(_production(), manifest=TEMPLATE, more=CHART, path="chart/templates/ledger.yaml") == ["confirmed"]


def test_a_chart_that_may_give_more_variables_leaves_it_open() -> None:
    manifest = TEMPLATE + "          env:\n            {{- toYaml .Values.extra | nindent 12 }}\n"

    assert _told(_production(), manifest=manifest, more=CHART, path="chart/templates/ledger.yaml") == ["plausible"]


HEROKU = "heroku:ledger"


@pytest.mark.parametrize(
    ("kind", "key"),
    [
        ("heroku.app", "config_vars"),
        ("azure.web.app", "app_settings"),
        ("render.service", "env_vars"),
        ("fly.app", "secrets"),
        ("aws.elasticbeanstalk.environment", "environment_properties"),
        ("aws.ecs.service", "EnvironmentKeys"),
    ],
)
@pytest.mark.parametrize(("names", "status"), [(["DATABASE_URL"], "confirmed"), (["DATABASE_URL", "HMAC_KEY"], "refuted")])
def test_platforms_call_the_list_of_all_variables_by_names_of_their_own(
    kind: str, key: str, names: list[str], status: str
) -> None:
    production = MemoryProduction("github:acme/ledger")
    production.resource(HEROKU, kind, "ledger", is_deployed=True, **{key: names})  # pyright: ignore[reportArgumentType]
    production.metric(HEROKU, "Requests", "Count", 900)

    assert _told(production, manifest="web: node dist/index.js\n", path="Procfile") == [status]
