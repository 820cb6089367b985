"""What is published about one evaluation, besides the evaluation itself: the comment and the check are made from this alone."""

from collections.abc import Sequence
from dataclasses import field

from bot.report.conclusions import Concluded, Outcome, conclusion_of, outcome_of
from gonogo.evaluation import Evaluation
from gonogo.policy import Policy
from gonogo.record import Record
from gonogo.trajectory import trajectory_id
from gonogo.word import Instant

EVERYTHING = "*"
"""Stands for every trajectory, and the live gate, in an acknowledgement."""
BASE_COPY_NOTE = "This pull request edits `.github/gonogo.yml`. It was evaluated with the base's copy; the edit counts from the next pull request on."


class Acknowledged(Record, kw_only=True):
    """Somebody with write access took a risk knowingly."""

    trajectory: str
    """Its id, or EVERYTHING."""
    login: str
    reason: str
    at: Instant | None = None
    expired_because: str = ""
    """Why it no longer counts; empty while it does."""


class Earlier(Record, kw_only=True):
    """An earlier evaluation of the same pull request."""

    head_sha: str
    outcome: Outcome
    at: Instant | None = None
    summary: str = ""
    url: str = ""


class Other(Record, kw_only=True):
    """Another open pull request with the same head, which shares the check run."""

    number: int
    outcome: Outcome
    conclusion: str = ""


class BenchmarkRow(Record, kw_only=True):
    """A metric of an agent benchmark on base and head; `gate` says whether its limit holds, None without a limit."""

    benchmark: str
    metric: str
    base: float | None
    head: float | None
    unit: str = ""
    interval: tuple[float, float] | None = None
    """Of the difference, 95 %."""
    gate: bool | None = None


class Published(Record, kw_only=True):
    """One evaluation as it is shown. All of it may be text of strangers: the renderings neutralise and redact."""

    number: int | None
    """Of the pull request; None for a merge group, which has a check and no comment."""
    head_sha: str
    evaluation: Evaluation | None
    """None while there is none, and where it ended without one."""
    outcome: Outcome | None = None
    """How it stands; None: as the evaluation says."""
    why: str = ""
    """Why there is no evaluation: what failed, who cancelled."""
    generation: int = 1
    policy: Policy = field(default_factory=Policy)
    policy_note: str = ""
    """BASE_COPY_NOTE where the pull request edits its own settings."""
    policy_error: str = ""
    """What is wrong with the settings at the base, each mistake with its line; the defaults were used."""
    is_draft: bool = False
    is_fork: bool = False
    history: Sequence[Earlier] = ()
    """Newest first."""
    others: Sequence[Other] = ()
    acknowledgements: Sequence[Acknowledged] = ()
    benchmarks: Sequence[BenchmarkRow] = ()
    rest_calls: int | None = None
    took_s: float | None = None
    """Seconds from the event to the verdict; None: what the stages took."""
    dashboard_url: str = ""
    """The page of this evaluation."""
    web_url: str = "https://github.com"
    """Where the repository's files can be looked at."""

    @property
    def stands(self) -> Outcome:
        """How the evaluation stands."""
        if self.outcome is not None:
            return self.outcome
        return outcome_of(self.evaluation) if self.evaluation is not None else Outcome.RUNNING

    @property
    def is_held(self) -> bool:
        """Whether it is the live gate alone that holds it."""
        return self.evaluation is not None and self.evaluation.is_held and not self.evaluation.blockers()

    @property
    def is_acknowledged(self) -> bool:
        """Whether everything that would block has an acknowledgement that still counts."""
        valid = {a.trajectory for a in self.acknowledgements if not a.expired_because}
        if EVERYTHING in valid:
            return True
        if self.evaluation is None or self.evaluation.is_held or not valid:
            return False
        blocking = {trajectory_id(e.trajectory) for e in self.evaluation.blockers()}
        return bool(blocking) and blocking <= valid

    @property
    def concluded(self) -> Concluded:
        """What its check says."""
        return conclusion_of(
            self.stands,
            on_error=self.policy.on_error,
            is_shadow=self.policy.shadow,
            is_acknowledged=self.is_acknowledged,
            is_held=self.is_held,
        )
