"""Go if: a no-go names the smallest changes that would turn it, and says none that was not tried."""

import re
from dataclasses import dataclass, field

import pytest

from bot.changes.edited import EditedRepository, texts_of
from bot.evaluation import evaluate as pipeline
from bot.evaluation.evaluate import Request, evaluate
from bot.evaluation.go_if import MOST_TRIES, MOST_WAYS
from bot.evaluation.leaving_out import is_coherent
from bot.investigator.case import Case
from bot.investigator.rules import Outcome, investigate
from bot.testing import MemoryRepository, evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.go_if import Edit, GoIf
from gonogo.policy import Policy
from gonogo.verdict import Verdict

DATABASE = "arn:aws:rds:eu-west-1:1:db:shop-pg"
BIG = {
    "schema": "public",
    "name": "orders",
    "row_estimate": 31e6,
    "total_bytes": 9e9,
    "writes_per_second": 38.0,
    "reads_per_second": 80.0,
}


def a_busy_database(cls: type[MemoryProduction] = MemoryProduction) -> MemoryProduction:
    production = cls()
    production.resource("function:shop", "aws.lambda.function", "shop", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "shop-pg", engine="postgres", engine_version="15.5")
    production.edge("function:shop", DATABASE, "connects_to")
    production.database(DATABASE, tables=[BIG])
    return production


def a_function(memory_mb: int = 1536) -> MemoryProduction:
    production = MemoryProduction()
    production.resource(
        "arn:aws:lambda:eu-west-1:1:function:pdf", "aws.lambda.function", "pdf", is_deployed=True, memory_mb=memory_mb
    )
    production.metric("arn:aws:lambda:eu-west-1:1:function:pdf", "Invocations", "Count", 100)
    for at in range(120):
        production.log(
            "arn:aws:lambda:eu-west-1:1:function:pdf",
            f"REPORT RequestId: {at} Duration: 900 ms Memory Size: {memory_mb} MB Max Memory Used: {900 + at} MB",
        )
    return production


GOOSE = "-- +goose Up\n{statement};\n\n-- +goose Down\nDROP INDEX orders_email;\n"
ALEMBIC = """revision = "a2"
down_revision = None

from alembic import op


def upgrade():
    op.create_index("ix_orders_email", "orders", ["email"])


def downgrade():
    op.drop_index("ix_orders_email")
"""
RAILS = """class AddEmailIndex < ActiveRecord::Migration[7.1]
  def change
    add_index :orders, :email, name: "orders_email"
  end
end
"""
SERVERLESS = "service: pdf\nprovider:\n  name: aws\nfunctions:\n  pdf:\n    name: pdf\n    handler: pdf.handler\n    memorySize: {memory}\n"


def ways(evaluation: Evaluation) -> list[str]:
    return [f"{way.kind}: {way.says}" for way in evaluation.go_if]


def turned(
    evaluation: Evaluation, way: GoIf, base: dict[str, str], head: dict[str, str], production: MemoryProduction
) -> Verdict | None:
    """What a whole evaluation of the change with these edits says."""
    repository = MemoryRepository(base, base | head)
    trees = {"base": repository.tree("base"), "head": repository.tree("head")}
    edited = EditedRepository(repository.changes(), trees, texts_of(way.edits, trees))
    return evaluate(Request(seeks_go_if=False), repository=edited, provider=production, policy=Policy()).verdict


def test_a_migration_is_to_be_written_safely_with_what_its_runner_needs():
    path = "db/migrations/00012_email.sql"
    evaluation = evaluation_of(
        {}, {path: GOOSE.format(statement="CREATE INDEX orders_email ON orders (email)")}, a_busy_database()
    )

    assert evaluation.verdict is Verdict.NO_GO
    assert ways(evaluation)[0] == (
        f"rewrite: `-- +goose NO TRANSACTION` stands before line 1 of `{path}`; and line 2 of `{path}` is "
        "`CREATE INDEX CONCURRENTLY orders_email ON orders (email);`"
    )


def test_code_that_runs_a_migration_is_rewritten_in_its_own_words():
    alembic = evaluation_of({}, {"migrations/versions/a2_email.py": ALEMBIC}, a_busy_database())
    rails = evaluation_of({}, {"db/migrate/20260508100000_add_email_index.rb": RAILS}, a_busy_database())

    assert 'with op.get_context().autocommit_block():\n        op.create_index("ix_orders_email"' in alembic.go_if[0].says
    assert [e.lines for e in rails.go_if[0].edits] == [
        ("  disable_ddl_transaction!",),
        ('    add_index :orders, [:email], name: "orders_email", algorithm: :concurrently',),
    ]


