"""The bare git repositories behind the loopback GitHub: commits from `{path: content}`, and what git says about them."""

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


@dataclass(frozen=True)
class Symlink:
    target: str


@dataclass(frozen=True)
class Submodule:
    sha: str


@dataclass(frozen=True)
class Executable:
    content: str | bytes


Content = str | bytes | Symlink | Submodule | Executable | None
Files = Mapping[str, Content]
"""What a commit changes; None deletes the file."""


@dataclass(frozen=True)
class FileChange:
    """One file of a diff. `status` is GitHub's word; `patch` None when there is no text to show."""

    path: str
    old_path: str | None
    status: str
    blob: str
    additions: int
    deletions: int
    patch: str | None


@dataclass(frozen=True)
class Entry:
    mode: str
    kind: str
    sha: str
    size: int | None
    path: str


class GitFailed(Exception):
    """git ended with an error; the message is what it said."""


@dataclass(frozen=True)
class BareRepository:
    folder: Path

    @staticmethod
    def create(folder: Path) -> "BareRepository":
        folder.mkdir(parents=True)
        (folder / "HEAD").write_text("ref: refs/heads/main\n")
        (folder / "refs").mkdir()
        (folder / "objects").mkdir()
        # as GitHub serves: any commit may be asked for by its id, partial clones work
        (folder / "config").write_text(
            "[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsync = none\n"
            "[uploadpack]\n\tallowFilter = true\n\tallowAnySHA1InWant = true\n"
            "[gc]\n\tauto = 0\n"
        )
        return BareRepository(folder)

    def borrow(self, other: "BareRepository") -> None:
        """See the objects of another repository, as a fork does on GitHub."""
        (self.folder / "objects" / "info").mkdir(exist_ok=True)
        (self.folder / "objects" / "info" / "alternates").write_text(f"{other.folder / 'objects'}\n")

    def git(self, *arguments: str, given: bytes = b"") -> bytes:
        return _git(self.folder, *arguments, given=given)

    def line(self, *arguments: str) -> str:
        return self.git(*arguments).decode().strip()

    def commit(self, ref: str, files: Files, *, parents: Sequence[str] = (), message: str = "a change", replace: bool = False,
               author: str = "Dev", seconds: int = 1_800_000_000) -> str:  # fmt: skip
        """One commit over its first parent; `ref` then points at it. Its id. With `replace`, `files` is the whole tree."""
        who = f"{author} <{author.lower()}@example.com> {seconds} +0000"
        parts = [f"commit {ref}\nmark :1\nauthor {who}\ncommitter {who}\n".encode(), _data(message.encode())]
        parts += [f"{'merge' if i else 'from'} {parent}\n".encode() for i, parent in enumerate(parents)]
        if replace:
            parts.append(b"deleteall\n")
        parts += [_change(path, content) for path, content in files.items()]
        parts.append(b"get-mark :1\ndone\n")
        if not parents:
            parts.insert(0, f"reset {ref}\n".encode())
        return self.git("fast-import", "--quiet", "--force", "--done", given=b"".join(parts)).decode().strip()

    def merge(self, base: str, heads: Sequence[str], *, message: str, squash: bool = False) -> str:
        """A commit that brings `heads` into `base`, one after the other; it belongs to no ref yet."""
        tip = base
        for head in heads:
            tree = self.line("merge-tree", "--write-tree", tip, head)
            parents = ["-p", tip] + ([] if squash else ["-p", head])
            tip = self.line("commit-tree", tree, *parents, "-m", message)
        return tip

    def ref(self, name: str) -> str | None:
        try:
            return self.line("rev-parse", "--verify", "--quiet", "--end-of-options", name)
        except GitFailed:
            return None

    def set_ref(self, name: str, sha: str) -> None:
        self.git("update-ref", name, sha)

    def delete_ref(self, name: str) -> None:
        self.git("update-ref", "-d", name)

    def resolve(self, name: str) -> str | None:
        """The commit that a branch, a tag, `heads/x` or an id means."""
        if re.fullmatch(r"[0-9a-f]{40}", name):
            return self.ref(f"{name}^{{commit}}")
        for form in (f"refs/heads/{name}", f"refs/{name}", f"refs/tags/{name}", name if name.startswith("refs/") else ""):
            if form and (sha := self.ref(f"{form}^{{commit}}")):
                return sha
        return self.ref(f"{name}^{{commit}}") if re.fullmatch(r"[0-9a-f]{4,39}", name) else None

    def merge_base(self, one: str, other: str) -> str | None:
        """Of two commit ids."""
        try:
            return _fixed(self.folder, "merge-base", one, other)
        except GitFailed:
            return None

    def commits(self, *, after: str, until: str) -> list[str]:
        """Ids, oldest first."""
        return _fixed(self.folder, "rev-list", "--reverse", f"{after}..{until}").split()

    def message(self, sha: str) -> str:
        return _fixed(self.folder, "show", "-s", "--format=%B", sha)

    def tree_of(self, sha: str) -> str:
        return _fixed(self.folder, "rev-parse", f"{sha}^{{tree}}")

    def parents(self, sha: str) -> list[str]:
        return _fixed(self.folder, "show", "-s", "--format=%P", sha).split()

    def changes(self, base: str, head: str) -> tuple[FileChange, ...]:
        """The difference of two commits, renames found."""
        return _changes(self.folder, base, head)

    def entries(self, treeish: str, *, recursive: bool = False) -> list[Entry]:
        flags = ["-r", "-t"] if recursive else []
        found: list[Entry] = []
        for line in self.git("ls-tree", "-z", "-l", *flags, treeish).split(b"\0")[:-1]:
            meta, path = line.split(b"\t", 1)
            mode, kind, sha, size = meta.decode().split()
            found.append(Entry(mode, kind, sha, None if size == "-" else int(size), path.decode(errors="surrogateescape")))
        return found

    def kind(self, sha: str) -> str | None:
        try:
            return self.line("cat-file", "-t", sha)
        except GitFailed:
            return None

    def blob(self, sha: str) -> bytes:
        return self.git("cat-file", "blob", sha)


