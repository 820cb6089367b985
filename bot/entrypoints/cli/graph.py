"""`gonogo graph`: the context graph; `export` what the manifests of a repository declare."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.entrypoints.cli import graph_store


class GraphFormat(StrEnum):
    """How it is printed."""

    JSON = "json"
    DOT = "dot"
    MERMAID = "mermaid"


graph = typer.Typer(
    name="graph",
    help="The context graph: what runs, and how it hangs together.\n\nExample: gonogo graph export --format mermaid",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@graph.callback()
def _graph() -> None:  # pyright: ignore[reportUnusedFunction]  typer calls it: without it one verb would be no verb
    pass


graph.command("sync")(graph_store.sync)
graph.command("show")(graph_store.show)
graph.command("path")(graph_store.path)
graph.command("affected")(graph_store.affected)


@graph.command("export")
def export(
    repo: Annotated[Path, typer.Option(help="The git repository.")] = Path(),
    ref: Annotated[str, typer.Option(help="The commit.")] = "HEAD",
    format: Annotated[GraphFormat, typer.Option(help="How it is printed.")] = GraphFormat.JSON,  # noqa: A002  the option's name
) -> int:
    """Print the resources that the manifests of a repository declare, and the edges between them.

    Example: gonogo graph export --repo ~/code/shop --ref main --format dot

    Exit status: 0, also when a manifest was not read; 2 the call is wrong.
    """
    from bot.changes.commit import tree_at  # noqa: PLC0415  what reads manifests loads when it is needed
    from bot.entrypoints.cli.output import say  # noqa: PLC0415
    from bot.report.graph import graph_dot, graph_json, graph_mermaid  # noqa: PLC0415
    from context_graph.manifests import declared_graph  # noqa: PLC0415

    with tree_at(repo, ref) as tree:
        manifests = declared_graph(tree)
    match format:
        case GraphFormat.JSON:
            say(graph_json(manifests))
        case GraphFormat.DOT:
            say(graph_dot(manifests))
        case GraphFormat.MERMAID:
            say(graph_mermaid(manifests))
    return 0
