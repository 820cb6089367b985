"""Evaluations that were recorded: one folder each, with the report, what was asked, and production as it was seen."""

import json
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from context_graph.providers.recording import Recorded
from context_graph.providers.replay import write_recording
from gonogo.errors import CallError, StageFailed
from gonogo.word import Instant, Json, Word

SCHEMA = "gonogo.evaluation/1"
ASKED, REPORT = "evaluation.json", "report.json"
DOCUMENT, EARLIER = "document.json", "earlier.json"
"""The Evaluation, for `gonogo check --since`; and the one that it went on from itself."""


class RecordedRequest(Word):
    """What one evaluation was asked: the range by its commits, the words of the pull request, settings and limits."""

    schema_name: str = SCHEMA
    id: str
    made_at: Instant
    folder: str
    """The repository on the machine that recorded; `gonogo replay --repo` names another clone."""
    repository: str
    base: str
    head: str
    pull_request: Mapping[str, Json]
    policy: Mapping[str, Json]
    steps_limit: int
    deadline_s: float
    notes: tuple[str, ...] = ()
    is_live: bool = False
    today: str | None = None
    has_production: bool = False
    is_again: bool = False
    """The verdict of an earlier evaluation was given again."""
    gonogo_version: str = ""


def new_id(made_at: Instant, head: str) -> str:
    """Sorts by time; says which commit; never the same twice."""
    return f"{made_at:%Y%m%dT%H%M%SZ}-{head[:8]}-{secrets.token_hex(2)}"


def save(
    folder: Path, asked: RecordedRequest, *, report: str, recorded: Recorded | None, document: str, earlier: str | None = None
) -> Path:
    """`folder/<id>/` with evaluation.json, report.json, document.json, and what `write_recording` writes; whole or not at all."""
    place, beside = folder / asked.id, folder / f".{asked.id}"
    try:
        beside.mkdir(parents=True)
        (beside / ASKED).write_text(asked.model_dump_json(indent=1) + "\n", encoding="utf-8")
        (beside / REPORT).write_text(report, encoding="utf-8")
        (beside / DOCUMENT).write_text(document, encoding="utf-8")
        if earlier is not None:
            (beside / EARLIER).write_text(earlier, encoding="utf-8")
        if recorded is not None:
            write_recording(recorded, beside)
        beside.rename(place)
    except OSError as error:
        shutil.rmtree(beside, ignore_errors=True)
        raise StageFailed(
            "record", f"{place} cannot be written ({error.strerror or error})", "set GONOGO_DATA_DIR to a folder with room"
        ) from error
    return place


def find(folder: Path, evaluation: str) -> Path:
    """The folder of an evaluation: a path, an id, or the beginning of an id that no other has."""
    if (Path(evaluation) / ASKED).is_file():
        return Path(evaluation)
    if "/" not in evaluation and folder.is_dir():
        found = sorted(p for p in folder.glob(f"{_literally(evaluation)}*") if (p / ASKED).is_file())
        if len(found) == 1:
            return found[0]
        if found:
            raise CallError(f"{len(found)} evaluations begin with {evaluation}: {', '.join(p.name for p in found[:5])}")
    raise CallError(f"no recorded evaluation {evaluation} in {folder}; record one with: gonogo check --record")


def load(place: Path) -> tuple[RecordedRequest, dict[str, Any]]:
    """What was asked, and the report that was given."""
    try:
        asked = RecordedRequest.model_validate_json((place / ASKED).read_text(encoding="utf-8"))
        report: dict[str, Any] = json.loads((place / REPORT).read_text(encoding="utf-8"))
    except (OSError, ValueError, ValidationError) as error:
        raise CallError(f"{place}: not a recorded evaluation ({str(error).splitlines()[0]})") from error
    return asked, report


def load_document(place: Path, name: str = DOCUMENT) -> str | None:
    """A recorded Evaluation as JSON; None when there is none, as of one that went on from no other."""
    try:
        return (place / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None


def _literally(text: str) -> str:
    return "".join(f"[{c}]" if c in "*?[" else c for c in text)
