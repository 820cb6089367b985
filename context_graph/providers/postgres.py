"""Statistics of PostgreSQL servers, read by a role that has pg_monitor and nothing else. What needs SELECT is a gap without it."""

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import sleep
from typing import TYPE_CHECKING, Any

from context_graph.providers import postgres_queries as sql
from context_graph.providers.postgres_columns import column_facts
from context_graph.providers.postgres_history import applied_migrations
from context_graph.providers.postgres_rates import Counters, Rates, rates_between
from context_graph.providers.postgres_relations import indexes_of, tables_of
from context_graph.telemetry import Answer, Call, Fact
from gonogo.context import Database, Gap, Window
from gonogo.resource import Resource
from gonogo.word import Json, ResourceId

if TYPE_CHECKING:
    import psycopg

Rows = list[dict[str, Any]]

INTERVAL_S = 10.0
"""Between the two readings of the counters that give writes and reads a second."""

STATEMENT_TIMEOUT_S = 5.0
LOCK_TIMEOUT_S = 1.0
CONNECT_TIMEOUT_S = 5.0

MAX_RELATIONS = 5_000
"""Tables, and indexes, of one database that are read; the report says when there are more."""

MAX_ROWS = 100_000


@dataclass
class Moment:
    """What is measured once an evaluation, since it is another a second later: rates and open transactions."""

    rates: Rates
    activity: dict[str, Json]
    gaps: list[Gap] = field(default_factory=list[Gap])


