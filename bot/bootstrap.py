"""The composition root: from the words of a call to the things that an evaluation needs."""

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.changes.pull_request import parse_yaml, read_pull_request, read_yaml
from bot.changes.repository import GitRepository
from bot.evaluation.evaluate import Request
from context_graph.providers.snapshot import SnapshotProvider
from gonogo.change import Side
from gonogo.errors import CallError, ProductionUnreachable
from gonogo.policy import Policy
from gonogo.ports import Provider, SourceTree
from gonogo.record import Record

if TYPE_CHECKING:
    from bot.evaluation.mapping import Mapped
    from forecasting.forecaster import Choice


class Job(Record):
    """Everything that one `gonogo check` needs."""

    repository: GitRepository
    provider: Provider | None
    policy: Policy
    request: Request


@contextmanager
def prepare(
    *,
    folder: Path,
    base: str | None,
    head: str,
    production: str | None,
    pr: Path | None,
    config: Path | None,
    is_staged: bool,
    steps: int,
    deadline_s: float,
) -> Generator[Job]:
    """Open the repository, settings and production facts; a wrong one is a CallError before anything is written."""
    pull_request = read_pull_request(pr)
    repository = GitRepository(folder, base=base, head=head, pull_request=pull_request, is_staged=is_staged)
    try:
        policy = _policy(repository, config)
        if policy.repository and not pull_request.repository:
            repository.repository_id = f"github:{policy.repository.removeprefix('github:').lower()}"
        notes = list(_notes(repository, pull_request.unknown_keys, head=head, is_staged=is_staged))
        if production is not None and not production.strip():
            raise CallError("--production is empty; pass a snapshot folder, live, or none")
        source = production or policy.production or "none"
        request = Request(
            steps_limit=steps,
            deadline_s=deadline_s,
            notes=tuple(notes),
            is_live=source == "live",
            today=datetime.now(UTC).date(),
            forecasters=forecasters,
        )
        yield Job(repository, _provider(source, folder), policy, request)
    finally:
        repository.close()


def affected_by(*, folder: Path, base: str | None, head: str, production: str | None) -> "Mapped":
    """What the change of a range can reach, by manifests and production's graph alone."""
    from bot.evaluation.mapping import map_change  # noqa: PLC0415

    with prepare(
        folder=folder, base=base, head=head, production=production, pr=None, config=None, is_staged=False, steps=1, deadline_s=150
    ) as job:
        trees: dict[Side, SourceTree] = {"base": job.repository.tree("base"), "head": job.repository.tree("head")}
        return map_change(job.repository.changes(), trees, job.provider, job.policy)


def _policy(repository: GitRepository, config: Path | None) -> Policy:
    if config is not None:
        return Policy.from_mapping(read_yaml(config, option="--config"), source=str(config))
    text = repository.policy_text()
    source = ".github/gonogo.yml"
    return Policy() if text is None else Policy.from_mapping(parse_yaml(text, source=source), source=source)


def _provider(production: str, folder: Path) -> Provider | None:
    if production in ("none", "live"):
        return None
    path = Path(production)
    return SnapshotProvider(path if path.is_dir() or path.is_absolute() else folder / path if (folder / path).is_dir() else path)


def production_of(production: str) -> Provider:
    """The provider of that name; without one there is nothing to look at."""
    if production == "none":
        raise CallError("--production none has no readings; pass a snapshot folder, or live")
    provider = _provider(production, Path())
    if provider is None:
        raise ProductionUnreachable(
            "context", "no live source of production facts is configured", "pass --production DIR with a snapshot"
        )
    return provider


def forecasters() -> "Choice":
    """Toto, or a server that has it, where the environment names one; then the embedded default."""
    from forecasting.forecaster import choose_forecaster  # noqa: PLC0415  numpy is loaded when something is forecast

    is_configured = any(os.environ.get(n) for n in ("GONOGO_FORECAST_URL", "GONOGO_TOTO_DIR", "GONOGO_TOTO_HUB"))
    if not is_configured:
        return choose_forecaster()
    from forecasting.warm import remote, warm_toto  # noqa: PLC0415

    return choose_forecaster(lambda: remote(os.environ) or warm_toto(os.environ))


def _notes(repository: GitRepository, unknown_keys: tuple[str, ...], *, head: str, is_staged: bool) -> Iterator[str]:
    if unknown_keys:
        yield f"--pr: unknown {'keys' if len(unknown_keys) > 1 else 'key'} {', '.join(unknown_keys)}"
    if head == "HEAD":
        left_out = repository.unstaged() if is_staged else repository.uncommitted()
        if left_out:
            what = "not staged" if is_staged else "uncommitted"
            yield f"{len(left_out)} {what} {'files are' if len(left_out) > 1 else 'file is'} not evaluated ({', '.join(left_out[:3])}{', …' if len(left_out) > 3 else ''})"
