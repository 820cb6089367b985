"""What the pages and `/metrics` read, on both databases."""

from datetime import timedelta

import pytest

from bot.storage.app_counts import Counting
from bot.storage.app_dashboard import Dashboard
from bot.storage.app_dashboard_rows import Wanted
from bot.storage.app_publication_rows import MergeOutcomeRow
from bot.storage.app_rows import EvaluationState, Outcome, PullRequestFacts, RepositoryFacts, Result, TrajectoryRow

BLOCKED = TrajectoryRow(
    id="aaaa1111", playbook="lock-on-live-table", status="confirmed", impact="high", resource="r", metric="m", title="It blocks",
    rules=("postgres/index-not-concurrent",), blocks=True,
)  # fmt: skip


@pytest.fixture
def dashboard(database, clock):
    return Dashboard(database, clock)


@pytest.fixture
def counting(database, clock):
    return Counting(database, clock)


def a_pull_request(store, clock, *, repository_id=1, number=1, title="A change", author="dev", head="a" * 40):
    store.upsert_repository(RepositoryFacts(id=repository_id, installation_id=9, owner="acme", name=f"shop-{repository_id}"))
    facts = PullRequestFacts(
        id=repository_id * 1000 + number, repository_id=repository_id, number=number, head_sha=head, base_ref="main", base_sha="b" * 40,
        updated_at=clock(), title=title, author=author,
    )  # fmt: skip
    store.see_pull_request(facts)
    return store.raise_generation(facts.id, head_sha=head, base_ref="main", base_sha="b" * 40, trigger="opened").evaluation


def concluded(store, clock, row, *, took=timedelta(seconds=20), **told):
    store.claim(row.id, "w", timedelta(minutes=5))
    clock.forward(seconds=took.total_seconds())
    assert store.conclude(row.id, "w", Result(**({"outcome": Outcome.GO} | told)))
    return row


def titles(dashboard, **wanted):
    return [one.title for one in dashboard.listed(Wanted(**({"repository_ids": (1, 2)} | wanted)))]


def test_evaluations_are_listed_newest_first_and_only_of_the_repositories_that_were_named(store, clock, dashboard):
    for number in (1, 2):
        a_pull_request(store, clock, number=number, title=f"Number {number}")
        clock.forward(seconds=1)
    a_pull_request(store, clock, repository_id=3, title="Of others")

    assert titles(dashboard) == ["Number 2", "Number 1"]
    assert titles(dashboard, repository_ids=()) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("INDEX", ["Index a table"]),
        ("50%", ["Take 50% off_"]),
        ("%", ["Take 50% off_"]),
        ("off_", ["Take 50% off_"]),
        ("_", ["Take 50% off_"]),
        ("chen", ["Index a table"]),
        ("#7", ["Index a table"]),
        ("8", ["Take 50% off_"]),
        ("c0ffee", ["Index a table"]),
        ("C0FFEE", ["Index a table"]),
        ("99999999999999999999", []),
        ("'; DROP TABLE evaluation; --", []),
        ("zzz", []),
        ("  ", ["Take 50% off_", "Index a table"]),
    ],
)
def test_text_is_looked_for_as_it_is_written(store, clock, dashboard, text, found):
    a_pull_request(store, clock, number=7, title="Index a table", author="chen", head="c0ffee" + "0" * 34)
    clock.forward(seconds=1)
    a_pull_request(store, clock, number=8, title="Take 50% off_", author="bo", head="d" * 40)

    assert titles(dashboard, text=text) == found


def test_outcomes_and_states_narrow_the_list(store, clock, dashboard):
    concluded(store, clock, a_pull_request(store, clock, number=1, title="Bad"), outcome=Outcome.NO_GO)
    concluded(store, clock, a_pull_request(store, clock, number=2, title="Good"))
    a_pull_request(store, clock, number=3, title="Waits")

    assert titles(dashboard, outcomes=(Outcome.NO_GO,)) == ["Bad"]
    assert titles(dashboard, states=(EvaluationState.QUEUED,)) == ["Waits"]
    assert titles(dashboard, states=(EvaluationState.CONCLUDED,), outcomes=(Outcome.GO,)) == ["Good"]


