"""Keys of a shared cache that gain a part of each session, user or request: misses held against what answers them."""

import json

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

TS = """import {{ redis }} from "./redis.js";
export async function quote(req, zip) {{
  {}
  const hit = await redis.get(key);
  if (hit) return JSON.parse(hit);
  const fresh = await ask(zip);
  await redis.set(key, JSON.stringify(fresh), "EX", 600);
  return fresh;
}}
"""
PYTHON = """import redis
r = redis.Redis()


def quote(request, zip):
    {}
    hit = r.get(key)
    if hit is None:
        hit = ask(zip)
        r.set(key, hit, ex=600)
    return hit
"""
GO = """package quotes

func (q *Quotes) Get(ctx context.Context, r *http.Request, zip string) (*Quote, error) {{
	{}
	if hit, err := q.redis.Get(ctx, key).Result(); err == nil {{
		return decode(hit)
	}}
	return q.ask(ctx, zip)
}}
"""
RUBY = """class Quotes
  def of(zip)
    {}
      ask(zip)
    end
  end
end
"""
JAVA = """public class Quotes {{
  {}
  public Quote of(String zip, String sessionId) {{ return ask(zip); }}
}}
"""
LRU = """from functools import lru_cache


@lru_cache(maxsize=50_000)
{}
    return ask(zip)
"""
PHP = "<?php\nfunction quote($zip, $request) {{\n  {}\n    return ask($zip);\n  }});\n}}\n"
NGINX = "location / {{\n  proxy_pass http://app;\n  proxy_cache www;\n  {}\n}}\n"
LISTED = """class Quotes
  def of(zip)
    Rails.cache.fetch([
      "quote",
      zip,{}
    ]) {{ ask(zip) }}
  end
end
"""
CASES = [
    ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${req.session.id}`;"),
    ("src/quote.ts", TS, 'const key = "quote:" + zip;', 'const key = "quote:" + zip + ":" + req.sessionID;'),
    ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${req.cookies.sid}:${zip}`;"),
    ("src/quote.ts", TS, 'const key = ["quote", zip].join(":");', 'const key = ["quote", zip, req.session.sid].join(":");'),
    ("app/quote.py", PYTHON, 'key = f"quote:{zip}"', 'key = f"quote:{zip}:{request.session.session_key}"'),
    ("app/quote.py", PYTHON, 'key = "quote:%s" % zip', 'key = "quote:%s:%s" % (zip, request.COOKIES["sid"])'),
    ("internal/quote.go", GO, 'key := fmt.Sprintf("quote:%s", zip)', 'key := fmt.Sprintf("quote:%s:%s", zip, sessionID(r))'),
    ("app/quotes.rb", RUBY, 'Rails.cache.fetch("quote/#{zip}", expires_in: 10.minutes) do', 'Rails.cache.fetch("quote/#{zip}/#{session.id}", expires_in: 10.minutes) do'),
    ("app/quotes.rb", RUBY, 'Rails.cache.fetch(["quote", zip]) do', 'Rails.cache.fetch(["quote", zip, session.id]) do'),
    ("app/quotes.rb", LISTED, "", "\n      session.id,"),
    ("src/Quotes.java", JAVA, '@Cacheable(value = "quotes", key = "#zip")', "@Cacheable(value = \"quotes\", key = \"#zip + ':' + #sessionId\")"),
    ("app/quote.py", LRU, "def quote(zip):", "def quote(zip, session_id):"),
    ("app/quote.php", PHP, 'return Cache::remember("quote:$zip", 600, function () use ($zip) {', 'return Cache::remember("quote:$zip:" . $request->session()->getId(), 600, function () use ($zip) {'),
]  # fmt: skip


