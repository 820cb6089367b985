"""A cache that answers less often against what its misses load: confirmed, refuted, open and silent."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(base, head, production=None):
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "cache"]


PYTHON = """import redis

CACHE_SECONDS = {}
r = redis.Redis()


def cached(key, load):
    hit = r.get(key)
    if hit is None:
        hit = load()
        r.set(key, hit, ex=CACHE_SECONDS)
    return hit
"""
UNCACHED = "def cached(key, load):\n    return load()\n"
GO = """package fares

import "time"

const cacheTTL = {} * time.Second

func Get(key string) string {{ return store.Cached(key, cacheTTL) }}
"""
EXPRESS = 'app.get("/p/:sku", (req, res) => {{\n  res.set("Cache-Control", "{}");\n  res.send(page(req));\n}});\n'
RAILS = 'class Tile\n  VERSION = "{}"\n\n  def self.of(product)\n    Rails.cache.fetch(["tile", VERSION, product.id]) {{ draw(product) }}\n  end\nend\n'
CDN = """resource "aws_cloudfront_distribution" "www" {{
  default_cache_behavior {{
    target_origin_id = "app"
    default_ttl      = {}
    max_ttl          = 86400
  }}
}}
"""
SESSION = "SESSION_TTL_SECONDS = {}\nCACHE_MAX_SIZE = {}\n"


def behind_a_store(*, hit=95.0, rate=520.0, cpu=60.0, cost=0.3, keys=9000):
    production = MemoryProduction()
    app = production.resource("kubernetes:prod/x/deployment/fares", "kubernetes.deployment", "fares", is_deployed=True)
    store = production.resource("redis", "aws.elasticache.cluster", "fares-cache", key_count=keys)
    database = production.resource("db", "aws.rds.instance", "fares-pg", instance_class="db.r6g.2xlarge")
    production.edge(app, store, "reads_from")
    production.edge(app, database, "reads_from")
    if rate is not None:
        production.metric(app, "http_requests_per_second", "Count/Second", rate)
    if hit is not None:
        production.metric(store, "CacheHitRate", "Percent", hit)
    if cpu is not None:
        production.metric(database, "CPUUtilization", "Percent", cpu)
    if cost is not None:
        production.metric(app, "fare_query_duration_seconds.p50", "Seconds", cost)
    return production


def behind_a_cdn(*, hit=96.0, cpu=50.0):
    production = MemoryProduction()
    app = production.resource("arn:aws:ecs:eu-west-1:1:service/web/pages", "aws.ecs.service", "pages", is_deployed=True)
    cdn = production.resource("arn:aws:cloudfront::1:distribution/E1", "aws.cloudfront.distribution", "E1", is_deployed=True)
    production.edge(cdn, app, "routes_to")
    production.metric(cdn, "CacheHitRate", "Percent", hit)
    production.metric(cdn, "Requests", "Count", 600_000.0)
    production.metric(app, "CPUUtilization", "Percent", cpu)
    production.metric(app, "RequestCountPerSecond", "Count/Second", 80.0)
    return production


PUBLIC, PRIVATE = "public, max-age=600", "private, no-store"


@pytest.mark.parametrize(
    ("base", "head", "production", "status"),
    [
        ({"fares/cache.py": PYTHON.format(300)}, {"fares/cache.py": PYTHON.format(5)}, behind_a_store(), "confirmed"),
        ({"fares/cache.py": PYTHON.format(300)}, {"fares/cache.py": PYTHON.format(5)}, behind_a_store(rate=4.0, cpu=6.0, cost=0.002, keys=30), "refuted"),
        ({"fares/cache.py": PYTHON.format(300)}, {"fares/cache.py": PYTHON.format(5)}, behind_a_store(cpu=2.0, cost=None), "refuted"),
        ({"fares/cache.py": PYTHON.format(300)}, {"fares/cache.py": PYTHON.format(5)}, behind_a_store(cpu=None, cost=None), "plausible"),
        ({"fares/cache.py": PYTHON.format(300)}, {"fares/cache.py": UNCACHED}, behind_a_store(), "confirmed"),
        ({"internal/fares.go": GO.format(300)}, {"internal/fares.go": GO.format(2)}, behind_a_store(), "confirmed"),
        ({"src/p.ts": EXPRESS.format(PUBLIC)}, {"src/p.ts": EXPRESS.format(PRIVATE)}, behind_a_cdn(), "confirmed"),
        ({"src/p.ts": EXPRESS.format(PUBLIC)}, {"src/p.ts": EXPRESS.format(PRIVATE)}, behind_a_cdn(hit=20.0, cpu=10.0), "refuted"),
        ({"app/tile.rb": RAILS.format("v3")}, {"app/tile.rb": RAILS.format("v4")}, behind_a_store(cpu=None, cost=None), "plausible"),
        ({"app/tile.rb": RAILS.format("v3")}, {"app/tile.rb": RAILS.format("v4")}, behind_a_store(cpu=2.0, cost=None), "refuted"),
        ({"cdn.tf": CDN.format(3600)}, {"cdn.tf": CDN.format(0)}, behind_a_cdn(), "confirmed"),
    ],
)  # fmt: skip
def test_misses_are_held_against_what_answers_them(base, head, production, status):
    assert told(base, head, production) == [status]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({"fares/cache.py": PYTHON.format(5)}, {"fares/cache.py": PYTHON.format(300)}),
        ({"fares/cache.py": PYTHON.format(300)}, {"fares/cache.py": PYTHON.format("60 * 5")}),
        ({"fares/cache.py": PYTHON.format(300)}, {"fares/cache.py": PYTHON.format(240)}),
        ({"app/tile.rb": RAILS.format("v3")}, {"app/tile.rb": RAILS.format("v3").replace("draw(", "paint(")}),
        ({"src/p.ts": EXPRESS.format(PRIVATE)}, {"src/p.ts": EXPRESS.format(PUBLIC)}),
        ({"app/settings.py": SESSION.format(3600, 1000)}, {"app/settings.py": SESSION.format(60, 10)}),
        ({"tests/test_cache.py": PYTHON.format(300)}, {"tests/test_cache.py": PYTHON.format(5)}),
        ({"app/version.py": 'VERSION = "v3"\n'}, {"app/version.py": 'VERSION = "v4"\n'}),
    ],
)
def test_what_keeps_as_much_or_is_no_cache_is_not_spoken_of(base, head):
    assert told(base, head, behind_a_store()) == []


def test_without_production_it_asks():
    assert told({"fares/cache.py": PYTHON.format(300)}, {"fares/cache.py": PYTHON.format(5)}) == ["plausible"]


READS = (
    "import os\n\nimport redis\n\nTTL = int(os.environ['FARES_TTL'])\nDAYS = os.environ['DATA_TTL_DAYS']\nr = redis.Redis()\n\n\n"
    "def keep(key, value):\n    r.set(key, value, ex=TTL)\n"
)
POD = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: fares}}
spec:
  selector: {{matchLabels: {{app: fares}}}}
  template:
    metadata: {{labels: {{app: fares}}}}
    spec:
      containers:
        - name: fares
          image: fares:1
          env: [{{name: {0}, value: "{1}"}}]
"""
KUSTOMIZED = "resources: [../base]\nconfigMapGenerator:\n  - name: fares-env\n    literals:\n      - {0}={1}\n"
FUNCTION = 'resource "aws_lambda_function" "fares" {{\n  function_name = "fares"\n  environment {{\n    variables = {{ {0} = "{1}" }}\n  }}\n}}\n'
PLACES = [("deploy/prod/fares.yaml", POD), ("deploy/prod/kustomization.yaml", KUSTOMIZED), ("main.tf", FUNCTION)]


