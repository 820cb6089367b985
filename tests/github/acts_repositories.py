"""What happens to repositories: created, forked, pushed to, renamed, archived, deployed."""

import itertools
from collections.abc import Callable
from typing import Any

from tests.github.bare import BareRepository, Files
from tests.github.grants import Role
from tests.github.hub import Hub
from tests.github.shapes import shaped, webhook_example
from tests.github.world import Account, Deployment, PullRequest, Repository, now

NOTHING = "0" * 40


class Repositories:
    """Repositories, their branches and deployments."""

    def __init__(self, hub: Hub) -> None:
        self._hub, self._world = hub, hub.world
        self._seconds = itertools.count(1_800_000_000, 60)  # each commit has a minute of its own, so none is equal to another
        self.head_moved: Callable[[PullRequest, str, str], None] = lambda pull, before, by: None

    def create(self, full_name: str = "acme/shop", files: Files | None = None, *, is_private: bool = True,
               kind: str = "Organization", default_branch: str = "main") -> Repository:  # fmt: skip
        """A repository with one commit on its default branch."""
        owner, _, name = full_name.partition("/")
        made = self._new(self._world.account(owner, "User" if kind == "User" else "Organization"), name, is_private=is_private)
        made.default_branch = default_branch
        self.commit(made, f"refs/heads/{default_branch}", files or {"README.md": f"# {name}\n"}, message="base")
        made.git.git("symbolic-ref", "HEAD", f"refs/heads/{default_branch}")
        return made

    def fork(self, repository: Repository, owner: str) -> Repository:
        """A copy of the default branch in a person's account; it shares the objects."""
        made = self._new(self._world.account(owner), repository.name, is_private=repository.is_private)
        made.parent = repository
        made.git.borrow(repository.git)
        made.git.set_ref(f"refs/heads/{repository.default_branch}", self.tip(repository))
        return made

    def tip(self, repository: Repository, branch: str | None = None) -> str:
        sha = repository.git.ref(f"refs/heads/{branch or repository.default_branch}")
        assert sha, f"{repository.full_name} has no branch {branch}"
        return sha

    def commit(self, repository: Repository, ref: str, files: Files, *, parent: str | None = None, message: str = "a change",
               replace: bool = False, by: str = "dev") -> str:  # fmt: skip
        """A commit, without telling anybody."""
        parents = [parent] if parent else []
        return repository.git.commit(
            ref, files, parents=parents, message=message, replace=replace, author=by, seconds=next(self._seconds)
        )

    def branch(self, repository: Repository, name: str, *, at: str | None = None) -> str:
        """A new branch at a commit or at the tip of the default branch, without telling anybody."""
        sha = at or self.tip(repository)
        repository.git.set_ref(f"refs/heads/{name}", sha)
        return sha

    def push(self, repository: Repository, branch: str | None = None, files: Files | None = None, *, onto: str | None = None, by: str = "dev",
             message: str = "a change", tell: bool = True, replace: bool = False) -> str:  # fmt: skip
        """Commit to a branch (`onto`: over another commit, a force push) and tell it: `push`, and `synchronize` of its pull requests."""
        branch = branch or repository.default_branch
        before = repository.git.ref(f"refs/heads/{branch}")
        after = self.commit(
            repository, f"refs/heads/{branch}", files or {}, parent=onto or before, message=message, by=by, replace=replace
        )
        self.moved(repository, branch, before or NOTHING, after, by=by, tell=tell)
        return after

    def set_branch(self, repository: Repository, branch: str, sha: str, *, by: str = "dev", tell: bool = True) -> None:
        """Force a branch to a commit that exists."""
        before = repository.git.ref(f"refs/heads/{branch}") or NOTHING
        repository.git.set_ref(f"refs/heads/{branch}", sha)
        self.moved(repository, branch, before, sha, by=by, tell=tell)

    def delete_branch(self, repository: Repository, branch: str, *, by: str = "dev") -> None:
        before = self.tip(repository, branch)
        repository.git.delete_ref(f"refs/heads/{branch}")
        self._tell_push(repository, branch, before, NOTHING, by)

    def moved(self, repository: Repository, branch: str, before: str, after: str, *, by: str, tell: bool) -> None:
        """Bring the pull requests of the branch up to it, then tell."""
        heads = [p for p in self._world.pull_requests.values()
                 if p.head_repository is repository and p.head_ref == branch and p.state == "open"]  # fmt: skip
        if tell:
            self._tell_push(repository, branch, before, after, by)
        for pull in heads:
            self.head_moved(pull, after, by if tell else "")

    def rename(self, repository: Repository, name: str, *, by: str = "olivia") -> None:
        """The old address redirects."""
        before = repository.name
        self._world.former_names[repository.full_name.lower()] = repository.id
        repository.name = name
        self._tell("renamed", repository, by, changes={"repository": {"name": {"from": before}}})

    def transfer(self, repository: Repository, owner: str, *, by: str = "olivia") -> None:
        before = repository.owner
        self._world.former_names[repository.full_name.lower()] = repository.id
        repository.owner = self._world.account(owner, "Organization")
        self._tell("transferred", repository, by, changes={"owner": {"from": {"organization": self._hub.facts.account(before)}}})

    def archive(self, repository: Repository, *, by: str = "olivia", tell: bool = True) -> None:
        """Every write to it is refused from now on."""
        repository.is_archived = True
        if tell:
            self._tell("archived", repository, by)

    def unarchive(self, repository: Repository, *, by: str = "olivia") -> None:
        repository.is_archived = False
        self._tell("unarchived", repository, by)

    def publish(self, repository: Repository, *, is_private: bool = False, by: str = "olivia") -> None:
        repository.is_private = is_private
        self._tell("privatized" if is_private else "publicized", repository, by)

    def delete(self, repository: Repository, *, by: str = "olivia") -> None:
        """Gone; of pull requests that came from it, `head.repo` becomes null."""
        self._tell("deleted", repository, by)
        repository.is_deleted = True
        for pull in self._world.pull_requests.values():
            if pull.head_repository is repository and pull.is_fork:
                pull.head_repository = None

    def give(self, repository: Repository, login: str, role: Role) -> Account:
        repository.roles[login] = role
        return self._world.account(login)

    def require_check(self, repository: Repository, name: str = "gonogo", *, branch: str = "main", app_id: int | None = None,
                      by_rule: bool = True) -> None:  # fmt: skip
        """Make a check required, by a ruleset or by classic branch protection."""
        if by_rule:
            check: dict[str, Any] = {"context": name} | ({"integration_id": app_id} if app_id else {})
            rules = repository.rules.setdefault(branch, [])
            rules.append({"type": "required_status_checks", "ruleset_source_type": "Repository", "ruleset_source": repository.full_name,
                          "ruleset_id": self._world.new_id(),
                          "parameters": {"required_status_checks": [check], "strict_required_status_checks_policy": False}})  # fmt: skip
        else:
            repository.required_checks.setdefault(branch, []).append({"context": name, "app_id": app_id})

    def deploy(self, repository: Repository, *, sha: str | None = None, ref: str = "main", environment: str = "production",
               by: str = "dev", tell: bool = True) -> Deployment:  # fmt: skip
        made = Deployment(
            self._world.new_id(), repository, sha or self.tip(repository), ref, environment, self._world.account(by), now()
        )
        self._world.deployments[made.id] = made
        if tell:
            self._hub.announcer.event("deployment", "created", repository, made.creator, deployment=self._hub.facts.deployment(made),
                                      workflow=None, workflow_run=None)  # fmt: skip
        return made

    def deployment_status(self, deployment: Deployment, state: str, *, tell: bool = True) -> None:
        """`in_progress`, `success`, `failure`, `inactive` ..."""
        number = self._world.new_id()
        deployment.statuses.append((number, state, now()))
        if not tell:
            return
        repository, facts = deployment.repository, self._hub.facts
        url = f"{facts.api(repository)}/deployments/{deployment.id}"
        status = shaped(webhook_example("deployment_status", "created")["deployment_status"], {
            "id": number, "node_id": f"DES_{number}", "state": state, "environment": deployment.environment, "description": "",
            "url": f"{url}/statuses/{number}", "deployment_url": url, "creator": facts.account(deployment.creator),
            "repository_url": facts.api(repository), "created_at": now().strftime("%Y-%m-%dT%H:%M:%SZ"),
            "updated_at": now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        })  # fmt: skip
        self._hub.announcer.event("deployment_status", "created", repository, deployment.creator, deployment_status=status,
                                  deployment=facts.deployment(deployment), check_run=None, workflow=None, workflow_run=None)  # fmt: skip

    def _new(self, owner: Account, name: str, *, is_private: bool) -> Repository:
        number = self._world.new_id()
        git = BareRepository.create(self._world.folder / "git" / f"{number}.git")
        made = Repository(number, owner, name, git, now(), is_private=is_private)
        self._world.repositories[number] = made
        return made

    def _tell(self, action: str, repository: Repository, by: str, **parts: Any) -> None:
        self._hub.announcer.event("repository", action, repository, self._world.account(by), **parts)

    def _tell_push(self, repository: Repository, branch: str, before: str, after: str, by: str) -> None:
        git, web = repository.git, self._hub.facts.web(repository)
        is_new, is_gone = before == NOTHING, after == NOTHING
        is_forced = not is_new and not is_gone and git.merge_base(before, after) != before
        commits = [] if is_new or is_gone else git.commits(after=before, until=after)
        shown: list[dict[str, Any]] = [{"id": sha, "tree_id": git.tree_of(sha), "distinct": True, "message": git.message(sha), "timestamp": "2027-01-15T08:00:00Z",
                  "url": f"{web}/commit/{sha}", "author": {"name": by, "email": f"{by}@example.com", "username": by},
                  "committer": {"name": by, "email": f"{by}@example.com", "username": by}, "added": [], "removed": [], "modified": []}
                 for sha in commits[-20:]]  # fmt: skip
        self._hub.announcer.event(
            "push", None, repository, self._world.account(by), ref=f"refs/heads/{branch}", before=before, after=after, created=is_new,
            deleted=is_gone, forced=is_forced, base_ref=None, compare=f"{web}/compare/{before[:12]}...{after[:12]}", commits=shown,
            head_commit=shown[-1] if shown else None, pusher={"name": by, "email": f"{by}@example.com"},
        )  # fmt: skip
