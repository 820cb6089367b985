"""A cache that keeps longer against the memory it has: confirmed, refuted, open and silent."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

GIB = 1024.0**3


def told(base, head, production=None):
    evaluation = evaluation_of(base, head, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "overfilled-cache"]


NODE = """import Redis from "ioredis";
import {{ app }} from "./app.js";

const redis = new Redis(process.env.REDIS_URL!);

app.get("/slots", async (req, res) => {{
  const {{ hall, at }} = req.query as Record<string, string>;
  const key = `slots:${{hall}}:${{at}}`;
  const hit = await redis.get(key);
  if (hit) return res.send(hit);
  const value = await search(hall, at);
  await redis.set(key, value{});
  res.send(value);
}});
"""
PYTHON = """import redis
from flask import request

r = redis.Redis()


@app.get("/find")
def find():
    q = request.args["q"]
    key = f"find:{{request.headers['x-request-id']}}:{{q}}"
    hit = r.get(key)
    if hit is None:
        hit = look(q)
        r.setex(key, {}, hit)
    return hit
"""
SPRING = "spring:\n  cache:\n    type: redis\n    redis:\n      time-to-live: {}\n"
JAVA = """import org.springframework.cache.annotation.Cacheable;

@Service
class Fares {
  @Cacheable(value = "fares", key = "#from + ':' + #leaves")
  public Fare fare(String from, LocalDateTime leaves) {
    return slow(from, leaves);
  }
}
"""
RUBY = """class Quotes
  def show
    key = "quote:#{{params[:lane]}}:#{{request.request_id}}"
    Rails.cache.fetch(key{}) {{ price(params) }}
  end
end
"""
READS = """import os

import redis
from flask import request

TTL = int(os.environ["QUOTE_TTL"])
r = redis.Redis()


def keep(value):
    r.set(f"quote:{request.args['at']}", value, ex=TTL)
"""
POD = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: quotes}}
spec:
  selector: {{matchLabels: {{app: quotes}}}}
  template:
    metadata: {{labels: {{app: quotes}}}}
    spec:
      containers:
        - name: quotes
          image: quotes:1
          env: [{{name: QUOTE_TTL, value: "{}"}}]
"""
FORMS = {
    "ioredis": ({"src/slots.ts": NODE.format(', "EX", 3600')}, {"src/slots.ts": NODE.format(', "EX", 604800')}),
    "ioredis for ever": ({"src/slots.ts": NODE.format(', "EX", 3600')}, {"src/slots.ts": NODE.format("")}),
    "python": ({"find.py": PYTHON.format(3600)}, {"find.py": PYTHON.format("7 * 86400")}),
    "spring": (
        {"src/main/resources/application.yml": SPRING.format("1h"), "src/main/java/Fares.java": JAVA},
        {"src/main/resources/application.yml": SPRING.format("7d")},
    ),
    "spring in minutes": (
        {"src/main/resources/application.yml": SPRING.format("60m"), "src/main/java/Fares.java": JAVA},
        {"src/main/resources/application.yml": SPRING.format("7d")},
    ),
    "a constant of any name": (
        {"find.py": PYTHON.format("KEPT_FOR").replace("r = ", "KEPT_FOR = 3600\nr = ")},
        {"find.py": PYTHON.format("KEPT_FOR").replace("r = ", "KEPT_FOR = 604800\nr = ")},
    ),
    "rails": (
        {"app/quotes.rb": RUBY.format(", expires_in: 1.hour")},
        {"app/quotes.rb": RUBY.format(", expires_in: 7.days")},
    ),
    "environment": ({"quotes.py": READS, "deploy/prod/q.yaml": POD.format(3600)}, {"deploy/prod/q.yaml": POD.format(604800)}),
}


