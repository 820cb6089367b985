"""Finds open pull requests that have no verdict and nobody works on: their webhooks were lost, or their worker died.

What GitHub says of installations and repositories is written down on the way, so that it also mends what was missed about those.
"""

import logging

from bot.jobs.begin import begin
from bot.jobs.events.place import keep_repository
from bot.jobs.events.pull_request import closed
from bot.jobs.facts import seen_pull_request
from bot.jobs.ports import Ports
from bot.storage.app_rows import EvaluationFilter, RepositoryRow
from gonogo.errors import ForgeError, Gone, Suspended
from gonogo.forge import InstallationFacts

MOST_REPOSITORIES = 200
"""Of one installation in one sweep, those that were swept longest ago: a call each, of 5 000 that GitHub allows an hour."""

log = logging.getLogger("gonogo.worker")


class Sweeper:
    """Remembers which repositories it looked into last."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._sweeps = 0
        self._swept: dict[int, int] = {}

    async def everything(self) -> None:
        """All installations, and check runs that say 'in progress' although nobody works on them."""
        ports = self._ports
        listed = await ports.github.installations()
        for facts in listed:
            try:
                await self.installation(facts)
            except ForgeError as error:
                log.warning("installation not swept", extra={"installation": facts.id, "why": str(error)})
        there = {facts.id for facts in listed}
        for known in await ports.stored(ports.store.installations):
            if known.id not in there:
                await ports.stored(ports.store.set_installation_state, known.id, "deleted")
        await self._forgotten()

    async def one(self, installation_id: int) -> None:
        """One installation by its number: it let us in just now."""
        try:
            facts = await self._ports.github.installation(installation_id)
        except Gone:
            await self._ports.stored(self._ports.store.set_installation_state, installation_id, "deleted")
            return
        await self.installation(facts)

    async def installation(self, facts: InstallationFacts) -> None:
        """One installation: its repositories, and the open pull requests of those that were looked into longest ago."""
        ports = self._ports
        state = "suspended" if facts.is_suspended else "active"
        row = await ports.stored(
            ports.store.upsert_installation, facts.id, account=facts.account, state=state, permissions=facts.permissions
        )
        if facts.is_suspended:
            return
        try:
            listed = await ports.github.installation_repositories(facts.id)
        except Suspended as error:
            await ports.stored(ports.store.set_installation_state, row.id, "deleted" if error.is_removed else "suspended")
            return
        active: list[RepositoryRow] = []
        for repository in listed:
            kept = await keep_repository(repository, ports, installation_id=facts.id)
            state = "archived" if repository.is_archived else "active"
            if kept.state != state:
                await ports.stored(ports.store.set_repository_state, kept.id, state)
            if state == "active":
                active.append(kept)
        there = {repository.id for repository in listed}
        for known in await ports.stored(ports.store.repositories, installation_id=facts.id):
            if known.id not in there:
                await ports.stored(ports.store.set_repository_state, known.id, "removed")
        self._sweeps += 1
        for kept in sorted(active, key=lambda r: self._swept.get(r.id, 0))[:MOST_REPOSITORIES]:
            self._swept[kept.id] = self._sweeps
            try:
                await sweep_repository(ports, kept)
            except ForgeError as error:
                log.warning("repository not swept", extra={"repository": kept.id, "why": str(error)})

    async def _forgotten(self) -> None:
        ports = self._ports
        before = await ports.stored(ports.store.now)
        for run in await ports.stored(ports.store.forgotten_check_runs, before=before):
            which = EvaluationFilter(repository_ids=(run.repository_id,), head_sha=run.head_sha, limit=1)
            for evaluation in await ports.stored(ports.store.evaluations_of, which):
                await ports.stored(ports.store.ask_check, evaluation, run.name)


async def sweep_repository(ports: Ports, repository: RepositoryRow) -> None:
    """Evaluate the open pull requests whose head on its base has no evaluation; note those that were closed unheard."""
    forge = ports.forge(repository)
    listed = await forge.open_pull_requests()
    for facts in listed:
        row = await ports.stored(ports.store.see_pull_request, seen_pull_request(facts, now=ports.clock()))
        if row.state == "open":
            raised = await begin(ports, row, trigger="sweep", unless_known=True)
            if raised.is_new:
                log.info("found by the sweep", extra={"repository": repository.id, "number": row.number, "head": row.head_sha})
    there = {facts.id for facts in listed}
    for known in await ports.stored(ports.store.open_pull_requests, repository.id):
        if known.id not in there:
            facts = await forge.pull_request(known.number)
            row = await ports.stored(ports.store.see_pull_request, seen_pull_request(facts, now=ports.clock()))
            if row.state == "closed":
                await closed(row, ports)
