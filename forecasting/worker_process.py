"""The warm worker itself: one process that holds one forecaster and answers one request at a time.

Started by `forecasting.worker` as a fresh interpreter (`python -I -m forecasting.worker_process`), which reads its orders from standard
input, detaches, says on standard output that it is ready or why not, and from then on listens on a Unix socket. It never
imports anything of a checkout, takes JSON only, and ends by itself: when nobody asked for a while, when its socket is gone,
when a request ran out of memory, and by the kernel's alarm when one runs too long.
"""

import contextlib
import importlib
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from forecasting.frames import receive, send

_READ_S = 5.0
_LOOK_S = 2.0
_OWN = "forecasting."


@dataclass(frozen=True)
class Orders:
    """What a worker is told when it is started: whom to run (`module:function`), where to listen, its limits."""

    opener: str
    folder: str
    socket: str
    request_s: float
    idle_s: float
    memory_bytes: int

    def to_json(self) -> str:
        """For standard input."""
        return json.dumps(asdict(self))


def main() -> int:
    """Take orders, detach, serve."""
    orders = Orders(**json.loads(sys.stdin.read()))
    if os.fork():
        os._exit(0)  # who started us need not wait for us
    resource.setrlimit(resource.RLIMIT_DATA, (orders.memory_bytes, orders.memory_bytes))
    try:
        forecaster = _opener(orders.opener)()
        listener = _listening(orders)
    except Exception as error:  # noqa: BLE001  whatever it is, who started us must hear it
        _say({"failed": _failure(error, orders)})
        return 1
    _say({"ready": _self_description(forecaster)})
    _detach()
    _serve(listener, forecaster, orders)
    return 0


def _opener(name: str) -> Callable[[], Any]:
    """`module:function` of ours; anything else is refused."""
    module, _, function = name.partition(":")
    if not module.startswith(_OWN):
        raise ValueError(f"{name} is not a forecaster of gonogo")
    return getattr(importlib.import_module(module), function)


def _listening(orders: Orders) -> socket.socket:
    name = orders.socket
    os.chdir(orders.folder)  # a socket's path may have a hundred bytes only, so it is named from its folder
    with contextlib.suppress(FileNotFoundError):
        Path(name).unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(name)
    Path(name).chmod(0o600)
    listener.listen(16)
    return listener


def _serve(listener: socket.socket, forecaster: Any, orders: Orders) -> None:
    name = Path(orders.socket)
    inode = name.stat().st_ino
    idle_since = time.monotonic()
    listener.settimeout(_LOOK_S)
    while time.monotonic() - idle_since < orders.idle_s:
        try:
            connection, _ = listener.accept()
        except TimeoutError:
            try:
                if name.stat().st_ino != inode:
                    return
            except OSError:
                return
            continue
        signal.setitimer(signal.ITIMER_REAL, orders.request_s)
        with connection:
            is_healthy = _answer(connection, forecaster, orders)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _beat(name)
        if not is_healthy:
            return
        idle_since = time.monotonic()
    name.unlink(missing_ok=True)


def _answer(connection: socket.socket, forecaster: Any, orders: Orders) -> bool:
    """Answer one connection; False when this process should not go on."""
    from forecasting.wire import answer_to_json, request_from_json  # noqa: PLC0415  after the memory limit

    connection.settimeout(_READ_S)
    _beat(Path(orders.socket))
    is_healthy = True
    try:
        send(connection, {"started": os.getpid()})
        message = receive(connection)
        if "forecast" in message:
            try:
                reply = {"answer": answer_to_json(forecaster.forecast(request_from_json(message["forecast"])))}
            except Exception as error:  # noqa: BLE001  the asker decides what its failure means
                reply = {"failed": _failure(error, orders)}
                is_healthy = not isinstance(error, MemoryError)
        else:
            reply = {"ready": _self_description(forecaster)}
        send(connection, reply)
    except MemoryError:
        return False
    except OSError:
        pass  # the asker went away
    return is_healthy


def _self_description(forecaster: Any) -> dict[str, Any]:
    from forecasting.wire import capabilities_to_json  # noqa: PLC0415

    return {
        "name": forecaster.name,
        "version": forecaster.version,
        "capabilities": capabilities_to_json(forecaster.capabilities),
        "pid": os.getpid(),
    }


def _failure(error: BaseException, orders: Orders) -> dict[str, Any]:
    if isinstance(error, MemoryError):
        limit = orders.memory_bytes / 2**20
        return {"why": f"the worker's {limit:.0f} MiB of memory were not enough", "may_retry": True}
    why = getattr(error, "why", None) or f"{type(error).__name__}: {error}"
    return {
        "why": str(why)[:500],
        "what_to_do": str(getattr(error, "what_to_do", ""))[:500],
        "may_retry": bool(getattr(error, "may_retry", False)),
    }


def _say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _detach() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.setsid()


def _beat(name: Path) -> None:
    """Leave a sign that a request began or ended; who waits for us looks at it."""
    with contextlib.suppress(OSError):
        name.with_suffix(".beat").touch()


if __name__ == "__main__":
    sys.exit(main())