def environment() -> dict[str, str]:
    """git without the settings of the machine."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in
           (("NAME", "GitHub"), ("EMAIL", "noreply@github.com"), ("DATE", "1800000000 +0000"))}  # fmt: skip
    return kept | who | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    done = subprocess.run(
        ["git", "--git-dir", str(folder), *arguments], input=given, capture_output=True, env=environment(), check=False
    )
    if done.returncode:
        raise GitFailed(
            f"git {' '.join(arguments[:2])}: {done.stderr.decode(errors='replace').strip() or done.stdout.decode(errors='replace')}"
        )
    return done.stdout


@lru_cache(maxsize=4096)
def _fixed(folder: Path, *arguments: str) -> str:
    """What git says about ids, which never changes."""
    return _git(folder, *arguments).decode(errors="replace").strip()


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _change(path: str, content: Content) -> bytes:
    name = _quoted(path)
    match content:
        case None:
            return b"D %b\n" % name
        case Submodule(sha):
            return b"M 160000 %b %b\n" % (sha.encode(), name)
        case Symlink(target):
            return b"M 120000 inline %b\n%b" % (name, _data(target.encode()))
        case Executable(inner):
            return b"M 100755 inline %b\n%b" % (name, _data(inner if isinstance(inner, bytes) else inner.encode()))
        case _:
            return b"M 100644 inline %b\n%b" % (name, _data(content if isinstance(content, bytes) else content.encode()))


def _quoted(path: str) -> bytes:
    """C-quoted, as fast-import reads paths."""
    raw = path.encode(errors="surrogateescape")
    return b'"%b"' % b"".join(bytes([c]) if 32 <= c < 127 and c not in b'"\\' else b"\\%03o" % c for c in raw)


_STATUS = {"A": "added", "D": "removed", "M": "modified", "T": "changed", "R": "renamed", "C": "copied"}


@lru_cache(maxsize=256)
def _changes(folder: Path, base: str, head: str) -> tuple[FileChange, ...]:
    raw = _git(folder, "diff-tree", "-r", "-M", "--raw", "--no-abbrev", "-z", base, head).decode(errors="surrogateescape")
    counted = _git(folder, "diff-tree", "-r", "-M", "--numstat", "-z", base, head).decode(errors="surrogateescape")
    text = _git(folder, "-c", "core.quotePath=false", "diff-tree", "-r", "-M", "-p", "--full-index", base, head).decode(
        errors="replace"
    )
    patches = iter(re.split(r"(?m)^diff --git .*\n", text)[1:])
    found: list[FileChange] = []
    fields = iter(raw.split("\0")[:-1])
    counts = iter(counted.split("\0")[:-1])
    for meta in fields:
        _, _, old_blob, new_blob, letter = meta[1:].split(" ")
        patch = _hunks(next(patches))
        if letter == "T":  # git writes it as a removal and an addition
            patch = f"{patch}\n{_hunks(next(patches))}"
        first = next(fields)
        second = next(fields) if letter[0] in "RC" else None
        added, deleted, name = next(counts).split("\t", 2)
        if not name:  # a rename: both names follow
            next(counts)
            next(counts)
        found.append(
            FileChange(
                path=second or first,
                old_path=first if second else None,
                status=_STATUS[letter[0]],
                blob=old_blob if letter == "D" else new_blob,
                additions=0 if added == "-" else int(added),
                deletions=0 if deleted == "-" else int(deleted),
                patch=patch,
            )
        )
    return tuple(found)


def _hunks(part: str) -> str | None:
    """From the first `@@` on, as GitHub's `patch`; None for a binary or a mere rename."""
    at = re.search(r"(?m)^@@ ", part)
    return part[at.start() :].rstrip("\n") if at else None
