"""More attempts at a service that already refuses calls at its limit, however the limit and the refusals are told."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

DESK = "arn:aws:ecs:eu-north-1:1:service/insure/quote-desk"
ENGINE = "arn:aws:lambda:eu-north-1:1:function:rate-engine"
RUBY = """require "faraday/retry"

module Rates
  RETRY = {
    max: #N,
    interval: 0,
    methods: %i[get post],
    retry_statuses: [429, 503]
  }.freeze

  def self.connection
    Faraday.new(url: ENV.fetch("RATES_URL")) { |f| f.request :retry, RETRY }
  end
end
"""
DAYS = ([0.0] * 240 + [9.0] * 48) * 7
"""Refusals a second: four hours of every day."""


def told(evaluation):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == "retries"]


def a_production(*metrics, lines=(), kind="aws.lambda.function", **limits):
    """The desk calls the engine; `metrics` are resource, name, unit and values."""
    production = MemoryProduction("github:acme/desk")
    production.resource(DESK, "aws.ecs.service", "quote-desk", is_deployed=True, desired_count=5)
    production.resource(ENGINE, kind, "rate-engine", **limits)
    production.edge(DESK, ENGINE, "invokes")
    production.metric(ENGINE, "Invocations", "Count", [70.0 * 300] * len(DAYS))
    for resource, name, unit, values in metrics:
        production.metric(resource, name, unit, values)
    for resource, line in lines:
        production.log(resource, *[line] * 12)
    return production


def after(production, text=RUBY, path="lib/rates.rb", old="1", new="7"):
    return told(evaluation_of({path: text.replace("#N", old)}, {path: text.replace("#N", new)}, production))


def counts(per_second=DAYS):
    return [v * 300 for v in per_second]


FULL = (ENGINE, "ConcurrentExecutions.max", "Count", 60.0)
SIGNS = [
    ([FULL, (ENGINE, "Throttles", "Count", counts())], {"reserved_concurrency": 60}),
    ([FULL, (ENGINE, "Throttles.sum", "Count", counts())], {"reserved_concurrency": 60}),
    ([(ENGINE, "http_requests_total{status=429}", "Count", counts())], {}),
    ([(ENGINE, "http_requests_total{code=503}", "Count", counts())], {}),
    ([(ENGINE, "too_many_requests_total", "Count", counts())], {}),
    ([(ENGINE, "RejectedConnectionCount", "Count", counts())], {}),
    ([(ENGINE, "rate_limited_requests_per_second", "Count/Second", DAYS)], {}),
    ([(ENGINE, "http_server_requests_inflight", "Count", 60.0), (ENGINE, "http_responses_total{status=503}", "Count", counts())], {"max_concurrent_requests": 60}),
    ([(ENGINE, "queue_depth", "Count", 200.0), (ENGINE, "rejected_total", "Count", counts())], {"queue_limit": 200}),
    ([(ENGINE, "worker_threads_busy", "Count", 40.0), (ENGINE, "HTTPCode_Target_5XX_Count", "Count", counts())], {"worker_threads": 40}),
    ([(DESK, "http_client_requests_total{client_name=rate-engine,status=429}", "Count", counts())], {}),
    ([(DESK, "outbound_responses_total{host=rate-engine,status=503}", "Count", counts())], {}),
]  # fmt: skip


@pytest.mark.parametrize(("metrics", "limits"), SIGNS, ids=[s[0][-1][1] for s in SIGNS])
def test_attempts_without_a_pause_at_a_service_that_refuses_calls_are_confirmed(metrics, limits) -> None:
    assert after(a_production(*metrics, **limits)) == ["confirmed"]


def test_refusals_of_one_day_long_ago_and_of_a_handful_stay_a_question() -> None:
    once = [0.0] * 300 + [9.0] + [0.0] * (len(DAYS) - 301)

    assert after(a_production((ENGINE, "Throttles", "Count", counts(once)))) == ["plausible"]


def test_a_service_that_is_full_but_refuses_nothing_stays_a_question() -> None:
    assert after(a_production(FULL, (ENGINE, "Throttles", "Count", 0.0), reserved_concurrency=60)) == ["plausible"]


def test_a_service_that_is_full_and_whose_callers_log_refusals_is_confirmed() -> None:
    lines = [(DESK, "POST http://rate-engine/premium 429 TooManyRequestsException: Rate Exceeded.")]

    assert after(a_production(FULL, lines=lines, reserved_concurrency=60)) == ["confirmed"]


def test_refusals_that_are_not_tried_again_are_no_harm_of_the_attempts() -> None:
    other = RUBY.replace("[429, 503]", "[408, 502]")

    assert after(a_production(FULL, (ENGINE, "Throttles", "Count", counts()), reserved_concurrency=60), text=other) == [
        "plausible"
    ]


def test_a_service_with_room_for_all_attempts_is_refuted() -> None:
    quiet = [(ENGINE, "ConcurrentExecutions.max", "Count", 6.0), (ENGINE, "Throttles", "Count", 0.0)]

    assert after(a_production(*quiet, reserved_concurrency=60)) == ["refuted"]


FORMS = [
    ("lib/rates.rb", RUBY, "1", "7"),
    ("app/rates.py", 'RATES_URL = os.environ["RATES_URL"]\n\n@retry(stop=stop_after_attempt(#N))\ndef premium(policy):\n    r = requests.post(RATES_URL + "/premium", json=policy, timeout=2)\n    r.raise_for_status()\n', "2", "8"),
    ("app/rates.py", 'RATES_URL = os.environ["RATES_URL"]\nsession.mount(RATES_URL, HTTPAdapter(max_retries=Retry(total=#N, backoff_factor=0, status_forcelist=[429, 503])))\n', "1", "7"),
    ("src/rates.ts", "const rates = axios.create({ baseURL: process.env.RATES_URL });\naxiosRetry(rates, { retries: #N, retryDelay: () => 0, retryCondition: (e) => e.response?.status === 429 });\n", "1", "7"),
    ("src/rates.ts", "export const premium = (p) => got.post(`${process.env.RATES_URL}/premium`, { json: p, retry: { limit: #N, statusCodes: [429], calculateDelay: () => 1 } });\n", "1", "7"),
    ("internal/rates.go", 'package rates\n\nconst attempts = #N\n\nfunc Premium() error {\n\tvar err error\n\tfor i := 0; i < attempts; i++ {\n\t\tif _, err = http.Post("http://rate-engine/premium", "application/json", nil); err == nil {\n\t\t\treturn nil\n\t\t}\n\t}\n\treturn err\n}\n', "2", "8"),
    ("src/main/resources/application.yml", "resilience4j:\n  retry:\n    instances:\n      rate-engine:\n        max-attempts: #N\n        wait-duration: 1ms\n", "2", "8"),
    ("src/Rates.cs", 'var rates = new HttpClient { BaseAddress = new Uri("http://rate-engine") };\nvar retry = Policy.HandleResult<HttpResponseMessage>(r => (int)r.StatusCode == 429).RetryAsync(#N);\n', "1", "7"),
    ("vs.yaml", "apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: rate-engine, namespace: insure}\nspec:\n  hosts: [rate-engine]\n  http:\n    - route: [{destination: {host: rate-engine}}]\n      retries: {attempts: #N, retryOn: '5xx,retriable-4xx'}\n", "1", "7"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "old", "new"), FORMS, ids=[f"{n}-{f[0]}" for n, f in enumerate(FORMS)])
def test_the_attempts_are_read_in_any_client(path, text, old, new) -> None:
    production = a_production(FULL, (ENGINE, "Throttles", "Count", counts()), reserved_concurrency=60)

    assert after(production, text, path, old, new) == ["plausible" if path == "vs.yaml" else "confirmed"]


def test_an_optional_word_in_the_plural_still_names_the_service() -> None:
    evaluation = evaluation_of(
        {"lib/rates.rb": RUBY.replace("#N", "1")},
        {"lib/rates.rb": RUBY.replace("#N", "7")},
        a_production(FULL, (ENGINE, "Throttles", "Count", counts()), reserved_concurrency=60),
    )
    claim = evaluation.ledger[0].trajectory.links[0].claim

    assert claim == "a call to rate-engine goes from 2 to 8 attempts"


def test_refusals_of_a_limit_for_each_caller_may_be_those_of_another_caller() -> None:
    for metric, status in (("http_requests_total{status=429}", "plausible"), ("Throttles", "confirmed")):
        production = a_production((ENGINE, metric, "Count", counts()))
        production.resource("arn:aws:ecs:eu-north-1:1:service/x/crawler", "aws.ecs.service", "crawler")
        production.edge("arn:aws:ecs:eu-north-1:1:service/x/crawler", ENGINE, "invokes")

        assert after(production) == [status]
