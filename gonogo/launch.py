"""Starts gonogo isolated from the folder it runs in: a checkout nobody has reviewed must not be importable."""

import os
import sys

_AGAIN = "from gonogo.launch import main; main()"


def main() -> None:
    """Restart with `python -I` when needed, then run the command line."""
    if not sys.flags.isolated:
        os.execv(sys.executable, [sys.executable, "-I", "-c", _AGAIN, *sys.argv[1:]])  # noqa: S606  our own interpreter
    import gc  # noqa: PLC0415  the first start loads as little as it can
    import runpy  # noqa: PLC0415

    gc.set_threshold(200_000, 50, 100)  # one short run that keeps nearly all it makes: fewer looks for garbage
    # no package of the environment hooks into our types, and the start is quicker
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    try:
        runpy.run_module("bot.entrypoints.cli", run_name="__main__")
    except KeyboardInterrupt:  # before the command line is there to answer it
        sys.stderr.write("gonogo: interrupted\n")
        sys.exit(130)
    except SystemExit as ended:
        if isinstance(ended.code, int):
            _leave(ended.code)
        raise


def _leave(status: int) -> None:
    """End at once: everything is written and closed, and taking the program apart piece by piece is for nobody."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # pyright: ignore[reportUnnecessaryComparison]  None once standard output was closed
            try:
                stream.flush()
            except OSError:
                os._exit(status or 3)
    os._exit(status)
