"""Runs git against GitHub: with nothing of this host's or a repository's configuration, and killed as a whole when it is in the way."""

import asyncio
import base64
import os
import re
import shutil
import signal
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gonogo.errors import ForgeError, ForgeUnavailable, Gone, StageFailed
from gonogo.record import Record

_KEPT = frozenset(
    {"PATH", "SYSTEMROOT", "TMPDIR", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"}
)
_STALL_S = 20
"""git itself gives up when less than 1 000 bytes a second arrived for so long: also when nobody is left to kill it."""
_MAX_SAID = 20_000


class Ended(Record):
    """What git did."""

    status: int
    out: str
    said: str
    """Standard error, in English."""


class GitTooLate(ForgeUnavailable):
    """git took longer than it may."""


async def run_git(
    *args: str, folder: Path, timeout_s: float, config: Mapping[str, str] | None = None, keep_open: Sequence[int] = ()
) -> Ended:
    """Run it in a bare repository. `config` goes by the environment, so that no list of processes and no file shows it.

    `keep_open` are descriptors of locks that hold as long as git runs, even without us. Cancelled or too late, git and all that
    it started is killed and has ended when this returns. Raises GitTooLate.
    """
    if shutil.which("git") is None:
        raise StageFailed("changes", "git was not found", "install git and put it on the PATH")
    process = await _started(
        asyncio.create_subprocess_exec(
            "git",
            f"--git-dir={folder}",
            *args,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment(os.environ, {**_SAFE, **(config or {})}),
            start_new_session=True,
            pass_fds=tuple(keep_open),
        )
    )
    try:
        async with asyncio.timeout(timeout_s):
            out, said = await process.communicate()
    except TimeoutError as error:
        raise GitTooLate(f"git {args[0]} took more than {timeout_s:g} s") from error
    finally:
        await _ended(process)
    assert process.returncode is not None
    return Ended(process.returncode, out.decode("utf-8", "replace"), said.decode("utf-8", "replace")[-_MAX_SAID:])


async def _started(starting: Coroutine[Any, Any, asyncio.subprocess.Process]) -> asyncio.subprocess.Process:
    """The process; cancelled in the middle, asyncio would end git and leave what git has started."""
    start = asyncio.ensure_future(starting)
    try:
        return await asyncio.shield(start)
    except asyncio.CancelledError:
        await _ended(await start)
        raise


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def environment(ours: Mapping[str, str], config: Mapping[str, str]) -> dict[str, str]:
    """Of our environment the path, proxies and certificates; no settings of git, no key of the App."""
    kept = {name: value for name, value in ours.items() if name.upper() in _KEPT}
    pairs = enumerate(config.items())
    told = {k: v for i, (key, value) in pairs for k, v in ((f"GIT_CONFIG_KEY_{i}", key), (f"GIT_CONFIG_VALUE_{i}", value))}
    return {
        **kept,
        **told,
        "GIT_CONFIG_COUNT": str(len(config)),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "HOME": os.devnull,
        "LC_ALL": "C",
    }


def network_config(url: str, token: str) -> dict[str, str]:
    """What a fetch from this address needs: one protocol, and the token for this address alone."""
    secret = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    scheme = "http" if url.startswith("http://") else "https"
    return {
        f"protocol.{scheme}.allow": "always",
        f"http.{url}.extraHeader": f"Authorization: Basic {secret}",
        "http.lowSpeedLimit": "1000",
        "http.lowSpeedTime": str(_STALL_S),
    }


_SAFE = {
    "protocol.allow": "never",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.attributesFile": os.devnull,
    "core.quotePath": "false",
    "credential.helper": "",
    "fetch.recurseSubmodules": "false",
    "fetch.unpackLimit": "1",
    "fetch.writeCommitGraph": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "submodule.recurse": "false",
    "pack.threads": "1",
}


class RefMissing(ForgeError):
    """GitHub has no ref of that name, or no such commit (yet)."""


class TokenRefused(ForgeError):
    """GitHub did not let this token read."""


def failure(ended: Ended, doing: str) -> Exception | None:
    """What standard error tells; None when it tells of no cause outside: then the repository on our disk is suspect."""
    line = next((x for x in reversed(ended.said.strip().splitlines()) if x.startswith(("fatal:", "error:", "remote:"))), "")
    what = f"{doing}: git ended with {ended.status} ({line[:300] or 'no message'})"
    for pattern, kind in _TOLD:
        if pattern.search(ended.said):
            return kind(what) if kind is not StageFailed else StageFailed("changes", what, "make room on the disk")
    return None


_TOLD: Sequence[tuple[re.Pattern[str], type[Exception]]] = (
    (re.compile(r"No space left on device|Disk quota exceeded"), StageFailed),
    (re.compile(r"couldn't find remote ref|not our ref|no such remote ref|unadvertised object"), RefMissing),
    (re.compile(r"Authentication failed|could not read (?:Username|Password)|returned error: 40[13]|Invalid username"), TokenRefused),
    (re.compile(r"[Rr]epository .*not found|returned error: 404"), Gone),
    (
        re.compile(
            r"Could not resolve host|Failed to connect|Couldn't connect|Connection (?:refused|reset|timed out)|returned error: (?:429|5\d\d)"
            r"|early EOF|RPC failed|the remote end hung up|Operation too slow|unexpected disconnect|Empty reply|SSL|TLS|gnutls"
            r"|expected flush|Recv failure|transfer closed|index-pack died"
        ),
        ForgeUnavailable,
    ),
)  # fmt: skip
