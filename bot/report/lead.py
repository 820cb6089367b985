"""What is read in ten seconds: the verdict with its number, where it starts and why, what makes it safe, what would turn it."""

from collections.abc import Iterator, Sequence

from bot.report.advice import FENCE, prose_and_code
from bot.report.links import Links
from bot.report.live_text import LIVE_GATE, live_citation, live_sentence, live_text
from bot.report.neutral import block, code, escaped, prose
from bot.report.proof import advice_lines, start_of
from bot.report.sections import Section, section
from bot.report.summary import NO_WAY, counted, deciding_claim, refuting_claim
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.go_if import GoIf
from gonogo.pattern import pattern
from gonogo.trajectory import Role, Status
from gonogo.verdict import LedgerEntry, Verdict

IMPACT_SENTENCE = "Merging this pull request may degrade production ({impact} impact)."
_SIGNS = {Verdict.GO: "🟢", Verdict.NO_GO: "🔴", None: "⚪"}
MAX_LIVE = 10
SHORT = 60
"""Characters of a claim that does not stand by itself."""
_BACKTEST = pattern(r"\s*\(backtest: [^()]*\)")


def lead_sections(evaluation: Evaluation, links: Links, *, remark: str = "", sign: str = "") -> Iterator[Section]:
    """In the order of reading. `remark` is markdown of ours that goes on after the verdict's word (', acknowledged by …')."""
    blockers = evaluation.blockers()
    yield section([f"### {sign or sign_of(evaluation)} {verdict_line(evaluation, remark=remark)}"], 0)
    if blockers:
        first = blockers[0]
        yield section([_starts(first, links)], 1)
        yield section(list(advice_lines("To make this safe", first.trajectory.make_safe)), 1)
    if evaluation.go_if:
        advice = blockers[0].trajectory.make_safe if blockers else ""
        yield section(list(go_if_lines(evaluation.go_if, advice)), 2)
    if evaluation.live:
        yield section(list(_live(evaluation)), 1)


def sign_of(evaluation: Evaluation) -> str:
    """One sign that is seen before anything is read."""
    return "🟠" if evaluation.is_held and not evaluation.blockers() else _SIGNS[evaluation.verdict]


def verdict_line(evaluation: Evaluation, *, remark: str = "") -> str:
    """The answer and its impact with the number that matters, in one line."""
    blockers = evaluation.blockers()
    if evaluation.conclusion is Conclusion.COULD_NOT_EVALUATE:
        failed = evaluation.failures[0] if evaluation.failures else None
        if failed is None:
            return f"**could not evaluate**{remark}."
        to_do = f" {_sentence(failed.what_to_do)}" if failed.what_to_do else ""
        return f"**could not evaluate**{remark}: {prose(failed.why.rstrip('.'))} ({prose(failed.stage)}).{to_do}"
    if blockers:
        first = blockers[0]
        impact = IMPACT_SENTENCE.format(impact=first.trajectory.impact.value)
        if first.status is Status.PLAUSIBLE:
            impact += " It could not be settled, and this repository blocks on that too."
        more = (
            f" {counted(len(blockers) - 1, 'more risk')} {'blocks' if len(blockers) == 2 else 'block'} it too."
            if blockers[1:]
            else ""
        )
        return f"**no-go**{remark}: {impact} {_headline(first)}{more}"
    if evaluation.verdict is Verdict.NO_GO:
        return f"**no-go for now**{remark}: production is not settled. {_sentence(live_sentence(evaluation.live))}"
    return f"**go**{remark}: {_go(evaluation)}"


def go_if_lines(ways: Sequence[GoIf], advice: str) -> Iterator[str]:
    """What would turn the no-go; code that the advice above shows already is not shown again."""
    shown = {line.strip() for part, is_code in prose_and_code(advice) if is_code for line in part.splitlines()}
    tried = "each was tried on this change" if len(ways) > 1 else "tried on this change"
    yield f"**Go if**{' one of these is done' if len(ways) > 1 else ''} ({tried}):"
    yield ""
    for way in ways:
        first = True
        for part, is_code in prose_and_code(_without_shown(way.says, shown)):
            lead, indent = ("- ", "  ") if first else ("  ", "  ")
            if is_code:
                yield from ("", *block(part, indent=indent), "")
            else:
                yield lead + prose(" ".join(part.split()))
            first = False


