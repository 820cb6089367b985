"""Starts gonogo isolated from the folder it runs in: a checkout nobody has reviewed must not be importable."""

import gc
import os
import runpy
import sys

_AGAIN = "from gonogo.launch import main; main()"


def main() -> None:
    """Restart with `python -I` when needed, then run the command line."""
    if not sys.flags.isolated:
        os.execv(sys.executable, [sys.executable, "-I", "-c", _AGAIN, *sys.argv[1:]])  # noqa: S606  our own interpreter
    gc.set_threshold(100_000, 50, 100)  # one short run that keeps nearly all it makes: fewer looks for garbage
    # no package of the environment hooks into our types, and the start is quicker
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    try:
        runpy.run_module("bot.entrypoints.cli", run_name="__main__")
    except KeyboardInterrupt:  # before the command line is there to answer it
        sys.stderr.write("gonogo: interrupted\n")
        sys.exit(130)
