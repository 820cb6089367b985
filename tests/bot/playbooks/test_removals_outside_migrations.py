"""Tables, columns and indexes that a script or a scheduled job takes away, outside migrations."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status
from gonogo.verdict import Verdict

DATABASE = "arn:aws:rds:eu-west-1:1:db:arena-pg"
READER = {"src/repo.ts": "export const top = () => db.query(`SELECT id, handle FROM players ORDER BY 2`);\n"}
CRON_JOB = (
    "apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: arena-sweep\nspec:\n  schedule: '0 4 * * *'\n  jobTemplate:\n    spec:\n      template:\n"
    "        spec:\n          containers:\n            - name: sweep\n              image: postgres:15\n              command:\n"
    '                - psql\n                - -c\n                - "DROP TABLE players;"\n'
)


def _says(
    head: dict[str, str | None], *, base: dict[str, str] | None = None, reads: float = 290.0, scans: float = 5_000.0
) -> Evaluation:
    production = MemoryProduction("github:acme/shop")
    service = production.resource("kubernetes:prod/games/deployment/arena", "kubernetes.deployment", "arena", is_deployed=True)
    production.resource(DATABASE, "aws.rds.instance", "arena-pg")
    production.edge(service, DATABASE, "writes_to")
    players = {
        "name": "players",
        "row_estimate": 3_900_000,
        "total_bytes": 8e8,
        "writes_per_second": reads / 10,
        "reads_per_second": reads,
        "columns": [{"name": "id", "type": "bigint"}, {"name": "handle", "type": "text"}],
    }
    index = {
        "name": "players_handle_idx",
        "table": "players",
        "scans_per_hour": scans,
        "definition": "CREATE INDEX players_handle_idx ON public.players USING btree (handle)",
    }
    production.database(DATABASE, tables=[players], indexes=[index], settings={"lock_timeout": "4s"})
    return evaluation_of(READER if base is None else base, {**(READER if base is None else base), **head}, production)


def _statuses(evaluation: Evaluation, playbook: str = "dropped-column") -> list[Status]:
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == playbook]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("ops/cleanup.sql", "DROP TABLE players;\n"),
        ("sql/tidy.sql", "-- old things\nDROP TABLE IF EXISTS public.players CASCADE;\n"),
        ("scripts/tidy.sh", '#!/bin/sh\npsql "$DATABASE_URL" -c "DROP TABLE players"\n'),
        ("jobs/tidy.py", 'def run(db):\n    db.execute("DROP TABLE players")\n'),
        ("k8s/sweep.yaml", CRON_JOB),
        ("ops/rename.sql", "ALTER TABLE players RENAME TO gamers;\n"),
        ("ops/columns.sql", "ALTER TABLE players DROP COLUMN handle;\n"),
    ],
)
def test_what_the_new_version_reads_too_is_confirmed(path: str, text: str) -> None:
    found = _says({path: text})

    assert _statuses(found) == [Status.CONFIRMED]
    assert found.verdict is Verdict.NO_GO


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("scripts/dev/reset.sh", '#!/bin/sh\npsql -c "DROP TABLE players"\n'),
        ("db/seeds/players.sql", "DROP TABLE players;\n"),
        ("ops/rebuild.sql", "DROP TABLE players;\nCREATE TABLE players (id bigint, handle text);\n"),
        ("ops/other.sql", "DROP TABLE staging_players;\n"),
        ("ops/notes.sql", "-- DROP TABLE players;\nSELECT 1;\n"),
    ],
)
def test_what_does_not_take_it_from_production_is_a_go(path: str, text: str) -> None:
    found = _says({path: text})

    assert Status.CONFIRMED not in _statuses(found)
    assert found.verdict is Verdict.GO


def test_a_table_that_nobody_uses_is_refuted() -> None:
    assert _statuses(_says({"ops/cleanup.sql": "DROP TABLE players;\n"}, base={"a.ts": "export {};\n"}, reads=0.0)) == [
        Status.REFUTED
    ]


def test_a_table_that_only_the_version_of_today_reads_is_a_question() -> None:
    found = _says({"ops/cleanup.sql": "ALTER TABLE players DROP COLUMN handle;\n", "src/repo.ts": "export const top = 1;\n"})

    assert _statuses(found) == [Status.PLAUSIBLE]
    assert found.verdict is Verdict.GO


@pytest.mark.parametrize(("scans", "status"), [(5_000.0, Status.CONFIRMED), (0.0, Status.REFUTED)])
def test_an_index_that_goes_is_held_against_its_scans(scans: float, status: Status) -> None:
    found = _says({"ops/indexes.sql": "DROP INDEX CONCURRENTLY players_handle_idx;\n"}, scans=scans)

    assert _statuses(found, "dropped-index") == [status]
