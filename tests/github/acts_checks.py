"""What people do with checks and in conversations: press buttons, comment, react."""

from typing import Any

from tests.github.acts_pulls import suite_facts
from tests.github.hub import Hub
from tests.github.shapes import shaped, webhook_example
from tests.github.world import Account, CheckRun, Comment, PullRequest, now


class Conversations:
    """Check runs' buttons and pull requests' comments, with the events they make."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._world = hub, hub.world

    def rerequest(self, run: CheckRun, *, by: str = "dev") -> None:
        """'Re-run' on one check."""
        self.tell_run(run, "rerequested", self._world.account(by))

    def rerequest_suite(self, run: CheckRun, *, by: str = "dev") -> None:
        """'Re-run all checks'."""
        suite = suite_facts(self._hub, run.repository, run.app.id, run.head_sha)
        self._hub.announcer.event(
            "check_suite", "rerequested", run.repository, self._world.account(by), only=run.app, check_suite=suite
        )

    def tell_suite_completed(self, run: CheckRun) -> None:
        """`check_suite.completed`, when no run of its suite is open any more."""
        suite = suite_facts(self._hub, run.repository, run.app.id, run.head_sha)
        if suite["status"] == "completed":
            self._hub.announcer.event("check_suite", "completed", run.repository, run.app.bot, wait=False, check_suite=suite)

    def press(self, run: CheckRun, identifier: str, *, by: str = "dev") -> None:
        """A button of the check. GitHub sends only to the App that made it."""
        assert identifier in [a["identifier"] for a in run.actions], f"the check has no button {identifier!r}: {run.actions}"
        self.tell_run(run, "requested_action", self._world.account(by), requested_action={"identifier": identifier})

    def tell_run(self, run: CheckRun, action: str, by: Account, *, wait: bool = True, **parts: Any) -> None:
        """`created` and `completed` go to every App that subscribed, the others to the check's own."""
        facts = self._hub.facts.check_run(run)
        facts["check_suite"] = suite_facts(self._hub, run.repository, run.app.id, run.head_sha)
        only = run.app if action in {"rerequested", "requested_action"} else None
        self._hub.announcer.event("check_run", action, run.repository, by, only=only, wait=wait, check_run=facts, **parts)

    def comment(self, pull: PullRequest, body: str, *, by: str = "dev", bot_of: Any = None, tell: bool = True) -> Comment:
        """A comment of a person, or of another App (`bot_of`)."""
        author = bot_of.bot if bot_of else self._world.account(by)
        made = self.add(pull, body, author, bot_of)
        if tell:
            self.tell_comment(made, "created", author)
        return made

    def edit(self, comment: Comment, body: str, *, by: str = "dev") -> None:
        before, comment.body, comment.updated_at = comment.body, body, now()
        comment.moments.append(self._world.moment("edited", body))
        self.tell_comment(comment, "edited", self._world.account(by), changes={"body": {"from": before}})

    def delete(self, comment: Comment, *, by: str = "olivia", tell: bool = True) -> None:
        comment.is_deleted = True
        if tell:
            self.tell_comment(comment, "deleted", self._world.account(by))

    def add(self, pull: PullRequest, body: str, author: Account, app: Any) -> Comment:
        """Without telling anybody."""
        made = Comment(self._world.new_id(), pull.repository, pull.number, author, body, app, now(), now())
        made.moments.append(self._world.moment("created", body))
        self._world.comments[made.id] = made
        return made

    def tell_comment(self, comment: Comment, action: str, by: Account, *, wait: bool = True, **parts: Any) -> None:
        pull = self._world.pull(comment.repository, comment.number)
        assert pull
        self._hub.announcer.event("issue_comment", action, comment.repository, by, wait=wait, issue=self._issue(pull),
                                  comment=self._hub.facts.comment(comment), **parts)  # fmt: skip

    def of(self, pull: PullRequest) -> list[Comment]:
        return [c for c in self._world.comments.values()
                if c.repository is pull.repository and c.number == pull.number and not c.is_deleted]  # fmt: skip

    def _issue(self, pull: PullRequest) -> dict[str, Any]:
        """The pull request as an issue, as `issue_comment` has it."""
        facts, web = self._hub.facts, f"{self._hub.facts.web(pull.repository)}/pull/{pull.number}"
        api = facts.api(pull.repository)
        template = {
            k: v for k, v in webhook_example("issue_comment", "created")["issue"].items() if k not in {"labels", "milestone"}
        }
        return shaped(template, {
            "id": pull.id + 1, "node_id": f"PR_{pull.id}", "number": pull.number, "title": pull.title, "user": facts.account(pull.author),
            "state": pull.state, "locked": pull.is_locked, "body": pull.body or None, "labels": [], "milestone": None, "draft": pull.is_draft,
            "url": f"{api}/issues/{pull.number}", "html_url": web, "assignee": None, "assignees": [],
            "pull_request": {"url": f"{api}/pulls/{pull.number}", "html_url": web, "diff_url": f"{web}.diff", "patch_url": f"{web}.patch",
                             "merged_at": None},
        }, api=api, web=facts.web(pull.repository))  # fmt: skip
