"""Resources that a change names, and that production does not join to it yet."""

import pytest

from context_graph.graph import MemoryGraph
from context_graph.manifests import read_manifests, setting_changes
from context_graph.newly_named import newly_named
from context_graph.testing import MemoryTree
from gonogo.change import ChangedFile, ChangeKind, Hunk
from gonogo.word import ResourceId

LIVE = {
    "arn:aws:dynamodb:eu-west-1:1:table/rights": ("aws.dynamodb.table", "rights"),
    "arn:aws:sqs:eu-west-1:1:mail": ("aws.sqs.queue", "mail"),
    "arn:aws:s3:::media": ("aws.s3.bucket", "media"),
    "arn:aws:rds:eu-west-1:1:db:main": ("aws.rds.instance", "main"),
    "arn:aws:elasticache:eu-west-1:1:replicationgroup:sessions": ("aws.elasticache.cluster", "sessions"),
    "kubernetes:c/core/deployment/rates": ("kubernetes.deployment", "rates"),
    "kubernetes:c/a/deployment/twin": ("kubernetes.deployment", "twin"),
    "kubernetes:c/b/deployment/twin": ("kubernetes.deployment", "twin"),
}
POD = """apiVersion: apps/v1
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


def _graph() -> MemoryGraph:
    return MemoryGraph((), {ResourceId(at): found for at, found in LIVE.items()})


def _named(variable: str, value: str) -> list[str]:
    more = f'            - {{name: {variable}, value: "{value}"}}\n'
    base = read_manifests(MemoryTree({"k.yaml": POD.format(more="")}, side="base"))
    head = read_manifests(MemoryTree({"k.yaml": POD.format(more=more)}, side="head"))
    return [start.resource for start in newly_named(setting_changes(base, head), head.resources, (), _graph())]


@pytest.mark.parametrize(
    ("variable", "value", "found"),
    [
        ("RIGHTS_TABLE", "rights", "arn:aws:dynamodb:eu-west-1:1:table/rights"),
        ("RIGHTS", "arn:aws:dynamodb:eu-west-1:1:table/rights", "arn:aws:dynamodb:eu-west-1:1:table/rights"),
        ("RIGHTS", "arn:aws:dynamodb:eu-west-1:1:table/rights/index/by-day", "arn:aws:dynamodb:eu-west-1:1:table/rights"),
        ("MAIL", "https://sqs.eu-west-1.amazonaws.com/123456789012/mail", "arn:aws:sqs:eu-west-1:1:mail"),
        ("MEDIA_BUCKET", "media", "arn:aws:s3:::media"),
        ("DB_HOST", "main.abc123.eu-west-1.rds.amazonaws.com", "arn:aws:rds:eu-west-1:1:db:main"),
        (
            "REDIS",
            "rediss://master.sessions.x1.euw1.cache.amazonaws.com:6379",
            "arn:aws:elasticache:eu-west-1:1:replicationgroup:sessions",
        ),
        ("RATES_URL", "http://rates.core.svc.cluster.local:8080/v1", "kubernetes:c/core/deployment/rates"),
        ("RATES_URL", "http://rates.core", "kubernetes:c/core/deployment/rates"),
        ("RATES_URL", "http://rates.com/v1", ""),
        ("RATES_ADDR", "rates:9000", "kubernetes:c/core/deployment/rates"),
        ("TWIN_URL", "http://twin.b.svc", "kubernetes:c/b/deployment/twin"),
        ("TWIN_URL", "http://twin:80", ""),
        ("RATES_URL", "http://rates.legacy.svc", ""),
        ("RATES_URL", "https://rates.vendor.example", ""),
        ("TITLE", "rights", ""),
        ("RIGHTS_TABLE", "rights-v2", ""),
        ("RIGHTS", "arn:aws:dynamodb:us-east-1:1:table/rights", ""),
    ],
)
def test_a_variable_names_one_resource_or_none(variable: str, value: str, found: str) -> None:
    assert _named(variable, value) == ([found] if found else [])


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('table = boto3.resource("dynamodb").Table("rights")', "arn:aws:dynamodb:eu-west-1:1:table/rights"),
        ('client.send(new GetCommand({ TableName: "rights", Key }))', "arn:aws:dynamodb:eu-west-1:1:table/rights"),
        ('TableName: aws.String("rights"),', "arn:aws:dynamodb:eu-west-1:1:table/rights"),
        ('sqs.send_message(QueueUrl="https://sqs.eu-west-1.amazonaws.com/123456789012/mail")', "arn:aws:sqs:eu-west-1:1:mail"),
        ('s3.put_object(Bucket="media", Key=key)', "arn:aws:s3:::media"),
        ('title = "rights"', ""),
    ],
)
def test_an_argument_of_a_call_names_one_resource_or_none(line: str, found: str) -> None:
    hunk = Hunk(base_start=1, base_count=0, head_start=2, head_count=1, removed=(), added=(line,))
    file = ChangedFile(path="app.py", base_path="app.py", head_path="app.py", kind=ChangeKind.MODIFIED, hunks=(hunk,))

    starts = list(newly_named((), (), (file,), _graph()))

    assert [s.resource for s in starts] == ([found] if found else [])
    assert all(s.why == "app.py line 2 names it" for s in starts)


def test_a_variable_that_code_reads_from_now_on_counts() -> None:
    more = '            - {name: RIGHTS_TABLE, value: "rights"}\n'
    head = read_manifests(MemoryTree({"k.yaml": POD.format(more=more)}, side="head"))
    hunk = Hunk(base_start=1, base_count=0, head_start=1, head_count=1, removed=(), added=('os.environ["RIGHTS_TABLE"]',))
    file = ChangedFile(path="app.py", base_path="app.py", head_path="app.py", kind=ChangeKind.MODIFIED, hunks=(hunk,))

    assert [s.resource for s in newly_named((), head.resources, (file,), _graph())] == [
        "arn:aws:dynamodb:eu-west-1:1:table/rights"
    ]
    assert list(newly_named((), head.resources, (), _graph())) == []
