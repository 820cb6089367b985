"""Writes the cases of this suite: `python benchmarks/suites/forecast/tools/build.py`. Everything in them is invented."""

import gzip
import json
import random
from datetime import UTC, datetime, timedelta
from math import pi, sin
from pathlib import Path

SUITE = Path(__file__).parent.parent
END = datetime(2026, 9, 14, tzinfo=UTC)
STEP = timedelta(minutes=5)
DAYS = 7


def main() -> None:
    """One folder a case."""
    for case in CASES:
        write(**case)


def day(at: int, *, peak_hour: float = 20) -> float:
    """0 at night, 1 at the busiest hour (UTC)."""
    hour = at * 5 / 60 % 24
    return 0.5 + 0.5 * sin((hour - peak_hour + 6) / 24 * 2 * pi)


def series(seed: int, low: float, high, noise: float, *, hours_cut: int = 0, peak_hour: float = 20) -> list[float]:
    """Seven days that end `hours_cut` hours before midnight; `high` is a number or a function of the day."""
    draw = random.Random(seed)
    count = DAYS * 288 - hours_cut * 12
    values = []
    for at in range(count):
        top = high(at / 288) if callable(high) else high
        values.append(max(0.0, low + (top - low) * day(at, peak_hour=peak_hour) + draw.gauss(0, noise)))
    return values


def write(*, id, title, expected, status, line, old, new, key, workload, mechanism, metrics, pair, category, hours_cut=0, resource=None, file="k8s/deployment.yaml", extra_resources=(), extra_edges=(), code=None, body):
    """The folder of one case."""
    folder = SUITE / id
    name = workload
    owner = f"github:pelican/{name}"
    deployment = f"kubernetes:prod/{name}/deployment/{name}"
    for side, value in (("base", old), ("head", new)):
        put(folder / side / file, MANIFEST.format(name=name, replicas=value))
        put(folder / side / "README.md", f"# {name}\n\nDeployed from k8s/ by the pipeline.\n")
        put(folder / side / "app/main.py", code or f'"""The service {name}."""\n\n\ndef handle(request):\n    return {{"ok": True}}\n')
    put(folder / "pr.yaml", f"title: {title.lower()}\nbody: |\n  {body}\ncommits:\n- '{key} {new}'\nauthor: dev-tern\nbase_branch: main\nrepository: pelican/{name}\nnumber: {int(id[:3])}\n")
    put(folder / "case.yaml", "".join((
        f"id: {id}\ntitle: {title}\ncategory: {category}\nexpected: {expected}\nexpected_status: {status}\n",
        f"expected_file: {file}\nexpected_line: {line}\nexpected_resource: {resource or deployment}\n",
        f"also_resources:\n- {deployment}\n",
        f"mechanism: {json.dumps(mechanism)}\nsource: common mechanism, no external source (a limit against the coming day)\nhard: true\npair: {pair}\n",
    )))
    resources = [
        {"id": owner, "kind": "github.repository", "name": f"pelican/{name}"},
        {"id": deployment, "kind": "kubernetes.deployment", "name": name, "attributes": {"namespace": name, "replicas": old}},
        {"id": f"kubernetes:prod/other/deployment/reports-{name}", "kind": "kubernetes.deployment", "name": f"reports-{name}", "attributes": {"namespace": "other", "replicas": 2}},
        *extra_resources,
    ]
    edges = [{"source": owner, "target": deployment, "relation": "deploys_to"}, *extra_edges]
    put(folder / "production/resources.jsonl", "".join(json.dumps(r) + "\n" for r in resources))
    put(folder / "production/edges.jsonl", "".join(json.dumps(e) + "\n" for e in edges))
    metrics = [*metrics, (f"kubernetes:prod/other/deployment/reports-{name}", "cpu_utilization", "Percent", series(9, 20, 92, 3, hours_cut=hours_cut))]
    path = folder / "production/metrics.csv.gz"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
        rows = ["timestamp,resource,metric,unit,value\n"]
        for target, metric, unit, values in metrics:
            start = END - STEP * (len(values) + hours_cut * 12)
            rows += [f"{start + STEP * at:%Y-%m-%dT%H:%M:%SZ},{target.format(deployment=deployment)},{metric},{unit},{value:.4g}\n" for at, value in enumerate(values)]
        packed.write("".join(rows).encode())


def put(path: Path, text: str) -> None:
    """Write a file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


MANIFEST = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
  namespace: {name}
spec:
  replicas: {replicas}
  selector:
    matchLabels: {{app: {name}}}
  template:
    metadata:
      labels: {{app: {name}}}
    spec:
      containers:
        - name: {name}
          image: registry.internal/{name}:v41
"""


