"""Check runs of the loopback GitHub follow GitHub's rules."""

import pytest

from tests.github.asking import as_installation, as_person
from tests.github.conftest import Shop
from tests.github.shapes import Json


def a_note(line: int = 1, **more: object) -> Json:
    return {"path": "app.py", "start_line": line, "end_line": line, "annotation_level": "warning", "message": "m"} | more


def test_a_run_goes_from_in_progress_to_its_conclusion_and_keeps_its_history(shop: Shop) -> None:
    number = shop.new_check(external_id="gonogo:1:1").json()["id"]
    done = shop.ask.patch(
        f"/repos/acme/shop/check-runs/{number}", json={"conclusion": "failure", "output": {"title": "no-go", "summary": "s"}}
    )

    assert done.json()["status"] == "completed"
    run = shop.github.check(shop.pull)
    assert (run.history, run.external_id, run.conclusion) == (["in_progress", "completed failure"], "gonogo:1:1", "failure")
    assert [m.text for m in run.moments] == ["", "no-go"]


def test_a_completed_run_that_is_in_progress_again_has_no_conclusion(shop: Shop) -> None:
    number = shop.new_check(status="completed", conclusion="success").json()["id"]
    again = shop.ask.patch(f"/repos/acme/shop/check-runs/{number}", json={"status": "in_progress"}).json()

    assert (again["status"], again["conclusion"], again["completed_at"]) == ("in_progress", None, None)


def test_annotations_are_appended_and_paged(shop: Shop) -> None:
    number = shop.new_check(output={"title": "t", "summary": "s", "annotations": [a_note(n) for n in range(1, 51)]}).json()["id"]
    more = {"output": {"title": "t", "summary": "s", "annotations": [a_note(51, title="last")]}}
    after = shop.ask.patch(f"/repos/acme/shop/check-runs/{number}", json=more).json()

    listed = shop.ask.get(f"/repos/acme/shop/check-runs/{number}/annotations", params={"per_page": 50, "page": 2}).json()

    assert after["output"]["annotations_count"] == 51
    assert [(n["start_line"], n["title"]) for n in listed] == [(51, "last")]


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "completed"},
        {"conclusion": "good"},
        {"conclusion": "stale"},
        {"status": "waiting"},
        {"output": {"title": "t", "summary": "s", "annotations": [a_note()] * 51}},
        {"output": {"title": "t", "summary": "x" * 65_536}},
        {"output": {"title": "t", "summary": "s", "text": "é" * 40_000}},
        {"output": {"title": "t", "summary": "s", "annotations": [a_note(title="x" * 256)]}},
        {"output": {"title": "t", "summary": "s", "annotations": [a_note(message="x" * 70_000)]}},
        {"output": {"title": "t", "summary": "s", "annotations": [a_note(0)]}},
        {"output": {"title": "t", "summary": "s", "annotations": [a_note(3, end_line=4, start_column=1)]}},
        {"output": {"title": "t"}},
        {"actions": [{"label": "l", "description": "d", "identifier": "i"}] * 4},
        {"actions": [{"label": "l" * 21, "description": "d", "identifier": "i"}]},
        {"actions": [{"label": "l", "description": "d" * 41, "identifier": "i"}]},
        {"actions": [{"label": "l", "description": "d", "identifier": "i" * 21}]},
        {"head_sha": "f" * 40},
        {"started_at": "yesterday"},
    ],
)
def test_what_github_refuses_is_422_and_changes_nothing(shop: Shop, wrong: Json) -> None:
    answer = shop.new_check(**wrong)

    assert answer.status_code == 422, answer.text
    assert shop.github.checks(shop.pull.head_sha) == []
    shop.github.record.violations.clear()


def test_only_the_app_that_made_a_run_may_change_it(shop: Shop) -> None:
    number = shop.new_check().json()["id"]
    other = shop.github.apps.register("other")
    with as_installation(shop.github, shop.github.apps.install(other, "acme")) as ask:
        refused = ask.patch(f"/repos/acme/shop/check-runs/{number}", json={"conclusion": "success"})

    assert refused.status_code == 403
    assert "Invalid app_id" in refused.json()["message"]


def test_a_person_cannot_make_a_run(shop: Shop) -> None:
    olga = shop.github.repositories.give(shop.repository, "olga", "admin")
    with as_person(shop.github, shop.app, olga) as ask:
        refused = ask.post("/repos/acme/shop/check-runs", json={"name": "gonogo", "head_sha": shop.pull.head_sha})

    assert refused.status_code == 403


def test_runs_are_found_by_name_app_status_and_are_the_latest_unless_all_are_asked_for(shop: Shop) -> None:
    first, second = shop.new_check().json()["id"], shop.new_check(conclusion="success").json()["id"]
    bench = shop.new_check(name="gonogo bench").json()["id"]
    where = f"/repos/acme/shop/commits/{shop.pull.head_sha}/check-runs"

    def found(**query: str | int) -> list[int]:
        answer = shop.ask.get(where, params=query).json()
        assert answer["total_count"] == len(answer["check_runs"])
        return [r["id"] for r in answer["check_runs"]]

    assert found() == [bench, second]
    assert found(check_name="gonogo") == [second]
    assert found(check_name="gonogo", filter="all") == [second, first]
    assert found(app_id=shop.app.id + 1) == []
    assert found(status="in_progress", filter="all") == [bench, first]


def test_runs_are_found_by_branch_too(shop: Shop) -> None:
    shop.new_check()

    assert shop.ask.get(f"/repos/acme/shop/commits/heads/{shop.pull.head_ref}/check-runs").json()["total_count"] == 1


def test_pull_requests_of_a_run_leave_forks_out(shop: Shop) -> None:
    fork = shop.github.repositories.fork(shop.repository, "mallory")
    theirs = shop.github.pulls.open(shop.repository, {"app.py": "print(3)\n"}, fork=fork)

    own, forks = shop.new_check().json(), shop.new_check(head_sha=theirs.head_sha).json()

    assert [p["number"] for p in own["pull_requests"]] == [1]
    assert forks["pull_requests"] == []


def test_a_button_is_delivered_to_the_app_that_made_the_check_only(shop: Shop) -> None:
    other = shop.github.apps.register("other", webhook_url="http://127.0.0.1:9/none")
    shop.github.apps.install(other, "acme", tell=False)
    shop.new_check(actions=[{"label": "Re-evaluate", "description": "d", "identifier": "evaluate"}])
    shop.github.mail.settle()
    before = len(shop.github.mail.deliveries)

    shop.github.conversations.press(shop.github.check(shop.pull), "evaluate", by="olivia")

    assert shop.github.mail.deliveries[before:] == []
    with pytest.raises(AssertionError, match="no button"):
        shop.github.conversations.press(shop.github.check(shop.pull), "nothing")
