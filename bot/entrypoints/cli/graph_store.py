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
    sources: Annotated[str, typer.Option(help="By comma: aws, kubernetes, cloudflare (default: those set up here).")] = "",
    regions: Annotated[str, typer.Option(help="AWS regions, by comma (default: all that the account has on).")] = "",
    profile: Annotated[str | None, typer.Option(help="AWS profile (default: as boto3 finds credentials).")] = None,
    context: Annotated[str | None, typer.Option(help="Context of the kubeconfig (default: the current one).")] = None,
    cluster: Annotated[str | None, typer.Option(help="What to call the cluster (default: its name in the kubeconfig).")] = None,
    namespaces: Annotated[str, typer.Option(help="Namespaces of the cluster, by comma (default: all of it).")] = "",
    repo: Annotated[Path | None, typer.Option(help="A git repository: what it declares and deploys is kept, too.")] = None,
    ref: Annotated[str, typer.Option(help="The commit of that repository.")] = "HEAD",
) -> int:
    """Read what runs in production, read-only, and keep it as a graph.

    Example: gonogo graph sync --sources aws,kubernetes --regions eu-west-1,eu-central-1

    Exit status: 0 when a scope answered, with a line for each that did not; 3 when none did.
    """
    import os  # noqa: PLC0415
    import sys  # noqa: PLC0415
    from datetime import UTC, datetime  # noqa: PLC0415

    from bot.graph_sources import Wanted, collectors_of  # noqa: PLC0415  loads when it is needed
    from bot.live import open_graph  # noqa: PLC0415

    with open_graph() as engine:  # says which extra is missing, before anything is imported from it
        from bot.jobs.sync_graph import sync_graph  # noqa: PLC0415
        from bot.jobs.sync_repository import sync_repository  # noqa: PLC0415
        from bot.report.graph_store import scope_line  # noqa: PLC0415
        from bot.report.printable import printable_line  # noqa: PLC0415
        from context_graph.collecting import Collected, ScopeStatus  # noqa: PLC0415

        def told(one: Collected) -> None:
            found = f"{len(one.resources):,} resources, {len(one.edges):,} edges"
            sys.stderr.write(scope_line(one.scope, one.status, one.why, found=found) + "\n")

        wanted = Wanted(
            sources=_by_comma(sources),
            profile=profile,
            regions=_by_comma(regions),
            context=context,
            cluster=cluster,
            namespaces=_by_comma(namespaces),
        )
        ended: list[Collected] = []
        if sources or repo is None:  # with --repo alone, the repository alone
            collectors = collectors_of(
                wanted,
                os.environ,
                told=lambda source, error: typer.echo(printable_line(f"not read: {source}: {error}"), err=True),
            )
            ended += sync_graph(collectors, engine, told=told)
        if repo is not None:
            ended.append(sync_repository(repo, ref, engine, now=datetime.now(UTC)))
            told(ended[-1])
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
        declared = [f"{d.repository} {d.file} line {d.line}, {d.address} ({d.evidence})" for d in stored.declarations(at)]
        text = resource_text(
            found, stored.edges_from([at]), stored.edges_to([at]), seen=seen, dependants=dependants, declared=declared
        )
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


def _by_comma(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


@contextmanager
def _stored() -> Generator["StoredGraph"]:
    from bot.live import open_graph  # noqa: PLC0415

    with open_graph() as engine:  # says which extra is missing, before anything is imported from it
        from bot.storage.graph import StoredGraph  # noqa: PLC0415

        stored = StoredGraph(engine)
        if stored.is_empty():
            raise CallError("the graph is empty; fill it with: gonogo graph sync")
        yield stored
