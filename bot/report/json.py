"""The report as a JSON document (docs/report.schema.json)."""

import json
import os
import tempfile
from pathlib import Path

from bot.report.shown import without_secrets
from gonogo.errors import CallError
from gonogo.evaluation import Evaluation


def json_report(evaluation: Evaluation) -> str:
    """`gonogo.report/1`, keys in the order of the spec, one line end at the end; no secret is in it."""
    report = without_secrets(evaluation).to_report()
    try:
        return json.dumps(report, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    except ValueError:  # a fact of production that no JSON number can hold
        finite = json.loads(json.dumps(report), parse_constant=str)
        return json.dumps(finite, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_atomically(path: Path, text: str) -> None:
    """The whole file or none of it: written beside, then put in its place with the mode it had.

    A link stays a link; a pipe or a device is written to, never replaced.
    """
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8") as file:
                file.write(text)
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise CallError(f"--json {path}: cannot write there ({error.strerror or error})") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).chmod(_mode(target))
        Path(name).replace(target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise CallError(f"--json {path}: cannot write there ({error.strerror or error})") from error


def _mode(target: Path) -> int:
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
