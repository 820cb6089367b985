"""A citation, and what reading its source again gave.

An investigator may claim any Evidence; only a checker of `bot.evidence` makes a Verification.
"""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from gonogo.change import Side
from gonogo.context import Statistic, Window
from gonogo.resource import Relation
from gonogo.word import Instant, Json, ResourceId, Word


class FileEvidence(Word):
    """Lines of a file at one side of the change; `quote` equals them, decoded, without trailing white space."""

    kind: Literal["file"] = "file"
    file: str
    line: int
    end_line: int | None = None
    side: Side = "head"
    quote: str


class LogEvidence(Word):
    """A pattern (regular expression) that at least `count` sampled messages of a resource match in the window.

    With `field` (a named group of the pattern), `statistic` and `value`: what the captured numbers give.
    """

    kind: Literal["log"] = "log"
    resource: ResourceId
    pattern: str
    count: int
    window: Window
    field: str | None = None
    statistic: Statistic | None = None
    value: float | None = None


class MetricEvidence(Word):
    """A statistic of a metric over a window; `value` is exact to 6 digits."""

    kind: Literal["metric"] = "metric"
    resource: ResourceId
    metric: str
    statistic: Statistic
    window: Window
    value: float
    unit: str = ""


class ConfigEvidence(Word):
    """A configuration key of a resource: its value, or that a list which was read lacks it."""

    kind: Literal["config"] = "config"
    resource: ResourceId
    key: str
    value: Json = None
    absent: bool = False


class GraphEvidence(Word):
    """An edge of the live graph."""

    kind: Literal["graph"] = "graph"
    source: ResourceId
    target: ResourceId
    relation: Relation
    is_sole: bool = False
    """True also claims that the source has no other edge of that relation."""


class DatabaseEvidence(Word):
    """A statistic of a table or an index (`statistic` is a field name of the snapshot format)."""

    kind: Literal["database"] = "database"
    resource: ResourceId
    table: str | None = None
    index: str | None = None
    statistic: str
    value: Json


class ShadowEvidence(Word):
    """A statement replayed on a throw-away database, and the locks it took."""

    kind: Literal["shadow"] = "shadow"
    statement: str
    locks: tuple[str, ...]


class ForecastEvidence(Word):
    """A quantile of the highest value that a recorded forecast expects within its horizon."""

    kind: Literal["forecast"] = "forecast"
    resource: ResourceId
    metric: str
    horizon_s: int
    quantile: Literal["p10", "p50", "p90"]
    value: float
    backtest_mase: float


Evidence = Annotated[
    FileEvidence
    | LogEvidence
    | MetricEvidence
    | ConfigEvidence
    | GraphEvidence
    | DatabaseEvidence
    | ShadowEvidence
    | ForecastEvidence,
    Field(discriminator="kind"),
]


class Outcome(StrEnum):
    """What reading the source again gave."""

    HOLDS = "holds"
    CONTRADICTS = "contradicts"
    NOT_FOUND = "not-found"


class Verification(Word):
    """The result of one checker: what was observed, and when."""

    evidence: Evidence
    outcome: Outcome
    observed: str = ""
    read_at: Instant | None = None
    is_production: bool = False
    """True when the source is production telemetry or live configuration of a resource on the trajectory's path."""


PRODUCTION_KINDS = frozenset({"log", "metric", "config", "graph", "database"})
"""Evidence kinds that a provider or a snapshot backs; files, manifests and, alone, forecasts never do."""
