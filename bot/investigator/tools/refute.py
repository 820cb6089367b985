"""`refute`: a citation that speaks against a link. Against a playbook's trajectory only facts of the enumerated kinds count."""

from pydantic import Field

from bot.investigator.citing import Citation
from bot.investigator.desk import Desk
from bot.investigator.drafting import read
from bot.investigator.drafts import Added
from bot.investigator.refutations import ENUMERATED, refutation_of
from bot.investigator.tools.cite import candidate_number
from bot.investigator.tools.tool import Answer, Arguments, Tool


class Refute(Arguments):
    """The citation, and what it speaks against."""

    trajectory: str
    link: int = Field(ge=1, description="1-based")
    evidence: Citation


def _run(arguments: Refute, desk: Desk) -> Answer:
    where = f"{arguments.trajectory} link {arguments.link}"
    query = f"refute {where}"
    draft = desk.drafts.trajectories.get(arguments.trajectory)
    at = candidate_number(arguments.trajectory, desk)
    links = len(draft.links) if draft else len(desk.case.candidates[at].links) if at is not None else 0
    if arguments.link > links:
        return Answer(query, "drafts", lines=[f"refused: no {where}"], is_error=True)
    evidence, why = read(arguments.evidence, desk)
    if evidence is None:
        return Answer(query, "drafts", lines=[why], is_error=True)
    if draft is not None:
        draft.links[arguments.link - 1].refuting.append(evidence)
    elif at is not None:
        kind = refutation_of(desk.case.candidates[at], evidence, desk.case)
        if kind is None:
            desk.drafts.refused += 1
            said = f"refused: this does not clear {arguments.trajectory}. What may: {ENUMERATED}"
            return Answer(query, "drafts", lines=[said], is_error=True)
        desk.drafts.added.append(Added(at, arguments.link - 1, evidence, is_against=True, refutation=kind.code))
    return Answer(query, "drafts", lines=[f"{where}: taken", evidence.model_dump_json(exclude_none=True)])


TOOL = Tool("refute", "Adds a citation that speaks against a link, of your trajectory or of a playbook's (R1 …).", Refute, _run)
