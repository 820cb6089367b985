"""`/gonogo …`: what a comment asks for. Who may ask is decided elsewhere."""

import re
from enum import StrEnum

from gonogo.record import Record

USAGE = "`/gonogo evaluate`, `/gonogo explain`, `/gonogo ack <id> <reason>`, `/gonogo cancel` or `/gonogo bench`"
MAX_REASON = 500


class Verb(StrEnum):
    """What can be asked for."""

    EVALUATE = "evaluate"
    EXPLAIN = "explain"
    ACK = "ack"
    CANCEL = "cancel"
    BENCH = "bench"


class Command(Record):
    """One command; `trajectory` and `reason` belong to `ack`."""

    verb: Verb
    trajectory: str = ""
    reason: str = ""


class NotUnderstood(Record):
    """It was meant for us, and this is what is wrong with it."""

    why: str


def command_of(body: str) -> Command | NotUnderstood | None:
    """The command that a comment begins with; None when it is no comment for us. Only its first line is read."""
    line = body.splitlines()[0] if body.strip() else ""
    found = re.match(r"/gonogo(?:\s+(.*))?$", line.rstrip())
    if found is None:
        return None
    word, _, rest = " ".join((found[1] or "").split()).partition(" ")
    try:
        verb = Verb(word.lower())
    except ValueError:
        return NotUnderstood(f"there is no such command; write {USAGE}")
    if verb is not Verb.ACK:
        return Command(verb)
    trajectory, _, reason = rest.partition(" ")
    reason = reason[:MAX_REASON]
    if not re.fullmatch(r"[0-9a-f]{8}|\*", trajectory.lower()) or not reason:
        return NotUnderstood(
            "an acknowledgement names a risk by the id that the comment shows, and a reason: `/gonogo ack 1a2b3c4d the table is archived`"
        )
    return Command(verb, trajectory=trajectory.lower(), reason=reason)
