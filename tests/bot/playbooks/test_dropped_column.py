"""Names that go: columns, tables and labels, and who still uses them."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status

DATABASE = "arn:aws:rds:eu-west-1:1:db:arena-pg"
PRE_SYNC = {
    "deploy/migrate.yaml": 'kind: Job\nmetadata:\n  annotations:\n    argocd.argoproj.io/hook: PreSync\nspec:\n  command: ["bin/rails", "db:migrate"]\n'
}
COLUMNS = [{"name": "id", "type": "bigint"}, {"name": "handle", "type": "text"}, {"name": "legacy_score", "type": "integer"}]
DROP = "ALTER TABLE players DROP COLUMN legacy_score;\n"


def _production(**table: object) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("kubernetes:prod/games/deployment/arena", "kubernetes.deployment", "arena", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "arena-pg")
    production.edge(service, DATABASE, "writes_to")
    players = {
        "name": "players",
        "row_estimate": 3_900_000,
        "total_bytes": 8e8,
        "writes_per_second": 37.0,
        "reads_per_second": 290.0,
        "columns": COLUMNS,
    }
    production.database(DATABASE, tables=[players | table], settings={"lock_timeout": "4s"})
    return production


def _says(
    base: dict[str, str], head: dict[str, str | None], sql: str = DROP, *, production: MemoryProduction | None = None
) -> Evaluation:
    return evaluation_of(base, {**head, "migrations/0009_change.up.sql": sql}, production or _production())


def _statuses(evaluation: Evaluation) -> list[Status]:
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "dropped-column"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("app/db.go", 'package app\nconst q = "SELECT id, legacy_score FROM players WHERE id = $1"\n'),
        ("src/repo.ts", "export const top = () => db.query(\n  `SELECT handle, legacy_score\n   FROM players ORDER BY 2`,\n);\n"),
        (
            "game/models.py",
            'class Player(Base):\n    __tablename__ = "players"\n    id = Column(Integer)\n    legacy_score = Column(Integer)\n',
        ),
        (
            "src/main/java/Player.java",
            '@Entity\n@Table(name = "players")\npublic class Player {\n    @Column(name = "legacy_score")\n    private Integer legacyScore;\n}\n',
        ),
        ("prisma/schema.prisma", 'model Player {\n  id Int @id\n  legacy_score Int?\n  @@map("players")\n}\n'),
    ],
)
def test_a_column_that_the_new_version_still_uses_is_confirmed(path: str, code: str) -> None:
    assert _statuses(_says({path: code}, {})) == [Status.CONFIRMED]


def test_a_column_that_only_the_deployed_version_maps_breaks_it_during_the_roll_out() -> None:
    before = {
        "game/models.py": 'class Player(Base):\n    __tablename__ = "players"\n    handle = Column(Text)\n    legacy_score = Column(Integer)\n',
        **PRE_SYNC,
    }
    after = {"game/models.py": 'class Player(Base):\n    __tablename__ = "players"\n    handle = Column(Text)\n'}

    assert _statuses(_says(before, after)) == [Status.CONFIRMED]


def test_the_same_without_a_known_order_is_a_question() -> None:
    before = {
        "game/models.py": 'class Player(Base):\n    __tablename__ = "players"\n    legacy_score = Column(Integer)\n    handle = Column(Text)\n'
    }
    after = {"game/models.py": 'class Player(Base):\n    __tablename__ = "players"\n    handle = Column(Text)\n'}

    assert _statuses(_says(before, after)) == [Status.PLAUSIBLE]


def test_a_column_that_the_deployed_model_ignores_is_refuted() -> None:
    model = {
        "app/models/player.rb": 'class Player < ApplicationRecord\n  self.ignored_columns += ["legacy_score"]\nend\n',
        **PRE_SYNC,
    }

    assert _statuses(_says(model, {})) == [Status.REFUTED]


def test_a_rails_model_without_ignored_columns_still_writes_it() -> None:
    model = {"app/models/player.rb": "class Player < ApplicationRecord\n  validates :handle, presence: true\nend\n", **PRE_SYNC}

    assert _statuses(_says(model, {})) == [Status.CONFIRMED]


def test_a_column_that_nothing_names_is_refuted() -> None:
    assert _statuses(_says({"app/db.go": 'package app\nconst q = "SELECT id, handle FROM players"\n', **PRE_SYNC}, {})) == [
        Status.REFUTED
    ]


def test_the_same_word_in_code_about_another_table_is_no_use() -> None:
    other = {"app/db.go": 'package app\nconst q = "SELECT legacy_score FROM teams"\n', **PRE_SYNC}

    assert _statuses(_says(other, {})) == [Status.REFUTED]


def test_an_idle_table_is_refuted_whatever_the_code_says() -> None:
    used = {"app/db.go": 'package app\nconst q = "SELECT legacy_score FROM players"\n'}

    assert _statuses(_says(used, {}, production=_production(writes_per_second=0.0, reads_per_second=0.0))) == [Status.REFUTED]


def test_a_renamed_table_with_a_reader_left_behind_is_confirmed() -> None:
    reader = {"worker/fees.py": 'def fee(db, i):\n    return db.execute("SELECT handle FROM players WHERE id = %s", (i,))\n'}

    assert _statuses(_says(reader, {}, "ALTER TABLE players RENAME TO gamers;\n")) == [Status.CONFIRMED]


def test_a_view_with_the_old_name_refutes_the_rename() -> None:
    reader = {"worker/fees.py": 'def fee(db, i):\n    return db.execute("SELECT handle FROM players WHERE id = %s", (i,))\n'}
    sql = "BEGIN;\nALTER TABLE players RENAME TO gamers;\nCREATE VIEW players AS SELECT * FROM gamers;\nCOMMIT;\n"

    assert _statuses(_says(reader, {}, sql)) == [Status.REFUTED]


def test_a_dropped_table_that_others_read_is_confirmed() -> None:
    assert _statuses(_says({"app/main.go": "package main\n"}, {}, "DROP TABLE players;\n")) == [Status.CONFIRMED]


def test_an_import_is_no_query() -> None:
    module = {"game/views.py": "from players import models\nfrom update players\n".replace("from update players\n", "")}
    said = _says(module, {}, "DROP TABLE players;\n", production=_production(writes_per_second=0.0, reads_per_second=0.0))

    assert _statuses(said) == [Status.REFUTED]


def test_a_renamed_column_breaks_one_version_whatever_the_order() -> None:
    before = {"app/db.go": 'package app\nconst q = "SELECT legacy_score FROM players"\n'}
    after = {"app/db.go": 'package app\nconst q = "SELECT old_score FROM players"\n'}

    assert _statuses(_says(before, after, "ALTER TABLE players RENAME COLUMN legacy_score TO old_score;\n")) == [Status.CONFIRMED]


def test_without_production_nothing_is_confirmed() -> None:
    used = {"app/db.go": 'package app\nconst q = "SELECT legacy_score FROM players"\n'}
    said = evaluation_of(used, {"migrations/0009_change.up.sql": DROP}, None)

    assert _statuses(said) == [Status.PLAUSIBLE]


def test_a_renamed_label_that_code_about_its_table_compares_is_confirmed() -> None:
    code = {"app/players.py": "def active(db):\n    return db.execute(\"SELECT id FROM players WHERE state = 'in_season'\")\n"}
    production = _production(columns=[{"name": "state", "type": "player_state"}])
    said = _says(code, {}, "ALTER TYPE player_state RENAME VALUE 'in_season' TO 'active';\n", production=production)

    assert _statuses(said) == [Status.CONFIRMED]