def production(*, limit=40, hits=216.0, misses=8.0, started=None, each=None, cpu=None):
    facts = MemoryProduction()
    shop = facts.resource("arn:aws:ecs:eu-west-1:1:service/web/shop", "aws.ecs.service", "shop", is_deployed=True)
    cache = facts.resource("redis:quotes", "aws.elasticache.cluster", "quotes-cache")
    hub = facts.resource(
        "external:api:hub.example", "external.api", "hub.example", **({"rate_limit_per_second": limit} if limit else {})
    )
    facts.edge(shop, cache, "connects_to")
    facts.edge(shop, hub, "invokes")
    if hits is not None:
        facts.metric(cache, "CacheHits", "Count", hits * 300)
        facts.metric(cache, "CacheMisses", "Count", misses * 300)
    if started is not None:
        facts.metric(shop, "sessions_started_per_second", "Count/Second", started)
    if each is not None:
        facts.log(shop, *(json.dumps({"msg": "session end", "sid": f"{n:x}", "quote_lookups": each + n % 2}) for n in range(40)))
    if cpu is not None:
        facts.metric(hub, "CPUUtilization", "Percent", cpu)
    return facts


def told(file, text, old, new, facts, **more):
    evaluation = evaluation_of({file: text.format(old), **more}, {file: text.format(new)}, facts)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "cache"]


@pytest.mark.parametrize(("file", "text", "old", "new"), CASES)
def test_the_first_lookup_of_each_session_misses_and_the_other_side_takes_fewer(file, text, old, new) -> None:
    assert told(file, text, old, new, production(started=130.0)) == ["confirmed"]


@pytest.mark.parametrize(("file", "text", "old", "new"), CASES[:6])
def test_the_log_may_say_how_often_a_session_looks_up(file, text, old, new) -> None:
    assert told(file, text, old, new, production(each=1)) == ["confirmed"]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"limit": 2000}, "refuted"),
        ({"hits": 9.0, "misses": 1.0}, "refuted"),
        ({}, "plausible"),
        ({"started": 50.0}, "plausible"),
        ({"each": 9}, "plausible"),
        ({"limit": None, "started": 130.0}, "plausible"),
        ({"limit": None, "started": 130.0, "cpu": 30.0}, "confirmed"),
        ({"limit": None, "started": 130.0, "cpu": 1.0}, "refuted"),
    ],
)
def test_what_is_not_known_of_sessions_or_of_the_other_side_leaves_it_open(facts, expected) -> None:
    assert told(*CASES[0], production(**facts)) == [expected]


@pytest.mark.parametrize(
    ("file", "text", "old", "new"),
    [
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${crypto.randomUUID()}`;"),
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${Date.now()}`;"),
        ("app/quote.py", PYTHON, 'key = f"quote:{zip}"', 'key = f"quote:{zip}:{time.time()}"'),
        (
            "app/quotes.rb",
            RUBY,
            'Rails.cache.fetch(["quote", zip]) do',
            'Rails.cache.fetch(["quote", zip, request.request_id]) do',
        ),
        ("internal/quote.go", GO, 'key := "quote:" + zip', 'key := "quote:" + zip + uuid.NewString()'),
    ],
)
def test_a_part_that_no_two_requests_share_lets_all_of_them_miss(file, text, old, new) -> None:
    assert told(file, text, old, new, production()) == ["confirmed"]


@pytest.mark.parametrize(
    ("file", "text", "old", "new"),
    [
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${req.user.id}`;"),
        ("app/quote.py", PYTHON, 'key = f"quote:{zip}"', 'key = f"quote:{zip}:{request.user.id}"'),
        ("app/quotes.rb", RUBY, 'Rails.cache.fetch(["quote", zip]) do', 'Rails.cache.fetch(["quote", zip, current_user]) do'),
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${req.cookies.ab}`;"),
    ],
)
def test_how_many_users_ask_again_is_not_known(file, text, old, new) -> None:
    assert told(file, text, old, new, production(started=130.0)) == ["plausible"]


