"""What counts as a prevented incident, and what does not."""

from dataclasses import replace

from bot.outcomes.prevented import Flagged, Judged, prevented

LOCK = Flagged(
    id="1a2b3c4d",
    playbook="lock-on-live-table",
    resource="db",
    status="confirmed",
    impact="high",
    title="Building i blocks orders",
)


def judged(head: str, *trajectories: Flagged) -> Judged:
    return Judged(id=f"evaluation of {head}", head_sha=head, trajectories=trajectories)


def test_flagged_then_changed_then_gone_then_merged_counts_with_both_evaluations() -> None:
    found = prevented([judged("one", LOCK), judged("two")], merged_head="two")

    assert found is not None
    assert (found.risk.id, found.flagged.head_sha, found.cleared.head_sha, found.how) == (
        LOCK.id,
        "one",
        "two",
        "gone from the change",
    )


def test_a_risk_that_new_evidence_refutes_after_a_commit_says_so() -> None:
    found = prevented([judged("one", LOCK), judged("two", replace(LOCK, status="refuted"))], merged_head="two")

    assert found is not None
    assert found.how == "refuted"


def test_without_a_commit_between_nothing_was_prevented() -> None:
    assert prevented([judged("one", LOCK), judged("one")], merged_head="one") is None


def test_merged_with_the_risk_in_it_prevented_nothing() -> None:
    assert prevented([judged("one", LOCK), judged("two", LOCK)], merged_head="two") is None


def test_the_same_danger_in_other_words_is_still_there() -> None:
    assert prevented([judged("one", LOCK), judged("two", replace(LOCK, id="99999999"))], merged_head="two") is None


def test_a_risk_that_was_only_suspected_does_not_count() -> None:
    assert prevented([judged("one", replace(LOCK, status="plausible")), judged("two")], merged_head="two") is None


def test_one_that_became_a_suspicion_is_not_gone() -> None:
    assert prevented([judged("one", LOCK), judged("two", replace(LOCK, status="plausible"))], merged_head="two") is None


def test_a_head_that_was_merged_without_a_verdict_counts_nothing() -> None:
    assert prevented([judged("one", LOCK), judged("two")], merged_head="three") is None


def test_of_several_the_gravest_is_told() -> None:
    low = replace(LOCK, id="00000000", playbook="cache", impact="low")

    found = prevented([judged("one", low, LOCK), judged("two")], merged_head="two")

    assert found is not None
    assert found.risk.impact == "high"
