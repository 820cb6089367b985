"""`issue_comment`: commands, in a new comment of somebody who may write."""

import logging

from bot.github.events import IssueCommentEvent
from bot.jobs.commanding import Asked, carry_out, not_understood
from bot.jobs.commands import NotUnderstood, command_of
from bot.jobs.events.place import repository_of
from bot.jobs.facts import seen_pull_request
from bot.jobs.ports import Ports

log = logging.getLogger("gonogo.worker")


async def handle(event: IssueCommentEvent, guid: str, ports: Ports) -> None:
    """A comment that is edited, on an issue, by a bot, or that only contains `/gonogo` somewhere commands nothing."""
    command = command_of(event.comment.body)
    if event.action != "created" or command is None or not event.is_on_pull_request or event.is_by_bot:
        return
    repository = await repository_of(event, ports)
    login = event.comment.user.said if event.comment.user else ""
    if repository is None:
        return
    forge = ports.forge(repository)
    if not (await forge.permission(login)).may_write:
        log.info("command of somebody who may not write", extra={"repository": repository.id, "login": login})
        return
    row = await ports.stored(ports.store.pull_request_numbered, repository.id, event.issue.number)
    if row is None:
        facts = await forge.pull_request(event.issue.number)
        row = await ports.stored(ports.store.see_pull_request, seen_pull_request(facts, now=ports.clock()))
    if isinstance(command, NotUnderstood):
        await not_understood(ports, row, repository, command, comment_id=event.comment.id)
    else:
        asked = Asked(ports, row, repository, login, event.comment.id, event.comment.created_at)
        await carry_out(asked, command, guid=guid)