@pytest.mark.parametrize(
    ("file", "text", "old", "new"),
    [
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${req.session.tier}`;"),
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${req.user.locale}`;"),
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${Math.floor(Date.now() / 3600000)}`;"),
        ("app/quote.py", PYTHON, 'key = f"quote:{zip}"', "key = f\"quote:{zip}:{request.session['currency']}\""),
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${req.product.uuid}`;"),
        ("src/quote.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${parcel.timestamp}`;"),
        ("app/quote.py", PYTHON, 'key = f"quote:{zip}"', 'key = f"quote:{zip}:{carrier.ip}"'),
        ("src/quote.ts", TS, "const key = `cart:${req.user.id}`;", "const key = `cart:${req.user.id}:${req.session.id}`;"),
        ("src/quote.ts", TS, "const key = `session:${zip}`;", "const key = `session:${zip}:${req.session.id}`;"),
        ("test/quote.test.ts", TS, "const key = `quote:${zip}`;", "const key = `quote:${zip}:${req.session.id}`;"),
    ],
)
def test_groups_and_keys_that_were_personal_before_are_no_such_loss(file, text, old, new) -> None:
    facts = production(started=130.0)

    assert told(file, text, old, new, facts) in ([], ["refuted"])


def test_a_neutral_parameter_is_followed_to_what_callers_give() -> None:
    keys = "export function keyOf(zip, scope) {{\n  return `quote:${{zip}}{}`;\n}}\n"
    uses = 'import {{ redis }} from "./redis.js";\nexport async function quote(req, zip) {{\n  return redis.get(keyOf(zip, {}));\n}}\n'

    def status(given):
        base = {"src/keys.ts": keys.format(""), "src/use.ts": uses.format(given)}
        evaluation = evaluation_of(base, {"src/keys.ts": keys.format(":${scope}")}, production(started=130.0))
        return [
            e.status.value
            for e in evaluation.ledger
            if e.trajectory.playbook == "cache" and "shared no more" in e.trajectory.title
        ]

    assert status("req.session.id") == ["confirmed"]
    assert status("req.query.region") == []


def test_a_proxy_that_keeps_answers_apart_by_cookie_is_a_question() -> None:
    old, new = "proxy_cache_key $scheme$host$uri;", "proxy_cache_key $scheme$host$uri$cookie_sid;"

    assert told("nginx.conf", NGINX, old, new, production(limit=None)) == ["plausible"]


EDGE = 'resource "aws_cloudfront_cache_policy" "web" {{\n  name = "web"\n  min_ttl = 1\n  parameters_in_cache_key_and_forwarded_to_origin {{\n{}  }}\n}}\n'
COOKIES = '    cookies_config {{\n      cookie_behavior = "{}"\n    }}\n'
HEADERS = '    headers_config {{\n      header_behavior = "whitelist"\n      headers {{\n        items = [{}]\n      }}\n    }}\n'


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (COOKIES.format("none"), COOKIES.format("all"), ["plausible"]),
        (HEADERS.format('"Accept"'), HEADERS.format('"Accept", "Authorization"'), ["plausible"]),
        (HEADERS.format('"Accept"'), HEADERS.format('"Accept", "CloudFront-Viewer-Country"'), []),
        (COOKIES.format("all"), COOKIES.format("none"), []),
    ],
)
def test_a_policy_that_takes_what_each_client_has_into_the_key(old, new, expected) -> None:
    facts = MemoryProduction()
    app = facts.resource("arn:aws:ecs:eu-west-1:1:service/web/pages", "aws.ecs.service", "pages", is_deployed=True)
    edge = facts.resource("arn:aws:cloudfront::1:distribution/E1", "aws.cloudfront.distribution", "E1", is_deployed=True)
    facts.edge(edge, app, "routes_to")
    facts.metric(edge, "CacheHitRate", "Percent", 96.0)
    facts.metric(app, "CPUUtilization", "Percent", 50.0)

    assert told("cdn.tf", EDGE, old, new, facts) == expected
