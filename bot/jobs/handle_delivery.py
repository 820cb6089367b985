"""Acts on one delivery of GitHub. It may come twice, late, and in any order: what it does twice changes nothing."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.github.events import parse_event
from bot.jobs.events import (
    check_run,
    check_suite,
    deployment_status,
    installation,
    installation_repositories,
    issue_comment,
    merge_group,
    pull_request,
    push,
    repository,
)
from bot.jobs.ports import Ports

Handler = Callable[[Any, str, Ports], Awaitable[None]]

HANDLERS: Mapping[str, Handler] = {
    "pull_request": pull_request.handle,
    "merge_group": merge_group.handle,
    "check_run": check_run.handle,
    "check_suite": check_suite.handle,
    "issue_comment": issue_comment.handle,
    "push": push.handle,
    "deployment_status": deployment_status.handle,
    "installation": installation.handle,
    "installation_target": installation.handle_target,
    "installation_repositories": installation_repositories.handle,
    "repository": repository.handle,
}
"""Event → what is done about it; every other event is taken in and nothing is done."""


async def handle_delivery(ports: Ports, *, event: str, guid: str, body: str) -> None:
    """Read the event and do what its file says. Raises EventUnreadable, which no other attempt would mend."""
    handler = HANDLERS.get(event)
    if handler is None:
        return
    parsed = parse_event(event, json.loads(body))
    if parsed is not None:
        await handler(parsed, guid, ports)
