"""Writes the one comment of a pull request, and answers to commands."""

from typing import cast, get_args

from bot.jobs.explaining import explanation
from bot.jobs.ports import Ports
from bot.jobs.published import published_of
from bot.jobs.still_current import still_current
from bot.report.comment import comment_text, marker_of
from bot.storage.app_publication_rows import OutboxRow
from bot.storage.app_rows import EvaluationState
from gonogo.errors import Locked
from gonogo.forge import Reaction

_CALLS = 25


async def write_comment(ports: Ports, row: OutboxRow) -> str | None:
    """Write the newest verdict; None, or why there is none to write. Raises Locked where nobody may comment."""
    newest = await ports.stored(ports.store.newest, row.subject)
    repository = await ports.stored(ports.store.repository, row.repository_id)
    if newest is None or newest.number is None or newest.pull_request_id is None or newest.state is not EvaluationState.CONCLUDED:
        return "a newer evaluation has begun"
    if repository is None or repository.state != "active":
        return "the repository is not ours to write to"
    forge = ports.forge(repository, limit=_CALLS)
    facts = await still_current(ports, forge, newest)
    if facts is None:
        return "the head has moved"
    if facts.is_locked:
        raise Locked("the conversation is locked: the verdict stands in the check alone")
    seen = await ports.stored(ports.store.pull_request, newest.pull_request_id)
    body = await ports.stored(comment_text, await published_of(ports, newest))
    comment_id = seen.comment_id if seen is not None else None
    at = await forge.publish_comment(newest.number, body, marker=marker_of(newest.number), comment_id=comment_id)
    await ports.stored(ports.store.set_comment, newest.pull_request_id, at)
    return None


async def write_reply(ports: Ports, row: OutboxRow) -> str | None:
    """Answer a command in a comment of its own, once."""
    repository = await ports.stored(ports.store.repository, row.repository_id)
    if repository is None or repository.state != "active":
        return "the repository is not ours to write to"
    text = str(row.payload.get("text") or "")
    explained = row.payload.get("explain")
    if explained is not None:
        evaluation = await ports.stored(ports.store.evaluation, str(explained))
        if evaluation is None:
            return "the evaluation is gone"
        text = explanation(await published_of(ports, evaluation))
    marker = f"<!-- gonogo:reply:{row.payload['comment_id']} -->"
    forge = ports.forge(repository, limit=_CALLS)
    await forge.publish_comment(int(row.payload["number"]), f"{text}\n\n{marker}", marker=marker)
    return None


async def write_reaction(ports: Ports, row: OutboxRow) -> str | None:
    """Show at a command that it was seen."""
    repository = await ports.stored(ports.store.repository, row.repository_id)
    content = str(row.payload.get("content"))
    if repository is None or repository.state != "active" or content not in get_args(Reaction):
        return "there is nobody to answer"
    await ports.forge(repository, limit=_CALLS).react(int(row.payload["comment_id"]), cast("Reaction", content))
    return None
