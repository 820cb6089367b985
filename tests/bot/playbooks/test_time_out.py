import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation, playbook="time-out"):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == playbook]


def a_caller(*callees, **metrics):
    """Service `shop` that calls these services; metrics are of the first one."""
    production = MemoryProduction("github:acme/shop")
    shop = production.resource(
        "kubernetes:prod/web/deployment/shop", "kubernetes.deployment", "shop", is_deployed=True, replicas=3
    )
    production.metric(shop, "http_requests_per_second", "Count/Second", 40.0)
    for name in callees:
        target = production.resource(f"kubernetes:prod/web/deployment/{name}", "kubernetes.deployment", name)
        production.edge(shop, target, "invokes")
    for percentile, seconds in metrics.items():
        production.metric(
            f"kubernetes:prod/web/deployment/{callees[0]}", f"http_request_duration_seconds.{percentile}", "Seconds", seconds
        )
    return production


PYTHON = 'import requests\n\ndef rate():\n    return requests.get(os.environ["RATES_URL"], timeout={}).json()\n'
TYPESCRIPT = "export const rate = () => fetch(`${{process.env.RATES_URL}}/r`, {{ signal: AbortSignal.timeout({}) }});\n"
GO = 'package rates\n\nvar client = &http.Client{{Timeout: {}}}\n\nfunc Get() {{ client.Get("http://rates:8080/r") }}\n'
JAVA = 'class Rates {{\n  WebClient c = WebClient.create("http://rates:8080");\n  Rate get() {{ return c.get().retrieve().bodyToMono(Rate.class).timeout(Duration.ofMillis({})).block(); }}\n}}\n'
RUBY = 'conn = Faraday.new(url: ENV["RATES_URL"]) do |f|\n  f.options.timeout = {}\nend\n'
KOTLIN = 'val client = OkHttpClient.Builder().readTimeout(Duration.ofSeconds({})).build()\nval url = "http://rates:8080"\n'
CLIENTS = [
    ("app/rates.py", PYTHON, "10", "1"),
    ("src/rates.ts", TYPESCRIPT, "10_000", "1_000"),
    ("internal/rates.go", GO, "10 * time.Second", "time.Second"),
    ("src/main/java/Rates.java", JAVA, "10000", "1000"),
    ("app/rates.rb", RUBY, "10", "1"),
    ("src/main/kotlin/Rates.kt", KOTLIN, "10", "1"),
]


@pytest.mark.parametrize(("path", "text", "old", "new"), CLIENTS, ids=[c[0] for c in CLIENTS])
def test_a_client_that_gives_up_before_one_call_in_twenty_answers_is_confirmed(path, text, old, new) -> None:
    evaluation = evaluation_of({path: text.format(old)}, {path: text.format(new)}, a_caller("rates", p95=1.4, p99=2.0))

    assert told(evaluation) == ["confirmed"]


@pytest.mark.parametrize(("path", "text", "old", "new"), CLIENTS, ids=[c[0] for c in CLIENTS])
def test_a_client_that_waits_longer_than_the_slowest_call_is_refuted(path, text, old, new) -> None:
    evaluation = evaluation_of({path: text.format(old)}, {path: text.format(new)}, a_caller("rates", p99=0.2, max=0.7))

    assert told(evaluation) == ["refuted"]


@pytest.mark.parametrize(("path", "text", "old", "new"), CLIENTS, ids=[c[0] for c in CLIENTS])
def test_without_a_latency_the_question_stays(path, text, old, new) -> None:
    evaluation = evaluation_of({path: text.format(old)}, {path: text.format(new)}, a_caller("rates"))

    (entry,) = evaluation.ledger
    assert entry.status.value == "plausible"
    assert any(link.question and link.query for link in entry.trajectory.links)


@pytest.mark.parametrize(("path", "text", "old", "new"), CLIENTS, ids=[c[0] for c in CLIENTS])
def test_a_longer_time_out_is_silent(path, text, old, new) -> None:
    assert told(evaluation_of({path: text.format(new)}, {path: text.format(old)}, a_caller("rates", p99=2.0))) == []


def test_of_several_callees_the_one_that_the_code_names_counts() -> None:
    production = a_caller("rates", "search", p99=2.0)

    assert told(evaluation_of({"a.py": PYTHON.format(10)}, {"a.py": PYTHON.format(1)}, production)) == ["confirmed"]


def test_of_several_callees_none_counts_when_the_code_names_another() -> None:
    production = a_caller("search", "quotes", p99=9.0)

    assert told(evaluation_of({"a.py": PYTHON.format(10)}, {"a.py": PYTHON.format(1)}, production)) == ["plausible"]


def test_one_slow_call_in_thousands_does_not_confirm() -> None:
    production = a_caller("rates", p99=0.9, max=3.0)

    assert told(evaluation_of({"a.py": PYTHON.format(10)}, {"a.py": PYTHON.format(1)}, production)) == ["plausible"]


