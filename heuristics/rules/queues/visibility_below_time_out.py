"""A message comes back while it is still worked on."""

from collections.abc import Iterator

from gonogo.finding import Finding, RuleId
from heuristics.limits.changed import setting_number
from heuristics.limits.finding import change_of, limit_finding
from heuristics.limits.queues import QueueLimit, queue_changes
from heuristics.rule import RuleContext, RuleInfo

INFO = RuleInfo(
    id=RuleId("queues/visibility-below-time-out"), title="A message comes back while it is still worked on", since="0.1.0"
)


def check(context: RuleContext) -> Iterator[Finding]:
    """Every line of the change where this happens."""
    for found in queue_changes(context):
        if found.limit not in (QueueLimit.VISIBILITY, QueueLimit.FUNCTION_TIME_OUT):
            continue
        is_raised = found.limit is QueueLimit.FUNCTION_TIME_OUT
        visible_s = setting_number(found.source, "visibility_timeout_s") if is_raised else found.new
        may_run_s = found.new if is_raised else setting_number(found.function, "timeout_s")
        if visible_s is not None and may_run_s is not None and may_run_s + found.window_s > visible_s:
            message = f"{change_of(found.changed)}: a message is hidden for {visible_s:g} s and may be worked on for {may_run_s + found.window_s:g} s"
            yield limit_finding(
                INFO.id,
                found.changed,
                message,
                "Visibility time-out of at least six times the function's time-out plus the batch window.",
            )
