"""Every verb says what it does, with an example and what its exit status means."""

import pytest
import typer

from bot.entrypoints.cli.app import app, main


def verbs(command, name=()):
    inner = getattr(command, "commands", None)
    if inner is None:
        yield name
        return
    for word, below in inner.items():
        yield from verbs(below, (*name, word))


VERBS = sorted(verbs(typer.main.get_command(app)))


def test_the_verbs_are_there():
    assert {("check",), ("lint",), ("surface",), ("graph", "export")} <= set(VERBS)


@pytest.mark.parametrize("verb", VERBS, ids=" ".join)
def test_help_has_an_example_of_the_very_verb(verb, capsys):
    main([*verb, "--help"])

    said = " ".join(capsys.readouterr().out.split())
    assert f"Example: gonogo {' '.join(verb)}" in said
