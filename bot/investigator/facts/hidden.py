"""How long a message stays hidden from other readers against how long one works on it."""

from bot.investigator.asking import Reading
from bot.investigator.case import Case
from bot.investigator.chain import compare, harm, unknown
from bot.investigator.facts.consumers import work_times
from bot.investigator.facts.cut_work import Cut, cut_work
from bot.investigator.facts.durations import logged_work
from bot.investigator.facts.latencies import Answer, judged
from gonogo.trajectory import Link, Role

_NEAR = 1.5
_LONGER = 2.0
"""Work that is cut at 25 s goes on past 30 s; whether it goes on past 60 s nobody knows before it is let."""
_LOGGED_ROOM = 0.8
"""Of the hidden time; the log is a sample, so its longest job is not the longest of all."""


def visibility_harm(
    case: Case,
    reader: str | None,
    by: str,
    visible_s: float,
    needed: float | None,
    configured: Reading | None,
    *,
    cut_s: float | None = None,
) -> Link:
    """Work that was measured (or that its own log lines tell) against the time that a message stays hidden.

    With `cut_s`, work was cut off after so many seconds until now: what was measured then is no bound for later.
    """
    judgement = judged(work_times(case, reader) if reader else (), visible_s)
    cut = cut_work(case, reader, cut_s) if reader and cut_s is not None and judgement.answer is not Answer.EXCEEDED else None
    if cut is not None and cut_s is not None:
        return _cut_harm(by, visible_s, needed, configured, cut_s, cut)
    logged = logged_work(case, reader) if reader and judgement.answer is Answer.UNREAD else None
    claim = f"{by} works longer than {visible_s:g} s on a message"
    if judgement.answer is Answer.EXCEEDED and judgement.reading is not None:
        return harm(
            f"{claim}: {judgement.percentile} is {judgement.reading.value:.4g} s, so {judgement.share} are handed out a second time and done twice",
            judgement.reading, judgement.support, comparison=compare(judgement.reading, ">", visible_s, "s"),
        )  # fmt: skip
    if judgement.answer is Answer.FITS and judgement.reading is not None:
        return harm(
            f"{claim} ({judgement.percentile} peaks at {judgement.reading.value:.3g} s)", judgement.reading, configured,
            comparison=compare(judgement.reading, ">", visible_s, "s"),
        )  # fmt: skip
    if logged is not None and logged.usual.value > visible_s:
        return harm(
            f"{claim}: by its log it takes {logged.least.value:.3g} to {logged.most.value:.3g} s, half of the time more than {logged.usual.value:.4g} s, "
            "so jobs are handed out a second time while the first still works",
            logged.usual, logged.least, logged.most, comparison=compare(logged.usual, ">", visible_s, "s"),
        )  # fmt: skip
    if logged is not None and logged.most.value <= visible_s * _LOGGED_ROOM:
        return harm(
            f"{claim}: by its log it takes at most {logged.most.value:.3g} s",
            logged.most,
            configured,
            comparison=compare(logged.most, ">", visible_s, "s"),
        )
    if needed is not None and needed <= visible_s and configured is not None:
        return harm(
            f"{by} may work longer than {visible_s:g} s: its limit is {needed:g} s",
            configured,
            comparison=compare(needed, ">", visible_s, "s"),
        )
    return unknown(
        Role.HARM, claim, f"How long does {by} work on a message at p99 and at most?",
        f"aws cloudwatch get-metric-statistics --metric-name Duration --extended-statistics p99 --statistics Maximum  -- of {by}", judgement.reading, logged.most if logged else None,
    )  # fmt: skip


def _cut_harm(by: str, visible_s: float, needed: float | None, configured: Reading | None, cut_s: float, cut: Cut) -> Link:
    claim = f"{by} works longer than {visible_s:g} s on a message: {cut.said} {cut_s:g} s until now"
    if cut.is_common and needed is not None and visible_s <= _NEAR * cut_s and needed >= _LONGER * visible_s:
        goes_on = f"{claim}, may go on for {needed:g} s, and are handed out a second time meanwhile"
        return harm(goes_on, *cut.cited, configured, comparison=compare(needed, ">", visible_s, "s"))
    question = f"How long does the work of {by} take that is cut off at {cut_s:g} s today?"
    query = f"filter @message like /timed out/ | stats count(*) by bin(1h)  # CloudWatch Logs Insights, the log of {by}"
    return unknown(Role.HARM, claim, question, query, *cut.cited, configured)
