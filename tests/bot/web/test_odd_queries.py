"""Text that a database cannot hold, in every place of a query where a stranger may write some: a page says that nothing is there."""

import pytest

from bot.storage.app_dashboard import Dashboard
from bot.storage.app_dashboard_rows import Wanted
from bot.storage.app_rows import Outcome
from bot.storage.app_store import AppStore
from tests.bot.storage.conftest import database, database_url
from tests.bot.web.stories import Story
from tests.bot.web.visitor import PAGES, Visitor

__all__ = ["database", "database_url"]

FIELDS = ("repository", "outcome", "state", "text", "after", "days", "no-such-field")
UNSTORABLE = ("%00", "spokeway/rides%00", "a%00/b", "%ED%A0%80", "%ED%B0%80/%ED%A0%80", "%FF%FE", "2026-11-30T12:00:00Z_%00", "0001-01-01T00:00:00Z_x")  # fmt: skip


@pytest.fixture
def visitor(database, tmp_path) -> Visitor:
    story = Story(database)
    story.evaluated(story.pull_request(story.repository("spokeway/rides"), "Ours"), outcome=Outcome.GO, summary="Fine.")
    return Visitor(database, tmp_path)


def test_what_a_database_cannot_hold_is_found_nowhere_and_is_no_fault_of_the_database(visitor):
    queries = ["&".join(f"{field}={odd}" for field in FIELDS) for odd in UNSTORABLE]
    queries += [f"{field}={odd}" for field in FIELDS for odd in UNSTORABLE]
    asked = [f"{path}?{query}" for query in queries for path in PAGES]
    asked += [f"/evaluations/{odd.partition('/')[0]}{rest}" for odd in UNSTORABLE for rest in ("", "/report.json")]

    answered = {address: visitor.client.get(address).status_code for address in asked}

    assert {address: status for address, status in answered.items() if status not in (200, 404)} == {}
    assert {answered["/?repository=%00"], answered["/evaluations/%00"]} == {404}
    assert answered["/?text=%00"] == 200


@pytest.mark.parametrize("odd", ["\x00", "\ud800", "a\udfff"])
def test_what_a_database_cannot_hold_is_the_name_of_no_repository(database, odd):
    assert AppStore(database).repository_named(odd, odd) is None
    assert Dashboard(database).listed(Wanted(repository_ids=(1,), text=odd, limit=5)) == []
