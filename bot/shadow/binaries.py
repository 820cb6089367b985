"""Where a PostgreSQL server is installed here."""

import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_ASK_S = 10
_PACKAGES = Path("/usr/lib/postgresql")
"""Where Debian and Ubuntu keep the servers of each version."""


@cache
def server_binaries() -> Path | None:
    """The folder that holds initdb and postgres: what pg_config names, what is on the PATH, the newest package; or None."""
    return next((f for f in _folders() if (f / "initdb").is_file() and (f / "postgres").is_file()), None)


def _folders() -> Iterator[Path]:
    if asked := shutil.which("pg_config"):
        said = subprocess.run([asked, "--bindir"], capture_output=True, text=True, timeout=_ASK_S, check=False)  # noqa: S603
        if said.returncode == 0:
            yield Path(said.stdout.strip())
    if found := shutil.which("postgres"):
        yield Path(found).resolve().parent
    yield from sorted(
        _PACKAGES.glob("*/bin"), key=lambda f: [int(p) for p in f.parent.name.split(".") if p.isdigit()], reverse=True
    )
