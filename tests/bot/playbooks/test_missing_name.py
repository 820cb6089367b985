"""Names that code reads from now on, and whether production gives them."""

import pytest

from bot.report.json import json_report
from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

SERVICE = "arn:aws:ecs:eu-west-1:1:service/core/ledger"


def _statuses(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction | None) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "missing-name"]


def _production(
    kind: str = "aws.ecs.service", name: str = "ledger", *, rate: float | None = 4.0, **attributes: object
) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(SERVICE, kind, name, is_deployed=True, **attributes)
    if rate is not None:
        production.metric(SERVICE, "RequestCountPerSecond", "Count/Second", rate)
    return production


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("app/ledger.py", "import os\n", 'import os\n\nTOKEN = os.environ["LEDGER_TOKEN"]\n'),
        ("src/ledger.ts", "export {};\n", "export const client = new Ledger(process.env.LEDGER_TOKEN);\n"),
        ("app/ledger.rb", "class Ledger; end\n", 'class Ledger\n  TOKEN = ENV.fetch("LEDGER_TOKEN")\nend\n'),
        (
            "src/main/java/Ledger.java",
            "class Ledger {}\n",
            'class Ledger {\n  Ledger(@Value("${LEDGER_TOKEN}") String token) {}\n}\n',
        ),
        (
            "cmd/ledger/main.go",
            "package main\n",
            'package main\n\nimport "os"\n\nfunc main() {\n\ttoken := os.Getenv("LEDGER_TOKEN")\n\tif token == "" {\n\t\tpanic("no token")\n\t}\n\trun(token)\n}\n',
        ),
    ],
)
def test_a_required_name_that_the_live_list_lacks_is_confirmed(path: str, before: str, after: str) -> None:
    assert _statuses({path: before}, {path: after}, _production(environment_keys=["DATABASE_URL"])) == [Status.CONFIRMED]


def test_a_name_that_production_has_is_refuted() -> None:
    production = _production(environment_keys=["DATABASE_URL", "LEDGER_TOKEN"])

    assert _statuses({"a.py": "import os\n"}, {"a.py": 'import os\nT = os.environ["LEDGER_TOKEN"]\n'}, production) == [
        Status.REFUTED
    ]


def test_a_name_among_the_secrets_of_the_service_is_refuted() -> None:
    production = _production(environment_keys=["DATABASE_URL"], secrets=["LEDGER_TOKEN"])

    assert _statuses({"a.py": "import os\n"}, {"a.py": 'import os\nT = os.environ["LEDGER_TOKEN"]\n'}, production) == [
        Status.REFUTED
    ]


@pytest.mark.parametrize(
    ("manifest", "before", "after"),
    [
        (
            "infra/main.tf",
            'resource "aws_lambda_function" "ledger" {\n  function_name = "ledger"\n  environment {\n    variables = {\n      A = "1"\n    }\n  }\n}\n',
            'resource "aws_lambda_function" "ledger" {\n  function_name = "ledger"\n  environment {\n    variables = {\n      A = "1"\n      LEDGER_TOKEN = "x"\n    }\n  }\n}\n',
        ),
        (
            "k8s/ledger.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ledger, namespace: core}\nspec:\n  template:\n    spec:\n      containers:\n        - name: ledger\n          env:\n            - {name: A, value: '1'}\n",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ledger, namespace: core}\nspec:\n  template:\n    spec:\n      containers:\n        - name: ledger\n          env:\n            - {name: A, value: '1'}\n            - {name: LEDGER_TOKEN, value: x}\n",
        ),
    ],
)
def test_a_name_that_the_same_change_creates_is_refuted(manifest: str, before: str, after: str) -> None:
    base = {"a.py": "import os\n", manifest: before}
    head: dict[str, str | None] = {"a.py": 'import os\nT = os.environ["LEDGER_TOKEN"]\n', manifest: after}

    assert _statuses(base, head, _production(environment_keys=["A"])) == [Status.REFUTED]


