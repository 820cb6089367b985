"""The pages of the dashboard, as who is signed in sees them."""

import json
import re
from datetime import timedelta

import pytest

from bot.storage.app_rows import Outcome
from gonogo.context import Gap
from gonogo.errors import ForgeUnavailable, Suspended
from tests.bot.web.html import Page, faults_of
from tests.bot.web.stories import Story, evaluation
from tests.bot.web.visitor import PAGES, Visitor, weeks

__all__ = ["weeks"]

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> {{ 7*7 }} \x00\x1b[31m\u202e"


@pytest.fixture
def visitor(engine, tmp_path) -> Visitor:
    return Visitor(engine, tmp_path)


@pytest.fixture
def seen(weeks) -> Visitor:
    return Visitor(weeks[0], weeks[1])


@pytest.mark.parametrize("path", PAGES)
def test_every_page_can_be_read_without_scripts_and_by_a_screen_reader(seen, path):
    answer = seen.get(path)

    assert answer.status_code == 200
    assert faults_of(answer.text) == []


@pytest.mark.parametrize("path", [*PAGES, "/no-such-page"])
def test_every_page_can_be_read_before_anything_happened(visitor, path):
    assert faults_of(visitor.get(path).text) == []


@pytest.mark.parametrize("kind", ["go", "no-go", "nothing", "could-not", "cancelled", "running", "queued"])
def test_an_evaluation_can_be_read_however_it_stands(weeks, seen, kind):
    answer = seen.get(f"/evaluations/{weeks[2][kind].id}")

    assert answer.status_code == 200
    assert faults_of(answer.text) == []


def test_a_no_go_says_in_its_first_words_what_happens_where_and_how_much(weeks, seen):
    page = seen.page(f"/evaluations/{weeks[2]['no-go'].id}")

    assert (
        "no-go Merging this pull request may degrade production (high impact). Building ix_rides_station_started blocks writes to rides"
        " (migrations/versions/0042_rides_by_station.py:10): writes (38.4 per second) to rides wait for 26 to 173 s" in page.text
    )
    assert "Go if" in page.text
    assert "CREATE INDEX CONCURRENTLY" in page.text


def test_every_link_of_the_chain_leads_to_its_lines_at_the_head_or_to_its_reading(weeks, seen):
    row = weeks[2]["no-go"]
    answer = seen.get(f"/evaluations/{row.id}")
    page = Page(answer.text)

    head = evaluation("unsafe").head
    assert f"https://github.com/spokeway/rides/blob/{head}/migrations/versions/0042_rides_by_station.py#L10" in page.links
    assert 'id="reading-4a1f012b-2"' in answer.text
    assert "https://github.com/spokeway/rides/pull/1044" in page.links


def test_coverage_cost_limits_and_stages_are_told(weeks, seen):
    text = seen.page(f"/evaluations/{weeks[2]['no-go'].id}").text

    for said in ("changed files read 2 of 2", "paid to models $0.14", "tokens in, out 48,112, 2,031", "steps 9 of 30", "4 of 25",
                 "found what it can reach", "read every citation again", "MASE"):  # fmt: skip
        assert said in text


def test_what_the_change_can_reach_is_a_picture_and_a_list(weeks, seen):
    answer = seen.get(f"/evaluations/{weeks[2]['no-go'].id}")

    assert '<svg class="slice"' in answer.text
    assert "it alone holds table rides, which a migration of this change names" in Page(answer.text).text


def test_the_report_is_downloaded_as_it_was_made(weeks, seen):
    answer = seen.get(f"/evaluations/{weeks[2]['no-go'].id}/report.json")

    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["content-disposition"] == 'attachment; filename="gonogo-rides-cccccccc.json"'
    assert answer.json()["schema"] == "gonogo.report/1"
    assert json.loads(answer.text)["verdict"] == "no-go"


def test_an_evaluation_without_a_report_has_none_to_download(weeks, seen):
    assert seen.get(f"/evaluations/{weeks[2]['running'].id}/report.json").status_code == 404


def test_a_failed_one_says_what_failed_and_what_to_do(weeks, seen):
    text = seen.page(f"/evaluations/{weeks[2]['could-not'].id}").text

    assert "could not evaluate context: Prometheus did not answer within 20 s; check GONOGO_PROMETHEUS_URL" in text


def test_a_superseded_one_says_so_and_leads_to_the_newer(weeks, seen):
    page = seen.page(f"/evaluations/{weeks[2]['cancelled'].id}")

    assert "It did not end: something newer came" in page.text
    assert f"/evaluations/{weeks[2]['running'].id}" in page.links


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ({"outcome": "could-not"}, "Bump the bike driver", "Index rides"),
        ({"state": "running"}, "Pushed twice", "Index rides"),
        ({"state": "queued"}, "Waits for a worker", "Index rides"),
        ({"repository": "spokeway/fleet"}, "Docs: how bikes", "spokeway/rides #"),
        ({"text": "BIKE DRIVER"}, "Bump the bike driver", "Index rides"),
        ({"text": "#1044"}, "Index rides by station", "Bump the bike"),
        ({"text": "eeeeeeee"}, "Bump the bike driver", "Index rides"),
        ({"text": "100%"}, "Nothing fits", "Index rides"),
        ({"outcome": "no-go", "repository": "spokeway/rides", "text": "1044"}, "Index rides by station", "spokeway/fleet #"),
    ],
)
def test_the_list_is_filtered(seen, query, shown, hidden):
    text = seen.page("/", **query).text

    assert shown in text
    assert hidden not in text


