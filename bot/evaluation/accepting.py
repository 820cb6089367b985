"""What somebody accepts with a reason: findings leave the signals, trajectories stay in the report and may stop to block.

A comment that the change itself writes, or points at another line, never lifts a confirmed trajectory, unless the settings
at the base allow it (docs/decisions/0013-acceptance-in-place.md).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from bot.report.rule_pages import page_ids
from gonogo.acceptance import Acceptance, Accepted
from gonogo.change import ChangedFile, ChangeSet
from gonogo.evidence import FileEvidence
from gonogo.finding import Finding
from gonogo.policy import Policy
from gonogo.ports import SourceTree
from gonogo.trajectory import Role, Status
from gonogo.verdict import LedgerEntry
from heuristics.acceptances import acceptances_in, acceptances_of, accepted, accepted_as, accepts_at, useless


@dataclass(frozen=True, slots=True)
class Accepting:
    """Findings and ledger with their acceptances, and a note for every acceptance that accepts nothing."""

    findings: tuple[Finding, ...]
    ledger: tuple[LedgerEntry, ...]
    notes: tuple[str, ...] = ()


def with_acceptances(
    findings: Sequence[Finding],
    ledger: Sequence[LedgerEntry],
    changes: ChangeSet,
    head: SourceTree,
    policy: Policy,
    *,
    today: date | None,
) -> Accepting:
    """The acceptances of the changed files and of the configuration at the base, on what they are about.

    Findings of rules that the configuration switched off come marked already.
    """
    in_place = [a for file in changes.files for a in _of_file(file, head, today)]
    listed = acceptances_of(policy.accept, today=today)
    if not in_place and not listed and all(finding.accepted is None for finding in findings):
        return Accepting(tuple(findings), tuple(ledger))
    every = (*in_place, *listed)
    used: set[Acceptance] = set()
    marked: list[Finding] = []
    for finding in findings:
        found = accepted(finding, every)
        if found is not None:
            used.add(found)
            finding = finding.model_copy(update={"accepted": accepted_as(found)})  # noqa: PLW2901  the marked one
        marked.append(finding)
    entries = [_marked(entry, marked, every, used, policy) for entry in ledger]
    notes = tuple(f"{a.place} accepts nothing: {why}" for a, why in _useless(in_place, listed, used, changes))
    return Accepting(tuple(marked), tuple(entries), notes)


def _of_file(file: ChangedFile, head: SourceTree, today: date | None) -> Iterator[Acceptance]:
    text = head.text(file.head_path) if file.head_path and file.hunks else None
    if file.head_path is None or text is None or "gonogo:" not in text:
        return
    added = file.added_lines()
    for found in acceptances_in(file.head_path, text, today=today, known=page_ids()):
        is_new = found.line in added or found.accepts_line in added
        yield found.model_copy(update={"is_by_change": is_new})


def _marked(
    entry: LedgerEntry, findings: Sequence[Finding], every: Sequence[Acceptance], used: set[Acceptance], policy: Policy
) -> LedgerEntry:
    if entry.status is Status.REFUTED:
        return entry
    for cited in _starts(entry):
        found = next(
            (
                a
                for a in every
                if accepts_at(a, rule=entry.trajectory.playbook, file=cited.file, line=cited.line, side=cited.side)
            ),
            None,
        )
        if found is not None:
            used.add(found)
            return _with(entry, accepted_as(found), policy)
        here = [f for f in findings if (f.file, f.line, f.side) == (cited.file, cited.line, cited.side)]
        if here and all(f.accepted is not None for f in here):
            by = [f.accepted for f in here if f.accepted is not None]
            return _with(entry, next((a for a in by if a.is_by_change), by[0]), policy)
    return entry


def _with(entry: LedgerEntry, by: Accepted, policy: Policy) -> LedgerEntry:
    lifts = not by.is_by_change or entry.status is not Status.CONFIRMED or policy.change_may_accept
    return entry.model_copy(update={"accepted": by.model_copy(update={"lifts": lifts})})


def _starts(entry: LedgerEntry) -> list[FileEvidence]:
    """The lines of the change that the chain starts from."""
    links = [link for link in entry.trajectory.links if link.role is Role.TRIGGER] or entry.trajectory.links[:1]
    return [e for link in links for e in link.evidence if isinstance(e, FileEvidence)]


def _useless(
    in_place: Sequence[Acceptance], listed: Sequence[Acceptance], used: set[Acceptance], changes: ChangeSet
) -> Iterator[tuple[Acceptance, str]]:
    """Those that this change is to answer for: comments that it writes or points elsewhere, entries past their date."""
    of_change = [a for a in in_place if a.is_by_change]
    past = [a for a in listed if a.problem and any(a.file == f.path for f in changes.files)]
    return useless([*of_change, *past], used)
