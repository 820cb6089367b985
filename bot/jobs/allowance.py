"""Who may investigate, and at what cost: drafts and what is past its cap of the day get the rules alone, and are told so."""

from collections.abc import Mapping

from bot.investigator.choosing import Choice
from bot.investigator.spending import DEFAULT_MAX_COST
from bot.jobs.ports import Ports
from bot.storage.app_rows import EvaluationRow
from gonogo.record import Record


class Allowance(Record):
    """`max_cost` in dollars; `note` is what the report says about it."""

    investigator: Choice
    max_cost: float | None = None
    note: str | None = None


async def allowance_of(ports: Ports, row: EvaluationRow, environment: Mapping[str, str]) -> Allowance:
    """What an evaluation may use of a model."""
    settings = ports.settings
    if settings.investigator == "rules" or (settings.investigator == "auto" and not environment.get("ANTHROPIC_API_KEY")):
        return Allowance("rules")
    if row.is_draft:
        return Allowance("rules", note="a draft: only the deterministic part was asked, the model is when it is ready for review")
    day = ports.clock().date()
    spent = await ports.stored(ports.store.spent_by_installation, row.installation_id, day)
    caps = [(spent, settings.max_cost_installation_day, "installation")]
    if row.pull_request_id is not None:
        spent = await ports.stored(ports.store.spent, row.pull_request_id, day)
        caps.insert(0, (spent, settings.max_cost_pull_request_day, "pull request"))
    for spent, cap, whose in caps:
        if spent >= cap:
            name = f"GONOGO_MAX_COST_{whose.replace(' ', '_').upper()}_DAY"
            note = f"the rules decided alone: models cost {spent:.2f} dollars for this {whose} today, and the cap is {cap:g} ({name})"
            return Allowance("rules", note=note)
    return Allowance(settings.investigator, max_cost=min(_limit(environment), *(cap - spent for spent, cap, _ in caps)))


def _limit(environment: Mapping[str, str]) -> float:
    """Dollars that one evaluation may cost anyway."""
    try:
        return float(environment.get("GONOGO_MAX_COST") or DEFAULT_MAX_COST)
    except ValueError:
        return DEFAULT_MAX_COST
