"""What a worker gives to the process that evaluates, and what comes back: two JSON files in a folder of their own."""

from collections.abc import Mapping
from pathlib import Path

from bot.changes.pull_request import PullRequest
from bot.investigator.choosing import Choice
from gonogo.word import Json, Word

JOB, RESULT, SPENDING, STDERR = "job.json", "result.json", "spending", "stderr"


class Known(Word):
    """An earlier evaluation of the same pull request, as the store keeps it."""

    id: str
    document: str


class ChildJob(Word):
    """One evaluation. Commits are named by their ids, so that nothing that moves meanwhile is read by mistake."""

    mirror: Path
    """The bare repository that holds both commits."""
    repository: str
    """`owner/name`."""
    base_sha: str
    """The tip of the base branch: the change is judged from its merge base with head, and the settings are read here."""
    head_sha: str
    pull_request: PullRequest
    """The words of its author: data."""
    production: str | None = None
    investigator: Choice = "rules"
    steps: int = 30
    deadline_s: float = 150
    started: float
    """When the evaluation began, as a reading of `time.monotonic`, which all processes of a host share."""
    memory_bytes: int
    notes: tuple[str, ...] = ()
    """Said in the report: why no model was asked, for example."""
    earlier: Known | None = None
    """The last one that came to a verdict: this one goes on from it."""
    reusable: tuple[Known, ...] = ()
    """Those whose verdict may be given again for the same content, newest first."""
    looks_again: bool = False
    """Somebody asked for it: a model looks at everything once more."""


class ChildResult(Word):
    """What the process found out."""

    document: str
    """The Evaluation, as JSON: numbers that JSON cannot hold come back as they were."""
    policy: Mapping[str, Json]
    """The repository's settings as they were used."""
    policy_error: str | None = None
    """What is wrong with the settings at the base: the defaults were used."""
    reused: str | None = None
    """The id of the evaluation whose verdict is given again."""
