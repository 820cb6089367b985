"""Pull requests: lists, one, its files and commits; and the comparison of two commits."""

from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from tests.github.asked import Ask, Asked
from tests.github.authority import Refusal
from tests.github.bare import FileChange
from tests.github.world import PullRequest, Repository

router = APIRouter()

MOST_FILES = 3_000
MOST_COMPARED = 300
READ = ("pull_requests", "read")


@router.get("/repos/{owner}/{name}/pulls")
async def list_pulls(ask: Ask, owner: str, name: str) -> Response:
    repository = ask.repository(owner, name, READ)
    state = ask.query.get("state", "open")
    found = [p for p in ask.world.pulls(repository) if state in {"all", p.state}]
    if base := ask.query.get("base"):
        found = [p for p in found if p.base_ref == base]
    if head := ask.query.get("head"):
        found = [p for p in found if f"{p.head_owner.login}:{p.head_ref}" == head]
    if ask.query.get("direction") == "asc":
        found.reverse()
    shown, headers = ask.page(found)
    return JSONResponse([ask.facts.pull_request(p, head_sha=_shown_head(p), is_whole=False) for p in shown], headers=headers)


@router.get("/repos/{owner}/{name}/pulls/{number}")
async def get_pull(ask: Ask, owner: str, name: str, number: int) -> Any:
    pull = ask.pull(ask.repository(owner, name, READ), number)
    if "diff" in ask.request.headers.get("accept", ""):
        return _diff(pull)
    return ask.facts.pull_request(pull, head_sha=_shown_head(pull))


@router.get("/repos/{owner}/{name}/pulls/{number}/files")
async def list_files(ask: Ask, owner: str, name: str, number: int) -> Response:
    """At most 3,000 files, whatever there is; the rest is silently missing."""
    repository = ask.repository(owner, name, READ)
    pull = ask.pull(repository, number)
    shown, headers = ask.page(_changes(pull)[:MOST_FILES])
    return JSONResponse([ask.facts.file(c, pull, repository, pull.head_sha) for c in shown], headers=headers)


@router.get("/repos/{owner}/{name}/pulls/{number}/commits")
async def list_commits(ask: Ask, owner: str, name: str, number: int) -> Response:
    repository = ask.repository(owner, name, READ)
    pull = ask.pull(repository, number)
    shas = repository.git.commits(after=pull.base_sha, until=pull.head_sha)[:250]
    shown, headers = ask.page(shas)
    return JSONResponse([ask.facts.commit(repository, sha) for sha in shown], headers=headers)


@router.get("/repos/{owner}/{name}/commits/{sha}/pulls")
async def pulls_of_commit(ask: Ask, owner: str, name: str, sha: str) -> Response:
    repository = ask.repository(owner, name, READ)
    if repository.git.kind(sha) != "commit":
        raise Refusal(422, f"No commit found for SHA: {sha}")
    found = [p for p in ask.world.pulls(repository) if p.merge_commit_sha == sha or sha in _own_commits(p)]
    return ask.listed([ask.facts.pull_request(p, is_whole=False) for p in found])


@router.get("/repos/{owner}/{name}/compare/{basehead:path}")
async def compare(ask: Ask, owner: str, name: str, basehead: str) -> Response:
    """Three dots: from the merge base. Files only on the first page, at most 300; commits are paged, 250 without asking."""
    repository = ask.repository(owner, name, ("contents", "read"))
    git, facts = repository.git, ask.facts
    base, head = (_resolved(repository, part) for part in basehead.split("..."))
    middle = git.merge_base(base, head)
    if middle is None:
        raise Refusal(404, f"No common ancestor between {base} and {head}.")
    ahead, behind = git.commits(after=base, until=head), git.commits(after=head, until=base)
    status = {(False, False): "identical", (True, False): "ahead", (False, True): "behind", (True, True): "diverged"}[
        bool(ahead), bool(behind)
    ]
    shown, headers = ask.page(ahead, usual=250)
    is_first = int(ask.query.get("page", 1)) == 1
    web, api = facts.web(repository), facts.api(repository)
    return JSONResponse({
        "url": f"{api}/compare/{basehead}", "html_url": f"{web}/compare/{basehead}", "permalink_url": f"{web}/compare/{basehead}",
        "diff_url": f"{web}/compare/{basehead}.diff", "patch_url": f"{web}/compare/{basehead}.patch",
        "base_commit": facts.commit(repository, base), "merge_base_commit": facts.commit(repository, middle), "status": status,
        "ahead_by": len(ahead), "behind_by": len(behind), "total_commits": len(ahead),
        "commits": [facts.commit(repository, sha) for sha in shown],
        "files": [facts.file(c, None, repository, head) for c in git.changes(middle, head)[:MOST_COMPARED]] if is_first else [],
    }, headers=headers)  # fmt: skip


def _shown_head(pull: PullRequest) -> str:
    """The head that this read sees: an older one while GitHub lags."""
    return pull.stale_heads.pop(0) if pull.stale_heads else pull.head_sha


def _changes(pull: PullRequest) -> tuple[FileChange, ...]:
    git = pull.repository.git
    return git.changes(git.merge_base(pull.base_sha, pull.head_sha) or pull.base_sha, pull.head_sha)


def _own_commits(pull: PullRequest) -> list[str]:
    return pull.repository.git.commits(after=pull.base_sha, until=pull.head_sha)


def _diff(pull: PullRequest) -> Response:
    if len(_changes(pull)) > MOST_COMPARED:
        raise Refusal(406, "Sorry, the diff exceeded the maximum number of files (300). Consider using 'List pull requests files' API "
                           "or locally cloning the repository instead.", errors=[{"resource": "PullRequest", "field": "diff", "code": "too_large"}])  # fmt: skip
    text = pull.repository.git.git("diff", f"{pull.base_sha}...{pull.head_sha}").decode(errors="replace")
    return PlainTextResponse(text, media_type="application/vnd.github.v3.diff; charset=utf-8")


def _resolved(repository: Repository, name: str) -> str:
    sha = repository.git.resolve(name)
    if sha is None:
        raise Refusal(404, "Not Found")
    return sha


def resolved(ask: Asked, repository: Repository, name: str) -> str:
    """A commit by branch, tag or id; 422 as the checks API says it."""
    sha = repository.git.resolve(name)
    if sha is None:
        raise Refusal(422, f"No commit found for SHA: {name}")
    return sha
