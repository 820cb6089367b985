"""Calls of resources that no edge of production leads to yet: the change itself names them."""

from collections.abc import Mapping
from typing import Any

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

TABLE = "arn:aws:dynamodb:eu-west-1:1:table/club-rights"
PROVISIONED = {
    "BillingMode": "PROVISIONED",
    "ProvisionedThroughput.ReadCapacityUnits": 60,
    "ProvisionedThroughput.WriteCapacityUnits": 20,
}

HANDLER = "from .rights import may\n\n\ndef handler(event, context):\n{}    return {{'statusCode': 200}}\n"
RIGHTS = 'import os\n\nimport boto3\n\ntable = boto3.resource("dynamodb").Table({name})\n\n\ndef may(member):\n    return table.{call}\n'
GET = 'get_item(Key={"member": member}, ConsistentRead=True).get("Item")'
FROM_ENVIRONMENT = 'os.environ["RIGHTS_TABLE"]'
SERVERLESS = """service: api
provider: {{name: aws, runtime: python3.12}}
functions:
  resolve:
    name: resolve
    handler: api/resolve.handler
    environment:
      AUDIO: audio
{more}    events:
      - httpApi: GET /v3/stream
"""
SAM = """Transform: AWS::Serverless-2016-10-31
Resources:
  Resolve:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: resolve
      Handler: api/resolve.handler
      Environment:
        Variables:
          AUDIO: audio
{more}"""
TERRAFORM = """resource "aws_lambda_function" "resolve" {{
  function_name = "resolve"
  handler = "api/resolve.handler"
  environment {{
    variables = {{
      AUDIO = "audio"
{more}    }}
  }}
}}
"""


def _api(*, rate: float = 300.0, table: Mapping[str, Any] | None = None) -> MemoryProduction:
    production = MemoryProduction("github:acme/api")
    function = production.resource(
        "arn:aws:lambda:eu-west-1:1:function:resolve", "aws.lambda.function", "resolve", is_deployed=True
    )
    production.resource(TABLE, "aws.dynamodb.table", "club-rights", **(PROVISIONED if table is None else table))
    production.metric(function, "Invocations", "Count", rate * 300)
    production.metric(TABLE, "ConsumedReadCapacityUnits", "Count", 11 * 300)
    production.metric(TABLE, "ConsumedWriteCapacityUnits", "Count", 3 * 300)
    return production


def _told(base: Mapping[str, str], head: Mapping[str, str | None], production: MemoryProduction) -> list[str]:
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "added-call"]


def _python(name: str = FROM_ENVIRONMENT, call: str = GET) -> tuple[dict[str, str], dict[str, str | None]]:
    base = {"api/__init__.py": "", "api/resolve.py": HANDLER.format("").replace("from .rights import may\n", "")}
    return base, {"api/resolve.py": HANDLER.format("    may(event['m'])\n"), "api/rights.py": RIGHTS.format(name=name, call=call)}


MANIFESTS = {
    "serverless.yml": (SERVERLESS, "      RIGHTS_TABLE: club-rights\n"),
    "template.yaml": (SAM, "          RIGHTS_TABLE: club-rights\n"),
    "main.tf": (TERRAFORM, '      RIGHTS_TABLE = "club-rights"\n'),
}


@pytest.mark.parametrize("path", MANIFESTS)
@pytest.mark.parametrize(
    ("table", "rate", "status"),
    [
        ({}, 300.0, "confirmed"),
        ({"ProvisionedThroughput.ReadCapacityUnits": 6000}, 300.0, "refuted"),
        ({}, 2.0, "refuted"),
        ({"autoscaling_targets": ["dynamodb:table:ReadCapacityUnits"]}, 300.0, "none"),
        ({"BillingMode": "PAY_PER_REQUEST"}, 300.0, "none"),
    ],
)
def test_a_table_that_a_new_variable_names_is_held_against_its_units(
    path: str, table: dict[str, Any], rate: float, status: str
) -> None:
    text, more = MANIFESTS[path]
    base, head = _python()

    told = _told(
        {**base, path: text.format(more="")},
        {**head, path: text.format(more=more)},
        _api(rate=rate, table={**PROVISIONED, **table}),
    )

    assert told == ([] if status == "none" else [status])


def test_a_variable_that_was_there_before_counts_when_the_code_reads_it_from_now_on() -> None:
    base, head = _python()
    text, more = MANIFESTS["serverless.yml"]

    assert _told({**base, "serverless.yml": text.format(more=more)}, head, _api()) == ["confirmed"]


def test_a_name_in_the_code_counts() -> None:
    base, head = _python(name='"club-rights"')

    assert _told(base, head, _api()) == ["confirmed"]


def test_a_name_that_two_tables_have_is_not_taken_for_either() -> None:
    production = _api()
    production.resource(TABLE.replace("eu-west-1", "us-east-1"), "aws.dynamodb.table", "club-rights", **PROVISIONED)
    base, head = _python(name='"club-rights"')

    assert _told(base, head, production) == []


def test_another_name_is_not_taken_for_the_table() -> None:
    base, head = _python(name='"club-rights-v2"')

    assert _told(base, head, _api()) == []


