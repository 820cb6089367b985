"""What an evaluation is asked for, beside the change, production and the settings."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from bot.evaluation.foresight import MadeForesight
from gonogo.errors import ProductionUnreachable
from gonogo.evaluation import Evaluation
from gonogo.record import Record

if TYPE_CHECKING:
    from bot.investigator.case import Case
    from bot.investigator.rules import Outcome
    from forecasting.forecaster import Choice
    from gonogo.ports import Shadow
    from heuristics.rule import RuleContext


class Request(Record):
    """What is asked: limits of the investigation, and what the caller has already noticed."""

    steps_limit: int = 30
    deadline_s: float = 150
    notes: tuple[str, ...] = ()
    is_live: bool = False
    """Live production was asked for."""
    unreachable: ProductionUnreachable | None = None
    """Why there is no source of it."""
    forecasters: "Callable[[], Choice] | None" = None
    """What forecasts, when something has to be forecast; None: the embedded default."""
    investigator: "Callable[[Case], Outcome] | None" = None
    """Who investigates; None: the playbooks alone."""
    history: Callable[[str], Sequence[str]] | None = None
    """Path → the commits that changed it, for an investigator that asks."""
    today: date | None = None
    """The day on which acceptances are looked at; None: none of them is past its date."""
    earlier: Evaluation | None = None
    """The last evaluation of the same pull request that came to a verdict: what a model has looked at is not asked about again, and
    what it claimed stands until evidence clears it."""
    reusable: tuple[Evaluation, ...] = ()
    """Evaluations of the same pull request whose verdict may be given again; how old one may be is the caller's to say."""
    open_shadow: "Callable[[RuleContext], Shadow] | None" = None
    """A throw-away database for statements of the change; None: nothing can be tried out."""
    investigator_version: str = ""
    """Who `investigator` is: its models and what they are told. Empty: no model."""
    foresight: MadeForesight | None = None
    """Forecasts that are made already; None: they are made when they are asked for."""
    seeks_go_if: bool = True
    """Whether a no-go names what would turn it."""
