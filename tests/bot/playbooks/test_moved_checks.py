"""Health checks that ask another path, and what that path answers to one who sends no credentials."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

PODS = "kubernetes:prod/tours/deployment/tours"
MANIFEST = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: tours, namespace: tours}\nspec:\n  template:\n    spec:\n      containers:\n        - name: app\n          image: tours:1\n          {probe}:\n            httpGet: {path: {path}, port: 3000}\n"
EXPRESS = (
    'import express from "express";\nimport { requireToken } from "./auth.js";\nconst app = express();\napp.get("/healthz", ok);\n{before}app.use(requireToken);\n'
    'app.use("/tours", tours);\n{after}app.listen(3000);\n'
)
READY = 'app.get("/readyz", ready);\n'
AUTH_JS = "export function requireToken(req, res, next) {\n  if (!valid(req)) return res.status(401).end();\n  next();\n}\n"
GO = 'package main\n\nfunc routes(r chi.Router) {\n\tr.Get("/healthz", ok)\n{before}\tr.Use(auth.RequireToken)\n{after}\tr.Get("/tours", tours)\n}\n'
AUTH_GO = (
    'package auth\n\nfunc RequireToken(next http.Handler) http.Handler {\n\thttp.Error(w, "no", http.StatusUnauthorized)\n}\n'
)
FASTAPI = "from fastapi import Depends, FastAPI\nfrom .auth import require_token\n\napp = FastAPI(dependencies=[Depends(require_token)])\n\n\n@app.get('/readyz')\ndef ready(): ...\n"
AUTH_PY = "def require_token(x_token: str = Header()):\n    raise HTTPException(401)\n"
SPRING = (
    'class Web {\n  SecurityFilterChain chain(HttpSecurity http) {\n    return http.authorizeHttpRequests(a -> a.requestMatchers("/healthz"{more}).permitAll()\n'
    "        .anyRequest().authenticated()).build();\n  }\n}\n"
)
CONTROLLER = '@RestController\nclass Ready {\n  @GetMapping("/readyz")\n  String ready() { return "ok"; }\n\n  @GetMapping("/healthz")\n  String ok() { return "ok"; }\n}\n'


def _production(rate: float | None = 80.0, *lines: str, series: tuple[tuple[str, float], ...] = ()) -> MemoryProduction:
    production = MemoryProduction("github:acme/tours")
    production.resource(PODS, "kubernetes.deployment", "tours", is_deployed=True, namespace="tours", replicas=4)
    if rate is not None:
        production.metric(PODS, "http_requests_per_second", "Count/Second", rate)
    for name, value in series:
        production.metric(PODS, name, "Count", value)
    production.log(PODS, *lines)
    return production


def _statuses(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "probes-and-rollout"]


def _manifest(path: str, probe: str = "readinessProbe") -> dict[str, str]:
    return {"k8s/tours.yaml": MANIFEST.replace("{probe}", probe).replace("{path}", path)}


def _moves(code: dict[str, str], production: MemoryProduction, *, probe: str = "readinessProbe") -> list[Status]:
    return _statuses({**_manifest("/healthz", probe), **code}, _manifest("/readyz", probe), production)


def _express(*, before: str = "", after: str = READY) -> dict[str, str]:
    return {"src/app.js": EXPRESS.replace("{before}", before).replace("{after}", after), "src/auth.js": AUTH_JS}


FLASK = "from flask import Flask, abort, request\napp = Flask(__name__)\n\n\n@app.before_request\ndef check():\n    if request.path not in ({open}) and not valid(request.headers.get('X-Token')):\n        abort(401)\n\n\n@app.get('/healthz')\ndef ok(): ...\n\n\n@app.get('/readyz')\ndef ready(): ...\n"
RAILS = {
    "config/routes.rb": 'Rails.application.routes.draw do\n  get "/healthz", to: "health#ok"\n  get "/readyz", to: "tours#ready"\nend\n',
    "app/controllers/health_controller.rb": "class HealthController < ActionController::API\n  def ok; head :ok; end\nend\n",
    "app/controllers/tours_controller.rb": "class ToursController < ApplicationController\n  before_action :authenticate_user!{options}\n  def ready; head :ok; end\nend\n",
}
BEHIND = {
    "express": _express(),
    "go": {"main.go": GO.replace("{before}", "").replace("{after}", '\tr.Get("/readyz", ready)\n'), "auth/auth.go": AUTH_GO},
    "fastapi": {"app/main.py": FASTAPI + "\n\n@app.get('/healthz')\ndef ok(): ...\n", "app/auth.py": AUTH_PY},
    "spring": {"src/main/java/Web.java": SPRING.replace("{more}", ""), "src/main/java/Ready.java": CONTROLLER},
    "koa": {"src/app.js": 'const router = new Router();\nrouter.get("/healthz", ok);\nrouter.use(requireToken);\nrouter.get("/readyz", ready);\n', "src/auth.js": AUTH_JS},
    "flask": {"app.py": FLASK.replace("{open}", "'/healthz',")},
    "rails": {p: t.replace("{options}", "") for p, t in RAILS.items()},
}  # fmt: skip


@pytest.mark.parametrize("code", list(BEHIND.values()), ids=list(BEHIND))
@pytest.mark.parametrize("probe", ["readinessProbe", "livenessProbe"])
def test_a_path_behind_a_wall_is_confirmed(code: dict[str, str], probe: str) -> None:
    assert _moves(code, _production(), probe=probe) == [Status.CONFIRMED]


def test_a_path_behind_a_wall_of_a_program_of_unknown_traffic_is_a_question() -> None:
    assert _moves(_express(), _production(None)) == [Status.PLAUSIBLE]


@pytest.mark.parametrize(
    "code",
    [
        _express(before=READY, after=""),
        {**_express(), "src/auth.js": 'const open = ["/readyz"];\n' + AUTH_JS},
        {
            "main.go": GO.replace("{before}", '\tr.Get("/readyz", ready)\n').replace("{after}", ""),
            "auth/auth.go": AUTH_GO,
        },
        {"src/main/java/Web.java": SPRING.replace("{more}", ', "/readyz"'), "src/main/java/Ready.java": CONTROLLER},
        {"app.py": FLASK.replace("{open}", "'/healthz', '/readyz'")},
        {p: t.replace("{options}", ", except: [:ready]") for p, t in RAILS.items()},
    ],
    ids=["above", "let through", "above in go", "permitted", "listed", "left out"],
)
def test_a_path_that_anyone_may_ask_is_silent(code: dict[str, str]) -> None:
    assert _moves(code, _production()) == []


@pytest.mark.parametrize(
    "line",
    [
        '{"m": "GET", "path": "/readyz", "status": 401, "ua": "curl/8.5.0"}',
        "level=warn method=GET path=/readyz status=401 dur=1ms",
        '10.0.0.9 - - [08/May/2026:02:06:25 +0000] "GET /readyz HTTP/1.1" 401 12 "-" "kube-probe/1.29"',
        "GET /readyz 404 1ms",
        "req 401 GET /readyz",
    ],
)
def test_lines_that_show_the_path_refused_confirm(line: str) -> None:
    assert _moves(_express(before=READY, after=""), _production(80.0, *[line] * 4)) == [Status.CONFIRMED]


@pytest.mark.parametrize(
    "line",
    [
        '10.0.0.9 - - [08/May/2026:02:06:25 +0000] "GET /readyz HTTP/1.1" 200 12 "-" "kube-probe/1.29"',
        '{"m": "GET", "path": "/readyz", "status": 200, "token": false}',
        'method=GET path=/readyz status=204 ua="ELB-HealthChecker/2.0"',
    ],
)
@pytest.mark.parametrize("code", [_express(), _express(before=READY, after="")], ids=["walled", "open"])
def test_checks_that_are_answered_today_refute(line: str, code: dict[str, str]) -> None:
    assert _moves(code, _production(80.0, *[line] * 4)) == [Status.REFUTED]


def test_calls_with_credentials_say_nothing_of_a_check() -> None:
    line = '{"m": "GET", "path": "/readyz", "status": 200, "token": true}'

    assert _moves(_express(), _production(80.0, *[line] * 4)) == [Status.CONFIRMED]


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("probe_success{path=/readyz,port=3000}", 1.0, [Status.REFUTED]),
        ("probe_success{target=http://tours:3000/readyz}", 0.0, [Status.CONFIRMED]),
        ("http_requests_total{path=/readyz,status=503}", 4.0, [Status.CONFIRMED]),
    ],
)
def test_series_of_the_path_tell(name: str, value: float, expected: list[Status]) -> None:
    assert _moves(_express(before=READY, after=""), _production(80.0, series=((name, value),))) == expected


TARGETS = 'Resources:\n  Targets:\n    Type: AWS::ElasticLoadBalancingV2::TargetGroup\n    Properties:\n      Name: tours\n      Port: 3000\n      HealthCheckPath: {path}\n      Matcher: {HttpCode: "{codes}"}\n  Service:\n    Type: AWS::ECS::Service\n    Properties:\n      ServiceName: tours\n      LoadBalancers:\n        - {ContainerPort: 3000, TargetGroupArn: !Ref Targets}\n'
TERRAFORM = 'resource "aws_lb_target_group" "tours" {\n  name = "tours"\n  port = 3000\n  health_check {\n    path    = "{path}"\n    matcher = "{codes}"\n  }\n}\n'


@pytest.mark.parametrize(("file", "text"), [("template.yaml", TARGETS), ("infra/lb.tf", TERRAFORM)])
@pytest.mark.parametrize(("status", "codes", "expected"), [(301, "200", [Status.CONFIRMED]), (301, "200-399", [Status.REFUTED])])
def test_a_target_group_takes_only_its_own_codes(file: str, text: str, status: int, codes: str, expected: list[Status]) -> None:
    production = MemoryProduction("github:acme/tours")
    group = production.resource(
        "arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/tours/1", "aws.elb.target_group", "tours", is_deployed=True
    )
    service = production.resource("arn:aws:ecs:eu-west-1:1:service/halls/tours", "aws.ecs.service", "tours", is_deployed=True)
    production.edge(group, service, "routes_to")
    production.metric(group, "RequestCount", "Count", 24_000.0)
    production.log(service, *[f'GET /status {status} ua="curl/8"'] * 5)
    base = {file: text.replace("{path}", "/status/").replace("{codes}", codes)}

    assert _statuses(base, {file: text.replace("{path}", "/status").replace("{codes}", codes)}, production) == expected


def test_a_wall_that_comes_to_stand_before_the_path_is_confirmed() -> None:
    code = _express(before=READY, after="")
    head = {
        "src/app.js": code["src/app.js"]
        .replace(READY, "")
        .replace("app.use(requireToken);\n", "app.use(requireToken);\n" + READY)
    }

    assert _statuses({**_manifest("/readyz"), **code}, head, _production()) == [Status.CONFIRMED]


def test_a_path_that_is_new_with_the_change_is_not_held_against_lines_of_before() -> None:
    code = _express(before="", after="")
    head = {**_manifest("/readyz"), "src/app.js": _express(before=READY, after="")["src/app.js"]}

    assert _statuses({**_manifest("/healthz"), **code}, head, _production(80.0, *["GET /readyz 404 1ms"] * 4)) == []


@pytest.mark.parametrize("harmless", ["app.use(passport.initialize());\n", "app.use(csrfToken);\n", "app.use(optionalAuth);\n"])
def test_middleware_that_turns_nobody_away_is_no_wall(harmless: str) -> None:
    code = _express()
    code = {**code, "src/app.js": code["src/app.js"].replace("app.use(requireToken);\n", harmless)}

    assert _moves(code, _production()) == []
