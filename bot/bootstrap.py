"""The composition root: from the words of a call to the things that an evaluation needs."""

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.changes.pull_request import PullRequest, read_pull_request, read_text
from bot.changes.repository import GitRepository
from bot.evaluation.evaluate import Request
from bot.evaluation.incremental import FRESH_FOR
from bot.evaluation.mapping import own_repository
from bot.report.rule_pages import page_ids
from bot.settings import Settings
from context_graph.providers.snapshot import SnapshotProvider
from gonogo import __version__
from gonogo.change import Side
from gonogo.context import Gap, ProductionContext
from gonogo.errors import CallError, ProductionUnreachable
from gonogo.evaluation import Evaluation
from gonogo.policy import Policy
from gonogo.policy_file import PLACES, read_policy
from gonogo.ports import Provider, SourceTree
from gonogo.record import Record
from gonogo.word import ResourceId

if TYPE_CHECKING:
    from bot.evaluation.mapping import Mapped
    from bot.investigator.choosing import Choice as InvestigatorName
    from bot.investigator.choosing import Investigate
    from context_graph.providers.recording import RecordingProvider
    from forecasting.forecaster import Choice
    from gonogo.ports import Shadow
    from heuristics.rule import RuleContext


DEADLINE_S = 150.0
"""Seconds that an evaluation may take when neither the call nor the repository says."""


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
    pr: Path | PullRequest | None,
    config: Path | Policy | None,
    is_staged: bool,
    steps: int,
    deadline_s: float | None = None,
    record: bool = False,
    since: str | None = None,
    investigator: "InvestigatorName" = "rules",
    started: float = 0.0,
) -> Generator[Job]:
    """Open the repository, settings and production facts; a wrong one is a CallError before anything is written.

    Without `deadline_s` the repository's own deadline holds, else DEADLINE_S. Without `config` the settings are read at the base.
    """
    if record and is_staged:
        raise CallError("--record with --staged: an index can't be evaluated again later; commit it first")
    pull_request = pr if isinstance(pr, PullRequest) else read_pull_request(pr)
    with ExitStack() as opened:
        repository = GitRepository(folder, base=base, head=head, pull_request=pull_request, is_staged=is_staged)
        opened.callback(repository.close)
        policy = _policy(repository, config)
        deadline_s = deadline_s or policy.deadline or DEADLINE_S
        if policy.repository and not pull_request.repository:
            repository.repository_id = f"github:{policy.repository.removeprefix('github:').lower()}"
        notes = list(_notes(repository, pull_request.unknown_keys, head=head, is_staged=is_staged))
        notes += ["the configuration says shadow: true, so nothing blocks"] if policy.shadow else []
        if production is not None and not production.strip():
            raise CallError("--production is empty; pass a snapshot folder, live, or none")
        source = production or policy.production or "none"
        provider, unreachable = _provider(source, folder, opened)
        investigate = investigator_of(investigator, steps=steps, deadline_s=deadline_s, started=started)
        request = Request(
            steps_limit=steps,
            deadline_s=deadline_s,
            notes=tuple(notes),
            is_live=source == "live",
            unreachable=unreachable,
            today=datetime.now(UTC).date(),
            forecasters=forecasters,
            investigator=investigate,
            open_shadow=_open_shadow,
            investigator_version=_investigator_version() if investigate is not None else "",
            history=repository.history,
        )
        if since is not None:
            request = _going_on_from(request, since)
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


def _open_shadow(diff: "RuleContext") -> "Shadow":
    from bot.shadow.throw_away import ThrowAwayDatabase  # noqa: PLC0415  nothing is tried out without a model's claims

    return ThrowAwayDatabase(diff)


def _investigator_version() -> str:
    from bot.investigator.choosing import version_of  # noqa: PLC0415  nothing of a model loads without a key

    return version_of(os.environ)


def _going_on_from(request: Request, recorded: str) -> Request:
    """The request with an evaluation that was recorded for an earlier commit; its verdict may be given again for a day."""
    from bot.storage.evaluations import find, load, load_document  # noqa: PLC0415

    place = find(_evaluations(), recorded)
    asked, _ = load(place)
    earlier = _evaluation_in(load_document(place), place)
    if earlier is None:
        raise CallError(
            f"--since {recorded}: it was recorded by gonogo {asked.gonogo_version}, which kept too little; record it again"
        )
    is_fresh = datetime.now(UTC) - asked.made_at < FRESH_FOR
    return replace(request, earlier=earlier, reusable=(earlier,) if is_fresh else ())


def _evaluation_in(text: str | None, place: Path) -> Evaluation | None:
    try:
        return Evaluation.model_validate_json(text) if text is not None else None
    except ValueError as error:
        raise CallError(f"{place}: not a recorded evaluation ({str(error).splitlines()[0]})") from error


def affected_by(*, folder: Path, base: str | None, head: str, production: str | None) -> "Mapped":
    """What the change of a range can reach, by manifests and production's graph alone."""
    from bot.evaluation.mapping import map_change  # noqa: PLC0415

    with prepare(
        folder=folder, base=base, head=head, production=production, pr=None, config=None, is_staged=False, steps=1, deadline_s=150
    ) as job:
        trees: dict[Side, SourceTree] = {"base": job.repository.tree("base"), "head": job.repository.tree("head")}
        return map_change(job.repository.changes(), trees, job.provider, job.policy)


def keep(job: Job, evaluation: Evaluation, report: str) -> Path:
    """Record the evaluation of a job, so that `gonogo replay` can repeat it and `--since` go on from it; its folder."""
    from bot.report.shown import without_secrets  # noqa: PLC0415  only when asked for
    from bot.storage.evaluations import RecordedRequest, new_id, save  # noqa: PLC0415

    made_at = datetime.now(UTC)
    request = job.request
    clean = without_secrets(evaluation).model_copy(update={"judged": evaluation.judged})  # ids, and claims that had none
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
        is_again=evaluation.reused_from is not None,
        gonogo_version=__version__,
    )
    return save(
        _evaluations(),
        asked,
        report=report,
        recorded=job.recording.recorded if job.recording else None,
        document=clean.model_dump_json(),
        earlier=request.earlier.model_dump_json() if request.earlier is not None else None,
    )


@contextmanager
def prepare_again(evaluation: str, *, folder: Path | None) -> Generator[tuple[Job, dict[str, Any]]]:
    """A recorded evaluation, to be made again from what was recorded; and the report that was given then."""
    from bot.storage.evaluations import EARLIER, find, load, load_document  # noqa: PLC0415
    from context_graph.providers.replay import ReplayProvider  # noqa: PLC0415

    place = find(_evaluations(), evaluation)
    asked, report = load(place)
    earlier = _evaluation_in(load_document(place, EARLIER), place)
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
            earlier=earlier,
            reusable=(earlier,) if earlier is not None and asked.is_again else (),
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


def _policy(repository: GitRepository, config: Path | Policy | None) -> Policy:
    if isinstance(config, Policy):
        return config
    source, text = PLACES[0], repository.policy_text()
    if config is not None:
        source, text = str(config), read_text(config, option="--config")
    return Policy() if text is None else read_policy(text, source=source, known=page_ids)


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
