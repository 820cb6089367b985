"""Runs git on a repository that nobody has reviewed: read-only, no hooks, no drivers, no attributes of its tree."""

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from gonogo.errors import CallError, ShallowCheckout, StageFailed

GIT_TIMEOUT_S = 120

_SAFE = (
    "-c", "core.fsmonitor=false",
    "-c", f"core.hooksPath={os.devnull}",
    "-c", f"core.attributesFile={os.devnull}",
    "-c", "protocol.allow=never",
    "-c", "core.quotePath=false",
    "-c", "log.showSignature=false",
    "-c", "diff.renameLimit=2000",
)  # fmt: skip


class Git:
    """One repository. Objects are read as in a bare repository, so `.gitattributes` of the checkout has no say.

    Raises CallError when the folder is no repository or git refuses it, StageFailed when git breaks later.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not folder.is_dir():
            raise CallError(f"--repo {folder}: no such folder")
        self.objects: Path | None = None
        try:
            self.git_dir = self._text("-C", str(folder), "rev-parse", "--absolute-git-dir").strip()
        except StageFailed as error:
            hint = "run it inside a git repository, or pass --repo"
            if "dubious ownership" in error.why:
                hint = f"it belongs to another user; if you trust it: git config --global --add safe.directory {folder}"
            raise CallError(f"--repo {folder} is not a git repository that can be read: {hint}") from error

    def read(self, *args: str, allow: Sequence[int] = (0,)) -> bytes:
        """Standard output of a git command on the objects of the repository."""
        return self._run(*_SAFE, "-c", "core.bare=true", f"--git-dir={self.git_dir}", *args, allow=allow)

    def text(self, *args: str, allow: Sequence[int] = (0,)) -> str:
        """The same, decoded."""
        return self.read(*args, allow=allow).decode("utf-8", "replace")

    def in_checkout(self, *args: str) -> str:
        """A read-only command that needs the working tree (status, write-tree); no filter of the configuration runs."""
        return self._text(*_SAFE, *self._no_filters(), "-C", str(self.folder), *args)

    def _no_filters(self) -> list[str]:
        """`.gitattributes` of a pull request may name a filter that the local configuration holds a command for."""
        listed = self.text(
            "config", "--name-only", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$", allow=(0, 1)
        )
        keys = sorted({key for key in listed.split("\0") if key})
        return [part for key in keys for part in ("-c", f"{key}={'false' if key.endswith('.required') else ''}")]

    def commit(self, ref: str, *, option: str) -> str:
        """The commit id that `ref` names, or a CallError that says which command brings it here."""
        if ref.startswith("-") or not ref:
            raise CallError(f"{option} '{ref}': not the name of a commit")
        found = self.text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}", allow=(0, 1, 128)).strip()
        if re.fullmatch(r"[0-9a-f]{40,64}", found):
            return found
        if self.is_shallow():
            raise ShallowCheckout(
                f"{option} '{ref}' is not in this shallow checkout; run: git fetch --unshallow origin (in CI: fetch-depth: 0)"
            )
        if not self.text("for-each-ref", "--count=1") and not self.exists("HEAD"):
            raise CallError(f"{self.folder} has no commits yet; commit something first, or pass --repo of another repository")
        raise CallError(
            f"{option} '{ref}' is not a commit of {self.folder}; run: git fetch origin {ref}, or pass another {option}"
        )

    def exists(self, ref: str) -> bool:
        """Whether `ref` names a commit that is here."""
        return bool(
            self.text("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}", allow=(0, 1, 128)).strip()
        )

    def is_shallow(self) -> bool:
        """Whether history was cut off when this was cloned."""
        return self.text("rev-parse", "--is-shallow-repository").strip() == "true"

    def merge_base(self, base: str, head: str) -> str:
        """The commit from which base and head went apart."""
        found = self.text("merge-base", base, head, allow=(0, 1)).split()
        if found:
            return found[0]
        if self.is_shallow():
            raise ShallowCheckout(
                f"base {base[:12]} and head {head[:12]} have no common commit in this shallow checkout; "
                "run: git fetch --unshallow origin (in CI: fetch-depth: 0)"
            )
        raise CallError(f"base {base[:12]} and head {head[:12]} have no common history; pass another --base")

    def _text(self, *args: str) -> str:
        return self._run(*args).decode("utf-8", "replace")

    def _run(self, *args: str, allow: Sequence[int] = (0,)) -> bytes:
        try:
            done = subprocess.run(
                ("git", *args),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=GIT_TIMEOUT_S,
                env=self.environment(),
                check=False,
            )
        except FileNotFoundError as error:
            raise CallError("git was not found; install git and put it on the PATH") from error
        except subprocess.TimeoutExpired as error:
            raise StageFailed("changes", f"git {_verb(args)} took more than {GIT_TIMEOUT_S} s") from error
        if done.returncode not in allow:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise StageFailed("changes", f"git {_verb(args)} ended with {done.returncode}: {said[0] if said else 'no message'}")
        return done.stdout

    def environment(self) -> dict[str, str]:
        """The caller's environment without what would redirect git, and with nothing that asks or fetches."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k == "GIT_SSL_CAINFO"}
        kept |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C.UTF-8"}
        if self.objects:
            kept |= {"GIT_OBJECT_DIRECTORY": str(self.objects), "GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{self.git_dir}/objects"}
        return kept


def _verb(args: Sequence[str]) -> str:
    words = iter(args)
    for word in words:
        if word in ("-c", "-C"):
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""
