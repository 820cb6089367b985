"""What creates a name, and whether a word is still used."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.code import created_names, creations_in, uses_of

CREATES = [
    ("k8s/a.yaml", "kind: ConfigMap\nmetadata:\n  name: app\ndata:\n  FOO: y\n", {"FOO"}),
    ("k8s/a.yaml", "kind: Deployment\nspec:\n  containers:\n  - env:\n    - name: A\n      value: b\n", {"A"}),
    (
        "infra/main.tf",
        'resource "aws_lambda_function" "f" {\n environment {\n  variables = {\n   BUCKET = var.b\n  }\n }\n}\n',
        {"BUCKET"},
    ),
    ("infra/main.tf", 'resource "aws_ssm_parameter" "p" {\n name = "/prod/x"\n}\n', {"/prod/x"}),
    (
        "template.yaml",
        "Resources:\n  F:\n    Properties:\n      Environment:\n        Variables:\n          TABLE: !Ref T\n",
        {"TABLE"},
    ),
    ("wrangler.toml", '[vars]\nREGION = "x"\n[[queues.producers]]\nbinding = "ORDERS"\n', {"REGION", "ORDERS"}),
    (
        "wrangler.jsonc",
        '{"queues": {"producers": [{"binding": "ORDERS", "queue": "o"}]}, // c\n "vars": {"A": "1"}}',
        {"ORDERS", "A"},
    ),
    ("Dockerfile", "FROM x\nENV A=b \\\n  C=d\n", {"A", "C"}),
    ("fly.toml", '[env]\n  A = "1"\n', {"A"}),
    ("task.json", '{"containerDefinitions": [{"environment": [{"name": "A", "value": "1"}]}]}', {"A"}),
    (".env.production", "VITE_X=1\n", {"VITE_X"}),
    ("Procfile", "web: A=1 gunicorn x\n", {"A"}),
]


@pytest.mark.parametrize(("path", "text", "expected"), CREATES)
def test_a_manifest_creates_names(path: str, text: str, expected: set[str]) -> None:
    assert set(created_names(MemoryTree({path: text}, side="head"))) == expected


@pytest.mark.parametrize("path", [".env.example", ".env.local", "README.md", "tests/docker-compose.yml", "examples/k8s/a.yaml"])
def test_examples_tests_and_docs_create_nothing(path: str) -> None:
    assert created_names(MemoryTree({path: "environment:\n  A: 1\nA=1\n"}, side="head")) == {}


def test_a_name_without_a_value_is_only_passed_through() -> None:
    (creation,) = creations_in("docker-compose.yml", "services:\n  web:\n    environment:\n      - QUEUE_URL\n")

    assert not creation.has_value


def test_a_named_environment_of_a_worker_has_its_own_bindings() -> None:
    creations = creations_in("wrangler.toml", '[[env.production.queues.producers]]\nbinding = "ORDERS"\n')

    assert [(c.name, c.environment, c.line) for c in creations] == [("ORDERS", "production", 2)]


def test_a_reference_to_a_secret_needs_that_secret() -> None:
    (creation,) = creations_in(
        "k8s.yaml", "env:\n- name: S\n  valueFrom:\n    secretKeyRef: {name: sec, key: k, optional: true}\n"
    )

    assert [(n.kind, n.name, n.key, n.is_optional) for n in creation.needs] == [("secret", "sec", "k", True)]


def test_uses_are_classified_and_comments_are_none() -> None:
    tree = MemoryTree(
        {
            "app/a.py": "# order_id\nx = row.order_id\nrow.order_id = 3\ndb.execute('select order_id from t')\norder_id: Mapped[int] = mapped_column()\n",
            "app/b.ts": "const q = row.orderId; // orderId\n",
            "tests/test_a.py": "order_id",
            "migrations/1.py": "order_id",
            "docs/a.md": "order_id",
        },
        side="head",
    )

    uses = uses_of(tree, ["order_id"], spellings=True)["order_id"]

    assert [(u.file, u.line, u.how) for u in uses] == [
        ("app/a.py", 2, "read"),
        ("app/a.py", 3, "write"),
        ("app/a.py", 4, "string"),
        ("app/a.py", 5, "definition"),
        ("app/b.ts", 1, "read"),
    ]


def test_a_longer_word_is_not_the_word() -> None:
    tree = MemoryTree({"a.ts": "env.ORDERS_URL; env.ORDERS.send(x)\n"}, side="head")

    assert len(uses_of(tree, ["ORDERS"])["ORDERS"]) == 1
    assert uses_of(MemoryTree({"a.ts": "env.ORDERS_URL"}, side="head"), ["ORDERS"])["ORDERS"] == ()


def test_telling_an_orm_to_ignore_a_column_is_no_use() -> None:
    assert uses_of(MemoryTree({"a.rb": 'self.ignored_columns = ["old"]\n'}, side="head"), ["old"])["old"] == ()


def test_infrastructure_code_creates_names_and_other_code_does_not() -> None:
    cdk = 'import * as lambda from "aws-cdk-lib/aws-lambda";\nnew lambda.Function(this, "F", { environment: { TABLE: t.tableName } });\n'

    assert set(
        created_names(MemoryTree({"infra/stack.ts": cdk, "src/a.ts": "const o = { environment: { OTHER: 1 } };"}, side="head"))
    ) == {"TABLE"}
