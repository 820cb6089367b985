"""A pull request with a past, in a real git repository, evaluated again and again in one production that does not move."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import CalledProcessError
from time import monotonic

import pytest

from bot.changes.pull_request import PullRequest
from bot.changes.repository import GitRepository
from bot.evaluation.evaluate import Request, evaluate
from bot.investigator.assisted import Assistance
from bot.investigator.claude import make_model
from bot.investigator.prompts.version import investigator_version
from bot.investigator.testing import Script, ScriptedService
from context_graph.testing_production import MemoryProduction
from gonogo.budget import StepBudget
from gonogo.context import Series
from gonogo.evaluation import Evaluation
from gonogo.policy import Policy
from gonogo.word import ResourceId
from scripts.build_demo import run_git

API = "arn:aws:lambda:eu-west-1:1:function:checkout"
DATABASE = "arn:aws:rds:eu-west-1:1:db:orders"
MODELS = ("claude-sonnet-5-5", "claude-haiku-4-5-20251001")

BASE = {
    "README.md": "# Shop\n",
    "app/handler.py": "import os\n\n\ndef handler(event, context):\n    return {'ok': True}\n",
    "app/client.py": "TIMEOUT_S = 30\n\n\ndef fetch(session):\n    return session.get('/stock', timeout=TIMEOUT_S)\n",
    "other/report.py": "def total(rows):\n    return sum(rows)\n",
    "tests/test_handler.py": "def test_it():\n    assert True\n",
    "migrations/0001_orders.sql": "CREATE TABLE orders (id bigint PRIMARY KEY, customer_id bigint);\n",
}


@dataclass
class CountedProduction(MemoryProduction):
    """Counts what it is asked."""

    asked: Counter[str] = field(default_factory=Counter)

    def series(self, ids: Collection[ResourceId]) -> Sequence[Series]:
        self.asked["series"] += 1
        return super().series(ids)


def small_production() -> CountedProduction:
    production = CountedProduction("github:acme/shop")
    production.resource(API, "aws.lambda.function", "checkout", is_deployed=True, timeout_s=60, memory_mb=256, environment_keys=["STOCK_URL"])  # fmt: skip
    production.resource(DATABASE, "aws.rds.instance", "orders", max_connections=200, is_deployed=True)
    production.metric(API, "Duration.p99", "Seconds", 2.5)
    production.metric(API, "Invocations", "Count", 9_000.0)
    production.metric(DATABASE, "DatabaseConnections", "Count", 40.0)
    production.database(DATABASE, tables=[{"name": "orders", "row_estimate": 41_000_000, "total_bytes": 9e9, "writes_per_second": 38, "reads_per_second": 300}])  # fmt: skip
    return production


class History:
    """A repository with `main` and the pull request's branch `pr`, which is checked out."""

    def __init__(self, folder: Path, base: Mapping[str, str] = BASE) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        self.production = small_production()
        self.policy = Policy()
        self.git("init", "-q", "-b", "main")
        self.commit(base, "base")
        self.git("checkout", "-q", "-b", "pr")

    def git(self, *arguments: str) -> str:
        return run_git(self.folder, *arguments)

    def commit(self, files: Mapping[str, str | None], message: str = "a change", *, branch: str = "") -> None:
        """Files of the tree that differ now (None: gone), committed; also when nothing does."""
        if branch:
            self.git("checkout", "-q", branch)
        for name, text in files.items():
            path = self.folder / name
            if text is None:
                path.unlink(missing_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        if branch:
            self.git("checkout", "-q", "pr")

    def rebase(self) -> bool:
        """The commits of the pull request on top of main; False where they do not fit."""
        try:
            self.git("rebase", "-q", "main")
        except CalledProcessError:
            self.git("rebase", "--abort")
            return False
        return True

    def merge_main(self) -> bool:
        try:
            self.git("merge", "-q", "-m", "merge main", "main")
        except CalledProcessError:
            self.git("merge", "--abort")
            return False
        return True

    def evaluate(
        self,
        earlier: Evaluation | None = None,
        reusable: Sequence[Evaluation] = (),
        *,
        service: ScriptedService | None = None,
        title: str = "",
        small_steps: int = 12,
    ) -> Evaluation:
        """What gonogo says of the branch now; with a service, a model is asked too."""
        request = Request(earlier=earlier, reusable=tuple(reusable), seeks_go_if=False)
        if service is not None:
            assistance = Assistance(
                make_model=lambda spent: make_model(service.environment, spent),
                model=MODELS[0],
                small_model=MODELS[1],
                budget=StepBudget(small_steps, 60.0, monotonic, monotonic()),
            )
            request = replace(request, investigator=assistance.investigate, investigator_version=investigator_version(*MODELS))
        words = PullRequest(title=title, repository="acme/shop")
        repository = GitRepository(self.folder, base="main", head="pr", pull_request=words)
        try:
            return evaluate(request, repository=repository, provider=self.production, policy=self.policy)
        finally:
            repository.close()


@pytest.fixture
def a_pull_request(tmp_path: Path) -> Callable[..., History]:
    """A history with the base committed on main and these files of the first commit on pr."""

    def build(head: Mapping[str, str | None], base: Mapping[str, str] = BASE) -> History:
        history = History(tmp_path / "repo", base)
        history.commit(head, "first")
        return history

    return build


@pytest.fixture(scope="session")
def history_at() -> Callable[[Path], History]:
    """A history without a first commit, for tests that make many of them."""
    return History


@pytest.fixture(scope="session")
def served() -> Callable[[Script], ScriptedService]:
    """A model that follows a script."""
    import anthropic

    assert anthropic  # loading it takes seconds, and no test is about that
    return ScriptedService
