"""`gonogo forecast`: how likely a metric passes its limit within the horizon, with the forecast's own proof."""

import math
import os
import re
import sys
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from bot.entrypoints.cli.forecast_serve import forecast_serve
from gonogo.errors import CallError

forecast = typer.Typer(
    name="forecast",
    invoke_without_command=True,
    rich_markup_mode=None,
)
forecast.command("serve")(forecast_serve)

_SPAN = re.compile(r"(\d+(?:\.\d+)?)\s*(min|m|h|d)")
_SECONDS = {"m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}

_MOST_LIMIT = 1e300
"""Beyond, the distance to a reading is no float64."""


@forecast.callback()
def _forecast(  # pyright: ignore[reportUnusedFunction]  typer calls it
    context: typer.Context,
    production: Annotated[str | None, typer.Option(help="A snapshot folder.", metavar="DIR|live")] = None,
    resource: Annotated[str | None, typer.Option(help="Id or name of the resource.")] = None,
    metric: Annotated[str | None, typer.Option(help="Its metric, as the provider calls it.")] = None,
    horizon: Annotated[str, typer.Option(help="How far ahead: 90m, 6h, 2d.")] = "6h",
    what_if: Annotated[str | None, typer.Option("--what-if", help="traffic=1.5, consumers=0.5, timeout=2,retries=3 …")] = None,
    limit: Annotated[float | None, typer.Option(help="The limit (default: the one that the graph knows).")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write a picture there.", metavar="FILE.svg|png")] = None,
) -> None:
    """Forecast a metric and test the forecast on its past.

    Says how likely the metric passes its limit within the horizon, or the range that it stays in.

    Example: gonogo forecast --production ./snapshot --resource orders --metric ApproximateNumberOfMessagesVisible --horizon 6h --what-if traffic=1.5 --plot orders.svg

    Exit status: 0 forecast, or said to be not predictable; 2 the call is wrong; 3 no source or no forecaster answered.
    """
    if context.invoked_subcommand is not None:
        return
    missing = [f"--{n}" for n, v in (("production", production), ("resource", resource), ("metric", metric)) if not v]
    if production is None or resource is None or metric is None or missing:
        raise CallError(f"gonogo forecast needs {', '.join(missing)}; see: gonogo forecast --help")
    if limit is not None and not (math.isfinite(limit) and abs(limit) <= _MOST_LIMIT):
        raise CallError(f"--limit {limit}: write a finite number, like 10000 or 0.5, at most {_MOST_LIMIT:g}")
    ahead = _horizon(horizon)
    if plot is not None:
        _check_plot(plot)

    from bot.bootstrap import forecasters, production_of  # noqa: PLC0415  numpy is loaded when there is something to forecast
    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.evaluation.ask_ahead import ask_ahead  # noqa: PLC0415
    from forecasting.terminal_plot import terminal_plot  # noqa: PLC0415
    from forecasting.what_if import parse_what_if  # noqa: PLC0415

    try:
        asked = parse_what_if(what_if) if what_if else {}
    except ValueError as error:
        raise CallError(f"--what-if: {error}") from error
    with production_of(production) as provider:
        told = ask_ahead(
            provider,
            resource=resource,
            metric=metric,
            horizon=ahead,
            what_if=asked,
            limit=limit,
            choice=forecasters(),
        )
    if plot is not None:
        _write(plot, told.drawn)
    width = min(os.get_terminal_size().columns, 120) if sys.stdout.isatty() else 100
    say("\n".join([told.statement, "", terminal_plot(told.drawn, width=width), "", *told.details]) + "\n")


def _horizon(text: str) -> timedelta:
    found = _SPAN.fullmatch(text.strip())
    seconds = float(found[1]) * _SECONDS[found[2]] if found else 0.0
    if not 60 <= seconds <= 14 * 86400:
        raise CallError(f"--horizon {text}: write a span from 1m to 14d, like 90m, 6h or 2d")
    return timedelta(seconds=seconds)


def _check_plot(path: Path) -> None:
    if path.suffix.lower() not in (".svg", ".png"):
        raise CallError(f"--plot {path}: the name must end in .svg or .png")
    if not path.parent.is_dir():
        raise CallError(f"--plot {path}: the folder {path.parent} does not exist")


def _write(path: Path, drawn: object) -> None:
    from forecasting.picture import Drawn, png, svg  # noqa: PLC0415

    assert isinstance(drawn, Drawn)
    try:
        if path.suffix.lower() == ".svg":
            path.write_text(svg(drawn), encoding="utf-8")
        else:
            path.write_bytes(png(drawn))
    except ModuleNotFoundError as error:
        raise CallError(f"--plot {path}: a PNG needs the extra gonogo[plot]; an SVG does not") from error
    except OSError as error:
        raise CallError(f"--plot {path}: cannot be written ({error.strerror})") from error
