"""Reads `git diff` into ChangedFiles: names from the raw part, lines from the patch, joined by order.

Names are never taken from patch headers, so spaces, unicode and ` b/` in a path mean nothing special.
"""

from collections.abc import Iterator

from bot.changes.git import Git
from gonogo.change import ChangedFile, ChangeKind, Hunk

MAX_LINES_A_FILE = 20_000
"""Changed lines of one file beyond which its text is not kept; the report says so."""

_SUBMODULE, _NOTHING = "160000", "000000"
_ADDED, _DELETED, _RENAMED, _TYPE = "A", "D", "R", "T"


def changed_files(git: Git, base: str, head: str) -> tuple[ChangedFile, ...]:
    """Every file that differs between two trees, renames detected, sorted by path."""
    out = git.read(
        "diff", "--patch-with-raw", "-z", "-U0", "-M", "--full-index", "--no-color", "--text", "--no-ext-diff", "--no-abbrev", "--no-textconv",
        "--ignore-submodules=none", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", base, head, "--",
    )  # fmt: skip
    entries, patch = _raw_part(out)
    sections = _sections(patch)
    files: list[ChangedFile] = []
    for old, new, status, old_path, new_path in entries:
        section = next(sections, list[bytes]())
        if status == _TYPE:  # git prints a deletion and an addition
            section += next(sections, list[bytes]())
        files.append(_file(old, new, status, old_path, new_path, section))
    return tuple(sorted(files, key=lambda f: f.path))


def _raw_part(out: bytes) -> tuple[list[tuple[str, str, str, str, str]], bytes]:
    """(old object, new object, status letter, base path, head path) of each entry, and the patch after them."""
    entries: list[tuple[str, str, str, str, str]] = []
    at = 0
    while at < len(out) and out[at : at + 1] == b":":
        end = out.index(b"\0", at)
        old_mode, new_mode, old_id, new_id, status = out[at + 1 : end].decode().split(" ")
        at = end + 1
        end = out.index(b"\0", at)
        old_path = new_path = _path(out[at:end])
        at = end + 1
        if status[0] in "RC":
            end = out.index(b"\0", at)
            new_path = _path(out[at:end])
            at = end + 1
        entries.append((_object(old_mode, old_id), _object(new_mode, new_id), status[0], old_path, new_path))
    if out[at : at + 1] == b"\0":
        at += 1
    return entries, out[at:]


def _object(mode: str, object_id: str) -> str:
    return f"{mode} {object_id}" if mode != _NOTHING else ""


def _path(raw: bytes) -> str:
    return raw.decode("utf-8", "backslashreplace")


def _sections(patch: bytes) -> Iterator[list[bytes]]:
    """The lines of each `diff --git` section. Inside a hunk, lines are counted, never matched."""
    section: list[bytes] | None = None
    left = 0
    for line in patch.split(b"\n"):
        if left > 0 and line[:1] in (b"+", b"-"):
            left -= 1
        elif line.startswith(b"diff --git "):
            if section is not None:
                yield section
            section = []
        elif line.startswith(b"@@ "):
            left = sum(count for _, count in _ranges(line))
        if section is not None:
            section.append(line)
    if section is not None:
        yield section


def _ranges(header: bytes) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for part in header.split(b" ")[1:3]:
        start, _, count = part[1:].partition(b",")
        found.append((int(start), int(count) if count else 1))
    return found


def _file(old: str, new: str, status: str, old_path: str, new_path: str, section: list[bytes]) -> ChangedFile:
    base_path = None if status == _ADDED else old_path
    head_path = None if status == _DELETED else new_path
    old_mode, new_mode = old.partition(" ")[0], new.partition(" ")[0]
    is_submodule = _SUBMODULE in (old_mode, new_mode)
    hunks = tuple(_hunks(section))
    is_binary = any("\0" in text for h in hunks for text in (*h.removed, *h.added))
    if is_binary:
        hunks = ()
    note = None
    if sum(h.base_count + h.head_count for h in hunks) > MAX_LINES_A_FILE:
        hunks, note = (), f"more than {MAX_LINES_A_FILE:,} changed lines"
    if is_submodule:
        kind, hunks = ChangeKind.SUBMODULE, ()
    elif status in (_ADDED, _DELETED, _RENAMED):
        kind = {_ADDED: ChangeKind.ADDED, _DELETED: ChangeKind.DELETED, _RENAMED: ChangeKind.RENAMED}[status]
    elif old_mode != new_mode and not hunks and not is_binary and note is None:
        kind = ChangeKind.MODE
    else:
        kind = ChangeKind.MODIFIED
    path = head_path or base_path or old_path
    return ChangedFile(
        path=path,
        base_path=base_path,
        head_path=head_path,
        kind=kind,
        is_binary=is_binary,
        hunks=hunks,
        note=note,
        base_object=old,
        head_object=new,
    )


def _hunks(section: list[bytes]) -> Iterator[Hunk]:
    at = 0
    while at < len(section):
        line = section[at]
        at += 1
        if not line.startswith(b"@@ "):
            continue
        (base_start, base_count), (head_start, head_count) = _ranges(line)
        removed: list[str] = []
        added: list[str] = []
        while at < len(section) and section[at][:1] in (b"-", b"+", b"\\"):
            text = section[at][1:].decode("utf-8", "replace").removesuffix("\r")
            if section[at][:1] == b"-":
                removed.append(text)
            elif section[at][:1] == b"+":
                added.append(text)
            at += 1
        yield Hunk(
            base_start=base_start,
            base_count=base_count,
            head_start=head_start,
            head_count=head_count,
            removed=tuple(removed),
            added=tuple(added),
        )
