"""`merge_group`: the queue asks about several pull requests together, or has no more need of the answer."""

from bot.github.events import MergeGroupEvent
from bot.jobs.begin import enqueue
from bot.jobs.events.place import repository_of
from bot.jobs.ports import Ports
from bot.storage.app_rows import Because, group_subject


async def handle(event: MergeGroupEvent, guid: str, ports: Ports) -> None:
    """Evaluate the combined change, `base_sha...head_sha`; `destroyed` ends that, and comes after a merge too."""
    group = event.merge_group
    repository = await repository_of(event, ports)
    if repository is None:
        return
    if event.action == "checks_requested":
        raised = await ports.stored(
            ports.store.start_group,
            repository.id,
            head_sha=group.head_sha,
            base_sha=group.base_sha,
            base_ref=group.base_ref.removeprefix("refs/heads/"),
            delivery=guid,
        )
        await enqueue(ports, raised)
    elif event.action == "destroyed":
        await ports.stored(ports.store.cancel, group_subject(group.head_sha), Because.DESTROYED, event.reason)
