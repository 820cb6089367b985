"""How the things of the world look in GitHub's JSON, in answers and in webhooks alike."""

from typing import Any
from urllib.parse import quote

from tests.github.bare import FileChange
from tests.github.shapes import Json, example, shaped
from tests.github.world import (
    Account,
    App,
    CheckRun,
    Comment,
    Deployment,
    Installation,
    PullRequest,
    Repository,
    World,
    stamp,
)  # fmt: skip


class Facts:
    """Writes GitHub's JSON; it knows the addresses to put in."""

    def __init__(self, world: World) -> None:
        self._world = world

    def api(self, repository: Repository) -> str:
        return f"{self._world.api_url}/repos/{repository.full_name}"

    def web(self, repository: Repository) -> str:
        return f"{self._world.web_url}/{repository.full_name}"

    def account(self, account: Account) -> Json:
        url = f"{self._world.api_url}/users/{account.login}"
        ways = ("followers", "subscriptions", "repos", "received_events")
        return {
            "login": account.login, "id": account.id, "node_id": f"U_{account.id}", "avatar_url": f"{self._world.web_url}/avatar/{account.id}",
            "gravatar_id": "", "url": url, "html_url": f"{self._world.web_url}/{account.login}", "type": account.kind, "site_admin": False,
            "organizations_url": f"{url}/orgs", "following_url": f"{url}/following{{/other_user}}", "gists_url": f"{url}/gists{{/gist_id}}",
            "starred_url": f"{url}/starred{{/owner}}{{/repo}}", "events_url": f"{url}/events{{/privacy}}",
        } | {f"{way}_url": f"{url}/{way}" for way in ways}  # fmt: skip

    def organization(self, account: Account) -> Json:
        url = f"{self._world.api_url}/orgs/{account.login}"
        return {"login": account.login, "id": account.id, "node_id": f"O_{account.id}", "url": url, "repos_url": f"{url}/repos",
                "events_url": f"{url}/events", "hooks_url": f"{url}/hooks", "issues_url": f"{url}/issues",
                "members_url": f"{url}/members{{/member}}", "public_members_url": f"{url}/public_members{{/member}}",
                "avatar_url": f"{self._world.web_url}/avatar/{account.id}", "description": ""}  # fmt: skip

    def repository(self, repository: Repository, template: Json | None = None) -> Json:
        api, web = self.api(repository), self.web(repository)
        wide = template if template is not None else example("full-repository")
        base = {
            key: value for key, value in wide.items() if key not in {"parent", "source", "template_repository", "organization"}
        }
        facts: Json = {
            "id": repository.id, "node_id": f"R_{repository.id}", "name": repository.name, "full_name": repository.full_name,
            "owner": self.account(repository.owner), "private": repository.is_private, "html_url": web, "url": api,
            "fork": repository.parent is not None, "has_discussions": False, "archived": repository.is_archived, "disabled": False,
            "visibility": "private" if repository.is_private else "public", "default_branch": repository.default_branch,
            "clone_url": f"{web}.git", "git_url": f"{web}.git", "ssh_url": f"git@github.com:{repository.full_name}.git", "svn_url": web,
        }  # fmt: skip
        if repository.owner.kind == "Organization" and template is None:
            facts["organization"] = self.account(repository.owner)
        return shaped(base, facts, api=api, web=web)

    def brief_repository(self, repository: Repository) -> Json:
        return {"id": repository.id, "node_id": f"R_{repository.id}", "name": repository.name, "full_name": repository.full_name,
                "private": repository.is_private}  # fmt: skip

    def app(self, app: App) -> Json:
        return shaped(example("integration"), {
            "id": app.id, "slug": app.slug, "client_id": app.client_id, "node_id": f"A_{app.id}", "owner": self.account(app.owner),
            "name": app.name, "html_url": f"{self._world.web_url}/apps/{app.slug}", "created_at": stamp(app.created_at),
            "updated_at": stamp(app.created_at), "events": list(app.events),
        }) | {"permissions": dict(app.permissions)}  # fmt: skip

    def installation(self, installation: Installation) -> Json:
        url = f"{self._world.api_url}/app/installations/{installation.id}"
        return shaped(example("base-installation"), {
            "id": installation.id, "account": self.account(installation.account), "access_tokens_url": f"{url}/access_tokens",
            "repositories_url": f"{self._world.api_url}/installation/repositories", "app_id": installation.app.id,
            "html_url": f"{self._world.web_url}/settings/installations/{installation.id}", "client_id": installation.app.client_id,
            "app_slug": installation.app.slug, "target_id": installation.account.id, "target_type": installation.account.kind,
            "events": list(installation.app.events), "repository_selection": installation.selection,
            "created_at": stamp(installation.created_at), "updated_at": stamp(installation.created_at),
            "suspended_at": stamp(installation.suspended_at), "single_file_name": None, "has_multiple_single_files": False,
            "single_file_paths": [], "suspended_by": self.account(installation.account) if installation.suspended_at else None,
        }) | {"permissions": dict(installation.permissions)}  # fmt: skip

    def pull_request(self, pull: PullRequest, *, head_sha: str | None = None, is_whole: bool = True) -> Json:
        """`head_sha`: the head that is shown, when an older one is. `is_whole` False: the shorter form of lists."""
        repository = pull.repository
        api, web = self.api(repository), self.web(repository)
        shown = head_sha or pull.head_sha
        facts: Json = {
            "url": f"{api}/pulls/{pull.number}", "id": pull.id, "node_id": f"PR_{pull.id}", "html_url": f"{web}/pull/{pull.number}",
            "diff_url": f"{web}/pull/{pull.number}.diff", "patch_url": f"{web}/pull/{pull.number}.patch",
            "issue_url": f"{api}/issues/{pull.number}", "commits_url": f"{api}/pulls/{pull.number}/commits",
            "comments_url": f"{api}/issues/{pull.number}/comments", "statuses_url": f"{api}/statuses/{shown}",
            "review_comments_url": f"{api}/pulls/{pull.number}/comments", "number": pull.number, "state": pull.state,
            "locked": pull.is_locked, "active_lock_reason": "resolved" if pull.is_locked else None, "title": pull.title,
            "user": self.account(pull.author), "body": pull.body or None, "labels": [self.label(repository, name) for name in pull.labels],
            "milestone": None, "assignee": None, "assignees": [], "requested_reviewers": [], "requested_teams": [], "auto_merge": None,
            "created_at": stamp(pull.created_at), "updated_at": stamp(pull.created_at), "closed_at": stamp(pull.closed_at),
            "merged_at": stamp(pull.merged_at), "merge_commit_sha": pull.merge_commit_sha, "draft": pull.is_draft,
            "author_association": "CONTRIBUTOR",
        }  # fmt: skip
        template = {
            k: v
            for k, v in example("pull-request" if is_whole else "pull-request-simple-items").items()
            if k not in {"head", "base"}
        }
        whole = shaped(template, facts, api=api, web=web)
        whole["head"] = self._side(pull.head_ref, shown, pull.head_owner, pull.head_repository)
        whole["base"] = self._side(pull.base_ref, pull.base_sha, repository.owner, repository)
        if is_whole:
            whole |= self._counted(pull, shown)
        return whole

    def pull_of_check(self, pull: PullRequest) -> Json:
        """The short form inside check runs and suites."""

        def side(ref: str, sha: str, repository: Repository) -> Json:
            return {"ref": ref, "sha": sha, "repo": {"id": repository.id, "url": self.api(repository), "name": repository.name}}

        return {"url": f"{self.api(pull.repository)}/pulls/{pull.number}", "id": pull.id, "number": pull.number,
                "head": side(pull.head_ref, pull.head_sha, pull.repository),
                "base": side(pull.base_ref, pull.base_sha, pull.repository)}  # fmt: skip

    def check_run(self, run: CheckRun) -> Json:
        api = self.api(run.repository)
        facts: Json = {
            "id": run.id, "node_id": f"CR_{run.id}", "head_sha": run.head_sha, "external_id": run.external_id, "name": run.name,
            "url": f"{api}/check-runs/{run.id}", "html_url": f"{self.web(run.repository)}/runs/{run.id}", "details_url": run.details_url,
            "status": run.status, "conclusion": run.conclusion, "started_at": stamp(run.started_at),
            "completed_at": stamp(run.completed_at), "check_suite": {"id": self.suite_id(run.app, run.head_sha)},
            "output": {"title": run.output.get("title"), "summary": run.output.get("summary"), "text": run.output.get("text"),
                       "annotations_count": len(run.annotations), "annotations_url": f"{api}/check-runs/{run.id}/annotations"},
            "pull_requests": [self.pull_of_check(p) for p in self.pulls_of_head(run.repository, run.head_sha)],
        }  # fmt: skip
        return shaped(example("check-run"), facts, api=api, web=self.web(run.repository)) | {"app": self.app(run.app)}

    def suite_id(self, app: App, head_sha: str) -> int:
        """One suite an app and a head."""
        return 6_000_000_000 + (app.id * 31 + int(head_sha[:8], 16)) % 1_000_000_000

    def pulls_of_head(self, repository: Repository, head_sha: str) -> list[PullRequest]:
        """Open ones, without those of forks: the Checks API does not see them."""
        return [p for p in self._world.pulls(repository) if p.state == "open" and p.head_sha == head_sha and not p.is_fork]

    def comment(self, comment: Comment) -> Json:
        api, web = self.api(comment.repository), self.web(comment.repository)
        counted = {name: sum(content == name for _, _, content in comment.reactions)
                   for name in ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")}  # fmt: skip
        return shaped(example("issue-comment"), {
            "id": comment.id, "node_id": f"IC_{comment.id}", "url": f"{api}/issues/comments/{comment.id}", "body": comment.body,
            "html_url": f"{web}/pull/{comment.number}#issuecomment-{comment.id}", "issue_url": f"{api}/issues/{comment.number}",
            "user": self.account(comment.author), "created_at": stamp(comment.created_at), "updated_at": stamp(comment.updated_at),
            "author_association": self._association(comment), "performed_via_github_app": self.app(comment.app) if comment.app else None,
            "reactions": {"url": f"{api}/issues/comments/{comment.id}/reactions", "total_count": len(comment.reactions), **counted},
        })  # fmt: skip

    def file(self, change: FileChange, pull: PullRequest | None, repository: Repository, head_sha: str) -> Json:
        web, place = self.web(repository), quote(change.path)
        whole: Json = {
            "sha": change.blob, "filename": change.path, "status": change.status, "additions": change.additions,
            "deletions": change.deletions, "changes": change.additions + change.deletions,
            "blob_url": f"{web}/blob/{head_sha}/{place}", "raw_url": f"{web}/raw/{head_sha}/{place}",
            "contents_url": f"{self.api(repository)}/contents/{place}?ref={head_sha}",
        }  # fmt: skip
        if change.old_path:
            whole["previous_filename"] = change.old_path
        omitted = pull is not None and change.path in pull.patches_omitted
        if (
            change.patch is not None
            and not omitted
            and change.additions + change.deletions <= 20_000
            and len(change.patch) <= 500_000
        ):
            whole["patch"] = change.patch
        return whole

    def commit(self, repository: Repository, sha: str) -> Json:
        api, web, git = self.api(repository), self.web(repository), repository.git
        tree, parents = git.tree_of(sha), git.parents(sha)
        template = {k: v for k, v in example("commit").items() if k not in {"files", "stats"}}
        return shaped(template, {
            "url": f"{api}/commits/{sha}", "sha": sha, "html_url": f"{web}/commit/{sha}", "commit": {"message": git.message(sha),
            "tree": {"sha": tree, "url": f"{api}/git/trees/{tree}"}, "url": f"{api}/git/commits/{sha}"},
            "parents": [{"sha": p, "url": f"{api}/commits/{p}", "html_url": f"{web}/commit/{p}"} for p in parents],
        }, api=api, web=web)  # fmt: skip

    def deployment(self, deployment: Deployment) -> Json:
        api = self.api(deployment.repository)
        return shaped(example("deployment-items"), {
            "url": f"{api}/deployments/{deployment.id}", "id": deployment.id, "node_id": f"DE_{deployment.id}", "sha": deployment.sha,
            "ref": deployment.ref, "payload": {}, "environment": deployment.environment, "original_environment": deployment.environment,
            "creator": self.account(deployment.creator), "created_at": stamp(deployment.created_at), "description": None,
            "updated_at": stamp(deployment.created_at), "statuses_url": f"{api}/deployments/{deployment.id}/statuses",
            "repository_url": api, "production_environment": deployment.environment == "production",
        })  # fmt: skip

    def _association(self, comment: Comment) -> str:
        role = comment.repository.role(comment.author.login)
        return "OWNER" if comment.author is comment.repository.owner else "NONE" if role in {"none", "read"} else "COLLABORATOR"

    def label(self, repository: Repository, name: str) -> Json:
        return {"id": 6_000_000 + len(name), "node_id": f"LA_{name}", "url": f"{self.api(repository)}/labels/{name}", "name": name,
                "description": None, "color": "ededed", "default": False, "archived_at": None, "archived_by": None}  # fmt: skip

    def _side(self, ref: str, sha: str, owner: Account, repository: Repository | None) -> Json:
        return {"label": f"{owner.login}:{ref}", "ref": ref, "sha": sha, "user": self.account(owner),
                "repo": self.repository(repository, example("full-repository")) if repository else None}  # fmt: skip

    def _counted(self, pull: PullRequest, shown: str) -> Json:
        git = pull.repository.git
        base = git.merge_base(pull.base_sha, shown) or pull.base_sha
        changes = git.changes(base, shown)
        merged = pull.merged_at is not None
        return {
            "merged": merged, "mergeable": None if merged else True, "rebaseable": None if merged else True,
            "mergeable_state": "unknown" if merged else "draft" if pull.is_draft else "clean", "merged_by": self._maybe(pull.merged_by),
            "comments": sum(c.number == pull.number and c.repository is pull.repository for c in self._world.comments.values()),
            "review_comments": 0, "maintainer_can_modify": False, "commits": len(git.commits(after=base, until=shown)),
            "additions": sum(c.additions for c in changes), "deletions": sum(c.deletions for c in changes), "changed_files": len(changes),
        }  # fmt: skip

    def _maybe(self, account: Account | None) -> Any:
        return self.account(account) if account else None
