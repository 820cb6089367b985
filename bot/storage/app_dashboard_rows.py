"""What the pages of the dashboard are made from, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.storage.app_rows import EvaluationRow, EvaluationState, Outcome
from gonogo.word import Json


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which evaluations a list shows, newest first. `repository_ids` are those that the viewer may read: never more.

    `text` is looked for in title, author, branch and commit; `#12` and `12` are a pull request's number. `after` is the
    (created_at, id) of the last one of the page before.
    """

    repository_ids: tuple[int, ...]
    outcomes: tuple[Outcome, ...] | None = None
    states: tuple[EvaluationState, ...] | None = None
    text: str = ""
    after: tuple[datetime, str] | None = None
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Listed:
    """An evaluation with the names that people know it by; `title` and `author` are None for a merge group."""

    evaluation: EvaluationRow
    owner: str
    name: str
    title: str | None
    author: str | None

    @property
    def repository(self) -> str:
        """`owner/name`."""
        return f"{self.owner}/{self.name}"


@dataclass(frozen=True, slots=True)
class Spending:
    """What one concluded evaluation took; `cost` in US dollars."""

    concluded_at: datetime
    waited: timedelta
    """From the event to its start."""
    took: timedelta
    """From the event to the verdict."""
    cost: float
    steps: int
    is_reused: bool


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged pull request: what was said of it, and whether that was right (None: not known)."""

    repository: str
    number: int
    title: str
    evaluation_id: str | None
    outcome: Outcome | None
    impact: str | None
    """The worst of what blocked it: high, medium or low."""
    merged_at: datetime
    state: str
    was_right: bool | None
    detail: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Override:
    """A risk that somebody took with a reason."""

    repository: str
    number: int | None
    evaluation_id: str
    trajectory: str
    title: str | None
    """Of the trajectory; None when all of the evaluation was taken."""
    pull_request: str | None
    """Its title."""
    reason: str
    login: str
    at: datetime
    expired_at: datetime | None
    expired_because: str | None


@dataclass(frozen=True, slots=True)
class Blocked:
    """A trajectory that blocked: the rules and playbook behind it, and whether somebody took the risk all the same."""

    playbook: str
    rules: tuple[str, ...]
    was_taken: bool


@dataclass(frozen=True, slots=True)
class Counts:
    """Everything that `/metrics` tells, of all processes and all time."""

    outcomes: Mapping[Outcome, int]
    states: Mapping[EvaluationState, int]
    """Of those that have not ended."""
    oldest_unconcluded_s: float
    """0 when nothing waits."""
    waiting_writes: int
    """Writes to GitHub that are not done."""
    failing_writes: int
    """Those of them that failed at least once."""
    prevented: int
    acknowledgements: int
    cost: float
    input_tokens: int
    output_tokens: int
    reused: int
    took_s: tuple[float, float]
    """Count and sum of the seconds from event to verdict."""
