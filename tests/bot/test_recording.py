"""An evaluation that was recorded is repeated exactly: the second reading and the failures too."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import override

import pytest

from benchmarks.cases import Case, cases_of, stage
from bot.bootstrap import Job, prepare
from bot.evaluation.evaluate import evaluate
from bot.report.json import json_report
from context_graph.providers.recording import RecordingProvider
from context_graph.providers.replay import ReplayProvider, write_recording
from context_graph.providers.snapshot import SnapshotProvider
from context_graph.testing_production import MemoryProduction
from gonogo.context import Gap, Series
from gonogo.ports import Provider
from gonogo.word import ResourceId

CASES = cases_of([Path(__file__).parents[2] / "benchmarks" / "suites" / "pull_requests"])
QUEUE = ResourceId("arn:aws:sqs:eu-west-1:1:orders")


def report(job: Job, provider: Provider) -> str:
    evaluation = evaluate(job.request, repository=job.repository, provider=provider, policy=job.policy)
    return json_report(evaluation.model_copy(update={"timings": {}}))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_recorded_replayed_and_read_back_as_a_snapshot_the_report_is_byte_for_byte_the_same(case: Case, tmp_path: Path):
    stage(case, tmp_path / "repo", tmp_path / "production")
    with prepare(
        folder=tmp_path / "repo", base="main", head="pr", production=str(tmp_path / "production"), pr=case.folder / "pr.yaml",
        config=None, is_staged=False, steps=30, deadline_s=150,
    ) as job:  # fmt: skip
        direct = report(job, SnapshotProvider(tmp_path / "production"))
        recording = RecordingProvider(SnapshotProvider(tmp_path / "production"))
        recorded = report(job, recording)
        write_recording(recording.recorded, tmp_path / "recording")

        assert recorded == direct
        assert report(job, ReplayProvider(tmp_path / "recording")) == direct
        assert report(job, SnapshotProvider(tmp_path / "recording" / "production")) == direct


@dataclass
class Wavering(MemoryProduction):
    """Says something else each time it is asked, and once nothing."""

    asked: int = 0

    @override
    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        self.asked += 1
        if self.asked == 3:
            raise TimeoutError("no answer in 5 s")
        found = super().series(ids)
        return [s.model_copy(update={"values": tuple(float(self.asked) for _ in s.values)}) for s in found]


def a_production() -> Wavering:
    production = Wavering(said=[Gap(stage="affected", what="the graph", why="is old")])
    production.resource(QUEUE, "aws.sqs.queue", "orders", client_secret="hunter2hunter2")
    production.resource("arn:aws:sqs:eu-west-1:1:other", "aws.sqs.queue", "other")
    production.metric(QUEUE, "Sent", "Count", [1.0, 2.0])
    production.metric("arn:aws:sqs:eu-west-1:1:other", "Sent", "Count", [1.0])
    production.log(QUEUE, "using token=abcdefgh12345")
    return production


def replayed(recording: RecordingProvider, folder: Path) -> ReplayProvider:
    write_recording(recording.recorded, folder)
    return ReplayProvider(folder)


def test_the_second_reading_is_replayed_as_the_second_and_a_failure_fails_again(tmp_path: Path):
    recording = RecordingProvider(a_production())

    def values(provider: Provider) -> list[object]:
        told: list[object] = []
        for _ in range(4):
            try:
                told.append([s.values for s in provider.series([QUEUE])])
            except Exception as error:  # noqa: BLE001
                told.append(f"{type(error).__name__}: {error}")
        return told

    expected = values(recording)

    assert expected == [[(1.0, 1.0)], [(2.0, 2.0)], "TimeoutError: no answer in 5 s", [(4.0, 4.0)]]
    assert values(replayed(recording, tmp_path)) == expected


def test_a_series_of_a_single_reading_keeps_its_step_by_the_gap_after_it(tmp_path: Path):
    recording = RecordingProvider(a_production())
    other = ResourceId("arn:aws:sqs:eu-west-1:1:other")
    (seen,) = recording.series([other])

    assert (seen.values, seen.step_s) == ((1.0, None), 300.0)
    assert list(replayed(recording, tmp_path).series([other])) == [seen]


def test_gaps_come_back_with_their_stage_and_what_was_not_asked_then_is_a_gap_now(tmp_path: Path):
    recording = RecordingProvider(a_production())
    recording.gaps()
    recording.logs([QUEUE])
    again = replayed(recording, tmp_path)

    assert list(again.gaps()) == [Gap(stage="affected", what="the graph", why="is old")]
    again.resources([QUEUE])
    assert again.gaps()[-1].why == "the recording does not hold it: it was not asked for then"


def test_no_secret_is_in_any_file_of_a_recording(tmp_path: Path):
    recording = RecordingProvider(a_production())
    recording.resources([QUEUE])
    recording.logs([QUEUE])
    write_recording(recording.recorded, tmp_path)

    kept = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "hunter2" not in kept
    assert "abcdefgh12345" not in kept
    assert "client_secret" in kept
    assert json.loads((tmp_path / "replay.json").read_text())["source"] == "memory"


def test_a_hub_stays_a_hub_although_few_of_its_edges_were_seen(tmp_path: Path):
    production = a_production()
    for at in range(300):
        production.edge(f"caller:{at}", QUEUE, "connects_to")
    recording = RecordingProvider(production)
    recording.graph().in_degrees([QUEUE])
    recording.graph().edges_from([ResourceId("caller:7")])

    graph = replayed(recording, tmp_path).graph()

    assert graph.in_degrees([QUEUE]) == {QUEUE: 300}
    assert len(graph.edges_to([QUEUE])) == 1
