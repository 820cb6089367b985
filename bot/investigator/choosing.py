"""Who investigates: the playbooks alone, or a model beside them. Nothing of a model is loaded until one is chosen."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from time import monotonic
from typing import Literal

from bot.investigator.case import Case
from bot.investigator.rules import Outcome
from gonogo.errors import CallError

Choice = Literal["auto", "rules", "claude"]
Investigate = Callable[[Case], Outcome]

_KEY = "ANTHROPIC_API_KEY"


def chosen(
    choice: Choice, environment: Mapping[str, str], *, steps: int, deadline_s: float, started: float, data_dir: Path
) -> Investigate | None:
    """The model's investigator where it is wanted and a key is there; None for the playbooks alone.

    `started` is the reading of `time.monotonic` at which the process began. CallError for a model asked for by name that
    cannot be asked at all, and for settings that cannot be read.
    """
    is_configured = bool(environment.get(_KEY, "").strip())
    if choice == "claude" and not is_configured:
        raise CallError(f"--investigator claude needs {_KEY} in the environment; use rules, or set it")
    if choice == "rules" or not is_configured:
        return None
    if choice == "claude" and not (find_spec("anthropic") and find_spec("bencher")):
        raise CallError("--investigator claude needs the Anthropic SDK; install it with: pip install 'gonogo[claude]'")
    from bot.investigator.assisted import Assistance  # noqa: PLC0415
    from bot.investigator.claude import make_model, models_of  # noqa: PLC0415
    from bot.investigator.spending import Spending  # noqa: PLC0415
    from gonogo.budget import StepBudget  # noqa: PLC0415

    model, small_model = models_of(environment)
    assistance = Assistance(
        make_model=lambda spending: make_model(environment, spending),
        model=model,
        small_model=small_model,
        budget=StepBudget(steps, deadline_s - kept_back_s(deadline_s), monotonic, started),
        spending=Spending.from_environment(environment),
        journal=data_dir / "journal",
    )
    return assistance.investigate


def version_of(environment: Mapping[str, str]) -> str:
    """The version of the model's investigator of this environment."""
    from bot.investigator.claude import models_of  # noqa: PLC0415
    from bot.investigator.prompts.version import investigator_version  # noqa: PLC0415

    return investigator_version(*models_of(environment))


def kept_back_s(deadline_s: float) -> float:
    """Seconds of a deadline that belong to what comes after the model: evidence is read again, the report is written."""
    return min(5.0, max(0.5, 0.06 * deadline_s))
