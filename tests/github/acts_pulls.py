"""What people do with pull requests: open, push, retarget, comment, merge; and what the merge queue does with them."""

from collections.abc import Sequence
from typing import Any

from tests.github.acts_repositories import Repositories
from tests.github.bare import Files
from tests.github.hub import Hub
from tests.github.shapes import shaped, webhook_example
from tests.github.world import MergeGroup, PullRequest, Repository, now


class Pulls:
    """Pull requests and merge groups."""

    def __init__(self, hub: Hub, repositories: Repositories) -> None:
        self._hub, self._world, self._repositories = hub, hub.world, repositories
        repositories.head_moved = self._head_moved

    def open(self, repository: Repository, files: Files | None = None, *, base: str | None = None, branch: str | None = None,
             title: str = "A change", body: str = "", by: str = "dev", is_draft: bool = False, fork: Repository | None = None,
             head_sha: str | None = None, message: str = "a change", tell: bool = True) -> PullRequest:  # fmt: skip
        """A pull request whose branch has one commit over the base; `head_sha` opens it on a commit that exists."""
        base = base or repository.default_branch
        number = next(repository.numbers)
        branch = branch or f"change-{number}"
        source = fork or repository
        base_sha = self._repositories.tip(repository, base)
        if head_sha is None:
            head_sha = self._repositories.commit(
                source, f"refs/heads/{branch}", files or {}, parent=base_sha, message=message, by=by
            )
        elif fork is None:
            source.git.set_ref(f"refs/heads/{branch}", head_sha)
        pull = PullRequest(
            id=self._world.new_id(), number=number, repository=repository, author=self._world.account(by), title=title, body=body,
            head_repository=source, head_owner=source.owner, head_ref=branch, head_sha=head_sha, base_ref=base, base_sha=base_sha,
            created_at=now(), is_draft=is_draft,
        )  # fmt: skip
        self._world.pull_requests[pull.id] = pull
        self._point(pull)
        if tell:
            self._suite(pull, by)
            self.tell(pull, "opened", by)
        return pull

    def push(self, pull: PullRequest, files: Files | None = None, *, onto: str | None = None, by: str = "dev", message: str = "a change",
             tell: bool = True, replace: bool = False) -> str:  # fmt: skip
        """One more commit (`onto`: a force push over that commit). Its id. With `tell` False no webhook is sent at all."""
        assert pull.head_repository, "the fork is gone"
        return self._repositories.push(
            pull.head_repository, pull.head_ref, files, onto=onto, by=by, message=message, tell=tell, replace=replace
        )

    def rebase(self, pull: PullRequest, *, by: str = "dev", tell: bool = True) -> str:
        """The same change over the base branch's tip, as one commit, force-pushed."""
        git = pull.repository.git
        tip = self._repositories.tip(pull.repository, pull.base_ref)
        merged = git.merge(tip, [pull.head_sha], message="rebase", squash=True)
        assert pull.head_repository
        self._repositories.set_branch(pull.head_repository, pull.head_ref, merged, by=by, tell=tell)
        return merged

    def retarget(self, pull: PullRequest, base: str, *, by: str = "dev") -> None:
        before_ref, before_sha = pull.base_ref, pull.base_sha
        pull.base_ref, pull.base_sha = base, self._repositories.tip(pull.repository, base)
        self.tell(pull, "edited", by, changes={"base": {"ref": {"from": before_ref}, "sha": {"from": before_sha}}})

    def edit(self, pull: PullRequest, *, title: str | None = None, body: str | None = None, by: str = "dev") -> None:
        changes: dict[str, Any] = {}
        if title is not None:
            changes["title"], pull.title = {"from": pull.title}, title
        if body is not None:
            changes["body"], pull.body = {"from": pull.body}, body
        self.tell(pull, "edited", by, changes=changes)

    def close(self, pull: PullRequest, *, by: str = "dev") -> None:
        pull.state, pull.closed_at = "closed", now()
        self.tell(pull, "closed", by)

    def reopen(self, pull: PullRequest, *, by: str = "dev") -> None:
        pull.state, pull.closed_at = "open", None
        self.tell(pull, "reopened", by)

    def merge(self, pull: PullRequest, *, by: str = "dev", squash: bool = False) -> str:
        """Into its base branch; the merge commit's id."""
        repository = pull.repository
        tip = self._repositories.tip(repository, pull.base_ref)
        sha = repository.git.merge(tip, [pull.head_sha], message=f"Merge pull request #{pull.number}", squash=squash)
        repository.git.set_ref(f"refs/heads/{pull.base_ref}", sha)
        pull.state, pull.closed_at, pull.merged_at, pull.merged_by, pull.merge_commit_sha = (
            "closed",
            now(),
            now(),
            self._world.account(by),
            sha,
        )
        self._repositories.moved(repository, pull.base_ref, tip, sha, by=by, tell=True)
        self.tell(pull, "closed", by)
        return sha

    def convert_to_draft(self, pull: PullRequest, *, by: str = "dev") -> None:
        pull.is_draft = True
        self.tell(pull, "converted_to_draft", by)

    def ready_for_review(self, pull: PullRequest, *, by: str = "dev") -> None:
        pull.is_draft = False
        self.tell(pull, "ready_for_review", by)

    def lock(self, pull: PullRequest, *, by: str = "olivia") -> None:
        pull.is_locked = True
        self.tell(pull, "locked", by)

    def unlock(self, pull: PullRequest, *, by: str = "olivia") -> None:
        pull.is_locked = False
        self.tell(pull, "unlocked", by)

    def label(self, pull: PullRequest, name: str, *, by: str = "dev") -> None:
        pull.labels.append(name)
        self.tell(pull, "labeled", by, label=self._hub.facts.label(pull.repository, name))

    def unlabel(self, pull: PullRequest, name: str, *, by: str = "dev") -> None:
        pull.labels.remove(name)
        self.tell(pull, "unlabeled", by, label=self._hub.facts.label(pull.repository, name))

    def tell(self, pull: PullRequest, action: str, by: str, **parts: Any) -> None:
        """Send `pull_request` with this action about the present state."""
        self._hub.announcer.event("pull_request", action, pull.repository, self._world.account(by), number=pull.number,
                                  pull_request=self._hub.facts.pull_request(pull), **parts)  # fmt: skip

    def enqueue(self, *pulls: PullRequest, by: str = "olivia") -> MergeGroup:
        """A merge group of these, all for one base: its ref, and `merge_group.checks_requested`."""
        first = pulls[0]
        repository, base = first.repository, first.base_ref
        base_sha = self._repositories.tip(repository, base)
        head_sha = repository.git.merge(
            base_sha, [p.head_sha for p in pulls], message=f"Merge pull request #{pulls[-1].number} into {base}"
        )
        ref = f"refs/heads/gh-readonly-queue/{base}/pr-{pulls[-1].number}-{base_sha}"
        repository.git.set_ref(ref, head_sha)
        group = MergeGroup(repository, list(pulls), ref, head_sha, f"refs/heads/{base}", base_sha)
        for pull in pulls:
            self.tell(pull, "enqueued", by)
        self._tell_group(group, "checks_requested", by)
        return group

    def destroy(self, group: MergeGroup, reason: str = "invalidated", *, by: str = "olivia") -> None:
        """`merged`, `invalidated` or `dequeued`; the ref goes away."""
        group.repository.git.delete_ref(group.head_ref)
        for pull in group.pull_requests if reason != "merged" else ():
            self.tell(pull, "dequeued", by, reason="MANUAL")
        self._tell_group(group, "destroyed", by, reason=reason)

    def merge_group(self, group: MergeGroup, *, by: str = "olivia") -> None:
        """The queue's end: the base branch moves to the group's head, `destroyed` with `merged` arrives too."""
        repository, base = group.repository, group.base_ref.removeprefix("refs/heads/")
        before = self._repositories.tip(repository, base)
        repository.git.set_ref(group.base_ref, group.head_sha)
        self.destroy(group, "merged", by=by)
        for pull in group.pull_requests:
            pull.state, pull.closed_at, pull.merged_at, pull.merge_commit_sha = "closed", now(), now(), group.head_sha
            self.tell(pull, "closed", by)
        self._repositories.moved(repository, base, before, group.head_sha, by=by, tell=True)

    def of_head(self, repository: Repository, sha: str) -> Sequence[PullRequest]:
        return [p for p in self._world.pulls(repository) if p.head_sha == sha]

    def _head_moved(self, pull: PullRequest, after: str, by: str) -> None:
        before = pull.head_sha
        if before == after:
            return
        pull.head_sha = after
        pull.base_sha = self._repositories.tip(pull.repository, pull.base_ref)
        pull.stale_heads = [before] * pull.stale_reads_after_push
        self._point(pull, before)
        if by:
            self._suite(pull, by)
            self.tell(pull, "synchronize", by, before=before, after=after)

    def _point(self, pull: PullRequest, before: str | None = None) -> None:
        """`refs/pull/N/head`; the objects of a fork come along. It lags when that was asked for."""
        git = pull.repository.git
        if pull.is_fork and pull.head_repository:
            git.git(
                "fetch",
                "--quiet",
                "--no-write-fetch-head",
                str(pull.head_repository.git.folder),
                f"+{pull.head_sha}:refs/gonogo-tests/fork-{pull.number}",
            )
            git.delete_ref(f"refs/gonogo-tests/fork-{pull.number}")
        name = f"refs/pull/{pull.number}/head"
        pull.repository.stale_refs[name] = [before] * pull.stale_fetches_after_push if before else []
        git.set_ref(name, pull.head_sha)

    def _suite(self, pull: PullRequest, by: str) -> None:
        """GitHub opens a check suite for a new head, for every App with `checks: write`; not for heads of forks."""
        if pull.is_fork:
            return
        for installation in self._world.installations_of(pull.repository):
            self._hub.announcer.event("check_suite", "requested", pull.repository, self._world.account(by), only=installation.app,
                                      check_suite=suite_facts(self._hub, pull.repository, installation.app.id, pull.head_sha))  # fmt: skip

    def _tell_group(self, group: MergeGroup, action: str, by: str, **parts: Any) -> None:
        template = webhook_example("merge_group", "checks_requested")["merge_group"]
        facts = {"head_sha": group.head_sha, "head_ref": group.head_ref, "base_sha": group.base_sha, "base_ref": group.base_ref,
                 "head_commit": {"id": group.head_sha, "tree_id": group.repository.git.tree_of(group.head_sha),
                                 "message": group.repository.git.message(group.head_sha)}}  # fmt: skip
        self._hub.announcer.event(
            "merge_group", action, group.repository, self._world.account(by), merge_group=shaped(template, facts), **parts
        )