def test_pages_follow_each_other_without_gap_also_at_one_instant(store, clock, dashboard):
    for number in range(1, 8):
        a_pull_request(store, clock, number=number, title=f"Number {number}")

    found, after = [], None
    while page := dashboard.listed(Wanted(repository_ids=(1,), limit=3, after=after)):
        found += [one.title for one in page]
        after = (page[-1].evaluation.created_at, page[-1].evaluation.id)

    assert sorted(found) == [f"Number {number}" for number in range(1, 8)]


def test_a_repository_that_was_removed_is_offered_no_more(store, clock, dashboard):
    a_pull_request(store, clock)
    clock.forward(seconds=1)
    a_pull_request(store, clock, repository_id=2)
    assert [r.name for r in dashboard.repositories_evaluated(limit=10)] == ["shop-2", "shop-1"]

    store.set_repository_state(2, "removed")

    assert [r.name for r in dashboard.repositories_evaluated(limit=10)] == ["shop-1"]


def test_what_an_evaluation_took_counts_from_the_event(store, clock, dashboard):
    row = a_pull_request(store, clock)
    clock.forward(seconds=5)
    concluded(store, clock, row, cost=0.25, steps=3)

    [spent] = dashboard.spending([1], since=clock() - timedelta(days=1))

    assert (spent.waited, spent.took, spent.cost, spent.steps) == (timedelta(seconds=5), timedelta(seconds=25), 0.25, 3)
    assert dashboard.spending([2], since=clock() - timedelta(days=1)) == []
    assert dashboard.spending([1], since=clock() + timedelta(seconds=1)) == []


def test_overrides_are_told_with_what_was_taken_and_blocked_says_whether_it_was(store, clock, dashboard):
    row = concluded(store, clock, a_pull_request(store, clock, title="Index"), outcome=Outcome.NO_GO, trajectories=(BLOCKED,))
    since = clock() - timedelta(days=1)
    assert [b.was_taken for b in dashboard.blocked([1], since=since)] == [False]

    store.acknowledge(row.id, trajectory="aaaa1111", reason="we know", login="ana")

    [taken] = dashboard.overrides([1], since=since)
    assert (taken.title, taken.pull_request, taken.reason, taken.login, taken.repository) == (
        "It blocks",
        "Index",
        "we know",
        "ana",
        "acme/shop-1",
    )
    [blocked] = dashboard.blocked([1], since=since)
    assert (blocked.rules, blocked.was_taken) == (("postgres/index-not-concurrent",), True)
    assert dashboard.overrides([2], since=since) == []


def test_merged_pull_requests_come_with_what_was_said_of_them(store, clock, dashboard):
    row = concluded(store, clock, a_pull_request(store, clock, title="Index"), outcome=Outcome.NO_GO, impact="high")
    merged = MergeOutcomeRow(
        pull_request_id=1001,
        repository_id=1,
        evaluation_id=row.id,
        merged_at=clock(),
        merge_sha=None,
        state="done",
        was_right=True,
    )
    store.save_merge_outcome(merged)

    [found] = dashboard.merged([1], since=clock() - timedelta(days=1))

    assert (found.title, found.outcome, found.impact, found.was_right) == ("Index", Outcome.NO_GO, "high", True)


def test_counts_are_of_everything(store, clock, counting):
    concluded(store, clock, a_pull_request(store, clock, number=1), outcome=Outcome.NO_GO, cost=0.5, input_tokens=7)
    a_pull_request(store, clock, number=2)
    clock.forward(seconds=30)

    counts = counting.counts()

    assert counts.outcomes == {Outcome.NO_GO: 1, Outcome.GO: 0, Outcome.NOTHING: 0, Outcome.COULD_NOT: 0, Outcome.CANCELLED: 0}
    assert counts.states == {EvaluationState.QUEUED: 1, EvaluationState.RUNNING: 0}
    assert counts.oldest_unconcluded_s == 30
    assert (counts.cost, counts.input_tokens) == (0.5, 7)
    count, seconds = counts.took_s
    assert count == 1
    assert seconds == pytest.approx(20, abs=0.01)


def test_counts_of_nothing_are_zero(counting):
    counts = counting.counts()

    assert set(counts.outcomes.values()) == {0}
    assert (counts.oldest_unconcluded_s, counts.took_s) == (0, (0, 0))
