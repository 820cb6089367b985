"""`gonogo forecast serve`: one forecaster for a team, over HTTP."""

import os
import sys
from typing import Annotated

import typer

from gonogo.errors import CallError


def forecast_serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; others than this machine's own should come with a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = 8077,
    backend: Annotated[
        str, typer.Option(help="toto (weights in GONOGO_TOTO_DIR), builtin, or auto: toto where it is configured.")
    ] = "auto",
) -> None:
    """Answer forecasts over HTTP: POST /v1/forecast and GET /healthz. GONOGO_FORECAST_TOKEN, when set, must come as a bearer token.

    Example: gonogo forecast serve --port 8077
    """
    from forecasting.serving import ForecastServer  # noqa: PLC0415  nothing else needs numpy
    from forecasting.warm import warm_builtin, warm_toto  # noqa: PLC0415

    if backend not in ("auto", "toto", "builtin"):
        raise CallError(f"--backend is {backend}; it may be auto, toto or builtin")
    toto = None if backend == "builtin" else warm_toto(os.environ)
    if backend == "toto" and toto is None:
        raise CallError("--backend toto: no weights are configured; set GONOGO_TOTO_DIR to their folder")
    forecaster = toto or warm_builtin(os.environ)
    try:
        server = ForecastServer((host, port), forecaster, token=os.environ.get("GONOGO_FORECAST_TOKEN") or None)
    except OSError as error:
        raise CallError(f"cannot listen on {host}:{port} ({error.strerror})") from error
    with server:
        sys.stderr.write(f"gonogo: {forecaster.name} at http://{host}:{server.server_port}/v1/forecast ({forecaster.version})\n")
        server.serve_forever()
