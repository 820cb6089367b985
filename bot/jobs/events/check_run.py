"""`check_run`: 're-run' and the buttons, of our own check runs; those of others are none of our business (policy-bot#1373)."""

import logging

from bot.github.events import CheckRunEvent
from bot.jobs.benchmarking import begin_benchmark
from bot.jobs.events.place import repository_of
from bot.jobs.ports import Ports
from bot.jobs.rerun import evaluate_again, subjects_shown
from bot.jobs.taking import take_all
from bot.storage.app_ending import CHECK_NAME

log = logging.getLogger("gonogo.worker")


async def handle(event: CheckRunEvent, guid: str, ports: Ports) -> None:
    """Evaluate again, take the risk, or run the benchmark. A button counts when the one who pressed it may write."""
    if event.action not in ("rerequested", "requested_action") or not event.is_of(ports.settings.github_app_id):
        return
    repository = await repository_of(event, ports)
    if repository is None:
        return
    wish = "evaluate" if event.requested_action is None else event.requested_action.identifier
    login = event.sender.said if event.sender else ""
    if event.requested_action is not None and not (await ports.forge(repository).permission(login)).may_write:
        log.info("button pressed by somebody who may not write", extra={"repository": repository.id, "login": login})
        return
    run = event.check_run
    if wish == "benchmark" or run.name != CHECK_NAME:
        await begin_benchmark(ports, repository, head_sha=run.head_sha, login=login, key=guid)
        return
    shown = await subjects_shown(ports, repository, head_sha=run.head_sha, external_id=run.external_id)
    if wish == "evaluate":
        await evaluate_again(ports, shown, trigger=event.action, login=login, delivery=guid)
    elif wish == "acknowledge":
        await take_all(ports, shown, head_sha=run.head_sha, external_id=run.external_id, login=login)
