"""Facts about production, each with where and when it was read, and what could not be read."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from gonogo.resource import Edge, Resource
from gonogo.word import Instant, Json, ResourceId, Word

Statistic = Literal["min", "max", "mean", "sum", "p50", "p95", "p99", "last"]


class Gap(Word):
    """Something that was not looked at; shown in every report."""

    stage: str
    what: str
    why: str


class Window(Word):
    """A span of time, start included, end excluded."""

    start: Instant
    end: Instant


class Series(Word):
    """One metric of one resource on a regular grid.

    `values[i]` is the reading at `start + i * step_s` seconds, in `unit`. A missing reading is None, never 0:
    a silent queue and an empty queue are different facts.
    """

    resource: ResourceId
    metric: str
    unit: str
    start: Instant
    step_s: float
    values: tuple[float | None, ...]


class LogLine(Word):
    """One sampled log line."""

    timestamp: Instant
    resource: ResourceId
    severity: str = ""
    message: str


class LogPattern(Word):
    """Lines of one wording: the words stand, what varies from line to line is `<*>` or a mask as `<number>`.

    Counts are of the lines that were read, a sample: never a rate.
    """

    resource: ResourceId
    template: str
    count: int
    severity: str = ""
    first: Instant
    last: Instant
    example: str


class Deploy(Word):
    """A version that went to a resource."""

    timestamp: Instant
    resource: ResourceId
    version: str
    status: str


class Alarm(Word):
    """An alarm and its state."""

    since: Instant
    resource: ResourceId
    name: str
    state: str


def _no_flag(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a number is wanted, not true or false")  # noqa: TRY004  pydantic collects ValueErrors
    return value


def _unknown_below_zero(value: object) -> object:
    """PostgreSQL says -1 for a table that was never analysed."""
    return None if value == -1 and not isinstance(value, bool) else _no_flag(value)


Amount = Annotated[float, Field(ge=0, allow_inf_nan=False), BeforeValidator(_no_flag)]
"""A count, a size or a rate: finite and not negative."""


class Table(Word):
    """Statistics of one table; a missing figure is None: unknown, not 0."""

    schema_name: str = Field(alias="schema", default="public")
    name: str
    row_estimate: Annotated[Amount | None, BeforeValidator(_unknown_below_zero)] = None
    total_bytes: Amount | None = None
    writes_per_second: Amount | None = None
    reads_per_second: Amount | None = None
    columns: Json = None
    more: Mapping[str, Json] = Field(default_factory=dict)

    model_config = Word.model_config | {"populate_by_name": True, "serialize_by_alias": True}


class Index(Word):
    """Statistics of one index."""

    schema_name: str = Field(alias="schema", default="public")
    table: str
    name: str
    definition: str = ""
    scans_per_hour: Amount | None = None
    total_bytes: Amount | None = Field(alias="bytes", default=None)
    more: Mapping[str, Json] = Field(default_factory=dict)

    model_config = Word.model_config | {"populate_by_name": True, "serialize_by_alias": True}


class Database(Word):
    """One database server: its tables, indexes and settings as they were read."""

    resource: ResourceId
    engine: str
    version: str = ""
    tables: tuple[Table, ...] = ()
    indexes: tuple[Index, ...] = ()
    settings: Mapping[str, Json] = Field(default_factory=dict)
    constraints: Json = None
    applied_migrations: Json = None
    stats_reset: str | None = None
    more: Mapping[str, Json] = Field(default_factory=dict)

    def table(self, name: str) -> Table | None:
        """The table of that name; `schema.name` is exact, a bare name means the search path (public first)."""
        schema, _, bare = name.rpartition(".")
        found = [t for t in self.tables if t.name.lower() == bare.lower() and schema.lower() in ("", t.schema_name.lower())]
        return next((t for t in found if t.schema_name == "public"), found[0] if found else None)

    def index(self, name: str) -> Index | None:
        """The index of that name, schema or not."""
        bare = name.rpartition(".")[2].lower()
        return next((i for i in self.indexes if i.name.lower() == bare), None)


class ProductionContext(Word):
    """Everything that was read about the affected resources, and what was not."""

    read_at: Instant | None = None
    source: str = "none"
    resources: tuple[Resource, ...] = ()
    edges: tuple[Edge, ...] = ()
    series: tuple[Series, ...] = ()
    logs: tuple[LogLine, ...] = ()
    databases: tuple[Database, ...] = ()
    deploys: tuple[Deploy, ...] = ()
    alarms: tuple[Alarm, ...] = ()
    gaps: tuple[Gap, ...] = ()

    def resource(self, resource_id: str) -> Resource | None:
        """The resource of that id, when it was read."""
        return next((r for r in self.resources if r.id == resource_id), None)

    def series_of(self, resource_id: str, metric: str | None = None) -> tuple[Series, ...]:
        """The series of a resource; with `metric`, the one of exactly that name."""
        return tuple(s for s in self.series if s.resource == resource_id and metric in (None, s.metric))

    def database(self, resource_id: str) -> Database | None:
        """The statistics of that database server."""
        return next((d for d in self.databases if d.resource == resource_id), None)
