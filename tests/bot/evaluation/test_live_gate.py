"""The live gate: what is unsettled around a change is said, and holds it back where the repository asks for that."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.evaluation.live_gate import LONGEST_DEPLOYMENT, dependants, live_notes, still_open
from bot.report.live_text import live_text
from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.context import Alarm, Deploy, ProductionContext
from gonogo.evaluation import Conclusion
from gonogo.policy import Policy
from gonogo.resource import AffectedResource, Edge, Relation
from gonogo.verdict import Verdict

NOW = datetime(2026, 5, 11, 12, tzinfo=UTC)
QUEUE, WRITER, TEAM, ELSEWHERE = "arn:aws:sqs:eu-west-1:1:orders", "function:writer", "team:shop", "function:elsewhere"


def an_alarm(
    resource: str = QUEUE, state: str = "ALARM", *, name: str = "orders-age-high", ago: timedelta = timedelta(hours=1)
) -> Alarm:
    return Alarm(since=NOW - ago, resource=resource, name=name, state=state)


def a_deploy(
    resource: str = QUEUE, status: str = "in_progress", *, version: str = "v7", ago: timedelta = timedelta(minutes=9)
) -> Deploy:
    return Deploy(timestamp=NOW - ago, resource=resource, version=version, status=status)


def notes_of(*, alarms: tuple[Alarm, ...] = (), deploys: tuple[Deploy, ...] = ()):
    affected = (AffectedResource(resource=QUEUE, kind="aws.sqs.queue", path=(QUEUE,), why="named"),)
    edges = (
        Edge(source=WRITER, target=QUEUE, relation=Relation.WRITES_TO),
        Edge(source=TEAM, target=QUEUE, relation=Relation.OWNED_BY),
        Edge(source=QUEUE, target="function:reader", relation=Relation.TRIGGERS),
    )
    production = ProductionContext(read_at=NOW, source="snapshot", edges=edges, alarms=alarms, deploys=deploys)
    return live_notes(affected, production)


@pytest.mark.parametrize("state", ["ALARM", "alarm", "firing", "In Alarm", "Alerting", "ringing"])
def test_an_alarm_that_rings_on_an_affected_resource_is_said_with_where_it_was_read(state):
    (note,) = notes_of(alarms=(an_alarm(state=state),))

    assert (note.kind, note.resource, note.depends_on, note.source, note.read_at) == ("alarm", QUEUE, None, "snapshot", NOW)
    assert live_text(note) == "alarm orders-age-high rings on orders since 2026-05-11 11:00 UTC"


@pytest.mark.parametrize("state", ["open", "triggered", "acknowledged", "Investigating"])
def test_an_incident_that_is_open_comes_first(state):
    notes = notes_of(alarms=(an_alarm(), an_alarm(state=state, name="INC-41")), deploys=(a_deploy(),))

    assert [n.kind for n in notes] == ["incident", "alarm", "deployment"]
    assert live_text(notes[0]).startswith("incident INC-41 is open on orders")


@pytest.mark.parametrize("state", ["OK", "ok", "resolved", "closed", "INSUFFICIENT_DATA", "normal", "", "paused"])
def test_an_alarm_that_does_not_ring_is_not_said(state):
    assert notes_of(alarms=(an_alarm(state=state),)) == ()


@pytest.mark.parametrize(
    "status", ["in_progress", "IN_PROGRESS", "InProgress", "pending", "queued", "UPDATE_IN_PROGRESS", "rolling back"]
)
def test_a_deployment_that_has_not_ended_is_said(status):
    (note,) = notes_of(deploys=(a_deploy(status=status),))

    assert live_text(note) == f"deployment v7 of orders has not settled since 2026-05-11 11:51 UTC ({status})"


@pytest.mark.parametrize("status", ["succeeded", "failed", "success", "inactive", "COMPLETED", "error"])
def test_a_deployment_that_has_ended_is_not_said(status):
    assert notes_of(deploys=(a_deploy(status=status),)) == ()


def test_only_the_last_state_of_an_alarm_and_of_a_resources_deployments_counts():
    rang = an_alarm(ago=timedelta(hours=5)), an_alarm(state="OK", ago=timedelta(hours=2))
    rolled = a_deploy(ago=timedelta(hours=1)), a_deploy(status="succeeded")

    assert notes_of(alarms=rang[::-1], deploys=rolled[::-1]) == ()


def test_a_deployment_whose_end_nobody_reported_does_not_hold_for_ever():
    assert notes_of(deploys=(a_deploy(ago=LONGEST_DEPLOYMENT + timedelta(minutes=1)),)) == ()
    assert notes_of(deploys=(a_deploy(ago=LONGEST_DEPLOYMENT - timedelta(minutes=1)),)) != ()


def test_what_depends_on_an_affected_resource_counts_and_says_so_and_nothing_else_does():
    notes = notes_of(alarms=(an_alarm(WRITER), an_alarm(TEAM), an_alarm(ELSEWHERE)))

    assert [(n.resource, n.depends_on) for n in notes] == [(WRITER, QUEUE)]
    assert "writer, which depends on orders, since" in live_text(notes[0])


def test_owners_and_repositories_are_no_dependants():
    edges = [
        Edge(source=WRITER, target=QUEUE, relation=Relation.PUBLISHES_TO),
        Edge(source=TEAM, target=QUEUE, relation=Relation.OWNED_BY),
        Edge(source="github:acme/shop", target=QUEUE, relation=Relation.DEPLOYS_TO),
    ]

    assert dependants({QUEUE}, edges) == {WRITER: QUEUE}


def test_without_a_time_nothing_is_known_to_be_open():
    affected = (AffectedResource(resource=QUEUE, kind="aws.sqs.queue", path=(QUEUE,), why="named"),)

    assert live_notes(affected, ProductionContext(alarms=(an_alarm(),))) == ()


def test_a_note_is_closed_when_its_alarm_does_not_ring_any_more_or_its_deployment_has_ended():
    notes = notes_of(alarms=(an_alarm(), an_alarm(WRITER)), deploys=(a_deploy(),))

    same = still_open(notes, alarms=(an_alarm(), an_alarm(WRITER)), deploys=(a_deploy(),), now=NOW + timedelta(minutes=5))
    later = still_open(notes, alarms=(an_alarm(), an_alarm(WRITER, "OK")), deploys=(a_deploy(status="succeeded"),), now=NOW)
    silent = still_open(notes, alarms=(), deploys=(), now=NOW)

    assert same == notes
    assert [(n.kind, n.resource) for n in later] == [("alarm", QUEUE)]
    assert silent == ()


BASE = {"app.py": "TIMEOUT = 3\n"}
HEAD = {"app.py": "TIMEOUT = 3\nNAME = 'shop'\n"}


def a_production(*, state: str = "ALARM", on: str = "function:shop") -> MemoryProduction:
    production = MemoryProduction()
    production.resource("function:shop", "aws.lambda.function", "shop", is_deployed=True)
    production.resource("function:caller", "aws.lambda.function", "caller")
    production.resource("function:far", "aws.lambda.function", "far")
    production.edge("function:caller", "function:shop", "invokes")
    production.metric("function:shop", "Invocations", "Count", 5)
    production.rung.append(an_alarm(on, state))
    return production


def test_a_ringing_alarm_is_part_of_the_text_and_leaves_the_verdict_alone():
    evaluation = evaluation_of(BASE, HEAD, a_production())

    assert (evaluation.verdict, evaluation.is_held) == (Verdict.GO, False)
    assert "Production is not settled: alarm orders-age-high rings on shop" in evaluation.summary
    assert evaluation.to_report()["live"][0]["name"] == "orders-age-high"


@pytest.mark.parametrize("on", ["function:shop", "function:caller"])
def test_with_a_live_gate_it_is_a_no_go_for_now_that_nothing_in_the_change_could_turn(on):
    evaluation = evaluation_of(BASE, HEAD, a_production(on=on), policy=Policy(live_gate=True))

    assert (evaluation.verdict, evaluation.is_held, evaluation.conclusion) == (Verdict.NO_GO, True, Conclusion.EVALUATED)
    assert evaluation.summary.startswith("Held by the live gate: alarm orders-age-high rings on")
    assert (evaluation.blockers(), evaluation.go_if, evaluation.exit_status()) == ((), (), 1)


@pytest.mark.parametrize(("state", "on"), [("OK", "function:shop"), ("ALARM", "function:far")])
def test_the_gate_is_open_when_nothing_rings_around_the_change(state, on):
    evaluation = evaluation_of(BASE, HEAD, a_production(state=state, on=on), policy=Policy(live_gate=True))

    assert (evaluation.verdict, evaluation.live) == (Verdict.GO, ())


def test_documents_pass_whatever_rings():
    evaluation = evaluation_of({"README.md": "a\n"}, {"README.md": "b\n"}, a_production(), policy=Policy(live_gate=True))

    assert (evaluation.verdict, evaluation.conclusion) == (Verdict.GO, Conclusion.NOTHING_TO_EVALUATE)


class Unreachable(MemoryProduction):
    """Answers about what the change affects, and about nothing else."""

    def alarms(self, ids):
        if "function:biller" in ids:
            raise ConnectionError("alarms timed out after 5 s")
        return super().alarms(ids)


def test_a_source_of_alarms_that_fails_is_a_gap_and_no_closed_gate():
    production = Unreachable()
    production.resource("function:shop", "aws.lambda.function", "shop", is_deployed=True)
    production.resource("queue:orders", "aws.sqs.queue", "orders")
    production.resource("function:biller", "aws.lambda.function", "biller")
    production.edge("function:shop", "queue:orders", "writes_to")
    production.edge("function:biller", "queue:orders", "reads_from")

    evaluation = evaluation_of(BASE, HEAD, production, policy=Policy(live_gate=True))

    assert evaluation.verdict is Verdict.GO
    assert [gap.why for gap in evaluation.gaps if gap.stage == "live gate"] == ["ConnectionError: alarms timed out after 5 s"]
