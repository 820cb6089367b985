"""A forge in memory, for tests of those who use one: it keeps what was written, and fails as it is told to."""

from collections import defaultdict
from collections.abc import Sequence

from gonogo.errors import ForgeError, Gone
from gonogo.forge import CheckOutput, CheckRun, CheckStatus, Comment, Conclusion, Permission, PullRequestFacts, Reaction

APP_ID = 1


def a_pull_request(number: int = 7, **changed: object) -> PullRequestFacts:
    """An open pull request from a branch of the same repository; say what is to be different."""
    told: dict[str, object] = {
        "id": 1000 + number,
        "number": number,
        "state": "open",
        "title": "Find orders by name",
        "body": "",
        "author": "mona",
        "is_draft": False,
        "is_locked": False,
        "is_fork": False,
        "head_sha": "a" * 40,
        "head_ref": "orders-by-name",
        "base_ref": "main",
        "base_sha": "b" * 40,
        "repository_id": 42,
    }
    return PullRequestFacts.model_validate(told | changed)


class MemoryForge:
    """Implements gonogo.ports.Forge for one repository.

    `failing[method]` is a list of errors that the next calls of that method raise, one each; None lets one through.
    """

    def __init__(self, *pull_requests: PullRequestFacts, app_id: int = APP_ID) -> None:
        self.pull_requests = {p.number: p for p in pull_requests}
        self.app_id = app_id
        self.checks: dict[int, CheckRun] = {}
        self.outputs: dict[int, CheckOutput] = {}
        self.written: defaultdict[int, list[Comment]] = defaultdict(list)
        self.reactions: list[tuple[int, str]] = []
        self.permissions: dict[str, Permission] = {}
        self.required: dict[str, set[str]] = {}
        self.failing: defaultdict[str, list[ForgeError | None]] = defaultdict(list)
        self.asked: list[str] = []
        """Names of the methods, in the order of their calls."""

    @property
    def calls(self) -> int:
        """Calls so far."""
        return len(self.asked)

    async def pull_request(self, number: int) -> PullRequestFacts:
        """One of those that it was made with."""
        self._called("pull_request")
        if number not in self.pull_requests:
            raise Gone(f"no pull request {number}")
        return self.pull_requests[number]

    async def open_pull_requests(self) -> Sequence[PullRequestFacts]:
        """Those that are open, by number."""
        self._called("open_pull_requests")
        return [p for _, p in sorted(self.pull_requests.items()) if p.state == "open"]

    async def pulls_of(self, head_sha: str) -> Sequence[PullRequestFacts]:
        """Open ones with that head."""
        self._called("pulls_of")
        return [p for _, p in sorted(self.pull_requests.items()) if p.state == "open" and p.head_sha == head_sha]

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
        """One a name and commit."""
        self._called("publish_check")
        assert details_url is None or details_url.startswith("http")
        assert (status == "completed") == (conclusion is not None)
        there = next((c.id for c in self.checks.values() if (c.name, c.head_sha) == (name, head_sha)), None)
        at = check_run_id if check_run_id in self.checks else there or len(self.checks) + 1
        assert at is not None
        self.checks[at] = CheckRun(
            id=at,
            name=name,
            head_sha=head_sha,
            status=status,
            conclusion=conclusion,
            external_id=external_id,
            app_id=self.app_id,
            annotations_count=len(output.annotations) if output else 0,
        )
        if output is not None:
            self.outputs[at] = output
        return at

    async def check_runs(self, head_sha: str, name: str) -> Sequence[CheckRun]:
        """Of that name on that commit."""
        self._called("check_runs")
        return [c for c in self.checks.values() if (c.name, c.head_sha) == (name, head_sha)]

    async def publish_comment(self, number: int, body: str, *, marker: str, comment_id: int | None = None) -> int:
        """One a marker."""
        self._called("publish_comment")
        assert marker in body
        listed = self.written[number]
        at = next((i for i, c in enumerate(listed) if c.id == comment_id), None)
        if at is None:
            at = next((i for i, c in enumerate(listed) if c.app_id == self.app_id and marker in c.body), None)
        if at is not None:
            listed[at] = listed[at].model_copy(update={"body": body})
            return listed[at].id
        new = sum(map(len, self.written.values())) + 1
        listed.append(Comment(id=new, body=body, login="gonogo[bot]", is_bot=True, app_id=self.app_id))
        return new

    async def comments(self, number: int) -> Sequence[Comment]:
        """All of them."""
        self._called("comments")
        return list(self.written[number])

    async def react(self, comment_id: int, content: Reaction) -> None:
        """Kept in `reactions`."""
        self._called("react")
        if (comment_id, content) not in self.reactions:
            self.reactions.append((comment_id, content))

    async def permission(self, login: str) -> Permission:
        """As `permissions` says; none for a stranger."""
        self._called("permission")
        return self.permissions.get(login, Permission.NONE)

    async def is_required(self, branch: str, name: str) -> bool | None:
        """As `required` says; None for a branch that it does not know."""
        self._called("is_required")
        return name in self.required[branch] if branch in self.required else None

    async def git_token(self, refused: str | None = None) -> str:
        """A token."""
        self._called("git_token")
        return "another-token" if refused else "a-token"

    def _called(self, name: str) -> None:
        self.asked.append(name)
        if self.failing[name]:
            error = self.failing[name].pop(0)
            if error is not None:
                raise error
