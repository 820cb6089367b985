"""`push`: a base branch moved, so that verdicts on what changes the same files are of a base that is gone."""

from bot.github.events import PushEvent
from bot.jobs.events.place import repository_of
from bot.jobs.ports import Ports
from bot.jobs.queue import enqueue_base_moved

_NOTHING = "0" * 40


async def handle(event: PushEvent, guid: str, ports: Ports) -> None:  # noqa: ARG001  as every handler
    """Only a branch that an open pull request goes into is looked at; that it is gone or new says nothing about verdicts."""
    if event.branch is None or event.deleted or event.before in ("", _NOTHING):
        return
    repository = await repository_of(event, ports)
    if repository is None:
        return
    opened = await ports.stored(ports.store.open_pull_requests, repository.id)
    if any(row.base_ref == event.branch for row in opened):
        await enqueue_base_moved(
            ports.queue, repository_id=repository.id, branch=event.branch, before=event.before, after=event.after
        )
