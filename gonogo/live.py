"""What is unsettled in production right now, around what a change would touch: a reason to wait, not a fault of the change."""

from typing import Literal

from gonogo.word import Instant, ResourceId, Word

LiveKind = Literal["incident", "alarm", "deployment"]


class LiveNote(Word):
    """One open incident, ringing alarm or unsettled deployment, as its source said it at `read_at`."""

    kind: LiveKind
    resource: ResourceId
    name: str
    """Of the alarm or incident; the version of a deployment."""
    state: str
    """In the word of its source."""
    since: Instant
    depends_on: ResourceId | None = None
    """The affected resource that `resource` depends on; None when it is affected itself."""
    source: str = ""
    read_at: Instant | None = None
