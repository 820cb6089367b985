"""A store with what a few weeks leave in it: for the tests of the pages, and for looking at them."""

import math
import random
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from bot.bootstrap import prepare
from bot.evaluation.evaluate import evaluate
from bot.report.json import json_report
from bot.storage.app_publication_rows import MergeOutcomeRow, PreventedRow
from bot.storage.app_rows import EvaluationRow, Outcome, PullRequestFacts, RepositoryFacts, Result, TrajectoryRow
from bot.storage.app_store import AppStore
from gonogo.evaluation import Evaluation
from gonogo.forecast import Backtest, Forecast
from gonogo.forge import Permission
from gonogo.go_if import Edit, GoIf
from gonogo.trajectory import trajectory_id
from scripts.build_demo import EXAMPLE, build_example

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@dataclass
class Clock:
    """Moves when told."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now


@cache
def evaluation(head: str) -> Evaluation:
    """gonogo's own answer about the bundled example: `unsafe` is a no-go, `safe` a go."""
    with TemporaryDirectory() as folder:
        repository = build_example(Path(folder) / "rides")
        with prepare(
            folder=repository, base="main", head=head, production=str(EXAMPLE / "production"), pr=None, config=None, is_staged=False,
            steps=30, deadline_s=150,
        ) as job:  # fmt: skip
            return evaluate(job.request, repository=job.repository, provider=job.provider, policy=job.policy)


def a_forecast(
    resource: str = "arn:aws:rds:eu-central-1:440011223344:db:rides-db", metric: str = "DatabaseConnections"
) -> Forecast:
    """Half a day ahead, with its backtest."""
    p50 = tuple(60 + 22 * math.sin(n / 144 * 6.28) + n * 0.06 for n in range(144))
    return Forecast(
        resource=resource, metric=metric, step_s=300, horizon_s=43_200, p50=p50, start=NOW, unit="Count", model="blend",
        p10=tuple(v - 4 - n * 0.07 for n, v in enumerate(p50)), p90=tuple(v + 5 + n * 0.09 for n, v in enumerate(p50)),
        backtest=Backtest(mase=0.71, coverage=0.83, windows=5, span_s=5 * 86_400),
        statement=f"{metric} of rides-db stays under 110 for the next 12 hours (p90), of 400 that it may have.",
    )  # fmt: skip


class Story:
    """Writes into the store as the worker would, at times of its own."""

    def __init__(self, engine: sa.Engine) -> None:
        self.clock = Clock()
        self.store = AppStore(engine, self.clock)
        self._ids = iter(range(1000, 100_000))

    def repository(self, full_name: str, *, is_private: bool = True, installation_id: int = 1) -> int:
        owner, _, name = full_name.partition("/")
        number = next(self._ids)
        self.store.upsert_repository(
            RepositoryFacts(id=number, installation_id=installation_id, owner=owner, name=name, is_private=is_private)
        )
        return number

    def pull_request(
        self, repository_id: int, title: str = "A change", *, number: int = 1, author: str = "dev", head: str = "a" * 40
    ) -> int:
        known = next(self._ids)
        facts = PullRequestFacts(
            id=known, repository_id=repository_id, number=number, head_sha=head, base_ref="main", base_sha="b" * 40,
            updated_at=self.clock(), title=title, author=author,
        )  # fmt: skip
        self.store.see_pull_request(facts)
        return known

    def queued(self, pull_request_id: int, *, head: str = "a" * 40, trigger: str = "opened") -> EvaluationRow:
        raised = self.store.raise_generation(pull_request_id, head_sha=head, base_ref="main", base_sha="b" * 40, trigger=trigger)
        return raised.evaluation

    def evaluated(self, pull_request_id: int, found: Evaluation | None = None, *, took_s: float = 21.0, trigger: str = "opened",
                  head: str = "a" * 40, **more) -> EvaluationRow:  # fmt: skip
        row = self.queued(pull_request_id, head=head, trigger=trigger)
        self.clock.now += timedelta(seconds=took_s * 0.1)
        assert self.store.claim(row.id, "worker", timedelta(seconds=15))
        self.clock.now += timedelta(seconds=took_s * 0.9)
        assert self.store.conclude(row.id, "worker", replace(_result(found), **more) if found else Result(**more))
        after = self.store.evaluation(row.id)
        assert after
        return after


