"""`installation` and `installation_target`: the App was put on an account, suspended, woken, removed; the account was renamed."""

from bot.github.events import InstallationEvent, InstallationTargetEvent
from bot.jobs.events.place import keep_repository
from bot.jobs.ports import Ports
from bot.jobs.queue import enqueue_sweep
from bot.storage.app_publication_rows import OutboxKind


async def handle(event: InstallationEvent, guid: str, ports: Ports) -> None:
    """Whatever lets us in, again or for the first time, is followed by a sweep; what shuts us out ends all that is under way."""
    facts = event.installation.facts()
    match event.action:
        case "deleted":
            await ports.stored(ports.store.set_installation_state, facts.id, "deleted")
        case "suspend":
            await ports.stored(ports.store.set_installation_state, facts.id, "suspended")
        case "created" | "unsuspend" | "new_permissions_accepted":
            await ports.stored(ports.store.upsert_installation, facts.id, account=facts.account, permissions=facts.permissions)
            for repository in event.repositories or ():
                await keep_repository(repository.facts(), ports, installation_id=facts.id, is_given=True)
            await _write_now(facts.id, ports)
            await enqueue_sweep(ports.queue, installation_id=facts.id, key=guid)
        case _:
            pass


async def _write_now(installation_id: int, ports: Ports) -> None:
    """What waited for a permission need not wait any longer."""
    for row in await ports.stored(ports.store.outbox_pending):
        if row.installation_id != installation_id or row.evaluation_id is None or row.error is None:
            continue
        evaluation = await ports.stored(ports.store.evaluation, row.evaluation_id)
        if evaluation is not None and row.kind is OutboxKind.CHECK:
            await ports.stored(ports.store.ask_check, evaluation)
        elif evaluation is not None and row.kind is OutboxKind.COMMENT:
            await ports.stored(ports.store.ask_comment, evaluation)


async def handle_target(event: InstallationTargetEvent, guid: str, ports: Ports) -> None:
    """The names of all its repositories changed: the sweep reads them."""
    if event.installation is not None and event.account is not None:
        await ports.stored(ports.store.upsert_installation, event.installation.id, account=event.account.said)
        await enqueue_sweep(ports.queue, installation_id=event.installation.id, key=guid)
