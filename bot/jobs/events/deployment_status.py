"""`deployment_status`: what was merged is out, or is not."""

from bot.github.events import DeploymentStatusEvent
from bot.jobs import outcomes
from bot.jobs.events.place import repository_of
from bot.jobs.ports import Ports


async def handle(event: DeploymentStatusEvent, guid: str, ports: Ports) -> None:  # noqa: ARG001  as every handler
    """A deployment that succeeded begins the watch over what it brought out."""
    repository = await repository_of(event, ports)
    if repository is not None and event.deployment_status.state == "success":
        at = event.deployment_status.created_at or ports.clock()
        await outcomes.deployed(repository, event.deployment.facts(), at, ports)
