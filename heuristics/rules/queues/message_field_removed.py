"""A message loses a field that a consumer reads."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.delivery import changed_messages
from heuristics.finding import finding_at
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("queues/message-field-removed"), title="A message loses a field that a consumer reads", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """A field of a message that goes or is renamed while a consumer of this repository reads it."""
    for message in context.once(changed_messages):
        if not message.is_added:
            reader = message.readers[0].place
            text = f"messages lose {message.name}, which {reader.file} line {reader.line} reads"
            safe = f"Let the consumer take messages with and without `{message.name}` first, then change the producer."
            yield finding_at(INFO.id, message.place, text, safe)
