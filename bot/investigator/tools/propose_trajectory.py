"""`propose_trajectory`: puts a chain down as a draft, with as many of its links as are known."""

from bot.investigator.citing import Refused
from bot.investigator.desk import Desk
from bot.investigator.drafting import ClaimedTrajectory, propose
from bot.investigator.tools.tool import Answer, Arguments, Tool


class ProposeTrajectory(ClaimedTrajectory, Arguments):
    """The chain."""


def _run(arguments: ProposeTrajectory, desk: Desk) -> Answer:
    query = f"propose {arguments.title[:80]}"
    try:
        name, refused = propose(arguments, desk)
    except Refused as error:
        return Answer(query, "drafts", lines=[f"refused: {error}"], is_error=True)
    links = len(desk.drafts.trajectories[name].links)
    return Answer(query, "drafts", lines=[f"{name}: kept with {links} links", *refused])


TOOL = Tool(
    "propose_trajectory",
    "Proposes a failure trajectory: title, impact, resource, metric, make_safe, and links with citations. Answers with its id.",
    ProposeTrajectory,
    _run,
)
