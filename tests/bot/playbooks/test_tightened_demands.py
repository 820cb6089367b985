"""Handlers that let calls without a signature through until now, and what production says of those who call."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

SERVICE = "kubernetes:prod/a/deployment/hooks"
FLASK = 'from flask import Flask, abort, request\napp = Flask(__name__)\n\n\n@app.post("/hooks")\ndef hooks():\n    sig = request.headers.get("X-Signature", "")\n    if {before}not matches(request.get_data(), sig):\n        abort(401)\n    return "", 204\n'
EXPRESS = 'const app = require("express")();\napp.post("/hooks", (req, res) => {\n  const sig = req.get("x-signature");\n  if ({before}!verify(req.rawBody, sig)) return res.sendStatus(401);\n  res.sendStatus(204);\n});\n'
GO = 'package main\n\nfunc main() {\n\thttp.HandleFunc("POST /hooks", func(w http.ResponseWriter, r *http.Request) {\n\t\tsig := r.Header.Get("X-Signature")\n\t\tif {before}!verify(body, sig) {\n\t\t\thttp.Error(w, "no", http.StatusUnauthorized)\n\t\t\treturn\n\t\t}\n\t})\n}\n'
SINATRA = 'require "sinatra/base"\n\nclass Hooks < Sinatra::Base\n  post "/hooks" do\n    sig = request.env["HTTP_X_SIGNATURE"]\n    if {before}!valid?(sig)\n      halt 401\n    end\n    204\n  end\nend\n'
FORMS = {
    "app/web.py": (FLASK, "sig and "),
    "src/app.js": (EXPRESS, "sig && "),
    "main.go": (GO, 'sig != "" && '),
    "app.rb": (SINATRA, "sig && "),
}


def _statuses(base: dict[str, str], head: dict[str, str], production: MemoryProduction) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "narrowed-endpoint"]


def _production(*lines: str, **series: float) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(SERVICE, "kubernetes.deployment", "hooks", is_deployed=True)
    production.metric(SERVICE, "http_requests_per_second{route=/hooks,code=204}", "Count/Second", series.pop("rate", 9.0))
    for name, value in series.items():
        production.metric(SERVICE, name, "Count/Second", value)
    production.log(SERVICE, *lines)
    return production


@pytest.mark.parametrize("path", sorted(FORMS))
def test_a_signature_that_was_optional_is_a_question(path: str) -> None:
    text, before = FORMS[path]
    base, head = {path: text.replace("{before}", before)}, {path: text.replace("{before}", "")}

    assert _statuses(base, head, _production()) == [Status.PLAUSIBLE]
    assert _statuses(head, base, _production()) == []


@pytest.mark.parametrize(
    ("production", "expected"),
    [
        (_production(*["POST /hooks 204 signature=-"] * 5), Status.CONFIRMED),
        (_production(*['{"m": "POST", "path": "/hooks", "status": 204, "signed": false}'] * 5), Status.CONFIRMED),
        (_production(*["POST /hooks 204 signature=ab12"] * 40), Status.REFUTED),
        (_production(hooks_unsigned_requests_total=0.0), Status.REFUTED),
        (_production(rate=0.0), Status.REFUTED),
    ],
)
def test_who_signs_today_decides(production: MemoryProduction, expected: Status) -> None:
    text, before = FORMS["app/web.py"]

    assert _statuses(
        {"app/web.py": text.replace("{before}", before)}, {"app/web.py": text.replace("{before}", "")}, production
    ) == [expected]


def test_a_refusal_that_is_new_in_a_handler_is_told() -> None:
    open_to_all = FLASK.replace("    if {before}not matches(request.get_data(), sig):\n        abort(401)\n", "")

    assert _statuses({"app/web.py": open_to_all}, {"app/web.py": FLASK.replace("{before}", "")}, _production()) == [
        Status.PLAUSIBLE
    ]


def test_a_check_that_only_moves_into_a_function_is_silent() -> None:
    text = FLASK.replace("{before}", "")
    moved = text.replace("not matches(request.get_data(), sig)", "not is_signed(request, sig)")

    assert _statuses({"app/web.py": text}, {"app/web.py": moved}, _production()) == []
