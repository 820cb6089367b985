"""The packs of a copy: are they as we left them, and are there too many? git's own upkeep is off, so that none begins of itself."""

import json
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from bot.github.git_process import run_git
from gonogo.errors import ForgeUnavailable

_SEAL = "gonogo-packs.json"
_TOO_MANY = 30
_TIMEOUT_S = 120.0
_log = logging.getLogger("gonogo.github")


def seal(folder: Path) -> None:
    """Note size and time of every pack, after everything that we do to them."""
    _note(folder, _packs(folder))


def broken_seal(folder: Path) -> str | None:
    """What is not as it was noted: a pack that was cut short, written over or lost is found here, before git trips over it.

    A pack more is none: it came just before we were killed.
    """
    try:
        noted: Mapping[str, list[int]] = json.loads((folder / _SEAL).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "nothing notes what it held"
    there = _packs(folder)
    return next((f"{name} is not as it was" for name, told in noted.items() if there.get(name) != told), None)


async def put_together(folder: Path, lock: int) -> None:
    """Make few packs of many small ones. The large ones are left, so it is quick; nothing is dropped, somebody may be reading."""
    if sum(name.endswith(".pack") for name in _packs(folder)) <= _TOO_MANY:
        return
    _note(folder, {})  # killed in the middle of it, packs are gone that are not missing
    args = ("repack", "--geometric=2", "-d", "-q")
    try:
        done = await run_git(*args, folder=folder, timeout_s=_TIMEOUT_S, keep_open=[lock])
    except ForgeUnavailable as error:
        _log.warning("the packs of a copy could not be put together: %s", error)
        return
    if done.status:
        _log.warning("the packs of a copy could not be put together: %s", done.said.strip()[-300:])


def bytes_in(folder: Path) -> int:
    """Bytes of all packs, those included that are just arriving."""
    return sum(size for size, _ in _packs(folder, every=True).values())


def _note(folder: Path, packs: Mapping[str, list[int]]) -> None:
    new = folder / f"{_SEAL}.new"
    new.write_text(json.dumps(packs), encoding="utf-8")
    new.replace(folder / _SEAL)


def _packs(folder: Path, *, every: bool = False) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    with suppress(OSError), os.scandir(folder / "objects" / "pack") as entries:
        for entry in entries:
            with suppress(OSError):
                if every or entry.name.endswith((".pack", ".idx")):
                    told = entry.stat()
                    found[entry.name] = [told.st_size, told.st_mtime_ns]
    return found
