"""A Cache-Control header behind a shared cache whose own bounds stand over it: CloudFront, Cloudflare, Google."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

PUBLIC, PRIVATE = "public, max-age=300", "private, no-store"
EXPRESS = 'app.get("/p/:sku", (req, res) => {{\n  res.set("Cache-Control", "{}");\n  res.send(page(req));\n}});\n'
GO = 'package web\n\nfunc page(w http.ResponseWriter) {{\n\tw.Header().Set("Cache-Control", "{}")\n}}\n'
FLASK = (
    'def page(show):\n    answer = make_response(render(show))\n    answer.headers["Cache-Control"] = "{}"\n    return answer\n'
)
TERRAFORM = 'resource "aws_cloudfront_distribution" "www" {\n  aliases = ["www.shop.example"]\n  default_cache_behavior {\n    target_origin_id = "app"\n    min_ttl          = 300\n  }\n}\n'


def behind(kind="aws.cloudfront.distribution", *, policy=None, hit=96.0, **attributes):
    production = MemoryProduction()
    app = production.resource("arn:aws:ecs:eu-west-1:1:service/web/pages", "aws.ecs.service", "pages", is_deployed=True)
    balancer = production.resource("arn:aws:elb:1:pages", "aws.elb.loadbalancer", "pages")
    cdn = production.resource("edge:www", kind, "www.shop.example", is_deployed=True, **attributes)
    production.edge(cdn, balancer, "routes_to")
    production.edge(balancer, app, "routes_to")
    if policy is not None:
        bounds = production.resource("edge:policy", "aws.cloudfront.cache_policy", "feeds", **policy)
        production.edge(cdn, bounds, "depends_on")
    production.metric(cdn, "CacheHitRate", "Percent", hit)
    production.metric(cdn, "Requests", "Count", 600_000.0)
    production.metric(app, "CPUUtilization", "Percent", 50.0)
    production.metric(app, "RequestCountPerSecond", "Count/Second", 80.0)
    return production


def told(production, *, text=EXPRESS, file="src/p.js", old=PUBLIC, new=PRIVATE, more=None):
    base = {file: text.format(old), **(more or {})}
    evaluation = evaluation_of(base, {file: text.format(new)}, production)
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "cache"]


@pytest.mark.parametrize(("file", "text"), [("src/p.js", EXPRESS), ("internal/web.go", GO), ("app/page.py", FLASK)])
@pytest.mark.parametrize(("least", "expected"), [(300, "refuted"), (600, "refuted"), (0, "confirmed"), (1, "confirmed")])
def test_a_minimum_that_is_above_zero_holds_for_what_may_not_be_stored(file, text, least, expected) -> None:
    production = behind(default_cache_behavior={"min_ttl_s": least, "default_ttl_s": 300, "max_ttl_s": 3600})

    assert told(production, file=file, text=text) == [expected]


@pytest.mark.parametrize(
    "attributes",
    [
        {"min_ttl_s": 300},
        {"DefaultCacheBehavior": {"MinTTL": 300, "DefaultTTL": 300}},
        {"default_cache_behavior": {"min_ttl": 300}},
        {"default_cache_behavior": {"min_ttl_s": 300}, "cache_behaviors": [{"path_pattern": "/a/*", "min_ttl_s": 300}]},
        {"policy": {"min_ttl_s": 300}},
        {"kind": "cloudflare.zone", "edge_cache_ttl": 7200},
        {"kind": "cloudflare.zone", "edge_ttl": {"mode": "override_origin", "default": 300}},
        {"kind": "google.compute.backend_service.cdn", "cdn_policy": {"cache_mode": "FORCE_CACHE_ALL", "default_ttl": 3600}},
    ],
)
def test_the_bound_is_found_wherever_it_stands(attributes) -> None:
    assert told(behind(**attributes)) == ["refuted"]


@pytest.mark.parametrize(
    "attributes",
    [
        {"kind": "cloudflare.zone", "edge_ttl": {"mode": "respect_origin", "default": 300}},
        {"kind": "google.compute.backend_service.cdn", "cdn_policy": {"cache_mode": "USE_ORIGIN_HEADERS", "default_ttl": 3600}},
        {"default_ttl_s": 86400, "max_ttl_s": 86400},
    ],
)
def test_a_cache_that_obeys_the_origin_loses_its_entries(attributes) -> None:
    assert told(behind(**attributes)) == ["confirmed"]


@pytest.mark.parametrize(("default", "path"), [(300, 0), (0, 300)])
def test_bounds_that_differ_by_path_leave_it_open(default, path) -> None:
    production = behind(
        default_cache_behavior={"min_ttl_s": default}, cache_behaviors=[{"path_pattern": "/feeds/*", "min_ttl_s": path}]
    )

    assert told(production) == ["plausible"]


def test_a_maximum_below_both_lives_leaves_them_as_they_were() -> None:
    production = behind(default_cache_behavior={"min_ttl_s": 0, "max_ttl_s": 60})

    assert told(production, old="public, max-age=86400", new="public, max-age=600") == ["refuted"]


def test_the_manifest_of_the_distribution_may_say_the_minimum() -> None:
    assert told(behind(aliases=["www.shop.example"]), more={"cdn.tf": TERRAFORM}) == ["refuted"]