def test_the_list_is_paged_without_losing_the_filter_and_without_gap_or_repetition(seen):
    found, address = [], "/?repository=spokeway%2Frides"
    for _ in range(10):
        answer = seen.client.get(address)
        page = Page(answer.text)
        found += [link for link in page.links if link.startswith("/evaluations/")]
        further = [told["href"] for tag, told in page.tags if tag == "a" and told.get("rel") == "next"]
        if not further:
            break
        address = further[0]
        assert "repository=spokeway%2Frides" in address

    assert len(found) == len(set(found)) > 30


@pytest.mark.parametrize("after", ["", "x", "2026-01-01_", "2026-01-01T00:00:00_abc", "_", "9999-12-31T23:59:59+00:00_z"])
def test_a_broken_address_of_a_page_is_the_first_page_or_an_empty_one(seen, after):
    assert seen.get("/", after=after).status_code == 200


def test_prevented_incidents_are_counted_by_week_each_with_both_evaluations(seen):
    page = seen.page("/prevented")

    flagged_and_cleared = [link for link in page.links if link.startswith("/evaluations/")]
    count = int(re.search(r"prevented in 90 days (\d+)", page.text)[1])
    assert len(flagged_and_cleared) == 3 * count > 0
    assert "the index is built concurrently now" in page.text


def test_calibration_says_how_often_it_was_right_and_what_a_gate_would_have_caught(seen):
    text = seen.page("/calibration").text

    assert "What was said, and what happened" in text
    assert re.search(r"only high impact \d+ % \d+ %", text)
    assert "100 % of 60 readings" in text or re.search(r"of \d+ readings lay in their forecast's band", text)


def test_overrides_and_their_rate_by_rule(seen):
    text = seen.page("/overrides", days=365).text

    assert re.search(r"postgres/index-not-concurrent \d+ \d+ \d+ %", text)
    assert "The table is read-only until Monday." in text


def test_cost_and_time_have_percentiles(seen):
    text = seen.page("/spending").text

    assert re.search(r"event to verdict \d+ s \d+ s", text)
    assert re.search(r"cost \$0\.\d\d \$0\.\d\d \$0\.\d\d", text)


def test_benchmarks_say_how_to_set_one_up(seen):
    assert "/gonogo bench" in seen.page("/benchmarks").text


def test_texts_of_strangers_are_shown_and_never_obeyed(visitor, engine):
    story = Story(engine)
    pull = story.pull_request(story.repository("spokeway/rides"), HOSTILE, author=HOSTILE)
    found = evaluation("unsafe")
    entry = found.ledger[0]
    trajectory = entry.trajectory.model_copy(
        update={"title": HOSTILE, "make_safe": f"`{HOSTILE}`\n```\n{HOSTILE}\n```", "undo": HOSTILE}
    )
    hostile = found.model_copy(
        update={"ledger": (entry.model_copy(update={"trajectory": trajectory}),), "blocking": (), "gaps": (Gap(stage="x", what=HOSTILE, why=HOSTILE),),
                "notes": (HOSTILE,), "affected": tuple(a.model_copy(update={"why": HOSTILE, "kind": HOSTILE}) for a in found.affected)}
    )  # fmt: skip
    row = story.evaluated(pull, hostile)
    story.store.acknowledge(row.id, trajectory="*", reason=HOSTILE, login="ana")
    for path, query in (
        (f"/evaluations/{row.id}", {}),
        ("/", {"text": HOSTILE[:20]}),
        ("/overrides", {}),
        ("/", {"repository": ""}),
    ):
        answer = visitor.get(path, **query)

        assert answer.status_code == 200
        assert "<script" not in answer.text
        assert "<img" not in answer.text
        assert not set(answer.text) & set("\x00\x1b\u202e")
        assert faults_of(answer.text) == []


