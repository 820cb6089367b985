"""`record_verdict`: hands over claims and a summary, and ends the conversation. It takes no status and no verdict."""

from pydantic import Field, ValidationError

from bot.investigator.citing import Refused
from bot.investigator.desk import Desk
from bot.investigator.drafting import ClaimedTrajectory, explained, plain, propose
from bot.investigator.tools.tool import Answer, Arguments, Tool
from gonogo.word import Json


class RecordVerdict(Arguments):
    """What is handed over."""

    claims: list[str | dict[str, Json]] = Field(
        default_factory=list[str | dict[str, Json]],
        max_length=12,
        description="ids of your trajectories (T1 …), or whole trajectories in the form of propose_trajectory; empty: none",
    )
    summary: str = Field(default="", max_length=4_000, description="one or two sentences on what was looked at")


def _run(arguments: RecordVerdict, desk: Desk) -> Answer:
    names: list[str] = []
    said: list[str] = []
    for claim in arguments.claims:
        if isinstance(claim, str):
            names += [claim] if claim in desk.drafts.trajectories else []
            said += [] if claim in desk.drafts.trajectories else [f"{claim}: no such trajectory"]
            continue
        try:
            name, refused = propose(ClaimedTrajectory.model_validate(claim), desk)
            names.append(name)
            said += [f"{name} {why}" for why in refused]
        except ValidationError as error:
            said.append(f"left out: {explained(error)}")
        except Refused as error:
            said.append(f"left out: {error}")
    desk.drafts.handed_over = names
    desk.drafts.summary = plain(arguments.summary)
    return Answer("record the verdict", "drafts", lines=[f"recorded with {len(names)} trajectories", *said])


TOOL = Tool(
    "record_verdict",
    "Ends this conversation. Hands over trajectories and a summary. Statuses and the verdict are computed from the evidence, not given.",
    RecordVerdict,
    _run,
)
