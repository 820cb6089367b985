"""What the loopback GitHub knows: accounts, apps, installations, repositories, pull requests, checks, comments.

Plain state. The verbs that change it and send webhooks are in `acts_*.py`; how it looks in JSON is in `facts.py`.
"""

import itertools
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from tests.github.bare import BareRepository
from tests.github.grants import Role


@dataclass
class Account:
    id: int
    login: str
    kind: Literal["User", "Organization", "Bot"] = "User"


@dataclass
class App:
    """A registered GitHub App. `webhook_url` None: its webhook is not active."""

    id: int
    slug: str
    name: str
    owner: Account
    bot: Account
    client_id: str
    client_secret: str
    webhook_secret: str
    webhook_url: str | None
    private_key: str
    permissions: dict[str, str]
    events: list[str]
    created_at: datetime
    callback_urls: list[str] = field(default_factory=list)


@dataclass
class Installation:
    id: int
    app: App
    account: Account
    permissions: dict[str, str]
    selection: Literal["all", "selected"]
    repository_ids: set[int]
    created_at: datetime
    suspended_at: datetime | None = None
    is_deleted: bool = False


@dataclass
class Token:
    """An installation's or a user's token. `repository_ids` None: all that the installation sees."""

    value: str
    expires_at: datetime
    installation: Installation | None = None
    user: Account | None = None
    app: App | None = None
    permissions: dict[str, str] = field(default_factory=dict)
    repository_ids: set[int] | None = None
    is_revoked: bool = False


@dataclass
class Repository:
    id: int
    owner: Account
    name: str
    git: BareRepository
    created_at: datetime
    is_private: bool = True
    is_archived: bool = False
    is_deleted: bool = False
    default_branch: str = "main"
    parent: "Repository | None" = None
    roles: dict[str, Role] = field(default_factory=dict)
    rules: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    required_checks: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    environments: list[str] = field(default_factory=list)
    secret_names: list[str] = field(default_factory=list)
    stale_refs: dict[str, list[str]] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def full_name(self) -> str:
        return f"{self.owner.login}/{self.name}"

    def role(self, login: str) -> Role:
        """What a person may do; the owner everything, anybody reads what is public."""
        if login == self.owner.login:
            return "admin"
        return self.roles.get(login, "none" if self.is_private else "read")


@dataclass
class PullRequest:
    """`seen_heads`: the older heads that the API still shows, one a read, before it shows the true one."""

    id: int
    number: int
    repository: Repository
    author: Account
    title: str
    body: str
    head_repository: Repository | None
    head_owner: Account
    head_ref: str
    head_sha: str
    base_ref: str
    base_sha: str
    created_at: datetime
    is_draft: bool = False
    is_locked: bool = False
    state: Literal["open", "closed"] = "open"
    merged_at: datetime | None = None
    merged_by: Account | None = None
    closed_at: datetime | None = None
    merge_commit_sha: str | None = None
    labels: list[str] = field(default_factory=list)
    stale_heads: list[str] = field(default_factory=list)
    stale_reads_after_push: int = 0
    stale_fetches_after_push: int = 0
    patches_omitted: set[str] = field(default_factory=set)

    @property
    def is_fork(self) -> bool:
        return self.head_repository is not self.repository


@dataclass(frozen=True)
class Moment:
    """One state that a check run or a comment was in. `at` is `time.monotonic()`."""

    number: int
    at: float
    state: str
    text: str


@dataclass
class CheckRun:
    id: int
    repository: Repository
    app: App
    name: str
    head_sha: str
    started_at: datetime
    external_id: str = ""
    details_url: str = ""
    status: str = "queued"
    conclusion: str | None = None
    completed_at: datetime | None = None
    output: dict[str, Any] = field(default_factory=dict)
    annotations: list[dict[str, Any]] = field(default_factory=list)
    actions: list[dict[str, Any]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)

    @property
    def history(self) -> list[str]:
        """Its states in order, a run of equal ones once: `["in_progress", "completed failure"]`."""
        return [state for state, _ in itertools.groupby(moment.state for moment in self.moments)]


