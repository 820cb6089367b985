"""Comments and check runs on the pull request of the bundled example, as GitHub is given them; `scripts.report_snapshots` keeps them."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bot.bootstrap import prepare
from bot.evaluation.evaluate import Request, evaluate, unfinished
from bot.report.check_run import check_output
from bot.report.comment import comment_text
from bot.report.conclusions import Outcome
from bot.report.published import BASE_COPY_NOTE, Acknowledged, BenchmarkRow, Earlier, Other, Published
from gonogo.evaluation import Evaluation, Failure
from gonogo.live import LiveNote
from gonogo.policy import Policy
from gonogo.trajectory import trajectory_id
from gonogo.verdict import Verdict
from scripts.build_demo import EXAMPLE

FORMS = {"comment": ".comment.md", "check": ".check.md"}
_AT = datetime(2026, 6, 9, 8, 30, tzinfo=UTC)
_PAGE = "https://gonogo.example/evaluations/e3"


def published_of(name: str, form: str, *, repository: Path) -> str:
    """The comment; or the check run, its parts one below the other."""
    published = PUBLISHED[name](repository)
    if form == "comment":
        return comment_text(published)
    concluded, output = published.concluded, check_output(published)
    annotations = [f"{a.level} {a.path}:{a.line} {a.title}\n{a.message}" for a in output.annotations]
    buttons = " ".join(f"[{action.label}]" for action in output.actions)
    parts = [f"{concluded.conclusion}: {output.title}", output.summary, "* * *", output.text, "* * *", *annotations, buttons]
    return "\n\n".join(part for part in parts if part) + "\n"


def _no_go(repository: Path) -> Published:
    earlier = Earlier(head_sha="5b1f" * 10, outcome=Outcome.GO, at=_AT, summary="No way was found.", url=f"{_PAGE}/earlier")
    return _published(_evaluated(repository, "unsafe"), history=[earlier])


def _go_with_a_risk(repository: Path) -> Published:
    return _published(_evaluated(repository, "unsafe", production="none"), is_draft=True)


def _shadow(repository: Path) -> Published:
    others = [Other(number=43, outcome=Outcome.GO)]
    return _published(_evaluated(repository, "unsafe"), policy=Policy(shadow=True), policy_note=BASE_COPY_NOTE, others=others)


def _acknowledged(repository: Path) -> Published:
    found = _evaluated(repository, "unsafe")
    given = Acknowledged(trajectory=trajectory_id(found.blockers()[0].trajectory), login="marta", reason="rides pause tonight")
    row = BenchmarkRow(benchmark="support-agent", metric="accuracy", base=0.91, head=0.9, interval=(-0.03, 0.01), gate=True)
    return _published(found, acknowledgements=[given], benchmarks=[row])


def _held(repository: Path) -> Published:
    found = _evaluated(repository, "safe")
    database = next(a.resource for a in found.affected if a.kind.startswith("aws.rds"))
    rings = LiveNote(kind="alarm", resource=database, name="rides-db-cpu", state="ALARM", since=_AT, source="live", read_at=_AT)
    held = found.model_copy(update={"live": (rings,), "is_held": True, "verdict": Verdict.NO_GO})
    return _published(held, policy=Policy(live_gate=True))


def _could_not(repository: Path) -> Published:
    found = _evaluated(repository, "unsafe", production="none")
    why = Failure(stage="context", why="no source of production facts answered", what_to_do="run: gonogo doctor")
    failed = unfinished(why, Request(), repository_id=found.repository, base=found.base, head=found.head)
    wrong = "line 3: 'block_onn' is not a setting; did you mean block_on?\nline 5: 'deadline': must be a number"
    return _published(failed, policy=Policy(on_error="closed"), policy_error=wrong)


PUBLISHED: dict[str, Callable[[Path], Published]] = {
    "no-go": _no_go,
    "go-with-a-risk": _go_with_a_risk,
    "shadow": _shadow,
    "acknowledged": _acknowledged,
    "held-by-the-live-gate": _held,
    "could-not": _could_not,
}
"""What is published, from the repository of the example."""


def _evaluated(repository: Path, head: str, *, production: str = str(EXAMPLE / "production")) -> Evaluation:
    with prepare(
        folder=repository, base="main", head=head, production=production, pr=EXAMPLE / "pr.yaml", config=None, is_staged=False,
        steps=30, deadline_s=150,
    ) as job:  # fmt: skip
        return evaluate(job.request, repository=job.repository, provider=job.provider, policy=job.policy)


def _published(
    found: Evaluation,
    *,
    policy: Policy | None = None,
    policy_note: str = "",
    policy_error: str = "",
    is_draft: bool = False,
    history: list[Earlier] | None = None,
    others: list[Other] | None = None,
    acknowledgements: list[Acknowledged] | None = None,
    benchmarks: list[BenchmarkRow] | None = None,
) -> Published:
    return Published(
        number=42,
        head_sha=found.head,
        evaluation=found,
        policy=policy or Policy(),
        policy_note=policy_note,
        policy_error=policy_error,
        is_draft=is_draft,
        history=history or (),
        others=others or (),
        acknowledgements=acknowledgements or (),
        benchmarks=benchmarks or (),
        dashboard_url=_PAGE,
        took_s=12.3,
        rest_calls=9,
    )
