"""`gonogo snapshot`: production facts on disk, so that an evaluation can be repeated."""

from pathlib import Path
from typing import Annotated

import typer

from gonogo.errors import CallError


def snapshot(
    out: Annotated[Path | None, typer.Option(help="The folder to write; it must not hold anything yet.", metavar="DIR")] = None,
    repo: Annotated[Path, typer.Option(help="Everything that this git repository can reach.")] = Path(),
    resource: Annotated[
        list[str] | None, typer.Option(help="These resources and their neighbours instead; may be repeated.")
    ] = None,
    production: Annotated[str, typer.Option(help="Where it is read from.", metavar="live|DIR")] = "live",
) -> int:
    """Write what production is now as a snapshot: resources, edges, metrics, logs, deploys, alarms, database statistics.

    Example: gonogo snapshot --out ./snapshot --repo ~/code/shop

    Exit status: 0 written, with a line for each source that did not answer; 2 the call is wrong; 3 no source answered.
    """
    if out is None:
        raise CallError("gonogo snapshot needs --out DIR; see: gonogo snapshot --help")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise CallError(f"--out {out} is there already and not empty; name a new folder")
    if not out.parent.is_dir():
        raise CallError(f"--out {out}: the folder {out.parent} does not exist")

    from bot.bootstrap import take_snapshot  # noqa: PLC0415  loads when it is needed
    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.report.printable import printable_line  # noqa: PLC0415

    taken = take_snapshot(out, folder=repo, resources=resource or [], production=production)
    lines = [f"not read: {gap.what}: {gap.why}" for gap in taken.gaps]
    counts = f"{len(taken.resources):,} resources, {len(taken.edges):,} edges, {len(taken.series):,} series, {len(taken.logs):,} log lines"
    lines.append(f"wrote {out}: {counts}, {len(taken.databases):,} databases")
    say("".join(printable_line(line) + "\n" for line in lines))
    return 0
