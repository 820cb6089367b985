"""One repository on GitHub, as the `Forge` port says, with a token that reaches no other."""

from collections.abc import Sequence
from urllib.parse import quote

from bot.github import check_runs, comments
from bot.github.answers import (
    BranchAnswer,
    CommentAnswer,
    ComparisonAnswer,
    DeploymentAnswer,
    EnvironmentAnswer,
    FileAnswer,
    PermissionAnswer,
    RuleAnswer,
    read_as,
    read_item,
)
from bot.github.calls import Calls
from bot.github.identity import Identity
from bot.github.shapes import PullRequest, Repository
from bot.github.tokens import FOR_GIT, Scope, Tokens
from gonogo.errors import Forbidden, Gone, NotFoundYet
from gonogo.forge import (
    CheckOutput,
    CheckRun,
    CheckStatus,
    Comment,
    Comparison,
    Conclusion,
    DeploymentFacts,
    Permission,
    PullRequestFacts,
    Reaction,
    RepositoryFacts,
)


class RepositoryClient:
    """Implements gonogo.ports.Forge. Made by `GitHubApp.repository`."""

    def __init__(self, calls: Calls, tokens: Tokens, identity: Identity, *, owner: str, name: str, scope: Scope) -> None:
        self._calls, self._tokens, self._identity, self._scope = calls, tokens, identity, scope
        self._at = f"/repos/{quote(owner)}/{quote(name)}"

    @property
    def calls(self) -> int:
        """REST calls so far, those that failed included."""
        return self._calls.used

    async def repository(self) -> RepositoryFacts:
        """The repository itself."""
        return read_as(Repository, await self._calls.get(self._at)).facts()

    async def pull_request(self, number: int) -> PullRequestFacts:
        """A pull request as it is now; NotFoundYet just after it was opened."""
        return read_as(PullRequest, await self._calls.get(f"{self._at}/pulls/{number}", may_appear=True)).facts()

    async def open_pull_requests(self) -> Sequence[PullRequestFacts]:
        """All that are open, oldest first."""
        asked = {"state": "open", "sort": "created", "direction": "asc"}
        return [read_item(PullRequest, p).facts() async for p in self._calls.pages(f"{self._at}/pulls", asked)]

    async def pulls_of(self, head_sha: str) -> Sequence[PullRequestFacts]:
        """Open pull requests whose head is this commit; a list of pull requests that contain it is what GitHub gives."""
        path = f"{self._at}/commits/{quote(head_sha)}/pulls"
        found = [read_item(PullRequest, p).facts() async for p in self._calls.pages(path)]
        return [p for p in found if p.state == "open" and p.head_sha == head_sha]

    async def files(self, number: int) -> Sequence[str]:
        """Changed paths, as GitHub lists them: at most 3 000, so compare with `changed_files`."""
        path = f"{self._at}/pulls/{number}/files"
        return [read_item(FileAnswer, f).filename async for f in self._calls.pages(path)]

    async def compare(self, base: str, head: str) -> Comparison:
        """Two commits; NotFoundYet while GitHub does not show one of them."""
        path = f"{self._at}/compare/{quote(base, safe='')}...{quote(head, safe='')}"
        return read_as(ComparisonAnswer, await self._calls.get(path, {"per_page": 1}, may_appear=True)).facts()

    async def publish_check(
        self,
        *,
        name: str,
        head_sha: str,
        external_id: str,
        status: CheckStatus,
        conclusion: Conclusion | None = None,
        output: CheckOutput | None = None,
        details_url: str | None = None,
        check_run_id: int | None = None,
    ) -> int:
        """Write our one check run of that name on that commit, and its id."""
        wanted = check_runs.WantedCheck(
            name=name,
            head_sha=head_sha,
            external_id=external_id,
            status=status,
            conclusion=conclusion,
            output=output,
            details_url=details_url,
        )
        return await check_runs.publish(self._calls, self._at, wanted, app_id=self._identity.app_id, check_run_id=check_run_id)

    async def check_runs(self, head_sha: str, name: str) -> Sequence[CheckRun]:
        """Check runs of ours with that name on that commit, newest first."""
        return await check_runs.ours(self._calls, self._at, head_sha=head_sha, name=name, app_id=self._identity.app_id)

    async def publish_comment(self, number: int, body: str, *, marker: str, comment_id: int | None = None) -> int:
        """Write our one comment that holds `marker`, and its id."""
        return await comments.publish(self._calls, self._at, self._identity, number, body, marker=marker, comment_id=comment_id)

    async def comments(self, number: int) -> Sequence[Comment]:
        """All comments of a pull request, oldest first."""
        return [c async for c in comments.listed(self._calls, self._at, number)]

    async def comment_of(self, comment_id: int) -> Comment:
        """One comment as it is now."""
        return read_as(CommentAnswer, await self._calls.get(f"{self._at}/issues/comments/{comment_id}")).facts()

    async def react(self, comment_id: int, content: Reaction) -> None:
        """Leave a reaction; GitHub answers 200 to a second one of the same kind, so it may be sent again."""
        await self._calls.change("POST", f"{self._at}/issues/comments/{comment_id}/reactions", {"content": content})

    async def permission(self, login: str) -> Permission:
        """What a person may do in the repository; someone whom GitHub does not know may nothing."""
        try:
            answer = await self._calls.get(f"{self._at}/collaborators/{quote(login, safe='')}/permission")
        except Gone:
            return Permission.NONE
        told = read_as(PermissionAnswer, answer)
        return _PERMISSIONS.get(told.permission or told.role_name, Permission.NONE)

    async def is_required(self, branch: str, name: str) -> bool | None:
        """Whether the check of that name must pass before a merge; None when GitHub does not tell."""
        at = quote(branch, safe="")
        try:
            async for rule in self._calls.pages(f"{self._at}/rules/branches/{at}"):
                if name in read_item(RuleAnswer, rule).names():
                    return True
            return name in read_as(BranchAnswer, await self._calls.get(f"{self._at}/branches/{at}")).names()
        except (Forbidden, Gone, NotFoundYet):
            return None

    async def deployments(self, *, sha: str | None = None) -> Sequence[DeploymentFacts]:
        """Deployments of a commit, or all, newest first."""
        path = f"{self._at}/deployments"
        return [read_item(DeploymentAnswer, d).facts() async for d in self._calls.pages(path, {"sha": sha} if sha else None)]

    async def environments(self) -> Sequence[str] | None:
        """Names of the environments; None when we may not see them."""
        try:
            listed = self._calls.pages(f"{self._at}/environments", of="environments")
            return [read_item(EnvironmentAnswer, e).name async for e in listed]
        except (Forbidden, Gone):
            return None

    async def git_token(self, refused: str | None = None) -> str:
        """A token that reads this repository by git and can do nothing else; pass one that git was refused with."""
        scope = Scope(self._scope.installation_id, self._scope.repository_id, tuple(FOR_GIT.items()))
        if refused is not None:
            self._tokens.forget(scope, refused)
        return (await self._tokens.of(scope)).text


_PERMISSIONS = {
    "admin": Permission.ADMIN,
    "maintain": Permission.WRITE,
    "write": Permission.WRITE,
    "triage": Permission.READ,
    "read": Permission.READ,
}