@pytest.mark.parametrize(
    ("call", "status"),
    [
        ("put_item(Item={'member': member})", "confirmed"),
        ("update_item(Key={'member': member}, UpdateExpression='SET seen = :n')", "confirmed"),
    ],
)
def test_writes_are_held_against_write_units(call: str, status: str) -> None:
    base, head = _python(name='"club-rights"', call=call)

    assert _told(base, head, _api(rate=40, table={**PROVISIONED, "ProvisionedThroughput.ReadCapacityUnits": 9000})) == [status]


def test_writes_that_the_write_units_allow_are_refuted() -> None:
    base, head = _python(name='"club-rights"', call="put_item(Item={'member': member})")
    production = _api(
        rate=40,
        table={**PROVISIONED, "ProvisionedThroughput.ReadCapacityUnits": 1, "ProvisionedThroughput.WriteCapacityUnits": 900},
    )

    assert _told(base, head, production) == ["refuted"]


NODE = {
    "src/index.js": 'const { may } = require("./rights");\nexports.handler = async (event) => {\n%s  return { statusCode: 200 };\n};\n',
    "src/config.js": "exports.tables = { rights: process.env.RIGHTS_TABLE };\nexports.RIGHTS = process.env.RIGHTS_TABLE;\n",
}
NODE_CALLS = [
    'const { GetCommand } = require("@aws-sdk/lib-dynamodb");\nexports.may = (m) => client.send(new GetCommand({ TableName: process.env.RIGHTS_TABLE, Key: { m }, ConsistentRead: true }));\n',
    "const TABLE = process.env.RIGHTS_TABLE;\nexports.may = (m) => dynamodb.get({ TableName: TABLE, Key: { m }, ConsistentRead: true }).promise();\n",
    'const { RIGHTS } = require("./config");\nexports.may = async (m) => dynamodb.getItem({\n    TableName: RIGHTS,\n    Key: { m },\n    ConsistentRead: true,\n  }).promise();\n',
]


@pytest.mark.parametrize("text", NODE_CALLS)
def test_the_name_is_followed_through_constants(text: str) -> None:
    base = {
        "src/index.js": NODE["src/index.js"] % "",
        "serverless.yml": SERVERLESS.format(more="").replace("api/resolve", "src/index"),
    }
    head: dict[str, str | None] = {
        "src/index.js": NODE["src/index.js"] % "  await may(event.m);\n",
        "src/config.js": NODE["src/config.js"],
        "src/rights.js": text,
        "serverless.yml": SERVERLESS.format(more="      RIGHTS_TABLE: club-rights\n").replace("api/resolve", "src/index"),
    }

    assert _told(base, head, _api()) == ["confirmed"]


GO = """package main

import "os"

func handler(ctx context.Context, e Event) (Answer, error) {
%s	return Answer{}, nil
}
"""
GO_CALL = """	_, err := db.GetItem(ctx, &dynamodb.GetItemInput{
		TableName:      aws.String(os.Getenv("RIGHTS_TABLE")),
		ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return Answer{}, err
	}
"""


def test_go_reads_the_variable_in_the_call() -> None:
    text = TERRAFORM.replace("api/resolve.handler", "main")
    base = {"main.go": GO % "", "main.tf": text.format(more="")}

    assert _told(base, {"main.go": GO % GO_CALL, "main.tf": text.format(more=MANIFESTS["main.tf"][1])}, _api()) == ["confirmed"]


# -- services and caches ------------------------------------------------------------------------------

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  template:
    spec:
      containers:
        - name: web
          image: web:1
          env:
            - {{name: PORT, value: "8080"}}
{more}"""
SERVER = 'import os\n\nimport requests\nfrom fastapi import FastAPI\n\napp = FastAPI()\n\n\n@app.get("/cart")\ndef cart():\n{}    return {{}}\n'


def _cluster(*, cpu: float = 70.0, namespace: str = "core") -> MemoryProduction:
    production = MemoryProduction("github:acme/web")
    web = production.resource(
        "kubernetes:live/shop/deployment/web", "kubernetes.deployment", "web", is_deployed=True, namespace="shop"
    )
    rates = production.resource(
        f"kubernetes:live/{namespace}/deployment/rates", "kubernetes.deployment", "rates", namespace=namespace
    )
    production.metric(web, "http_requests_total{route=/cart}", "Count", 300 * 300)
    production.metric(rates, "http_requests_total", "Count", 200 * 300)
    production.metric(rates, "cpu_utilization", "Percent", cpu)
    return production


@pytest.mark.parametrize(
    ("host", "cpu", "namespace", "status"),
    [
        ("http://rates.core.svc.cluster.local:8080", 70.0, "core", ["confirmed"]),
        ("http://rates.core:8080", 70.0, "core", ["confirmed"]),
        ("http://rates.core.svc", 4.0, "core", ["plausible"]),
        ("http://rates.core.svc.cluster.local:8080", 70.0, "legacy", []),
        ("https://rates.vendor.example/v1", 70.0, "core", []),
    ],
)
def test_a_service_of_the_cluster_that_a_new_variable_names(host: str, cpu: float, namespace: str, status: list[str]) -> None:
    added = "    requests.get(os.environ['RATES_URL'] + '/v1')\n"
    base = {"app/main.py": SERVER.format(""), "k8s/web.yaml": DEPLOYMENT.format(more="")}
    more = f'            - {{name: RATES_URL, value: "{host}"}}\n'

    told = _told(
        base,
        {"app/main.py": SERVER.format(added), "k8s/web.yaml": DEPLOYMENT.format(more=more)},
        _cluster(cpu=cpu, namespace=namespace),
    )

    assert told == status
