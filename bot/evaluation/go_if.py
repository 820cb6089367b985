"""Go if: the smallest changes that would turn a no-go, each tried by the deterministic part.

Candidates come from the trajectories that block (their safe alternative, a value that their advice names) and from leaving out
the lines that they start from. Each is evaluated whole, by rules alone, on the edited head in memory and on the production
facts that were read; what does not turn the verdict, or hides something from the evaluation, is not said. It never touches
the verdict, and costs nothing on a go.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from bot.changes.edited import texts_of
from bot.evaluation.leaving_out import is_coherent, parts_left_out
from bot.evaluation.safe_rewrites import Rewrite, rewritten_statements, safe_values
from bot.report.edits_text import edits_text
from gonogo.change import ChangeSet, Side
from gonogo.evaluation import Conclusion, Evaluation
from gonogo.evidence import FileEvidence, Outcome
from gonogo.go_if import Edit, GoIf
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.trajectory import Role, trajectory_id
from gonogo.verdict import LedgerEntry, Verdict

MOST_WAYS = 3
MOST_TRIES = 4
"""Evaluations for each kind of way; two kinds."""
MOST_BLOCKERS = 12
MOST_LINES = 5_000
"""Of a file that would be edited."""

HOW_IT_RUNS = frozenset({"lock-on-live-table", "migration-order", "violated-constraint"})
"""Playbooks of what a migration does while it runs; for others the same result done another way is the same risk."""

Try = Callable[[Mapping[str, str | None]], Evaluation]
"""Evaluates the change with these head paths at these texts (None: not there)."""


class _Option(Record):
    """One way to get rid of one trajectory."""

    is_rewrite: bool
    edits: tuple[Edit, ...]
    then: tuple[str, ...] = ()


def go_if(
    evaluation: Evaluation,
    changes: ChangeSet,
    trees: Mapping[Side, SourceTree],
    *,
    playbooks: Iterable[str],
    try_out: Try,
    has_time: Callable[[], bool],
) -> tuple[GoIf, ...]:
    """What turns this no-go, smallest first. Empty when nothing that was tried does, or a trajectory is not of a playbook.

    `has_time` is asked before each evaluation: what was found before it says no is what there is.
    """
    blockers = evaluation.blockers()
    known = set(playbooks)
    if not 0 < len(blockers) <= MOST_BLOCKERS or any(e.trajectory.playbook not in known for e in blockers):
        return ()
    options = [_options(entry, changes, trees) for entry in blockers]
    if not all(options):
        return ()
    search = _Search(evaluation, blockers, trees, try_out, has_time)
    safely = [sorted(of_one, key=lambda o: not o.is_rewrite) for of_one in options]
    without = [[o for o in of_one if not o.is_rewrite] for of_one in options]
    found: list[GoIf] = []
    plans = [safely] if any(o.is_rewrite for of_one in options for o in of_one) else []
    for plan in (*plans, *([without] if all(without) else [])):
        way = search.first_that_turns(plan)
        if way is not None and way.edits not in [f.edits for f in found]:
            found.append(way)
    return tuple(sorted(found, key=lambda way: (way.size, way.kind != "rewrite"))[:MOST_WAYS])


class _Search:
    """Tries combinations of one option a blocker, moving on only where a blocker is still there."""

    def __init__(
        self,
        evaluation: Evaluation,
        blockers: Sequence[LedgerEntry],
        trees: Mapping[Side, SourceTree],
        try_out: Try,
        has_time: Callable[[], bool],
    ) -> None:
        self._evaluation, self._trees, self._try_out, self._has_time = evaluation, trees, try_out, has_time
        self._ids = [trajectory_id(entry.trajectory) for entry in blockers]
        self._tried: dict[tuple[Edit, ...], set[str] | None] = {}

    def first_that_turns(self, options: Sequence[Sequence[_Option]]) -> GoIf | None:
        """The first combination that leaves a go; None when there is none within MOST_TRIES."""
        at = [0] * len(options)
        for _ in range(MOST_TRIES):
            picked = [of_one[n] for of_one, n in zip(options, at, strict=True)]
            edits = _merged(picked)
            left = self._left(edits) if edits is not None else set(self._ids)
            if edits is not None and left is not None and not left:
                then = tuple(dict.fromkeys(step for option in picked for step in option.then))
                kind = "rewrite" if any(option.is_rewrite for option in picked) else "leave-out"
                return GoIf(kind=kind, says=edits_text(edits, then, base=self._trees["base"]), edits=edits, then=then)
            if left is None and not self._has_time():
                return None
            still = [n for n, name in enumerate(self._ids) if left is None or name in left] or list(range(len(at)))
            if any(at[n] + 1 >= len(options[n]) for n in still):
                return None
            for n in still:
                at[n] += 1
        return None

    def _left(self, edits: tuple[Edit, ...]) -> set[str] | None:
        """Ids of what still blocks with these edits; empty when it is a go; None when it could not be told."""
        if edits not in self._tried:
            self._tried[edits] = self._evaluated(edits)
        return self._tried[edits]

    def _evaluated(self, edits: tuple[Edit, ...]) -> set[str] | None:
        if not self._has_time():
            return None
        texts = texts_of(edits, self._trees)
        if any(not is_coherent(text, self._trees["head"].text(path) or "", path) for path, text in texts.items()):
            return None
        tried = self._try_out(texts)
        if tried.verdict is Verdict.NO_GO:
            return {trajectory_id(entry.trajectory) for entry in tried.blockers()} or None
        sees_as_much = len(tried.gaps) <= len(self._evaluation.gaps) and (
            tried.coverage.statements_not_analysed <= self._evaluation.coverage.statements_not_analysed
        )
        is_go = tried.verdict is Verdict.GO and tried.conclusion is not Conclusion.COULD_NOT_EVALUATE and sees_as_much
        return set() if is_go else None


def _options(entry: LedgerEntry, changes: ChangeSet, trees: Mapping[Side, SourceTree]) -> list[_Option]:
    starts = [s for s in _starts(entry) if (file := changes.file(s.file)) is not None and _is_editable(file.path, trees)]
    if not starts:
        return []
    options = [_Option(is_rewrite=True, edits=r.edits, then=r.then) for r in _rewrites(entry, starts[0], changes, trees)]
    options += [_Option(is_rewrite=False, edits=edits) for edits in parts_left_out(starts, changes, trees)]
    return options


def _rewrites(entry: LedgerEntry, start: FileEvidence, changes: ChangeSet, trees: Mapping[Side, SourceTree]) -> Iterator[Rewrite]:
    if start.side == "head":
        if entry.trajectory.playbook in HOW_IT_RUNS:
            yield from rewritten_statements(start, trees["head"])
        if (file := changes.file(start.file)) is not None:
            yield from safe_values(start, file, entry.trajectory.make_safe)


def _starts(entry: LedgerEntry) -> list[FileEvidence]:
    """The verified lines that the chain starts from; without any, every verified line that it stands on."""
    held = [v.evidence for v in entry.verifications if v.outcome is Outcome.HOLDS]
    links = entry.trajectory.links
    triggers = [link for link in links if link.role is Role.TRIGGER] or links[:1]
    cited = [e for link in triggers for e in link.evidence if isinstance(e, FileEvidence) and e in held]
    return cited or [e for link in links for e in link.evidence if isinstance(e, FileEvidence) and e in held]


def _is_editable(path: str, trees: Mapping[Side, SourceTree]) -> bool:
    return all((tree.text(path) or "").count("\n") <= MOST_LINES for tree in trees.values())


def _merged(options: Sequence[_Option]) -> tuple[Edit, ...] | None:
    """All edits once, by file and line; None when two of them are at odds. What leaves out a whole file leaves out its lines."""
    edits = dict.fromkeys(edit for option in options for edit in option.edits)
    whole = {edit.file for edit in edits if edit.is_whole_file}
    if any(option.is_rewrite and any(edit.file in whole for edit in option.edits) for option in options):
        return None
    kept = sorted((e for e in edits if e.is_whole_file or e.file not in whole), key=lambda e: (e.file, e.line, e.replaces))
    for first, second in pairwise(kept):
        same_place = (first.line, first.replaces) == (second.line, second.replaces)
        if first.file == second.file and (first.line + first.replaces > second.line or same_place):
            return None
    return tuple(kept)
