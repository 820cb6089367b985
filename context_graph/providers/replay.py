"""Production as an evaluation saw it: every question gets the answer that it got then, the second reading and the failures too."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from context_graph.providers.recording import QUESTIONS, Recorded
from context_graph.providers.rows import as_list, as_object
from context_graph.providers.snapshot import SnapshotProvider
from context_graph.providers.snapshot_writer import replay_document, snapshot_files, write_snapshot
from gonogo.context import Alarm, Database, Deploy, Gap, LogLine, Series
from gonogo.errors import CallError
from gonogo.ports import Graph
from gonogo.resource import Resource
from gonogo.word import Instant, ResourceId

FIRST = "production"
REPLAY = "replay.json"


def write_recording(recorded: Recorded, folder: Path) -> None:
    """`production/` is a plain snapshot; `production-2/` holds what the second reading found otherwise; `replay.json` the rest."""
    write_snapshot(recorded, folder / FIRST)
    told = replay_document(recorded)
    for n, differing in enumerate(told["again"], start=1):
        if differing:
            again = folder / f"{FIRST}-{n + 1}"
            again.mkdir(exist_ok=True)
            for name, text in snapshot_files(recorded, reading=n).items():
                (again / name).write_text(text, encoding="utf-8", newline="\n")
    (folder / REPLAY).write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


class ReplayProvider:
    """Implements gonogo.ports.Provider over a folder that `write_recording` wrote. What was not asked then is a gap now."""

    def __init__(self, folder: Path) -> None:
        try:
            told = as_object(json.loads((folder / REPLAY).read_text(encoding="utf-8"))) or {}
        except (OSError, ValueError) as error:
            raise CallError(f"{folder / REPLAY}: not readable, so nothing can be replayed ({error})") from error
        self.name = str(told.get("source") or "snapshot")
        again = [as_object(row) or {} for row in as_list(told.get("again"))]
        folders = [folder / FIRST, *(folder / f"{FIRST}-{n + 2}" for n in range(len(again)))]
        self._readings = [SnapshotProvider(path) if n == 0 or again[n - 1] else None for n, path in enumerate(folders)]
        self._differing = [{q: frozenset(as_list(row.get(q))) for q in QUESTIONS} for row in again]
        self._said = [Gap.model_validate(row) for row in as_list(told.get("gaps"))]
        self._failures = {(str(f["question"]), int(f["call"])): f for f in map(_row, as_list(told.get("failures")))}
        asked = as_object(told.get("asked")) or {}
        self._asked = {q: frozenset(as_list(asked.get(q))) for q in QUESTIONS}
        self._calls = dict.fromkeys(QUESTIONS, 0)
        self._rounds: dict[tuple[str, str], int] = {}
        self._missing: dict[Gap, None] = {}

    @property
    def _first(self) -> SnapshotProvider:
        found = self._readings[0]
        assert found is not None
        return found

    def now(self) -> Instant | None:
        """When the recording was made."""
        return self._first.now()

    def gaps(self) -> Sequence[Gap]:
        """As they were; then what the recording does not hold, and what of it cannot be read."""
        faults = self._first.gaps()[len(self._first.recorded_gaps()) :]
        return [*self._said, *faults, *self._missing]

    def graph(self) -> Graph:
        """The neighbourhood that was seen."""
        return self._first.graph()

    def tables(self) -> Mapping[ResourceId, Collection[str]]:
        """As they were."""
        return self._first.tables()

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """As they were."""
        return self._ask("resources", ids, lambda reading: reading.resources)

    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        """As they were."""
        return self._ask("series", ids, lambda reading: reading.series)

    def logs(self, ids: Collection[ResourceId]) -> Sequence[LogLine]:
        """As they were."""
        return sorted(self._ask("logs", ids, lambda reading: reading.logs), key=lambda line: line.timestamp)

    def databases(self, ids: Collection[ResourceId]) -> Sequence[Database]:
        """As they were."""
        return self._ask("databases", ids, lambda reading: reading.databases)

    def deploys(self, ids: Collection[ResourceId]) -> Sequence[Deploy]:
        """As they were."""
        return sorted(self._ask("deploys", ids, lambda reading: reading.deploys), key=lambda d: d.timestamp)

    def alarms(self, ids: Collection[ResourceId]) -> Sequence[Alarm]:
        """As they were."""
        return self._ask("alarms", ids, lambda reading: reading.alarms)

    def _ask[F](
        self,
        question: str,
        ids: Collection[ResourceId],
        of: Callable[[SnapshotProvider], Callable[[Collection[ResourceId]], Sequence[F]]],
    ) -> list[F]:
        call = self._calls[question]
        self._calls[question] += 1
        if (question, call) in self._failures:
            failed = self._failures[question, call]
            raise type(str(failed["type"]), (Exception,), {})(str(failed["message"]))
        for at in sorted(set[str](ids) - self._asked[question]):
            gap = Gap(stage="context", what=f"{at}: {question}", why="the recording does not hold it: it was not asked for then")
            self._missing.setdefault(gap)
        by_reading: dict[int, list[ResourceId]] = {}
        for at in ids:
            asked = self._rounds.get((question, at), 0)
            self._rounds[question, at] = asked + 1
            by_reading.setdefault(self._latest(question, at, asked), []).append(at)
        return [
            fact
            for number, some in sorted(by_reading.items())
            if (reading := self._readings[number]) is not None
            for fact in of(reading)(some)
        ]

    def _latest(self, question: str, at: str, asked: int) -> int:
        rounds = range(min(asked, len(self._differing)), 0, -1)
        return next((n for n in rounds if at in self._differing[n - 1][question]), 0)


def _row(value: Any) -> dict[str, Any]:
    return as_object(value) or {}
