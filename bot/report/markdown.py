"""The report as GitHub markdown: the text of the one comment on a pull request."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from bot.report.advice import prose_and_code
from bot.report.citations import Citation, citations_of
from bot.report.evidence_text import file_place, of_what, one_line
from bot.report.neutral import block, code, escaped, html_escaped, prose
from bot.report.numbers import compared
from bot.report.printable import printable
from bot.report.summary import (
    IMPACTS,
    UNREAD_PRODUCTION,
    accepted_because,
    accepted_findings,
    counted,
    deciding_claim,
    first_line,
    lifted,
    open_questions,
    refuting_claim,
    unread,
    untold,
)
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import FileEvidence
from gonogo.trajectory import Status
from gonogo.verdict import LedgerEntry, Verdict

MAX_LENGTH = 60_000
"""GitHub refuses a comment of more than 65,536 characters."""
MAX_ITEMS = 50
MAX_PATH = 1_000

_SIGNS = {Verdict.GO: "🟢", Verdict.NO_GO: "🔴", None: "⚪"}


def markdown_report(evaluation: Evaluation, *, web: str = "https://github.com") -> str:
    """Verdict first, the proof under it, the rest folded away. `web` is where the repository's files can be looked at."""
    evaluation = printable(evaluation)
    parts = ["\n".join(part) for part in _parts(evaluation, _Links(evaluation, web))]
    kept: list[str] = []
    left, left_out = MAX_LENGTH - 200, 0
    for part in parts:
        if len(part) + 2 > left:
            left_out += 1
            continue
        kept.append(part)
        left -= len(part) + 2
    if left_out:
        kept.append(f"_{counted(left_out, 'part')} did not fit here: the JSON report has all of it._")
    return "\n\n".join(kept) + "\n"


def _parts(evaluation: Evaluation, links: "_Links") -> Iterator[list[str]]:
    """Pieces that stand on their own, in the order of reading; one that does not fit can be left out."""
    ranked = evaluation.ranked()
    blocking = [e for e in ranked if e.status is Status.CONFIRMED and not e.is_lifted]
    plausible = [e for e in ranked if e.status is Status.PLAUSIBLE and not e.is_lifted]
    refuted = [e for e in ranked if e.status is Status.REFUTED]
    line = first_line(evaluation)
    open_risks = f", {counted(len(plausible), 'risk')} not settled" if plausible and not blocking else ""
    yield [f"## {_SIGNS[evaluation.verdict]} {escaped(line[:1].upper() + line[1:])}{open_risks}"]
    if blocking:
        impact = blocking[0].trajectory.impact
        yield [f"**Merging this pull request may degrade production** ({impact.value} impact: {IMPACTS[impact]})."]
    else:
        yield [escaped(evaluation.summary)]
    for entry in blocking:
        yield list(_confirmed(entry, links))
    if plausible and blocking:
        yield [f"### {counted(len(plausible), 'risk')} that could not be settled"]
    if plausible and evaluation.production == "none":
        yield [prose(UNREAD_PRODUCTION.replace("--production FOLDER", "`--production FOLDER`"))]
    for entry in plausible:
        yield list(_plausible(entry, links))
    if refuted:
        yield _folded(
            f"{counted(len(refuted), 'suspicion')} looked at and refuted",
            [f"**{escaped(e.trajectory.title)}**: {prose(refuting_claim(e))}" for e in refuted],
        )
    if items := _accepted(evaluation, links):
        yield _folded(f"{len(items):,} accepted", items)
    if signals := untold(evaluation):
        items = [f"{links.to(f.file, f.line, side=f.side)} {prose(f.message)} ({code(f.rule)})" for f in signals]
        yield _folded(counted(len(items), "other signal") + " in the diff", items)
    if gaps := unread(evaluation):
        items = [prose(f"{gap.what}: {gap.why}" if gap.what not in gap.why else gap.why) for gap in gaps]
        yield _folded(counted(len(items), "thing") + " not looked at", items)
    if notes := evaluation.notes:
        yield _folded(counted(len(notes), "note"), [prose(note) for note in notes])
    if evaluation.conclusion is Conclusion.EVALUATED:
        yield [_coverage(evaluation)]


def _accepted(evaluation: Evaluation, links: "_Links") -> list[str]:
    said = [
        f"**{escaped(e.trajectory.title)}** ({e.status.value}): {prose(accepted_because(e.accepted))}"
        for e in lifted(evaluation)
        if e.accepted is not None
    ]
    return said + [
        f"{links.to(f.file, f.line, side=f.side)} {code(f.rule)}: {prose(accepted_because(f.accepted))}"
        for f in accepted_findings(evaluation)
        if f.accepted is not None
    ]


