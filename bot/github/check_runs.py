"""The one check run of a name on a commit: changed in place, found again, never made twice; annotations in portions of 50.

https://docs.github.com/en/rest/checks/runs
"""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from bot.github.answers import AnnotationAnswer, CheckRunAnswer, read_as, read_item
from bot.github.calls import Calls
from gonogo.errors import ForgeUnavailable, Gone
from gonogo.forge import Annotation, CheckOutput, CheckRun, CheckStatus, Conclusion
from gonogo.record import Record

ANNOTATIONS_PER_CALL = 50
_LOOKS_S = (1.0, 3.0)
_MAX_TITLE, _MAX_TEXT, _MAX_MESSAGE = 255, 65_535, 64 * 1024
"""Bytes."""


class WantedCheck(Record):
    """What the check run shall say."""

    name: str
    head_sha: str
    external_id: str
    status: CheckStatus
    conclusion: Conclusion | None
    output: CheckOutput | None
    details_url: str | None


async def publish(calls: Calls, at: str, wanted: WantedCheck, *, app_id: int, check_run_id: int | None) -> int:
    """Change the check run of that id, else ours of that name on that commit, else make it; its id."""
    body = _body(wanted, now=calls.now.strftime("%Y-%m-%dT%H:%M:%SZ"))
    run = await _changed(calls, at, check_run_id, body) if check_run_id is not None else None
    if run is None:
        found = await ours(calls, at, head_sha=wanted.head_sha, name=wanted.name, app_id=app_id)
        run = await _changed(calls, at, found[0].id, body) if found else await _made(calls, at, wanted, body, app_id=app_id)
    if run is None:
        raise ForgeUnavailable(f"the check run of {wanted.head_sha[:12]} is listed and cannot be changed")
    if wanted.output is not None and wanted.output.annotations:
        await _annotate(calls, at, run, wanted.output)
    return run.id


async def ours(calls: Calls, at: str, *, head_sha: str, name: str, app_id: int) -> Sequence[CheckRun]:
    """Check runs of our App with that name on a commit, newest first."""
    asked = {"check_name": name, "filter": "latest", "app_id": app_id}
    path = f"{at}/commits/{quote(head_sha)}/check-runs"
    runs = [read_item(CheckRunAnswer, r).facts() async for r in calls.pages(path, asked, of="check_runs")]
    return sorted((r for r in runs if r.app_id == app_id and r.name == name), key=lambda r: -r.id)


async def _made(calls: Calls, at: str, wanted: WantedCheck, body: dict[str, Any], *, app_id: int) -> CheckRun:
    try:
        answer = await calls.create(f"{at}/check-runs", {**body, "name": wanted.name, "head_sha": wanted.head_sha})
        return read_as(CheckRunAnswer, answer, is_written=True).facts()
    except ForgeUnavailable as error:
        if not error.may_be_done:
            raise
        for wait in _LOOKS_S:
            await calls.wait(wait)
            found = await ours(calls, at, head_sha=wanted.head_sha, name=wanted.name, app_id=app_id)
            if found:
                return found[0]
        raise


async def _changed(calls: Calls, at: str, check_run_id: int, body: dict[str, Any]) -> CheckRun | None:
    """The check run after the change; None when it is gone."""
    try:
        return read_as(CheckRunAnswer, await calls.change("PATCH", f"{at}/check-runs/{check_run_id}", body)).facts()
    except Gone:
        return None


async def _annotate(calls: Calls, at: str, run: CheckRun, output: CheckOutput) -> None:
    """Append what is not there yet. Appending twice would show twice, so after a failure it is looked again."""
    count = run.annotations_count
    for wait in (*_LOOKS_S, None):
        there = await _annotated(calls, at, run.id) if count else set[tuple[str, int, str]]()
        missing = [a for a in dict.fromkeys(output.annotations) if _key(a) not in there]
        try:
            for start in range(0, len(missing), ANNOTATIONS_PER_CALL):
                portion = [_annotation(a) for a in missing[start : start + ANNOTATIONS_PER_CALL]]
                body = {"output": {**_output(output), "annotations": portion}}
                await calls.create(f"{at}/check-runs/{run.id}", body, method="PATCH")
        except ForgeUnavailable as error:
            if wait is None or not error.may_be_done:
                raise
            count = 1  # some may have arrived
            await calls.wait(wait)
        else:
            return


async def _annotated(calls: Calls, at: str, check_run_id: int) -> set[tuple[str, int, str]]:
    path = f"{at}/check-runs/{check_run_id}/annotations"
    listed = [read_item(AnnotationAnswer, a) async for a in calls.pages(path)]
    return {(a.path, a.start_line, a.message) for a in listed}


def _key(annotation: Annotation) -> tuple[str, int, str]:
    return (annotation.path, annotation.line, _cut(annotation.message, _MAX_MESSAGE))


def _body(wanted: WantedCheck, *, now: str) -> dict[str, Any]:
    body: dict[str, Any] = {"external_id": wanted.external_id, "status": wanted.status}
    if wanted.details_url:
        body["details_url"] = wanted.details_url
    if wanted.status == "in_progress":
        body["started_at"] = now
    if wanted.status == "completed":
        body |= {"conclusion": wanted.conclusion, "completed_at": now}
    if wanted.output is not None:
        body["output"] = _output(wanted.output)
        body["actions"] = [a.model_dump() for a in wanted.output.actions]
    return body


def _output(output: CheckOutput) -> dict[str, str]:
    shown = {"title": _cut(output.title, _MAX_TITLE), "summary": _cut(output.summary, _MAX_TEXT)}
    return shown | ({"text": _cut(output.text, _MAX_TEXT)} if output.text else {})


def _annotation(annotation: Annotation) -> dict[str, Any]:
    said: dict[str, Any] = {
        "path": annotation.path,
        "start_line": annotation.line,
        "end_line": annotation.end_line or annotation.line,
        "annotation_level": annotation.level,
        "message": _cut(annotation.message, _MAX_MESSAGE),
    }
    return said | ({"title": _cut(annotation.title, _MAX_TITLE)} if annotation.title else {})


def _cut(text: str, most_bytes: int) -> str:
    """Renderers keep to a budget; a text that is longer all the same loses its end rather than the whole check."""
    return text.encode()[:most_bytes].decode("utf-8", "ignore")
