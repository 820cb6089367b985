"""Tables of production as playbooks cite them: which database holds one, its size, its reads and writes."""

from functools import cached_property

from bot.investigator.asking import Reading, as_number, server_statistic, statistic_reading, table_statistic
from bot.investigator.case import Case
from gonogo.context import Database, Table
from gonogo.evidence import DatabaseEvidence, MetricEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.word import ResourceId
from heuristics.schema.columns import columns_of
from heuristics.schema.naming import bare

DATABASE_KINDS = (
    "rds",
    "sql",
    "database",
    "postgres",
    "maria",
    "aurora",
    "alloydb",
    "neon",
    "supabase",
    "d1",
    "cockroach",
    "planetscale",
    "db.",
)


class LiveTable(Record):
    """One table with every statistic that was read of it; what was not read is None."""

    case: Case
    database: Database
    table: Table

    @property
    def name(self) -> str:
        """Its bare name."""
        return self.table.name

    @property
    def rows(self) -> float | None:
        """Estimated rows."""
        return self.table.row_estimate

    @property
    def total_bytes(self) -> float | None:
        """Bytes with indexes and TOAST."""
        return self.table.total_bytes

    @property
    def writes(self) -> float | None:
        """Writes a second; without a statistic, the mean of a metric of this table."""
        return self._rate(self.table.writes_per_second, "writes_per_second")

    @property
    def reads(self) -> float | None:
        """Reads a second; without a statistic, the mean of a metric of this table."""
        return self._rate(self.table.reads_per_second, "reads_per_second")

    @property
    def is_idle(self) -> bool:
        """Read and found without any traffic."""
        return self.writes == 0 and self.reads == 0

    def cite(self, statistic: str) -> DatabaseEvidence | MetricEvidence | None:
        """The citation of one statistic, or of the metric that stands in for it, when it was read."""
        found = table_statistic(self.case, self.database.resource, self.table.name, statistic)
        return found or (
            metric.evidence if (metric := self._metrics.get(statistic)) and isinstance(metric.evidence, MetricEvidence) else None
        )

    def size(self) -> tuple[DatabaseEvidence | MetricEvidence | None, ...]:
        """Citations of rows and bytes."""
        return (self.cite("row_estimate"), self.cite("total_bytes"))

    def traffic(self) -> tuple[DatabaseEvidence | MetricEvidence | None, ...]:
        """Citations of writes and reads."""
        return (self.cite("writes_per_second"), self.cite("reads_per_second"))

    def _rate(self, read: float | None, statistic: str) -> float | None:
        if read is not None:
            return read
        metric = self._metrics.get(statistic)
        return metric.value if metric is not None else None

    @cached_property
    def _metrics(self) -> dict[str, Reading]:
        """The busiest series of writes and of reads that carry this table's name as a dimension."""
        found: dict[str, Reading] = {}
        for series in self.case.production.series_of(self.database.resource):
            named = _TABLE_DIMENSION.search(series.metric)
            if named is None or bare(named[1]).lower() != self.name.lower():
                continue
            name = series.metric.partition("{")[0]
            for statistic, words in _RATES.items():
                reading = statistic_reading(series, "mean") if words.search(name) and not _NO_RATE.search(name) else None
                if (
                    reading is not None
                    and reading.unit == "1/s"
                    and reading.value > (found[statistic].value if statistic in found else -1)
                ):
                    found[statistic] = reading
        return found


_TABLE_DIMENSION = pattern(r"(?i)[{,]\s*(?:table|table_?name|relname|relation|tbl)\s*=\s*[\"']?([\w.$-]{1,130})")
_RATES = {
    "writes_per_second": pattern(r"(?i)writ|insert|updat|delet|n_tup_(?:ins|upd|del)"),
    "reads_per_second": pattern(r"(?i)read|select|scan|fetch"),
}
_NO_RATE = pattern(r"(?i)latency|duration|seconds$|_ms$|bytes|time|wait|dead|lag|size")


def live_table(case: Case, name: str | None) -> LiveTable | None:
    """The table of that name in the one database that holds it."""
    if name is None:
        return None
    database = case.diff.database_of({name})
    table = database.table(name.replace('"', "").replace("`", "")) if database else None
    return LiveTable(case, database, table) if database is not None and table is not None else None


def database_id(case: Case, *tables: str | None) -> ResourceId:
    """The database that holds the tables, else the nearest affected database, else the repository itself."""
    database = case.diff.database_of({t for t in tables if t})
    if database is not None:
        return database.resource
    for affected in case.affected:
        if any(part in affected.kind.lower() for part in DATABASE_KINDS):
            return affected.resource
    return case.repository


def setting(case: Case, database: Database, name: str) -> DatabaseEvidence | None:
    """A server setting, when it was read."""
    return server_statistic(case, database.resource, f"settings.{name}")


def milliseconds_setting(database: Database, name: str) -> float | None:
    """A time-out of the server in milliseconds: '5s', '5000', 5000; 0 is no limit; None when it was not read."""
    from heuristics.sql.durations import milliseconds  # noqa: PLC0415

    value = database.settings.get(name)
    if isinstance(value, bool) or value is None:
        return None
    return milliseconds(str(value))


def more_number(database: Database, *names: str) -> tuple[float, str] | None:
    """The first of these figures of the server that was read, with its name."""
    for name in names:
        value = database.more.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value), name
    return None


def size_of(case: Case, table: str) -> tuple[float | None, float | None]:
    """Bytes and rows of a table; both None when it was not read."""
    found = live_table(case, table)
    return (found.total_bytes, found.rows) if found else (None, None)


def about(count: float | None) -> str:
    """27,400,000 as people write it; `an unknown number of` when it was not read."""
    return "an unknown number of" if count is None else f"{count:,.0f}"


def in_words(total_bytes: float | None) -> str:
    """Bytes as MB or GB; empty when they were not read."""
    if total_bytes is None:
        return ""
    return (
        f"{total_bytes / 1e9:.1f} GB"
        if total_bytes >= 1e9
        else f"{total_bytes / 1e6:.1f} MB"
        if total_bytes >= 1e5
        else f"{total_bytes / 1e3:.0f} kB"
    )


def bare_name(name: str | None) -> str:
    """The name without schema and quotes."""
    return bare(name or "")


def count_of(cited: DatabaseEvidence | None) -> float:
    """The cited figure, 0 when there is none."""
    return as_number(cited) or 0.0


def tables_with_type(case: Case, type_name: str) -> list[LiveTable]:
    """Tables with a column of that type, busiest first."""
    wanted = type_name.lower()
    found = [
        LiveTable(case, d, t)
        for d in case.production.databases
        for t in d.tables
        for c in (columns_of(t) or {}).values()
        if c.type.lower().removesuffix("[]").rpartition(".")[2] == wanted
    ]
    return sorted(found, key=lambda t: -((t.reads or 0) + (t.writes or 0)))
