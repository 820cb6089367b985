"""status_of and decide, as tables."""

from datetime import UTC, datetime, timedelta

import pytest

from gonogo.context import Window
from gonogo.evidence import FileEvidence, MetricEvidence, Outcome, Verification
from gonogo.policy import Policy
from gonogo.trajectory import Certainty, Comparison, Impact, Link, Refutation, Role, Status, Trajectory, status_of
from gonogo.verdict import LedgerEntry, Verdict, decide

START = datetime(2026, 5, 4, tzinfo=UTC)
LINE = FileEvidence(file="a.py", line=1, quote="x = 1")
METRIC = MetricEvidence(
    resource="db", metric="CPUUtilization", statistic="max", window=Window(start=START, end=START + timedelta(days=1)), value=90.0
)
HARM = Comparison(observed=90, operator=">", limit=80, unit="%")
NO_HARM = Comparison(observed=90, operator=">", limit=95, unit="%")


def a_trajectory(*links: Link, certainty: Certainty | None = None) -> Trajectory:
    return Trajectory(
        title="t",
        impact=Impact.HIGH,
        resource="db",
        metric="CPUUtilization",
        links=links,
        make_safe="do not",
        certainty=certainty,
    )


def checked(evidence, outcome=Outcome.HOLDS, *, is_production=False):
    return Verification(evidence=evidence, outcome=outcome, is_production=is_production)


TRIGGER = Link(role=Role.TRIGGER, claim="the line", evidence=(LINE,))
LINE_HOLDS = checked(LINE)
METRIC_HOLDS = checked(METRIC, is_production=True)

CASES = [
    ("every link proved and harm computed", (TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=HARM)), None, (LINE_HOLDS, METRIC_HOLDS), Status.CONFIRMED),
    ("harm without a comparison", (TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(METRIC,))), None, (LINE_HOLDS, METRIC_HOLDS), Status.PLAUSIBLE),
    ("exposure alone does not confirm what is uncertain", (TRIGGER, Link(role=Role.EXPOSURE, claim="busy", evidence=(METRIC,))), None, (LINE_HOLDS, METRIC_HOLDS), Status.PLAUSIBLE),
    ("exposure confirms what is certain", (TRIGGER, Link(role=Role.EXPOSURE, claim="busy", evidence=(METRIC,))), Certainty.NAME_ABSENT, (LINE_HOLDS, METRIC_HOLDS), Status.CONFIRMED),
    ("certainty without production is a guess", (TRIGGER, Link(role=Role.EXPOSURE, claim="busy", evidence=(LINE,))), Certainty.LOCK, (LINE_HOLDS,), Status.PLAUSIBLE),
    ("an open question keeps it plausible", (TRIGGER, Link(role=Role.MECHANISM, claim="?", question="which?", evidence=(LINE,)), Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=HARM)), None, (LINE_HOLDS, METRIC_HOLDS), Status.PLAUSIBLE),
    ("a link without evidence keeps it plausible", (TRIGGER, Link(role=Role.MECHANISM, claim="?"), Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=HARM)), None, (LINE_HOLDS, METRIC_HOLDS), Status.PLAUSIBLE),
    ("an invented metric cannot confirm", (TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=HARM)), None, (LINE_HOLDS, checked(METRIC, Outcome.NOT_FOUND, is_production=True)), Status.PLAUSIBLE),
    ("a stale metric cannot confirm", (TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=HARM)), None, (LINE_HOLDS, checked(METRIC, Outcome.CONTRADICTS, is_production=True)), Status.PLAUSIBLE),
    ("telemetry of a stranger is not production evidence", (TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=HARM)), None, (LINE_HOLDS, checked(METRIC)), Status.PLAUSIBLE),
    ("nothing verified at all", (TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=HARM)), None, (), Status.PLAUSIBLE),
    ("numbers that show no harm refute", (TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=NO_HARM)), None, (LINE_HOLDS, METRIC_HOLDS), Status.REFUTED),
    ("numbers from a file refute nothing", (TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(LINE,), comparison=NO_HARM)), None, (LINE_HOLDS,), Status.PLAUSIBLE),
    ("production that speaks against refutes", (TRIGGER, Link(role=Role.HARM, claim="hot", refuting=(METRIC,))), None, (LINE_HOLDS, METRIC_HOLDS), Status.REFUTED),
    ("code of an enumerated kind refutes", (TRIGGER, Link(role=Role.EXPOSURE, claim="busy", refuting=(LINE,), refutation=Refutation.CREATED_HERE)), None, (LINE_HOLDS,), Status.REFUTED),
    ("any other code does not", (TRIGGER, Link(role=Role.EXPOSURE, claim="busy", refuting=(LINE,))), None, (LINE_HOLDS,), Status.PLAUSIBLE),
    ("an invented refutation does not", (TRIGGER, Link(role=Role.EXPOSURE, claim="busy", refuting=(METRIC,))), None, (LINE_HOLDS, checked(METRIC, Outcome.NOT_FOUND, is_production=True)), Status.PLAUSIBLE),
]  # fmt: skip


@pytest.mark.parametrize(("links", "certainty", "verifications", "expected"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_a_status_follows_from_links_and_checks_alone(links, certainty, verifications, expected) -> None:
    assert status_of(a_trajectory(*links, certainty=certainty), verifications) is expected


@pytest.mark.parametrize(
    ("statuses", "opted_in", "expected"),
    [
        ([], False, Verdict.GO),
        ([Status.REFUTED], True, Verdict.GO),
        ([Status.PLAUSIBLE], False, Verdict.GO),
        ([Status.PLAUSIBLE], True, Verdict.NO_GO),
        ([Status.REFUTED, Status.CONFIRMED], False, Verdict.NO_GO),
    ],
)
def test_any_confirmed_chain_is_a_no_go_and_plausible_only_where_asked_for(statuses, opted_in, expected) -> None:
    ledger = [LedgerEntry(trajectory=a_trajectory(TRIGGER), verifications=(), status=s) for s in statuses]

    assert decide(ledger, Policy(block_on_plausible=opted_in)) is expected


def test_a_ledger_entry_round_trips_through_json() -> None:
    entry = LedgerEntry(
        trajectory=a_trajectory(TRIGGER, Link(role=Role.HARM, claim="hot", evidence=(METRIC,), comparison=HARM)),
        verifications=(LINE_HOLDS, METRIC_HOLDS),
        status=Status.CONFIRMED,
    )

    assert LedgerEntry.model_validate_json(entry.model_dump_json()) == entry
