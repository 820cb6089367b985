"""Things as GitHub writes them, in events and in answers, by the fields that are used here; anything more or null is put up with.

githubkit's own models refuse a third of GitHub's example payloads, and GitHub's own example of a pull request.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from gonogo.forge import InstallationFacts, PullRequestFacts, RepositoryFacts


def _text(value: Any) -> Any:
    return "" if value is None else value


def _names(value: Any) -> dict[str, str]:
    return cast("dict[str, str]", value) if isinstance(value, dict) else {}


Text = Annotated[str, BeforeValidator(_text)]
"""A text that GitHub may leave null."""
Flag = Annotated[bool, BeforeValidator(bool)]
"""A flag that GitHub may leave null."""
Id = Annotated[int, Field(ge=0, le=2**63 - 1)]
"""An id that GitHub gives: a column of 64 bits holds it."""
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""The number of an issue or a pull request in its repository: a column of 32 bits holds it."""
Names = Annotated[Mapping[str, str], BeforeValidator(_names)]


class Tolerant(BaseModel):
    """Base of everything that GitHub sends: what is not asked for is not looked at."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class Account(Tolerant):
    """A person, an organisation or a bot. Old payloads name owners of a push by `name` alone."""

    id: Id = 0
    login: Text = ""
    name: Text = ""
    type: Text = ""

    @property
    def said(self) -> str:
        """The login."""
        return self.login or self.name


class Repository(Tolerant):
    """A repository."""

    id: Id = 0
    name: Text = ""
    full_name: Text = ""
    owner: Account | None = None
    default_branch: Text = ""
    private: Flag = False
    archived: Flag = False

    def facts(self) -> RepositoryFacts:
        """In our words. Where an event lists repositories of an installation, the owner is in the full name alone."""
        owner, _, name = self.full_name.partition("/")
        return RepositoryFacts(
            id=self.id,
            owner=self.owner.said if self.owner else owner,
            name=self.name or name,
            default_branch=self.default_branch,
            is_private=self.private,
            is_archived=self.archived,
        )


class Reference(Tolerant):
    """One end of a pull request; `repo` is null when the fork is gone."""

    ref: Text = ""
    sha: Text = ""
    repo: Repository | None = None


class PullRequest(Tolerant):
    """A pull request, of the API or of an event."""

    id: Id
    number: Number
    state: Literal["open", "closed"] = "open"
    title: Text = ""
    body: Text = ""
    user: Account | None = None
    draft: Flag = False
    locked: Flag = False
    head: Reference
    base: Reference
    merged_at: AwareDatetime | None = None
    merge_commit_sha: str | None = None
    changed_files: int | None = None
    commits: int | None = None
    updated_at: AwareDatetime | None = None
    html_url: Text = ""

    def facts(self) -> PullRequestFacts:
        """In our words. `merge_commit_sha` of an open pull request is a trial merge, and stale: it is left out."""
        at, base = self.head.repo, self.base.repo
        return PullRequestFacts(
            id=self.id,
            number=self.number,
            state=self.state,
            title=self.title,
            body=self.body,
            author=self.user.said if self.user else "",
            is_draft=self.draft,
            is_locked=self.locked,
            is_fork=at is None or base is None or at.id != base.id,
            head_sha=self.head.sha,
            head_ref=self.head.ref,
            base_ref=self.base.ref,
            base_sha=self.base.sha,
            repository_id=base.id if base else 0,
            merged_at=self.merged_at,
            merge_sha=self.merge_commit_sha if self.merged_at else None,
            changed_files=self.changed_files,
            commits=self.commits,
            updated_at=self.updated_at,
            url=self.html_url,
        )


class AppName(Tolerant):
    """The App of a check run, a check suite or a comment."""

    id: Id = 0
    slug: Text = ""


class Installation(Tolerant):
    """The App on an account."""

    id: Id
    account: Account | None = None
    suspended_at: AwareDatetime | str | int | None = None
    permissions: Names = {}
    events: tuple[str, ...] | None = None

    def facts(self) -> InstallationFacts:
        """In our words."""
        return InstallationFacts(
            id=self.id,
            account=self.account.said if self.account else "",
            is_suspended=self.suspended_at is not None,
            permissions=self.permissions,
            events=self.events or (),
        )
