"""Messages between the worker and those who ask it: four bytes of length, then JSON. A length beyond the limit ends the talk."""

import json
import socket
import struct
from typing import Any, cast

LONGEST = 256 * 1024 * 1024
_HEAD = struct.Struct(">I")


class ConnectionEndedError(ConnectionError):
    """The other side closed, or sent what is no frame."""


def send(connection: socket.socket, message: dict[str, Any]) -> None:
    """Send one message; the socket's own time-out counts for each piece."""
    text = json.dumps(message, allow_nan=False, separators=(",", ":")).encode()
    connection.sendall(_HEAD.pack(len(text)) + text)


def receive(connection: socket.socket, *, longest: int = LONGEST) -> dict[str, Any]:
    """The next message; TimeoutError when the socket's time-out is over, ConnectionEndedError when there is none to come."""
    (length,) = _HEAD.unpack(_exactly(connection, _HEAD.size))
    if length > longest:
        raise ConnectionEndedError(f"a message of {length} bytes, at most {longest} are read")
    try:
        message: object = json.loads(_exactly(connection, length))
    except (ValueError, RecursionError) as error:
        raise ConnectionEndedError(f"a message that is not JSON ({error})") from error
    if not isinstance(message, dict):
        raise ConnectionEndedError("a message that is not an object")
    return cast("dict[str, Any]", message)


def _exactly(connection: socket.socket, count: int) -> bytes:
    pieces = bytearray()
    while len(pieces) < count:
        piece = connection.recv(min(count - len(pieces), 1 << 20))
        if not piece:
            raise ConnectionEndedError("closed")
        pieces += piece
    return bytes(pieces)
