"""`gonogo check`: evaluates a git range."""

import os
import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.entrypoints.cli.deadline import GRACE_S, process_began_at
from bot.entrypoints.cli.deadline import deadline as limit
from gonogo.errors import CallError, StageFailed
from gonogo.evaluation import Evaluation, Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.bootstrap import Job
    from bot.investigator.case import Case
    from bot.investigator.rules import Outcome


class Format(StrEnum):
    """How the report is printed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"
    SARIF = "sarif"


class InvestigatorChoice(StrEnum):
    """Who investigates."""

    AUTO = "auto"
    RULES = "rules"
    CLAUDE = "claude"


def check(
    repo: Annotated[Path, typer.Option(help="The git repository.")] = Path(),
    base: Annotated[str | None, typer.Option(help="What the change is merged into (default: the default branch).")] = None,
    head: Annotated[str, typer.Option(help="The change.")] = "HEAD",
    production: Annotated[str | None, typer.Option(help="A snapshot folder, live, or none.", metavar="DIR|live|none")] = None,
    pr: Annotated[Path | None, typer.Option(help="Title, body, commits … of the pull request.", metavar="FILE.yaml")] = None,
    config: Annotated[
        Path | None, typer.Option(help="Settings (default: .github/gonogo.yml at the base).", metavar="FILE")
    ] = None,
    investigator: Annotated[InvestigatorChoice, typer.Option(help="Who investigates.")] = InvestigatorChoice.AUTO,
    steps: Annotated[int, typer.Option(min=1, max=1000, help="Model steps at most.")] = 30,
    deadline: Annotated[
        float | None, typer.Option(min=1, max=86400, help="Seconds at most (default: the configuration's, else 150).")
    ] = None,
    format: Annotated[Format, typer.Option(help="How the report is printed.")] = Format.TEXT,  # noqa: A002  the option's name
    json: Annotated[Path | None, typer.Option(help="Write the JSON report there as well.", metavar="FILE")] = None,
    staged: Annotated[bool, typer.Option("--staged", help="Evaluate the index instead of HEAD.")] = False,
    record: Annotated[bool, typer.Option("--record", help="Keep everything that is read, for gonogo replay.")] = False,
    since: Annotated[
        str | None,
        typer.Option(help="An evaluation kept by --record, of an earlier commit: go on from it.", metavar="EVALUATION"),
    ] = None,
    show_prompt: Annotated[bool, typer.Option("--show-prompt", help="Print what a model would be told, and ask none.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")] = False,
) -> int:
    """Say go or no-go on a git range, with evidence that was checked.

    Example: gonogo check --base origin/main --production ./snapshot --json report.json

    Exit status: 0 go, 1 no-go (0 where the configuration says shadow: true), 2 the call is wrong, 3 could not be evaluated.
    """
    began_at = process_began_at()
    from bot.bootstrap import prepare  # noqa: PLC0415  the pipeline loads when it is needed, so that --help is quick
    from bot.evaluation.evaluate import evaluate, unfinished  # noqa: PLC0415

    if show_prompt:
        investigator = InvestigatorChoice.RULES
    if json is not None and not json.parent.is_dir():
        raise CallError(f"--json {json}: the folder {json.parent} does not exist")
    with prepare(
        folder=repo,
        base=base,
        head=head,
        production=production,
        pr=pr,
        config=config,
        is_staged=staged,
        steps=steps,
        deadline_s=deadline,
        record=record,
        since=since,
        investigator=investigator.value,
        started=began_at,
    ) as job:
        if not quiet:
            sys.stderr.write(f"gonogo: evaluating {job.repository.base_id[:8]}..{job.repository.head_id[:8]}\n")
        late = unfinished(
            Failure(
                stage="deadline",
                why=f"not finished after {job.request.deadline_s:g} s",
                what_to_do="pass a longer --deadline, or a smaller range",
            ),
            job.request,
            repository_id=job.repository.repository_id,
            base=job.repository.base_id,
            head=job.repository.head_id,
        )
        shown: list[str] = []
        request = replace(job.request, investigator=_show_prompt(shown, format)) if show_prompt else job.request
        with limit(job.request.deadline_s + GRACE_S, lambda: _deliver(late, format, json), since=began_at):
            evaluation = evaluate(request, repository=job.repository, provider=job.provider, policy=job.policy)
            if record:
                _keep(job, evaluation, quiet=quiet)
    _deliver(evaluation, format, json, printed_instead=(shown or [evaluation.summary + "\n"])[0] if show_prompt else None)
    status = evaluation.exit_status()
    if job.policy.shadow and status == 1:
        if not quiet:
            sys.stderr.write("gonogo: a no-go that does not block, since the configuration says shadow: true (exit status 0)\n")
        return 0
    return status


def _show_prompt(into: list[str], chosen: Format) -> "Callable[[Case], Outcome]":
    """The playbooks' investigator, which notes what a model would be told."""
    from bot.investigator.prompts.showing import prompt_of  # noqa: PLC0415
    from bot.investigator.rules import investigate  # noqa: PLC0415

    def noting(case: "Case") -> "Outcome":
        outcome = investigate(case)
        into.append(prompt_of(case, outcome, as_json=chosen in (Format.JSON, Format.SARIF)))
        return outcome

    return noting


def _keep(job: "Job", evaluation: Evaluation, *, quiet: bool) -> None:
    from bot.bootstrap import keep  # noqa: PLC0415
    from bot.report.json import json_report  # noqa: PLC0415

    place = keep(job, evaluation, json_report(evaluation))
    if not quiet:
        sys.stderr.write(f"gonogo: recorded in {place}; repeat it with: gonogo replay {place.name}\n")


def _deliver(evaluation: Evaluation, chosen: Format, json: Path | None, *, printed_instead: str | None = None) -> None:
    from bot.report.json import json_report, write_atomically  # noqa: PLC0415

    if json is not None:
        write_atomically(json, json_report(evaluation))
    text = printed(evaluation, chosen) if printed_instead is None else printed_instead
    try:
        print(text, end="", flush=True)  # noqa: T201  to a closed standard output it says nothing
    except OSError as error:
        sys.stdout = None  # pyright: ignore[reportAttributeAccessIssue]  the interpreter would flush it again at its end
        raise StageFailed("report", f"standard output cannot be written ({error.strerror})", "pass --json FILE") from error


def printed(evaluation: Evaluation, chosen: Format) -> str:
    """The report as it is printed in that format."""
    match chosen:
        case Format.JSON:
            from bot.report.json import json_report  # noqa: PLC0415

            return json_report(evaluation)
        case Format.SARIF:
            from bot.report.sarif import sarif_report  # noqa: PLC0415

            return sarif_report(evaluation)
        case Format.MARKDOWN:
            from bot.report.markdown import markdown_report  # noqa: PLC0415

            return markdown_report(evaluation)
        case Format.TEXT:
            from shutil import get_terminal_size  # noqa: PLC0415

            from bot.report.text import text_report  # noqa: PLC0415

            colour = (sys.stdout is not None and sys.stdout.isatty()) and "NO_COLOR" not in os.environ
            return text_report(evaluation, width=min(get_terminal_size((110, 40)).columns, 140), colour=colour)
