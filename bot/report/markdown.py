"""The report as GitHub markdown: the text of the one comment on a pull request."""

import re
from collections.abc import Iterator

from bot.report.evidence_text import evidence_text, short
from bot.report.printable import printable
from bot.report.summary import comparison_text, counted, deciding_claim, first_line, questions, refuting_claim
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import Outcome
from gonogo.trajectory import Link, Status
from gonogo.verdict import LedgerEntry, Verdict

MAX_LENGTH = 60_000
"""GitHub refuses a comment of more than 65,536 characters."""

_SIGNS = {Verdict.GO: "🟢", Verdict.NO_GO: "🔴", None: "⚪"}


def markdown_report(evaluation: Evaluation) -> str:
    """Verdict first, the proof under it, the rest folded away."""
    text = "\n".join(_lines(printable(evaluation))).rstrip() + "\n"
    if len(text) > MAX_LENGTH:
        text = text[:MAX_LENGTH].rsplit("\n", 1)[0] + "\n\n_Cut here: the JSON report has all of it._\n"
    return text


def _lines(evaluation: Evaluation) -> Iterator[str]:
    line = first_line(evaluation)
    yield f"## {_SIGNS[evaluation.verdict]} {escaped(line[:1].upper() + line[1:])}"
    yield ""
    ranked = evaluation.ranked()
    blocking = [e for e in ranked if e.status is Status.CONFIRMED]
    plausible = [e for e in ranked if e.status is Status.PLAUSIBLE]
    refuted = [e for e in ranked if e.status is Status.REFUTED]
    if not blocking:
        yield escaped(evaluation.summary)
        yield ""
    for entry in blocking:
        yield from _confirmed(entry)
    if plausible:
        yield f"### {counted(len(plausible), 'risk')} that could not be settled"
        yield ""
        for entry in plausible:
            yield from _plausible(entry)
    if refuted:
        yield f"<details><summary>{counted(len(refuted), 'suspicion')} looked at and refuted</summary>"
        yield ""
        for entry in refuted:
            yield f"- **{escaped(entry.trajectory.title)}.** {escaped(refuting_claim(entry))}"
        yield ""
        yield "</details>"
        yield ""
    yield from _folded("things not looked at", [f"{escaped(g.what)}: {escaped(g.why)}" for g in evaluation.gaps])
    yield from _folded("notes", [escaped(n) for n in evaluation.notes])
    if evaluation.conclusion is Conclusion.EVALUATED:
        read = (
            f", production as of {evaluation.read_at:%Y-%m-%d %H:%M} UTC ({evaluation.production})" if evaluation.read_at else ""
        )
        yield (
            f"<sub>{evaluation.base[:8]}..{evaluation.head[:8]}: {evaluation.coverage.files_read} of "
            f"{counted(evaluation.coverage.files_changed, 'changed file')} read, {counted(len(evaluation.affected), 'affected resource')}{read}.</sub>"
        )


def _confirmed(entry: LedgerEntry) -> Iterator[str]:
    trajectory = entry.trajectory
    yield f"### {escaped(trajectory.title)}"
    yield ""
    yield f"{escaped(deciding_claim(entry))} {trajectory.impact.value.capitalize()} impact on {code(trajectory.metric)} of {code(short(trajectory.resource))}."
    yield ""
    yield f"**Make it safe:** {prose(trajectory.make_safe)}"
    if trajectory.undo:
        yield ""
        yield f"**To undo:** {prose(trajectory.undo)}"
    yield ""
    yield "<details open><summary>Proof, read again by machine</summary>"
    yield ""
    for number, link in enumerate(trajectory.links, 1):
        yield from _link(number, link, entry)
    yield ""
    yield "</details>"
    yield ""


def _plausible(entry: LedgerEntry) -> Iterator[str]:
    trajectory = entry.trajectory
    yield f"<details><summary><b>{escaped(trajectory.title)}</b></summary>"
    yield ""
    for number, link in enumerate(trajectory.links, 1):
        yield from _link(number, link, entry)
    yield ""
    yield f"**Make it safe:** {prose(trajectory.make_safe)}"
    yield ""
    yield "</details>"
    yield ""
    for question, query in questions([entry]):
        yield f"- To settle it: {escaped(question)}" + (f" {code(query)}" if query else "")
    yield ""


def _link(number: int, link: Link, entry: LedgerEntry) -> Iterator[str]:
    compared = f" — {code(comparison_text(link.comparison))}" if link.comparison else ""
    yield f"{number}. **{link.role.value}**: {escaped(link.claim)}{compared}"
    for verification in entry.verifications:
        if verification.outcome is Outcome.HOLDS and verification.evidence in (*link.evidence, *link.refuting):
            sign = "against: " if verification.evidence in link.refuting else ""
            yield f"   - {sign}{code(evidence_text(verification.evidence))}"


def _folded(what: str, items: list[str]) -> Iterator[str]:
    if items:
        yield f"<details><summary>{len(items)} {what if len(items) > 1 else what.removesuffix('s').replace('things', 'thing')}</summary>"
        yield ""
        yield from (f"- {item}" for item in items[:50])
        if len(items) > 50:
            yield f"- and {len(items) - 50} more"
        yield ""
        yield "</details>"
        yield ""


def escaped(text: str) -> str:
    """Text of a stranger: no markup, no link, no mention, no reference survives."""
    flat = " ".join(text.split())
    flat = flat.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    flat = re.sub(r"([\\`*_{}\[\]|~#])", r"\\\1", flat)
    flat = re.sub(r"(?i)\b(https?|ftp)://", lambda m: f"{m[1]}:&#8203;//", flat)
    flat = re.sub(r"(?i)\bwww\.", "www&#8203;.", flat)
    return flat.replace("@", "@&#8203;")


def code(text: str) -> str:
    """Inline code that its content cannot end."""
    flat = " ".join(text.split())
    longest = max((len(run) for run in re.findall(r"`+", flat)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def prose(text: str) -> str:
    """Our own sentence with `code` in it; the code stays code, the rest is escaped."""
    parts = re.split(r"(`[^`\n]+`)", text)
    return "".join(part if part.startswith("`") and part.endswith("`") and len(part) > 2 else escaped(part) for part in parts)
