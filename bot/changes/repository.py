"""The git repository under evaluation: which range, whose repository, which files."""

import re
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from bot.changes.diff import changed_files
from bot.changes.git import Git
from bot.changes.pull_request import PullRequest
from bot.changes.settings_file import settings_text
from bot.changes.tree import GitTree, ObjectReader
from gonogo.change import ChangedFile, ChangeSet, Commit, Hunk, Side
from gonogo.errors import CallError, ShallowCheckout, StageFailed

MAX_COMMITS = 250
MAX_HISTORY = 50


class GitRepository:
    """Implements gonogo.ports.Repository; close it when the evaluation is over."""

    def __init__(self, folder: Path, *, base: str | None, head: str, pull_request: PullRequest, is_staged: bool = False) -> None:
        self._git = Git(folder)
        self._pull_request = pull_request
        self.folder = folder
        self._staging = tempfile.TemporaryDirectory(prefix="gonogo-") if is_staged else None
        tip = self._git.commit(head, option="--head")
        base_tip = self._base(base)
        self.base_id = self._git.merge_base(base_tip, tip)
        if self.base_id == tip and not is_staged and base is None and self._git.is_shallow():
            raise ShallowCheckout(
                "head is the default branch itself in this shallow checkout, so there is nothing to compare; "
                "run: git fetch --unshallow origin (in CI: fetch-depth: 0), or pass --base"
            )
        self.head_id = self._write_index() if self._staging else tip
        self.tip_id = tip
        self._objects = ObjectReader(self._git)

    def close(self) -> None:
        """End the reading process and remove what `--staged` wrote."""
        self._objects.close()
        if self._staging:
            self._staging.cleanup()

    def changes(self) -> ChangeSet:
        """The change from the merge base to head."""
        pr = self._pull_request
        return ChangeSet(
            repository=self.repository_id,
            base=self.base_id,
            head=self.head_id,
            files=tuple(self._as_text(f) for f in changed_files(self._git, self.base_id, self.head_id)),
            commits=tuple(Commit(sha="", message=m) for m in pr.commits) or self._commits(),
            title=pr.title,
            body=pr.body,
        )

    def _as_text(self, file: ChangedFile) -> ChangedFile:
        """What git calls binary although it is text in another encoding (UTF-16): one hunk, the whole file."""
        if not file.is_binary:
            return file
        before = (self.tree("base").text(file.base_path) if file.base_path else None) or ""
        after = (self.tree("head").text(file.head_path) if file.head_path else None) or ""
        if not before and not after:
            return file
        old, new = before.splitlines(), after.splitlines()
        whole = Hunk(
            base_start=min(1, len(old)),
            base_count=len(old),
            head_start=min(1, len(new)),
            head_count=len(new),
            removed=tuple(old),
            added=tuple(new),
        )
        return file.model_copy(update={"is_binary": False, "hunks": (whole,), "is_rebuilt": True})

    def tree(self, side: Side) -> GitTree:
        """The tree of one side."""
        return self._trees[side]

    @cached_property
    def _trees(self) -> dict[Side, GitTree]:
        ids: dict[Side, str] = {"base": self.base_id, "head": self.head_id}
        return {side: GitTree(self._git, self._objects, tree_id, side) for side, tree_id in ids.items()}

    @cached_property
    def repository_id(self) -> str:
        """`github:owner/name` from `--pr` or the remote `origin`; else `local:<folder>`."""
        return id_of(self._git, self.folder, named=self._pull_request.repository)

    def history(self, path: str) -> Sequence[str]:
        """The commits of head's history that changed a file, newest first: id, day, author, subject."""
        shown = (
            "--format=%h %as %an: %s",
            f"--max-count={MAX_HISTORY}",
            "--no-show-signature",
            self.tip_id,
            "--",
            f":(literal){path}",
        )
        return self._git.text("log", *shown, allow=(0, 128)).splitlines()

    def policy_text(self) -> str | None:
        """`.github/gonogo.yml` as it stands at the base."""
        return settings_text(self.tree("base"))

    def uncommitted(self) -> Sequence[str]:
        """Paths that git status lists: they are not evaluated."""
        return [line[3:] for line in self._status()]

    def unstaged(self) -> Sequence[str]:
        """Paths whose content in the folder differs from the index."""
        return [line[3:] for line in self._status() if line[1] != " "]

    def _status(self) -> list[str]:
        try:
            out = self._git.in_checkout("status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=all")
        except StageFailed:  # a bare repository has no working tree
            return []
        return out.splitlines()

    def _base(self, base: str | None) -> str:
        if base is not None:
            return self._git.commit(base, option="--base")
        branch = self._pull_request.base_branch
        named = (f"refs/remotes/origin/{branch}", branch) if branch else ()
        candidates = (
            *named,
            "refs/remotes/origin/HEAD",
            "refs/remotes/origin/main",
            "refs/remotes/origin/master",
            "main",
            "master",
        )
        found = next((ref for ref in candidates if self._git.exists(ref)), None)
        if found is None:
            raise CallError(
                "no default branch was found (origin/HEAD, main, master); pass --base, or run: git remote set-head origin --auto"
            )
        return self._git.commit(found, option="--base")

    def _write_index(self) -> str:
        """The index as a tree; its objects go to a folder of our own."""
        assert self._staging is not None
        self._git.objects = Path(self._staging.name)
        try:
            return self._git.in_checkout("write-tree").strip()
        except StageFailed as error:
            raise CallError(
                f"--staged: the index cannot be written as a tree ({error.why}); resolve the conflicts first"
            ) from error

    def _commits(self) -> tuple[Commit, ...]:
        out = self._git.text("log", f"-{MAX_COMMITS}", "-z", "--format=%H%x01%an%x01%B", f"{self.base_id}..{self.tip_id}", "--")
        rows = (row.split("\x01", 2) for row in out.split("\0") if row.count("\x01") >= 2)
        return tuple(Commit(sha=sha, author=author, message=message.strip()) for sha, author, message in rows)


def id_of(git: Git, folder: Path, *, named: str | None = None) -> str:
    """`github:owner/name`, as it is named, else by the remote `origin`; else `local:<folder>`."""
    known = named or repository_of_url(git.text("config", "--get", "remote.origin.url", allow=(0, 1)).strip())
    return f"github:{known.lower()}" if known else f"local:{folder.resolve().name}"


def repository_of_url(url: str) -> str | None:
    """`owner/name` of a GitHub-like remote (https, ssh, `.git`, letter case), or None."""
    found = re.search(
        r"^(?:[a-z+]+://(?:[^/@]*@)?[^/]+/|[^/@:]+@[^/:]+:)([^/]+)/([^/]+?)(?:\.git)?/?$", url.strip(), re.IGNORECASE
    )
    return f"{found[1]}/{found[2]}".lower() if found else None
