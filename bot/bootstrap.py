"""The composition root: from the words of a call to the things that an evaluation needs."""

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.changes.pull_request import PullRequest, parse_yaml, read_pull_request, read_yaml
from bot.changes.repository import GitRepository
from bot.evaluation.evaluate import Request
from bot.evaluation.mapping import own_repository
from bot.settings import Settings
from context_graph.providers.snapshot import SnapshotProvider
from gonogo import __version__
from gonogo.change import Side
from gonogo.context import Gap, ProductionContext
from gonogo.errors import CallError, ProductionUnreachable
from gonogo.policy import Policy
from gonogo.ports import Provider, SourceTree
from gonogo.record import Record
from gonogo.word import ResourceId

if TYPE_CHECKING:
    from bot.evaluation.mapping import Mapped
    from bot.investigator.choosing import Choice as InvestigatorName
    from bot.investigator.choosing import Investigate
    from context_graph.providers.recording import RecordingProvider
    from forecasting.forecaster import Choice


class Job(Record):
    """Everything that one `gonogo check` needs."""

    repository: GitRepository
    provider: Provider | None
    policy: Policy
    request: Request
    pull_request: PullRequest
    recording: "RecordingProvider | None" = None
    """Remembers what production answers, when the evaluation is to be recorded."""


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
    record: bool = False,
    investigator: "InvestigatorName" = "rules",
    started: float = 0.0,
) -> Generator[Job]:
    """Open the repository, settings and production facts; a wrong one is a CallError before anything is written."""
    if record and is_staged:
        raise CallError("--record with --staged: an index can't be evaluated again later; commit it first")
    pull_request = read_pull_request(pr)
    with ExitStack() as opened:
        repository = GitRepository(folder, base=base, head=head, pull_request=pull_request, is_staged=is_staged)
        opened.callback(repository.close)
        policy = _policy(repository, config)
        if policy.repository and not pull_request.repository:
            repository.repository_id = f"github:{policy.repository.removeprefix('github:').lower()}"
        notes = list(_notes(repository, pull_request.unknown_keys, head=head, is_staged=is_staged))
        if production is not None and not production.strip():
            raise CallError("--production is empty; pass a snapshot folder, live, or none")
        source = production or policy.production or "none"
        provider, unreachable = _provider(source, folder, opened)
        request = Request(
            steps_limit=steps,
            deadline_s=deadline_s,
            notes=tuple(notes),
            is_live=source == "live",
            unreachable=unreachable,
            today=datetime.now(UTC).date(),
            forecasters=forecasters,
            investigator=investigator_of(investigator, steps=steps, deadline_s=deadline_s, started=started),
            history=repository.history,
        )
        recording = None
        if record and provider is not None:
            from context_graph.providers.recording import RecordingProvider  # noqa: PLC0415  only when asked for

            provider = recording = RecordingProvider(provider)
        yield Job(repository, provider, policy, request, pull_request, recording)


def investigator_of(name: "InvestigatorName", *, steps: int, deadline_s: float, started: float) -> "Investigate | None":
    """The investigator of that name, for an evaluation that began at `started` of `time.monotonic`; None: the playbooks alone."""
    if name == "rules" or (name == "auto" and not os.environ.get("ANTHROPIC_API_KEY")):
        return None
    from bot.investigator.choosing import chosen  # noqa: PLC0415  nothing of a model loads without a key

    data_dir = Settings.from_environment(os.environ).data_dir
    return chosen(name, os.environ, steps=steps, deadline_s=deadline_s, started=started, data_dir=data_dir)


def affected_by(*, folder: Path, base: str | None, head: str, production: str | None) -> "Mapped":
    """What the change of a range can reach, by manifests and production's graph alone."""
    from bot.evaluation.mapping import map_change  # noqa: PLC0415

    with prepare(
        folder=folder, base=base, head=head, production=production, pr=None, config=None, is_staged=False, steps=1, deadline_s=150
    ) as job:
        trees: dict[Side, SourceTree] = {"base": job.repository.tree("base"), "head": job.repository.tree("head")}
        return map_change(job.repository.changes(), trees, job.provider, job.policy)


def keep(job: Job, report: str) -> Path:
    """Record the evaluation of a job, so that `gonogo replay` can repeat it; its folder."""
    from bot.storage.evaluations import RecordedRequest, new_id, save  # noqa: PLC0415  only when asked for

    made_at = datetime.now(UTC)
    request = job.request
    asked = RecordedRequest(
        id=new_id(made_at, job.repository.head_id),
        made_at=made_at,
        folder=str(job.repository.folder.resolve()),
        repository=job.repository.repository_id,
        base=job.repository.base_id,
        head=job.repository.head_id,
        pull_request=job.pull_request.model_dump(mode="json"),
        policy=job.policy.model_dump(mode="json"),
        steps_limit=request.steps_limit,
        deadline_s=request.deadline_s,
        notes=request.notes,
        is_live=request.is_live,
        today=request.today.isoformat() if request.today else None,
        has_production=job.recording is not None,
        gonogo_version=__version__,
    )
    return save(_evaluations(), asked, report=report, recorded=job.recording.recorded if job.recording else None)


