"""A repository's settings as they stand on its base branch: read from our copy, never from a pull request."""

from pathlib import Path

from bot.changes.git import Git
from bot.changes.tree import MAX_TEXT_BYTES, decode
from bot.report.rule_pages import page_ids
from gonogo.errors import WrongConfiguration
from gonogo.policy import Policy
from gonogo.policy_file import PLACES, read_policy


def policy_at(mirror: Path, base_sha: str) -> tuple[Policy, str | None]:
    """The settings at the tip of the base branch, never the pull request's own; with mistakes the defaults, and what is wrong."""
    git = Git(mirror)
    for place in PLACES:
        size = git.text("cat-file", "-s", f"{base_sha}:{place}", allow=(0, 128)).strip()
        if not size:
            continue
        text = (
            decode(git.read("cat-file", "blob", f"{base_sha}:{place}", allow=(0, 128))) if int(size) <= MAX_TEXT_BYTES else None
        )
        if text is None:
            return Policy(), f"{place} is no text, or too large; the defaults were used"
        try:
            return read_policy(text, source=place, known=page_ids), None
        except WrongConfiguration as error:
            return Policy(), str(error)
    return Policy(), None
