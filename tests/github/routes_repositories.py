"""Repositories: what they hold, their branches and rules, who may do what, where they are deployed."""

import base64
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from tests.github.asked import Ask, Asked
from tests.github.authority import Refusal
from tests.github.bare import Entry
from tests.github.shapes import Json, example, shaped
from tests.github.world import Repository, stamp

router = APIRouter()

CONTENTS = ("contents", "read")
MOST_ENTRIES = 100_000


@router.get("/repos/{owner}/{name}")
async def get_repository(ask: Ask, owner: str, name: str) -> Any:
    return ask.facts.repository(ask.repository(owner, name))


@router.get("/repos/{owner}/{name}/contents/{path:path}")
async def get_contents(ask: Ask, owner: str, name: str, path: str) -> Any:
    """A file up to 1 MB with its content, a folder as a list of at most 1,000; larger files only raw."""
    repository = ask.repository(owner, name, CONTENTS)
    commit = _commit(repository, ask.query.get("ref") or repository.default_branch)
    path = path.strip("/")
    folder = repository.git.entries(f"{commit}:{path}" if path else commit) if _kind(repository, commit, path) == "tree" else None
    if folder is not None:
        prefix = f"{path}/" if path else ""
        return [_entry(ask, repository, commit, e, f"{prefix}{e.path}", in_list=True) for e in folder[:1000]]
    found = next((e for e in repository.git.entries(commit, recursive=True) if e.path == path), None)
    if found is None:
        raise Refusal(404, "Not Found")
    whole = _entry(ask, repository, commit, found, path, in_list=False)
    if found.kind != "blob":
        return whole
    data = repository.git.blob(found.sha)
    if "raw" in ask.request.headers.get("accept", ""):
        return Response(data, media_type="application/vnd.github.raw+json; charset=utf-8")
    if whole["type"] == "symlink":
        return whole | {"target": data.decode()}
    is_small = len(data) <= 1_000_000
    return whole | {
        "encoding": "base64" if is_small else "none",
        "content": base64.encodebytes(data).decode() if is_small else "",
    }


@router.get("/repos/{owner}/{name}/git/trees/{sha:path}")
async def get_tree(ask: Ask, owner: str, name: str, sha: str) -> Any:
    repository = ask.repository(owner, name, CONTENTS)
    git = repository.git
    treeish = sha if git.kind(sha) in {"tree", "commit"} else _commit(repository, sha)
    entries = git.entries(treeish, recursive="recursive" in ask.query)
    api = ask.facts.api(repository)
    kinds = {"commit": None, "blob": "blobs", "tree": "trees"}
    listed: list[Json] = []
    for entry in entries[:MOST_ENTRIES]:
        one: Json = {"path": entry.path, "mode": entry.mode, "type": entry.kind, "sha": entry.sha}
        one |= {} if entry.size is None else {"size": entry.size}
        one |= {"url": f"{api}/git/{kinds[entry.kind]}/{entry.sha}"} if kinds[entry.kind] else {}
        listed.append(one)
    tree = git.line("rev-parse", f"{treeish}^{{tree}}")
    return {"sha": tree, "url": f"{api}/git/trees/{tree}", "tree": listed, "truncated": len(entries) > MOST_ENTRIES}


@router.get("/repos/{owner}/{name}/git/blobs/{sha}")
async def get_blob(ask: Ask, owner: str, name: str, sha: str) -> Any:
    repository = ask.repository(owner, name, CONTENTS)
    if repository.git.kind(sha) != "blob":
        raise Refusal(404, "Not Found")
    data = repository.git.blob(sha)
    if "raw" in ask.request.headers.get("accept", ""):
        return Response(data, media_type="application/vnd.github.raw+json; charset=utf-8")
    return {"sha": sha, "node_id": f"B_{sha[:10]}", "size": len(data), "url": f"{ask.facts.api(repository)}/git/blobs/{sha}",
            "content": base64.encodebytes(data).decode(), "encoding": "base64"}  # fmt: skip