@contextmanager
def prepare_again(evaluation: str, *, folder: Path | None) -> Generator[tuple[Job, dict[str, Any]]]:
    """A recorded evaluation, to be made again from what was recorded; and the report that was given then."""
    from bot.storage.evaluations import find, load  # noqa: PLC0415
    from context_graph.providers.replay import ReplayProvider  # noqa: PLC0415

    place = find(_evaluations(), evaluation)
    asked, report = load(place)
    pull_request = PullRequest.model_validate(asked.pull_request)
    repository = GitRepository(folder or Path(asked.folder), base=asked.base, head=asked.head, pull_request=pull_request)
    try:
        repository.repository_id = asked.repository
        request = Request(
            steps_limit=asked.steps_limit,
            deadline_s=asked.deadline_s,
            notes=asked.notes,
            is_live=asked.is_live,
            today=date.fromisoformat(asked.today) if asked.today else None,
            forecasters=forecasters,
        )
        provider = ReplayProvider(place) if asked.has_production else None
        yield Job(repository, provider, Policy.model_validate(asked.policy), request, pull_request), report
    finally:
        repository.close()


def _evaluations() -> Path:
    return Settings.from_environment(os.environ).data_dir / "evaluations"


def take_snapshot(out: Path, *, folder: Path, resources: Sequence[str], production: str) -> ProductionContext:
    """Read everything about what a repository can reach, or about these resources and their neighbours, and write it."""
    from context_graph.providers.recording import RecordingProvider  # noqa: PLC0415
    from context_graph.providers.snapshot_writer import write_snapshot  # noqa: PLC0415

    with production_of(production) as read:
        provider = RecordingProvider(read)
        context = _everything_about(provider, folder=folder, resources=resources)
        write_snapshot(provider.recorded, out)
    return context


def _everything_about(provider: "RecordingProvider", *, folder: Path, resources: Sequence[str]) -> ProductionContext:
    from context_graph.affected import affected_resources  # noqa: PLC0415
    from context_graph.gather import gather_context  # noqa: PLC0415

    graph = provider.graph()
    ids = [ResourceId(at) for at in resources]
    cut: Sequence[Gap] = ()
    if not ids:
        repository = own_repository(_repository_id(folder), graph.repositories())[0]
        affected, cut = affected_resources(repository, (), graph)
        ids = [repository, *(a.resource for a in affected)]
        if not affected:
            raise CallError(f"the graph shows nothing that {repository} deploys to; name resources with --resource ID")
    edges = list(dict.fromkeys([*graph.edges_from(ids), *graph.edges_to(ids)]))
    around = list(dict.fromkeys([*ids, *(end for e in edges for end in (e.source, e.target))]))
    known = graph.kinds_of(around)
    if unknown := [at for at in resources if at not in known]:
        raise CallError(f"the graph does not know {', '.join(unknown)}; see: gonogo graph show ID")
    graph.in_degrees(around)
    provider.tables()
    context = gather_context(provider, around if resources else ids, tuple(edges))
    gaps = tuple(dict.fromkeys([*context.gaps, *provider.gaps(), *cut]))
    provider.recorded.gaps |= dict.fromkeys(cut)
    return context.model_copy(update={"gaps": gaps})


def _repository_id(folder: Path) -> str:
    repository = GitRepository(folder, base="HEAD", head="HEAD", pull_request=PullRequest())
    try:
        policy = _policy(repository, None)
        return f"github:{policy.repository.removeprefix('github:').lower()}" if policy.repository else repository.repository_id
    finally:
        repository.close()


def _policy(repository: GitRepository, config: Path | None) -> Policy:
    if config is not None:
        return Policy.from_mapping(read_yaml(config, option="--config"), source=str(config))
    text = repository.policy_text()
    source = ".github/gonogo.yml"
    return Policy() if text is None else Policy.from_mapping(parse_yaml(text, source=source), source=source)


def _provider(production: str, folder: Path, opened: ExitStack) -> tuple[Provider | None, ProductionUnreachable | None]:
    """The provider of that name; for live production that does not answer, why: the report is still written."""
    if production == "none":
        return None, None
    if production == "live":
        from bot.live import live_production  # noqa: PLC0415  loads a database and clients of clouds

        try:
            return opened.enter_context(live_production()), None
        except ProductionUnreachable as error:
            return None, error
    path = Path(production)
    found = path if path.is_dir() or path.is_absolute() else folder / path if (folder / path).is_dir() else path
    return SnapshotProvider(found), None


@contextmanager
def production_of(production: str) -> Generator[Provider]:
    """The provider of that name; without one there is nothing to look at."""
    if production == "none":
        raise CallError("--production none has no readings; pass a snapshot folder, or live")
    with ExitStack() as opened:
        provider, unreachable = _provider(production, Path(), opened)
        if provider is None:
            raise unreachable or ProductionUnreachable(
                "context", "no live source of production facts is configured", "pass --production DIR with a snapshot"
            )
        yield provider


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