def test_a_stored_document_of_another_version_still_has_a_page(visitor, engine):
    story = Story(engine)
    pull = story.pull_request(story.repository("spokeway/rides"), "Old")
    row = story.evaluated(
        pull, outcome=Outcome.NO_GO, summary="It blocks writes.", document='{"from": "another version"}', report="{}"
    )

    text = visitor.page(f"/evaluations/{row.id}").text

    assert "no-go It blocks writes." in text


def test_who_may_not_read_a_repository_sees_and_counts_nothing_of_it(weeks):
    stranger = Visitor(weeks[0], weeks[1], login="eve", may={"eve": {"rival/public"}})

    for path in PAGES:
        text = stranger.get(path).text
        assert "spokeway" not in text
        assert "Index rides" not in text
        assert not re.search(r"/evaluations/\w", text)
    for kind in ("no-go", "go", "running"):
        unseen = stranger.get(f"/evaluations/{weeks[2][kind].id}")
        assert unseen.status_code == 404
        assert unseen.text == stranger.get("/evaluations/no-such-id").text
        assert stranger.get(f"/evaluations/{weeks[2][kind].id}/report.json").status_code == 404


@pytest.mark.parametrize("path", PAGES[:-1])
def test_a_repository_that_one_may_not_read_is_not_found_by_its_name(weeks, path):
    visitor = Visitor(weeks[0], weeks[1])

    assert visitor.get(path, repository="rival/secret").status_code == 404
    assert visitor.get(path, repository="no/such").status_code == 404
    assert "Nobody may see this" not in visitor.get("/", text="Nobody may see this").text.replace(
        'value="Nobody may see this"', ""
    )


def test_a_permission_is_believed_for_a_minute_and_no_longer(weeks):
    visitor = Visitor(weeks[0], weeks[1])
    address = f"/evaluations/{weeks[2]['go'].id}"
    assert visitor.get(address).status_code == 200
    asked = visitor.github.asked
    visitor.github.may["ana"] = set()

    visitor.clock.now += timedelta(seconds=59)
    assert visitor.get(address).status_code == 200
    assert visitor.github.asked == asked

    visitor.clock.now += timedelta(seconds=2)
    assert visitor.get(address).status_code == 404


def test_when_github_does_not_answer_nothing_is_shown_and_that_is_said(weeks):
    visitor = Visitor(weeks[0], weeks[1])
    visitor.github.failing = ForgeUnavailable("GitHub is down")

    assert "GitHub did not answer whether you may read every repository" in visitor.page("/").text
    assert "spokeway" not in visitor.page("/").text
    assert visitor.get(f"/evaluations/{weeks[2]['go'].id}").status_code == 404

    visitor.github.failing = None
    assert "spokeway" in visitor.page("/").text


def test_where_the_app_was_removed_nobody_may_read_any_more(weeks):
    visitor = Visitor(weeks[0], weeks[1])
    visitor.github.failing = Suspended("removed", is_removed=True)

    text = visitor.page("/").text

    assert "spokeway" not in text
    assert "did not answer" not in text


def test_a_database_that_does_not_answer_is_said_in_words(visitor, engine, tmp_path):
    engine.dispose()
    (tmp_path / "gonogo.db").unlink()
    (tmp_path / "gonogo.db").mkdir()

    answer = visitor.get("/")

    assert answer.status_code == 503
    assert faults_of(answer.text) == []
    assert "The database does not answer" in Page(answer.text).text


def test_the_sheet_is_kept_by_browsers_under_an_address_of_its_content(seen):
    address = re.search(r'href="(/static/gonogo\.css\?v=[0-9a-f]+)"', seen.get("/").text)[1]

    answer = seen.client.get(address)

    assert answer.headers["content-type"].startswith("text/css")
    assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("after", ["0001-01-01T00:00:00+23:59_x", "9999-12-31T23:59:59-23:59_x", "yesterday_x", "_", "\x00"])
def test_a_page_after_no_time_is_the_first_page(seen, after):
    assert seen.get("/", after=after).status_code == 200
