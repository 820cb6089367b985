"""One check run and one comment, whatever happens on the way: changed in place, found again, never made twice."""

import asyncio
from typing import Any

import pytest

from bot.github.client import RepositoryClient
from gonogo.errors import Archived, ForgeUnavailable, Locked, NotFoundYet, Refused
from gonogo.forge import Annotation, CheckAction, CheckOutput
from tests.bot.github.conftest import MARKER, Shop
from tests.github import faults

BODY = f"**no-go** {MARKER}"
COMMENTS = "POST /repos/acme/shop/issues/1/comments"
CHECKS = "POST /repos/acme/shop/check-runs"
BREAKS = [
    faults.bad_gateway(after_commit=True),
    faults.cut(after_commit=True),
    faults.bad_gateway(after_commit=True, status=504),
    faults.Answer("no JSON after commit", 201, "<html>", after_commit=True),
]
FAILS = [faults.bad_gateway(after_commit=False), faults.cut()]


def an_output(*lines: int) -> CheckOutput:
    notes = tuple(Annotation(path="app.py", line=n, level="failure", message=f"line {n}") for n in lines)
    buttons = (CheckAction(identifier="evaluate", label="Re-evaluate", description="Evaluate this commit again"),)
    return CheckOutput(
        title="no-go", summary="Merging may degrade production.", text="the chain", annotations=notes, actions=buttons
    )


async def conclude(client: RepositoryClient, *, head_sha: str, check_run_id: int | None = None, **changed: Any) -> int:
    wanted: dict[str, Any] = {
        "name": "gonogo",
        "head_sha": head_sha,
        "external_id": "gonogo:1:1",
        "status": "completed",
        "conclusion": "failure",
        "output": an_output(1, 2),
        "details_url": "http://127.0.0.1:8000/evaluations/1",
    }
    return await client.publish_check(check_run_id=check_run_id, **(wanted | changed))


async def begin(client: RepositoryClient, *, head_sha: str) -> int:
    return await conclude(client, head_sha=head_sha, status="in_progress", conclusion=None, output=None)


def comment(shop: Shop, body: str = BODY, comment_id: int | None = None) -> int:
    return shop.ask(lambda c: c.publish_comment(1, body, marker=MARKER, comment_id=comment_id))


def test_a_check_is_made_in_progress_and_concluded_in_place(shop: Shop) -> None:
    head = shop.pull.head_sha
    made = shop.ask(lambda c: begin(c, head_sha=head))
    shop.ask(lambda c: conclude(c, head_sha=head, check_run_id=made))

    run = shop.github.check(shop.pull)
    assert run.history == ["in_progress", "completed failure"]
    assert (run.external_id, run.output["title"], len(run.annotations)) == ("gonogo:1:1", "no-go", 2)
    assert [a["identifier"] for a in run.actions] == ["evaluate"]


def test_a_check_whose_id_was_forgotten_is_found_by_name_and_app(shop: Shop) -> None:
    head = shop.pull.head_sha
    other = shop.github.apps.register("other")
    installed = shop.github.apps.install(other, "acme")
    theirs = type(shop)(shop.github, other, installed, shop.repository, shop.pull)
    theirs.ask(lambda c: begin(c, head_sha=head))
    shop.ask(lambda c: begin(c, head_sha=head))

    shop.ask(lambda c: conclude(c, head_sha=head))

    assert [(r.app.slug, r.status) for r in shop.github.checks(head)] == [("other", "in_progress"), ("gonogo", "completed")]


def test_a_concluded_check_is_opened_again_for_the_next_generation(shop: Shop) -> None:
    head = shop.pull.head_sha
    made = shop.ask(lambda c: conclude(c, head_sha=head))
    shop.ask(
        lambda c: c.publish_check(name="gonogo", head_sha=head, external_id="gonogo:1:2", status="in_progress", check_run_id=made)
    )
    shop.ask(lambda c: conclude(c, head_sha=head, external_id="gonogo:1:2", conclusion="success"))

    run = shop.github.check(shop.pull)
    assert run.history == ["completed failure", "in_progress", "completed success"]
    assert run.external_id == "gonogo:1:2"


