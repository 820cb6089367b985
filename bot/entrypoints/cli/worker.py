"""`gonogo worker`: evaluates what webhooks ask for, and publishes the verdicts."""

from gonogo.errors import CallError


def worker() -> int:
    """Evaluate pull requests and publish the verdicts. Any number may run, on any number of hosts; settings are those of gonogo serve.

    Example: gonogo worker

    Exit status: 0 after SIGTERM or Ctrl-C; 2 the settings are wrong; 3 the database did not open.
    """
    try:
        from bot.entrypoints.worker import work  # noqa: PLC0415  only servers load what follows
    except ModuleNotFoundError as error:
        raise CallError(f"gonogo worker needs {error.name}; install the extra: pip install 'gonogo[server]'") from error
    return work()
