"""Check runs and commit statuses, with GitHub's rules: who may write them, and what a run may hold."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response

from tests.github.acts_checks import Conversations
from tests.github.asked import Ask, Asked, invalid
from tests.github.authority import Refusal
from tests.github.routes_pulls import resolved
from tests.github.world import App, CheckRun, now

router = APIRouter()

READ, WRITE = ("checks", "read"), ("checks", "write")
BY_GITHUB_ONLY = {"waiting", "requested", "pending"}
MOST_BYTES = 64 * 1024


@router.get("/repos/{owner}/{name}/commits/{ref:path}/check-runs")
async def list_runs(ask: Ask, owner: str, name: str, ref: str) -> Response:
    repository = ask.repository(owner, name, READ)
    sha, query = resolved(ask, repository, ref), ask.query
    found = [r for r in reversed(ask.world.check_runs.values()) if r.repository is repository and r.head_sha == sha]
    if "check_name" in query:
        found = [r for r in found if r.name == query["check_name"]]
    if "app_id" in query:
        found = [r for r in found if r.app.id == int(query["app_id"])]
    if "status" in query:
        found = [r for r in found if r.status == query["status"]]
    if query.get("filter", "latest") == "latest":
        newest: dict[tuple[int, str], CheckRun] = {}
        for run in found:
            newest.setdefault((run.app.id, run.name), run)
        found = list(newest.values())
    shown, headers = ask.page(found)
    return JSONResponse({"total_count": len(found), "check_runs": [ask.facts.check_run(r) for r in shown]}, headers=headers)


@router.post("/repos/{owner}/{name}/check-runs")
async def create_run(ask: Ask, owner: str, name: str) -> Response:
    repository = ask.repository(owner, name, WRITE)
    app = _writer(ask)
    sha = ask.json["head_sha"]
    if repository.git.kind(sha) != "commit":
        raise Refusal(422, f"No commit found for SHA: {sha}")
    run = CheckRun(
        ask.world.new_id(), repository, app, ask.json["name"], sha, now(), details_url=f"{ask.facts.web(repository)}/runs"
    )
    _write(ask, run)
    ask.world.check_runs[run.id] = run
    _tell(ask, run, "created")
    if run.status == "completed":
        _tell(ask, run, "completed")
    return JSONResponse(ask.facts.check_run(run), 201)


@router.get("/repos/{owner}/{name}/check-runs/{number}")
async def get_run(ask: Ask, owner: str, name: str, number: int) -> Any:
    return ask.facts.check_run(_run(ask, owner, name, number, READ))


@router.patch("/repos/{owner}/{name}/check-runs/{number}")
async def update_run(ask: Ask, owner: str, name: str, number: int) -> Any:
    run, app = _run(ask, owner, name, number, WRITE), _writer(ask)
    if run.app is not app:
        raise Refusal(403, f"Invalid app_id `{app.id}` - check run can only be modified by the GitHub App that created it.")
    before = run.status
    _write(ask, run)
    if run.status == "completed" and before != "completed":
        _tell(ask, run, "completed")
    return ask.facts.check_run(run)


@router.get("/repos/{owner}/{name}/check-runs/{number}/annotations")
async def list_annotations(ask: Ask, owner: str, name: str, number: int) -> Response:
    run = _run(ask, owner, name, number, READ)
    blank = {"start_column": None, "end_column": None, "title": None, "raw_details": None}
    link = f"{ask.facts.web(run.repository)}/blob/{run.head_sha}"
    return ask.listed([blank | a | {"blob_href": f"{link}/{a['path']}"} for a in run.annotations])


@router.post("/repos/{owner}/{name}/statuses/{sha}")
async def create_status(ask: Ask, owner: str, name: str, sha: str) -> Response:
    repository = ask.repository(owner, name, ("statuses", "write"))
    if repository.git.kind(sha) != "commit":
        raise Refusal(422, f"No commit found for SHA: {sha}")
    made = {"id": ask.world.new_id(), "sha": sha, "repository": repository.full_name, "context": "default", **ask.json}
    ask.world.statuses.append(made)
    return JSONResponse(made, 201)


def _run(ask: Asked, owner: str, name: str, number: int, grant: tuple[str, str]) -> CheckRun:
    repository = ask.repository(owner, name, grant)
    found = ask.world.check_runs.get(number)
    if found is None or found.repository is not repository:
        raise Refusal(404, "Not Found")
    return found


def _writer(ask: Asked) -> App:
    app = ask.acting_app()
    if app is None:
        raise Refusal(403, "You must authenticate via a GitHub App.")
    return app


def _write(ask: Asked, run: CheckRun) -> None:
    """Lay the body over the run; annotations are appended, and a conclusion completes it."""
    given = ask.json
    status, conclusion = given.get("status"), given.get("conclusion")
    if status in BY_GITHUB_ONLY or conclusion == "stale":
        raise invalid("CheckRun", "status" if status in BY_GITHUB_ONLY else "conclusion", "invalid", "only GitHub may set this")
    if (status == "completed" or "completed_at" in given) and conclusion is None:
        raise invalid("CheckRun", "conclusion", "missing_field")
    _check_output(given.get("output") or {})
    for action in given.get("actions") or ():
        if not action["label"] or not action["identifier"]:
            raise invalid("CheckRun", "actions", "invalid")
    run.name = given.get("name", run.name)
    run.external_id, run.details_url = given.get("external_id", run.external_id), given.get("details_url", run.details_url)
    run.status = "completed" if conclusion else status or run.status
    if conclusion:
        run.conclusion = conclusion
        run.completed_at = _instant(given.get("completed_at"))
    elif status:  # opened again
        run.conclusion = run.completed_at = None
    if "started_at" in given:
        run.started_at = _instant(given["started_at"])
    output = dict(given.get("output") or {})
    run.annotations += output.pop("annotations", [])
    run.output |= output
    run.actions = given.get("actions", run.actions)
    state = f"{run.status} {run.conclusion}" if run.conclusion else run.status
    run.moments.append(ask.world.moment(state, run.output.get("title") or ""))


def _check_output(output: dict[str, Any]) -> None:
    for key in ("summary", "text"):
        if len(str(output.get(key, "")).encode()) > 65_535:
            raise invalid("CheckRun", key, "invalid", "exceeds a maximum bytesize of 65535")
    for note in output.get("annotations") or ():
        if note["start_line"] < 1 or note["end_line"] < note["start_line"]:
            raise invalid("CheckRun", "annotations", "invalid", "end_line is before start_line")
        if note["start_line"] != note["end_line"] and ("start_column" in note or "end_column" in note):
            raise invalid("CheckRun", "annotations", "invalid", "columns need start_line and end_line to be equal")
        too_long = len(note.get("title") or "") > 255 or any(
            len((note.get(k) or "").encode()) > MOST_BYTES for k in ("message", "raw_details")
        )
        if too_long or not note["path"] or note["path"].startswith("/"):
            raise invalid("CheckRun", "annotations", "invalid")


def _instant(text: str | None) -> datetime:
    return datetime.fromisoformat(text) if text else now()


def _tell(ask: Asked, run: CheckRun, action: str) -> None:
    conversations = Conversations(ask.hub)
    conversations.tell_run(run, action, run.app.bot, wait=False)
    if action == "completed":
        conversations.tell_suite_completed(run)