@pytest.mark.parametrize("fault", BREAKS)
def test_a_check_that_was_made_before_github_broke_is_not_made_again(shop: Shop, fault: faults.Fault) -> None:
    shop.github.faults.add(CHECKS, fault)

    made = shop.ask(lambda c: conclude(c, head_sha=shop.pull.head_sha))

    assert shop.github.check(shop.pull).id == made
    assert len(shop.github.record.of(CHECKS)) == 1
    assert len(shop.github.check(shop.pull).annotations) == 2


@pytest.mark.parametrize("fault", FAILS)
def test_a_check_that_was_not_made_is_made_by_the_next_attempt(shop: Shop, fault: faults.Fault) -> None:
    shop.github.faults.add(CHECKS, fault)

    with pytest.raises(ForgeUnavailable) as broken:
        shop.ask(lambda c: begin(c, head_sha=shop.pull.head_sha))
    assert broken.value.may_be_done
    assert len(shop.github.record.of(CHECKS)) == 1
    shop.ask(lambda c: begin(c, head_sha=shop.pull.head_sha))
    assert shop.github.check(shop.pull).status == "in_progress"


def test_a_check_on_a_commit_that_github_does_not_show_yet_says_so(shop: Shop) -> None:
    with pytest.raises(NotFoundYet):
        shop.ask(lambda c: begin(c, head_sha="f" * 40))


def test_annotations_go_in_portions_of_fifty(shop: Shop) -> None:
    output = an_output(*range(1, 121))

    shop.ask(lambda c: conclude(c, head_sha=shop.pull.head_sha, output=output))

    assert [a["start_line"] for a in shop.github.check(shop.pull).annotations] == list(range(1, 121))
    sent = [len(c.body["output"].get("annotations", ())) for c in shop.github.record.of("PATCH /repos/acme/shop/check-runs/*")]
    assert sent == [50, 50, 20]


@pytest.mark.parametrize("fault", BREAKS + FAILS)
def test_annotations_are_not_shown_twice_after_a_failure_in_the_middle(shop: Shop, fault: faults.Fault) -> None:
    shop.github.faults.add("PATCH /repos/acme/shop/check-runs/*", fault, skip=1)
    output = an_output(*range(1, 121))

    shop.ask(lambda c: conclude(c, head_sha=shop.pull.head_sha, output=output))

    assert sorted(a["start_line"] for a in shop.github.check(shop.pull).annotations) == list(range(1, 121))


def test_a_later_verdict_adds_only_the_annotations_that_are_new(shop: Shop) -> None:
    head = shop.pull.head_sha
    made = shop.ask(lambda c: conclude(c, head_sha=head, output=an_output(1, 2)))

    shop.ask(lambda c: conclude(c, head_sha=head, check_run_id=made, output=an_output(2, 3)))

    assert [a["start_line"] for a in shop.github.check(shop.pull).annotations] == [1, 2, 3]


def test_a_text_that_is_too_long_loses_its_end_and_not_the_check(shop: Shop) -> None:
    long = CheckOutput(title="é" * 300, summary="é" * 65_535, text="日" * 65_535)

    shop.ask(lambda c: conclude(c, head_sha=shop.pull.head_sha, output=long))

    run = shop.github.check(shop.pull)
    assert len(run.output["summary"].encode()) == 65_534
    assert run.output["text"].startswith("日")


def test_a_comment_is_changed_in_place(shop: Shop) -> None:
    made = comment(shop)

    again = comment(shop, f"**go** {MARKER}", made)

    assert again == made
    assert [(c.body, c.edits) for c in shop.github.comments(shop.pull)] == [(f"**go** {MARKER}", 1)]


def test_a_comment_whose_id_was_forgotten_is_found_on_the_last_of_many_pages(shop: Shop) -> None:
    for n in range(250):
        shop.github.conversations.comment(shop.pull, f"comment {n}", tell=False)
    made = comment(shop)

    assert comment(shop, f"**go** {MARKER}") == made
    assert len(shop.github.comments(shop.pull)) == 1