def test_what_comes_in_later_migrations_is_said_in_order():
    path = "db/migrations/00012_check.sql"
    statement = "ALTER TABLE orders ADD CONSTRAINT positive CHECK (total > 0)"
    evaluation = evaluation_of({}, {path: GOOSE.format(statement=statement)}, a_busy_database())

    (way, *_) = evaluation.go_if
    assert way.edits == (Edit(file=path, line=2, replaces=1, lines=(f"{statement} NOT VALID;",)),)
    assert way.then == ("`ALTER TABLE orders VALIDATE CONSTRAINT positive;`",)
    assert way.says.endswith("; and later comes `ALTER TABLE orders VALIDATE CONSTRAINT positive;`")


def test_a_setting_is_to_be_at_the_value_that_the_advice_names_or_to_stay():
    base = {"serverless.yml": SERVERLESS.format(memory=1536)}
    evaluation = evaluation_of(base, {"serverless.yml": SERVERLESS.format(memory=512)}, a_function())

    assert evaluation.verdict is Verdict.NO_GO
    rewrite, stay = ways(evaluation)
    advised = re.search(r"memorySize: (\d+)", rewrite)
    assert rewrite.startswith("rewrite: line 8 of `serverless.yml` is")
    assert advised is not None
    assert 1019 < int(advised[1]) < 1536
    assert stay == "leave-out: line 8 of `serverless.yml` stays `memorySize: 1536`"


def test_of_two_statements_only_the_one_that_hurts_is_left_out():
    path = "migrations/00012.up.sql"
    script = "ALTER TABLE orders ADD COLUMN note text;\nVACUUM FULL orders;\n"
    evaluation = evaluation_of({}, {path: script}, a_busy_database())

    assert ways(evaluation) == [f"leave-out: line 2 of `{path}` is left out"]


def test_all_that_block_must_go_for_a_way_to_be_said():
    base = {"serverless.yml": SERVERLESS.format(memory=1536)}
    head = {
        "serverless.yml": SERVERLESS.format(memory=512),
        "db/migrations/00012_email.sql": GOOSE.format(statement="CREATE INDEX i ON orders (email)"),
    }
    production = a_function()
    production.resource(DATABASE, "aws.rds.instance", "shop-pg", engine="postgres", engine_version="15.5")
    production.edge("arn:aws:lambda:eu-west-1:1:function:pdf", DATABASE, "connects_to")
    production.database(DATABASE, tables=[BIG])

    evaluation = evaluation_of(base, head, production)

    assert len(evaluation.blockers()) == 2
    assert evaluation.go_if
    for way in evaluation.go_if:
        assert {edit.file for edit in way.edits} == set(head)
        assert turned(evaluation, way, base, head, production) is Verdict.GO


@pytest.mark.parametrize(
    ("base", "head", "production"),
    [
        ({}, {"db/migrations/00012.sql": GOOSE.format(statement="CREATE INDEX i ON orders (email)")}, a_busy_database),
        ({}, {"migrations/versions/a2_email.py": ALEMBIC}, a_busy_database),
        ({"serverless.yml": SERVERLESS.format(memory=1536)}, {"serverless.yml": SERVERLESS.format(memory=512)}, a_function),
    ],
)
def test_each_way_that_is_said_turns_a_whole_evaluation(base, head, production):
    evaluation = evaluation_of(base, head, production())

    assert 1 <= len(evaluation.go_if) <= MOST_WAYS
    assert [way.size for way in evaluation.go_if] == sorted(way.size for way in evaluation.go_if)
    for way in evaluation.go_if:
        assert turned(evaluation, way, base, head, production()) is Verdict.GO


def test_the_same_change_names_the_same_ways():
    made = [evaluation_of({}, {"migrations/versions/a2_email.py": ALEMBIC}, a_busy_database()) for _ in range(2)]

    assert made[0].go_if == made[1].go_if
    assert made[0].to_report() | {"timings": {}} == made[1].to_report() | {"timings": {}}


