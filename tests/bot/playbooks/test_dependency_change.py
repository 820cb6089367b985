import json

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "dependency-change"]


def a_function(*, calls=240.0):
    production = MemoryProduction("github:acme/mail")
    function = production.resource(
        "arn:aws:lambda:eu-west-1:1:function:mail", "aws.lambda.function", "mail", is_deployed=True, runtime="python3.9"
    )
    if calls is not None:
        production.metric(function, "Invocations", "Count", calls)
    return production


def a_service(*, rate=80.0):
    production = MemoryProduction("github:acme/basket")
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/shop/basket", "aws.ecs.service", "basket", is_deployed=True)
    if rate is not None:
        production.metric(service, "RequestCountPerSecond", "Count/Second", rate)
    return production


SAM = """Transform: AWS::Serverless-2016-10-31
Resources:
  F:
    Type: AWS::Serverless::Function
    Properties: {{FunctionName: mail, CodeUri: src/, Handler: app.handler, Runtime: {}}}
"""
TERRAFORM = 'resource "aws_lambda_function" "f" {{\n  function_name = "mail"\n  handler = "app.handler"\n  runtime = "{}"\n}}\n'


@pytest.mark.parametrize(("path", "manifest"), [("template.yaml", SAM), ("main.tf", TERRAFORM)])
@pytest.mark.parametrize(
    ("code", "calls", "answer"),
    [
        ("from distutils.util import strtobool\n", 240.0, ["confirmed"]),
        ("import asyncore\n", 240.0, ["confirmed"]),
        ("import json\n", 240.0, ["refuted"]),
        ("try:\n    import distutils\nexcept ImportError:\n    distutils = None\n", 240.0, ["refuted"]),
        ("import imp\n", None, ["plausible"]),
    ],
)
def test_modules_that_a_runtime_no_longer_has_are_looked_for(path, manifest, code, calls, answer) -> None:
    base = {path: manifest.format("python3.9"), "src/app.py": code + "def handler(event, context):\n    return 1\n"}

    assert told(evaluation_of(base, {path: manifest.format("python3.12")}, a_function(calls=calls))) == answer


def test_a_package_that_provides_the_module_copes() -> None:
    base = {
        "template.yaml": SAM.format("python3.9"),
        "src/app.py": "import distutils\n",
        "src/requirements.txt": "setuptools==70.0\n",
    }

    assert told(evaluation_of(base, {"template.yaml": SAM.format("python3.12")}, a_function())) == ["refuted"]


def package(**versions):
    return json.dumps({"dependencies": versions}, indent=2) + "\n"


OLD = 'const client = require("redis").createClient();\nexports.load = (id, cb) => client.get(id, (err, raw) => cb(err, raw));\n'
NEW = 'const client = require("redis").createClient();\nclient.connect();\nexports.load = async (id) => await client.get(id);\n'


@pytest.mark.parametrize(
    ("code", "rate", "answer"), [(OLD, 80.0, ["confirmed"]), (NEW, 80.0, ["refuted"]), (OLD, None, ["plausible"])]
)
def test_a_client_that_must_connect_and_promise(code, rate, answer) -> None:
    base = {"package.json": package(redis="3.1.2"), "src/sessions.js": OLD}

    evaluation = evaluation_of(base, {"package.json": package(redis="^4.6.0"), "src/sessions.js": code}, a_service(rate=rate))

    assert told(evaluation) == answer


@pytest.mark.parametrize(
    ("before", "after", "code"),
    [
        ("pydantic==1.10.2\n", "pydantic==2.6.0\n", "from pydantic import BaseSettings\n"),
        ("SQLAlchemy>=1.4\n", "SQLAlchemy>=2.0\n", "rows = engine.execute('SELECT 1')\n"),
        ("Flask==2.2.5\n", "Flask==3.0.0\n", "@app.before_first_request\ndef start(): ...\n"),
    ],
)
def test_python_libraries_are_looked_up(before, after, code) -> None:
    base = {"requirements.txt": before, "app/main.py": code}

    assert told(evaluation_of(base, {"requirements.txt": after}, a_service())) == ["confirmed"]


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "package.json",
            json.dumps({"devDependencies": {"redis": "3.1.2"}}),
            json.dumps({"devDependencies": {"redis": "4.6.0"}}),
        ),
        ("package.json", package(redis="3.1.1"), package(redis="3.1.2")),
        ("package.json", package(leftpad="1.0.0"), package(leftpad="2.0.0")),
        ("requirements-dev.txt", "pydantic==1.10\n", "pydantic==2.0\n"),
        ("Gemfile", 'group :test do\n  gem "redis", "4.0"\nend\n', 'group :test do\n  gem "redis", "5.0"\nend\n'),
        ("package.json", "[" * 5000, "{" * 9000),
    ],
)
def test_what_does_not_run_or_is_not_known_is_silent(path, before, after) -> None:
    assert told(evaluation_of({path: before, "src/a.js": OLD, "a.rb": "Redis.current\n"}, {path: after}, a_service())) == []


def test_the_image_of_the_last_stage_is_the_runtime() -> None:
    text = "FROM node:20 AS build\nFROM python:{}-slim\nCOPY . .\n"
    base = {"Dockerfile": text.format("3.11"), "app/main.py": "import cgi\n"}

    assert told(evaluation_of(base, {"Dockerfile": text.format("3.13")}, a_service())) == ["confirmed"]
    assert told(evaluation_of(base, {"Dockerfile": text.format("3.12")}, a_service())) == ["refuted"]