def _result(found: Evaluation) -> Result:
    blocking = {trajectory_id(e.trajectory) for e in found.blockers()}
    return Result(
        outcome=Outcome(found.verdict.value) if found.verdict else Outcome.COULD_NOT,
        summary=found.summary,
        impact=found.blockers()[0].trajectory.impact.value if found.blockers() else None,
        report=json_report(found),
        document=found.model_dump_json(),
        trajectories=tuple(
            TrajectoryRow(
                id=trajectory_id(e.trajectory), playbook=e.trajectory.playbook, status=e.status.value, impact=e.trajectory.impact.value,
                resource=e.trajectory.resource, metric=e.trajectory.metric, title=e.trajectory.title,
                rules=("postgres/index-not-concurrent",), blocks=trajectory_id(e.trajectory) in blocking,
            )
            for e in found.ledger
        ),
        fingerprint=f"{found.head[:12]}",
        rest_calls=4,
        steps=found.budget.steps_used,
    )  # fmt: skip


def a_few_weeks(engine: sa.Engine) -> dict[str, EvaluationRow]:
    """Two repositories of one company, one of another; every outcome and state; what was prevented, taken on and judged."""
    story, chance = Story(engine), random.Random(7)
    rides, fleet, other = (story.repository(n) for n in ("spokeway/rides", "spokeway/fleet", "rival/secret"))
    unsafe, safe = evaluation("unsafe"), evaluation("safe")
    advice = GoIf(kind="rewrite", says="`CREATE INDEX CONCURRENTLY` stands alone in its migration", edits=(Edit(file="0042.py"),))
    unsafe = unsafe.model_copy(update={"forecasts": (a_forecast(), a_forecast(metric="WriteLatency")), "go_if": (advice,)})
    nothing_kept = {"report": None, "document": None}
    titles = ("Index rides by station", "Shorter lock on checkout", "Retry payments", "Move the queue to eu-west-1", "Drop the old cart table",
              "More workers for invoices", "New column for tips", "Lower the timeout of search")  # fmt: skip
    for week in range(12, 0, -1):
        for each in range(chance.randrange(3, 7)):
            story.clock.now = NOW - timedelta(days=7 * week - each, hours=chance.randrange(9))
            where = chance.choice((rides, fleet))
            pull = story.pull_request(
                where, chance.choice(titles), number=1000 - week * 10 + each, author=chance.choice(("ana", "bo", "chen"))
            )
            found = chance.choice((unsafe, safe, safe))
            row = story.evaluated(
                pull,
                found,
                took_s=8 + chance.expovariate(1 / 20),
                head=f"{chance.randrange(16**40):040x}",
                cost=chance.random() * 0.3,
                **nothing_kept,
            )
            cleared = row
            if found is unsafe and chance.random() < 0.6:
                cleared = story.evaluated(
                    pull,
                    safe,
                    trigger="synchronize",
                    took_s=9,
                    head=f"{chance.randrange(16**40):040x}",
                    cost=0.05,
                    **nothing_kept,
                )
                _prevented(story, pull, where, row, cleared, unsafe)
            elif found is unsafe:
                story.store.acknowledge(row.id, trajectory="*", reason="The table is read-only until Monday.", login="ana")
            _merged(story, pull, where, cleared, is_right=chance.random() < 0.9)
    story.clock.now = NOW - timedelta(hours=5)
    story.evaluated(story.pull_request(other, "Nobody may see this", number=1), unsafe)
    named = {
        "go": story.evaluated(story.pull_request(rides, "Index rides by station, concurrently", number=1042, author="chen"), safe)
    }
    story.clock.now = NOW - timedelta(hours=3)
    stale = story.pull_request(fleet, "Docs: how bikes are counted", number=311, author="bo", head="d" * 40)
    named["nothing"] = story.evaluated(
        stale,
        head="d" * 40,
        outcome=Outcome.NOTHING,
        summary="Nothing here can reach production: only documentation changed.",
        took_s=1.2,
    )
    failed = story.pull_request(fleet, "Bump the bike driver", number=312, author="ana", head="e" * 40)
    named["could-not"] = story.evaluated(
        failed, head="e" * 40, outcome=Outcome.COULD_NOT, summary="Could not evaluate: context: Prometheus did not answer.",
        error="context: Prometheus did not answer within 20 s; check GONOGO_PROMETHEUS_URL", took_s=41,
    )  # fmt: skip
    story.clock.now = NOW - timedelta(minutes=42)
    worst = story.pull_request(rides, titles[0], number=1044, author="ana", head="c" * 40)
    named["no-go"] = story.evaluated(worst, unsafe, head="c" * 40, cost=0.14, input_tokens=48_112, output_tokens=2_031, steps=9)
    story.clock.now = NOW - timedelta(minutes=2)
    named["cancelled"] = story.queued(
        story.pull_request(rides, "Pushed twice", number=1045, author="bo", head="1" * 40), head="1" * 40
    )
    named["running"] = story.queued(named["cancelled"].pull_request_id or 0, head="2" * 40, trigger="synchronize")
    story.store.claim(named["running"].id, "worker", timedelta(seconds=15))
    named["queued"] = story.queued(
        story.pull_request(fleet, "Waits for a worker", number=313, author="chen", head="3" * 40), head="3" * 40
    )
    story.clock.now = NOW
    return named


