"""`gonogo check`: evaluates a git range."""

import os
import sys
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from bot.entrypoints.cli.deadline import deadline as limit
from gonogo.errors import CallError, StageFailed
from gonogo.evaluation import Evaluation, Failure


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
    production: Annotated[str | None, typer.Option(help="A snapshot folder, or none.", metavar="DIR|live|none")] = None,
    pr: Annotated[Path | None, typer.Option(help="Title, body, commits … of the pull request.", metavar="FILE.yaml")] = None,
    config: Annotated[
        Path | None, typer.Option(help="Settings (default: .github/gonogo.yml at the base).", metavar="FILE")
    ] = None,
    investigator: Annotated[InvestigatorChoice, typer.Option(help="Who investigates.")] = InvestigatorChoice.AUTO,
    steps: Annotated[int, typer.Option(min=1, max=1000, help="Model steps at most.")] = 30,
    deadline: Annotated[float, typer.Option(min=1, max=86400, help="Seconds at most.")] = 150,
    format: Annotated[Format, typer.Option(help="How the report is printed.")] = Format.TEXT,  # noqa: A002  the option's name
    json: Annotated[Path | None, typer.Option(help="Write the JSON report there as well.", metavar="FILE")] = None,
    staged: Annotated[bool, typer.Option("--staged", help="Evaluate the index instead of HEAD.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")] = False,
) -> int:
    """Say go or no-go on a git range, with evidence that was checked.

    Example: gonogo check --base origin/main --production ./snapshot --json report.json

    Exit status: 0 go, 1 no-go, 2 the call is wrong, 3 could not be evaluated.
    """
    called_at = monotonic()
    from bot.bootstrap import prepare  # noqa: PLC0415  the pipeline loads when it is needed, so that --help is quick
    from bot.evaluation.evaluate import evaluate, unfinished  # noqa: PLC0415

    if investigator is InvestigatorChoice.CLAUDE and not os.environ.get("ANTHROPIC_API_KEY"):
        raise CallError("--investigator claude needs ANTHROPIC_API_KEY in the environment; use rules, or set it")
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
    ) as job:
        if not quiet:
            sys.stderr.write(f"gonogo: evaluating {job.repository.base_id[:8]}..{job.repository.head_id[:8]}\n")
        late = unfinished(
            Failure(
                stage="deadline",
                why=f"not finished after {deadline:g} s",
                what_to_do="pass a longer --deadline, or a smaller range",
            ),
            job.request,
            repository_id=job.repository.repository_id,
            base=job.repository.base_id,
            head=job.repository.head_id,
        )
        with limit(deadline, lambda: _deliver(late, format, json), since=called_at):
            evaluation = evaluate(job.request, repository=job.repository, provider=job.provider, policy=job.policy)
    _deliver(evaluation, format, json)
    return evaluation.exit_status()


def _deliver(evaluation: Evaluation, chosen: Format, json: Path | None) -> None:
    from bot.report.json import json_report, write_atomically  # noqa: PLC0415

    if json is not None:
        write_atomically(json, json_report(evaluation))
    text = _printed(evaluation, chosen)
    try:
        print(text, end="", flush=True)  # noqa: T201  to a closed standard output it says nothing
    except OSError as error:
        sys.stdout = None  # pyright: ignore[reportAttributeAccessIssue]  the interpreter would flush it again at its end
        raise StageFailed("report", f"standard output cannot be written ({error.strerror})", "pass --json FILE") from error


def _printed(evaluation: Evaluation, chosen: Format) -> str:
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
