"""What is unsettled in production, in sentences."""

from collections.abc import Sequence

from bot.report.evidence_text import short
from gonogo.live import LiveNote

_SAID = {
    "incident": "incident {name} is open on {resource}{which} since {since}",
    "alarm": "alarm {name} rings on {resource}{which} since {since}",
    "deployment": "deployment {name} of {resource}{which} has not settled since {since} ({state})",
}
MAX_NAMED = 5
LIVE_GATE = "With `live_gate: true` this is a no-go until it closes; then it is evaluated again, without a commit."


def live_text(note: LiveNote) -> str:
    """`alarm orders-db-cpu rings on orders-db since 2026-05-09 09:00 UTC`; what depends on the change says on which part of it."""
    which = f", which depends on {short(note.depends_on)}," if note.depends_on else ""
    since = f"{note.since:%Y-%m-%d %H:%M} UTC"
    return _SAID[note.kind].format(name=note.name, resource=short(note.resource), which=which, since=since, state=note.state)


def live_sentence(notes: Sequence[LiveNote]) -> str:
    """All of them in one sentence, without its first capital and its full stop."""
    named = "; ".join(live_text(note) for note in notes[:MAX_NAMED])
    return named + (f"; and {len(notes) - MAX_NAMED} more" if len(notes) > MAX_NAMED else "")


def live_citation(note: LiveNote) -> str:
    """Where it was read: `alarms of snapshot, read 2026-05-10 23:55 UTC: ALARM`."""
    kind = "deploys" if note.kind == "deployment" else "alarms"
    read = f", read {note.read_at:%Y-%m-%d %H:%M} UTC" if note.read_at else ""
    return f"{kind} of {note.source or 'production'}{read}: {note.name} of {note.resource} is {note.state}"
