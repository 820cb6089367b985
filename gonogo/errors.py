"""Every error that gonogo raises on purpose, and the exit status it ends in.

GonogoError
├── CallError (2)           the call or its input is wrong: what, where, what to do
│   ├── ShallowCheckout (2)     history is missing; carries the command to run
│   └── WrongConfiguration (2)  the repository's settings are wrong; carries every mistake with its line
├── StageFailed (3)         a stage could not finish; carries the stage
│   ├── ProductionUnreachable (3)   production was asked for and no source answered
│   └── ForecastUnavailable (3)     a forecaster gave no answer; carries whether asking again may help
├── BudgetSpent             steps or time are over; the investigation hands over what it has
├── ShadowUnavailable       no throw-away database could be had, or it did not live to the end of what it was to try
├── ModelUnavailable        a model gave no answer: down, refused the key, too late; what was found without it stands
└── ForgeError              GitHub did not do what it was asked
    ├── Throttled               a limit is reached; carries the instant before which nothing may be tried
    ├── ForgeUnavailable        down, too slow, or cut off; carries whether a write may have been done all the same
    ├── NotFoundYet             404 of something that must appear soon: ask again
    ├── Gone                    404 or 410 of something that was there, or never will be
    ├── Forbidden               a permission is missing; carries its name where GitHub or the manifest tells it
    ├── Suspended               the installation is suspended, or was removed: drop its work
    ├── Locked                  the conversation is locked: no comment until it is unlocked
    ├── Archived                the repository is archived: read-only
    ├── Refused                 422 or 400: the same request will be refused again
    └── TooManyCalls            the evaluation has used up its calls of the REST interface
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


class GonogoError(Exception):
    """Base of all of them. The message says what we were doing, what happened, what to do."""

    exit_status = 3


class CallError(GonogoError):
    """The call or its input is wrong; nothing was written."""

    exit_status = 2


class ShallowCheckout(CallError):
    """The commit that we need is not in this checkout."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong in a file; `line` counts from 1, None when it is about the whole file."""

    line: int | None
    message: str


class WrongConfiguration(CallError):
    """`.github/gonogo.yml`, or the file of `--config`, holds mistakes: all of them, in the order of their lines."""

    def __init__(self, source: str, mistakes: Sequence[Mistake]) -> None:
        self.source = source
        self.mistakes = tuple(sorted(mistakes, key=lambda m: m.line or 0))
        said = [f"line {m.line}: {m.message}" if m.line else m.message for m in self.mistakes]
        super().__init__(f"{source}{' ' if self.mistakes[0].line else ': '}{'; '.join(said)}")


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


class ShadowUnavailable(GonogoError):
    """Statements could not be tried on a throw-away database; the message says why."""


class ModelUnavailable(GonogoError):
    """A model gave no answer, and asking again in the time that is left would not help."""


class ForgeError(GonogoError):
    """GitHub did not do what it was asked. No message holds a token."""


class Throttled(ForgeError):
    """A limit of GitHub's, or our own spacing of writes."""

    def __init__(self, message: str, *, not_before: datetime) -> None:
        self.not_before = not_before
        super().__init__(message)


class ForgeUnavailable(ForgeError):
    """No answer, or an answer of a broken server, also when asked again.

    `may_be_done`: a write was sent, and a look afterwards could not tell whether it was done.
    """

    def __init__(self, message: str, *, may_be_done: bool = False) -> None:
        self.may_be_done = may_be_done
        super().__init__(message)


class NotFoundYet(ForgeError):
    """Something new that GitHub does not show yet: 1, 2, 4, 8 s later it may be there."""


class Gone(ForgeError):
    """Something that is not there, and waiting won't bring it."""


class Forbidden(ForgeError):
    """What was asked needs a permission; `permission` is its name as in the manifest, None when GitHub did not say."""

    def __init__(self, message: str, *, permission: str | None = None) -> None:
        self.permission = permission
        super().__init__(message)


class Suspended(ForgeError):
    """The installation is suspended; `is_removed`: the App is no longer on the account at all."""

    def __init__(self, message: str, *, is_removed: bool = False) -> None:
        self.is_removed = is_removed
        super().__init__(message)


class Locked(ForgeError):
    """The conversation of the pull request is locked."""


class Archived(ForgeError):
    """The repository is archived."""


class Refused(ForgeError):
    """The request is wrong in GitHub's eyes."""


class TooManyCalls(ForgeError):
    """The limit of calls of one evaluation is reached; nothing was sent."""
