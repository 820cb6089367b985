"""Which facts may clear a trajectory of the playbooks: an enumerated few, each held against the very thing that it is about."""

import re
from collections.abc import Iterator
from datetime import timedelta

from bot.investigator.case import Case
from gonogo.evidence import ConfigEvidence, DatabaseEvidence, Evidence, FileEvidence, MetricEvidence
from gonogo.record import Record
from gonogo.trajectory import Refutation, Trajectory

ENUMERATED = (
    "the table is created in this very change; the name that is read was found at the provider, in a list that was read; the "
    "index had no scans; the table holds no rows; the endpoint had no calls over a window of a day or longer"
)

_SHORTEST_WINDOW = timedelta(days=1)
_CREATES = r"(?i)\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?[\"`\[]?(?:\w+[\"`\]]?\.[\"`\[]?)?{name}\b|\bcreate_table\W+{name}\b"


class Kind(Record):
    """A fact that clears; `code` names the kind where it is code and not production that says so."""

    code: Refutation | None = None


def refutation_of(trajectory: Trajectory, evidence: Evidence, case: Case) -> Kind | None:
    """The kind by which this citation may clear this trajectory; None when it may not. Whether it holds is checked later."""
    match evidence:
        case FileEvidence() if trajectory.playbook in _OF_TABLES and _creates_its_table(trajectory, evidence, case):
            return Kind(Refutation.CREATED_HERE)
        case ConfigEvidence() if trajectory.playbook == "missing-name" and _finds_its_name(trajectory, evidence):
            return Kind()
        case DatabaseEvidence() if trajectory.playbook in _OF_TABLES and evidence.value == 0:
            is_index = trajectory.playbook == "dropped-index" and evidence.statistic == "scans_per_hour" and evidence.index
            is_table = evidence.statistic == "row_estimate" and evidence.table
            return Kind() if _says(trajectory, evidence.index or evidence.table or "") and (is_index or is_table) else None
        case MetricEvidence() if trajectory.playbook in _OF_ENDPOINTS and _is_of_its_route(trajectory, evidence):
            is_long = evidence.window.end - evidence.window.start >= _SHORTEST_WINDOW
            return Kind() if is_long and evidence.value == 0 and evidence.statistic in ("sum", "max") else None
        case _:
            return None


_OF_TABLES = frozenset({"lock-on-live-table", "dropped-index", "dropped-column", "violated-constraint", "missing-value"})
_OF_ENDPOINTS = frozenset({"removed-endpoint", "narrowed-endpoint"})


def _creates_its_table(trajectory: Trajectory, evidence: FileEvidence, case: Case) -> bool:
    """An added line of this change creates the table, and no database that was read has it."""
    file = case.diff.changes.file(evidence.file)
    added = file.added_lines() if file is not None and evidence.side == "head" else {}
    if evidence.line not in added or evidence.quote.lstrip().startswith(("--", "#", "//", "/*")):
        return False
    names = {name for text in _words_of(trajectory) for name in re.findall(r"[A-Za-z_]\w{2,}", text)}
    created = [n for n in names if re.search(_CREATES.format(name=re.escape(n)), evidence.quote)]
    return bool(created) and not any(d.table(n) for d in case.production.databases for n in created)


def _finds_its_name(trajectory: Trajectory, evidence: ConfigEvidence) -> bool:
    is_own = evidence.resource in (trajectory.resource, *trajectory.path)
    return is_own and not evidence.absent and isinstance(evidence.value, str) and _says(trajectory, evidence.value)


def _is_of_its_route(trajectory: Trajectory, evidence: MetricEvidence) -> bool:
    route = re.search(r"\{[^}]*?(?:route|path|resource|endpoint)=([^},]+)", evidence.metric, re.IGNORECASE)
    return route is not None and _says(trajectory, route[1].strip())


def _says(trajectory: Trajectory, name: str) -> bool:
    """Whether the lines that set the trajectory off hold this very name."""
    whole = re.compile(rf"(?<![\w/.-]){re.escape(name)}(?![\w/-])")
    return len(name) > 1 and any(whole.search(text) for text in _words_of(trajectory))


def _words_of(trajectory: Trajectory) -> Iterator[str]:
    for link in trajectory.links[:1]:
        yield link.claim
        yield from (e.quote for e in link.evidence if isinstance(e, FileEvidence))
