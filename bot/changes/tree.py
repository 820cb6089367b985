"""One side of the change, read from git objects: never from the working tree, never executed."""

import re
import subprocess
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from bot.changes.git import Git
from gonogo.change import Side
from gonogo.errors import StageFailed
from gonogo.resource import Place

MAX_TEXT_BYTES = 2_000_000
MAX_PLACES_A_WORD = 500

_REGULAR = ("100644", "100755", "100664")


class GitTree:
    """A `SourceTree` over a commit or tree id; implements gonogo.ports.SourceTree."""

    def __init__(self, git: Git, objects: "ObjectReader", tree_id: str, side: Side) -> None:
        self._git, self._objects, self._tree_id = git, objects, tree_id
        self.side: Side = side
        self._texts: dict[str, str | None] = {}

    @cached_property
    def _blobs(self) -> dict[str, tuple[str, int]]:
        """Path → (object id, size in bytes) of every regular file."""
        listed: dict[str, tuple[str, int]] = {}
        for row in self._git.read("ls-tree", "-r", "-z", "-l", "--full-tree", self._tree_id).split(b"\0"):
            if row:
                about, _, path = row.partition(b"\t")
                mode, _, object_id, size = about.decode().split()
                if mode in _REGULAR:
                    listed[path.decode("utf-8", "backslashreplace")] = (object_id, int(size))
        return listed

    def paths(self) -> Sequence[str]:
        """Every path of a regular file, sorted."""
        return sorted(self._blobs)

    def objects(self) -> Mapping[str, str]:
        """Path → git's id of the content, of every regular file."""
        return {path: object_id for path, (object_id, _) in self._blobs.items()}

    def text(self, path: str) -> str | None:
        """The decoded text; None when absent, binary or over MAX_TEXT_BYTES."""
        if path not in self._texts:
            self._texts[path] = self._read(path)
        return self._texts[path]

    def why_not(self, path: str) -> str | None:
        """Why `text` is None for a path that exists, or None."""
        if path in self._blobs and self.text(path) is None:
            size = self._blobs[path][1]
            return f"{size:,} bytes, more than {MAX_TEXT_BYTES:,}" if size > MAX_TEXT_BYTES else "not text"
        return None

    def _read(self, path: str) -> str | None:
        object_id, size = self._blobs.get(path, ("", 0))
        if not object_id or size > MAX_TEXT_BYTES:
            return None
        return decode(self._objects.read(object_id))

    def search(self, words: Collection[str]) -> Mapping[str, tuple[Place, ...]]:
        """Whole-word places of all words, by one `git grep`; at most MAX_PLACES_A_WORD each."""
        wanted = sorted({w for w in words if w and "\n" not in w and "\0" not in w})
        found: dict[str, list[Place]] = {w: [] for w in words}
        if wanted:
            patterns = [part for word in wanted for part in ("-e", word)]
            out = self._git.read(
                "grep", "-I", "-n", "-w", "-F", "-z", "--full-name", "--no-color", *patterns, self._tree_id, "--", allow=(0, 1)
            )
            word = re.compile(r"(?<!\w)(?:" + "|".join(re.escape(w) for w in sorted(wanted, key=len, reverse=True)) + r")(?!\w)")
            for row in out.split(b"\n"):
                place, _, rest = row.partition(b"\0")
                number, _, text = rest.partition(b"\0")
                path = place.partition(b":")[2].decode("utf-8", "backslashreplace")
                if path in self._blobs and number.isdigit():
                    for hit in set(word.findall(text[:5000].decode("utf-8", "replace"))):
                        if len(found[hit]) < MAX_PLACES_A_WORD:
                            found[hit].append(Place(file=path, line=int(number), side=self.side))
        return {w: tuple(places) for w, places in found.items()}


def decode(content: bytes) -> str | None:
    """Text with line feeds as line ends, or None for binary content. Not UTF-8: UTF-16 by its mark, else Latin-1."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = content.decode("utf-16", "replace")
    elif b"\0" in content[:8000]:
        return None
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("latin-1")
    text = text.replace("\r\n", "\n")
    return text if "\n" in text else text.replace("\r", "\n")


class ObjectReader:
    """One `git cat-file --batch` process for all reads of an evaluation."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._process: subprocess.Popen[bytes] | None = None

    def read(self, object_id: str) -> bytes:
        """The content of one blob."""
        process = self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(object_id.encode() + b"\n")
        process.stdin.flush()
        header = process.stdout.readline().split()
        if len(header) != 3:
            raise StageFailed("changes", f"git object {object_id[:12]} is missing", "run: git fsck, or fetch again")
        content = process.stdout.read(int(header[2]))
        process.stdout.read(1)
        return content

    def _start(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            self._process = subprocess.Popen(
                ("git", "-c", "core.bare=true", f"--git-dir={self._git.git_dir}", "cat-file", "--batch"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self._git.environment(),
            )
        return self._process

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process.kill()  # it only reads; to wait for its own end takes longer
            self._process.wait()
            self._process = None