@dataclass
class Comment:
    """A comment of a pull request. `moments[0]` is its creation, each further one an edit."""

    id: int
    repository: Repository
    number: int
    author: Account
    body: str
    app: App | None
    created_at: datetime
    updated_at: datetime
    reactions: list[tuple[int, Account, str]] = field(default_factory=list)
    moments: list[Moment] = field(default_factory=list)
    is_deleted: bool = False

    @property
    def edits(self) -> int:
        return len(self.moments) - 1


@dataclass
class MergeGroup:
    repository: Repository
    pull_requests: list[PullRequest]
    head_ref: str
    head_sha: str
    base_ref: str
    base_sha: str


@dataclass
class Deployment:
    id: int
    repository: Repository
    sha: str
    ref: str
    environment: str
    creator: Account
    created_at: datetime
    statuses: list[tuple[int, str, datetime]] = field(default_factory=list)


class Shelf[K, V]:
    """Things by their id, in the order they came; they may be listed while another thread adds one."""

    def __init__(self) -> None:
        self._things: dict[K, V] = {}

    def __setitem__(self, key: K, thing: V) -> None:
        self._things[key] = thing

    def __getitem__(self, key: K) -> V:
        return self._things[key]

    def get(self, key: K) -> V | None:
        return self._things.get(key)

    def values(self) -> list[V]:
        return list(self._things.values())


class World:
    """Everything there is. Hold `lock` to read or change more than one thing of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.api_url = self.web_url = ""
        self.lock = threading.RLock()
        self.accounts: dict[str, Account] = {}
        self.apps = Shelf[int, App]()
        self.installations = Shelf[int, Installation]()
        self.tokens = Shelf[str, Token]()
        self.repositories = Shelf[int, Repository]()
        self.former_names: dict[str, int] = {}
        self.pull_requests = Shelf[int, PullRequest]()
        self.check_runs = Shelf[int, CheckRun]()
        self.comments = Shelf[int, Comment]()
        self.statuses: list[dict[str, Any]] = []
        self.deployments = Shelf[int, Deployment]()
        self._ids = itertools.count(5_000_000_000)  # past 32 bits, as GitHub's check runs are
        self._moments = itertools.count(1)

    def new_id(self) -> int:
        """Ids are ascending and never shared by two things, of whatever kind."""
        return next(self._ids)

    def moment(self, state: str, text: str) -> Moment:
        return Moment(next(self._moments), time.monotonic(), state, text)

    def account(self, login: str, kind: Literal["User", "Organization", "Bot"] = "User") -> Account:
        """The account of that name, made at first use."""
        return self.accounts.setdefault(login, Account(self.new_id(), login, kind))

    def repository(self, owner: str, name: str) -> Repository | None:
        wanted = f"{owner}/{name}".lower()
        return next((r for r in self.repositories.values() if r.full_name.lower() == wanted and not r.is_deleted), None)

    def pulls(self, repository: Repository) -> list[PullRequest]:
        """Newest first, as GitHub lists them."""
        return [p for p in reversed(self.pull_requests.values()) if p.repository is repository]

    def pull(self, repository: Repository, number: int) -> PullRequest | None:
        return next((p for p in self.pulls(repository) if p.number == number), None)

    def sees(self, installation: Installation, repository: Repository) -> bool:
        """Whether the App was given this repository."""
        if installation.is_deleted or repository.is_deleted or installation.account is not repository.owner:
            return False
        return installation.selection == "all" or repository.id in installation.repository_ids

    def installations_of(self, repository: Repository) -> list[Installation]:
        return [i for i in self.installations.values() if self.sees(i, repository)]


def now() -> datetime:
    return datetime.now(UTC)


def stamp(moment: datetime | None) -> str | None:
    """As GitHub writes an instant: seconds, UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None
