"""Sentences at the lines of the head commit that a verdict rests on."""

from collections.abc import Iterator, Sequence

from bot.report.neutral import plain
from bot.report.shown import finished
from bot.report.summary import deciding_claim, open_questions, untold
from gonogo.evaluation import Evaluation
from gonogo.evidence import FileEvidence, Outcome
from gonogo.forge import Annotation
from gonogo.trajectory import Role, Status, trajectory_id
from gonogo.verdict import LedgerEntry

A_CALL = 50
"""As many as GitHub takes at once (https://docs.github.com/rest/checks/runs)."""
MOST = 200
"""All calls of an evaluation are counted; what is past it stands in the text of the check."""
MAX_MESSAGE, MAX_TITLE = 64_000, 255
"""Bytes of a message (GitHub takes 64 KB), characters of a title."""


def annotations_of(evaluation: Evaluation, clean: Evaluation) -> tuple[Annotation, ...]:
    """What blocks first, then what could not be settled, then signals; one a place and title, each on a line that is there.

    `clean` is the same evaluation as people may see it (`bot.report.shown`).
    """
    changed = {new for new, old in zip(_paths(clean), _paths(evaluation), strict=True) if new != old}
    found: dict[tuple[str, int, str], Annotation] = {}
    for one in (*_of_trajectories(clean), *_of_findings(clean)):
        if one.path not in changed:  # a path that had to be cleaned is not that of a file any more
            found.setdefault((one.path, one.line, one.title), one)
    return tuple(found.values())[:MOST]


def batches(annotations: Sequence[Annotation]) -> tuple[tuple[Annotation, ...], ...]:
    """As GitHub takes them: at most A_CALL a call."""
    return tuple(tuple(annotations[at : at + A_CALL]) for at in range(0, len(annotations), A_CALL))


def _paths(evaluation: Evaluation) -> list[str]:
    links = [link for entry in evaluation.ledger for link in entry.trajectory.links]
    cited = [e.file for link in links for e in link.evidence if isinstance(e, FileEvidence)]
    return cited + [finding.file for finding in evaluation.findings]


def _of_trajectories(evaluation: Evaluation) -> Iterator[Annotation]:
    blockers = evaluation.blockers()
    blocks = {id(e) for e in blockers}
    rest = [e for e in evaluation.ranked() if e.status is not Status.REFUTED and id(e) not in blocks]
    for entry in [*blockers, *rest][:MOST]:
        for cited in _lines_of(entry):
            trajectory = entry.trajectory
            asked = [" ".join(questions) for questions, _ in open_questions(entry)] if entry.status is Status.PLAUSIBLE else []
            taken = [f"Accepted: {entry.accepted.reason}"] if entry.accepted is not None else []
            message = "\n".join([deciding_claim(entry), *asked, *taken, f"To make this safe: {trajectory.make_safe}"])
            yield Annotation(
                path=cited.file,
                line=cited.line,
                end_line=cited.end_line,
                level="failure" if id(entry) in blocks else "notice" if entry.is_lifted else "warning",
                title=_cut(f"{trajectory.title} ({trajectory.impact.value} impact, {trajectory_id(trajectory)})", MAX_TITLE),
                message=_cut_bytes(message),
            )


def _lines_of(entry: LedgerEntry) -> list[FileEvidence]:
    """Lines of the head tree that the trigger cites and that were read again, each once; of a removed line the head line after it."""
    held = [v.evidence for v in entry.verifications if v.outcome is Outcome.HOLDS]
    links = entry.trajectory.links
    triggers = [link for link in links if link.role is Role.TRIGGER] or links[:1]
    for some in (triggers, links):
        cited = [e for link in some for e in link.evidence if isinstance(e, FileEvidence) and e.side == "head" and e in held]
        if cited:
            return list({(e.file, e.line): e for e in cited}.values()) if some is triggers else cited[:1]
    return []


def _of_findings(evaluation: Evaluation) -> Iterator[Annotation]:
    for finding in untold(evaluation):
        if finding.side != "head" or finding.line < 1:
            continue
        safe = f"\nInstead: {finding.safe_alternative}" if finding.safe_alternative else ""
        yield Annotation(
            path=finding.file,
            line=finding.line,
            level="warning" if finding.severity == "high" else "notice",
            title=_cut(finding.rule, MAX_TITLE),
            message=_cut_bytes(f"{finding.message}{safe}"),
        )


def _cut(text: str, most: int) -> str:
    said = plain(finished(" ".join(text.split())))
    return said if len(said) <= most else f"{said[: most - 1]}…"


def _cut_bytes(text: str) -> str:
    said = plain(finished(text))
    raw = said.encode("utf-8", "replace")
    return said if len(raw) <= MAX_MESSAGE else raw[: MAX_MESSAGE - 3].decode("utf-8", "ignore") + "…"
