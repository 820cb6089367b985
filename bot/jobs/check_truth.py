"""What the one check run of a commit says: the worst of everything open that has this head. Pure."""

from collections.abc import Mapping, Sequence

from bot.storage.app_rows import EvaluationRow
from gonogo.forge import Conclusion
from gonogo.record import Record

_WORST_FIRST: Sequence[Conclusion] = ("failure", "action_required", "timed_out", "cancelled", "neutral", "skipped", "success")
_STOPS: frozenset[Conclusion] = frozenset({"failure", "action_required"})


class Truth(Record):
    """`shown` is the evaluation that the check shows; `conclusion` None: it is under way. `others` have the same head."""

    shown: EvaluationRow
    conclusion: Conclusion | None
    others: tuple[EvaluationRow, ...] = ()


def truth_of(rows: Sequence[EvaluationRow], conclusions: Mapping[str, Conclusion | None]) -> Truth:
    """Of the newest evaluations with one head, at least one; `conclusions` go by their ids, None for what is under way.

    A go is not shown before all of them have ended; what stops a merge is.
    """
    pending = [row for row in rows if conclusions[row.id] is None]
    ended: list[tuple[Conclusion, EvaluationRow]] = [(said, row) for row in rows if (said := conclusions[row.id]) is not None]
    worst = min(ended, key=lambda e: _WORST_FIRST.index(e[0])) if ended else None
    if worst is None or (pending and worst[0] not in _STOPS):
        return _truth(pending[-1], None, rows)
    return _truth(worst[1], worst[0], rows)


def external_id_of(evaluation: EvaluationRow) -> str:
    """`gonogo:{pull request id}:{generation}`; of a merge group `gonogo:group:{head sha}`."""
    if evaluation.pull_request_id is None:
        return f"gonogo:group:{evaluation.head_sha}"
    return f"gonogo:{evaluation.pull_request_id}:{evaluation.generation}"


def _truth(shown: EvaluationRow, conclusion: Conclusion | None, rows: Sequence[EvaluationRow]) -> Truth:
    return Truth(shown, conclusion, tuple(row for row in rows if row.id != shown.id))
