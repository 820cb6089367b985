"""GitHub's answers to REST calls, read tolerantly. `read_as` gives the body of an answer, or says that the server is broken."""

from datetime import datetime
from typing import Any

from pydantic import AwareDatetime, BaseModel, Field, ValidationError

from bot.github.shapes import Account, AppName, Flag, Names, Text, Tolerant
from bot.github.wire import Answer
from gonogo.errors import ForgeUnavailable
from gonogo.forge import AppFacts, CheckRun, Comment, Comparison, Delivery, DeploymentFacts


class App(Tolerant):
    """`GET /app`."""

    id: int
    slug: Text = ""
    name: Text = ""
    owner: Account | None = None
    permissions: Names = Field(default={})
    events: tuple[str, ...] = ()

    def facts(self) -> AppFacts:
        """In our words."""
        owner = self.owner.said if self.owner else ""
        return AppFacts(id=self.id, slug=self.slug, name=self.name, owner=owner, permissions=self.permissions, events=self.events)


class Token(Tolerant):
    """A token of an installation."""

    token: str
    expires_at: AwareDatetime
    permissions: Names = Field(default={})


class CheckOutputCount(Tolerant):
    """What is asked about the output of a check run."""

    annotations_count: int | None = None


class CheckRunAnswer(Tolerant):
    """A check run."""

    id: int
    name: Text = ""
    head_sha: Text = ""
    status: Text = ""
    conclusion: str | None = None
    external_id: Text = ""
    app: AppName | None = None
    output: CheckOutputCount | None = None

    def facts(self) -> CheckRun:
        """In our words."""
        return CheckRun(
            id=self.id,
            name=self.name,
            head_sha=self.head_sha,
            status=self.status,
            conclusion=self.conclusion,
            external_id=self.external_id,
            app_id=self.app.id if self.app else None,
            annotations_count=(self.output.annotations_count or 0) if self.output else 0,
        )


class AnnotationAnswer(Tolerant):
    """An annotation that is there."""

    path: Text = ""
    start_line: int = 0
    message: Text = ""


class CommentAnswer(Tolerant):
    """A comment of a pull request."""

    id: int
    body: Text = ""
    user: Account | None = None
    performed_via_github_app: AppName | None = None
    html_url: Text = ""

    def facts(self) -> Comment:
        """In our words."""
        return Comment(
            id=self.id,
            body=self.body,
            login=self.user.said if self.user else "",
            is_bot=bool(self.user) and self.user.type == "Bot",
            app_id=self.performed_via_github_app.id if self.performed_via_github_app else None,
            url=self.html_url,
        )


class DeliveryAnswer(Tolerant):
    """An attempt of a delivery."""

    id: int
    guid: Text = ""
    event: Text = ""
    action: str | None = None
    status_code: int = 0
    redelivery: Flag = False
    delivered_at: AwareDatetime
    installation_id: int | None = None

    def facts(self) -> Delivery:
        """In our words."""
        return Delivery(
            id=self.id,
            guid=self.guid,
            event=self.event,
            action=self.action,
            status_code=self.status_code,
            is_redelivery=self.redelivery,
            delivered_at=self.delivered_at,
            installation_id=self.installation_id,
        )


class DeploymentAnswer(Tolerant):
    """A deployment."""

    id: int
    sha: Text = ""
    environment: Text = ""
    created_at: datetime | None = None
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


class ShaAnswer(Tolerant):
    """A commit, by its id."""

    sha: str


class FileAnswer(Tolerant):
    """A changed file."""

    filename: str


class ComparisonAnswer(Tolerant):
    """Two commits compared."""

    merge_base_commit: ShaAnswer
    ahead_by: int = 0
    behind_by: int = 0
    files: tuple[FileAnswer, ...] | None = None

    def facts(self) -> Comparison:
        """In our words."""
        return Comparison(
            merge_base_sha=self.merge_base_commit.sha,
            ahead_by=self.ahead_by,
            behind_by=self.behind_by,
            paths=tuple(f.filename for f in self.files or ()),
        )


class PermissionAnswer(Tolerant):
    """What a person may do: a level, and the role that it comes from."""

    permission: Text = ""
    role_name: Text = ""


class EnvironmentAnswer(Tolerant):
    """An environment."""

    name: str


class RequiredCheck(Tolerant):
    """A check that must pass."""

    context: Text = ""


class RuleParameters(Tolerant):
    """Of a rule of a ruleset."""

    required_status_checks: tuple[RequiredCheck, ...] | None = None


class RuleAnswer(Tolerant):
    """A rule that holds for a branch."""

    type: Text = ""
    parameters: RuleParameters | None = None

    def names(self) -> set[str]:
        """The checks that it requires."""
        return {c.context for c in (self.parameters and self.parameters.required_status_checks) or ()}


class RequiredChecks(Tolerant):
    """Of classic protection: names, and since 2022 checks with the App that they must come from."""

    contexts: tuple[str, ...] | None = None
    checks: tuple[RequiredCheck, ...] | None = None


class Protection(Tolerant):
    """Classic protection, as much as everybody who reads the branch may see."""

    required_status_checks: RequiredChecks | None = None


class BranchAnswer(Tolerant):
    """A branch."""

    protection: Protection | None = None

    def names(self) -> set[str]:
        """The checks that its protection requires."""
        required = self.protection and self.protection.required_status_checks
        return {*(required.contexts or ()), *(c.context for c in required.checks or ())} if required else set()


def read_as[T: BaseModel](kind: type[T], answer: Answer, *, is_written: bool = False) -> T:
    """The body of an answer; a body that lacks what we cannot do without is an answer of a broken server.

    `is_written`: it answers a write that has been done all the same.
    """
    return read_item(kind, answer.data, is_written=is_written)


def read_item[T: BaseModel](kind: type[T], data: Any, *, is_written: bool = False) -> T:
    """One item of a list."""
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        where = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:3])
        raise ForgeUnavailable(f"GitHub's answer is no {kind.__name__}: {where}", may_be_done=is_written) from error
