"""What is taken away from programs and their callers is found by its line, and silent when something stands in."""

import pytest

from bot.testing import evaluation_of

POD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata:\n  A: '1'\n"
QUEUE = 'resource "aws_sqs_queue" "q" {\n  name = "q"\n}\n'
MAPPING = '\nresource "aws_lambda_event_source_mapping" "m" {\n  event_source_arn = aws_sqs_queue.q.arn\n  function_name = "worker"\n}\n'
POLICY = 'resource "aws_iam_role_policy" "p" {{\n  name = "p"\n  role = "r"\n  policy = jsonencode({{\n    Statement = [{{ Effect = "Allow", Action = [{actions}], Resource = "*" }}]\n  }})\n}}\n'
GROUP = 'resource "aws_security_group" "g" {{\n  name = "g"\n  ingress {{\n    from_port = 80\n    to_port = 80\n    protocol = "tcp"\n    cidr_blocks = ["{cidr}"]\n  }}\n}}\n'
RECORD = (
    'resource "aws_route53_record" "w" {{\n  name = "w.example"\n  type = "CNAME"\n  ttl = 60\n  records = ["{target}"]\n}}\n'
)
LISTENER = 'resource "aws_lb_listener" "l" {{\n  port = 443\n  ssl_policy = "{policy}"\n}}\n'
APP = "from fastapi import FastAPI\napp = FastAPI()\n"
ROUTE = "\n@app.get('/v1/a')\ndef a(): ...\n"
MODEL = "from fastapi import FastAPI\nfrom pydantic import BaseModel\napp = FastAPI()\n\nclass Job(BaseModel):\n    name: str\n{field}\n@app.post('/jobs')\ndef create(body: Job): ...\n"
CORS = 'ALLOWED_ORIGINS = [\n    "https://a.example",\n{more}]\n'
SEND = 'import json\nsqs.send_message(MessageBody=json.dumps({{\n    "{name}": 1,\n    "b": 2,\n}}))\n'
TAKE = 'import json\ndef handler(event, _):\n    for r in event["Records"]:\n        m = json.loads(r["body"])\n        use(m["a_id"])\n'


@pytest.mark.parametrize(
    ("rule", "base", "head", "line", "side"),
    [
        ("config/name-missing", {"a.py": "import os\n"}, {"a.py": 'import os\nT = os.environ["TOKEN"]\n'}, 2, "head"),
        ("config/name-removed", {"c.yaml": POD + "  B: '2'\n", "a.rb": 'ENV.fetch("B")\n'}, {"c.yaml": POD}, 6, "base"),
        ("queues/consumer-removed", {"m.tf": QUEUE + MAPPING}, {"m.tf": QUEUE}, 5, "base"),
        (
            "queues/dead-letters-removed",
            {
                "m.tf": QUEUE.replace(
                    "}", '  redrive_policy = jsonencode({ deadLetterTargetArn = "arn:aws:sqs:x:1:dead", maxReceiveCount = 3 })\n}'
                )
            },
            {"m.tf": QUEUE},
            3,
            "base",
        ),
        (
            "queues/message-field-removed",
            {"p/s.py": SEND.format(name="a_id"), "c/t.py": TAKE},
            {"p/s.py": SEND.format(name="aId")},
            3,
            "base",
        ),
        ("http/endpoint-removed", {"a.py": APP + ROUTE}, {"a.py": APP}, 4, "base"),
        ("http/input-narrowed", {"a.py": MODEL.format(field="")}, {"a.py": MODEL.format(field="    queue: str\n")}, 7, "head"),
        (
            "http/origin-removed",
            {"cors.py": CORS.format(more='    "https://b.example",\n')},
            {"cors.py": CORS.format(more="")},
            3,
            "base",
        ),
        (
            "iam/action-removed",
            {"i.tf": POLICY.format(actions='"s3:GetObject", "s3:PutObject"')},
            {"i.tf": POLICY.format(actions='"s3:GetObject"')},
            5,
            "base",
        ),
        (
            "network/rule-removed",
            {"g.tf": GROUP.format(cidr="10.1.0.0/16")},
            {"g.tf": GROUP.format(cidr="10.2.0.0/16")},
            3,
            "base",
        ),
        (
            "network/record-moved",
            {"d.tf": RECORD.format(target="a.example")},
            {"d.tf": RECORD.format(target="b.example")},
            5,
            "head",
        ),
        (
            "network/tls-narrowed",
            {"l.tf": LISTENER.format(policy="ELBSecurityPolicy-TLS13-1-2-2021-06")},
            {"l.tf": LISTENER.format(policy="ELBSecurityPolicy-TLS13-1-3-2021-06")},
            3,
            "head",
        ),
    ],
)
def test_what_goes_is_found_at_its_line(
    rule: str, base: dict[str, str], head: dict[str, str | None], line: int, side: str
) -> None:
    evaluation = evaluation_of(base, head)

    assert not evaluation.failures
    found = [f for f in evaluation.findings if f.rule == rule]
    assert [(abs(f.line - line) <= 1, f.side) for f in found] == [(True, side)]


@pytest.mark.parametrize(
    ("rule", "base", "head"),
    [
        ("config/name-missing", {"a.py": "import os\n"}, {"a.py": 'import os\nT = os.environ.get("TOKEN", "x")\n'}),
        ("config/name-removed", {"c.yaml": POD + "  B: '2'\n", "a.rb": "1\n"}, {"c.yaml": POD}),
        (
            "queues/consumer-removed",
            {"m.tf": QUEUE + MAPPING},
            {"m.tf": QUEUE + MAPPING.replace('"m"', '"n"').replace("worker", "other")},
        ),
        ("http/endpoint-removed", {"a.py": APP + ROUTE}, {"a.py": APP + ROUTE.replace("def a", "def b")}),
        ("http/input-narrowed", {"a.py": MODEL.format(field="")}, {"a.py": MODEL.format(field="    queue: str | None = None\n")}),
        (
            "http/origin-removed",
            {"cors.py": CORS.format(more='    "http://localhost:3000",\n')},
            {"cors.py": CORS.format(more="")},
        ),
        ("iam/action-removed", {"i.tf": POLICY.format(actions='"s3:PutObject"')}, {"i.tf": POLICY.format(actions='"s3:*"')}),
        ("network/rule-removed", {"g.tf": GROUP.format(cidr="10.1.0.0/16")}, {"g.tf": GROUP.format(cidr="10.0.0.0/8")}),
        (
            "network/tls-narrowed",
            {"l.tf": LISTENER.format(policy="ELBSecurityPolicy-TLS13-1-3-2021-06")},
            {"l.tf": LISTENER.format(policy="ELBSecurityPolicy-TLS13-1-2-2021-06")},
        ),
    ],
)
def test_what_something_stands_in_for_is_silent(rule: str, base: dict[str, str], head: dict[str, str | None]) -> None:
    evaluation = evaluation_of(base, head)

    assert not evaluation.failures
    assert [f for f in evaluation.findings if f.rule == rule] == []
