"""The snapshot format, whole and broken."""

import gzip
import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

from context_graph.providers.snapshot import SnapshotProvider
from gonogo.errors import CallError

HEADER = "timestamp,resource,metric,unit,value\n"


def a_snapshot(folder: Path, **files: str | bytes) -> SnapshotProvider:
    for name, content in files.items():
        path = folder / name.replace("__", ".")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return SnapshotProvider(folder)


def said(provider: SnapshotProvider) -> str:
    return " | ".join(gap.why for gap in provider.gaps())


def test_resources_come_in_normal_form_under_their_opaque_ids(tmp_path) -> None:
    row = {
        "id": "arn:x:y",
        "kind": "aws.lambda.function",
        "name": "f",
        "attributes": {"Timeout": 30, "MemorySize": 512, "odd": 1},
    }
    provider = a_snapshot(tmp_path, resources__jsonl=json.dumps(row) + "\n")

    (found,) = provider.resources({"arn:x:y"})

    assert dict(found.attributes) == {"timeout_s": 30, "memory_mb": 512, "odd": 1}


@pytest.mark.parametrize("gzipped", [False, True])
def test_metrics_are_read_for_the_asked_resources_only_and_a_gap_stays_a_gap(tmp_path, gzipped) -> None:
    rows = HEADER + "".join(f"2026-05-04T00:{m:02d}:00Z,{r},CPU,Percent,{m}\n" for m in (0, 5, 10, 20) for r in ("a", "b"))
    name = "metrics__csv__gz" if gzipped else "metrics__csv"
    provider = a_snapshot(tmp_path, **{name: gzip.compress(rows.encode()) if gzipped else rows})

    (series,) = provider.series({"a"})

    assert series.values == (0, 5, 10, None, 20)
    assert series.step_s == 300
    assert provider.gaps() == []


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("metrics__csv", HEADER + "2026-13-01,a,CPU,Percent,1\n2026-05-04T00:00:00Z,a,CPU,Percent,2\n", "metrics.csv line 2: '2026-13-01' is not a timestamp"),
        ("metrics__csv", HEADER + "2026-05-04T00:00:00Z,a,CPU,Percent,lots\n", "metrics.csv line 2: 'lots' is not a number"),
        ("metrics__csv", HEADER + "2026-05-04T00:00:00Z,a,CPU\n", "metrics.csv line 2: 3 cells instead of 5"),
        ("metrics__csv", "when,what\n1,2\n", "metrics.csv line 1: the header must be"),
        ("logs__jsonl", '{"timestamp": "2026-05-04T00:00:00Z", "resource": "a", "message": 7}\n', "logs.jsonl line 1: 'message'"),
        ("logs__jsonl", '{"timestamp": "2026-05-04T00:00:00Z", "reso\n', "logs.jsonl line 1: not a JSON object"),
        ("resources__jsonl", '{"id": 7, "kind": "x"}\n', "resources.jsonl line 1: 'id' must be text"),
        ("resources__jsonl", "[1]\n", "resources.jsonl line 1: expected a JSON object"),
        ("edges__jsonl", '{"source": "a", "target": "b", "relation": "likes"}\n', "edges.jsonl line 1: relation 'likes' is not known"),
        ("databases__json", '[{"resource": "a", "engine": "postgres", "tables": [{"name": "t", "row_estimate": "many"}]}]', "a tables[0] 'row_estimate'"),
        ("databases__json", '[{"resource": "a",', "databases.json line 1: not valid JSON"),
        ("snapshot__json", '{"taken_at": "yesterday"}', "taken_at 'yesterday' is not a timestamp"),
    ],
)  # fmt: skip
def test_a_broken_row_is_left_out_with_one_gap_that_names_file_and_line(tmp_path, name, content, expected) -> None:
    provider = a_snapshot(tmp_path, **{name: content})

    provider.now(), provider.edges(), provider.kinds()
    for question in (provider.resources, provider.series, provider.logs, provider.databases):
        question({"a", "7"})
        question({"a", "7"})

    assert expected in said(provider)
    assert said(provider).count(expected) == 1


