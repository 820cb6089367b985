"""Every provider against the conformance suite, and the suite against providers that break a promise."""

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import override

import pytest

from context_graph.graph import MemoryGraph
from context_graph.providers.live import LiveProvider
from context_graph.providers.recording import RecordingProvider
from context_graph.providers.replay import ReplayProvider, write_recording
from context_graph.providers.snapshot import SnapshotProvider
from context_graph.providers.snapshot_writer import write_snapshot
from context_graph.telemetry import Answer, Call, Fact
from context_graph.testing_production import START, MemoryProduction
from context_graph.testing_providers import check_provider
from gonogo.context import Deploy, LogLine, Series, Window
from gonogo.ports import Provider
from gonogo.resource import Resource
from gonogo.word import ResourceId

QUEUE = "arn:aws:sqs:eu-west-1:1:orders"
LEDGER = "arn:aws:rds:eu-west-1:1:db:ledger"
IDS = [ResourceId(QUEUE), ResourceId(LEDGER)]


def a_production() -> MemoryProduction:
    production = MemoryProduction()
    production.resource(QUEUE, "aws.sqs.queue", "orders", is_deployed=True, visibility_timeout_s=30)
    production.resource(LEDGER, "aws.rds.instance", "ledger", is_deployed=True)
    production.edge(QUEUE, LEDGER, "connects_to")
    production.metric(QUEUE, "NumberOfMessagesSent", "Count", [1.5, None, 0.1 + 0.2, None])
    production.metric(LEDGER, "CPUUtilization", "Percent", [None, 61.25])
    production.log(QUEUE, "sent order 1", "sent order 2")
    production.log(LEDGER, "checkpoint complete", severity="LOG")
    production.database(
        LEDGER,
        tables=[
            {"schema": "public", "name": "orders", "row_estimate": 12, "columns": [{"name": "id"}], "more": {"dead_tuples": 3}}
        ],
        indexes=[{"schema": "public", "table": "orders", "name": "orders_pkey", "bytes": 8192, "scans_per_hour": 0}],
        longest_transaction_s=4.5,
        stats_reset="2026-05-01T00:00:00+00:00",
        constraints=[{"name": "c", "validated": False}],
    )
    production.rolled += [Deploy(timestamp=START, resource=ResourceId(QUEUE), version="41", status="done")]
    return production


class Told:
    """A telemetry source that answers from a production in memory."""

    def __init__(self, production: MemoryProduction) -> None:
        self._production = production

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        ids = [r.id for r in resources]
        asked = {
            Fact.SERIES: self._production.series, Fact.LOGS: self._production.logs, Fact.DATABASES: self._production.databases,
            Fact.DEPLOYS: self._production.deploys, Fact.ALARMS: self._production.alarms,
        }[fact]  # fmt: skip
        return [Call(fact, f"memory {fact.value}", lambda: Answer(asked(ids)))]


class Stored(MemoryGraph):
    """The stored graph, of a production in memory."""

    def __init__(self, production: MemoryProduction) -> None:
        super().__init__(production.links, {r.id: (r.kind, r.name) for r in production.found.values()})
        self.resources = production.resources

    def sightings(self, ids: Collection[ResourceId]) -> dict[ResourceId, object]:
        return {}


def live(production: MemoryProduction) -> LiveProvider:
    return LiveProvider(
        Stored(production),
        [Told(production)],
        clock=lambda: datetime(2026, 5, 11, tzinfo=UTC),
        held_tables=lambda: (production.tables(), []),
    )


def recorded(folder: Path) -> RecordingProvider:
    provider = RecordingProvider(a_production())
    provider.graph().edges_from([ResourceId("github:acme/shop"), *IDS])
    provider.graph().edges_to(IDS)
    provider.graph().kinds_of([*IDS])
    provider.graph().in_degrees(IDS)
    provider.now()
    provider.gaps()
    provider.tables()
    for ask in (provider.resources, provider.series, provider.logs, provider.databases, provider.deploys, provider.alarms):
        ask(IDS)
    write_snapshot(provider.recorded, folder / "snapshot")
    write_recording(provider.recorded, folder / "recording")
    return provider


PROVIDERS: dict[str, Callable[[Path], Provider]] = {
    "memory": lambda _: a_production(),
    "live": lambda _: live(a_production()),
    "recording": lambda _: RecordingProvider(a_production()),
    "recording of live": lambda _: RecordingProvider(live(a_production())),
    "snapshot": lambda folder: SnapshotProvider(folder / "snapshot"),
    "replay": lambda folder: ReplayProvider(folder / "recording"),
}


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_provider_keeps_the_promises_of_a_source(name: str, tmp_path: Path):
    recorded(tmp_path)

    check_provider(lambda: PROVIDERS[name](tmp_path), IDS)


@pytest.mark.parametrize("name", ["live", "snapshot", "replay"])
def test_a_snapshot_gives_back_what_was_read(name: str, tmp_path: Path):
    original = recorded(tmp_path)
    provider = PROVIDERS[name](tmp_path)

    for question in ("resources", "series", "logs", "databases", "deploys", "alarms"):
        assert list(getattr(provider, question)(IDS)) == list(getattr(original, question)(IDS)), question
    assert {at: list(names) for at, names in provider.tables().items()} == {LEDGER: ["orders"]}
    assert set(provider.graph().edges_from(IDS)) == set(original.graph().edges_from(IDS))


class AnswersAboutOthers(MemoryProduction):
    @override
    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        return self.readings


class TellsNewestFirst(MemoryProduction):
    @override
    def logs(self, ids: Collection[ResourceId]) -> Sequence[LogLine]:
        return super().logs(ids)[::-1]


class HoldsNoTables(MemoryProduction):
    @override
    def tables(self) -> dict[ResourceId, Sequence[str]]:
        return {}


@pytest.mark.parametrize("broken", [AnswersAboutOthers, TellsNewestFirst, HoldsNoTables])
def test_the_suite_finds_a_broken_promise(broken: type[MemoryProduction]):
    production = broken(**{k: v for k, v in vars(a_production()).items() if k in MemoryProduction.__dataclass_fields__})

    with pytest.raises(AssertionError):
        check_provider(lambda: production, IDS)


def test_a_secret_in_a_log_line_breaks_the_promise_and_the_recording_mends_it():
    production = a_production()
    production.log(QUEUE, "login with password=hunter2222 failed")

    with pytest.raises(AssertionError, match="secret"):
        check_provider(lambda: production, IDS)
    check_provider(lambda: RecordingProvider(production), IDS)
