"""Wrangler, workflows, Procfile, and how manifests are found at all."""

from pathlib import PurePosixPath

import pytest

from context_graph.manifests import Manifests, could_be_manifest, read_manifests, setting_changes
from context_graph.testing import MemoryTree
from gonogo.resource import Declared

TOML = """name = "edge"
main = "src/index.ts"
compatibility_date = "2024-01-01"
routes = ["a.example/*"]
kv_namespaces = [
  { binding = "CACHE", id = "c1" },
  { binding = "RATES", id = "c2" }, # two
]
[vars]
API = "https://x"
[[queues.producers]]
binding = "JOBS"
queue = "jobs"
[[queues.consumers]]
queue = "jobs"
max_batch_size = 10
dead_letter_queue = "dead"
[env.staging]
vars = { API = "https://y" }
"""


def reading(files: dict[str, str]) -> Manifests:
    return read_manifests(MemoryTree(files))


def only(manifests: Manifests, address: str) -> Declared:
    return next(d for d in manifests.resources if d.address == address)


def test_a_worker_has_bindings_with_the_line_of_each() -> None:
    worker = only(reading({"wrangler.toml": TOML}), "worker")

    assert worker.settings["bindings"].value == {"CACHE": "kv_namespace", "JOBS": "queue", "RATES": "kv_namespace"}
    assert {n: worker.settings[f"binding.{n}"].line for n in ("CACHE", "RATES", "JOBS")} == {"CACHE": 6, "RATES": 7, "JOBS": 11}
    assert worker.settings["routes"].value == ["a.example/*"]


def test_an_environment_inherits_routes_and_no_bindings() -> None:
    staging = only(reading({"wrangler.toml": TOML}), "env.staging.worker")

    assert (staging.name, staging.environment) == ("edge-staging", "staging")
    assert staging.settings["bindings"].value == {}
    assert staging.settings["environment.API"].value == "https://y"
    assert staging.settings["routes"].value == ["a.example/*"]


def test_queues_of_a_worker_are_edges() -> None:
    found = reading({"wrangler.toml": TOML})

    assert {(e.source, e.relation.value, e.target) for e in found.edges} >= {
        ("worker", "publishes_to", "queue/jobs"),
        ("queue/jobs", "triggers", "worker"),
        ("queue/jobs", "depends_on", "queue/dead"),
    }


def test_a_binding_that_went_deletes_no_queue() -> None:
    base = '{\n  // edge\n  "name": "edge", "main": "a.ts",\n  "queues": {"producers": [{"binding": "ORDERS", "queue": "orders"}],},\n}\n'
    head = '{"name": "edge", "main": "a.ts"}\n'

    changes = setting_changes(reading({"wrangler.jsonc": base}), reading({"wrangler.jsonc": head}))

    assert [c.key for c in changes] == ["binding.ORDERS", "binding.ORDERS.target", "bindings"]
    assert changes[0].old is not None
    assert (changes[0].old.value, changes[0].old.line, changes[0].new) == ("queue", 4, None)


def test_a_workflow_says_when_it_runs_and_that_it_deploys() -> None:
    text = (
        'on:\n  push: {paths: ["api/**"]}\n  schedule:\n    - cron: "0 1 * * *"\njobs:\n  ship:\n    steps:\n'
        "      - run: |\n          npm ci\n          npx wrangler deploy\n"
    )

    workflow = only(reading({".github/workflows/ship.yml": text}), "workflow/ship.yml")

    assert (workflow.settings["schedule"].value, workflow.settings["schedule"].line) == ("0 1 * * *", 4)
    assert workflow.settings["deploys"].value is True
    assert workflow.settings["push.paths"].value == ["api/**"]


def test_a_procfile_has_a_process_a_line() -> None:
    found = reading({"Procfile": "web: gunicorn app\n# no\nrelease: ./migrate\n"})

    assert [(d.name, d.line, d.settings["command"].text) for d in found.resources] == [
        ("web", 1, "gunicorn app"),
        ("release", 3, "./migrate"),
    ]


@pytest.mark.parametrize(
    "path", ["a/main.tf", "x.yaml", "wrangler.toml", "wrangler.jsonc", "Procfile", "stack.template", "p/prod.tfvars"]
)
def test_these_could_be_manifests(path: str) -> None:
    assert could_be_manifest(path)


@pytest.mark.parametrize(
    "path", ["a.py", "pyproject.toml", "package.json", "node_modules/a/b.yaml", "pnpm-lock.yaml", "README.md"]
)
def test_these_could_not(path: str) -> None:
    assert not could_be_manifest(path)


def test_only_the_wanted_paths_are_read() -> None:
    service = "apiVersion: v1\nkind: Service\nmetadata: {name: NAME}\n"
    tree = MemoryTree({f"{n}.yaml": service.replace("NAME", n) for n in "ab"} | {"m.tf": 'resource "aws_sqs_queue" "q" {}'})

    found = read_manifests(tree, ["a.yaml"])

    assert [PurePosixPath(d.file).name for d in found.resources] == ["a.yaml"]


def test_ordinary_yaml_and_json_are_no_manifests_and_no_complaint() -> None:
    found = reading({"a.yaml": "title: x\nitems: [", "b.json": '{"a": ', "i18n/en.yml": "en: {services: none}\n"})

    assert found == Manifests()


def test_a_variable_that_names_a_declared_resource_joins_them_across_files() -> None:
    found = reading(
        {
            "a.tf": 'resource "aws_sqs_queue" "q" {\n  name = "orders"\n}\n',
            "template.yaml": "Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Environment:\n        Variables:\n"
            "          QUEUE_URL: https://sqs.eu-west-1.amazonaws.com/123456789012/orders\n          STAGE: orders\n",
        }
    )

    assert [(e.source, e.target, e.line) for e in found.edges] == [("Resources.F", "aws_sqs_queue.q", 7)]
