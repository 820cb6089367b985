"""How live facts are asked for: a source turns resources into calls, each call is one request to the outside with one answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Protocol

from gonogo.context import Gap, Window
from gonogo.resource import Resource
from gonogo.word import Instant

STEP = timedelta(minutes=5)
"""The grid of every live series."""

LOOK_BACK = timedelta(days=7)
"""How much of the past is read: a week holds the daily and the weekly rhythm, in 2,016 steps."""


class Fact(StrEnum):
    """What a call answers with; the questions of gonogo.ports.Provider."""

    SERIES = "metrics"
    LOGS = "logs"
    DATABASES = "database statistics"
    DEPLOYS = "deploys"
    ALARMS = "alarms"


@dataclass(frozen=True)
class Answer:
    """What one call found, of the type that its `Fact` names, and what it could not read."""

    facts: Sequence[Any] = ()
    gaps: Sequence[Gap] = ()


@dataclass(frozen=True)
class Call:
    """One request to the outside. `run` may raise: that is a gap named `what`. It is given up after `limit_s` seconds."""

    fact: Fact
    what: str
    run: Callable[[], Answer] = field(repr=False)
    limit_s: float = 20.0


class TelemetrySource(Protocol):
    """Metrics, logs, alarms, deploys or statistics of some kinds of resources. Making calls asks nothing yet."""

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        """The calls that answer a question about these resources; none for kinds that it does not know."""
        ...


def grid(now: Instant, *, look_back: timedelta = LOOK_BACK, step: timedelta = STEP) -> Window:
    """The window that ends with the last whole step before `now`; both ends lie on multiples of the step since 1970."""
    end = datetime.fromtimestamp(now.timestamp() // step.total_seconds() * step.total_seconds(), UTC)
    return Window(start=end - look_back, end=end)


def steps_in(window: Window, step: timedelta = STEP) -> int:
    """How many readings a series of this window has."""
    return round((window.end - window.start) / step)


def on_grid(points: Sequence[tuple[float, float]], window: Window, step: timedelta = STEP) -> tuple[float | None, ...] | None:
    """Points `(seconds since 1970, value)` laid out on the window's grid; a step without a point is None. None when all are."""
    values: list[float | None] = [None] * steps_in(window, step)
    start, width = window.start.timestamp(), step.total_seconds()
    for at, value in points:
        place = round((at - start) / width)
        if 0 <= place < len(values) and value == value and abs(value) != float("inf"):  # noqa: PLR0124  not a number
            values[place] = value
    return tuple(values) if any(v is not None for v in values) else None
