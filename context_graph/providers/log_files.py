"""A sample of log lines from files of this machine: the end of each, as much as the limits allow."""

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from context_graph.providers.log_severity import severity_of
from context_graph.providers.rows import as_object
from context_graph.redaction import redact_text
from context_graph.telemetry import Answer, Call, Fact
from gonogo.context import Gap, LogLine, Window
from gonogo.pattern import pattern
from gonogo.resource import Resource

MAX_BYTES = 16 * 2**20
"""Of the end of a file; of a gzipped one, of what it unpacks to."""

MAX_LINES = 20_000
LONGEST = 4_000

_ISO = pattern(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?")
_WEB = pattern(r"\[(\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4})\]")
_BEGINNING = 200


class LogFilesSource:
    """Implements context_graph.telemetry.TelemetrySource. `files`: resource id → paths or globs."""

    def __init__(self, files: Mapping[str, Sequence[str]]) -> None:
        self._files = files

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        """One a resource that files were named for."""
        if fact is not Fact.LOGS:
            return []
        return [Call(fact, f"log files of {r.id}", lambda r=r: self._read(r, window)) for r in resources if r.id in self._files]

    def _read(self, resource: Resource, window: Window) -> Answer:
        lines: list[LogLine] = []
        gaps: list[Gap] = []
        for name in self._files[resource.id]:
            paths = sorted(Path(name).parent.glob(Path(name).name))
            if not paths:
                gaps.append(Gap(stage="context", what=f"log files of {resource.id}", why=f"{name}: no such file"))
            for path in paths:
                try:
                    text, is_cut = _end_of(path)
                except (OSError, EOFError) as error:
                    gaps.append(Gap(stage="context", what=f"log file {path}", why=f"cannot be read ({error})"))
                    continue
                found = [line for line in _lines(resource, text, path) if window.start <= line.timestamp <= window.end]
                if is_cut or len(found) > MAX_LINES:
                    why = f"the last {min(len(found), MAX_LINES):,} lines were read; there are more"
                    gaps.append(Gap(stage="context", what=f"log file {path}", why=why))
                lines += found[-MAX_LINES:]
        return Answer(sorted(lines, key=lambda line: line.timestamp), gaps)


def _end_of(path: Path) -> tuple[str, bool]:
    """The end of a file as text, without a torn first line; and whether it begins before that."""
    if path.suffix == ".gz":
        with gzip.open(path) as file:
            data = file.read(MAX_BYTES + 1)
        return data[:MAX_BYTES].decode("utf-8", "replace"), len(data) > MAX_BYTES
    size = path.stat().st_size
    with path.open("rb") as file:
        if size > MAX_BYTES:
            file.seek(size - MAX_BYTES)
            file.readline()
        return file.read(MAX_BYTES).decode("utf-8", "replace"), size > MAX_BYTES


def _lines(resource: Resource, text: str, path: Path) -> Iterator[LogLine]:
    """A line without a time of its own belongs to the one before; before the first time, lines have the file's."""
    stamp = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    for raw in text.splitlines():
        line = raw.rstrip()
        if not line:
            continue
        stamp = _time_of(line) or stamp
        message = redact_text(line[:LONGEST])
        yield LogLine(timestamp=stamp, resource=resource.id, severity=severity_of(message), message=message)


def _time_of(line: str) -> datetime | None:
    try:
        if line.startswith("{"):
            return _time_in(as_object(json.loads(line)) or {})
        if found := _ISO.search(line[:_BEGINNING]):
            return _aware(datetime.fromisoformat(found[0].replace(",", ".")))
        if found := _WEB.search(line[:_BEGINNING]):
            return datetime.strptime(found[1], "%d/%b/%Y:%H:%M:%S %z")
    except ValueError:
        return None
    return None


def _time_in(told: Mapping[str, Any]) -> datetime | None:
    said = next((told[k] for k in ("timestamp", "time", "ts", "@timestamp", "datetime") if k in told), None)
    if isinstance(said, int | float) and not isinstance(said, bool):
        return datetime.fromtimestamp(said / 1000 if said > 1e11 else said, UTC)
    return _aware(datetime.fromisoformat(said)) if isinstance(said, str) else None


def _aware(instant: datetime) -> datetime:
    return instant if instant.tzinfo else instant.replace(tzinfo=UTC)