def _without_shown(says: str, shown: set[str]) -> str:
    parts = prose_and_code(says)
    kept = [
        "the code above" if is_code and {line.strip() for line in part.splitlines()} <= shown else _fenced(part, is_code)
        for part, is_code in parts
    ]
    return "\n".join(kept) if any(is_code for _, is_code in parts) else says


def _fenced(part: str, is_code: bool) -> str:
    return f"{FENCE}\n{part}\n{FENCE}" if is_code else part


def _starts(entry: LedgerEntry, links: Links) -> str:
    """The line of the change, what it does, and what meets it there; the first line has the harm."""
    chain = entry.trajectory.links
    decides = next((link for link in reversed(chain) if link.comparison), chain[-1])
    told = [link for link in chain if link.role is not Role.TRIGGER and link is not decides]
    claims = [link.claim.rstrip(".") for link in told if link.role is not Role.HARM]
    place = start_of(entry, links)
    said = f"**{escaped(entry.trajectory.title.strip())}**" + (f": {prose('; '.join(claims))}." if claims else ".")
    return f"{place} {said}" if place else said


def _headline(entry: LedgerEntry) -> str:
    """What happens, with the number: the claim that decides, after what it does harm to where it only says how much meets it.

    What a forecast's backtest gave stands in the chain.
    """
    chain = entry.trajectory.links
    decides = next((link for link in reversed(chain) if link.comparison), chain[-1])
    said = _BACKTEST.sub("", deciding_claim(entry, needs_limit=False)).rstrip(".")
    harm = next((link.claim.rstrip(".") for link in chain if link.role is Role.HARM), "")
    if decides.role is not Role.HARM and harm and harm != said:
        said = f"{harm}; {said}"
    return _sentence(said if len(said) >= SHORT else f"{entry.trajectory.title}: {said}")


def _go(evaluation: Evaluation) -> str:
    if evaluation.conclusion is Conclusion.NOTHING_TO_EVALUATE:
        return prose(evaluation.summary)
    ranked = [e for e in evaluation.ranked() if not e.is_lifted]
    open_risks = [e for e in ranked if e.status is Status.PLAUSIBLE]
    refuted = [e for e in ranked if e.status is Status.REFUTED]
    taken = [e for e in evaluation.ranked() if e.is_lifted and e.status is Status.CONFIRMED]
    parts: list[str] = []
    if taken:
        parts.append(f"{counted(len(taken), 'confirmed risk')} accepted: {escaped(taken[0].trajectory.title)}.")
    if open_risks:
        worst = open_risks[0].trajectory
        unread = " without production facts" if evaluation.production == "none" else ""
        parts.append(
            f"{counted(len(open_risks), 'risk')} could not be settled{unread}: {escaped(worst.title)} ({worst.impact.value} impact)."
        )
    elif refuted:
        parts.append(f"{counted(len(refuted), 'suspicion')} looked at and refuted: {_sentence(refuting_claim(refuted[0]))}")
    if not parts:
        parts.append(NO_WAY)
    if evaluation.gaps:
        parts.append(f"{counted(len(evaluation.gaps), 'thing')} not looked at.")
    return " ".join(parts)


def _live(evaluation: Evaluation) -> Iterator[str]:
    """What is unsettled, each with where it was read."""
    yield f"**Production is not settled right now.** {LIVE_GATE if not evaluation.is_held else 'The live gate of this repository holds the merge until it is; then this is evaluated again, without a commit.'}"
    yield ""
    for note in evaluation.live[:MAX_LIVE]:
        said = live_text(note)
        yield f"- {prose(said[:1].upper() + said[1:])} ({code(live_citation(note))})"
    if len(evaluation.live) > MAX_LIVE:
        yield f"- and {len(evaluation.live) - MAX_LIVE} more"


def _sentence(text: str) -> str:
    """With a capital and a full stop; the name of a thing (`seat-holds`, `s3:PutObject`) keeps its first letter."""
    said = text.strip().rstrip(".")
    first = said.partition(" ")[0].rstrip(",;:")
    return prose(f"{said[:1].upper() if first.isalpha() else said[:1]}{said[1:]}.")
