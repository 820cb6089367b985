"""`gonogo surface` and `gonogo graph export`: what code exposes and needs, and what manifests declare."""

import pytest

APP = """from fastapi import FastAPI
import os

app = FastAPI()
KEY = os.environ["MAILER_KEY"]
TTL = os.getenv("TTL", "60")
{dsn}

@app.get("/v1/quotes/{{quote_id}}")
def quote(quote_id: int): ...

{more}
"""
BASE = {
    "app.py": APP.format(
        dsn='DSN = os.getenv("SENTRY_DSN", "none")', more='@app.delete("/v1/quotes/{quote_id}")\ndef gone(quote_id: int): ...'
    ),
    "docker-compose.yml": "services:\n  web:\n    environment:\n      MAILER_KEY: k\n      OLD: x\n",
}
HEAD = {
    "app.py": APP.format(dsn='DSN = os.environ["SENTRY_DSN"]', more='@app.post("/v1/orders")\ndef order(): ...'),
    "docker-compose.yml": "services:\n  web:\n    environment:\n      MAILER_KEY: k\n      NEW: x\n",
}


def keys(rows, *names):
    return {tuple(row[name] for name in names) for row in rows}


def test_the_surface_of_a_commit_has_routes_reads_and_what_is_created(verb, a_repository):
    checkout = a_repository(BASE)

    seen = verb("surface", "--repo", checkout.folder, "--ref", "main", "--format", "json").report

    assert keys(seen["routes"], "method", "path", "file", "line") == {
        ("GET", "/v1/quotes/{}", "app.py", 9),
        ("DELETE", "/v1/quotes/{}", "app.py", 12),
    }
    assert keys(seen["reads"], "kind", "name", "requirement", "phase", "file", "line") == {
        ("env", "MAILER_KEY", "required", "run", "app.py", 5),
        ("env", "TTL", "default", "run", "app.py", 6),
        ("env", "SENTRY_DSN", "default", "run", "app.py", 7),
    }
    assert keys(seen["creates"], "kind", "name", "file", "line") == {
        ("env", "MAILER_KEY", "docker-compose.yml", 4),
        ("env", "OLD", "docker-compose.yml", 5),
    }
    assert "removed" not in seen


def test_for_a_range_it_says_what_is_removed_added_and_narrowed_of_each(verb, a_repository):
    checkout = a_repository(BASE, HEAD)

    seen = verb("surface", "--repo", checkout.folder, "--base", "main", "--head", "pr", "--format", "json").report

    assert keys(seen["removed"]["routes"], "method", "path") == {("DELETE", "/v1/quotes/{}")}
    assert keys(seen["added"]["routes"], "method", "path", "line") == {("POST", "/v1/orders", 12)}
    assert keys(seen["narrowed"]["reads"], "name", "was", "requirement") == {("SENTRY_DSN", "default", "required")}
    assert keys(seen["removed"]["creates"], "name") == {("OLD",)}
    assert keys(seen["added"]["creates"], "name") == {("NEW",)}
    assert (seen["removed"]["reads"], seen["added"]["reads"], seen["narrowed"]["creates"]) == ([], [], [])


def test_a_new_required_field_narrows_its_route(verb, a_repository):
    model = "from fastapi import FastAPI\nfrom pydantic import BaseModel\napp = FastAPI()\n\nclass Job(BaseModel):\n    name: str\n{0}\n\n@app.post('/jobs')\ndef create(body: Job): ...\n"
    checkout = a_repository({"a.py": model.format("")}, {"a.py": model.format("    queue: str")})

    seen = verb("surface", "--repo", checkout.folder, "--base", "main", "--head", "pr", "--format", "json").report

    (narrowed,) = seen["narrowed"]["routes"]
    assert (narrowed["method"], narrowed["path"], narrowed["how"], narrowed["name"]) == ("POST", "/jobs", "new required", "queue")
    assert (narrowed["file"], narrowed["line"]) == ("a.py", 7)


def test_as_text_a_range_is_only_what_differs(verb, a_repository):
    checkout = a_repository(BASE, HEAD)

    said = verb("surface", "--repo", checkout.folder, "--base", "main", "--head", "pr")

    assert said.status == 0
    assert "- route   DELETE /v1/quotes/{}  app.py:12\n" in said.out
    assert "! read    env SENTRY_DSN required at run  app.py:7 (was default)\n" in said.out
    assert "MAILER_KEY" not in said.out


@pytest.mark.parametrize("wrong", [(), ("--base", "main"), ("--ref", "main", "--head", "pr"), ("--ref", "no-such")])
def test_a_wrong_call_of_surface_is_2_with_one_line(verb, a_repository, wrong):
    checkout = a_repository(BASE)

    said = verb("surface", "--repo", checkout.folder, *wrong)

    assert (said.status, said.out) == (2, "")
    assert said.line


TERRAFORM = """resource "aws_sqs_queue" "orders" {
  name = "orders"
}

resource "aws_lambda_function" "work" {
  function_name = "order-worker"
  timeout       = 30
}

resource "aws_lambda_event_source_mapping" "work" {
  count            = var.on ? 1 : 0
  event_source_arn = aws_sqs_queue.orders.arn
  function_name    = aws_lambda_function.work.arn
}
"""


def test_the_graph_of_a_repository_is_what_its_manifests_declare(verb, a_repository):
    checkout = a_repository({"infra/main.tf": TERRAFORM, "infra/broken.tf": 'resource "aws_sqs_queue" "x" {\n'})

    seen = verb("graph", "export", "--repo", checkout.folder, "--ref", "main", "--format", "json").report

    by_id = {r["id"]: r for r in seen["resources"]}
    queue = by_id["aws_sqs_queue.orders"]
    assert {k: queue[k] for k in ("kind", "name", "file", "line", "conditional")} == {
        "kind": "aws.sqs.queue", "name": "orders", "file": "infra/main.tf", "line": 1, "conditional": False,
    }  # fmt: skip
    edge = next(e for e in seen["edges"] if e["relation"] == "triggers")
    assert (edge["source"], edge["target"], edge["file"]) == ("aws_sqs_queue.orders", "aws_lambda_function.work", "infra/main.tf")
    assert edge["line"] > 0
    assert edge["evidence"]
    assert {n["file"] for n in seen["not_read"]} == {"infra/broken.tf"}
    assert all(n["why"] for n in seen["not_read"])
    assert len(by_id) == len(seen["resources"])


@pytest.mark.parametrize(
    ("form", "begins", "holds"),
    [("dot", "digraph gonogo {", '"aws_sqs_queue.orders" ->'), ("mermaid", "flowchart LR", "-->|triggers|")],
)
def test_the_graph_is_drawn_for_people(verb, a_repository, form, begins, holds):
    checkout = a_repository({"infra/main.tf": TERRAFORM})

    said = verb("graph", "export", "--repo", checkout.folder, "--format", form)

    assert said.status == 0
    assert said.out.startswith(begins)
    assert holds in said.out


def test_a_hostile_name_does_not_leave_its_label(verb, a_repository):
    text = 'resource "aws_sqs_queue" "q" {\n  name = "a\\"];evil[\\"b"\n}\n'
    checkout = a_repository({"main.tf": text})

    dot = verb("graph", "export", "--repo", checkout.folder, "--format", "dot").out
    mermaid = verb("graph", "export", "--repo", checkout.folder, "--format", "mermaid").out

    assert '\\"];evil[\\"' in dot
    assert "];evil[" not in mermaid
