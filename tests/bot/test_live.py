"""Live production end to end: a stored graph, a real PostgreSQL, a real Prometheus; recorded, and replayed to the same report."""

import json
import threading
from collections.abc import Generator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.entrypoints.cli.app import main
from bot.storage.database import open_database
from bot.storage.graph_writer import write
from context_graph.collecting import Collected, Scope, ScopeStatus
from gonogo.resource import Edge, Relation, Resource
from gonogo.word import ResourceId
from scripts.build_demo import run_git, start_repository
from scripts.prometheus_server import prometheus_server, server_binaries

LEDGER, REPOSITORY = ResourceId("arn:aws:rds:eu-west-1:111122223333:db:ledger"), ResourceId("github:acme/shop")


@pytest.fixture(scope="module")
def prometheus_url() -> Generator[str]:
    if server_binaries() is None:
        pytest.skip("no Prometheus binaries; install the package prometheus")
    end = int(datetime.now(UTC).timestamp())
    lines = [f'pg_stat_activity_count{{job="ledger"}} {n % 7} {end - 7200 + n * 60}' for n in range(121)]
    with prometheus_server("# TYPE pg_stat_activity_count gauge\n" + "\n".join(lines) + "\n# EOF\n") as url:
        yield url


@pytest.fixture
def database_url(postgres_url: str) -> Generator[str]:
    """Orders with rows, and somebody who writes to them all the time."""
    with psycopg.connect(postgres_url, autocommit=True) as admin:
        admin.execute(b"CREATE DATABASE ledger")
        for statement in ("CREATE ROLE gonogo_reads LOGIN", "GRANT pg_monitor TO gonogo_reads"):
            admin.execute(statement.encode())
    url = postgres_url.rpartition("/")[0] + "/ledger"
    done = threading.Event()

    def keep_writing() -> None:
        with psycopg.connect(url, autocommit=True) as connection:
            while not done.is_set():
                connection.execute(b"INSERT INTO orders (customer_id) SELECT generate_series(1, 50)")
                connection.execute(b"SELECT pg_stat_force_next_flush()")
                done.wait(0.01)

    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(b"CREATE TABLE orders (id bigserial PRIMARY KEY, customer_id bigint, pad text DEFAULT repeat('x', 400))")
        admin.execute(b"INSERT INTO orders (customer_id) SELECT generate_series(1, 200000)")
        admin.execute(b"ANALYZE orders")
    writer = threading.Thread(target=keep_writing, daemon=True)
    writer.start()
    yield url.replace("gonogo@", "gonogo_reads@")
    done.set()
    writer.join(10)
    with psycopg.connect(postgres_url, autocommit=True) as admin:
        admin.execute(b"DROP DATABASE ledger WITH (FORCE)")
        admin.execute(b"DROP ROLE gonogo_reads")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    start_repository(folder)
    (folder / "migrations").mkdir()
    (folder / "migrations" / "0001.sql").write_text("CREATE TABLE orders (id bigserial PRIMARY KEY, customer_id bigint);\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "main")
    run_git(folder, "checkout", "-q", "-b", "pr")
    (folder / "migrations" / "0002.sql").write_text("CREATE INDEX orders_customer ON orders (customer_id);\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-q", "-m", "pr")
    run_git(folder, "remote", "add", "origin", "https://github.com/acme/shop.git")
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("GONOGO_DATABASE_URL", "GONOGO_PROMETHEUS_URL", "GONOGO_DATABASES", "GONOGO_LOKI_URL", "GONOGO_LOG_FILES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GONOGO_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("GONOGO_CLOUDWATCH", "off")
    return tmp_path / "data"


@pytest.fixture
def graph(home: Path) -> Path:
    engine = open_database(f"sqlite:///{home / 'gonogo.db'}")
    now = datetime.now(UTC) - timedelta(minutes=5)
    resources = [
        Resource(id=REPOSITORY, kind="github.repository", name="acme/shop"),
        Resource(id=LEDGER, kind="aws.rds.instance", name="ledger", account="111122223333", region="eu-west-1"),
    ]
    edge = Edge(source=REPOSITORY, target=LEDGER, relation=Relation.DEPLOYS_TO)
    scope = Scope("aws", "111122223333", "eu-west-1", "rds")
    write(engine, Collected(scope=scope, status=ScopeStatus.OK, read_at=now, resources=resources, edges=[edge]))
    engine.dispose()
    return home


def report_of(path: Path) -> dict[str, Any]:
    return {k: v for k, v in json.loads(path.read_text()).items() if k != "timings"}


@pytest.mark.usefixtures("graph")
def test_live_statistics_decide_and_the_recording_gives_the_same_report_when_all_sources_are_gone(
    repository: Path,
    database_url: str,
    prometheus_url: str,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setenv("GONOGO_DATABASES", json.dumps({LEDGER: database_url}))
    monkeypatch.setenv("GONOGO_STATISTICS_INTERVAL_S", "0.5")
    monkeypatch.setenv("GONOGO_PROMETHEUS_URL", prometheus_url)
    report = tmp_path / "report.json"
    call = ["check", "--repo", str(repository), "--base", "main", "--head", "pr", "--production", "live"]

    status = main([*call, "--record", "--json", str(report)])

    before = report_of(report)
    assert status in (0, 1)
    assert before["production"]["source"] == "live"
    cited = json.dumps(before["trajectories"])
    assert "writes_per_second" in cited
    assert '"production": true' in cited
    (recorded,) = (home / "evaluations").iterdir()
    series = (recorded / "production" / "metrics.csv").read_text()
    assert f"{LEDGER},pg_stat_activity_count,None," in series

    monkeypatch.setenv("GONOGO_DATABASES", json.dumps({LEDGER: "postgresql://nobody@127.0.0.1:1/none"}))
    monkeypatch.setenv("GONOGO_PROMETHEUS_URL", "http://127.0.0.1:1")
    capsys.readouterr()
    again = main(["replay", recorded.name, "--format", "json"])

    told = capsys.readouterr()
    replayed = {k: v for k, v in json.loads(told.out).items() if k != "timings"}
    assert (again, replayed) == (status, before)
    assert "the report is the same as the recorded one" in told.err


@pytest.mark.usefixtures("graph")
def test_sources_that_do_not_answer_are_gaps_and_the_graph_still_answers(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GONOGO_DATABASES", json.dumps({LEDGER: "postgresql://nobody@127.0.0.1:1/none"}))
    monkeypatch.setenv("GONOGO_PROMETHEUS_URL", "http://127.0.0.1:1")
    report = tmp_path / "report.json"

    status = main(
        ["check", "--repo", str(repository), "--base", "main", "--head", "pr", "--production", "live", "--json", str(report)]
    )

    told = json.loads(report.read_text())
    assert status == 0
    assert [a["resource"] for a in told["affected"]] == [LEDGER]
    gaps = "\n".join(f"{g['what']}: {g['why']}" for g in told["gaps"])
    assert f"PostgreSQL {LEDGER}: OperationalError" in gaps
    assert f"Prometheus {LEDGER}: URLError" in gaps


@pytest.mark.usefixtures("home")
def test_an_empty_graph_says_how_to_fill_it_and_the_report_is_still_written(repository: Path, tmp_path: Path):
    report = tmp_path / "report.json"

    status = main(
        ["check", "--repo", str(repository), "--base", "main", "--head", "pr", "--production", "live", "--json", str(report)]
    )

    assert status == 3
    assert json.loads(report.read_text())["error"] == {
        "stage": "context",
        "why": "the graph of production is empty",
        "what_to_do": "fill it with: gonogo graph sync",
    }


@pytest.mark.usefixtures("graph")
def test_a_snapshot_of_live_production_holds_what_a_repository_reaches_and_is_read_back(
    repository: Path, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("GONOGO_DATABASES", json.dumps({LEDGER: database_url}))
    monkeypatch.setenv("GONOGO_STATISTICS_INTERVAL_S", "0.5")
    out = tmp_path / "snapshot"

    assert main(["snapshot", "--out", str(out), "--repo", str(repository)]) == 0
    assert "2 resources, 1 edges" in capsys.readouterr().out
    (database,) = json.loads((out / "databases.json").read_text())
    assert next(t for t in database["tables"] if t["name"] == "orders")["writes_per_second"] > 50

    report = tmp_path / "report.json"
    main(["check", "--repo", str(repository), "--base", "main", "--head", "pr", "--production", str(out), "--json", str(report)])
    assert "writes_per_second" in report.read_text()
    assert main(["snapshot", "--out", str(out), "--repo", str(repository)]) == 2
    assert main(["snapshot", "--out", str(tmp_path / "other"), "--resource", "nobody:knows:it"]) == 2


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("GONOGO_DATABASES", "{", "not readable as JSON"),
        ("GONOGO_DATABASES", '{"a": 3}', "the value of a must be text"),
        ("GONOGO_DATABASES", "no/such/file.json", "give JSON, or the path of a JSON file"),
        ("GONOGO_STATISTICS_INTERVAL_S", "soon", "not a number of seconds"),
        ("GONOGO_PROMETHEUS_URL", "file:///etc/passwd", "not an http or https URL"),
    ],
)
@pytest.mark.usefixtures("graph")
def test_a_wrong_setting_is_named(
    repository: Path, name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv(name, value)

    assert main(["check", "--repo", str(repository), "--base", "main", "--head", "pr", "--production", "live"]) == 2
    assert name in (told := capsys.readouterr().err)
    assert said in told


def test_what_was_never_recorded_cannot_be_replayed(home: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["replay", "20260504T101500Z-4f2c91aa-03e7"]) == 2
    assert "record one with: gonogo check --record" in capsys.readouterr().err
    assert home