@pytest.mark.parametrize(("path", "text"), PLACES)
@pytest.mark.parametrize("new", ["0", "5"])
def test_a_life_that_comes_from_the_environment_is_one_of_the_cache(path, text, new):
    base = {"app/fares.py": READS, path: text.format("FARES_TTL", "600")}

    assert told(base, {path: text.format("FARES_TTL", new)}, behind_a_store()) == ["confirmed"]
    assert told(base, {path: text.format("FARES_TTL", new)}, behind_a_store(cpu=0.5, rate=1.0)) == ["refuted"]


@pytest.mark.parametrize(("path", "text"), PLACES)
@pytest.mark.parametrize(
    ("name", "code"),
    [("DATA_TTL_DAYS", READS), ("SESSION_TTL", READS), ("FARES_TTL", "import os\nTTL = os.environ['FARES_TTL']\n")],
)
def test_a_time_that_keeps_no_cache_is_not_spoken_of(path, text, name, code):
    base = {"app/fares.py": code, path: text.format(name, "600")}

    assert told(base, {path: text.format(name, "0")}, behind_a_store()) == []


def test_a_longer_life_is_no_loss():
    path, text = PLACES[0]

    assert (
        told(
            {"app/fares.py": READS, path: text.format("FARES_TTL", "60")},
            {path: text.format("FARES_TTL", "600")},
            behind_a_store(),
        )
        == []
    )