def test_a_key_that_the_live_secret_lacks_is_confirmed_though_the_manifest_names_it() -> None:
    manifest = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ledger}\nspec:\n  template:\n    spec:\n      containers:\n        - name: ledger\n          env:\n"
    reference = (
        "            - name: LEDGER_TOKEN\n              valueFrom: {secretKeyRef: {name: ledger-keys, key: LEDGER_TOKEN}}\n"
    )
    production = _production("kubernetes.deployment", environment_keys=["A"])
    secret = production.resource("kubernetes:prod/core/secret/ledger-keys", "kubernetes.secret", "ledger-keys", keys=["OTHER"])
    production.edge(SERVICE, secret, "reads_from")
    base = {"a.py": "import os\n", "k8s/ledger.yaml": manifest + "            - {name: A, value: '1'}\n"}
    head: dict[str, str | None] = {
        "a.py": 'import os\nT = os.environ["LEDGER_TOKEN"]\n',
        "k8s/ledger.yaml": manifest + "            - {name: A, value: '1'}\n" + reference,
    }

    assert _statuses(base, head, production) == [Status.CONFIRMED]


@pytest.mark.parametrize(
    "after",
    [
        'import os\nMB = int(os.environ.get("MAX_MB", "25"))\n',
        'import os\nDSN = os.getenv("AUDIT_DSN")\nif DSN:\n    connect(DSN)\n',
    ],
)
def test_a_read_that_copes_is_refuted(after: str) -> None:
    assert _statuses({"a.py": "import os\n"}, {"a.py": after}, _production(environment_keys=["A"])) == [Status.REFUTED]


def test_a_service_whose_names_were_not_read_is_a_question() -> None:
    assert _statuses({"a.rb": "x = 1\n"}, {"a.rb": 'x = 1\nK = ENV.fetch("SMS_KEY")\n'}, _production()) == [Status.PLAUSIBLE]


def test_without_production_it_is_a_question_with_its_query() -> None:
    evaluation = evaluation_of({"a.rb": "x = 1\n"}, {"a.rb": 'x = 1\nK = ENV.fetch("SMS_KEY")\n'}, None)

    entries = [e for e in evaluation.ledger if e.trajectory.playbook == "missing-name"]
    assert [e.status for e in entries] == [Status.PLAUSIBLE]
    assert entries[0].trajectory.links[-1].query


def test_an_observability_key_that_is_off_when_empty_never_blocks() -> None:
    after = "Sentry.init({ dsn: process.env.SENTRY_DSN });\n"

    assert _statuses({"a.ts": "export {};\n"}, {"a.ts": after}, _production(environment_keys=["A"])) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({"a.py": 'import os\nT = os.environ["K"]\n'}, {"a.py": 'import os\n\nTOKEN = os.environ["K"]\n'}),
        ({"a.py": 'import os\nT = os.environ["K"]\n', "b.py": "x = 1\n"}, {"b.py": 'import os\nx = os.environ["K"]\n'}),
        ({"tests/test_a.py": "x = 1\n"}, {"tests/test_a.py": 'import os\nx = os.environ["K"]\n'}),
        ({"scripts/backfill.py": "x = 1\n"}, {"scripts/backfill.py": 'import os\nx = os.environ["K"]\n'}),
        ({"a.py": "x = 1\n"}, {"a.py": 'import os\nx = os.environ["AWS_REGION"]\n'}),
    ],
)
def test_names_that_are_not_new_or_not_for_production_are_silent(base: dict[str, str], head: dict[str, str | None]) -> None:
    assert _statuses(base, head, _production(environment_keys=["A"])) == []


def test_a_service_that_nobody_calls_is_refuted() -> None:
    production = _production(environment_keys=["A"], rate=0)

    assert _statuses({"a.py": "import os\n"}, {"a.py": 'import os\nT = os.environ["K"]\n'}, production) == [Status.REFUTED]


WRANGLER = 'name = "media"\nmain = "src/index.ts"\n{top}\n[env.production]\nname = "media-production"\n{inner}'
TOP = '[[r2_buckets]]\nbinding = "FILES"\nbucket_name = "files-dev"\n'
INNER = '[[env.production.r2_buckets]]\nbinding = "FILES"\nbucket_name = "files"\n'


@pytest.mark.parametrize(("inner", "expected"), [("", Status.CONFIRMED), (INNER, Status.REFUTED)])
def test_a_named_environment_of_a_worker_inherits_no_binding(inner: str, expected: Status) -> None:
    production = MemoryProduction("github:acme/shop")
    worker = production.resource(
        "cloudflare:worker:media-production",
        "cloudflare.worker",
        "media-production",
        is_deployed=True,
        bindings={"META": "kv_namespace"},
    )
    production.metric(worker, "RequestsPerSecond", "Count/Second", 12.0)
    base = {
        "wrangler.toml": WRANGLER.format(top="", inner=""),
        "src/index.ts": "export default { async fetch(req, env) { return env.META.get('a'); } };\n",
    }
    head: dict[str, str | None] = {
        "wrangler.toml": WRANGLER.format(top=TOP, inner=inner),
        "src/index.ts": "export default { async fetch(req, env) { await env.FILES.put('a', req.body); return env.META.get('a'); } };\n",
    }

    assert _statuses(base, head, production) == [expected]


