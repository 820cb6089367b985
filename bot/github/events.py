"""Webhook events by the fields that gonogo acts on. `parse_event` reads one; what it does not know is None.

https://docs.github.com/en/webhooks/webhook-events-and-payloads
"""

from collections.abc import Mapping
from typing import Any

from pydantic import AwareDatetime, Field, ValidationError

from bot.github.shapes import Account, AppName, Flag, Id, Installation, Number, PullRequest, Repository, Text, Tolerant
from gonogo.errors import CallError
from gonogo.forge import DeploymentFacts


class EventUnreadable(CallError):
    """A signed event that lacks what it is about: nothing can be done with it, now or later."""


class InstallationId(Tolerant):
    """Every event of an App carries it."""

    id: Id


class Event(Tolerant):
    """What all have. `repository` and `installation` are absent from events that are not about one."""

    action: Text = ""
    installation: InstallationId | None = None
    repository: Repository | None = None
    sender: Account | None = None


class Before(Tolerant):
    """A value before it was changed."""

    value: Any = Field(default=None, alias="from")


class BaseBefore(Tolerant):
    """Where a pull request pointed before it was given another base."""

    ref: Before | None = None
    sha: Before | None = None


class PullRequestChanges(Tolerant):
    """What an edit changed."""

    base: BaseBefore | None = None
    title: Before | None = None
    body: Before | None = None


class Label(Tolerant):
    """A label."""

    name: Text = ""


class PullRequestEvent(Event):
    """`before` and `after` are heads, and come with synchronize alone."""

    number: Number
    pull_request: PullRequest
    changes: PullRequestChanges | None = None
    before: str | None = None
    after: str | None = None
    label: Label | None = None

    @property
    def is_retarget(self) -> bool:
        """Whether an edit gave it another base: head stays, and the verdict does not."""
        return self.action == "edited" and self.changes is not None and self.changes.base is not None


class MergeGroup(Tolerant):
    """Pull requests that a merge queue has put together."""

    head_sha: str
    head_ref: Text = ""
    base_sha: Text = ""
    base_ref: Text = ""


class MergeGroupEvent(Event):
    """`destroyed` comes after a merge too; `reason` tells: merged, invalidated or dequeued."""

    merge_group: MergeGroup
    reason: Text = ""


class PullRequestReference(Tolerant):
    """A pull request that a check is about; the list is empty for forks."""

    id: Id = 0
    number: Number = 0


class CheckRun(Tolerant):
    """A check run in an event."""

    id: Id
    name: Text = ""
    head_sha: Text = ""
    status: Text = ""
    conclusion: str | None = None
    external_id: Text = ""
    app: AppName | None = None
    pull_requests: tuple[PullRequestReference, ...] | None = None


class RequestedAction(Tolerant):
    """The button that was pressed."""

    identifier: Text = ""


class CheckRunEvent(Event):
    """Of every App; only our own are for us."""

    check_run: CheckRun
    requested_action: RequestedAction | None = None

    def is_of(self, app_id: int) -> bool:
        """Whether our App made the check run."""
        return self.check_run.app is not None and self.check_run.app.id == app_id


class CheckSuite(Tolerant):
    """All check runs of an App on a commit."""

    id: Id
    head_sha: Text = ""
    head_branch: Text = ""
    app: AppName | None = None
    pull_requests: tuple[PullRequestReference, ...] | None = None


class CheckSuiteEvent(Event):
    """A second source of 'there is a new head', and the button 're-run all checks'."""

    check_suite: CheckSuite

    def is_of(self, app_id: int) -> bool:
        """Whether the suite is our App's."""
        return self.check_suite.app is not None and self.check_suite.app.id == app_id


class Issue(Tolerant):
    """An issue; `pull_request` is there when it is a pull request. `id` is the issue's, not the pull request's."""

    number: Number
    state: Text = ""
    locked: Flag = False
    pull_request: Mapping[str, Any] | None = None


class IssueComment(Tolerant):
    """A comment as an event carries it."""

    id: Id
    body: Text = ""
    user: Account | None = None
    created_at: AwareDatetime | None = None
    performed_via_github_app: AppName | None = None


