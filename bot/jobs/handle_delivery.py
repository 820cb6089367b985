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
from gonogo.errors import Suspended

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
    """Read the event and do what its file says. Raises EventUnreadable, which no other attempt would mend.

    An installation that turns out to be suspended or gone is noted as that, and the event is done with.
    """
    handler = HANDLERS.get(event)
    if handler is None:
        return
    parsed = parse_event(event, json.loads(body))
    if parsed is None:
        return
    try:
        await handler(parsed, guid, ports)
    except Suspended as error:
        if parsed.installation is not None:
            state = "deleted" if error.is_removed else "suspended"
            await ports.stored(ports.store.set_installation_state, parsed.installation.id, state)