def _confirmed(entry: LedgerEntry, links: "_Links") -> Iterator[str]:
    trajectory = entry.trajectory
    yield f"### {escaped(trajectory.title)}"
    yield ""
    place = next((links.cited(e) for link in trajectory.links for e in link.evidence if isinstance(e, FileEvidence)), "")
    claim = deciding_claim(entry)
    yield f"{place}: {prose(claim)}" if place else prose(claim)
    yield ""
    if entry.accepted is not None:
        said = accepted_because(entry.accepted)
        yield prose(f"{said[:1].upper()}{said[1:]}.")
        yield ""
    yield from _advice("To make this safe", trajectory.make_safe)
    yield ""
    yield "<details open><summary>Proof: every citation was read again at its source, and holds</summary>"
    yield ""
    yield from _chain(entry, links)
    if trajectory.undo:
        yield ""
        yield from _advice("To undo", trajectory.undo)
    yield ""
    yield "</details>"


def _plausible(entry: LedgerEntry, links: "_Links") -> Iterator[str]:
    trajectory = entry.trajectory
    yield f"**{escaped(trajectory.title)}** ({trajectory.impact.value} impact: {IMPACTS[trajectory.impact]})"
    yield ""
    for asked, query in open_questions(entry):
        yield f"- {prose(' '.join(asked))}"
        yield from block(query, indent="  ") if query else ()
    yield ""
    yield "<details><summary>The chain, and what would make it safe</summary>"
    yield ""
    yield from _chain(entry, links)
    yield ""
    yield from _advice("To make this safe", trajectory.make_safe)
    if trajectory.undo:
        yield ""
        yield from _advice("To undo", trajectory.undo)
    yield ""
    yield "</details>"


def _chain(entry: LedgerEntry, links: "_Links") -> Iterator[str]:
    for number, (link, cited) in enumerate(zip(entry.trajectory.links, citations_of(entry), strict=True), 1):
        note = f" ({escaped(note)})" if (note := compared(link)) else " (not settled)" if link.question else ""
        refers = f" {escaped(cited.refers)}" if cited.refers else ""
        yield f"{number}. **{link.role.value}**: {prose(link.claim)}{note}{refers}"
        yield from (f"   - {_citation(citation, links)}" for citation in cited.shown)
    yield ""
    yield f"Where it would show: {code(entry.trajectory.metric)}{escaped(of_what(entry.trajectory.resource))}."


def _citation(citation: Citation, links: "_Links") -> str:
    against = " against it:" if citation.is_against else ""
    first = citation.parts[0]
    if isinstance(first, FileEvidence):
        return f"\\[{citation.number}]{against} {links.cited(first)} {code(one_line(first.quote))}"
    return f"\\[{citation.number}]{against} {code(citation.text)}"


def _advice(label: str, text: str) -> Iterator[str]:
    said = f"**{label}:** "
    for part, is_code in prose_and_code(text):
        if is_code:
            yield from (*([said.strip()] if said else []), "", *block(part))
        else:
            yield said + prose(part)
        said = ""


def _folded(summary: str, items: Sequence[str]) -> list[str]:
    more = [f"- and {len(items) - MAX_ITEMS} more"] if len(items) > MAX_ITEMS else []
    listed = [f"- {item}" for item in items[:MAX_ITEMS]]
    return [f"<details><summary>{html_escaped(summary)}</summary>", "", *listed, *more, "", "</details>"]


def _coverage(evaluation: Evaluation) -> str:
    covered = evaluation.coverage
    read = "production not read"
    if evaluation.read_at:
        read = f"production as of {evaluation.read_at:%Y-%m-%d %H:%M} UTC ({escaped(evaluation.production)})"
    return (
        f"{evaluation.base[:8]}..{evaluation.head[:8]}: {covered.files_read} of "
        f"{counted(covered.files_changed, 'changed file')} read, {counted(len(evaluation.affected), 'affected resource')}, {read}."
    )


class _Links:
    """Lines of the repository as links to what GitHub shows of them; plain code for a repository that is not there."""

    def __init__(self, evaluation: Evaluation, web: str) -> None:
        owner, _, name = evaluation.repository.removeprefix("github:").partition("/")
        is_there = evaluation.repository.startswith("github:") and owner and name and evaluation.head
        self._blob = f"{web}/{quote(owner, safe='')}/{quote(name, safe='')}/blob" if is_there else ""
        self._shas = {"head": evaluation.head, "base": evaluation.base}

    def cited(self, evidence: FileEvidence) -> str:
        """The citation's place."""
        return self._link(file_place(evidence), evidence.file, evidence.line, evidence.end_line, evidence.side)

    def to(self, file: str, line: int, *, side: str) -> str:
        """A line of a file."""
        return self._link(f"{file}:{line}" + ("" if side == "head" else " (before)"), file, line, None, side)

    def _link(self, shown: str, file: str, line: int, end_line: int | None, side: str) -> str:
        if not self._blob or len(file) > MAX_PATH:
            return code(shown)
        span = f"#L{line}" + (f"-L{end_line}" if end_line else "")
        return f"[{code(shown)}]({self._blob}/{self._shas[side]}/{quote(file, safe='/')}{span})"
