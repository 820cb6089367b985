"""What a comment asks for."""

import pytest

from bot.jobs.commands import Command, NotUnderstood, Verb, command_of


@pytest.mark.parametrize(
    "body",
    [
        "",
        "please run /gonogo evaluate",
        " /gonogo evaluate",
        "> /gonogo evaluate",
        "\n/gonogo evaluate",
        "/gonogoevaluate",
        "/gonogo-evaluate",
        "/GONOGO evaluate",
        "`/gonogo evaluate`",
        "<!-- gonogo:7 -->",
    ],
)
def test_only_a_comment_that_begins_with_the_word_is_a_command(body):
    assert command_of(body) is None


@pytest.mark.parametrize(
    ("body", "verb"),
    [
        ("/gonogo evaluate", Verb.EVALUATE),
        ("/gonogo   explain  ", Verb.EXPLAIN),
        ("/gonogo cancel\n\nIt is a draft really.", Verb.CANCEL),
        ("/gonogo bench\r\nthanks", Verb.BENCH),
        ("/gonogo Evaluate", Verb.EVALUATE),
        ("/gonogo evaluate please", Verb.EVALUATE),
    ],
)
def test_the_first_line_says_what_to_do(body, verb):
    assert command_of(body) == Command(verb)


def test_an_acknowledgement_names_a_risk_and_says_why():
    found = command_of("/gonogo ack 1A2b3c4d the table   is archived\nsecond line")

    assert found == Command(Verb.ACK, trajectory="1a2b3c4d", reason="the table is archived")


def test_everything_can_be_acknowledged_at_once():
    assert command_of("/gonogo ack * we watch it") == Command(Verb.ACK, trajectory="*", reason="we watch it")


@pytest.mark.parametrize("body", ["/gonogo ack", "/gonogo ack 1a2b3c4d", "/gonogo ack it is fine", "/gonogo ack 1a2b3c4d   "])
def test_an_acknowledgement_without_a_risk_or_a_reason_is_answered_with_how_it_is_written(body):
    found = command_of(body)

    assert isinstance(found, NotUnderstood)
    assert "/gonogo ack" in found.why


@pytest.mark.parametrize("body", ["/gonogo", "/gonogo merge", "/gonogo @somebody"])
def test_an_unknown_command_is_answered_with_those_that_there_are(body):
    found = command_of(body)

    assert isinstance(found, NotUnderstood)
    assert "/gonogo cancel" in found.why
    assert "@somebody" not in found.why


def test_a_reason_of_a_novel_is_cut():
    found = command_of("/gonogo ack 1a2b3c4d " + "because " * 1000)

    assert isinstance(found, Command)
    assert len(found.reason) == 500


def test_tabs_are_spaces():
    assert command_of("/gonogo\tack\t*\twe\twatch it") == Command(Verb.ACK, trajectory="*", reason="we watch it")
