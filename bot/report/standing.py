"""How a verdict stands on its pull request: shadow mode, acknowledgements, other pull requests, the settings it was made with."""

from collections.abc import Iterator

from bot.report.conclusions import Outcome
from bot.report.neutral import block, code, escaped, prose
from bot.report.published import EVERYTHING, Acknowledged, Other, Published
from bot.report.sections import Section, section
from gonogo.evaluation import Evaluation
from gonogo.trajectory import trajectory_id

MAX_ENDED = 3
"""Acknowledgements that no longer count, and are still told."""
SHADOW_NOTE = "**Shadow mode:** gonogo reports here and never blocks. {would}"
_WORDS = {
    Outcome.QUEUED: "waiting",
    Outcome.RUNNING: "evaluating",
    Outcome.GO: "go",
    Outcome.NO_GO: "no-go",
    Outcome.NOTHING: "go, nothing that can reach production",
    Outcome.COULD_NOT: "could not evaluate",
    Outcome.CANCELLED: "cancelled",
}


def outcome_word(outcome: Outcome) -> str:
    """As people say it."""
    return _WORDS[outcome]


def remark_of(published: Published) -> str:
    """What goes on after the verdict's word in the first line."""
    remarks: list[str] = []
    if published.policy.shadow and published.stands in (Outcome.NO_GO, Outcome.COULD_NOT):
        remarks.append(" (shadow mode: nothing is blocked)")
    if published.is_acknowledged and published.stands in (Outcome.NO_GO, Outcome.COULD_NOT):
        by = dict.fromkeys(f"@{a.login}" for a in published.acknowledgements if not a.expired_because)
        remarks.append(f", acknowledged by {escaped(', '.join(by))}")
    return "".join(remarks)


def waiting_line(published: Published) -> str:
    """The first line where there is no verdict to show."""
    why = f" {prose(published.why.rstrip('.'))}." if published.why else ""
    match published.stands:
        case Outcome.QUEUED | Outcome.RUNNING:
            return f"### ⏳ **{outcome_word(published.stands)}** {code(published.head_sha[:8])}…{why}"
        case Outcome.CANCELLED:
            return f"### ⚪ **cancelled**: {code(published.head_sha[:8])} was not evaluated to the end.{why}"
        case _:
            return f"### ⚪ **could not evaluate**{remark_of(published)}:{why or ' no evaluation came of it.'}"


def override_sections(published: Published, evaluation: Evaluation | None) -> Iterator[Section]:
    """What the check says other than the verdict, and why: shadow mode, who took the risk, what could not be evaluated."""
    if published.policy.shadow:
        yield section([SHADOW_NOTE.format(would=_would(published))], 1)
    elif published.stands is Outcome.COULD_NOT and not published.is_acknowledged:
        is_open = published.policy.on_error == "open"
        says = "is neutral and does not stop the merge" if is_open else "asks for action and stops the merge"
        yield section([f"Nothing was decided about this change. The check {says} (`on_error: {published.policy.on_error}`)."], 1)
    titles = {trajectory_id(e.trajectory): e.trajectory.title for e in evaluation.ledger} if evaluation is not None else {}
    ended = [one for one in published.acknowledgements if one.expired_because][:MAX_ENDED]
    for one in (*(one for one in published.acknowledgements if not one.expired_because), *ended):
        yield section([_acknowledged(one, titles.get(one.trajectory, ""))], 1)


def standing_sections(published: Published) -> Iterator[Section]:
    """What the reader must know beside the verdict, before its proof."""
    if published.others:
        yield section([_others(published)], 1)
    if published.policy_error:
        yield section(
            ["**`.github/gonogo.yml` has mistakes; it was evaluated with the defaults:**", "", *block(published.policy_error)], 1
        )
    if published.policy_note:
        yield section([prose(published.policy_note)], 1)
    if published.is_draft:
        yield section(
            ["Draft: rules and playbooks alone looked at it; a model, where one is set up, is asked when it is ready."], 4
        )
    if published.is_fork:
        yield section(["From a fork: nothing of it was run, and its settings were not read."], 4)


def _would(published: Published) -> str:
    match published.stands:
        case Outcome.NO_GO if published.is_acknowledged:
            return "The check would have passed: the risk is acknowledged."
        case Outcome.NO_GO:
            return "The check would have said **no-go** and stopped the merge."
        case Outcome.COULD_NOT if published.policy.on_error == "closed":
            return "The check would have asked for action."
        case _:
            return "The check would have passed."


def _acknowledged(one: Acknowledged, title: str) -> str:
    what = "everything here" if one.trajectory == EVERYTHING else escaped(title) or code(one.trajectory)
    by = escaped(f"@{one.login}")
    reason = escaped(one.reason.rstrip("."))
    if one.expired_because:
        return f"**No longer acknowledged:** {what} was acknowledged by {by} ({reason}); that ended: {prose(one.expired_because.rstrip('.'))}."
    return f"**Acknowledged by {by}:** {reason}, until the next change ({what})."


def _others(published: Published) -> str:
    named = ", ".join(_other(other) for other in published.others)
    pull_requests = "pull request has" if len(published.others) == 1 else "pull requests have"
    own = f"#{published.number}: {outcome_word(published.stands)}; " if published.number is not None else ""
    return f"**Another {pull_requests} the same head commit.** The check shows the worst of them: {own}{named}."


def _other(other: Other) -> str:
    return f"#{other.number}: {outcome_word(other.outcome)}"