def replicas(number, slug, title, expected, status, mechanism, values, pair, *, old=6, new=4, hours_cut=0, workload, body):
    """A case of fewer copies."""
    return {
        "id": f"{number}-{slug}", "title": title, "expected": expected, "status": status, "line": 7, "old": old, "new": new, "key": "replicas", "category": "capacity",
        "workload": workload, "mechanism": mechanism, "pair": pair, "hours_cut": hours_cut, "body": body,
        "metrics": [("{deployment}", "cpu_utilization", "Percent", values)],
    }


def queue(number, slug, title, expected, status, mechanism, arrivals, pair, *, workload, new, body):
    """A case of fewer workers at a queue."""
    name = f"rabbitmq:prod:queue/{workload}.in"
    deployment = f"kubernetes:prod/{workload}/deployment/{workload}"
    return {
        "id": f"{number}-{slug}", "title": title, "expected": expected, "status": status, "line": 7, "old": 7, "new": new, "key": "replicas", "category": "queue",
        "workload": workload, "mechanism": mechanism, "pair": pair, "resource": name, "body": body,
        "extra_resources": [{"id": name, "kind": "rabbitmq.queue", "name": f"{workload}.in", "attributes": {"max_length": 400000, "overflow": "drop-head"}}],
        "extra_edges": [{"source": name, "target": deployment, "relation": "triggers"}],
        "code": CONSUMER.format(name=workload),
        "metrics": [
            (name, "rabbitmq_queue_messages_published_per_second", "Count/Second", arrivals),
            (deployment, "message_processing_seconds.mean", "Seconds", series(31, 0.1, 0.1, 0.0005)),
        ],
    }


CONSUMER = '''"""Works off {name}.in, one message at a time."""
import os

import pika


def main():
    connection = pika.BlockingConnection(pika.URLParameters(os.environ["AMQP_URL"]))
    channel = connection.channel()
    channel.basic_qos(prefetch_count=1)
    channel.basic_consume(queue="{name}.in", on_message_callback=handle)
    channel.start_consuming()


def handle(channel, method, properties, body):
    channel.basic_ack(method.delivery_tag)


if __name__ == "__main__":
    main()
'''

CASES = [
    replicas(301, "signup-growing-four-copies", "Four copies for a service that grows every day", "no-go", "confirmed",
             "CPU at the daily peak grew from 39 to 65 % in a week; on 4 of 6 copies the last peak would have been 98 %, the next one is above 100 %.",
             series(1, 20, lambda d: 34 + 4.2 * d, 1.2), "forecast-growth", workload="signup", body="The last hour is at 30 %, six copies are too many."),
    replicas(302, "profile-steady-four-copies", "Four copies for a service that does not grow", "go", "refuted",
             "CPU at the daily peak is 60 % every day; on 4 of 6 copies that is 90 %, near the limit and below it, and the forecast of the coming day stays there.",
             series(2, 20, 58, 1.2), "forecast-growth", workload="profile", body="The last hour is at 25 %, six copies are too many."),
    replicas(303, "tonight-peak-half-capacity", "Half of the copies in the quiet morning", "no-go", "confirmed",
             "In the morning CPU is at 25 %, and every evening it comes to 58 %: half of the copies are at 116 % tonight.",
             series(3, 22, 58, 0.6, hours_cut=17), "forecast-tonight", old=6, new=3, hours_cut=17, workload="matchday", body="Idle for hours. Halving it."),
    replicas(304, "evening-peak-now-room-tonight", "Fewer copies at the busiest hour, which is as busy as it gets", "go", "refuted",
             "Now, at the peak, CPU is at 58 %; on 4 of 6 copies that is 87 %: the last hour looks tight, and the coming day brings no more than that.",
             series(4, 22, 57, 0.4, hours_cut=4), "forecast-tonight", hours_cut=4, workload="lineup", body="We pay for six and need four."),
    queue(305, "parcel-scans-growing", "Fewer workers for arrivals that grow every day", "no-go", "confirmed",
          "Arrivals grew every day; 4 workers manage 40 a second. Over the week 35 arrived on average, in the coming day more than 40 do all day: the queue grows.",
          [v + 2.9 * at / 288 for at, v in enumerate(series(5, 24, 27, 0.4))], "forecast-queue", workload="parcel-scans", new=4, body="The queue is empty."),
    queue(306, "parcel-labels-steady", "Fewer workers for arrivals that do not grow", "go", "refuted",
          "At most 31 messages a second arrive, the same every day; 4 workers manage 40.",
          series(6, 24, 30, 0.3), "forecast-queue", workload="parcel-labels", new=4, body="The queue is empty."),
]

if __name__ == "__main__":
    main()
