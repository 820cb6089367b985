"""A blocking call runs on an event loop."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.hot.blocking import blocking_calls
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(id=RuleId("calls/blocks-event-loop"), title="A blocking call runs on an event loop", since="0.1.0")


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for one in context.once(blocking_calls):
        yield Finding(
            rule=INFO.id,
            file=one.place.file,
            line=one.place.line,
            message=f"`{one.call.callee}` {one.why}",
            safe_alternative="An asynchronous client with `await`, or a thread (`asyncio.to_thread`).",
        )