@router.get("/repos/{owner}/{name}/git/commits/{sha}")
async def get_git_commit(ask: Ask, owner: str, name: str, sha: str) -> Any:
    repository = ask.repository(owner, name, CONTENTS)
    if repository.git.kind(sha) != "commit":
        raise Refusal(404, "Not Found")
    whole = ask.facts.commit(repository, sha)
    return example("git-commit-2") | {"sha": sha, "tree": whole["commit"]["tree"], "message": whole["commit"]["message"],
                                      "parents": whole["parents"], "url": whole["commit"]["url"], "html_url": whole["html_url"]}  # fmt: skip


@router.get("/repos/{owner}/{name}/tarball/{ref:path}")
async def tarball(ask: Ask, owner: str, name: str, ref: str) -> Response:
    repository = ask.repository(owner, name, CONTENTS)
    data = repository.git.git("archive", "--format=tar.gz", f"--prefix={owner}-{name}/", _commit(repository, ref))
    return Response(data, media_type="application/x-gzip")


@router.get("/repos/{owner}/{name}/rules/branches/{branch:path}")
async def branch_rules(ask: Ask, owner: str, name: str, branch: str) -> Response:
    return ask.listed(ask.repository(owner, name).rules.get(branch, []))


@router.get("/repos/{owner}/{name}/branches/{branch:path}/protection/required_status_checks")
async def required_status_checks(ask: Ask, owner: str, name: str, branch: str) -> Any:
    repository = ask.repository(owner, name, ("administration", "read"))
    checks = repository.required_checks.get(branch)
    if checks is None:
        raise Refusal(404, "Branch not protected")
    url = f"{ask.facts.api(repository)}/branches/{branch}/protection/required_status_checks"
    return {
        "url": url,
        "strict": False,
        "contexts": [c["context"] for c in checks],
        "contexts_url": f"{url}/contexts",
        "checks": checks,
    }


@router.get("/repos/{owner}/{name}/branches/{branch:path}")
async def get_branch(ask: Ask, owner: str, name: str, branch: str) -> Any:
    repository = ask.repository(owner, name, CONTENTS)
    sha = repository.git.ref(f"refs/heads/{branch}")
    if sha is None:
        raise Refusal(404, "Branch not found")
    checks = repository.required_checks.get(branch, [])
    level = "non_admins" if checks else "off"
    api, web = ask.facts.api(repository), ask.facts.web(repository)
    return {
        "name": branch, "commit": ask.facts.commit(repository, sha), "protected": bool(checks or repository.rules.get(branch)),
        "_links": {"self": f"{api}/branches/{branch}", "html": f"{web}/tree/{branch}"},
        "protection": {"enabled": bool(checks), "required_status_checks": {
            "enforcement_level": level, "contexts": [c["context"] for c in checks], "checks": checks}},
        "protection_url": f"{api}/branches/{branch}/protection",
    }  # fmt: skip


@router.get("/repos/{owner}/{name}/commits/{ref:path}")
async def get_commit(ask: Ask, owner: str, name: str, ref: str) -> Any:
    repository = ask.repository(owner, name, CONTENTS)
    sha = repository.git.resolve(ref)
    if sha is None:
        raise Refusal(422, f"No commit found for SHA: {ref}")
    parents = repository.git.parents(sha)
    changes = repository.git.changes(parents[0], sha) if parents else ()
    added, deleted = sum(c.additions for c in changes), sum(c.deletions for c in changes)
    return ask.facts.commit(repository, sha) | {"files": [ask.facts.file(c, None, repository, sha) for c in changes[:300]],
                                                "stats": {"additions": added, "deletions": deleted, "total": added + deleted}}  # fmt: skip


