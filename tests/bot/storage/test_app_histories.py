"""Laws of the store over random histories of pushes, cancellations, claims, deaths and conclusions."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.storage.app_rows import VERDICTS, Because, EvaluationFilter, EvaluationState, Outcome, Result
from bot.storage.app_store import AppStore
from bot.storage.app_testing import TTL, ManualClock, a_pull_request, a_queued_evaluation

OWNERS = st.sampled_from(["a", "b", "c"])
STEP = st.one_of(
    st.tuples(st.just("push"), st.integers(0, 1), st.booleans()),
    st.tuples(st.just("claim"), st.integers(0, 5), OWNERS),
    st.tuples(st.just("heartbeat"), st.integers(0, 5), OWNERS),
    st.tuples(st.just("release"), st.integers(0, 5), OWNERS),
    st.tuples(
        st.just("conclude"), st.integers(0, 5), OWNERS, st.sampled_from([o for o in Outcome if o is not Outcome.CANCELLED])
    ),
    st.tuples(st.just("cancel"), st.integers(0, 1), st.sampled_from([Because.COMMAND, Because.CLOSED])),
    st.tuples(st.just("time"), st.integers(1, 20)),
    st.tuples(st.just("publish"), st.booleans()),
)


@dataclass
class Known:
    """What must be true of one evaluation, worked out from the history alone."""

    subject: str
    generation: int
    state: str = "queued"
    owner: str | None = None
    until: datetime | None = None
    is_newest: bool = True


@dataclass
class History:
    store: AppStore
    clock: ManualClock
    prs: list[int]
    known: dict[str, Known] = field(default_factory=dict)
    taken: dict[int, datetime] = field(default_factory=dict)

    def play(self, step: tuple) -> None:
        getattr(self, step[0])(*step[1:])
        self.laws()

    def push(self, which: int, is_same_head: bool) -> None:
        head = "same" if is_same_head else f"h{len(self.known)}"
        begun = a_queued_evaluation(self.store, self.prs[which], head=head)
        for other in self.known.values():
            if other.subject == begun.subject:
                other.is_newest = False
                other.state = "cancelled" if other.state in ("queued", "running") else other.state
        assert begun.generation == 1 + sum(k.subject == begun.subject for k in self.known.values())
        self.known[begun.id] = Known(begun.subject, begun.generation)

    def claim(self, at: int, owner: str) -> None:
        if (which := self.some(at)) is None:
            return
        evaluation, known = which
        now = self.clock()
        is_free = known.state == "queued" or (known.state == "running" and known.until is not None and known.until < now)
        got = self.store.claim(evaluation, owner, TTL)
        assert (got is not None) is is_free, "a claim is had exactly when nobody has it"
        if got:
            known.state, known.owner, known.until = "running", owner, now + TTL

    def heartbeat(self, at: int, owner: str) -> None:
        if (which := self.some(at)) is None:
            return
        evaluation, known = which
        is_ours = known.state == "running" and known.owner == owner
        assert self.store.heartbeat(evaluation, owner, TTL) is is_ours
        if is_ours:
            known.until = self.clock() + TTL

    def release(self, at: int, owner: str) -> None:
        if (which := self.some(at)) is None:
            return
        evaluation, known = which
        is_ours = known.state == "running" and known.owner == owner
        assert self.store.release(evaluation, owner) is is_ours
        if is_ours:
            known.state, known.owner = "queued", None

    def conclude(self, at: int, owner: str, outcome: Outcome) -> None:
        if (which := self.some(at)) is None:
            return
        evaluation, known = which
        is_ours = known.owner == owner and known.state in ("running", "concluded")
        assert self.store.conclude(evaluation, owner, Result(outcome)) is is_ours
        if is_ours:
            assert known.is_newest or known.state == "concluded", "what was superseded never concludes"
            known.state = "concluded"
        elif known.state == "cancelled" and known.owner == owner:
            known.owner = None

    def cancel(self, which: int, because: Because) -> None:
        subject = f"pr:{self.prs[which]}"
        alive = [k for k in self.known.values() if k.subject == subject and k.state in ("queued", "running")]
        assert self.store.cancel(subject, because) == len(alive) <= 1
        for known in alive:
            known.state = "cancelled"

    def time(self, seconds: int) -> None:
        self.clock.forward(seconds=seconds)

    def publish(self, is_written: bool) -> None:
        for row in self.store.outbox_take("p", lease=timedelta(seconds=10)):
            assert self.taken.get(row.number, self.clock()) <= self.clock(), "no row is leased twice at once"
            self.taken[row.number] = self.clock() + timedelta(seconds=10)
            if is_written:
                assert self.store.outbox_done(row)
                del self.taken[row.number]

    def some(self, at: int) -> tuple[str, Known] | None:
        newest_first = list(reversed(self.known.items()))
        return newest_first[at] if at < len(newest_first) else None

    def laws(self) -> None:
        rows = [r for pr in self.prs for r in self.store.evaluations_of(EvaluationFilter(pull_request_id=pr, limit=500))]
        assert {r.id: str(r.state) for r in rows} == {at: known.state for at, known in self.known.items()}
        verdicts = [(r.subject, r.generation) for r in rows if r.outcome in VERDICTS]
        assert len(verdicts) == len(set(verdicts)), "at most one verdict a generation"
        for subject in {r.subject for r in rows}:
            alive = [r for r in rows if r.subject == subject and r.state in (EvaluationState.QUEUED, EvaluationState.RUNNING)]
            assert len(alive) <= 1
            assert all(self.known[r.id].is_newest for r in alive)
        pending = [(r.kind, r.key) for pr in self.prs for r in self.store.outbox_pending(subject=f"pr:{pr}")]
        assert len(pending) == len(set(pending)), "one write at a time to each place"


@pytest.fixture
def fresh(store: AppStore, clock: ManualClock) -> tuple[AppStore, ManualClock, count]:
    return store, clock, count(1001)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=st.lists(STEP, min_size=5, max_size=30))
def test_no_history_makes_two_claims_two_verdicts_or_a_late_one(fresh, steps):
    store, clock, numbers = fresh
    prs = [next(numbers), next(numbers)]
    for pr in prs:
        a_pull_request(store, pr)
    for row in store.outbox_take("the example before", limit=500):
        store.outbox_done(row)
    clock.forward(minutes=1)
    for row in store.outbox_take("the example before", limit=500):
        store.outbox_done(row)
    history = History(store, clock, prs)

    for step in steps:
        history.play(step)
