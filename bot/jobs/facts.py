"""What GitHub says, in the words of the store."""

from datetime import datetime

from bot.storage.app_rows import PullRequestFacts as Seen
from bot.storage.app_rows import RepositoryFacts as SeenRepository
from gonogo.forge import PullRequestFacts, RepositoryFacts


def seen_pull_request(facts: PullRequestFacts, *, now: datetime) -> Seen:
    """A pull request as it was seen; a reading that names no time is of `now`."""
    return Seen(
        id=facts.id,
        repository_id=facts.repository_id,
        number=facts.number,
        head_sha=facts.head_sha,
        base_ref=facts.base_ref,
        base_sha=facts.base_sha,
        updated_at=facts.updated_at or now,
        state=facts.state,
        is_draft=facts.is_draft,
        is_fork=facts.is_fork,
        is_locked=facts.is_locked,
        title=facts.title,
        author=facts.author,
        merged_at=facts.merged_at,
        merge_sha=facts.merge_sha,
    )


def seen_repository(facts: RepositoryFacts, *, installation_id: int) -> SeenRepository:
    """A repository of an installation; one that has no commit yet has no default branch."""
    return SeenRepository(
        id=facts.id,
        installation_id=installation_id,
        owner=facts.owner,
        name=facts.name,
        default_branch=facts.default_branch or "main",
        is_private=facts.is_private,
    )
