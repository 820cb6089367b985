import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "feature-flag"]


def a_shop(*, keys=("DATABASE_URL",), calls=None, cpu=90.0, rate=55.0, **attributes):
    production = MemoryProduction("github:acme/shop")
    web = production.resource(
        "kubernetes:prod/shop/deployment/web",
        "kubernetes.deployment",
        "web",
        is_deployed=True,
        environment_keys=list(keys),
        **attributes,
    )
    other = production.resource("kubernetes:prod/shop/deployment/recommender", "kubernetes.deployment", "recommender")
    production.edge(web, other, "invokes")
    production.metric(web, "http_requests_per_second{route=/books/{isbn}}", "Count/Second", rate)
    if calls is not None:
        production.metric(other, "http_requests_per_second", "Count/Second", calls)
        production.metric(other, "cpu_utilization", "Percent", cpu)
    return production


FLAGS = 'import os\n\n\ndef flag(name, default):\n    return os.environ.get(name, str(default)) == "True"\n\n\nNEW_MORE = flag("NEW_MORE", {})\n'
VIEW = """import requests
from flask import Flask

from shop import flags

app = Flask(__name__)


@app.get("/books/<isbn>")
def show(isbn):
    if {}flags.NEW_MORE:
        more = requests.get(f"{{RECOMMENDER_URL}}/for/{{isbn}}").json()
    else:
        more = []
    return more
"""
PYTHON = {"shop/flags.py": FLAGS.format("False"), "shop/view.py": VIEW.format("")}


@pytest.mark.parametrize(
    ("facts", "answer"),
    [
        ({}, ["plausible"]),
        ({"calls": 10.0}, ["confirmed"]),
        ({"calls": 9000.0, "cpu": 30.0}, ["refuted"]),
        ({"keys": ("NEW_MORE",)}, ["refuted"]),
        ({"environment": {"NEW_MORE": "false"}}, ["refuted"]),
    ],
)
def test_a_default_that_turns_is_held_against_what_it_calls(facts, answer) -> None:
    assert told(evaluation_of(PYTHON, {"shop/flags.py": FLAGS.format("True")}, a_shop(**facts))) == answer


def test_the_branch_that_no_longer_runs_does_not_count() -> None:
    files = {**PYTHON, "shop/view.py": VIEW.format("not ")}

    assert told(evaluation_of(files, {"shop/flags.py": FLAGS.format("True")}, a_shop(calls=10.0))) == []


NODE = """const on = process.env.NEW_MORE {};
const app = require("express")();
app.get("/books/:isbn", async (req, res) => {{
  res.json(on ? await (await fetch(`${{process.env.RECOMMENDER_URL}}/${{req.params.isbn}}`)).json() : []);
}});
"""


@pytest.mark.parametrize(("calls", "answer"), [(None, ["plausible"]), (10.0, ["confirmed"])])
def test_a_test_of_the_environment_that_turns_is_a_default(calls, answer) -> None:
    evaluation = evaluation_of({"a.js": NODE.format('=== "true"')}, {"a.js": NODE.format('!== "false"')}, a_shop(calls=calls))

    assert told(evaluation) == answer


MANIFEST = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  template:
    spec:
      containers:
        - name: web
          env:
            - {{name: NEW_MORE, value: "{}"}}
"""


def test_a_manifest_pins_the_default() -> None:
    files = {**PYTHON, "k8s/web.yaml": MANIFEST.format("false")}

    assert told(evaluation_of(files, {"shop/flags.py": FLAGS.format("True")}, a_shop(keys=()))) == ["refuted"]


@pytest.mark.parametrize(("calls", "answer"), [(10.0, ["confirmed"]), (None, ["plausible"])])
def test_a_value_in_a_manifest_turns_it(calls, answer) -> None:
    files = {**PYTHON, "k8s/web.yaml": MANIFEST.format("False")}

    assert told(evaluation_of(files, {"k8s/web.yaml": MANIFEST.format("True")}, a_shop(calls=calls))) == answer


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("shop/flags.py", "NEW_MORE = flag('NEW_MORE', False)\n", "NEW_MORE = flag('NEW_MORE', True)\n"),
        ("shop/style.py", "wide = False\n", "wide = True\n"),
        ("tests/test_flags.py", FLAGS.format("False"), FLAGS.format("True")),
    ],
)
def test_a_switch_with_nothing_behind_it_is_silent(path, old, new) -> None:
    assert told(evaluation_of({path: old}, {path: new}, a_shop())) == []