def on_kubernetes(*, rate=12.0, used=190e6, limit=3.2 * GIB, policy: str | None = "noeviction", keys=True, expired=True):
    production = MemoryProduction()
    app = production.resource("kubernetes:c/x/deployment/app", "kubernetes.deployment", "app", is_deployed=True, replicas=4)
    known = {"maxmemory_bytes": limit} if limit else {}
    if policy:
        known["maxmemory_policy"] = policy
    store = production.resource("kubernetes:c/x/statefulset/app-redis", "kubernetes.statefulset", "app-redis", **known)
    production.edge(app, store, "connects_to")
    production.metric(app, "http_requests_per_second", "Count/Second", rate * 3)
    production.metric(store, "redis_memory_used_bytes", "Bytes", used)
    if keys:
        production.metric(store, "redis_db_keys", "Count", rate * 3600)
    if expired:
        production.metric(store, "redis_expired_keys_per_second", "Count/Second", rate)
    return production


def on_elasticache(*, rate=12.0, used=190e6, policy="noeviction", node="cache.t4g.medium", percent=None):
    production = MemoryProduction()
    app = production.resource("arn:aws:ecs:eu-west-1:1:service/a/app", "aws.ecs.service", "app", is_deployed=True)
    store = production.resource("arn:cache", "aws.elasticache.cluster", "app-cache", node_type=node, maxmemory_policy=policy)
    production.edge(app, store, "connects_to")
    production.metric(app, "RequestCountPerSecond", "Count/Second", rate * 3)
    production.metric(store, "CurrItems", "Count", rate * 3600)
    production.metric(store, "Reclaimed", "Count", rate * 300)
    if percent is None:
        production.metric(store, "BytesUsedForCache", "Bytes", used)
    else:
        production.metric(store, "DatabaseMemoryUsagePercentage", "Percent", percent)
    return production


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("make", [on_kubernetes, on_elasticache])
def test_new_keys_for_a_week_do_not_fit_where_an_hour_of_them_does(form, make):
    assert told(*FORMS[form], make()) == ["confirmed"]


@pytest.mark.parametrize("form", [f for f in FORMS if "ever" not in f])
@pytest.mark.parametrize("make", [on_kubernetes, on_elasticache])
def test_few_keys_fit_for_a_week_too(form, make):
    assert told(*FORMS[form], make(rate=0.2, used=3e6)) == ["refuted"]


@pytest.mark.parametrize("form", [f for f in FORMS if "ever" not in f])
@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
def test_a_server_that_evicts_refuses_nothing(form, policy):
    assert told(*FORMS[form], on_kubernetes(policy=policy)) == ["refuted"]


def test_what_has_no_life_is_not_evicted_by_a_policy_for_what_has_one():
    assert told(*FORMS["ioredis for ever"], on_kubernetes(policy="volatile-lru")) == ["confirmed"]
    assert told(*FORMS["ioredis for ever"], on_kubernetes(policy="allkeys-lru")) == ["refuted"]


def test_others_that_share_an_evicting_server_leave_the_question():
    production = on_kubernetes(policy="allkeys-lru")
    other = production.resource("kubernetes:c/x/deployment/cart", "kubernetes.deployment", "cart")
    production.edge(other, "kubernetes:c/x/statefulset/app-redis", "connects_to")

    assert told(*FORMS["ioredis"], production) == ["plausible"]


def test_others_that_share_a_server_that_does_not_evict_leave_the_question():
    production = on_kubernetes()
    other = production.resource("kubernetes:c/x/deployment/cart", "kubernetes.deployment", "cart")
    production.edge(other, "kubernetes:c/x/statefulset/app-redis", "connects_to")

    assert told(*FORMS["ioredis"], production) == ["plausible"]


@pytest.mark.parametrize("lacks", [{"policy": None}, {"limit": None}])
def test_an_unknown_policy_or_limit_is_asked_for(lacks):
    assert told(*FORMS["ioredis"], on_kubernetes(**lacks)) == ["plausible"]


