"""Installations and repositories: let in, suspended, archived, renamed, taken away."""

from bot.storage.app_rows import Because, EvaluationState
from tests.bot.life_cycle.desk import DOCS, GO, NO_GO
from tests.github.faults import bad_credentials


def test_suspended_its_work_is_dropped_and_woken_it_is_taken_up_again(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.github.apps.suspend(desk.installation)
    desk.settle()
    assert desk.newest(pull).cancelled_because is Because.SUSPENDED
    assert desk.github.checks(pull.head_sha) == []

    desk.github.apps.unsuspend(desk.installation)
    desk.settle()

    assert desk.check(pull).conclusion == "failure"


def test_a_suspension_that_nobody_heard_of_is_learned_from_githubs_answer(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.github.apps.suspend(desk.installation, tell=False)
    desk.settle()

    assert desk.store.installation(desk.installation.id).state == "suspended"
    assert desk.newest(pull).state is EvaluationState.CANCELLED


def test_an_archived_repository_is_left_alone_until_it_is_opened(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.github.repositories.archive(desk.repository)
    desk.settle()
    assert desk.newest(pull).state is EvaluationState.CANCELLED

    desk.github.repositories.unarchive(desk.repository)
    desk.settle()

    assert desk.check(pull).conclusion == "failure"


def test_a_renamed_repository_goes_on_under_its_new_name(desk):
    pull = desk.open(NO_GO)

    desk.github.repositories.rename(desk.repository, "store")
    desk.settle()
    desk.push(pull, GO)

    assert desk.check(pull).conclusion == "success"
    assert desk.judged[-1].repository == "acme/store"
    assert len(desk.github.comments(pull)) == 1


def test_a_repository_that_is_taken_away_leaves_no_code_on_our_disk(desk):
    desk.open(NO_GO)
    folder = desk.ports.mirrors.folder(desk.repository.id)
    assert folder.is_dir()

    desk.github.apps.remove_repositories(desk.installation, desk.repository)
    desk.settle()

    assert not folder.exists()
    assert desk.store.repository(desk.repository.id).state == "removed"


def test_open_pull_requests_of_a_repository_that_is_given_are_evaluated(desk):
    desk.github.apps.remove_repositories(desk.installation, desk.repository)
    desk.settle()
    pull = desk.github.pulls.open(desk.repository, NO_GO, tell=False)

    desk.github.apps.add_repositories(desk.installation, desk.repository)
    desk.settle()

    assert desk.check(pull).conclusion == "failure"


def test_an_app_that_is_uninstalled_drops_everything(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()

    desk.github.apps.uninstall(desk.installation)
    desk.settle()

    assert desk.newest(pull).state is EvaluationState.CANCELLED
    assert desk.store.outbox_pending() == []


def test_tokens_that_are_revoked_in_the_middle_are_made_anew(desk):
    async def revoke(_job):
        desk.github.apps.revoke_tokens()

    desk.judging = revoke

    pull = desk.open(NO_GO)

    assert desk.check(pull).conclusion == "failure"
    assert desk.comment(pull) is not None


def test_one_refusal_of_a_token_is_no_failure(desk):
    desk.github.faults.add("GET /repos/*/pulls/*", bad_credentials(), times=1)

    assert desk.check(desk.open(NO_GO)).conclusion == "failure"


def test_the_sweep_learns_of_installations_and_repositories_that_nobody_told_of(desk):
    other = desk.github.repositories.create("umbrella/labs", {"app.py": "print(0)\n"})
    desk.github.apps.install(desk.app, "umbrella", tell=False)
    pull = desk.github.pulls.open(other, NO_GO, tell=False)

    desk.sweep()
    desk.settle()

    assert desk.check(pull).conclusion == "failure"


def test_a_check_that_says_in_progress_although_nobody_works_on_it_is_ended_by_the_sweep(desk):
    pull = desk.github.pulls.open(desk.repository, NO_GO)
    desk.deliver()
    desk.settle()
    desk.open(DOCS)
    run = desk.check(pull)
    desk.store.see_check_run(
        desk.repository.id, pull.head_sha, "gonogo", check_run_id=run.id, external_id=run.external_id, conclusion=None
    )
    run.status, run.conclusion = "in_progress", None

    desk.later(minutes=1)
    desk.sweep()
    desk.settle()

    assert desk.check(pull).conclusion == "failure"
