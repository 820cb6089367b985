"""`gonogo serve`: the web process, or with --embedded everything in one."""

from typing import Annotated

import typer

from gonogo.errors import CallError


def serve(
    embedded: Annotated[
        bool, typer.Option("--embedded", help="Bring a Redis server and a worker of its own; needs only redis-server.")
    ] = False,
    host: Annotated[str | None, typer.Option(help="Address to listen on (default: GONOGO_HOST, 127.0.0.1).")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port (default: GONOGO_PORT, 8000).")] = None,
) -> int:
    """Take GitHub's webhooks and show the dashboard. Settings come from the environment, .env, or the file GONOGO_CONFIG names.

    Example: gonogo serve --embedded

    Exit status: 0 after SIGTERM or Ctrl-C; 2 the settings are wrong, or the port is taken; 3 a server it needs did not start.
    """
    try:
        from bot.entrypoints.serving import serve as run  # noqa: PLC0415  only servers load what follows
    except ModuleNotFoundError as error:
        raise CallError(f"gonogo serve needs {error.name}; install the extra: pip install 'gonogo[server]'") from error
    return run(is_embedded=embedded, host=host, port=port)
