import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation, playbook="concurrency"):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == playbook]


def a_function(*, running=None, connections=None, most=400, is_queued=False):
    production = MemoryProduction("github:acme/rates")
    function = production.resource("arn:aws:lambda:eu-west-1:1:function:rates", "aws.lambda.function", "rates", is_deployed=True)
    production.metric(function, "Invocations", "Count", 30000.0)
    if running is not None:
        production.metric(function, "ConcurrentExecutions.max", "Count", running)
    if connections is not None:
        database = production.resource("arn:aws:rds:eu-west-1:1:db:main", "aws.rds.instance", "main", max_connections=most)
        production.edge(function, database, "writes_to")
        production.metric(database, "DatabaseConnections", "Count", connections)
    if is_queued:
        queue = production.resource("arn:aws:sqs:eu-west-1:1:feed", "aws.sqs.queue", "feed")
        production.edge(queue, function, "triggers")
        production.metric(queue, "NumberOfMessagesSent", "Count", 3000.0)
    return production


SERVERLESS = (
    "service: s\nprovider: {{name: aws}}\nfunctions:\n  rates:\n    name: rates\n    handler: a.b\n    reservedConcurrency: {}\n"
)
TERRAFORM = 'resource "aws_lambda_function" "rates" {{\n  function_name = "rates"\n  reserved_concurrent_executions = {}\n}}\n'
both_manifests = pytest.mark.parametrize(("path", "text"), [("serverless.yml", SERVERLESS), ("main.tf", TERRAFORM)])


@both_manifests
@pytest.mark.parametrize(
    ("running", "status"), [(90.0, "confirmed"), (12.0, "refuted"), (24.0, "plausible"), (None, "plausible")]
)
def test_fewer_runs_are_held_against_those_at_the_peak(path, text, running, status) -> None:
    assert told(evaluation_of({path: text.format(200)}, {path: text.format(25)}, a_function(running=running))) == [status]


@both_manifests
@pytest.mark.parametrize(
    ("running", "connections", "most", "status"),
    [
        (40.0, 215.0, 420, "confirmed"),
        (40.0, 50.0, 2000, "refuted"),
        (5.0, 215.0, 420, "refuted"),
        (None, 215.0, 420, "plausible"),
    ],
)
def test_more_runs_are_held_against_the_connections_that_are_left(path, text, running, connections, most, status) -> None:
    production = a_function(running=running, connections=connections, most=most)

    assert told(evaluation_of({path: text.format(40)}, {path: text.format(400)}, production)) == [status]


@both_manifests
def test_more_runs_with_nothing_behind_them_are_silent(path, text) -> None:
    assert told(evaluation_of({path: text.format(40)}, {path: text.format(400)}, a_function(running=40.0))) == []


@both_manifests
@pytest.mark.parametrize(("running", "status"), [(60.0, "confirmed"), (10.0, "refuted")])
def test_behind_a_queue_fewer_runs_make_it_grow(path, text, running, status) -> None:
    production = a_function(running=running, is_queued=True)

    assert told(evaluation_of({path: text.format(200)}, {path: text.format(25)}, production), "queue-growth") == [status]


def a_service(*, replicas=3, connections=None, most=None, **metrics):
    production = MemoryProduction("github:acme/pay")
    pods = production.resource(
        "kubernetes:prod/p/deployment/pay", "kubernetes.deployment", "pay", is_deployed=True, replicas=replicas
    )
    database = production.resource(
        "arn:aws:rds:eu-west-1:1:db:pay", "aws.rds.instance", "pay-pg", **({"max_connections": most} if most else {})
    )
    production.edge(pods, database, "writes_to")
    if connections is not None:
        production.metric(database, "DatabaseConnections", "Count", connections)
    for name, value in metrics.items():
        production.metric(pods, name, "Count", value)
    return production


