"""Builders for tests of what stands on the App's store: a clock that is set by hand, a repository, a pull request, a result."""

from datetime import UTC, datetime, timedelta
from typing import Any

from bot.storage.app_rows import EvaluationRow, Outcome, PullRequestFacts, PullRequestRow, RepositoryFacts, RepositoryRow, Result
from bot.storage.app_store import AppStore

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
TTL = timedelta(seconds=15)
REPOSITORY_ID, INSTALLATION_ID = 42, 7


class ManualClock:
    """The time is what the test says."""

    def __init__(self, at: datetime = NOON) -> None:
        self.at = at

    def __call__(self) -> datetime:
        """The time now."""
        return self.at

    def forward(self, **duration: float) -> datetime:
        """Let `seconds=`, `minutes=`, `hours=` … pass."""
        self.at += timedelta(**duration)
        return self.at


def a_sha(word: str) -> str:
    """A commit id that one recognises in a failure: the word in hexadecimal, filled up."""
    return word.encode().hex().ljust(40, "0")[:40]


def a_repository(store: AppStore, repository_id: int = REPOSITORY_ID, **facts: Any) -> RepositoryRow:
    """A repository that is installed and active."""
    known: dict[str, Any] = {"installation_id": INSTALLATION_ID, "owner": "acme", "name": f"shop-{repository_id}"}
    return store.upsert_repository(RepositoryFacts(id=repository_id, **{**known, **facts}))


def a_pull_request(store: AppStore, pull_request_id: int = 1001, *, head: str = "one", **facts: Any) -> PullRequestRow:
    """An open pull request of that repository, as it was seen last."""
    repository_id: int = facts.pop("repository_id", REPOSITORY_ID)
    if store.repository(repository_id) is None:
        a_repository(store, repository_id)
    known: dict[str, Any] = {"number": pull_request_id % 1000, "base_ref": "main", "base_sha": a_sha("base"), "updated_at": NOON}
    return store.see_pull_request(
        PullRequestFacts(id=pull_request_id, repository_id=repository_id, head_sha=a_sha(head), **{**known, **facts})
    )


def a_queued_evaluation(store: AppStore, pull_request_id: int = 1001, *, head: str = "one", **how: Any) -> EvaluationRow:
    """The evaluation of a new generation of a pull request that has this head."""
    if store.pull_request(pull_request_id) is None:
        a_pull_request(store, pull_request_id, head=head)
    given: dict[str, Any] = {"base_ref": "main", "base_sha": a_sha("base"), "trigger": "synchronize"}
    return store.raise_generation(pull_request_id, head_sha=a_sha(head), **{**given, **how}).evaluation


def a_running_evaluation(
    store: AppStore, pull_request_id: int = 1001, *, head: str = "one", owner: str = "worker", **how: Any
) -> EvaluationRow:
    """The same, claimed by that owner."""
    claimed = store.claim(a_queued_evaluation(store, pull_request_id, head=head, **how).id, owner, TTL)
    if claimed is None:
        raise AssertionError("nobody else can have claimed it")
    return claimed


def a_concluded_evaluation(
    store: AppStore, pull_request_id: int = 1001, *, head: str = "one", outcome: Outcome = Outcome.GO, **result: Any
) -> EvaluationRow:
    """The same, concluded."""
    running = a_running_evaluation(store, pull_request_id, head=head)
    if not store.conclude(running.id, "worker", Result(outcome, **result)):
        raise AssertionError("it was neither cancelled nor superseded")
    concluded = store.evaluation(running.id)
    if concluded is None:
        raise AssertionError("evaluations are never deleted")
    return concluded