def test_the_program_that_lacks_the_name_is_told_apart_by_its_handler() -> None:
    template = (
        "Transform: AWS::Serverless-2016-10-31\nResources:\n"
        "  A:\n    Type: AWS::Serverless::Function\n    Properties: {FunctionName: pay, Handler: pay.handler, CodeUri: pay/, Runtime: python3.12}\n"
        "  B:\n    Type: AWS::Serverless::Function\n    Properties: {FunctionName: mail, Handler: mail.handler, CodeUri: mail/, Runtime: python3.12}\n"
    )
    production = MemoryProduction("github:acme/shop")
    for name, keys in (("pay", ["A"]), ("mail", ["PAY_KEY"])):
        found = production.resource(
            f"arn:aws:lambda:eu-west-1:1:function:{name}", "aws.lambda.function", name, is_deployed=True, environment_keys=keys
        )
        production.metric(found, "Invocations", "Count", 300.0)
    base = {"template.yaml": template, "pay/pay.py": "import os\n", "mail/mail.py": "import os\n"}

    assert _statuses(base, {"pay/pay.py": 'import os\nK = os.environ["PAY_KEY"]\n'}, production) == [Status.CONFIRMED]


def test_a_secret_that_is_known_nowhere_is_a_question_though_the_manifest_names_it() -> None:
    pod = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ledger}\nspec:\n  template:\n    spec:\n      containers:\n        - name: ledger\n          env:\n            - {name: A, value: '1'}\n"
    reference = (
        "            - name: LEDGER_TOKEN\n              valueFrom: {secretKeyRef: {name: ledger-keys, key: LEDGER_TOKEN}}\n"
    )
    head: dict[str, str | None] = {"a.py": 'import os\nT = os.environ["LEDGER_TOKEN"]\n', "k8s/ledger.yaml": pod + reference}

    assert _statuses(
        {"a.py": "import os\n", "k8s/ledger.yaml": pod}, head, _production("kubernetes.deployment", environment_keys=["A"])
    ) == [Status.PLAUSIBLE]


def test_a_name_that_the_manifest_gave_before_is_refuted() -> None:
    pod = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ledger}\nspec:\n  template:\n    spec:\n      containers:\n        - name: ledger\n          env:\n            - name: LEDGER_TOKEN\n              valueFrom: {secretKeyRef: {name: ledger-keys, key: LEDGER_TOKEN}}\n"
    head: dict[str, str | None] = {"a.py": 'import os\nT = os.environ["LEDGER_TOKEN"]\n'}

    assert _statuses({"a.py": "import os\n", "k8s/ledger.yaml": pod}, head, _production("kubernetes.deployment")) == [
        Status.REFUTED
    ]


GO_MUST = 'package settings\n\nfunc must(name string) string {\n\tv, ok := os.LookupEnv(name)\n\tif !ok {\n\t\tlog.Fatal(name)\n\t}\n\treturn v\n}\n\nfunc Load() S {\n\treturn S{\n\t\tDSN: must("DATABASE_URL"),\n\t}\n}\n'
GO_ADDED = GO_MUST.replace('must("DATABASE_URL"),\n', 'must("DATABASE_URL"),\n\t\tKey: must("SIGNING_KEY"),\n')
TS_NEED = "export function need(name: string): string {\n  const value = process.env[name];\n  if (!value) throw new Error(name);\n  return value;\n}\n"
PY_NEED = "import os\n\ndef need(name):\n    return os.environ[name]\n"


