"""The report as a JSON document (docs/report.schema.json)."""

import json
import os
import tempfile
from pathlib import Path

from gonogo.errors import CallError
from gonogo.evaluation import Evaluation


def json_report(evaluation: Evaluation) -> str:
    """`gonogo.report/1`, keys in the order of the spec, one line end at the end."""
    return json.dumps(evaluation.to_report(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def write_atomically(path: Path, text: str) -> None:
    """The whole file or none of it: written beside, then put in its place."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise CallError(f"--json {path}: cannot write there ({error.strerror or error})") from error
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise CallError(f"--json {path}: cannot write there ({error.strerror or error})") from error
