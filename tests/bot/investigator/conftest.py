"""A change in a small production, evaluated with a model that a scripted service plays."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from bot.investigator.assisted import Assistance
from bot.investigator.claude import make_model
from bot.investigator.spending import Spending
from bot.investigator.testing import Script, ScriptedService
from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.budget import StepBudget
from gonogo.evaluation import Evaluation

API = "arn:aws:lambda:eu-west-1:1:function:checkout"
DATABASE = "arn:aws:rds:eu-west-1:1:db:orders"

BASE = {
    "app/handler.py": "import os\n\n\ndef handler(event, context):\n    return {'ok': True}\n",
    "app/client.py": "TIMEOUT_S = 30\n\n\ndef fetch(session):\n    return session.get('/stock', timeout=TIMEOUT_S)\n",
}
HARMLESS = {"app/handler.py": "import os\n\n\ndef handler(event, context):\n    return {'ok': True, 'version': 2}\n"}
"""The playbooks find nothing in it."""
LOCKING = {"migrations/0002_by_customer.sql": "CREATE INDEX orders_customer ON orders (customer_id);\n"}
"""The playbooks confirm it."""
SHORTER = {"app/client.py": "TIMEOUT_S = 1\n\n\ndef fetch(session):\n    return session.get('/stock', timeout=TIMEOUT_S)\n"}


def small_production() -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    production.resource(API, "aws.lambda.function", "checkout", is_deployed=True, timeout_s=60, memory_mb=256, environment_keys=["STOCK_URL"])  # fmt: skip
    production.resource(DATABASE, "aws.rds.instance", "orders", max_connections=200, is_deployed=True)
    production.metric(API, "Duration.p99", "Seconds", 2.5)
    production.metric(API, "Invocations", "Count", 9_000.0)
    production.metric(DATABASE, "DatabaseConnections", "Count", 40.0)
    production.log(API, "fetched stock in 120 ms", "fetched stock in 340 ms")
    production.database(DATABASE, tables=[{"name": "orders", "row_estimate": 41_000_000, "total_bytes": 9e9, "writes_per_second": 38, "reads_per_second": 300}])  # fmt: skip
    return production


@pytest.fixture
def a_production() -> Callable[[], MemoryProduction]:
    """The production that changes meet."""
    return small_production


@dataclass
class Checked:
    """An evaluation, and what the service was asked for it."""

    evaluation: Evaluation
    service: ScriptedService
    seconds: float

    @property
    def status(self) -> dict[str, str]:
        return {e.trajectory.title: e.status.value for e in self.evaluation.ledger}

    @property
    def gaps(self) -> list[str]:
        return [f"{g.stage}: {g.why}" for g in self.evaluation.gaps]

    @property
    def report(self) -> dict:
        found = json.loads(json.dumps(self.evaluation.to_report()))
        return {k: v for k, v in found.items() if k != "timings"}


@pytest.fixture
def check(tmp_path) -> Callable[..., Checked]:
    """Evaluate a change with a model that follows the script."""

    def run(
        script: Script,
        head: dict[str, str | None] = HARMLESS,
        *,
        steps: int = 30,
        deadline_s: float = 60.0,
        spending: Spending | None = None,
        journal: Path | None = tmp_path / "journal",
        model: str = "claude-sonnet-5-5",
        production: MemoryProduction | None = None,
        base: dict[str, str] | None = None,
        title: str = "",
        body: str = "",
    ) -> Checked:
        began = monotonic()
        with ScriptedService(script) as service:
            assistance = Assistance(
                make_model=lambda spent: make_model(service.environment, spent),
                model=model,
                small_model="claude-haiku-4-5-20251001",
                budget=StepBudget(steps, deadline_s, monotonic, began),
                spending=spending or Spending(),
                journal=journal,
            )
            evaluation = evaluation_of(
                base or BASE, head, production or small_production(), title=title, body=body, investigator=assistance.investigate
            )
        return Checked(evaluation, service, monotonic() - began)

    return run


@pytest.fixture(scope="session", autouse=True)
def _sdk_is_loaded():
    """Loading the SDK takes seconds on a busy machine; no test is about that."""
    import anthropic

    assert anthropic
