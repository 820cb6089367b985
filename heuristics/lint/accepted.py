"""Findings of a lint that somebody accepts in place, and acceptances that accept nothing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from gonogo.acceptance import Acceptance, AcceptedHere
from gonogo.finding import Finding
from gonogo.ports import SourceTree
from heuristics.acceptances import acceptances_in, acceptances_of, accepted, accepted_as, useless
from heuristics.lint.statements import Linted


@dataclass(frozen=True, slots=True)
class LintReport:
    """What a lint saw: statements in the order they run, files that are no migrations, acceptances that accept nothing."""

    statements: tuple[Linted, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    """(file, why it was not linted)."""
    useless: tuple[tuple[Acceptance, str], ...] = ()

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """What nobody accepted."""
        return tuple(f for statement in self.statements for f in statement.findings if f.accepted is None)


def with_acceptances(
    statements: Sequence[Linted],
    files: Collection[str],
    tree: SourceTree,
    *,
    entries: Sequence[AcceptedHere] = (),
    today: date | None = None,
    known: Collection[str] = (),
) -> LintReport:
    """The statements with their acceptances; `entries` are those of the configuration."""
    listed = acceptances_of(entries, today=today)
    by_file = {file: acceptances_in(file, tree.text(file) or "", today=today, known=known) for file in files}
    used: set[Acceptance] = set()

    def told(finding: Finding) -> Finding:
        found = accepted(finding, (*by_file.get(finding.file, ()), *listed))
        if found is None:
            return finding
        used.add(found)
        return finding.model_copy(update={"accepted": accepted_as(found)})

    marked = tuple(
        replace(s, findings=tuple(told(f) for f in s.findings), advice=tuple(told(f) for f in s.advice)) for s in statements
    )
    in_place = [a for file in by_file for a in by_file[file]]
    expired = [a for a in listed if a.problem]  # an entry for a file that was not linted is none of its business
    return LintReport(marked, useless=tuple(useless([*in_place, *expired], used)))
