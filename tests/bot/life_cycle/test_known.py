"""What an evaluation goes on from, and how long a verdict holds."""

from tests.bot.life_cycle.desk import COULD_NOT, GO, NO_GO


def test_the_first_evaluation_knows_nothing(desk):
    desk.open(NO_GO)

    assert (desk.judged[-1].earlier, desk.judged[-1].reusable) == (None, ())


def test_the_next_one_goes_on_from_the_last_verdict_and_may_give_any_of_the_day_again(desk):
    pull = desk.open(NO_GO)
    first = desk.newest(pull).id
    desk.push(pull, GO)
    second = desk.newest(pull).id

    desk.push(pull, NO_GO)

    job = desk.judged[-1]
    assert job.earlier.id == second
    assert [known.id for known in job.reusable] == [second, first]


def test_what_could_not_be_evaluated_is_nothing_to_go_on_from(desk):
    pull = desk.open(NO_GO)
    first = desk.newest(pull).id
    desk.push(pull, COULD_NOT)

    desk.push(pull, GO)

    assert desk.judged[-1].earlier.id == first
    assert [known.id for known in desk.judged[-1].reusable] == [first]


def test_after_a_day_a_verdict_is_not_given_again(desk):
    pull = desk.open(NO_GO)
    first = desk.newest(pull).id
    desk.later(hours=24, seconds=1)

    desk.push(pull)

    assert desk.judged[-1].earlier.id == first
    assert desk.judged[-1].reusable == ()


def test_a_merge_group_is_judged_afresh(desk):
    pull = desk.open(GO)

    desk.github.pulls.enqueue(pull)
    desk.settle()

    assert (desk.judged[-1].earlier, desk.judged[-1].reusable) == (None, ())