TERRAFORM = 'resource "aws_lambda_function" "export" {{\n  function_name = "export"\n  timeout = {}\n}}\n'
SAM = (
    "Resources:\n  Export:\n    Type: AWS::Serverless::Function\n    Properties:\n      FunctionName: export\n      Timeout: {}\n"
)


def a_function(**seconds):
    production = MemoryProduction("github:acme/shop")
    function = production.resource(
        "arn:aws:lambda:eu-west-1:1:function:export", "aws.lambda.function", "export", is_deployed=True, timeout_s=120
    )
    production.metric(function, "Invocations", "Count", 50.0)
    for percentile, value in seconds.items():
        production.metric(function, f"Duration.{percentile}", "Milliseconds", value * 1000)
    return production


@pytest.mark.parametrize(("path", "text"), [("main.tf", TERRAFORM), ("template.yaml", SAM)])
@pytest.mark.parametrize(
    ("seconds", "status"), [({"p99": 55, "max": 90}, "confirmed"), ({"p99": 2, "max": 6}, "refuted"), ({}, "plausible")]
)
def test_a_function_is_held_against_its_own_duration(path, text, seconds, status) -> None:
    assert told(evaluation_of({path: text.format(120)}, {path: text.format(30)}, a_function(**seconds))) == [status]


def test_the_slowest_run_counts_when_few_run() -> None:
    production = a_function(max=90)

    assert told(evaluation_of({"main.tf": TERRAFORM.format(120)}, {"main.tf": TERRAFORM.format(30)}, production)) == ["confirmed"]


def test_a_statement_time_out_is_held_against_what_the_server_logs() -> None:
    production = MemoryProduction("github:acme/shop")
    web = production.resource("arn:aws:ecs:eu-west-1:1:service/web", "aws.ecs.service", "web", is_deployed=True)
    database = production.resource("arn:aws:rds:eu-west-1:1:db:main", "aws.rds.instance", "main")
    production.edge(web, database, "writes_to")
    production.log(database, *[f"duration: {n}.5 ms  execute <unnamed>: SELECT 1" for n in (9000, 12000, 15000, 16000)])
    text = "production:\n  variables:\n    statement_timeout: {}\n"

    evaluation = evaluation_of(
        {"config/database.yml": text.format(60000)}, {"config/database.yml": text.format(5000)}, production
    )

    assert told(evaluation) == ["confirmed"]


def test_the_statements_of_others_prove_nothing() -> None:
    production = MemoryProduction("github:acme/shop")
    web = production.resource("arn:aws:ecs:eu-west-1:1:service/web", "aws.ecs.service", "web", is_deployed=True)
    other = production.resource("arn:aws:ecs:eu-west-1:1:service/reports", "aws.ecs.service", "reports")
    database = production.resource("arn:aws:rds:eu-west-1:1:db:main", "aws.rds.instance", "main")
    production.edge(web, database, "writes_to")
    production.edge(other, database, "reads_from")
    production.log(database, *[f"duration: {n}.5 ms  execute <unnamed>: SELECT 1" for n in (9000, 12000, 15000, 16000)])
    text = "production:\n  variables:\n    statement_timeout: {}\n"

    evaluation = evaluation_of(
        {"config/database.yml": text.format(60000)}, {"config/database.yml": text.format(5000)}, production
    )

    assert told(evaluation) == ["plausible"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("app/session.py", "SESSION_TIMEOUT = {}\n"),
        ("src/cache.ts", "export const cacheTimeout = {};\n"),
        ("src/ui.ts", "setTimeout(() => render(), {});\n"),
        ("tests/test_rates.py", PYTHON),
        ("config/environments/development.py", PYTHON),
        ("config/application-dev.yml", "client:\n  timeout: {}s\n"),
        (".github/workflows/ci.yml", "jobs:\n  test:\n    timeout-minutes: {}\n"),
    ],
)
def test_what_is_no_time_out_of_a_call_in_production_is_silent(path, text) -> None:
    assert told(evaluation_of({path: text.format(9000)}, {path: text.format(30)}, a_caller("rates", p99=99.0))) == []


def test_without_production_a_shorter_time_out_stays_a_question() -> None:
    assert told(evaluation_of({"a.py": PYTHON.format(10)}, {"a.py": PYTHON.format(1)})) == ["plausible"]


def test_of_several_routes_the_one_that_the_code_calls_counts() -> None:
    production = a_caller("rates")
    target = "kubernetes:prod/web/deployment/rates"
    production.metric(target, "http_request_duration_seconds.p99", "Seconds", 4.0)
    production.metric(target, "http_request_duration_seconds.p99{route=/report}", "Seconds", 9.0)
    production.metric(target, "http_request_duration_seconds.p99{route=/latest}", "Seconds", 0.1)
    text = 'import requests\n\ndef rate():\n    return requests.get(os.environ["RATES_URL"] + "/latest", timeout={})\n'

    assert told(evaluation_of({"a.py": text.format(10)}, {"a.py": text.format(1)}, production)) == ["refuted"]
