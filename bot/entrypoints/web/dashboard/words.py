"""How values read on a page. What is a stranger's text is escaped by the templates; nothing here marks any of it as safe but as code."""

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from markupsafe import Markup, escape

from bot.report.advice import prose_and_code
from bot.report.evidence_text import file_place, one_line, short
from bot.report.numbers import number_text
from bot.storage.app_rows import Because, EvaluationRow, EvaluationState
from gonogo.evidence import FileEvidence

OUTCOMES = {
    "go": "go",
    "no-go": "no-go",
    "nothing": "go",
    "could-not": "could not evaluate",
    "cancelled": "cancelled",
    "queued": "waiting",
    "running": "evaluating",
}
"""Outcome, or state of one that has not ended → what its badge says."""

TRIGGERS = {
    "opened": "the pull request was opened",
    "synchronize": "a commit was pushed",
    "reopened": "the pull request was reopened",
    "ready_for_review": "it became ready for review",
    "edited": "its base branch was changed",
    "rerequested": "somebody asked for it again",
    "sweep": "a sweep found no verdict",
}

_BECAUSE = {
    Because.SUPERSEDED: "something newer came: its own evaluation has the answer",
    Because.COMMAND: "somebody asked for that",
    Because.CLOSED: "the pull request was closed",
    Because.DESTROYED: "the merge group was taken apart",
    Because.SUSPENDED: "the App is suspended here, or the repository archived or removed",
}


def stands(row: EvaluationRow) -> str:
    """The outcome, or the state of one that has not ended: a word that the style sheet knows."""
    if row.state is EvaluationState.CANCELLED:
        return "cancelled"
    return row.outcome.value if row.outcome else row.state.value


def badge(what: str) -> str:
    """What its badge says."""
    return OUTCOMES.get(what, what)


def because(row: EvaluationRow) -> str:
    """Why it was cancelled."""
    return _BECAUSE[row.cancelled_because] if row.cancelled_because else "no reason is recorded"


def trigger(name: str) -> str:
    """Why it was evaluated."""
    return TRIGGERS.get(name, name.replace("_", " ").replace("-", " "))


def ago(then: datetime, now: datetime) -> str:
    """`3 min ago`; of another day, the date."""
    seconds = (now - then).total_seconds()
    if seconds < 45:
        return "just now"
    if seconds < 3600:
        return f"{max(1, round(seconds / 60))} min ago"
    if seconds < 86_400:
        return f"{round(seconds / 3600)} h ago"
    if seconds < 7 * 86_400:
        return f"{int(seconds // 86_400)} d ago"
    return f"{then.astimezone(UTC):%d %b %Y}".lstrip("0")


def at(then: datetime) -> str:
    """`2026-11-30 19:05:07 UTC`."""
    return f"{then.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"


def span(took: timedelta | float) -> str:
    """`0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`."""
    seconds = took.total_seconds() if isinstance(took, timedelta) else took
    if seconds < 10:
        return f"{seconds:.1f} s" if seconds >= 0.1 or not seconds else "under 0.1 s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,} h {minutes} min" if minutes else f"{hours:,} h"


def money(dollars: float) -> str:
    """`$0.42`; nothing at all is `$0`."""
    if not dollars:
        return "$0"
    return f"${dollars:,.2f}" if dollars >= 0.01 else "under $0.01"


def percent(share: float | None) -> str:
    """`42 %`; `unknown` of nothing."""
    return "unknown" if share is None else f"{share:.0%}".replace("%", " %")


def with_code(text: str) -> Markup:
    """Prose with `code` in backticks and blocks of it, as advice is written; everything else is escaped."""
    parts: list[str] = []
    for part, is_code in prose_and_code(text):
        if is_code:
            parts.append(f'<pre tabindex="0"><code>{escape(part)}</code></pre>')
        elif part.strip():
            parts.append(f"<p>{_inline(part.strip())}</p>")
    return Markup("".join(parts))  # noqa: S704  every text in it went through `escape`


def inline_code(text: str) -> Markup:
    """One line of prose with `code` in backticks."""
    return Markup(_inline(text))  # noqa: S704  every text in it went through `escape`


def _inline(text: str) -> str:
    pieces = text.split("`")
    if len(pieces) % 2 == 0:  # a backtick without its partner is a backtick
        return str(escape(text))
    return "".join(f"<code>{escape(p)}</code>" if n % 2 else str(escape(p)) for n, p in enumerate(pieces))


class FileLinks:
    """Where lines of a repository can be looked at on GitHub, at the commits of one evaluation."""

    def __init__(self, *, web: str, owner: str, name: str, base: str, head: str) -> None:
        self._repository = f"{web}/{quote(owner, safe='')}/{quote(name, safe='')}"
        self._shas = {"base": base, "head": head}

    def pull_request(self, number: int) -> str:
        """Its page."""
        return f"{self._repository}/pull/{number}"

    def commit(self, sha: str) -> str:
        """Its page."""
        return f"{self._repository}/commit/{quote(sha, safe='')}"

    def lines(self, evidence: FileEvidence) -> str:
        """The lines that are cited."""
        return self.line(evidence.file, evidence.line, side=evidence.side, end_line=evidence.end_line)

    def line(self, file: str, line: int, *, side: str, end_line: int | None = None) -> str:
        """A line of a file on one side of the change."""
        until = f"-L{end_line}" if end_line else ""
        return f"{self._repository}/blob/{quote(self._shas[side], safe='')}/{quote(file, safe='/')}#L{line}{until}"


FILTERS = {
    "ago": ago,
    "at": at,
    "span": span,
    "money": money,
    "percent": percent,
    "number": number_text,
    "with_code": with_code,
    "inline_code": inline_code,
    "short": short,
    "one_line": one_line,
    "file_place": file_place,
    "badge": badge,
    "because": because,
    "trigger": trigger,
    "stands": stands,
}