def test_a_torn_gzip_gives_what_came_before_the_tear_and_says_where_it_stopped(tmp_path) -> None:
    rows = HEADER + "".join(f"2026-05-04T{h:02d}:{m:02d}:00Z,a,CPU,Percent,{h * 7 + m}\n" for h in range(24) for m in range(60))
    provider = a_snapshot(tmp_path, metrics__csv__gz=gzip.compress(rows.encode())[:-600])

    (series,) = provider.series({"a"})

    assert 0 < len(series.values) < 24 * 60
    assert "metrics.csv.gz line" in said(provider)
    assert "torn" in said(provider)


def test_a_row_that_is_not_utf_8_costs_itself_and_no_row_after_it(tmp_path) -> None:
    row = b'{"timestamp": "2026-05-04T00:00:00Z", "resource": "a", "message": "%s"}\n'
    readings = b"2026-05-04T00:00:00Z,a,C\xe9U,Percent,1\n2026-05-04T00:05:00Z,a,CPU,Percent,2\n"
    logs = row % b"caf\xe9" + row % "café".encode()
    provider = a_snapshot(tmp_path, logs__jsonl=logs, metrics__csv=HEADER.encode() + readings)

    assert [line.message for line in provider.logs({"a"})] == ["café"]
    assert [series.metric for series in provider.series({"a"})] == ["CPU"]
    assert "logs.jsonl line 1: not UTF-8" in said(provider)
    assert "metrics.csv line 2: not UTF-8" in said(provider)


def test_many_faults_are_counted_not_listed(tmp_path) -> None:
    provider = a_snapshot(tmp_path, metrics__csv=HEADER + "2026-05-04T00:00:00Z,a,CPU,Percent,x\n" * 500)

    provider.series({"a"})

    assert len(provider.gaps()) == 6
    assert "495 more faulty rows" in said(provider)


def test_now_is_taken_at_else_the_latest_timestamp_of_any_file(tmp_path) -> None:
    log = '{"timestamp": "2026-05-06T00:00:00+02:00", "resource": "a", "message": "m"}\n'
    provider = a_snapshot(tmp_path, metrics__csv=HEADER + "2026-05-05T00:00:00Z,a,CPU,Percent,1\n", logs__jsonl=log)

    assert provider.now() == datetime(2026, 5, 5, 22, tzinfo=UTC)
    assert a_snapshot(tmp_path, snapshot__json='{"taken_at": "2026-05-11T00:00:00Z"}').now() == datetime(2026, 5, 11, tzinfo=UTC)


def test_gaps_that_the_snapshot_records_are_passed_on(tmp_path) -> None:
    provider = a_snapshot(
        tmp_path, snapshot__json='{"taken_at": "2026-05-11T00:00:00Z", "gaps": [{"what": "rds", "why": "AccessDenied"}]}'
    )

    assert [(g.what, g.why) for g in provider.gaps()] == [("rds", "AccessDenied")]


def test_extra_fields_of_tables_are_kept_and_missing_figures_are_unknown(tmp_path) -> None:
    rows = [
        {
            "resource": "db",
            "engine": "postgres",
            "version": 15,
            "tables": [{"schema": "public", "name": "t", "columns": ["a"], "dead_rows": 9}],
        }
    ]
    (database,) = a_snapshot(tmp_path, databases__json=json.dumps(rows)).databases({"db"})

    table = database.table("public.t")

    assert table is not None
    assert (table.row_estimate, table.columns, table.more["dead_rows"]) == (None, ["a"], 9)


@pytest.mark.parametrize("make", [lambda p: p / "nowhere", lambda p: p])
def test_a_folder_that_is_no_snapshot_is_refused_before_anything_runs(tmp_path, make) -> None:
    with pytest.raises(CallError):
        SnapshotProvider(make(tmp_path))


def test_rows_of_other_resources_take_no_memory(tmp_path) -> None:
    others = "".join(f"2026-05-04T00:00:00Z,other-{i},CPU,Percent,1\n" for i in range(60_000))
    provider = a_snapshot(tmp_path, metrics__csv=HEADER + others + "2026-05-04T00:00:00Z,a,CPU,Percent,1\n")

    tracemalloc.start()
    try:
        (series,) = provider.series({"a"})
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert series.values == (1,)
    assert peak < 2_000_000
