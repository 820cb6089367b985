"""Standard output, which may be a closed pipe or a full disk."""

import sys

from gonogo.errors import StageFailed


def say(text: str) -> None:
    """Print a document; a standard output that cannot be written is a StageFailed."""
    try:
        print(text, end="", flush=True)  # noqa: T201  to a closed standard output it says nothing
    except OSError as error:
        sys.stdout = None  # pyright: ignore[reportAttributeAccessIssue]  the interpreter would flush it again at its end
        raise StageFailed("report", f"standard output cannot be written ({error.strerror})") from error