@router.get("/repos/{owner}/{name}/collaborators/{login}/permission")
async def permission(ask: Ask, owner: str, name: str, login: str) -> Any:
    """`permission` knows four words: maintain is said to be write, triage read; `role_name` is exact."""
    repository = ask.repository(owner, name)
    if login not in ask.world.accounts:
        raise Refusal(404, "Not Found")
    role = repository.role(login)
    plain = {"maintain": "write", "triage": "read"}.get(role, role)
    template = example("repository-collaborator-permission-response-if-user-has-admin-permissions")
    user = ask.facts.account(ask.world.accounts[login]) | {"role_name": role}
    return shaped(template, {"permission": plain, "role_name": role, "user": user})


@router.get("/repos/{owner}/{name}/environments")
async def environments(ask: Ask, owner: str, name: str) -> Any:
    repository = ask.repository(owner, name, ("actions", "read"))
    one = example("environments")["environments"][0]
    listed = [one | {"id": n, "name": name} for n, name in enumerate(repository.environments, 1)]
    return {"total_count": len(listed), "environments": listed}


@router.get("/repos/{owner}/{name}/actions/secrets")
async def secrets(ask: Ask, owner: str, name: str) -> Any:
    """Names, never values."""
    repository = ask.repository(owner, name, ("secrets", "read"))
    listed = [{"name": name, "created_at": stamp(repository.created_at), "updated_at": stamp(repository.created_at)}
              for name in repository.secret_names]  # fmt: skip
    return {"total_count": len(listed), "secrets": listed}


@router.get("/repos/{owner}/{name}/deployments")
async def deployments(ask: Ask, owner: str, name: str) -> Response:
    repository = ask.repository(owner, name, ("deployments", "read"))
    found = [d for d in reversed(ask.world.deployments.values()) if d.repository is repository]
    for key in ("sha", "ref", "environment"):
        if value := ask.query.get(key):
            found = [d for d in found if getattr(d, key) == value]
    return ask.listed([ask.facts.deployment(d) for d in found])


@router.get("/repos/{owner}/{name}/deployments/{number}/statuses")
async def deployment_statuses(ask: Ask, owner: str, name: str, number: int) -> Response:
    repository = ask.repository(owner, name, ("deployments", "read"))
    found = ask.world.deployments.get(number)
    if found is None or found.repository is not repository:
        raise Refusal(404, "Not Found")
    return JSONResponse([{"id": n, "state": state, "environment": found.environment, "created_at": stamp(at)}
                         for n, state, at in reversed(found.statuses)])  # fmt: skip


def _commit(repository: Repository, name: str) -> str:
    sha = repository.git.resolve(name)
    if sha is None:
        raise Refusal(404, f"No commit found for the ref {name}")
    return sha


def _kind(repository: Repository, commit: str, path: str) -> str | None:
    return repository.git.kind(f"{commit}:{path}") if path else "tree"


def _entry(ask: Asked, repository: Repository, commit: str, entry: Entry, path: str, *, in_list: bool) -> Json:
    """A submodule calls itself a file in a listing, as GitHub's own description says."""
    kind = {"tree": "dir", "commit": "file" if in_list else "submodule"}.get(
        entry.kind, "symlink" if entry.mode == "120000" else "file"
    )
    api, web, place = ask.facts.api(repository), ask.facts.web(repository), quote(path)
    return {
        "type": kind, "name": path.rsplit("/", 1)[-1], "path": path, "sha": entry.sha, "size": entry.size or 0,
        "url": f"{api}/contents/{place}?ref={commit}", "html_url": f"{web}/blob/{commit}/{place}",
        "git_url": f"{api}/git/blobs/{entry.sha}", "download_url": None if kind in {"dir", "submodule"} else f"{web}/raw/{commit}/{place}",
        "_links": {"self": f"{api}/contents/{place}", "git": f"{api}/git/blobs/{entry.sha}", "html": f"{web}/blob/{commit}/{place}"},
    }  # fmt: skip
