"""Production facts from a folder (spec 00, 'Production snapshot'): the offline provider."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from context_graph.graph import MemoryGraph
from context_graph.normal_form import normal_attributes
from context_graph.providers.metrics import read_series
from context_graph.providers.rows import RowReader, as_list, as_object
from gonogo.context import Alarm, Database, Deploy, Gap, Index, LogLine, Series, Table
from gonogo.errors import CallError
from gonogo.resource import Edge, Relation, Resource
from gonogo.word import Instant, ResourceId, Word

FILES = (
    "resources.jsonl", "edges.jsonl", "metrics.csv", "logs.jsonl", "snapshot.json", "deploys.jsonl", "alarms.jsonl", "databases.json",
)  # fmt: skip

MAX_LOGS_A_RESOURCE = 20_000


class SnapshotProvider:
    """Implements gonogo.ports.Provider. Every call reads the files again; only what is asked for is kept."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise CallError(f"--production {folder}: no such folder; pass a snapshot folder, live, or none")
        self._rows = RowReader(folder)
        if not any(self._rows.path(name) for name in FILES):
            raise CallError(f"--production {folder}: no snapshot file in it (expected some of: {', '.join(FILES)})")
        self.name = "snapshot"
        self._look_over(folder)

    def _look_over(self, folder: Path) -> None:
        """What lies in the folder and is not read is told: a misspelt name must not turn into silence."""
        for path in sorted(folder.iterdir()):
            plain = path.name.removesuffix(".gz")
            if plain in FILES and not path.is_file():
                self._rows.fault(path.name, None, "not a regular file; it was not read")
            elif plain in FILES and path.name != plain and (folder / plain).is_file():
                self._rows.fault(path.name, None, f"not read, because {plain} is there as well; keep one of them")
            elif plain not in FILES and plain.endswith((".json", ".jsonl", ".csv")):
                near = get_close_matches(plain, FILES, n=1)
                hint = f"; is it {near[0]}?" if near else ""
                self._rows.fault(path.name, None, f"no file of the snapshot format, so it was not read{hint}")

    def now(self) -> Instant | None:
        """`taken_at`, else the latest timestamp in the folder."""
        return self._taken_at or self._latest

    def gaps(self) -> Sequence[Gap]:
        """Gaps that the snapshot records, and what of it could not be read."""
        return [*self.recorded_gaps(), *self._rows.gaps()]

    def recorded_gaps(self) -> Sequence[Gap]:
        """Gaps that `snapshot.json` names."""
        return [
            Gap(stage="context", what=str(g.get("what", "")), why=str(g.get("why", "")))
            for g in map(as_object, as_list(self._about.get("gaps")))
            if g
        ]

    def graph(self) -> MemoryGraph:
        """All edges and the identity of all resources; of a recording, the neighbourhood that was seen."""
        seen = as_object(self._about.get("neighbourhood")) or {}
        degrees = as_object(seen.get("in_degrees")) or {}
        return MemoryGraph(
            self.edges(),
            self.kinds(),
            in_degrees={ResourceId(at): count for at, count in degrees.items() if isinstance(count, int)},
            repositories=[ResourceId(str(at)) for at in as_list(seen.get("repositories"))],
        )

    def edges(self) -> Sequence[Edge]:
        """All edges; one with an unknown relation is left out with a gap."""
        found: list[Edge] = []
        for number, row in self._rows.json_rows("edges.jsonl"):
            if row.get("relation") not in {r.value for r in Relation}:
                self._rows.fault("edges.jsonl", number, f"relation {row.get('relation')!r} is not known; the edge was left out")
            elif edge := self._parsed(Edge, "edges.jsonl", number, row):
                found.append(edge)
        return found

    def kinds(self) -> Mapping[ResourceId, tuple[str, str]]:
        """Every resource id with its kind and name."""
        return {
            ResourceId(row["id"]): (row["kind"], str(row.get("name") or row["id"]))
            for number, row in self._rows.json_rows("resources.jsonl")
            if self._has_identity(number, row)
        }

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        """These resources with attributes in normal form."""
        found: list[Resource] = []
        for number, row in self._rows.json_rows("resources.jsonl"):
            if self._has_identity(number, row) and row["id"] in ids:
                attributes = as_object(row.get("attributes") or {})
                if attributes is None:
                    self._rows.fault("resources.jsonl", number, "'attributes' is not an object; they were left out")
                plain = {k: str(row.get(k) or "") for k in ("account", "region")}
                found.append(
                    Resource(
                        id=row["id"],
                        kind=row["kind"],
                        name=str(row.get("name") or row["id"]),
                        attributes=normal_attributes(row["kind"], attributes or {}),
                        **plain,
                    )
                )
        return found

    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        """Every series of these resources, on its regular grid."""
        return read_series(self._rows, ids)

    def is_silent(self, resource: ResourceId, metric: str) -> bool:
        """Whether the metric has rows, every reading of which is missing; of series that were read."""
        return (resource, metric) in self._rows.silent

    def logs(self, ids: Collection[ResourceId]) -> Sequence[LogLine]:
        """Sampled log lines, oldest first."""
        kept: dict[str, int] = {}
        found: list[LogLine] = []
        for number, row in self._rows.json_rows("logs.jsonl"):
            resource = row.get("resource")
            if not isinstance(resource, str) or resource not in ids:
                continue
            kept[resource] = kept.get(resource, 0) + 1
            if kept[resource] > MAX_LOGS_A_RESOURCE:
                self._rows.fault("logs.jsonl", None, f"{resource}: only the first {MAX_LOGS_A_RESOURCE:,} lines were read")
                continue
            plain = row | {"severity": str(row.get("severity") or "")}
            if line := self._parsed(LogLine, "logs.jsonl", number, plain, drop_unknown=True):
                found.append(line)
        return sorted(found, key=lambda line: line.timestamp)

    def databases(self, ids: Collection[ResourceId]) -> Sequence[Database]:
        """Statistics of these database servers."""
        return [d for d in self._databases() if d.resource in ids]

    def tables(self) -> Mapping[ResourceId, Sequence[str]]:
        """Database → names of its tables: who alone holds a migrated table is affected."""
        return {ResourceId(d.resource): [t.name for t in d.tables] for d in self._databases()}

    def deploys(self, ids: Collection[ResourceId]) -> Sequence[Deploy]:
        """Deploys of these resources, oldest first."""
        return sorted(self._some(Deploy, "deploys.jsonl", ids), key=lambda d: d.timestamp)

    def alarms(self, ids: Collection[ResourceId]) -> Sequence[Alarm]:
        """Alarms of these resources."""
        return list(self._some(Alarm, "alarms.jsonl", ids))

    def _some[W: Word](self, word: type[W], name: str, ids: Collection[ResourceId]) -> Iterator[W]:
        for number, row in self._rows.json_rows(name):
            if (
                isinstance(row.get("resource"), str)
                and row["resource"] in ids
                and (parsed := self._parsed(word, name, number, row, drop_unknown=True))
            ):
                yield parsed

    def _parsed[W: Word](
        self, word: type[W], name: str, number: int, row: dict[str, Any], *, drop_unknown: bool = False
    ) -> W | None:
        if drop_unknown:
            row = {k: v for k, v in row.items() if k in word.model_fields}
        try:
            return word.model_validate(row)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            self._rows.fault(name, number, f"'{where}': {first['msg']}; the row was left out")
            return None

    def _has_identity(self, number: int, row: dict[str, Any]) -> bool:
        bad = next((key for key in ("id", "kind") if not isinstance(row.get(key), str) or not row[key]), None)
        if bad:
            self._rows.fault("resources.jsonl", number, f"'{bad}' must be text; the row was left out")
        return bad is None

    @cached_property
    def _about(self) -> dict[str, Any]:
        found = self._rows.document("snapshot.json")
        if found is not None and as_object(found) is None:
            self._rows.fault("snapshot.json", 1, "expected a JSON object; the file was left out")
        return as_object(found) or {}

    @cached_property
    def _taken_at(self) -> datetime | None:
        text = self._about.get("taken_at")
        if text is None:
            return None
        found = instant(text)
        if found is None:
            self._rows.fault("snapshot.json", None, f"taken_at {text!r} is not a timestamp; write ISO 8601 in UTC")
        return found

    @cached_property
    def _latest(self) -> datetime | None:
        """The latest timestamp in the folder; each distinct text is parsed once."""
        texts: set[str] = {
            row[0] for _, row in self._rows.csv_rows("metrics.csv", ("timestamp", "resource", "metric", "unit", "value"))
        }
        for name, key in (("logs.jsonl", "timestamp"), ("deploys.jsonl", "timestamp"), ("alarms.jsonl", "since")):
            texts |= {str(row.get(key)) for _, row in self._rows.json_rows(name)}
        return max((t for t in map(instant, texts) if t), default=None)

    def _databases(self) -> Iterator[Database]:
        listed = self._rows.document("databases.json")
        if listed is None:
            return
        if not as_list(listed) and listed != []:
            self._rows.fault("databases.json", 1, "expected a list of databases; the file was left out")
            return
        seen: dict[str, dict[str, Any]] = {}
        for row in map(as_object, as_list(listed)):
            if row and isinstance(row.get("resource"), str):
                known = seen.setdefault(row["resource"], row)
                if known is row:
                    yield self._database(row)
                elif known != row:
                    why = f"{row['resource']} stands there twice with different figures; the first was taken"
                    self._rows.fault("databases.json", None, why)
            else:
                self._rows.fault("databases.json", None, "an entry has no 'resource'; it was left out")

    def _database(self, row: dict[str, Any]) -> Database:
        known = {
            k: v for k, v in row.items() if k in Database.model_fields and k not in ("tables", "indexes", "settings", "more")
        }
        known |= {k: str(row[k]) for k in ("engine", "version", "stats_reset") if row.get(k) is not None}
        known["engine"] = str(row.get("engine") or "unknown")
        return Database(
            **known,
            tables=tuple(self._parts(Table, row, "tables")),
            indexes=tuple(self._parts(Index, row, "indexes")),
            settings=as_object(row.get("settings")) or {},
            more={k: v for k, v in row.items() if k not in Database.model_fields},
        )

    def _parts[W: Word](self, word: type[W], database: dict[str, Any], key: str) -> Iterator[W]:
        names = {f.alias or name for name, f in word.model_fields.items()}
        for at, fields in enumerate(map(as_object, as_list(database.get(key)))):
            if fields is None:
                self._rows.fault("databases.json", None, f"{database['resource']} {key}[{at}] is not an object; it was left out")
                continue
            known = {k: v for k, v in fields.items() if k in names}
            known["more"] = {k: v for k, v in fields.items() if k not in names}
            try:
                yield word.model_validate(known)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(p) for p in first["loc"])
                self._rows.fault(
                    "databases.json", None, f"{database['resource']} {key}[{at}] '{where}': {first['msg']}; it was left out"
                )


def instant(text: object) -> datetime | None:
    """An ISO 8601 instant with its offset (UTC when it has none), or None."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
