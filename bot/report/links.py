"""Where things can be looked at: lines of files at a commit, readings and the whole evaluation on the dashboard."""

from urllib.parse import quote

from bot.report.evidence_text import file_place
from bot.report.neutral import code, prose
from gonogo.evaluation import Evaluation
from gonogo.evidence import FileEvidence

MAX_PATH = 1_000


class Links:
    """Lines of the repository as links to what GitHub shows of them; plain code for a repository that is not there.

    `dashboard_url` is the page of this evaluation, on which every reading has an anchor; empty where there is none.
    """

    def __init__(self, evaluation: Evaluation, web: str, *, dashboard_url: str = "") -> None:
        owner, _, name = evaluation.repository.removeprefix("github:").partition("/")
        is_there = evaluation.repository.startswith("github:") and owner and name and evaluation.head
        self._repository = f"{web}/{quote(owner, safe='')}/{quote(name, safe='')}" if is_there else ""
        self._shas = {"head": evaluation.head, "base": evaluation.base}
        self.dashboard_url = dashboard_url

    def cited(self, evidence: FileEvidence) -> str:
        """The citation's place."""
        return self._link(file_place(evidence), evidence.file, evidence.line, evidence.end_line, evidence.side)

    def to(self, file: str, line: int, *, side: str) -> str:
        """A line of a file."""
        return self._link(f"{file}:{line}" + ("" if side == "head" else " (before)"), file, line, None, side)

    def reading(self, text: str, trajectory: str, number: int) -> str:
        """A reading of telemetry, with a link to where it is shown with its query and time."""
        shown = code(text)
        return f"[{shown}]({self.dashboard_url}#{reading_anchor(trajectory, number)})" if self.dashboard_url and shown else shown

    def commit(self, sha: str) -> str:
        """A commit by its short id."""
        return (
            f"[{code(sha[:8])}]({self._repository}/commit/{quote(sha, safe='')})" if self._repository and sha else code(sha[:8])
        )

    def _link(self, shown: str, file: str, line: int, end_line: int | None, side: str) -> str:
        if not self._repository or len(file) > MAX_PATH or "\N{REPLACEMENT CHARACTER}" in file:  # no path of a file
            return code(shown)
        span = f"#L{line}" + (f"-L{end_line}" if end_line else "")
        return f"[{code(shown)}]({self._repository}/blob/{self._shas[side]}/{quote(file, safe='/')}{span})"


def reading_anchor(trajectory: str, number: int) -> str:
    """The anchor of a numbered citation on the page of an evaluation (`trajectory` is its id)."""
    return f"reading-{trajectory}-{number}"


def linked(text: str, url: str) -> str:
    """Words of ours that lead to an address of ours."""
    return f"[{prose(text)}]({url})" if url else prose(text)
