"""Runs the whole pipeline on two small trees and a production in memory: the narrowest door that playbooks are tested by."""

from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from hashlib import sha256

from bot.evaluation.evaluate import Request, evaluate
from bot.investigator.case import Case
from bot.investigator.rules import Outcome
from context_graph.testing import MemoryTree
from context_graph.testing_production import MemoryProduction
from gonogo.change import ChangedFile, ChangeKind, ChangeSet, Hunk, Side
from gonogo.evaluation import Evaluation
from gonogo.policy import Policy
from gonogo.ports import SourceTree


class MemoryRepository:
    """Implements gonogo.ports.Repository over `{path: text}` of both sides."""

    def __init__(
        self,
        base: Mapping[str, str],
        head: Mapping[str, str],
        *,
        repository: str = "github:acme/shop",
        title: str = "",
        body: str = "",
    ) -> None:
        self._files: dict[Side, Mapping[str, str]] = {"base": base, "head": head}
        self._repository, self._title, self._body = repository, title, body

    def changes(self) -> ChangeSet:
        """The difference of both sides; a file that only moved is a rename."""
        base, head = self._files["base"], self._files["head"]
        gone = sorted(base.keys() - head.keys())
        files: list[ChangedFile] = []
        for path in sorted(head.keys() - base.keys()):
            old = next((p for p in gone if base[p] == head[path]), None)
            if old:
                gone.remove(old)
                files.append(ChangedFile(path=path, base_path=old, head_path=path, kind=ChangeKind.RENAMED))
            else:
                files.append(ChangedFile(path=path, head_path=path, kind=ChangeKind.ADDED, hunks=_hunks("", head[path])))
        files += [ChangedFile(path=p, base_path=p, kind=ChangeKind.DELETED, hunks=_hunks(base[p], "")) for p in gone]
        for path in sorted(p for p in base.keys() & head.keys() if base[p] != head[p]):
            hunks = _hunks(base[path], head[path])
            files.append(ChangedFile(path=path, base_path=path, head_path=path, kind=ChangeKind.MODIFIED, hunks=hunks))
        files = [f.model_copy(update=_objects(f, base, head)) for f in sorted(files, key=lambda f: f.path)]
        return ChangeSet(
            repository=self._repository, base="b" * 40, head="a" * 40, files=tuple(files), title=self._title, body=self._body
        )

    def tree(self, side: Side) -> SourceTree:
        """One side."""
        return MemoryTree(self._files[side], side=side)


def evaluation_of(
    base: Mapping[str, str],
    head: Mapping[str, str | None],
    production: MemoryProduction | None = None,
    *,
    policy: Policy | None = None,
    title: str = "",
    body: str = "",
    investigator: Callable[[Case], Outcome] | None = None,
) -> Evaluation:
    """What gonogo says of this change in this production. `head` holds only what differs from `base`: None deletes."""
    after: dict[str, str | None] = {**base, **head}
    repository = MemoryRepository(
        base,
        {path: text for path, text in after.items() if text is not None},
        repository=production.repository if production else "github:acme/shop",
        title=title,
        body=body,
    )
    return evaluate(Request(investigator=investigator), repository=repository, provider=production, policy=policy or Policy())


def _objects(file: ChangedFile, base: Mapping[str, str], head: Mapping[str, str]) -> dict[str, str]:
    sides = {"base_object": base.get(file.base_path or ""), "head_object": head.get(file.head_path or "")}
    return {name: f"100644 {sha256(text.encode()).hexdigest()}" for name, text in sides.items() if text is not None}


def _hunks(before: str, after: str) -> tuple[Hunk, ...]:
    old = before.split("\n")[:-1] if before.endswith("\n") else before.split("\n") if before else []
    new = after.split("\n")[:-1] if after.endswith("\n") else after.split("\n") if after else []
    return tuple(
        Hunk(
            base_start=i1 + 1 if i2 > i1 else i1,
            base_count=i2 - i1,
            head_start=j1 + 1 if j2 > j1 else j1,
            head_count=j2 - j1,
            removed=tuple(old[i1:i2]),
            added=tuple(new[j1:j2]),
        )
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    )
