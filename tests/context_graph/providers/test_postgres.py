"""Statistics of a real PostgreSQL, read by a role with pg_monitor alone, by one without it, and by one with SELECT."""

from dataclasses import dataclass
from datetime import UTC, datetime

import psycopg
import pytest

from context_graph.providers.postgres import PostgresSource
from context_graph.telemetry import Answer, Fact, grid
from gonogo.context import Database
from gonogo.resource import Resource
from gonogo.word import ResourceId

SERVER = ResourceId("arn:aws:rds:eu-west-1:111122223333:db:ledger")

SCHEMA = """
CREATE TABLE orders (id bigint PRIMARY KEY, status text NOT NULL DEFAULT 'open', note text, api_token text);
CREATE INDEX orders_status ON orders (status);
CREATE INDEX orders_note ON orders (note);
ALTER TABLE orders ADD CONSTRAINT orders_status_known CHECK (status IN ('open', 'paid')) NOT VALID;
INSERT INTO orders SELECT n, CASE WHEN n % 4 = 0 THEN 'paid' ELSE 'open' END, CASE WHEN n % 2 = 0 THEN 'n' || n END,
  't' || n % 3 FROM generate_series(1, 2000) n;
CREATE TABLE events (id bigint, at date NOT NULL) PARTITION BY RANGE (at);
CREATE TABLE events_may PARTITION OF events FOR VALUES FROM ('2026-05-01') TO ('2026-06-01');
CREATE TABLE events_june PARTITION OF events FOR VALUES FROM ('2026-06-01') TO ('2026-07-01');
INSERT INTO events SELECT n, date '2026-05-01' + n % 60 FROM generate_series(1, 600) n;
CREATE TABLE schema_migrations (version bigint PRIMARY KEY, dirty boolean);
INSERT INTO schema_migrations VALUES (20260101, false), (20260102, false);
CREATE SCHEMA audit;
CREATE TABLE audit.entries (id int);
"""


@dataclass
class Server:
    admin: str
    database: str

    def url(self, role: str) -> str:
        return self.admin.replace("gonogo@", f"{role}@").rpartition("/")[0] + f"/{self.database}"

    def run(self, *statements: str) -> None:
        with psycopg.connect(self.url("gonogo"), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())


@pytest.fixture
def server(postgres_url: str, request: pytest.FixtureRequest) -> Server:
    name = f"shop_{abs(hash(request.node.name)) % 10**9}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        for role in ("watcher", "stranger", "reader"):
            connection.execute(
                f"DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$".encode()
            )
        connection.execute(b"GRANT pg_monitor TO watcher, reader")
    made = Server(postgres_url, name)
    made.run(SCHEMA, "ANALYZE")
    return made


def read(server: Server, role: str, *, between: tuple[str, ...] = (), interval_s: float = 0.05) -> tuple[Database, Answer]:
    source = PostgresSource({SERVER: server.url(role)}, interval_s=interval_s, pause=lambda _: server.run(*between))
    (call,) = source.calls(Fact.DATABASES, [a_server()], grid(datetime.now(UTC)))
    answer = call.run()
    (database,) = answer.facts
    return database, answer


def a_server() -> Resource:
    return Resource(id=SERVER, kind="aws.rds.instance", name="ledger")


def gaps_of(answer: Answer) -> str:
    return "\n".join(f"{gap.what}: {gap.why}" for gap in answer.gaps)


def test_pg_monitor_alone_reads_sizes_rates_indexes_columns_and_constraints(server: Server):
    flushed = "BEGIN; INSERT INTO orders SELECT n, 'open' FROM generate_series(3001, 3100) n; COMMIT; SELECT pg_stat_force_next_flush(), pg_sleep(0.05)"
    database, answer = read(server, "watcher", between=(flushed,))

    orders = database.table("orders")
    assert orders is not None
    assert database.version.startswith("1")
    assert orders.row_estimate == 2000
    assert orders.total_bytes is not None
    assert orders.total_bytes > 100_000
    assert orders.writes_per_second is not None
    assert orders.writes_per_second > 10
    assert [c["name"] for c in orders.columns] == ["id", "status", "note", "api_token"]
    assert orders.columns[1] == {"name": "status", "type": "text", "nullable": False, "default": "'open'::text"}
    check = next(c for c in database.constraints if c["name"] == "orders_status_known")
    assert (check["type"], check["validated"]) == ("CHECK", False)
    index = database.index("orders_status")
    assert index is not None
    assert "USING btree (status)" in index.definition
    assert index.scans_per_hour == 0
    assert database.settings["max_connections"] == "100"
    assert database.settings["statement_timeout"] == "0"
    assert "watcher has no SELECT on audit.entries, public.events, public.events_june and" in gaps_of(answer)
    assert "SELECT on public.schema_migrations is not granted" in gaps_of(answer)
    assert database.applied_migrations is None


