"""`check_suite`: 're-run all checks', and a second source of 'there is a new head'."""

from bot.github.events import CheckSuiteEvent
from bot.jobs.begin import begin
from bot.jobs.events.place import repository_of
from bot.jobs.facts import seen_pull_request
from bot.jobs.ports import Ports
from bot.jobs.rerun import evaluate_again, subjects_shown


async def handle(event: CheckSuiteEvent, guid: str, ports: Ports) -> None:
    """Only our own suites are for us."""
    suite = event.check_suite
    if event.action not in ("rerequested", "requested") or not event.is_of(ports.settings.github_app_id):
        return
    repository = await repository_of(event, ports)
    if repository is None:
        return
    if event.action == "rerequested":
        shown = await subjects_shown(ports, repository, head_sha=suite.head_sha)
        login = event.sender.said if event.sender else ""
        await evaluate_again(ports, shown, trigger="rerequested", login=login, delivery=guid)
        return
    known = {p.number: p for p in await ports.stored(ports.store.pull_requests_with_head, repository.id, suite.head_sha)}
    forge = ports.forge(repository)
    for told in suite.pull_requests or ():
        if told.number not in known:
            facts = await forge.pull_request(told.number)
            known[told.number] = await ports.stored(ports.store.see_pull_request, seen_pull_request(facts, now=ports.clock()))
    for row in known.values():
        if row.state == "open":
            await begin(ports, row, trigger="check_suite", unless_known=True)
