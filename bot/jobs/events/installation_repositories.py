"""`installation_repositories`: repositories were given to the App, or taken from it."""

from bot.github.events import InstallationRepositoriesEvent
from bot.jobs.events.place import keep_repository
from bot.jobs.ports import Ports
from bot.jobs.queue import enqueue_sweep


async def handle(event: InstallationRepositoriesEvent, guid: str, ports: Ports) -> None:
    """Open pull requests of a new one are evaluated; of one that was taken away nothing is kept on our disk."""
    installation = event.installation.facts()
    for repository in event.repositories_removed or ():
        await ports.stored(ports.store.set_repository_state, repository.id, "removed")
        await ports.mirrors.discard(repository.id)
    for repository in event.repositories_added or ():
        await keep_repository(repository.facts(), ports, installation_id=installation.id, is_given=True)
    if event.repositories_added:
        await enqueue_sweep(ports.queue, installation_id=installation.id, key=guid)
