"""What the required check says: a total mapping from how an evaluation ended, and the repository's own wishes, to a conclusion.

GitHub lets a pull request pass a required check that is success, neutral or skipped
(https://docs.github.com/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/troubleshooting-required-status-checks).
So a title says what a conclusion alone would hide: that nothing was evaluated, that a no-go was taken knowingly, that nothing blocks.
"""

from enum import StrEnum
from typing import Literal, assert_never

from gonogo.evaluation import Conclusion as Ending
from gonogo.evaluation import Evaluation
from gonogo.forge import CheckStatus, Conclusion
from gonogo.record import Record
from gonogo.verdict import Verdict

OnError = Literal["open", "closed"]


class Outcome(StrEnum):
    """Where an evaluation is, or how it ended."""

    QUEUED = "queued"
    RUNNING = "running"
    GO = "go"
    NO_GO = "no-go"
    NOTHING = "nothing"
    COULD_NOT = "could-not"
    CANCELLED = "cancelled"


class Concluded(Record):
    """State of the check run; `conclusion` is None until it is completed. `title` says why in a few words."""

    status: CheckStatus
    conclusion: Conclusion | None
    title: str

    @property
    def passes(self) -> bool:
        """Whether GitHub lets a pull request through that needs this check."""
        return self.conclusion in ("success", "neutral", "skipped")


def conclusion_of(
    outcome: Outcome,
    *,
    on_error: OnError = "open",
    is_shadow: bool = False,
    is_acknowledged: bool = False,
    is_held: bool = False,
) -> Concluded:
    """The check for an outcome.

    `is_acknowledged`: everything that would block is acknowledged by somebody who may. `is_held`: the live gate is on, something
    around the change is unsettled, and nothing else speaks against it. A repository in shadow mode is never blocked, whatever happens.
    """
    plain = _plain(outcome, on_error=on_error, is_acknowledged=is_acknowledged, is_held=is_held)
    if not is_shadow or plain.conclusion in (None, "success"):
        return plain
    said = f"would have said {plain.title}" if plain.conclusion == "failure" else plain.title
    return Concluded("completed", "neutral", f"shadow mode: {said}")


def _plain(outcome: Outcome, *, on_error: OnError, is_acknowledged: bool, is_held: bool) -> Concluded:
    match outcome:
        case Outcome.QUEUED:
            return Concluded("queued", None, "waiting to be evaluated")
        case Outcome.RUNNING:
            return Concluded("in_progress", None, "evaluating")
        case Outcome.CANCELLED:
            return Concluded("completed", "cancelled", "cancelled: not evaluated to the end")
        case Outcome.NOTHING:
            return Concluded("completed", "success", "go: nothing here can reach production")
        case Outcome.GO | Outcome.NO_GO:
            if outcome is Outcome.GO and not is_held:
                return Concluded("completed", "success", "go")
            if is_acknowledged:
                return Concluded("completed", "success", "no-go, acknowledged")
            said = "no-go for now, production is not settled" if is_held else "no-go"
            return Concluded("completed", "failure", said)
        case Outcome.COULD_NOT if on_error == "open":
            return Concluded("completed", "neutral", "could not evaluate")
        case Outcome.COULD_NOT if is_acknowledged:
            return Concluded("completed", "neutral", "could not evaluate, acknowledged")
        case Outcome.COULD_NOT:
            return Concluded("completed", "action_required", "could not evaluate")
    assert_never(outcome)


def outcome_of(evaluation: Evaluation) -> Outcome:
    """How an evaluation ended; a no-go that was proved stays one although a later stage failed."""
    match evaluation.verdict:
        case None:
            return Outcome.COULD_NOT
        case Verdict.NO_GO:
            return Outcome.NO_GO
        case Verdict.GO:
            return Outcome.NOTHING if evaluation.conclusion is Ending.NOTHING_TO_EVALUATE else Outcome.GO
    assert_never(evaluation.verdict)
