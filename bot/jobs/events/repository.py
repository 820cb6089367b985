"""`repository`: renamed, transferred, archived, deleted. Everything of ours goes by its number, so a name may change at any time."""

from bot.github.events import RepositoryEvent
from bot.jobs.events.place import keep_repository, repository_of
from bot.jobs.ports import Ports
from bot.jobs.queue import enqueue_sweep


async def handle(event: RepositoryEvent, guid: str, ports: Ports) -> None:
    """An archived repository is read-only: its work is dropped, and taken up again when it is opened."""
    if event.action == "deleted":
        await ports.stored(ports.store.set_repository_state, event.repository.id, "removed")
        await ports.mirrors.discard(event.repository.id)
        return
    if event.action == "transferred" and event.installation is not None:
        await keep_repository(event.repository.facts(), ports, installation_id=event.installation.id, is_given=True)
    repository = await repository_of(event, ports)
    if repository is not None and event.action in ("unarchived", "transferred"):
        await enqueue_sweep(ports.queue, installation_id=repository.installation_id, key=guid)
