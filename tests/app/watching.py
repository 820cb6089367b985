"""What tests look at besides GitHub: the App's own database."""

import sqlite3
from typing import Any

from tests.github.story import Story
from tests.github.world import PullRequest


def rows(story: Story, query: str, *values: object) -> list[dict[str, Any]]:
    """Rows of the App's SQLite database."""
    path = story.site.folder / "data" / "gonogo.db"
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30) as database:
        database.row_factory = sqlite3.Row
        found = [dict(row) for row in database.execute(query, values)]
    database.close()
    return found


def evaluations(story: Story, pull: PullRequest) -> list[dict[str, Any]]:
    """All of a pull request, by generation."""
    return rows(story, "SELECT * FROM evaluation WHERE pull_request_id = ? ORDER BY generation", pull.id)


def verdicts(story: Story, pull: PullRequest) -> list[tuple[str, str]]:
    """(head, outcome) of those that concluded."""
    return [(e["head_sha"], e["outcome"]) for e in evaluations(story, pull) if e["state"] == "concluded"]


def unconcluded(story: Story) -> int:
    """How many evaluations have not ended."""
    return rows(story, "SELECT count(*) AS n FROM evaluation WHERE state IN ('queued', 'running')")[0]["n"]


def pending(story: Story) -> list[dict[str, Any]]:
    """What waits to be written to GitHub."""
    return rows(story, "SELECT * FROM outbox WHERE done_at IS NULL")