@pytest.mark.parametrize(
    ("helper", "file", "before", "after"),
    [
        ({}, "internal/settings.go", GO_MUST, GO_ADDED),
        (
            {"src/lib/need.ts": TS_NEED},
            "src/mail.ts",
            'import { need } from "./lib/need";\nexport const a = need("DATABASE_URL");\n',
            'import { need } from "./lib/need";\nexport const a = need("DATABASE_URL");\nexport const b = need("SIGNING_KEY");\n',
        ),
        (
            {"app/config.py": PY_NEED},
            "app/mail.py",
            'from app.config import need\nA = need("DATABASE_URL")\n',
            'from app.config import need\nA = need("DATABASE_URL")\nB = need("SIGNING_KEY")\n',
        ),
    ],
)
@pytest.mark.parametrize(("keys", "expected"), [([], Status.CONFIRMED), (["SIGNING_KEY"], Status.REFUTED)])
def test_a_name_that_a_function_of_the_team_reads(
    helper: dict[str, str], file: str, before: str, after: str, keys: list[str], expected: Status
) -> None:
    base = {file: before, ".env.example": "DATABASE_URL=x\n", **helper}
    head: dict[str, str | None] = {file: after, ".env.example": "DATABASE_URL=x\nSIGNING_KEY=dev\n"}

    assert _statuses(base, head, _production(environment_keys=["DATABASE_URL", *keys])) == [expected]


@pytest.mark.parametrize(("settings", "expected"), [("{}", Status.CONFIRMED), ('{"Payments": {"Key": "x"}}', Status.REFUTED)])
def test_a_key_of_dotnet_may_stand_in_its_settings(settings: str, expected: Status) -> None:
    base = {"src/Program.cs": "var x = 1;\n", "src/appsettings.json": "{}"}
    head: dict[str, str | None] = {
        "src/Program.cs": 'var x = 1;\nvar key = builder.Configuration["Payments:Key"] ?? throw new Exception("x");\n',
        "src/appsettings.json": settings,
    }

    assert _statuses(base, head, _production(environment_keys=["A"])) == [expected]


@pytest.mark.parametrize(
    ("deploy", "expected"),
    [
        ("npx wrangler deploy --env production", Status.CONFIRMED),
        ("npx wrangler deploy -e production", Status.CONFIRMED),
        ("npx wrangler deploy", Status.REFUTED),
    ],
)
@pytest.mark.parametrize("read", ["env.FILES.put('a', req.body)", "(await env.FILES.get('a', 'json')) ?? null"])
def test_the_environment_that_is_deployed_is_the_one_that_needs_the_binding(deploy: str, expected: Status, read: str) -> None:
    production = MemoryProduction("github:acme/shop")
    for name, bindings in (
        ("media-production", {"META": "kv_namespace"}),
        ("media", {"META": "kv_namespace", "FILES": "r2_bucket"}),
    ):
        worker = production.resource(
            f"cloudflare:worker:{name}", "cloudflare.worker", name, is_deployed=True, bindings=dict(bindings)
        )
        production.metric(worker, "RequestsPerSecond", "Count/Second", 12.0)
    base = {
        "wrangler.toml": WRANGLER.format(top="", inner=""),
        "src/index.ts": "export default { async fetch(req, env) { return env.META.get('a'); } };\n",
        ".github/workflows/deploy.yml": f"on: push\njobs:\n  d:\n    steps:\n      - run: {deploy}\n",
    }
    head: dict[str, str | None] = {
        "wrangler.toml": WRANGLER.format(top=TOP, inner=""),
        "src/index.ts": f"export default {{ async fetch(req, env) {{ await {read}; return env.META.get('a'); }} }};\n",
    }

    assert _statuses(base, head, production) == [expected]


def test_a_binding_that_the_code_tests_for_is_not_needed() -> None:
    production = _production("cloudflare.worker", bindings={"META": "kv_namespace"})
    after = "export default { async fetch(req, env) {\n  if (!env.FILES) return fetch(req);\n  return env.FILES.get('a');\n} };\n"

    assert Status.CONFIRMED not in _statuses({"src/index.ts": "export default {};\n"}, {"src/index.ts": after}, production)


@pytest.mark.parametrize(
    ("name", "value"),
    [("LEDGER_PASSWORD", "hunter2Zq9"), ("LEDGER_TOKEN", "correcthorse"), ("LEDGER_DSN", "postgres://app:hunter2Zq9@db/x")],
)
def test_what_code_falls_back_to_for_a_secret_is_not_told(name: str, value: str) -> None:
    code = f'import os\n\nvalue = os.environ.get("{name}", "{value}")\n'

    evaluation = evaluation_of({"app/ledger.py": "import os\n"}, {"app/ledger.py": code}, _production(environment_keys=["PORT"]))

    told = [link.claim for e in evaluation.ledger for link in e.trajectory.links]
    assert any("fallback" in claim for claim in told)
    assert value not in json_report(evaluation)
