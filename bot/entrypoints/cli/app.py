"""All verbs, and how every error leaves the process: one clear line and the right exit status."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from bot.entrypoints.cli.app_manifest import app_manifest
from bot.entrypoints.cli.check import check
from bot.entrypoints.cli.doctor import doctor
from bot.entrypoints.cli.forecast import forecast
from bot.entrypoints.cli.graph import graph
from bot.entrypoints.cli.lint import lint
from bot.entrypoints.cli.replay import replay
from bot.entrypoints.cli.serve import serve
from bot.entrypoints.cli.snapshot import snapshot
from bot.entrypoints.cli.surface import surface
from bot.entrypoints.cli.worker import worker
from gonogo import __version__
from gonogo.errors import GonogoError

_UsageError: Any = typer.BadParameter.__base__
"""What the parser raises for a wrong call; typer does not export it."""

app = typer.Typer(
    name="gonogo",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
app.command()(check)
app.command()(lint)
app.command()(surface)
app.command()(doctor)
app.command()(snapshot)
app.command()(replay)
app.command()(serve)
app.command()(worker)
app.add_typer(graph)
app.add_typer(forecast)
app.add_typer(app_manifest)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gonogo {__version__}")
        raise typer.Exit


@app.callback()
def _root(  # pyright: ignore[reportUnusedFunction]  typer calls it
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """If this change is merged and deployed, will it hurt production?

    Example: gonogo check --base origin/main --production ./snapshot
    """


def main(arguments: Sequence[str]) -> int:
    """Run the command line. 0 go, 1 no-go, 2 a wrong call, 3 could not evaluate, 130 Ctrl-C."""
    try:
        status = app(args=list(arguments), prog_name="gonogo", standalone_mode=False)
    except KeyboardInterrupt:
        return _say("interrupted", 130)
    except typer.Abort:
        return _say("interrupted", 130)
    except GonogoError as error:
        return _say(str(error), error.exit_status)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _say("standard output was closed before everything was written", 3)
    except Exception as error:  # noqa: BLE001  the last door: never a traceback, never a 1
        if isinstance(error, _UsageError):
            return _say(f"{_text_of(error)}; see: gonogo --help", 2)
        from bot.investigator.failures import failure_of  # noqa: PLC0415

        return _say(f"could not evaluate: {failure_of('gonogo', error).why}; this is a fault of gonogo, please report it", 3)
    return status if isinstance(status, int) else 0


def _text_of(error: Any) -> str:
    return str(error.format_message()).replace("\n", " ").rstrip(".")


def _say(message: str, status: int) -> int:
    line = " ".join(message.split())
    sys.stderr.write(f"gonogo: {line}\n")
    return status