def test_a_rate_is_what_the_counters_grew_by_over_the_time_between_the_readings(server: Server):
    from context_graph.providers.postgres_rates import Counters, rates_between

    at = datetime(2026, 5, 4, 12, tzinfo=UTC)

    def counters(seconds: int, writes: int, scans: int, reset: datetime | None) -> Counters:
        stamp = at.replace(second=seconds)
        table = {"at": stamp, "relation": 1, "writes": writes, "reads": 2 * writes, "inserts": writes, "dead": 3}
        return Counters([table], [{"relation": 2, "scans": scans}], reset)

    reset = at.replace(hour=2)
    rates = rates_between(counters(0, 1000, 50, reset), counters(10, 1382, 60, reset), initialised=None)
    assert rates.tables[1].writes_per_second == 38.2
    assert rates.tables[1].reads_per_second == 76.4
    assert rates.scans_per_hour[2] == pytest.approx(6, rel=1e-3)

    broken = rates_between(counters(0, 1000, 50, reset), counters(10, 3, 1, at), initialised=None)
    assert broken.tables[1].writes_per_second is None
    assert "reset between the two readings" in broken.notes[0]

    own_counters_reset = rates_between(counters(0, 1000, 50, reset), counters(10, 3, 1, reset), initialised=None)
    assert own_counters_reset.tables[1].writes_per_second is None

    never = rates_between(counters(0, 1000, 7200, None), counters(10, 1000, 7200, None), initialised=at.replace(hour=2))
    assert never.scans_per_hour[2] == pytest.approx(720, rel=1e-3)
    assert never.notes == ()

    hidden = rates_between(counters(0, 1000, 7200, None), counters(10, 1000, 7203, None), initialised=None)
    assert hidden.scans_per_hour[2] == pytest.approx(1080)
    assert "never reset and the age of the cluster is hidden" in hidden.notes[0]


def test_an_index_that_is_used_and_one_that_never_was_are_told_apart(server: Server):
    server.run(
        "SET enable_seqscan = off; SELECT count(*) FROM orders WHERE status = 'paid'; SELECT pg_stat_force_next_flush(), pg_sleep(0.05)"
    )

    database, _ = read(server, "watcher")

    used, unused = database.index("orders_status"), database.index("orders_note")
    assert used is not None
    assert unused is not None
    assert used.scans_per_hour is not None
    assert used.scans_per_hour > 0
    assert unused.scans_per_hour == 0


def test_a_partitioned_table_has_the_sums_of_its_partitions(server: Server):
    database, _ = read(server, "watcher")

    whole, may, june = (database.table(name) for name in ("events", "events_may", "events_june"))
    assert whole is not None
    assert may is not None
    assert june is not None
    assert whole.row_estimate == 600
    assert whole.total_bytes == (may.total_bytes or 0) + (june.total_bytes or 0)
    assert whole.more["partitions"] == 2


def test_select_adds_null_shares_common_labels_and_migrations_but_no_secret(server: Server):
    server.run("GRANT USAGE ON SCHEMA public, audit TO reader", "GRANT SELECT ON ALL TABLES IN SCHEMA public, audit TO reader")

    database, answer = read(server, "reader")

    orders = database.table("orders")
    assert orders is not None
    by_name = {c["name"]: c for c in orders.columns}
    assert by_name["note"]["null_fraction"] == 0.5
    assert by_name["status"]["most_common_vals"] == ["open", "paid"]
    assert by_name["status"]["most_common_freqs"] == [0.75, 0.25]
    assert "most_common_vals" not in by_name["note"]
    assert "most_common_vals" not in by_name["api_token"]
    assert database.applied_migrations == ["20260101", "20260102"]
    assert "column statistics" not in gaps_of(answer)


def test_a_role_without_pg_monitor_reads_the_catalog_and_says_what_is_hidden(server: Server):
    database, answer = read(server, "stranger")

    assert database.table("orders") is not None
    assert "stranger is no member of pg_monitor, so other sessions are hidden" in gaps_of(answer)
    assert "longest_transaction_s" not in database.more


def test_a_long_transaction_is_seen(server: Server):
    with psycopg.connect(server.url("gonogo")) as other:
        other.execute(b"SELECT count(*) FROM orders")

        database, _ = read(server, "watcher")

    assert database.more["idle_in_transaction"] == 1
    assert database.more["longest_transaction_s"] > 0


def test_a_table_that_somebody_has_locked_costs_its_exact_size_and_not_the_rest(server: Server):
    with psycopg.connect(server.url("gonogo")) as other:
        other.execute(b"LOCK TABLE orders IN ACCESS EXCLUSIVE MODE")

        database, answer = read(server, "watcher")

    orders = database.table("orders")
    assert orders is not None
    assert orders.total_bytes is not None
    assert orders.total_bytes > 0
    assert "sizes: LockNotAvailable" in gaps_of(answer)


def test_a_second_question_reads_the_catalog_again_and_keeps_the_measured_rates(server: Server):
    pauses: list[float] = []
    source = PostgresSource({SERVER: server.url("watcher")}, interval_s=0.05, pause=pauses.append)
    first = source.read(SERVER, server.url("watcher")).facts[0]
    server.run("CREATE TABLE added (id int)")

    second = source.read(SERVER, server.url("watcher")).facts[0]

    assert len(pauses) == 1
    assert first.table("added") is None
    assert second.table("added") is not None
    assert first.table("orders").writes_per_second == second.table("orders").writes_per_second


def test_the_session_may_not_write_and_may_not_run_long(server: Server):
    source = PostgresSource({}, statement_timeout_s=0.2)

    with source._session(server.url("gonogo")) as ask:
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            ask("CREATE TABLE mine (id int)")
        with pytest.raises(psycopg.errors.QueryCanceled):
            ask("SELECT pg_sleep(5)")


def test_a_server_that_does_not_answer_holds_no_tables_and_is_a_gap():
    source = PostgresSource({SERVER: "postgresql://nobody@127.0.0.1:1/none"})

    held, gaps = source.held_tables()

    assert held == {}
    assert "OperationalError" in gaps[0].why


def test_tables_are_listed_for_the_databases_that_a_url_was_given_for(server: Server):
    held, gaps = PostgresSource({SERVER: server.url("stranger")}).held_tables()

    assert {"orders", "events", "entries"} <= set(held[SERVER])
    assert gaps == []
