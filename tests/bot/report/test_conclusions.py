"""What the required check says: every combination of outcome and wishes, value by value."""

from itertools import product

import pytest

from bot.report.conclusions import Outcome, conclusion_of

TABLE = """
queued    *      *   *   *   | queued      -               waiting to be evaluated
running   *      *   *   *   | in_progress -               evaluating
nothing   *      *   *   *   | completed   success         go: nothing here can reach production
go        *      *   *   no  | completed   success         go
go        *      *   yes yes | completed   success         no-go, acknowledged
go        *      no  no  yes | completed   failure         no-go for now, production is not settled
go        *      yes no  yes | completed   neutral         shadow mode: would have said no-go for now, production is not settled
no-go     *      *   yes *   | completed   success         no-go, acknowledged
no-go     *      no  no  no  | completed   failure         no-go
no-go     *      yes no  no  | completed   neutral         shadow mode: would have said no-go
no-go     *      no  no  yes | completed   failure         no-go for now, production is not settled
no-go     *      yes no  yes | completed   neutral         shadow mode: would have said no-go for now, production is not settled
could-not open   no  *   *   | completed   neutral         could not evaluate
could-not open   yes *   *   | completed   neutral         shadow mode: could not evaluate
could-not closed no  yes *   | completed   neutral         could not evaluate, acknowledged
could-not closed yes yes *   | completed   neutral         shadow mode: could not evaluate, acknowledged
could-not closed no  no  *   | completed   action_required could not evaluate
could-not closed yes no  *   | completed   neutral         shadow mode: could not evaluate
cancelled *      no  *   *   | completed   cancelled       cancelled: not evaluated to the end
cancelled *      yes *   *   | completed   neutral         shadow mode: cancelled: not evaluated to the end
"""
"""outcome, on_error, shadow, acknowledged, held by the live gate | status, conclusion, title; `*` stands for any value."""

ROWS = [
    (*(part.split(maxsplit=n) for part, n in zip(line.split("|"), (4, 2), strict=True)),) for line in TABLE.strip().splitlines()
]
VALUES = list(product(list(Outcome), ("open", "closed"), (False, True), (False, True), (False, True)))


@pytest.mark.parametrize(("outcome", "on_error", "is_shadow", "is_acknowledged", "is_held"), VALUES)
def test_every_combination_has_one_conclusion_and_its_title(outcome, on_error, is_shadow, is_acknowledged, is_held):
    given = [outcome.value, on_error, *("yes" if flag else "no" for flag in (is_shadow, is_acknowledged, is_held))]
    (expected,) = [then for when, then in ROWS if all(w.strip() in ("*", g) for w, g in zip(when, given, strict=True))]

    concluded = conclusion_of(outcome, on_error=on_error, is_shadow=is_shadow, is_acknowledged=is_acknowledged, is_held=is_held)

    assert [concluded.status, concluded.conclusion or "-", concluded.title] == expected


@pytest.mark.parametrize(("outcome", "on_error", "is_shadow", "is_acknowledged", "is_held"), VALUES)
def test_shadow_mode_never_blocks(outcome, on_error, is_shadow, is_acknowledged, is_held):
    concluded = conclusion_of(outcome, on_error=on_error, is_shadow=True, is_acknowledged=is_acknowledged, is_held=is_held)

    assert concluded.conclusion is None or concluded.passes


def test_what_was_not_evaluated_never_passes_without_its_title_saying_so():
    for outcome, on_error, is_shadow, is_acknowledged, is_held in VALUES:
        said = conclusion_of(outcome, on_error=on_error, is_shadow=is_shadow, is_acknowledged=is_acknowledged, is_held=is_held)
        if outcome is Outcome.COULD_NOT:
            assert "could not evaluate" in said.title
            assert said.conclusion != "success"
