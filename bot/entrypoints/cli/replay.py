"""`gonogo replay`: a recorded evaluation again, from what was recorded."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.entrypoints.cli.check import Format, printed


def replay(
    evaluation: Annotated[str, typer.Argument(help="The id of a recorded evaluation, its beginning, or its folder.")],
    repo: Annotated[
        Path | None, typer.Option(help="The git repository, when it is elsewhere now (default: where it was).")
    ] = None,
    format: Annotated[Format, typer.Option(help="How the report is printed.")] = Format.TEXT,  # noqa: A002  the option's name
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Nothing on standard error.")] = False,
) -> int:
    """Evaluate again what `gonogo check --record` recorded, asking no source of production, and say whether the report is the same.

    Example: gonogo replay 20260504T101500Z-4f2c91aa-03e7

    Exit status: as of the evaluation: 0 go, 1 no-go, 3 could not be evaluated; 2 there is no such recording.
    """
    from bot.bootstrap import prepare_again  # noqa: PLC0415  the pipeline loads when it is needed
    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.evaluation.evaluate import evaluate  # noqa: PLC0415

    with prepare_again(evaluation, folder=repo) as (job, before):
        again = evaluate(job.request, repository=job.repository, provider=job.provider, policy=job.policy)
    say(printed(again, format))
    if not quiet:
        sys.stderr.write(f"gonogo: {_compared(before, again.to_report())}\n")
    return again.exit_status()


def _compared(before: dict[str, Any], after: dict[str, Any]) -> str:
    import json  # noqa: PLC0415

    plain: dict[str, Any] = json.loads(json.dumps(after))
    differing = sorted(k for k in before.keys() | plain.keys() if k != "timings" and before.get(k) != plain.get(k))
    if not differing:
        return "the report is the same as the recorded one"
    versions = ""
    if "gonogo_version" in differing:
        versions = f" (recorded by gonogo {before.get('gonogo_version')}, this is {plain.get('gonogo_version')})"
    return f"the report differs from the recorded one in: {', '.join(differing)}{versions}"
