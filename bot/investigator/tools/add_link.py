"""`add_link`: adds a link to a proposed trajectory."""

from bot.investigator.desk import Desk
from bot.investigator.drafting import ClaimedLink, add_link
from bot.investigator.tools.tool import Answer, Arguments, Tool


class AddLink(ClaimedLink, Arguments):
    """The link, and to which trajectory it belongs."""

    trajectory: str


def _run(arguments: AddLink, desk: Desk) -> Answer:
    query = f"add a {arguments.role.value} link to {arguments.trajectory}"
    draft = desk.drafts.trajectories.get(arguments.trajectory)
    if draft is None:
        said = f"no trajectory {arguments.trajectory} of yours; you have {', '.join(desk.drafts.trajectories) or 'none'}"
        return Answer(query, "drafts", lines=[f"refused: {said}"], is_error=True)
    if len(draft.links) >= 12:
        return Answer(query, "drafts", lines=["refused: a chain has at most 12 links"], is_error=True)
    refused = add_link(draft, arguments, desk)
    return Answer(query, "drafts", lines=[f"{arguments.trajectory} link {len(draft.links)}: kept", *refused])


TOOL = Tool("add_link", "Adds a link (trigger, mechanism, exposure or harm) to a trajectory of yours.", AddLink, _run)
