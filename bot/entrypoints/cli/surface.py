"""`gonogo surface`: what code exposes and needs, at a commit or between two."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gonogo.errors import CallError

if TYPE_CHECKING:
    from bot.report.surface import Seen


class SurfaceFormat(StrEnum):
    """How it is printed."""

    TEXT = "text"
    JSON = "json"


def surface(
    repo: Annotated[Path, typer.Option(help="The git repository.")] = Path(),
    ref: Annotated[str | None, typer.Option(help="The commit.")] = None,
    base: Annotated[str | None, typer.Option(help="What the change is merged into; with --head.")] = None,
    head: Annotated[str | None, typer.Option(help="The change; with --base.")] = None,
    format: Annotated[SurfaceFormat, typer.Option(help="How it is printed.")] = SurfaceFormat.TEXT,  # noqa: A002  the option's name
) -> int:
    """List routes, reads of the environment, and names that manifests create; for a range also what differs.

    Example: gonogo surface --base origin/main --head HEAD --format json

    Exit status: 0, also when something was removed; 2 the call is wrong.
    """
    from bot.entrypoints.cli.output import say  # noqa: PLC0415  what reads code loads when the call is known to be right
    from bot.report.surface import surface_json, surface_text  # noqa: PLC0415

    if ref is not None and (base is not None or head is not None):
        raise CallError("pass --ref, or --base and --head, not both")
    if ref is None and (base is None or head is None):
        raise CallError("pass --ref REF, or --base REF --head REF")
    seen = _at(repo, ref) if ref is not None else _between(repo, base or "", head or "")
    say(surface_json(seen) if format is SurfaceFormat.JSON else surface_text(seen))
    return 0


def _at(repo: Path, ref: str) -> "Seen":
    from bot.changes.commit import tree_at  # noqa: PLC0415
    from heuristics.surface.listing import surface_of  # noqa: PLC0415

    with tree_at(repo, ref) as tree:
        return surface_of(tree), None


def _between(repo: Path, base: str, head: str) -> "Seen":
    from bot.changes.pull_request import PullRequest  # noqa: PLC0415
    from bot.changes.repository import GitRepository  # noqa: PLC0415
    from bot.evaluation.mapping import map_change  # noqa: PLC0415
    from gonogo.change import Side  # noqa: PLC0415
    from gonogo.context import ProductionContext  # noqa: PLC0415
    from gonogo.policy import Policy  # noqa: PLC0415
    from gonogo.ports import SourceTree  # noqa: PLC0415
    from heuristics.surface.compared import compared  # noqa: PLC0415
    from heuristics.surface.listing import surface_of  # noqa: PLC0415

    repository = GitRepository(repo, base=base, head=head, pull_request=PullRequest())
    try:
        changes = repository.changes()
        trees: dict[Side, SourceTree] = {"base": repository.tree("base"), "head": repository.tree("head")}
        context = map_change(changes, trees, None, Policy()).rule_context(changes, trees, ProductionContext())
        before, after = surface_of(trees["base"]), surface_of(trees["head"])
        return after, compared(context, before, after)
    finally:
        repository.close()
