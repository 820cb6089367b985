"""The live provider: calls side by side, each with its limit; what fails is a gap and costs nothing else."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Barrier, Event
from time import monotonic

import pytest

from context_graph.graph import MemoryGraph
from context_graph.providers.live import LiveProvider
from context_graph.providers.parallel import Running
from context_graph.telemetry import Answer, Call, Fact, grid, on_grid
from gonogo.context import Series, Window
from gonogo.resource import Resource
from gonogo.word import Instant, ResourceId

NOW = datetime(2026, 5, 11, 12, 3, 7, tzinfo=UTC)
QUEUE = ResourceId("arn:aws:sqs:eu-west-1:1:orders")
NEVER = Event()


@dataclass
class Scoped:
    scope: str = "aws/1/eu-west-1/sqs"
    status: str = "ok"
    why: str = ""


@dataclass
class Seen:
    last_seen: Instant
    scope: Scoped


class Inventory(MemoryGraph):
    def __init__(self, *, age: timedelta = timedelta(), status: str = "ok", why: str = "") -> None:
        super().__init__([], {QUEUE: ("aws.sqs.queue", "orders")})
        self._seen = Seen(NOW - age, Scoped(status=status, why=why))

    def resources(self, ids: Collection[ResourceId]) -> Sequence[Resource]:
        return [Resource(id=QUEUE, kind="aws.sqs.queue", name="orders")] if QUEUE in ids else []

    def sightings(self, ids: Collection[ResourceId]) -> dict[ResourceId, Seen]:
        return {QUEUE: self._seen} if QUEUE in ids else {}


class Source:
    def __init__(self, **answers: Callable[[], Answer]) -> None:
        self._answers = answers
        self.asked: list[Fact] = []

    def calls(self, fact: Fact, resources: Sequence[Resource], window: Window) -> Sequence[Call]:
        self.asked.append(fact)
        return (
            [Call(fact, f"fake {fact.name.lower()}", self._answers[fact.name.lower()], limit_s=0.2)]
            if fact.name.lower() in self._answers
            else []
        )


def a_series(metric: str = "Sent") -> Series:
    return Series(resource=QUEUE, metric=metric, unit="Count", start=NOW, step_s=300, values=(1.0,))


def live(*sources: Source, inventory: Inventory | None = None) -> LiveProvider:
    return LiveProvider(inventory or Inventory(), sources, clock=lambda: NOW)


def gaps_of(provider: LiveProvider) -> list[str]:
    return [f"{gap.what}: {gap.why}" for gap in provider.gaps()]


def hang() -> Answer:
    NEVER.wait(20)
    return Answer()


def refuse() -> Answer:
    raise PermissionError("AccessDenied: not yours")


def test_a_source_that_hangs_is_a_gap_after_its_limit_and_the_others_answer():
    provider = live(Source(series=hang), Source(series=lambda: Answer([a_series()])))
    started = monotonic()

    found = provider.series([QUEUE])

    assert [s.metric for s in found] == ["Sent"]
    assert monotonic() - started < 5
    assert gaps_of(provider) == ["fake series: no answer within 0.2 s"]


def test_a_source_that_raises_is_a_gap_that_names_what_and_why():
    provider = live(Source(series=refuse))

    assert provider.series([QUEUE]) == []
    assert gaps_of(provider) == ["fake series: PermissionError: AccessDenied: not yours"]


def test_all_questions_are_asked_side_by_side_once_configuration_is_asked_for():
    together = Barrier(2, timeout=5)

    def meet(answer: Answer) -> Callable[[], Answer]:
        def run() -> Answer:
            together.wait()
            return answer

        return run

    source = Source(series=meet(Answer([a_series()])), alarms=meet(Answer()))
    provider = LiveProvider(Inventory(), [source], clock=lambda: NOW)
    provider.resources([QUEUE])

    assert [s.metric for s in provider.series([QUEUE])] == ["Sent"]
    assert provider.alarms([QUEUE]) == []
    assert gaps_of(provider) == []


def test_a_question_that_is_asked_again_is_read_again():
    answers = iter([Answer([a_series("first")]), Answer([a_series("second")])])
    provider = live(Source(series=lambda: next(answers)))
    provider.resources([QUEUE])

    assert [s.metric for s in (*provider.series([QUEUE]), *provider.series([QUEUE]))] == ["first", "second"]


@pytest.mark.parametrize(
    ("inventory", "gap"),
    [
        (Inventory(age=timedelta(days=3)), "its configuration was read 3 days ago; run: gonogo graph sync"),
        (Inventory(age=timedelta(hours=30)), "its configuration was read 30 hours ago; run: gonogo graph sync"),
        (Inventory(status="denied", why="AccessDenied"), "the last sync of aws/1/eu-west-1/sqs ended denied (AccessDenied)"),
    ],
)
def test_old_or_partly_read_configuration_is_said(inventory: Inventory, gap: str):
    provider = live(inventory=inventory)
    provider.resources([QUEUE])

    assert gaps_of(provider) == [f"{QUEUE}: {gap}"]


def test_more_calls_than_places_wait_for_one_and_none_lasts_beyond_the_whole():
    calls = [Call(Fact.SERIES, f"call {at}", hang, limit_s=0.1) for at in range(40)]
    started = monotonic()

    answers = Running(calls, within_s=0.5, in_parallel=4).answers()

    assert monotonic() - started < 5
    assert len(answers) == 40
    said = [a.gaps[0].why for a in answers]
    assert "no answer within 0.1 s" in said
    assert "not started within 0.5 s: too many calls before it" in said


def test_answers_come_in_the_order_of_the_calls():
    calls = [Call(Fact.SERIES, str(at), lambda at=at: Answer([at])) for at in range(50)]

    assert [a.facts[0] for a in Running(calls, within_s=10, in_parallel=7).answers()] == list(range(50))


def test_the_grid_ends_with_the_last_whole_step_and_points_off_it_go_to_their_nearest_place():
    window = grid(NOW, look_back=timedelta(minutes=20))

    assert (window.start, window.end) == (NOW.replace(minute=40, hour=11, second=0), NOW.replace(minute=0, second=0))
    start = window.start.timestamp()
    assert on_grid([(start + 2, 1.0), (start + 600, float("nan")), (start + 899, 3.0), (start + 1200, 9.0)], window) == (
        1.0,
        None,
        None,
        3.0,
    )
    assert on_grid([(start - 900, 1.0)], window) is None