def test_a_marker_in_somebody_elses_comment_is_not_ours(shop: Shop) -> None:
    other = shop.github.apps.register("other")
    shop.github.conversations.comment(shop.pull, f"I am gonogo {MARKER}", by="mallory", tell=False)
    shop.github.conversations.comment(shop.pull, f"me too {MARKER}", bot_of=other, tell=False)

    comment(shop)

    bodies = [(c.author.login, c.body) for c in shop.github.conversations.of(shop.pull)]
    assert bodies[:2] == [("mallory", f"I am gonogo {MARKER}"), ("other[bot]", f"me too {MARKER}")]
    assert bodies[2:] == [("gonogo[bot]", BODY)]


def test_a_comment_that_names_no_app_is_ours_by_its_login(shop: Shop) -> None:
    made = comment(shop)
    listed = {"id": made, "body": BODY, "user": {"login": "gonogo[bot]", "type": "Bot"}, "performed_via_github_app": None}
    shop.github.faults.add("GET /repos/acme/shop/issues/1/comments", faults.Answer("an old server", 200, [listed]))

    assert comment(shop, f"**go** {MARKER}") == made


def test_a_comment_that_was_deleted_is_made_anew(shop: Shop) -> None:
    made = comment(shop)
    shop.github.conversations.delete(next(iter(shop.github.comments(shop.pull))))

    again = comment(shop, BODY, made)

    assert again != made
    assert [c.id for c in shop.github.comments(shop.pull)] == [again]


@pytest.mark.parametrize("fault", BREAKS)
def test_a_comment_that_was_made_before_github_broke_is_not_made_again(shop: Shop, fault: faults.Fault) -> None:
    shop.github.faults.add(COMMENTS, fault)

    made = comment(shop)

    assert [c.id for c in shop.github.comments(shop.pull)] == [made]
    assert len(shop.github.record.of(COMMENTS)) == 1


@pytest.mark.parametrize("fault", FAILS)
def test_a_comment_that_was_not_made_is_made_by_the_next_attempt(shop: Shop, fault: faults.Fault) -> None:
    shop.github.faults.add(COMMENTS, fault)

    with pytest.raises(ForgeUnavailable):
        comment(shop)
    assert len(shop.github.record.of(COMMENTS)) == 1
    comment(shop)
    assert len(shop.github.comments(shop.pull)) == 1


def test_a_failed_edit_never_becomes_a_second_comment(shop: Shop) -> None:
    made = comment(shop)
    shop.github.faults.add("PATCH /repos/acme/shop/issues/comments/*", faults.server_error(502), times=9)

    with pytest.raises(ForgeUnavailable):
        comment(shop, f"**go** {MARKER}", made)

    assert len(shop.github.comments(shop.pull)) == 1
    assert len(shop.github.record.of(COMMENTS)) == 1


def test_a_locked_conversation_takes_no_comment(shop: Shop) -> None:
    shop.github.pulls.lock(shop.pull)

    with pytest.raises(Locked):
        comment(shop)


def test_an_archived_repository_takes_nothing(shop: Shop) -> None:
    shop.github.repositories.archive(shop.repository)

    with pytest.raises(Archived):
        comment(shop)
    with pytest.raises(Archived):
        shop.ask(lambda c: begin(c, head_sha=shop.pull.head_sha))


def test_a_body_that_github_does_not_take_is_refused_once(shop: Shop) -> None:
    with pytest.raises(Refused, match="too long"):
        comment(shop, MARKER + "x" * 65_536)
    assert len(shop.github.record.of(COMMENTS)) == 1


def test_a_body_without_its_marker_is_a_mistake_of_ours(shop: Shop) -> None:
    with pytest.raises(ValueError, match="marker"):
        comment(shop, "no marker")
    assert not shop.github.record.of(COMMENTS)


def test_a_reaction_is_left_once(shop: Shop) -> None:
    theirs = shop.github.conversations.comment(shop.pull, "/gonogo evaluate", tell=False)

    for _ in range(2):
        shop.ask(lambda c: c.react(theirs.id, "eyes"))

    assert [content for _, _, content in theirs.reactions] == ["eyes"]


def test_two_processes_that_conclude_one_check_leave_one(shop: Shop) -> None:
    made = shop.ask(lambda c: begin(c, head_sha=shop.pull.head_sha))

    async def both(client: RepositoryClient) -> None:
        await asyncio.gather(*(conclude(client, head_sha=shop.pull.head_sha, check_run_id=made) for _ in range(2)))

    shop.ask(both, limit=None)

    assert shop.github.check(shop.pull).status == "completed"
