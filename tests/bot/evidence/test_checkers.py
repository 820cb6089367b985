"""Every kind of citation: true, wrong, stale and invented."""

from datetime import timedelta

import pytest

from bot.evidence.check import settle
from context_graph.testing import MemoryTree
from context_graph.testing_production import START, MemoryProduction
from gonogo.context import Window
from gonogo.evidence import (
    ConfigEvidence,
    DatabaseEvidence,
    FileEvidence,
    GraphEvidence,
    LogEvidence,
    MetricEvidence,
    ShadowEvidence,
)
from gonogo.policy import Policy
from gonogo.trajectory import Certainty, Comparison, Impact, Link, Role, Status, Trajectory
from gonogo.verdict import Verdict, decide

DAY = Window(start=START, end=START + timedelta(days=1))
TREES = {
    "base": MemoryTree({"a.py": "x = 1\n"}, side="base"),
    "head": MemoryTree({"a.py": "x = 1\ny = 2   \nz = 3\n"}, side="head"),
}


def a_production() -> MemoryProduction:
    production = MemoryProduction()
    production.resource(
        "fn", "aws.lambda.function", "fn", is_deployed=True, memory_mb=512, environment_keys=["A"], bindings={"Q": "queue"}
    )
    production.resource("db", "aws.rds.instance", "db")
    production.edge("q", "fn", "triggers")
    production.edge("q2", "fn", "triggers")
    production.edge("q2", "other", "triggers")
    production.metric("fn", "Duration.p99", "Milliseconds", [100.0, 250.0, None])
    production.log("fn", "REPORT Max Memory Used: 212 MB", "REPORT Max Memory Used: 480 MB", "hello")
    production.database(
        "db",
        tables=[{"schema": "public", "name": "orders", "row_estimate": 40, "writes_per_second": 2.5}],
        settings={"lock_timeout": "0"},
    )
    return production


def metric(**over):
    return MetricEvidence(
        **{"resource": "fn", "metric": "Duration.p99", "statistic": "max", "window": DAY, "value": 250.0, **over}
    )


def log(**over):
    return LogEvidence(**{"resource": "fn", "pattern": r"Max Memory Used: (?P<mb>\d+)", "count": 2, "window": DAY, **over})


HOLDS = [
    FileEvidence(file="a.py", line=2, quote="y = 2"),
    FileEvidence(file="a.py", line=1, end_line=2, quote="x = 1\ny = 2"),
    FileEvidence(file="a.py", line=1, side="base", quote="x = 1"),
    metric(),
    metric(value=250.0000001),
    log(),
    log(field="mb", statistic="max", value=480),
    ConfigEvidence(resource="fn", key="memory_mb", value=512),
    ConfigEvidence(resource="fn", key="environment_keys", value="B", absent=True),
    ConfigEvidence(resource="fn", key="environment_keys", value="A"),
    ConfigEvidence(resource="fn", key="bindings", value="R2", absent=True),
    GraphEvidence(source="q", target="fn", relation="triggers", is_sole=True),
    GraphEvidence(source="q2", target="fn", relation="triggers"),
    DatabaseEvidence(resource="db", table="orders", statistic="row_estimate", value=40),
    DatabaseEvidence(resource="db", table="public.orders", statistic="writes_per_second", value=2.5),
    DatabaseEvidence(resource="db", statistic="settings.lock_timeout", value="0"),
]

FAILS = [
    FileEvidence(file="a.py", line=1, quote="y = 2"),
    FileEvidence(file="a.py", line=99, quote="x"),
    FileEvidence(file="gone.py", line=1, quote="x"),
    FileEvidence(file="a.py", line=1, end_line=90, quote="x = 1"),
    FileEvidence(file="a.py", line=2, side="base", quote="y = 2"),
    metric(value=251.0),
    metric(metric="Invented"),
    metric(resource="db"),
    metric(window=Window(start=START - timedelta(days=9), end=START - timedelta(days=8))),
    log(count=3),
    log(pattern="never said"),
    log(pattern="(unclosed"),
    log(field="mb", statistic="max", value=481),
    log(field="nothing", statistic="max", value=1),
    ConfigEvidence(resource="fn", key="memory_mb", value=1024),
    ConfigEvidence(resource="fn", key="environment_keys", value="A", absent=True),
    ConfigEvidence(resource="fn", key="no_such_list", value="A", absent=True),
    ConfigEvidence(resource="nobody", key="memory_mb", value=512),
    GraphEvidence(source="fn", target="q", relation="triggers"),
    GraphEvidence(source="q2", target="fn", relation="triggers", is_sole=True),
    DatabaseEvidence(resource="db", table="orders", statistic="row_estimate", value=41),
    DatabaseEvidence(resource="db", table="nothing", statistic="row_estimate", value=40),
    DatabaseEvidence(resource="db", index="nothing", statistic="scans_per_hour", value=40),
    ShadowEvidence(statement="ALTER TABLE t", locks=("AccessExclusive",)),
]  # fmt: skip


def the_entry(evidence, *, path=("fn", "db", "q", "q2"), affected=("fn", "db", "q", "q2"), production=None):
    claim = Trajectory(
        title="t", impact=Impact.HIGH, resource="fn", metric="Errors", path=path, make_safe="do not", certainty=Certainty.LOCK,
        links=(
            Link(role=Role.TRIGGER, claim="line", evidence=(FileEvidence(file="a.py", line=1, quote="x = 1"),)),
            Link(role=Role.HARM, claim="harm", evidence=(evidence,), comparison=Comparison(observed=2, operator=">", limit=1)),
        ),
    )  # fmt: skip
    ((entry,), _) = settle([claim], TREES, production or a_production(), set(affected))
    return entry


@pytest.mark.parametrize("evidence", HOLDS, ids=lambda e: e.kind)
def test_a_true_citation_holds(evidence) -> None:
    assert the_entry(evidence).citations_dropped == 0


@pytest.mark.parametrize("evidence", FAILS, ids=lambda e: e.kind)
def test_no_invented_or_stale_citation_can_produce_a_no_go(evidence) -> None:
    entry = the_entry(evidence)

    assert entry.citations_dropped == 1
    assert entry.status is not Status.CONFIRMED
    assert decide([entry], Policy()) is Verdict.GO


@pytest.mark.parametrize("evidence", [e for e in HOLDS if e.kind != "file"], ids=lambda e: e.kind)
def test_a_true_citation_of_production_confirms_and_one_off_the_path_does_not(evidence) -> None:
    assert the_entry(evidence).status is Status.CONFIRMED
    assert the_entry(evidence, affected=()).status is Status.PLAUSIBLE


def test_a_source_that_fails_when_read_again_leaves_its_citations_unproved() -> None:
    production = a_production()
    production.failing.add("series")

    entry = the_entry(metric(), production=production)

    assert (entry.status, entry.citations_dropped) == (Status.PLAUSIBLE, 1)