class IssueCommentEvent(Event):
    """A comment on an issue or on a pull request."""

    issue: Issue
    comment: IssueComment

    @property
    def is_on_pull_request(self) -> bool:
        """Whether it stands under a pull request."""
        return self.issue.pull_request is not None

    @property
    def is_by_bot(self) -> bool:
        """Whether an App or another bot wrote it: such a comment commands nothing."""
        writer = self.comment.user or self.sender
        is_bot = writer is None or writer.type == "Bot" or writer.login.endswith("[bot]")
        return is_bot or self.comment.performed_via_github_app is not None


class PushEvent(Event):
    """Commits on a branch or a tag."""

    ref: Text = ""
    before: Text = ""
    after: Text = ""
    created: Flag = False
    deleted: Flag = False
    forced: Flag = False

    @property
    def branch(self) -> str | None:
        """The branch; None for a tag."""
        return self.ref.removeprefix("refs/heads/") if self.ref.startswith("refs/heads/") else None


class Deployment(Tolerant):
    """A deployment."""

    id: Id
    sha: Text = ""
    ref: Text = ""
    environment: Text = ""
    created_at: AwareDatetime | None = None
    production_environment: Flag = False

    def facts(self) -> DeploymentFacts:
        """In our words."""
        return DeploymentFacts(
            id=self.id,
            sha=self.sha,
            environment=self.environment,
            created_at=self.created_at,
            is_production=self.production_environment or self.environment.lower() in ("production", "prod"),
        )


class DeploymentEvent(Event):
    """A deployment was begun."""

    deployment: Deployment


class DeploymentStatus(Tolerant):
    """How a deployment goes: queued, pending, in_progress, success, failure, error, inactive."""

    id: Id
    state: Text = ""
    environment: Text = ""
    created_at: AwareDatetime | None = None


class DeploymentStatusEvent(Event):
    """News of a deployment."""

    deployment_status: DeploymentStatus
    deployment: Deployment


class DeploymentProtectionRuleEvent(Event):
    """An environment asks whether it may be deployed to; the answer goes to `deployment_callback_url`."""

    environment: Text = ""
    deployment_callback_url: Text = ""
    deployment: Deployment | None = None
    pull_requests: tuple[PullRequest, ...] | None = None


class InstallationEvent(Event):
    """created, deleted, suspend, unsuspend, new_permissions_accepted."""

    installation: Installation  # pyright: ignore[reportIncompatibleVariableOverride, reportGeneralTypeIssues]  here it is told
    repositories: tuple[Repository, ...] | None = None


class InstallationRepositoriesEvent(Event):
    """Repositories were given to the App or taken from it. Owners and default branches are not told."""

    installation: Installation  # pyright: ignore[reportIncompatibleVariableOverride, reportGeneralTypeIssues]
    repositories_added: tuple[Repository, ...] | None = None
    repositories_removed: tuple[Repository, ...] | None = None


class InstallationTargetEvent(Event):
    """The account was renamed."""

    account: Account | None = None


class RepositoryEvent(Event):
    """renamed, transferred, archived, unarchived, deleted, privatized, publicized, edited: `repository` is how it is now."""

    repository: Repository  # pyright: ignore[reportIncompatibleVariableOverride, reportGeneralTypeIssues]


class PingEvent(Event):
    """The first event of a new webhook."""

    zen: Text = ""


EVENTS: Mapping[str, type[Event]] = {
    "pull_request": PullRequestEvent,
    "merge_group": MergeGroupEvent,
    "check_run": CheckRunEvent,
    "check_suite": CheckSuiteEvent,
    "issue_comment": IssueCommentEvent,
    "push": PushEvent,
    "deployment": DeploymentEvent,
    "deployment_status": DeploymentStatusEvent,
    "deployment_protection_rule": DeploymentProtectionRuleEvent,
    "installation": InstallationEvent,
    "installation_repositories": InstallationRepositoriesEvent,
    "installation_target": InstallationTargetEvent,
    "repository": RepositoryEvent,
    "ping": PingEvent,
}
"""`X-GitHub-Event` → what it holds."""


def parse_event(name: str, body: Mapping[str, Any]) -> Event | None:
    """The event of that name; None for one that gonogo does not act on. Raises EventUnreadable."""
    kind = EVENTS.get(name)
    if kind is None:
        return None
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        where = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)[:3])
        raise EventUnreadable(f"the event {name} cannot be read: {where}") from error
