"""One trajectory in GitHub markdown: its chain with what each link rests on, what makes it safe, how it is undone."""

from collections.abc import Iterator

from bot.report.advice import prose_and_code
from bot.report.citations import Citation, citations_of
from bot.report.evidence_text import of_what, one_line
from bot.report.links import Links
from bot.report.neutral import block, code, escaped, prose
from bot.report.numbers import compared
from bot.report.summary import IMPACTS, accepted_because, deciding_claim, open_questions
from gonogo.evidence import FileEvidence
from gonogo.trajectory import Role, Status, trajectory_id
from gonogo.verdict import LedgerEntry


def trajectory_lines(entry: LedgerEntry, links: Links, *, is_open: bool, is_led: bool = False) -> Iterator[str]:
    """All of it. `is_open`: the chain is unfolded; `is_led`: its title, and what decides a confirmed one, stand above already."""
    trajectory = entry.trajectory
    if not is_led or entry.status is not Status.CONFIRMED:
        yield from trajectory_head(entry, links, is_titled=not is_led)
        yield ""
        yield from advice_lines("To make this safe", trajectory.make_safe)
        yield ""
    if entry.accepted is not None:
        said = accepted_because(entry.accepted)
        yield prose(f"{said[:1].upper()}{said[1:]}.")
        yield ""
    confirmed = "Proof: every citation was read again at its source, and holds"
    said = confirmed if entry.status is Status.CONFIRMED else "The chain: what is known of each link, and what is not"
    yield f"<details{' open' if is_open else ''}><summary>{said}</summary>"
    yield ""
    yield from _chain(entry, links)
    if trajectory.undo:
        yield ""
        yield from advice_lines("To undo", trajectory.undo)
    yield ""
    yield "</details>"


def trajectory_head(entry: LedgerEntry, links: Links, *, is_titled: bool = True) -> Iterator[str]:
    """Title and impact, then what decides: the claim with its number and the line it starts from, or the open questions."""
    trajectory = entry.trajectory
    if is_titled:
        yield f"#### {escaped(trajectory.title)} ({trajectory.impact.value} impact)"
        yield ""
    place = start_of(entry, links)
    if entry.status is Status.CONFIRMED:
        claim = prose(deciding_claim(entry))
        yield f"{place}: {claim}" if place else claim
        return
    meaning = IMPACTS[trajectory.impact]
    yield f"{place}: not settled. If it comes so, {meaning}." if place else f"Not settled. If it comes so, {meaning}."
    yield ""
    for asked, query in open_questions(entry):
        yield f"- {prose(' '.join(asked))}"
        yield from block(query, indent="  ") if query else ()


def start_of(entry: LedgerEntry, links: Links) -> str:
    """The line of the change that the chain starts from, as a link; empty when it cites none."""
    chain = entry.trajectory.links
    triggers = [link for link in chain if link.role is Role.TRIGGER]
    return next((links.cited(e) for link in (*triggers, *chain) for e in link.evidence if isinstance(e, FileEvidence)), "")


def advice_lines(label: str, text: str) -> Iterator[str]:
    """A labelled advice; its code on lines of its own."""
    said = f"**{label}:** "
    for part, is_code in prose_and_code(text):
        if is_code:
            yield from (*([said.strip()] if said else []), "", *block(part))
        else:
            yield said + prose(part)
        said = ""


def _chain(entry: LedgerEntry, links: Links) -> Iterator[str]:
    name = trajectory_id(entry.trajectory)
    for number, (link, cited) in enumerate(zip(entry.trajectory.links, citations_of(entry), strict=True), 1):
        note = f" ({escaped(note)})" if (note := compared(link)) else " (not settled)" if link.question else ""
        refers = f" {escaped(cited.refers)}" if cited.refers else ""
        yield f"{number}. **{link.role.value}**: {prose(link.claim)}{note}{refers}"
        yield from (f"   - {_citation(citation, links, name)}" for citation in cited.shown)
    yield ""
    yield f"Where it would show: {code(entry.trajectory.metric)}{escaped(of_what(entry.trajectory.resource))}."


def _citation(citation: Citation, links: Links, name: str) -> str:
    against = " against it:" if citation.is_against else ""
    first = citation.parts[0]
    if isinstance(first, FileEvidence):
        return f"\\[{citation.number}]{against} {links.cited(first)} {code(one_line(first.quote))}"
    return f"\\[{citation.number}]{against} {links.reading(citation.text, name, citation.number)}"
