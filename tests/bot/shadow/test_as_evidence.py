"""A model replays statements and cites the locks; the checker replays them again and believes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from bot.evidence.check import settle
from bot.evidence.checkers import answer_to
from bot.evidence.sources import Sources
from bot.investigator.case import Case
from bot.investigator.citing import Citation, Refused, cited
from bot.investigator.conversation import ToolCall
from bot.investigator.desk import Desk
from bot.investigator.drafts import Drafts
from bot.investigator.tools.registry import run
from gonogo.errors import ShadowUnavailable
from gonogo.evidence import Outcome, ShadowEvidence
from gonogo.policy import Policy
from gonogo.shadow import Replay, Replayed
from gonogo.trajectory import Impact, Link, Role, Trajectory
from gonogo.word import ResourceId

LOCK = "Share on orders"
STATEMENT = "CREATE INDEX i ON orders (customer_id)"


@dataclass
class TellingShadow:
    """Tells what it was made to tell."""

    told: list[Replayed | Exception] = field(default_factory=list)
    seconds: float = 0.1
    asked: list[tuple[str, ...]] = field(default_factory=list)

    def replay(self, statements: Sequence[str]) -> Replay:
        self.asked.append(tuple(statements))
        found = self.told[min(len(self.asked), len(self.told)) - 1]
        if isinstance(found, Exception):
            raise found
        return Replay(server="PostgreSQL 16", statements=(found,), notes=("one note",), seconds=self.seconds)

    def close(self) -> None:
        """Nothing is open."""


def a_desk(context, shadow) -> Desk:
    return Desk(Case(diff=context(), affected=(), findings=(), policy=Policy(), shadow=shadow), Drafts())


def told_by_the_tool(context, shadow, *statements):
    result = run(ToolCall("1", "replay_migration", {"statements": list(statements)}), a_desk(context, shadow))
    return result.content, result.is_error


def test_the_tool_tells_locks_rewrites_and_notes_and_that_rows_are_not_there(context):
    shadow = TellingShadow([Replayed(statement=STATEMENT, locks=(LOCK,), rewrites=("orders",))])

    said, is_error = told_by_the_tool(context, shadow, STATEMENT)

    assert not is_error
    assert f"locks: {LOCK}; rewrites: orders" in said
    assert "note: one note" in said
    assert "no rows: times and rows say nothing" in said


def test_the_tool_tells_the_sqlstate_of_what_the_server_refuses(context):
    shadow = TellingShadow([Replayed(statement=STATEMENT, sqlstate="42P07", error='relation "i" already exists')])

    said, _ = told_by_the_tool(context, shadow, STATEMENT)

    assert 'failed with 42P07: relation "i" already exists' in said


@pytest.mark.parametrize("shadow", [None, TellingShadow([ShadowUnavailable("no PostgreSQL server is installed here")])])
def test_without_a_server_the_tool_says_so_and_where_to_look_instead(context, shadow):
    said, is_error = told_by_the_tool(context, shadow, STATEMENT)

    assert is_error
    assert "no data: looked at no " in said
    assert "database_statistics" in said


def test_a_citation_takes_the_locks_from_the_replay(context):
    shadow = TellingShadow([Replayed(statement=STATEMENT, locks=(LOCK,))])

    evidence = cited(Citation(kind="shadow", statement=STATEMENT, value=LOCK), a_desk(context, shadow))

    assert evidence == ShadowEvidence(statement=STATEMENT, locks=(LOCK,))


@pytest.mark.parametrize(
    ("citation", "shadow"),
    [
        ({"value": LOCK}, TellingShadow([Replayed(statement=STATEMENT, locks=(LOCK,))])),
        ({"statement": STATEMENT, "value": "AccessExclusive on orders"}, TellingShadow([Replayed(statement=STATEMENT, locks=(LOCK,))])),
        ({"statement": STATEMENT}, TellingShadow([Replayed(statement=STATEMENT, sqlstate="42P07", error="exists")])),
        ({"statement": STATEMENT}, TellingShadow([Replayed(statement=STATEMENT, locks=(LOCK,))], seconds=9)),
        ({"statement": STATEMENT}, TellingShadow([ShadowUnavailable("no server")])),
        ({"statement": STATEMENT}, None),
    ],
    ids=["no statement", "a lock that it does not take", "an error", "too slow to be read again", "no server", "no database"],
)  # fmt: skip
def test_a_citation_that_the_replay_does_not_bear_out_is_refused(context, citation, shadow):
    with pytest.raises(Refused):
        cited(Citation(kind="shadow", **citation), a_desk(context, shadow))


@pytest.mark.parametrize(
    ("again", "outcome"),
    [
        (Replayed(statement=STATEMENT, locks=("AccessShare on customers", LOCK)), Outcome.HOLDS),
        (Replayed(statement=STATEMENT, locks=("ShareUpdateExclusive on orders",)), Outcome.CONTRADICTS),
        (Replayed(statement=STATEMENT, locks=(LOCK,), sqlstate="42P07", error="exists"), Outcome.CONTRADICTS),
        (ShadowUnavailable("no server"), Outcome.NOT_FOUND),
    ],
    ids=["the same and more", "another lock", "an error", "no server"],
)
def test_the_checker_replays_again(again, outcome):
    sources = Sources(trees={}, shadow=TellingShadow([again]))

    assert answer_to(ShadowEvidence(statement=STATEMENT, locks=(LOCK,)), sources)[0] is outcome


def test_a_lock_alone_confirms_nothing(shadow):
    evidence = ShadowEvidence(statement=STATEMENT, locks=(LOCK,))
    links = tuple(Link(role=role, claim="it locks", evidence=(evidence,)) for role in Role)
    claim = Trajectory(title="t", impact=Impact.HIGH, resource=ResourceId("r"), metric="m", links=links, make_safe="")

    (entry,), gaps = settle([claim], {}, None, ["r"], shadow=shadow)

    assert gaps == ()
    assert [v.outcome for v in entry.verifications] == [Outcome.HOLDS]
    assert entry.verifications[0].observed.endswith(f": {LOCK}")
    assert entry.status.value == "plausible"
