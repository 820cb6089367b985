"""A prevented incident: flagged, then changed by a commit, then found gone by a new evaluation, then merged."""

from collections.abc import Sequence

from gonogo.record import Record

_IMPACTS = ("high", "medium", "low")


class Flagged(Record):
    """One trajectory, as far as counting needs it."""

    id: str
    playbook: str
    resource: str
    status: str
    impact: str
    title: str
    metric: str = ""


class Judged(Record):
    """One evaluation that came to a verdict."""

    id: str
    head_sha: str
    trajectories: tuple[Flagged, ...] = ()


class Prevented(Record):
    """The gravest risk that is gone, where it was flagged and where it was found gone."""

    risk: Flagged
    flagged: Judged
    cleared: Judged
    how: str
    """`gone from the change`, or `refuted`."""


def prevented(history: Sequence[Judged], *, merged_head: str) -> Prevented | None:
    """`history` oldest first. Nothing counts when the merged head was not judged, or the risk went without a commit, or is still there."""
    last = history[-1] if history else None
    if last is None or last.head_sha != merged_head:
        return None
    left = {(t.playbook, t.resource) for t in last.trajectories if t.status == "confirmed"}
    statuses = {t.id: t.status for t in last.trajectories}
    found = [
        Prevented(
            risk=risk,
            flagged=before,
            cleared=last,
            how="refuted" if statuses.get(risk.id) == "refuted" else "gone from the change",
        )
        for before in history[:-1]
        if before.head_sha != last.head_sha
        for risk in before.trajectories
        if risk.status == "confirmed"
        and (risk.playbook, risk.resource) not in left
        and statuses.get(risk.id) in (None, "refuted")
    ]
    return min(found, key=lambda p: _IMPACTS.index(p.risk.impact) if p.risk.impact in _IMPACTS else len(_IMPACTS), default=None)