def suite_facts(hub: Hub, repository: Repository, app_id: int, head_sha: str) -> dict[str, Any]:
    """A check suite of an App on a head, as in `check_suite` payloads."""
    app = hub.world.apps[app_id]
    number = hub.facts.suite_id(app, head_sha)
    pulls = hub.facts.pulls_of_head(repository, head_sha)
    api = hub.facts.api(repository)
    runs = [r for r in hub.world.check_runs.values() if r.head_sha == head_sha and r.app is app and r.repository is repository]
    is_done = bool(runs) and all(r.status == "completed" for r in runs)
    template = {
        k: v for k, v in webhook_example("check_suite", "requested")["check_suite"].items() if k not in {"app", "pull_requests"}
    }
    return shaped(template, {
        "id": number, "node_id": f"CS_{number}", "head_sha": head_sha, "head_branch": pulls[0].head_ref if pulls else None,
        "status": "completed" if is_done else "queued", "conclusion": runs[-1].conclusion if is_done else None,
        "url": f"{api}/check-suites/{number}", "check_runs_url": f"{api}/check-suites/{number}/check-runs", "latest_check_runs_count": len(runs),
        "before": None, "after": head_sha, "pull_requests": [hub.facts.pull_of_check(p) for p in pulls], "app": hub.facts.app(app),
    }, api=api, web=hub.facts.web(repository))  # fmt: skip
