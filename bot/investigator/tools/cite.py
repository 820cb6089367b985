"""`cite`: adds a citation to a link, of a trajectory of one's own or of an open link of the playbooks' (`R1` …)."""

from pydantic import Field

from bot.investigator.citing import Citation
from bot.investigator.desk import Desk
from bot.investigator.drafting import read
from bot.investigator.drafts import Added
from bot.investigator.tools.tool import Answer, Arguments, Tool


class Cite(Arguments):
    """The citation, and where it belongs."""

    trajectory: str
    link: int = Field(ge=1, description="1-based")
    evidence: Citation


def _run(arguments: Cite, desk: Desk) -> Answer:
    where = f"{arguments.trajectory} link {arguments.link}"
    query = f"cite for {where}"
    draft = desk.drafts.trajectories.get(arguments.trajectory)
    at = candidate_number(arguments.trajectory, desk)
    links = len(draft.links) if draft else len(desk.case.candidates[at].links) if at is not None else 0
    if arguments.link > links:
        return Answer(query, "drafts", lines=[f"refused: no {where}"], is_error=True)
    evidence, why = read(arguments.evidence, desk)
    if evidence is None:
        return Answer(query, "drafts", lines=[why], is_error=True)
    if draft is not None:
        draft.links[arguments.link - 1].evidence.append(evidence)
    elif at is not None:
        desk.drafts.added.append(Added(at, arguments.link - 1, evidence))
    return Answer(query, "drafts", lines=[f"{where}: taken", evidence.model_dump_json(exclude_none=True)])


def candidate_number(name: str, desk: Desk) -> int | None:
    """Position of `R3` among the playbooks' trajectories."""
    number = name.removeprefix("R")
    at = int(number) - 1 if name.startswith("R") and number.isdecimal() and len(number) < 5 else -1
    return at if 0 <= at < len(desk.case.candidates) else None


TOOL = Tool("cite", "Adds a citation to a link; it is read at once, and refused when its source does not say so.", Cite, _run)
