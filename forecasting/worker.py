"""The warm worker: one process a host that keeps the model loaded, asked by every gonogo process of this user.

It is started on first use, as a fresh interpreter with no secrets in its environment, and found by the others through a Unix socket
in the data folder; a lock lets one of them start it. It answers one request at a time. One that takes too long is ended by the
kernel's alarm or, when the worker itself is stuck, by whoever waits for it; a worker that was killed or ran out of memory is
started again for the next request. A request that had begun when its worker ended fails and is not repeated: it may be the
reason. One that had not begun is asked again.
"""

import contextlib
import os
import signal
import socket
import struct
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from forecasting.frames import ConnectionEndedError, receive, send
from forecasting.joint import Capabilities, ForecastRequest, JointForecast
from forecasting.wire import NotUnderstoodError, answer_from_json, capabilities_from_json, request_to_json
from forecasting.worker_start import WorkerSettings, connected
from gonogo.errors import ForecastUnavailable

_GRACE_S = 3.0


class _NotBegun(Exception):
    """The worker ended before it took up this request."""


class WarmWorker:
    """A forecaster whose work is done by the warm worker. Threads may share it."""

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings
        self._described: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """The name of the forecaster inside."""
        return str(self._description()["name"])

    @property
    def version(self) -> str:
        """The version of the forecaster inside, with the hash of its weights."""
        return str(self._description()["version"])

    @property
    def capabilities(self) -> Capabilities:
        """What the forecaster inside can take."""
        return capabilities_from_json(self._description()["capabilities"])

    def forecast(self, request: ForecastRequest) -> JointForecast:
        """Ask the worker, starting it when there is none; ForecastUnavailable when it gave no answer, and why."""
        reply = self._asked({"forecast": request_to_json(request)})
        try:
            return answer_from_json(reply.get("answer"), request)
        except NotUnderstoodError as error:
            raise ForecastUnavailable(f"the forecast worker: {error}") from error

    def pid(self) -> int:
        """The worker's process id; it is started when there is none."""
        return int(self._asked({})["ready"]["pid"])

    def _description(self) -> dict[str, Any]:
        if not self._described:
            self._described = self._asked({})["ready"]
        return self._described

    def _asked(self, message: dict[str, Any]) -> dict[str, Any]:
        patience = time.monotonic() + self._settings.wait_s
        while True:
            try:
                reply = self._asked_once(message, patience=patience)
                break
            except _NotBegun as error:
                if time.monotonic() > patience:
                    raise ForecastUnavailable(f"the forecast worker is busy ({error})", may_retry=True) from error
        failed = reply.get("failed")
        if failed is not None:
            raise ForecastUnavailable(str(failed["why"]), str(failed.get("what_to_do", "")), may_retry=bool(failed["may_retry"]))
        return reply

    def _asked_once(self, message: dict[str, Any], *, patience: float) -> dict[str, Any]:
        with connected(self._settings) as connection, _peer(connection) as process:
            self._wait_for_turn(connection, process, patience=patience)
            began = time.monotonic()
            limit = self._settings.request_s
            connection.settimeout(limit + _GRACE_S)
            try:
                send(connection, message)
                return receive(connection)
            except TimeoutError as error:
                _end(process)
                raise ForecastUnavailable(
                    f"the forecast took longer than {limit:g} s; its worker was ended", may_retry=True
                ) from error
            except (ConnectionError, ConnectionEndedError) as error:
                took = time.monotonic() - began
                why = f"took longer than {limit:g} s" if took >= limit - 0.5 else "was killed or ran out of memory"
                raise ForecastUnavailable(f"the forecast worker {why}", may_retry=True) from error

    def _wait_for_turn(self, connection: socket.socket, process: int | None, *, patience: float) -> None:
        """Until the worker takes up our request; one that has neither begun nor ended anything for too long is ended."""
        sign, since = _beat(self._settings), time.monotonic()
        connection.settimeout(0.5)
        while True:
            try:
                if "started" in receive(connection):
                    return
            except TimeoutError:
                now = time.monotonic()
                if _beat(self._settings) != sign:
                    sign, since = _beat(self._settings), now
                if now - since > self._settings.request_s + _GRACE_S:
                    _end(process)
                    raise _NotBegun("stuck") from None
                if now > patience:
                    raise _NotBegun("others are before us") from None
            except OSError as error:
                raise _NotBegun("it ended") from error


@contextmanager
def _peer(connection: socket.socket) -> Generator[int | None]:
    """A handle on the process that listens, which never becomes that of another one; None where the system has no such thing."""
    if not hasattr(socket, "SO_PEERCRED") or not hasattr(os, "pidfd_open"):
        yield None
        return
    pid, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")))
    if uid != os.getuid():
        raise ForecastUnavailable("the forecast worker belongs to another user", "remove its socket from GONOGO_DATA_DIR")
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError as error:
        raise _NotBegun("it ended") from error
    try:
        yield handle
    finally:
        os.close(handle)


def _end(process: int | None) -> None:
    if process is not None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(process, signal.SIGKILL)


def _beat(settings: WorkerSettings) -> int:
    """Changes whenever the worker begins or ends a request."""
    try:
        return (settings.folder / f"{settings.key}.beat").stat().st_mtime_ns
    except OSError:
        return 0