def _prevented(story: Story, pull: int, where: int, flagged: EvaluationRow, cleared: EvaluationRow, found: Evaluation) -> None:
    trajectory = found.blockers()[0].trajectory
    told = {"title": trajectory.title, "impact": trajectory.impact.value, "resource": trajectory.resource}
    story.store.save_prevented(
        PreventedRow(
            pull_request_id=pull, installation_id=1, repository_id=where, flagged_evaluation_id=flagged.id, trajectory=told,
            cleared_evaluation_id=cleared.id, merged_at=story.clock(), evidence={"says": "the index is built concurrently now"},
        )
    )  # fmt: skip


def _merged(story: Story, pull: int, where: int, row: EvaluationRow, *, is_right: bool) -> None:
    observed = {
        "metrics": [{"resource": "rides-db", "metric": "WriteLatency", "p10": 1.0, "p50": 2.0, "p90": 3.0, "observed": 2.5}]
    }
    story.store.save_merge_outcome(
        MergeOutcomeRow(
            pull_request_id=pull, repository_id=where, evaluation_id=row.id, merged_at=story.clock(), merge_sha=None, state="done",
            was_right=is_right, detail=observed,
        )
    )  # fmt: skip


@dataclass
class Answers:
    """GitHub as far as the pages ask it: login → names of the repositories that it may read. Counts the questions."""

    may: dict[str, set[str]]
    asked: int = 0
    failing: Exception | None = None

    def repository(self, installation_id: int, owner: str, name: str, repository_id: int, *, limit: int | None) -> "Door":
        return Door(self, f"{owner}/{name}")

    async def aclose(self) -> None:
        """Nothing is open."""


@dataclass
class Door:
    """One repository."""

    github: Answers
    name: str

    async def permission(self, login: str) -> Permission:
        self.github.asked += 1
        if self.github.failing:
            raise self.github.failing
        return Permission.READ if self.name in self.github.may.get(login, set()) else Permission.NONE
