"""Writes what was recorded as a snapshot (spec 00, 'Production snapshot'), which the snapshot provider reads back to the same facts."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

from context_graph.providers.metrics import COLUMNS
from context_graph.providers.recording import Failure, Recorded
from gonogo.context import Alarm, Database, Deploy, Gap, LogLine, Series
from gonogo.resource import Edge, Resource
from gonogo.word import ResourceId


def snapshot_files(recorded: Recorded, *, reading: int = 0) -> dict[str, str]:
    """File name → text. A later `reading` has only what differs from the one before."""
    databases: list[Database] = recorded.facts("databases", reading)
    files = {
        "resources.jsonl": _lines(_resources(recorded, reading)),
        "edges.jsonl": _lines(_edge(e) for e in recorded.edges) if reading == 0 else "",
        "metrics.csv": _metrics(recorded.facts("series", reading)),
        "logs.jsonl": _lines(_log(line) for line in recorded.facts("logs", reading)),
        "deploys.jsonl": _lines(_deploy(d) for d in recorded.facts("deploys", reading)),
        "alarms.jsonl": _lines(_alarm(a) for a in recorded.facts("alarms", reading)),
        "databases.json": _document([*map(_database, databases), *(_names_only(recorded, databases) if reading == 0 else ())]),
        "snapshot.json": _document(_about(recorded, reading)),
    }
    return {name: text for name, text in files.items() if text and text != "[]\n"}


def write_snapshot(recorded: Recorded, folder: Path) -> None:
    """Write the first reading of everything into a folder that is made for it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in snapshot_files(recorded).items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _about(recorded: Recorded, reading: int) -> dict[str, Any]:
    about: dict[str, Any] = {"taken_at": recorded.now.isoformat()} if recorded.now else {}
    about["source"] = recorded.source
    if reading == 0:
        about["gaps"] = [*map(_gap, recorded.gaps), *(_gap(failure_gap(f, recorded.source)) for f in recorded.failures)]
        seen = Counter(edge.target for edge in recorded.edges)
        degrees = {at: count for at, count in sorted(recorded.in_degrees.items()) if count > seen[at]}
        unlisted = sorted(set(recorded.repositories) - recorded.kinds.keys())
        about["neighbourhood"] = {"in_degrees": degrees, **({"repositories": unlisted} if unlisted else {})}
    return about


def failure_gap(failure: Failure, source: str) -> Gap:
    """A question that raised, as a reader of the snapshot is told of it."""
    return Gap(stage="context", what=f"{source}: {failure.question}", why=f"{failure.type}: {failure.message}")


def _gap(gap: Gap) -> dict[str, Any]:
    return {"what": gap.what, "why": gap.why}


def _resources(recorded: Recorded, reading: int) -> Iterable[dict[str, Any]]:
    read: Sequence[Resource] = recorded.facts("resources", reading)
    for one in read:
        yield one.model_dump(mode="json")
    if reading == 0:
        known = {r.id for r in read}
        yield from ({"id": at, "kind": kind, "name": name} for at, (kind, name) in recorded.kinds.items() if at not in known)


def _edge(edge: Edge) -> dict[str, Any]:
    row = {"source": edge.source, "target": edge.target, "relation": edge.relation.value, "origin": edge.origin.value}
    return row | ({"evidence": edge.evidence} if edge.evidence else {})


def _metrics(series: Iterable[Series]) -> str:
    """An empty value is a missing reading: it keeps its place on the grid."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for one in series:
        for at, value in enumerate(one.values):
            stamp = one.start + timedelta(seconds=at * one.step_s)
            writer.writerow([stamp.isoformat(), one.resource, one.metric, one.unit, "" if value is None else repr(value)])
    return ",".join(COLUMNS) + "\n" + out.getvalue() if out.getvalue() else ""


def _log(line: LogLine) -> dict[str, Any]:
    return line.model_dump(mode="json")


def _deploy(deploy: Deploy) -> dict[str, Any]:
    return deploy.model_dump(mode="json")


def _alarm(alarm: Alarm) -> dict[str, Any]:
    return alarm.model_dump(mode="json")


def _database(database: Database) -> dict[str, Any]:
    plain = database.model_dump(mode="json", by_alias=True, exclude={"tables", "indexes", "more"})
    return {
        **_known(plain),
        "tables": [_part(t.model_dump(mode="json", by_alias=True)) for t in database.tables],
        "indexes": [_part(i.model_dump(mode="json", by_alias=True)) for i in database.indexes],
        **database.model_dump(mode="json", include={"more"})["more"],
    }


def _names_only(recorded: Recorded, read: Sequence[Database]) -> Iterable[dict[str, Any]]:
    known = {d.resource for d in read}
    for at, names in recorded.held_tables.items():
        if at not in known:
            yield {"resource": at, "engine": "unknown", "tables": [{"name": name} for name in names]}


def _part(row: dict[str, Any]) -> dict[str, Any]:
    return {**_known({k: v for k, v in row.items() if k != "more"}), **row["more"]}


def _known(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None}


def _lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _document(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def replay_document(recorded: Recorded) -> dict[str, Any]:
    """What the exact replay needs beside the snapshots: which questions failed, which readings differ, what was asked at all."""
    rounds = range(1, recorded.rounds())
    return {
        "source": recorded.source,
        "gaps": [g.model_dump(mode="json") for g in recorded.gaps],
        "failures": [{"question": f.question, "call": f.call, "type": f.type, "message": f.message} for f in recorded.failures],
        "again": [
            {question: ids for question in recorded.readings if (ids := _ids(recorded.read_again(question, n)))} for n in rounds
        ],
        "asked": {question: _ids(readings) for question, readings in recorded.readings.items() if readings},
    }


def _ids(found: Iterable[ResourceId]) -> list[str]:
    return sorted(found)