HIKARI = ("src/main/resources/application.yml", "spring:\n  datasource:\n    hikari:\n      maximum-pool-size: {}\n")
SQLALCHEMY = ("db.py", "engine = create_engine(os.environ['DSN'], pool_size={}, max_overflow=0)\n")
NODE = ("src/db.ts", "export const pool = new Pool({{ connectionString: process.env.DSN, max: {} }});\n")
RAILS = ("config/database.yml", "production:\n  adapter: postgresql\n  pool: {}\n")
GO = ("db.go", "package db\n\nfunc Open(db *sql.DB) {{ db.SetMaxOpenConns({}) }}\n")
pools = pytest.mark.parametrize(("path", "text"), [HIKARI, SQLALCHEMY, NODE, RAILS, GO])


@pools
def test_a_bigger_pool_that_fits_twice_is_refuted(path, text) -> None:
    production = a_service(replicas=3, connections=60.0, most=1700)

    assert told(evaluation_of({path: text.format(10)}, {path: text.format(40)}, production), "connection-pool") == ["refuted"]


@pools
def test_bigger_pools_that_are_full_today_and_do_not_fit_are_confirmed(path, text) -> None:
    production = a_service(replicas=14, connections=150.0, most=300)

    assert told(evaluation_of({path: text.format(10)}, {path: text.format(40)}, production), "connection-pool") == ["confirmed"]


@pools
def test_without_the_limit_of_the_database_a_bigger_pool_stays_a_question(path, text) -> None:
    assert told(evaluation_of({path: text.format(10)}, {path: text.format(40)}, a_service()), "connection-pool") == ["plausible"]


@pools
def test_a_smaller_pool_is_held_against_the_connections_in_use(path, text) -> None:
    busy, calm = a_service(pool_connections_active=18.0), a_service(pool_connections_active=3.0)

    assert told(evaluation_of({path: text.format(20)}, {path: text.format(5)}, busy), "connection-pool") == ["confirmed"]
    assert told(evaluation_of({path: text.format(20)}, {path: text.format(5)}, calm), "connection-pool") == ["refuted"]


@pytest.mark.parametrize(("busy", "status"), [(14.0, "confirmed"), (2.0, "refuted"), (None, "plausible")])
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("gunicorn.conf.py", "workers = {}\n"),
        ("config/puma.rb", "workers {}\n"),
        ("src/main/resources/application.properties", "server.tomcat.threads.max={}\n"),
    ],
)
def test_fewer_workers_are_held_against_the_busy_ones(path, text, busy, status) -> None:
    production = a_service(**({"busy_workers": busy} if busy is not None else {}))

    assert told(evaluation_of({path: text.format(16)}, {path: text.format(4)}, production)) == [status]


@pytest.mark.parametrize(("path", "text"), [("backfill.ts", "const WRITERS = {};\n"), ("backfill.py", "CONCURRENCY = {}\n")])
@pytest.mark.parametrize(("used", "status"), [(300.0 * 330, "confirmed"), (300.0 * 5, "refuted")])
def test_more_writers_are_held_against_the_capacity_of_the_table(path, text, used, status) -> None:
    production = MemoryProduction("github:acme/shop")
    job = production.resource("arn:aws:ecs:eu-west-1:1:service/jobs/backfill", "aws.ecs.service", "backfill", is_deployed=True)
    table = production.resource("arn:aws:dynamodb:eu-west-1:1:table/shop", "aws.dynamodb.table", "shop", write_capacity_units=900)
    production.edge(job, table, "writes_to")
    production.metric(table, "ConsumedWriteCapacityUnits{operation=backfill}", "Count", used)

    assert told(evaluation_of({path: text.format(4)}, {path: text.format(64)}, production)) == [status]


@pytest.mark.parametrize(("peak", "status"), [(250.0, "confirmed"), (40.0, "refuted")])
def test_a_database_that_takes_fewer_connections_is_held_against_those_open(peak, status) -> None:
    production = a_service(connections=peak, most=300)
    text = 'resource "aws_db_parameter_group" "p" {{\n  name = "p"\n  family = "postgres15"\n  parameter {{\n    name = "max_connections"\n    value = "{}"\n  }}\n}}\n'

    assert told(evaluation_of({"main.tf": text.format(300)}, {"main.tf": text.format(100)}, production), "connection-pool") == [
        status
    ]