@dataclass
class Counted(MemoryProduction):
    """Counts the questions for readings."""

    questions: list[str] = field(default_factory=list)

    def series(self, ids):
        self.questions.append("series")
        return super().series(ids)

    def databases(self, ids):
        self.questions.append("databases")
        return super().databases(ids)


def test_no_source_is_asked_anything_for_it():
    asked = {}
    for seeks in (False, True):
        production = a_busy_database(Counted)
        repository = MemoryRepository({}, {"migrations/versions/a2_email.py": ALEMBIC})
        evaluation = evaluate(Request(seeks_go_if=seeks), repository=repository, provider=production, policy=Policy())
        asked[seeks] = (production.questions, bool(evaluation.go_if))

    assert asked[True] == (asked[False][0], True)


def test_a_go_costs_nothing(monkeypatch):
    def never(*_, **__):
        raise AssertionError("nothing is tried on a go")

    monkeypatch.setattr(pipeline, "_with_ways_to_go", never)

    evaluation = evaluation_of({"app.py": "a = 1\n"}, {"app.py": "a = 2\n"}, a_busy_database())

    assert (evaluation.verdict, evaluation.go_if) == (Verdict.GO, ())
    assert "go_if" not in evaluation.timings


def test_what_breaks_while_it_is_tried_leaves_the_no_go_as_it_is(monkeypatch):
    def breaks(*_, **__):
        raise RuntimeError("no idea")

    monkeypatch.setattr("bot.evaluation.ways_to_go.go_if", breaks)

    evaluation = evaluation_of({}, {"migrations/versions/a2_email.py": ALEMBIC}, a_busy_database())

    assert (evaluation.verdict, evaluation.go_if, evaluation.failures) == (Verdict.NO_GO, (), ())
    assert any("what would turn this no-go was not worked out" in note for note in evaluation.notes)


def test_without_time_left_nothing_is_tried():
    repository = MemoryRepository({}, {"migrations/versions/a2_email.py": ALEMBIC})

    evaluation = evaluate(Request(deadline_s=1e-6), repository=repository, provider=a_busy_database(), policy=Policy())

    assert (evaluation.verdict, evaluation.go_if) == (Verdict.NO_GO, ())


def test_a_trajectory_of_a_model_is_not_said_to_be_turned_by_rules():
    def a_model(case: Case) -> Outcome:
        found = investigate(case)
        return Outcome(
            claims=tuple(c.model_copy(update={"playbook": "", "title": f"{c.title}, says a model"}) for c in found.claims)
        )

    evaluation = evaluation_of({}, {"migrations/versions/a2_email.py": ALEMBIC}, a_busy_database(), investigator=a_model)

    assert (evaluation.verdict, evaluation.go_if) == (Verdict.NO_GO, ())


def test_tries_are_counted_whatever_they_give(monkeypatch):
    tried = []
    whole = pipeline.evaluate

    def counting(request, **given):
        if not request.seeks_go_if:
            tried.append(given["repository"])
            return whole(request, **(given | {"repository": repository}))  # no edit ever helps
        return whole(request, **given)

    repository = MemoryRepository({}, {"migrations/versions/a2_email.py": ALEMBIC})
    monkeypatch.setattr(pipeline, "evaluate", counting)

    evaluation = whole(Request(), repository=repository, provider=a_busy_database(), policy=Policy())

    assert evaluation.go_if == ()
    assert 1 <= len(tried) <= 2 * MOST_TRIES


@pytest.mark.parametrize(
    ("head", "edited", "is_right"),
    [
        ("T = env['T']\nuse(T)\n", "use(T)\n", False),
        ("T = env['T']\nuse(1)\n", "use(1)\n", True),
        ("def a():\n    pass\n", "def a():\n", False),
        ("def broken(:\n", "def broken(:\nx = 1\n", True),
    ],
)
def test_an_edit_that_leaves_a_name_without_its_origin_or_code_that_does_not_parse_is_none(head, edited, is_right):
    assert is_coherent(edited, head, "app.py") is is_right


def test_the_report_holds_the_edits():
    report = evaluation_of({}, {"migrations/versions/a2_email.py": ALEMBIC}, a_busy_database()).to_report()

    (first, *_) = report["go_if"]
    assert first["kind"] == "rewrite"
    assert first["edits"][0].keys() == {"file", "line", "replaces", "lines", "is_whole_file"}
