"""What a forge (GitHub) says about pull requests, and what it is told: the words of the `Forge` port."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from gonogo.word import Instant, Word


class Permission(StrEnum):
    """What a person may do in a repository. GitHub's `maintain` counts as write, `triage` as read."""

    ADMIN = "admin"
    WRITE = "write"
    READ = "read"
    NONE = "none"

    @property
    def may_write(self) -> bool:
        """Whether commands and acknowledgements of this person count."""
        return self in (Permission.ADMIN, Permission.WRITE)

    @property
    def may_read(self) -> bool:
        """Whether this person may see what gonogo says of the repository."""
        return self is not Permission.NONE


class PullRequestFacts(Word):
    """A pull request as an event or the API shows it. What is missing in one of them is None."""

    id: int
    """GitHub's own number of the pull request: stays when a repository is renamed or moved."""
    number: int
    state: Literal["open", "closed"]
    title: str
    body: str
    author: str
    """The login; empty when the account is gone."""
    is_draft: bool
    is_locked: bool
    is_fork: bool
    """Head is in another repository than base, or in one that is gone."""
    head_sha: str
    head_ref: str
    base_ref: str
    base_sha: str
    repository_id: int
    """Of the base."""
    merged_at: Instant | None = None
    merge_sha: str | None = None
    """The commit that the merge made; None as long as it is not merged."""
    changed_files: int | None = None
    """None where GitHub lists many pull requests at once."""
    commits: int | None = None
    updated_at: Instant | None = None
    url: str = ""


class RepositoryFacts(Word):
    """A repository of an installation."""

    id: int
    owner: str
    name: str
    default_branch: str
    is_private: bool = False
    is_archived: bool = False

    @property
    def full_name(self) -> str:
        """`owner/name`."""
        return f"{self.owner}/{self.name}"


class InstallationFacts(Word):
    """The App on one account."""

    id: int
    account: str
    is_suspended: bool = False
    permissions: Mapping[str, str] = {}
    """Name → `read`, `write` or `admin`, as the owner of the account has accepted them."""
    events: tuple[str, ...] = ()


class AppFacts(Word):
    """The App itself, as `GET /app` says."""

    id: int
    slug: str
    name: str = ""
    owner: str = ""
    permissions: Mapping[str, str] = {}
    events: tuple[str, ...] = ()

    @property
    def login(self) -> str:
        """The name that its comments carry."""
        return f"{self.slug}[bot]"


class Delivery(Word):
    """One attempt of GitHub to deliver a webhook."""

    id: int
    guid: str
    """The same for every attempt of one delivery."""
    event: str
    action: str | None = None
    status_code: int
    """Of our answer; 0 when none came."""
    is_redelivery: bool = False
    delivered_at: Instant
    installation_id: int | None = None

    @property
    def is_ok(self) -> bool:
        """Whether GitHub got a good answer."""
        return 200 <= self.status_code < 400


CheckStatus = Literal["queued", "in_progress", "completed"]
Conclusion = Literal["success", "failure", "neutral", "cancelled", "action_required", "skipped", "timed_out"]


class Annotation(Word):
    """A sentence at a line of the head commit."""

    path: str
    line: int = Field(ge=1)
    end_line: int | None = None
    level: Literal["notice", "warning", "failure"]
    message: str
    """At most 64 KB."""
    title: str = ""
    """At most 255 characters."""


class CheckAction(Word):
    """A button of a check run."""

    identifier: str = Field(max_length=20)
    label: str = Field(max_length=20)
    description: str = Field(max_length=40)


class CheckOutput(Word):
    """What a check run shows. Summary and text may have 65 535 characters each; there may be any number of annotations."""

    title: str
    summary: str
    text: str = ""
    annotations: tuple[Annotation, ...] = ()
    actions: tuple[CheckAction, ...] = Field(default=(), max_length=3)


class CheckRun(Word):
    """A check run that is there."""

    id: int
    name: str
    head_sha: str
    status: str
    conclusion: str | None = None
    external_id: str = ""
    app_id: int | None = None
    annotations_count: int = 0


class Comment(Word):
    """A comment on a pull request."""

    id: int
    body: str
    login: str
    is_bot: bool = False
    app_id: int | None = None
    """The App that wrote it; None for a person."""
    url: str = ""


class Comparison(Word):
    """Two commits of one repository."""

    merge_base_sha: str
    ahead_by: int
    behind_by: int
    paths: tuple[str, ...] = ()
    """At most 300; for more, read the mirror."""


class DeploymentFacts(Word):
    """A deployment of a commit to an environment."""

    id: int
    sha: str
    environment: str
    created_at: datetime | None = None
    is_production: bool = False


Reaction = Literal["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"]
