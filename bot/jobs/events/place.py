"""Where an event happened: its repository, kept up to date by every event, since any of them may be the first that arrives."""

from bot.github.events import Event
from bot.jobs.facts import seen_repository
from bot.jobs.ports import Ports
from bot.storage.app_rows import RepositoryRow
from gonogo.forge import RepositoryFacts


async def repository_of(event: Event, ports: Ports) -> RepositoryRow | None:
    """The repository, if there is anything for us to do in it: it is ours to read, not archived, its installation not suspended."""
    if event.repository is None or event.installation is None or not event.repository.id:
        return None
    facts = event.repository.facts()
    row = await keep_repository(facts, ports, installation_id=event.installation.id)
    if row.state != "removed" and (row.state == "archived") != facts.is_archived:
        await ports.stored(ports.store.set_repository_state, row.id, "archived" if facts.is_archived else "active")
    installation = await ports.stored(ports.store.installation, row.installation_id)
    is_open = row.state != "removed" and not facts.is_archived and installation is not None and installation.state == "active"
    return row if is_open else None


async def keep_repository(facts: RepositoryFacts, ports: Ports, *, installation_id: int, is_given: bool = False) -> RepositoryRow:
    """Write it down; lists of an installation do not tell default branches. `is_given`: the App has just been given it."""
    known = await ports.stored(ports.store.repository, facts.id)
    if not facts.default_branch and known is not None:
        facts = facts.model_copy(update={"default_branch": known.default_branch})
    seen = seen_repository(facts, installation_id=installation_id)
    return await ports.stored(ports.store.upsert_repository, seen, state="active" if is_given else None)
