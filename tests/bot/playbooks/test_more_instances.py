"""More copies and more processes, each with a pool of its own, against the connections that the database takes."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction


def told(evaluation, playbook="connection-pool"):
    assert evaluation.failures == ()
    return [e.status.value for e in evaluation.ledger if e.trajectory.playbook == playbook]


def a_service(
    *, most=500, peak=380.0, least=None, copies=6, kind="kubernetes", limit_at="attribute", users=1, metric="DatabaseConnections"
):
    production = MemoryProduction("github:acme/ledger")
    if kind == "kubernetes":
        own = production.resource(
            "kubernetes:prod/billing/deployment/ledger", "kubernetes.deployment", "ledger", is_deployed=True, replicas=copies
        )
    else:
        own = production.resource(
            "arn:aws:ecs:eu-west-1:1:service/a/ledger", "aws.ecs.service", "ledger", is_deployed=True, desired_count=copies
        )
    attributes = {"max_connections": most} if limit_at == "attribute" and most else {}
    database = production.resource("arn:aws:rds:eu-west-1:1:db:ledger-pg", "aws.rds.instance", "ledger-pg", **attributes)
    production.edge(own, database, "writes_to")
    for number in range(1, users):
        other = production.resource(
            f"kubernetes:prod/billing/deployment/other{number}", "kubernetes.deployment", f"other{number}", replicas=2
        )
        production.edge(other, database, "reads_from")
    if limit_at == "settings" and most:
        production.database(database, settings={"max_connections": str(most)})
    if limit_at == "metric" and most:
        production.metric(database, "pg_settings_max_connections", "Count", float(most))
    if peak is not None:
        production.metric(database, metric, "Count", [peak] * 200 + [least if least is not None else peak] * 88)
    return production


RAILS = {
    "config/puma.rb": 'workers Integer(ENV.fetch("WEB_CONCURRENCY", 2))\nthreads 16, 16\n',
    "config/database.yml": 'production:\n  adapter: postgresql\n  pool: <%= ENV.fetch("RAILS_MAX_THREADS", 5) %>\n',
}
VARIABLES = '  env:\n    WEB_CONCURRENCY: "4"\n    RAILS_MAX_THREADS: "16"\n'
UMBRELLA = {
    "chart/Chart.yaml": "apiVersion: v2\nname: ledger\nversion: 1.0.0\ndependencies: [{name: web, version: 3.1.0, repository: oci://x}]\n",
    **RAILS,
}
POD = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: ledger, namespace: billing}}\nspec:\n  replicas: {}\n  template:\n    spec:\n      containers:\n"
    '        - name: app\n          image: a\n          env:\n            - {{name: WEB_CONCURRENCY, value: "4"}}\n            - {{name: RAILS_MAX_THREADS, value: "16"}}\n'
)
FORMS = {
    "umbrella chart": ("chart/values-prod.yaml", "web:\n  replicaCount: {}\n" + VARIABLES, UMBRELLA),
    "deployment": ("k8s/deployment.yaml", POD, RAILS),
    "hikari": ("k8s/deployment.yaml", POD, {"src/main/resources/application.yml": "spring:\n  datasource:\n    hikari:\n      maximum-pool-size: 64\n"}),
    "hikari by variable": (
        "k8s/deployment.yaml", POD.replace("RAILS_MAX_THREADS", "DB_POOL_SIZE").replace('"16"', '"64"'),
        {"src/main/resources/application.yml": "spring:\n  datasource:\n    hikari:\n      maximum-pool-size: ${DB_POOL_SIZE:10}\n", "config/puma.rb": RAILS["config/puma.rb"]},
    ),
    "sqlalchemy": (
        "k8s/deployment.yaml", POD, {"app/db.py": "engine = create_engine(url, pool_size=12, max_overflow=4)\n"},
    ),
    "gunicorn": (
        "k8s/deployment.yaml", POD.replace("WEB_CONCURRENCY", "LOG_LINES"),
        {"app/db.py": "engine = create_engine(url, pool_size=16, max_overflow=0)\n", "Dockerfile": 'FROM a\nCMD ["gunicorn", "--workers", "4", "app:app"]\n'},
    ),
    "pgx": ("k8s/deployment.yaml", POD.replace("WEB_CONCURRENCY", "X"), {"db.go": "package db\n\nfunc Open() { db.SetMaxOpenConns(64) }\n"}),
    "prisma": (
        "k8s/deployment.yaml", POD.replace("WEB_CONCURRENCY", "X").replace('"16"', '"postgresql://u@db/ledger?connection_limit=64&pool_timeout=5"'), {"a.md": "a"},
    ),
    "php": (
        "k8s/deployment.yaml", POD.replace("WEB_CONCURRENCY", "X").replace("RAILS_MAX_THREADS", "Y"), {"docker/www.conf": "[www]\npm = static\npm.max_children = 64\n"},
    ),
    "django": (
        "k8s/deployment.yaml", POD.replace("WEB_CONCURRENCY", "X").replace("RAILS_MAX_THREADS", "Y"),
        {"app/settings.py": "DATABASES = {'default': {'ENGINE': 'django.db.backends.postgresql', 'CONN_MAX_AGE': 60}}\n",
         "Dockerfile": 'FROM a\nCMD ["gunicorn", "--workers", "8", "--threads", "8", "app.wsgi"]\n'},
    ),
    "node": ("k8s/deployment.yaml", POD.replace("WEB_CONCURRENCY", "X"), {"src/db.ts": "export const pool = new Pool({ connectionString: process.env.DSN, max: 64 });\n"}),
}  # fmt: skip
every_form = pytest.mark.parametrize(("path", "text", "more"), FORMS.values(), ids=FORMS)


def grow(path, text, more, production, old=6, new=14):
    files = {path: text.format(old), **more}
    return told(evaluation_of(files, {path: text.format(new)}, production))


@every_form
def test_copies_whose_pools_are_full_today_and_do_not_fit_are_confirmed(path, text, more) -> None:
    assert grow(path, text, more, a_service()) == ["confirmed"]


@every_form
def test_copies_whose_pools_fit_also_while_a_version_rolls_out_are_refuted(path, text, more) -> None:
    assert grow(path, text, more, a_service(most=1600)) == ["refuted"]


@every_form
def test_pools_that_are_not_filled_today_stay_a_question(path, text, more) -> None:
    assert grow(path, text, more, a_service(peak=120.0, least=10.0)) == ["plausible"]


@every_form
def test_without_the_limit_of_the_database_there_is_nothing_to_tell(path, text, more) -> None:
    assert grow(path, text, more, a_service(most=None)) == []


@pytest.mark.parametrize("limit_at", ["attribute", "settings", "metric"])
@pytest.mark.parametrize(
    "metric",
    [
        "DatabaseConnections",
        "pg_stat_activity_count",
        "pg_stat_database_numbackends",
        "postgresql.connections",
        "Threads_connected",
    ],
)
def test_the_limit_and_the_open_connections_count_by_any_usual_name(limit_at, metric) -> None:
    assert grow(*FORMS["deployment"], a_service(limit_at=limit_at, metric=metric)) == ["confirmed"]


def test_what_others_hold_is_no_sign_that_a_pool_is_full() -> None:
    path, text, _ = FORMS["deployment"]
    more = {"src/db.ts": "export const pool = new Pool({ connectionString: process.env.DSN, max: 8 });\n"}

    assert grow(path, text.replace("WEB_CONCURRENCY", "X"), more, a_service(peak=450.0, least=100.0, users=3)) == ["plausible"]


def test_the_ceiling_of_a_service_counts_through_its_target() -> None:
    assert grow("main.tf", SCALING, POOL, a_service(kind="ecs")) == ["confirmed"]


def test_a_pooler_in_between_takes_the_connections_up() -> None:
    path, text, more = FORMS["deployment"]

    assert (
        grow(
            path,
            text,
            {**more, "k8s/pgbouncer.yaml": "kind: Service\napiVersion: v1\nmetadata: {name: pgbouncer}\n"},
            a_service(),
        )
        == []
    )


def test_a_flat_number_of_connections_grows_with_the_copies_of_its_only_user() -> None:
    path, text, _ = FORMS["deployment"]

    assert grow(path, text, {}, a_service(least=376.0)) == ["confirmed"]
    assert grow(path, text, {}, a_service(most=2000)) == ["refuted"]
    assert grow(path, text, {}, a_service(least=376.0, users=3)) == ["plausible"]


ECS = 'resource "aws_ecs_service" "ledger" {{\n  name = "ledger"\n  desired_count = {}\n}}\n'
SCALING = (
    'resource "aws_appautoscaling_target" "ledger" {{\n  service_namespace = "ecs"\n  resource_id = "service/a/ledger"\n'
    '  scalable_dimension = "ecs:service:DesiredCount"\n  min_capacity = 2\n  max_capacity = {}\n}}\n'
)
POOL = {"src/main/resources/application.yml": "spring:\n  datasource:\n    hikari:\n      maximum-pool-size: 64\n"}


def test_tasks_are_counted_like_pods() -> None:
    assert grow("main.tf", ECS, POOL, a_service(kind="ecs")) == ["confirmed"]
    assert grow("main.tf", ECS, POOL, a_service(kind="ecs", most=2500)) == ["refuted"]


HPA = (
    "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {{name: ledger, namespace: billing}}\nspec:\n  minReplicas: 2\n  maxReplicas: {}\n"
    "  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: ledger}}\n"
)


@pytest.mark.parametrize(("copies", "peak", "status"), [(6, 384.0, "confirmed"), (3, 190.0, "plausible")])
def test_a_higher_ceiling_counts_when_the_old_one_is_reached(copies, peak, status) -> None:
    assert grow("k8s/hpa.yaml", HPA, POOL, a_service(copies=copies, peak=peak)) == [status]


def test_the_default_of_a_value_that_production_sets_is_silent() -> None:
    more = {**UMBRELLA, "chart/values-prod.yaml": "web:\n  replicaCount: 6\n" + VARIABLES}

    assert grow("chart/values.yaml", "web:\n  replicaCount: {}\n", more, a_service()) == []


def test_more_processes_bring_a_pool_each() -> None:
    before, after = POD.format(6), POD.format(6).replace('value: "4"', 'value: "12"')
    files = {"k8s/deployment.yaml": before, **RAILS}

    assert told(evaluation_of(files, {"k8s/deployment.yaml": after}, a_service()), "concurrency") == ["confirmed"]
    assert told(evaluation_of(files, {"k8s/deployment.yaml": after}, a_service(most=4000)), "concurrency") == ["refuted"]


def test_a_bigger_pool_counts_once_for_every_process() -> None:
    text = "production:\n  adapter: postgresql\n  pool: {}\n"
    files = {
        "k8s/deployment.yaml": POD.format(6),
        "config/puma.rb": RAILS["config/puma.rb"],
        "config/database.yml": text.format(16),
    }

    assert told(evaluation_of(files, {"config/database.yml": text.format(32)}, a_service(most=700, peak=384.0))) == ["confirmed"]
