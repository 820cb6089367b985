"""Every error that gonogo raises on purpose, and the exit status it ends in.

GonogoError
├── CallError (2)           the call or its input is wrong: what, where, what to do
│   └── ShallowCheckout (2)     history is missing; carries the command to run
├── StageFailed (3)         a stage could not finish; carries the stage
│   ├── ProductionUnreachable (3)   production was asked for and no source answered
│   └── ForecastUnavailable (3)     a forecaster gave no answer; carries whether asking again may help
├── BudgetSpent             steps or time are over; the investigation hands over what it has
└── ModelUnavailable        a model gave no answer: down, refused the key, too late; what was found without it stands
"""


class GonogoError(Exception):
    """Base of all of them. The message says what we were doing, what happened, what to do."""

    exit_status = 3


class CallError(GonogoError):
    """The call or its input is wrong; nothing was written."""

    exit_status = 2


class ShallowCheckout(CallError):
    """The commit that we need is not in this checkout."""


class StageFailed(GonogoError):
    """A stage of the pipeline could not finish; never a go."""

    def __init__(self, stage: str, why: str, what_to_do: str = "") -> None:
        self.stage, self.why, self.what_to_do = stage, why, what_to_do
        super().__init__(f"{stage}: {why}" + (f"; {what_to_do}" if what_to_do else ""))


class ProductionUnreachable(StageFailed):
    """Production facts were asked for and no source answered."""


class ForecastUnavailable(StageFailed):
    """A forecaster gave no answer: no weights, a worker or server that failed, a request it cannot take.

    The next forecaster in the order is asked instead, and an evaluation goes on with a gap.
    """

    def __init__(self, why: str, what_to_do: str = "", *, may_retry: bool = False) -> None:
        self.may_retry = may_retry
        super().__init__("forecast", why, what_to_do)


class BudgetSpent(GonogoError):
    """No step or no time is left."""


class ModelUnavailable(GonogoError):
    """A model gave no answer, and asking again in the time that is left would not help."""
