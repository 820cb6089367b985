"""What the App evaluates and what came of it, as values: installations, repositories, pull requests, evaluations."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gonogo.word import Json


class EvaluationState(StrEnum):
    """Where an evaluation is in its life."""

    QUEUED = "queued"
    RUNNING = "running"
    CONCLUDED = "concluded"
    CANCELLED = "cancelled"


class Outcome(StrEnum):
    """How an evaluation ended."""

    GO = "go"
    NO_GO = "no-go"
    NOTHING = "nothing"
    COULD_NOT = "could-not"
    CANCELLED = "cancelled"


VERDICTS = frozenset({Outcome.GO, Outcome.NO_GO, Outcome.NOTHING})
"""Outcomes that answer the question."""


class Because(StrEnum):
    """Why an evaluation was cancelled."""

    SUPERSEDED = "superseded"
    COMMAND = "command"
    """Somebody asked for it: the sweep does not start it again."""
    CLOSED = "closed"
    DESTROYED = "destroyed"
    SUSPENDED = "suspended"
    """The installation is suspended or deleted, or the repository archived or removed."""


@dataclass(frozen=True, slots=True)
class InstallationRow:
    """One installation of the App; `state` is active, suspended or deleted."""

    id: int
    account: str
    state: str
    permissions: Mapping[str, str]
    held_until: datetime | None
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class RepositoryFacts:
    """What an event says of a repository."""

    id: int
    installation_id: int
    owner: str
    name: str
    default_branch: str = "main"
    is_private: bool = True


@dataclass(frozen=True, slots=True)
class RepositoryRow:
    """One repository; `state` is active, archived or removed."""

    id: int
    installation_id: int
    owner: str
    name: str
    default_branch: str
    is_private: bool
    state: str
    updated_at: datetime

    def says(self, facts: RepositoryFacts) -> bool:
        """Whether these facts are what it says already."""
        return all(getattr(self, name) == getattr(facts, name) for name in RepositoryFacts.__slots__)


@dataclass(frozen=True, slots=True)
class PullRequestFacts:
    """What an event or the API says of a pull request. `updated_at` is GitHub's: of two readings the later one counts."""

    id: int
    repository_id: int
    number: int
    head_sha: str
    base_ref: str
    base_sha: str
    updated_at: datetime
    state: str = "open"
    is_draft: bool = False
    is_fork: bool = False
    is_locked: bool = False
    title: str = ""
    author: str = ""
    merged_at: datetime | None = None
    merge_sha: str | None = None


@dataclass(frozen=True, slots=True)
class PullRequestRow:
    """A pull request as it was seen last; `generation` is 0 before the first evaluation was asked for."""

    id: int
    repository_id: int
    number: int
    state: str
    is_draft: bool
    is_fork: bool
    is_locked: bool
    title: str
    author: str
    head_sha: str
    base_ref: str
    base_sha: str
    comment_id: int | None
    merged_at: datetime | None
    merge_sha: str | None
    updated_at: datetime
    generation: int

    @property
    def subject(self) -> str:
        """`pr:{id}`."""
        return pull_request_subject(self.id)


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """One evaluation without its documents: cheap in lists. `cost` is in US dollars."""

    id: str
    subject: str
    generation: int
    pull_request_id: int | None
    repository_id: int
    installation_id: int
    number: int | None
    head_sha: str
    base_ref: str
    base_sha: str
    before_sha: str | None
    trigger: str
    delivery: str | None
    state: EvaluationState
    outcome: Outcome | None
    cancelled_because: Because | None
    attempt: int
    lease_owner: str | None
    lease_until: datetime | None
    is_draft: bool
    is_fork: bool
    is_shadow: bool
    is_gated: bool
    created_at: datetime
    started_at: datetime | None
    concluded_at: datetime | None
    judged_at: datetime | None
    fingerprint: str | None
    reused_from: str | None
    summary: str
    impact: str | None
    policy: Mapping[str, Json] | None
    policy_error: str | None
    steps: int
    input_tokens: int
    output_tokens: int
    rest_calls: int
    cost: float
    error: str | None

    @property
    def job_id(self) -> str:
        """The id of its job in the queue: `pr:{id}:{generation}` or `group:{head sha}:{generation}`."""
        return f"{self.subject}:{self.generation}"


@dataclass(frozen=True, slots=True)
class Documents:
    """What an evaluation left: the report `gonogo.report/1` and the Evaluation, as JSON text; None where it left none."""

    report: str | None
    document: str | None


@dataclass(frozen=True, slots=True)
class TrajectoryRow:
    """One trajectory of an evaluation, as far as counting and lists need it."""

    id: str
    playbook: str
    status: str
    impact: str
    resource: str
    metric: str
    title: str
    rules: tuple[str, ...] = ()
    blocks: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What an evaluation concludes with. `report` and `document` are JSON text; both are redacted before they are kept."""

    outcome: Outcome
    summary: str = ""
    impact: str | None = None
    report: str | None = None
    document: str | None = None
    trajectories: tuple[TrajectoryRow, ...] = ()
    fingerprint: str | None = None
    reused_from: str | None = None
    policy: Mapping[str, Json] | None = None
    policy_error: str | None = None
    is_shadow: bool = False
    is_gated: bool = False
    """A live gate is part of the verdict: it is evaluated again when that closes."""
    steps: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    rest_calls: int = 0
    cost: float = 0
    error: str | None = None
    has_comment: bool = True
    """Whether the comment is written as well; a merge group has none."""


@dataclass(frozen=True, slots=True)
class EvaluationFilter:
    """Which evaluations to list; None means any. Newest first; `after` is the (created_at, id) of the last of the page before."""

    repository_ids: tuple[int, ...] | None = None
    installation_id: int | None = None
    pull_request_id: int | None = None
    number: int | None = None
    head_sha: str | None = None
    states: tuple[EvaluationState, ...] | None = None
    outcomes: tuple[Outcome, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    after: tuple[datetime, str] | None = None
    limit: int = 50


def pull_request_subject(pull_request_id: int) -> str:
    """`pr:{id}`, by GitHub's numeric id."""
    return f"pr:{pull_request_id}"


def group_subject(head_sha: str) -> str:
    """`group:{head sha}`, of a merge group."""
    return f"group:{head_sha}"