@pytest.mark.parametrize("lacks", [{"keys": False}, {"expired": False}])
def test_keys_and_how_many_come_stand_for_each_other(lacks):
    assert told(*FORMS["ioredis"], on_kubernetes(**lacks)) == ["confirmed"]
    assert told(*FORMS["ioredis"], on_kubernetes(rate=0.2, used=3e6, **lacks)) == ["refuted"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("k8s/redis.yaml", "data:\n  redis.conf: |\n    maxmemory 3200mb\n    maxmemory-policy noeviction\n"),
        ("redis/redis.conf", "maxmemory 3200mb\nmaxmemory-policy noeviction\n"),
        ("redis.tf", 'parameter {\n    name  = "maxmemory-policy"\n    value = "noeviction"\n  }\n'),
        ("k8s/redis.yaml", 'args: ["--maxmemory", "3200mb", "--maxmemory-policy", "noeviction"]\n'),
    ],
)
def test_the_policy_may_stand_in_the_repository(path, text):
    base, head = FORMS["ioredis"]

    assert told({**base, path: text}, head, on_kubernetes(policy=None)) == ["confirmed"]
    assert told({**base, path: text.replace("noeviction", "allkeys-lfu")}, head, on_kubernetes(policy=None)) == ["refuted"]


def test_a_server_that_grows_or_evicts_in_the_same_change_is_counted():
    base, head = FORMS["ioredis"]
    conf = "maxmemory 3200mb\nmaxmemory-policy noeviction\n"

    assert told({**base, "redis.conf": conf}, {**head, "redis.conf": conf.replace("3200mb", "64gb")}, on_kubernetes()) == [
        "refuted"
    ]
    assert told({**base, "redis.conf": conf}, {**head, "redis.conf": conf.replace("noeviction", "allkeys-lru")}, on_kubernetes()) == [
        "refuted"
    ]  # fmt: skip


@pytest.mark.parametrize(("percent", "status"), [(6.0, "confirmed"), (0.2, "refuted")])
def test_percent_of_the_memory_say_it_too(percent, status):
    assert told(*FORMS["ioredis"], on_elasticache(percent=percent)) == [status]


ENTITY = """import Redis from "ioredis";
import pg from "pg";

const pool = new pg.Pool();
const redis = new Redis();
const TTL_S = {};

export async function berth(req, res) {{
  const key = `berth:${{req.params.code}}`;
  const hit = await redis.get(key);
  if (hit) return res.send(hit);
  const {{ rows }} = await pool.query("SELECT body FROM berths WHERE code = $1", [req.params.code]);
  await redis.set(key, rows[0].body, "EX", TTL_S);
}}
"""


def of_berths(rows):
    production = on_kubernetes(limit=1 * GIB)
    database = production.resource("db", "aws.rds.instance", "pg")
    production.edge("kubernetes:c/x/deployment/app", database, "reads_from")
    table = {"schema": "public", "name": "berths", "row_estimate": rows, "total_bytes": 1}
    production.database(database, tables=[table])
    return production


@pytest.mark.parametrize(("rows", "status"), [(45_000, "refuted"), (9_000_000, "plausible")])
def test_there_are_no_more_answers_than_rows(rows, status):
    assert told({"src/b.ts": ENTITY.format(3600)}, {"src/b.ts": ENTITY.format(604800)}, of_berths(rows)) == [status]


def test_keys_that_may_all_come_again_leave_the_question():
    text = ENTITY.replace("pool.query(", "ask(").replace("SELECT body FROM berths WHERE code = $1", "berth")

    assert told({"src/b.ts": text.format(3600)}, {"src/b.ts": text.format(604800)}, on_kubernetes()) == ["plausible"]


def test_the_same_keys_alone_may_be_too_many():
    text = ENTITY.replace("pool.query(", "ask(").replace("SELECT body FROM berths WHERE code = $1", "berth")
    production = on_kubernetes(used=2.5 * GIB)
    production.metric("kubernetes:c/x/statefulset/app-redis", "CacheHitRate", "Percent", 50.0)

    assert told({"src/b.ts": text.format(3600)}, {"src/b.ts": text.format(604800)}, production) == ["confirmed"]


def test_keys_that_live_otherwise_leave_the_question():
    production = on_kubernetes(expired=False)
    production.metric("kubernetes:c/x/statefulset/app-redis", "redis_expired_keys_per_second", "Count/Second", 1.5)

    assert told(*FORMS["ioredis"], production) == ["plausible"]


def test_a_write_that_may_fail_leaves_the_question():
    caught = NODE.replace("await redis.set(key, value{});", "try {{ await redis.set(key, value{}); }} catch {{ }}")

    assert told(
        {"src/slots.ts": caught.format(', "EX", 3600')}, {"src/slots.ts": caught.format(', "EX", 604800')}, on_kubernetes()
    ) == ["plausible"]


