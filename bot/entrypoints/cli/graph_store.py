"""`gonogo graph sync|show|path|affected`: the graph that is kept, and what it says."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gonogo.errors import CallError
from gonogo.word import ResourceId

if TYPE_CHECKING:
    from bot.storage.graph import StoredGraph


def sync(
    regions: Annotated[str, typer.Option(help="AWS regions, by comma (default: all that the account has on).")] = "",
    profile: Annotated[str | None, typer.Option(help="AWS profile (default: as boto3 finds credentials).")] = None,
) -> int:
    """Read what runs in production, read-only, and keep it as a graph.

    Example: gonogo graph sync --regions eu-west-1,eu-central-1

    Exit status: 0 when a scope answered, with a line for each that did not; 3 when none did.
    """
    import sys  # noqa: PLC0415

    from bot.live import aws_collectors, open_graph  # noqa: PLC0415  loads when it is needed

    with open_graph() as engine:  # says which extra is missing, before anything is imported from it
        from bot.jobs.sync_graph import sync_graph  # noqa: PLC0415
        from bot.report.graph_store import scope_line  # noqa: PLC0415
        from context_graph.collecting import Collected, ScopeStatus  # noqa: PLC0415

        def told(one: Collected) -> None:
            found = f"{len(one.resources):,} resources, {len(one.edges):,} edges"
            sys.stderr.write(scope_line(one.scope, one.status, one.why, found=found) + "\n")

        named = [region.strip() for region in regions.split(",") if region.strip()]
        ended = sync_graph(aws_collectors(profile=profile, regions=named), engine, told=told)
    answered = sum(one.status in (ScopeStatus.OK, ScopeStatus.PARTIAL) for one in ended)
    typer.echo(f"{answered} of {len(ended)} scopes answered")
    return 0 if answered else 3


def show(resource: Annotated[str, typer.Argument(help="The id of a resource: an ARN, or provider:type:name.")]) -> int:
    """Show one resource: its configuration, its edges, and how old that is.

    Example: gonogo graph show arn:aws:sqs:eu-west-1:111122223333:orders

    Exit status: 0; 2 when the graph does not know it.
    """
    from datetime import UTC, datetime  # noqa: PLC0415

    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.report.graph_store import age, resource_text  # noqa: PLC0415

    at = ResourceId(resource)
    with _stored() as stored:
        found = next(iter(stored.resources([at])), None)
        sighting = stored.sightings([at]).get(at)
        if found is None or sighting is None:
            gone = f"; it was retired {age(sighting.retired_at, datetime.now(UTC))}" if sighting and sighting.retired_at else ""
            raise CallError(f"the graph does not know {resource}{gone}; see: gonogo graph sync")
        seen = f"read {age(sighting.last_seen, datetime.now(UTC))} by {sighting.scope.scope} ({sighting.scope.status.value})"
        dependants = stored.in_degrees([at]).get(at, 0)
        text = resource_text(found, stored.edges_from([at]), stored.edges_to([at]), seen=seen, dependants=dependants)
    say(text)
    return 0


def path(
    source: Annotated[str, typer.Argument(help="Where it starts.")],
    target: Annotated[str, typer.Argument(help="Where it ends.")],
) -> int:
    """Show a shortest path from one resource to another, each step with what says so.

    Example: gonogo graph path github:acme/shop arn:aws:rds:eu-west-1:111122223333:db:ledger

    Exit status: 0; 1 when there is no path; 2 when the graph knows nothing.
    """
    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.report.graph_store import path_text  # noqa: PLC0415
    from context_graph.graph import path_between  # noqa: PLC0415

    with _stored() as stored:
        chain = path_between(stored, ResourceId(source), ResourceId(target))
    if chain is None:
        typer.echo(f"no path from {source} to {target}", err=True)
        return 1
    say(path_text(chain))
    return 0


def affected(
    repo: Annotated[Path, typer.Option(help="The git repository.")] = Path(),
    base: Annotated[str | None, typer.Option(help="What the change is merged into (default: the default branch).")] = None,
    head: Annotated[str, typer.Option(help="The change.")] = "HEAD",
    production: Annotated[str | None, typer.Option(help="A snapshot folder, or live.", metavar="DIR|live")] = None,
) -> int:
    """List what a change can reach, nearest first, each with its path and why.

    Example: gonogo graph affected --base origin/main --production live

    Exit status: 0; 2 the call is wrong; 3 no source of production answered.
    """
    from bot.bootstrap import affected_by  # noqa: PLC0415
    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.report.printable import printable_line  # noqa: PLC0415

    mapped = affected_by(folder=repo, base=base, head=head, production=production)
    lines = [f"{one.resource}  {one.kind}\n    {' > '.join(one.path)}\n    {one.why}" for one in mapped.affected]
    lines += [f"not looked at: {gap.what}: {gap.why}" for gap in mapped.gaps]
    say("".join("\n".join(map(printable_line, line.split("\n"))) + "\n" for line in lines))
    return 0


@contextmanager
def _stored() -> Generator["StoredGraph"]:
    from bot.live import open_graph  # noqa: PLC0415

    with open_graph() as engine:  # says which extra is missing, before anything is imported from it
        from bot.storage.graph import StoredGraph  # noqa: PLC0415

        stored = StoredGraph(engine)
        if stored.is_empty():
            raise CallError("the graph is empty; fill it with: gonogo graph sync")
        yield stored