class PostgresSource:
    """Implements context_graph.telemetry.TelemetrySource for the databases that a URL was given for.

    A second question in one evaluation reads the catalogs again and keeps the measured rates.
    """

    def __init__(
        self,
        urls: Mapping[str, str],
        *,
        interval_s: float = INTERVAL_S,
        pause: Callable[[float], None] = sleep,
        statement_timeout_s: float = STATEMENT_TIMEOUT_S,
    ) -> None:
        self._urls, self._interval_s, self._pause = urls, interval_s, pause
        self._statement_timeout_s = statement_timeout_s
        self._moments: dict[str, Moment] = {}

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        """One a database server."""
        del window  # statistics are of now
        if fact is not Fact.DATABASES:
            return []
        limit = self._interval_s + 6 * self._statement_timeout_s
        return [self._call(r.id, self._urls[r.id], limit) for r in resources if r.id in self._urls]

    def _call(self, resource: ResourceId, url: str, limit_s: float) -> Call:
        return Call(Fact.DATABASES, f"PostgreSQL {resource}", lambda: self.read(resource, url), limit_s)

    def held_tables(self) -> tuple[Mapping[ResourceId, Collection[str]], Sequence[Gap]]:
        """The names of the tables of every database; one that does not answer is a gap."""
        held: dict[ResourceId, Collection[str]] = {}
        gaps: list[Gap] = []
        for resource, url in self._urls.items():
            try:
                with self._session(url) as ask:
                    held[ResourceId(resource)] = [row["name"] for row in ask(sql.TABLES, limit=MAX_RELATIONS)]
            except Exception as error:  # noqa: BLE001  whatever a server does, it is a gap
                gaps.append(Gap(stage="affected", what=f"PostgreSQL {resource}: tables", why=_said(error)))
        return held, gaps

    def read(self, resource: ResourceId, url: str) -> Answer:
        """Everything about one server. Raises what psycopg raises when it cannot be reached."""
        gaps: list[Gap] = []

        with self._session(url) as ask:

            def part(what: str, query: str, **parameters: Any) -> Rows:
                try:
                    return ask(query, **parameters)
                except Exception as error:  # noqa: BLE001  one part that fails costs that part
                    gaps.append(Gap(stage="context", what=f"PostgreSQL {resource}: {what}", why=_said(error)))
                    return []

            server = ask(sql.SERVER)[0]
            if resource not in self._moments:
                self._moments[resource] = self._measure(resource, server, ask)
            moment = self._moments[resource]
            relations = part("tables", sql.TABLES, limit=MAX_RELATIONS)
            if len(relations) == MAX_RELATIONS:
                why = f"only the first {MAX_RELATIONS:,} tables were read"
                gaps.append(Gap(stage="context", what=f"PostgreSQL {resource}: tables", why=why))
            columns, unread = column_facts(relations, part)
            if unread:
                why = f"the role {server['role']} has no SELECT on {unread}, so null shares and common values are unknown"
                gaps.append(Gap(stage="context", what=f"PostgreSQL {resource}: column statistics", why=why))
            history, why_none = applied_migrations(relations, part)
            gaps += [Gap(stage="context", what=f"PostgreSQL {resource}: applied migrations", why=why) for why in why_none]
            database = Database(
                resource=resource,
                engine="postgres",
                version=str(server["version"]).partition(" ")[0],
                tables=tuple(tables_of(relations, self._sizes(relations, part), moment.rates, columns)),
                indexes=tuple(indexes_of(part("indexes", sql.INDEXES, limit=MAX_RELATIONS), moment.rates)),
                settings={row["name"]: row["value"] for row in part("settings", sql.SETTINGS, names=sql.SETTING_NAMES)},
                constraints=part("constraints", sql.CONSTRAINTS, limit=MAX_ROWS),
                applied_migrations=history,
                stats_reset=server["stats_reset"].isoformat() if server["stats_reset"] else None,
                more={
                    "database": server["database"],
                    "is_replica": server["is_replica"],
                    **_since(moment.rates),
                    **moment.activity,
                },
            )
        return Answer([database], [*moment.gaps, *gaps])

    def _sizes(self, relations: Rows, part: Callable[..., Rows]) -> dict[int, float]:
        """Bytes with indexes and TOAST; where a lock is in the way, as the last ANALYZE left them (that is a gap)."""
        ids = [row["relation"] for row in relations]
        rows = part("sizes", sql.SIZES, relations=ids) or part("sizes by pages", sql.PAGES, relations=ids)
        return {row["relation"]: float(row["bytes"]) for row in rows if row["bytes"] is not None}

    def _measure(self, resource: ResourceId, server: Mapping[str, Any], ask: Callable[..., Rows]) -> Moment:
        gaps: list[Gap] = []

        def gap(what: str, why: str) -> None:
            gaps.append(Gap(stage="context", what=f"PostgreSQL {resource}: {what}", why=why))

        def counters() -> Counters:
            reset = ask(sql.SERVER)[0]["stats_reset"]
            return Counters(tables=ask(sql.COUNTERS), indexes=ask(sql.INDEX_COUNTERS), stats_reset=reset)

        try:
            initialised = ask(sql.INITIALISED)[0]["at"]
        except Exception:  # noqa: BLE001  hosted servers may refuse it; then the age of the counters is unknown
            initialised = None
        first = counters()
        self._pause(self._interval_s)
        rates = rates_between(first, counters(), initialised=initialised)
        for why in rates.notes:
            gap("rates", why)
        activity: dict[str, Json] = {}
        if not server["is_monitor"]:
            gap(
                "transactions and replication",
                f"the role {server['role']} is no member of pg_monitor, so other sessions are hidden",
            )
            return Moment(rates, activity, gaps)
        for what, query in (("transactions", sql.TRANSACTIONS), ("connections", sql.CONNECTIONS)):
            try:
                activity |= {k: v for k, v in ask(query)[0].items() if v is not None}
            except Exception as error:  # noqa: BLE001  one part that fails costs that part
                gap(what, _said(error))
        activity.setdefault("longest_transaction_s", 0.0)
        for what, query in (("replicas", sql.REPLICAS), ("replication_slots", sql.SLOTS)):
            try:
                activity[what] = ask(query)
            except Exception as error:  # noqa: BLE001
                gap(what, _said(error))
        if server["is_replica"]:
            activity |= {k: v for k, v in ask(sql.STANDBY_LAG)[0].items() if v is not None}
        return Moment(rates, activity, gaps)

    @contextmanager
    def _session(self, url: str) -> Generator[Callable[..., Rows]]:
        """Asks a query and gives its rows. Read-only; no query may run, or wait for a lock, beyond its time-out."""
        import psycopg  # noqa: PLC0415  the base install has no driver
        from psycopg.rows import dict_row  # noqa: PLC0415

        with psycopg.Connection[dict[str, Any]].connect(
            url, autocommit=True, connect_timeout=int(CONNECT_TIMEOUT_S), application_name="gonogo", row_factory=dict_row
        ) as connection:
            _limit(connection, self._statement_timeout_s)

            def ask(query: str, **parameters: Any) -> Rows:
                return connection.execute(query.encode(), parameters or None).fetchall()

            yield ask


def _limit(connection: "psycopg.Connection[dict[str, Any]]", statement_timeout_s: float) -> None:
    connection.execute("SET default_transaction_read_only = on")
    connection.execute(f"SET statement_timeout = {int(statement_timeout_s * 1000)}".encode())
    connection.execute(f"SET lock_timeout = {int(LOCK_TIMEOUT_S * 1000)}".encode())


def _since(rates: Rates) -> dict[str, Json]:
    """Since when index scans were counted: the last reset, or the day the cluster was made."""
    return {"counters_since": rates.since.isoformat()} if rates.since else {}


def _said(error: Exception) -> str:
    """One line; psycopg never puts the password into its errors."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