LRU = """import {{ LRUCache }} from "lru-cache";

const seen = new LRUCache({{ max: {}, ttl: 3600000 }});

app.get("/preview", async (req, res) => {{
  const key = `preview:${{req.headers["x-request-id"]}}`;
  const hit = seen.get(key);
  if (hit) return res.send(hit);
  const value = await draw(req);
  seen.set(key, value);
  res.send(value);
}});
"""


def a_process(*, limit=1024, used=300e6, size=20_000, misses=90.0):
    production = MemoryProduction()
    app = production.resource(
        "kubernetes:c/x/deployment/app", "kubernetes.deployment", "app", is_deployed=True, replicas=3, memory_limit_mib=limit
    )
    production.metric(app, "container_memory_working_set_bytes", "Bytes", used)
    production.metric(app, "lru_cache_misses_per_second", "Count/Second", misses)
    production.log(app, *[f'{{"msg":"cache","hit":false,"bytes":{size}}}'] * 40)
    return production


@pytest.mark.parametrize(
    ("entries", "production", "status"),
    [
        (100_000, a_process(), "confirmed"),
        (100_000, a_process(size=200), "refuted"),
        (2_000, a_process(), "refuted"),
        (20_000, a_process(), "plausible"),
    ],
)
def test_entries_of_a_process_are_held_against_its_container(entries, production, status):
    assert told({"src/p.ts": LRU.format(500)}, {"src/p.ts": LRU.format(entries)}, production) == [status]


def test_entries_that_are_forgotten_soon_never_come_to_the_bound():
    text = LRU.replace("3600000", "60000")

    assert told({"src/p.ts": text.format(500)}, {"src/p.ts": text.format(100_000)}, a_process()) == ["refuted"]


PLAIN = """import time

from flask import request

_cache = {{}}
CACHE_TTL = {}


def answer():
    key = f"answer:{{request.headers['x-request-id']}}"
    hit = _cache.get(key)
    if hit and hit[0] > time.time() - CACHE_TTL:
        return hit[1]
"""


def test_a_plain_dictionary_is_one_of_the_process():
    assert told({"answer.py": PLAIN.format(60)}, {"answer.py": PLAIN.format(86400)}, a_process()) == ["confirmed"]
    assert told({"answer.py": PLAIN.format(60)}, {"answer.py": PLAIN.format(120)}, a_process(size=90)) == ["refuted"]


def test_a_longer_life_of_entries_that_are_bounded_fills_no_more():
    text = LRU.replace("3600000", "{}")

    assert told({"src/p.ts": text.format(500, 60000)}, {"src/p.ts": text.format(500, 6000000)}, a_process()) == ["refuted"]


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({"src/s.ts": NODE.format(', "EX", 3600')}, {"src/s.ts": NODE.format(', "EX", 600')}),
        ({"src/s.ts": NODE.format(', "EX", 3600')}, {"src/s.ts": NODE.format(', "EX", 60 * 60')}),
        ({"tests/test_find.py": PYTHON.format(3600)}, {"tests/test_find.py": PYTHON.format(604800)}),
        ({"find.py": PYTHON.format(3600)}, {"find.py": PYTHON.format(0)}),
        ({"dns.tf": 'resource "r" "www" {\n  ttl = 60\n}\n'}, {"dns.tf": 'resource "r" "www" {\n  ttl = 86400\n}\n'}),
        ({"a.py": "JWT_TTL_SECONDS = 3600\n"}, {"a.py": "JWT_TTL_SECONDS = 604800\n"}),
        ({"a.py": "redis_lock(ttl=30)\n"}, {"a.py": "redis_lock(ttl=3000)\n"}),
        ({"a.ts": 'res.set("Cache-Control", "max-age=60");\n'}, {"a.ts": 'res.set("Cache-Control", "max-age=6000");\n'}),
    ],
)
def test_what_keeps_no_longer_or_is_no_store_is_not_spoken_of(base, head):
    assert told(base, head, on_kubernetes()) == []


def test_it_is_silent_where_nobody_knows_what_is_used():
    assert told(*FORMS["ioredis"]) == []
