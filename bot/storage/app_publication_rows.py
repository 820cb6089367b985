"""What is written to GitHub and what people and time made of it, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from gonogo.word import Json


class OutboxKind(StrEnum):
    """What is written to GitHub."""

    CHECK = "check"
    COMMENT = "comment"
    REPLY = "reply"
    REACTION = "reaction"


@dataclass(frozen=True, slots=True)
class CheckRunRow:
    """Our check run of one name on one commit; `conclusion` None means that GitHub shows it in progress."""

    repository_id: int
    head_sha: str
    name: str
    check_run_id: int
    external_id: str
    conclusion: str | None
    published_at: datetime


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One write to GitHub that somebody has to make, leased to the one who took it.

    Its content is made from what the store holds when it is written; `payload` has only what the store does not hold.
    """

    number: int
    kind: OutboxKind
    key: str
    subject: str
    generation: int
    evaluation_id: str | None
    repository_id: int
    installation_id: int
    payload: Mapping[str, Json]
    revision: int
    attempts: int
    created_at: datetime
    not_before: datetime
    lease_owner: str | None
    leased_until: datetime | None
    error: str | None
    is_current: bool = True
    """False when a newer generation of the subject has begun since it was asked for."""


@dataclass(frozen=True, slots=True)
class AcknowledgementRow:
    """Somebody took a risk, with a reason. It holds for the change that was acknowledged, and expires with the next."""

    number: int
    pull_request_id: int
    evaluation_id: str
    trajectory: str
    reason: str
    login: str
    at: datetime
    head_sha: str
    fingerprint: str | None
    expired_at: datetime | None
    expired_because: str | None


@dataclass(frozen=True, slots=True)
class AuditRow:
    """Who did what, and when."""

    number: int
    at: datetime
    login: str
    action: str
    subject: str
    repository_id: int | None
    detail: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class MergeOutcomeRow:
    """What became of a merged pull request; `state` is waiting, watching, done or nothing-to-watch."""

    pull_request_id: int
    repository_id: int
    evaluation_id: str | None
    merged_at: datetime
    merge_sha: str | None
    deployed_at: datetime | None = None
    watched_until: datetime | None = None
    state: str = "waiting"
    was_right: bool | None = None
    detail: Mapping[str, Json] = field(default_factory=dict[str, Json])


@dataclass(frozen=True, slots=True)
class PreventedRow:
    """A risk that was flagged, then gone after another commit, then merged: with its evidence."""

    pull_request_id: int
    installation_id: int
    repository_id: int
    flagged_evaluation_id: str
    cleared_evaluation_id: str
    merged_at: datetime
    trajectory: Mapping[str, Json]
    evidence: Mapping[str, Json]
