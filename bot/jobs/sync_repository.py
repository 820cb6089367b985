"""Keeps what a repository declares beside what runs: its node, what it deploys, and which declaration is which live resource."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa

from bot.changes.commit import tree_at
from bot.changes.git import Git
from bot.changes.repository import id_of
from bot.storage.declarations import write_declarations
from bot.storage.graph import StoredGraph
from bot.storage.graph_writer import write
from context_graph.collecting import Collected
from context_graph.deploying import repository_scope
from context_graph.manifests import read_manifests
from gonogo.word import ResourceId


def sync_repository(folder: Path, ref: str, engine: sa.Engine, *, now: datetime) -> Collected:
    """Read the manifests of a commit, join them to the graph and write both; gives back how it ended, without its resources.

    CallError for a folder that is no repository and a ref that is no commit.
    """
    git = Git(folder)
    repository = ResourceId(id_of(git, folder))
    commit = git.commit(ref, option="--ref")
    with tree_at(folder, ref) as tree:
        manifests = read_manifests(tree)
    with StoredGraph(engine).reading() as graph:
        collected, live = repository_scope(repository, manifests, graph, commit=commit, read_at=now)
    if write(engine, collected):
        write_declarations(engine, repository, manifests.resources, live, commit=commit)
    said = f"{len(manifests.resources):,} declared, {len(live):,} of them found live"
    why = "; ".join(part for part in (said, collected.why) if part)
    return replace(collected, why=why)
