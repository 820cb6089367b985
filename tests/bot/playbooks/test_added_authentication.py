"""Authentication that is put before an endpoint, and whether its callers send credentials."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

API = "arn:aws:apigateway:eu-west-1::/restapis/a1"
SAM = """Transform: AWS::Serverless-2016-10-31
Resources:
  Api:
    Type: AWS::Serverless::Api
    Properties: {{Name: shop, StageName: v1{auth}}}
  Hook:
    Type: AWS::Serverless::Function
    Properties:
      FunctionName: hook
      Handler: hook.handler
      Events:
        Post: {{Type: Api, Properties: {{RestApiId: !Ref Api, Path: /hooks/paid, Method: post{own}}}}}
"""
DEFAULT = ", Auth: {DefaultAuthorizer: Users, Authorizers: {Users: {UserPoolArn: x}}}"
SAM_FORMS = (SAM.format(auth="", own=""), SAM.format(auth=DEFAULT, own=""))
TERRAFORM = """resource "aws_apigatewayv2_api" "shop" {{
  name = "shop"
}}
resource "aws_apigatewayv2_route" "paid" {{
  api_id = aws_apigatewayv2_api.shop.id
  route_key = "POST /hooks/paid"
  authorization_type = "{kind}"
}}
"""
REST = """resource "aws_api_gateway_rest_api" "shop" {{
  name = "shop"
}}
resource "aws_api_gateway_resource" "hooks" {{
  rest_api_id = aws_api_gateway_rest_api.shop.id
  path_part   = "hooks"
}}
resource "aws_api_gateway_resource" "paid" {{
  rest_api_id = aws_api_gateway_rest_api.shop.id
  parent_id   = aws_api_gateway_resource.hooks.id
  path_part   = "paid"
}}
resource "aws_api_gateway_method" "paid" {{
  rest_api_id      = aws_api_gateway_rest_api.shop.id
  resource_id      = aws_api_gateway_resource.paid.id
  http_method      = "POST"
  authorization    = "NONE"
  api_key_required = {needs}
}}
"""
SERVERLESS = "service: shop\nprovider: {{name: aws, runtime: nodejs20.x}}\nfunctions:\n  hook:\n    handler: hook.handler\n    events:\n      - http: {{path: /hooks/paid, method: post{own}}}\n"
INGRESS = """apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  annotations:
    kubernetes.io/ingress.class: nginx
{more}spec:
  rules:
    - host: shop.example
      http:
        paths:
          - path: /hooks/paid
            pathType: Exact
            backend: {{service: {{name: hook, port: {{number: 80}}}}}}
"""
EXPRESS = 'const app = express();\napp.post("/hooks/paid", {guard}paid);\napp.listen(80);\n'
FORMS = [
    ("template.yaml", *SAM_FORMS),
    ("main.tf", TERRAFORM.format(kind="NONE"), TERRAFORM.format(kind="JWT")),
    ("main.tf", REST.format(needs="false"), REST.format(needs="true")),
    ("serverless.yml", SERVERLESS.format(own=""), SERVERLESS.format(own=", authorizer: users")),
    (
        "k8s/ingress.yaml",
        INGRESS.format(more=""),
        INGRESS.format(more="    nginx.ingress.kubernetes.io/auth-url: http://auth/verify\n"),
    ),
    ("src/app.js", EXPRESS.format(guard=""), EXPRESS.format(guard="requireAuth, ")),
]
WITHOUT = ['POST /v1/hooks/paid 204 12ms authorization=- ua="PayCo"', 'POST /hooks/paid 204 12ms authorization=- ua="PayCo"']
WITH = ["POST /hooks/paid 204 12ms authorization=bearer client=a"] * 30


def _statuses(form: tuple[str, str, str], *lines: str, counts: dict[str, float] | None = None) -> list[Status]:
    path, before, after = form
    production = MemoryProduction("github:acme/shop")
    api = production.resource(API, "aws.apigateway.api", "shop", is_deployed=True)
    hook = production.resource("arn:aws:lambda:eu-west-1:1:function:hook", "aws.lambda.function", "hook", is_deployed=True)
    production.edge(api, hook, "routes_to")
    production.metric(api, "Count{route=/hooks/paid}", "Count", 90.0)
    for name, value in (counts or {}).items():
        production.metric(api, name, "Count", value)
    production.log(api, *lines)
    evaluation = evaluation_of({path: before}, {path: after}, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "narrowed-endpoint"]


@pytest.mark.parametrize("form", FORMS)
def test_callers_that_send_no_credentials_are_confirmed(form: tuple[str, str, str]) -> None:
    line = WITHOUT[0] if form[0] == "template.yaml" else WITHOUT[1]

    assert _statuses(form, *[line] * 6) == [Status.CONFIRMED]


@pytest.mark.parametrize("form", FORMS)
def test_callers_that_all_send_some_are_refuted(form: tuple[str, str, str]) -> None:
    assert _statuses(form, *WITH) == [Status.REFUTED]


@pytest.mark.parametrize("form", FORMS)
def test_a_log_that_does_not_say_is_a_question(form: tuple[str, str, str]) -> None:
    assert _statuses(form, *["POST /hooks/paid 204 12ms"] * 30) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    "line",
    [
        '{"path": "x", "request": "POST /hooks/paid HTTP/1.1", "status": 204, "authorization": ""}',
        "POST /hooks/paid 204 auth=none",
        "POST /hooks/paid 200 api_key=null",
        "POST /hooks/paid 200 principal=anonymous",
        "POST /hooks/paid 200 token=-",
    ],
)
def test_spellings_of_no_credentials(line: str) -> None:
    assert _statuses(FORMS[1], *[line] * 5) == [Status.CONFIRMED]


def test_calls_that_are_refused_already_lose_nothing() -> None:
    assert _statuses(FORMS[1], *["POST /hooks/paid 403 authorization=-"] * 5, *WITH) == [Status.REFUTED]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"CallsWithoutToken": 0.0}, Status.REFUTED),
        ({"unauthenticated_requests{route=/hooks/paid}": 4.0}, Status.CONFIRMED),
        ({"requests{route=/hooks/paid,auth=none}": 0.0}, Status.REFUTED),
        ({"CallsWithoutToken": 4.0}, Status.PLAUSIBLE),
    ],
)
def test_counts_of_calls_without_credentials(counts: dict[str, float], expected: Status) -> None:
    assert _statuses(FORMS[1], counts=counts) == [expected]


def test_an_event_that_is_left_out_of_the_default_says_nothing() -> None:
    after = SAM.format(auth=DEFAULT, own=", Auth: {Authorizer: NONE}")

    assert _statuses(("template.yaml", SAM.format(auth="", own=""), after), *[WITHOUT[0]] * 6) == []
