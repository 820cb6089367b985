"""What documents, comments and pipelines say about migrations that people apply."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.schema.deploy_order import deploy_order
from heuristics.schema.hand_run import by_its_comment, rolls_out, says_by_hand


@pytest.mark.parametrize(
    "text",
    [
        "`sql/` holds numbered scripts. The database team applies them with psql; the pipeline only deploys.",
        "A migration is merged in its own pull request and the data team runs it in the Tuesday window.",
        "Migrations are applied by hand from the bastion.",
        "Schema changes are executed by the DBAs after a ticket.",
        "A DBA runs `npx knex migrate:latest` before the migrations are marked as done.",
        "The deploy does not run migrations.",
        "Migrations are not part of the pipeline.",
        "SQL files in `db/` are run manually.",
        "Ask on-call: an operator applies every migration.",
        "No step of the pipeline applies the migrations; run them yourself with psql.",
        "The scripts in sql/ are applied during the weekly maintenance window.",
    ],
)
def test_a_document_says_that_people_apply_migrations(text: str) -> None:
    assert says_by_hand(text) or deploy_order(MemoryTree({"README.md": text})).moment == "by-hand"


@pytest.mark.parametrize(
    "text",
    [
        "Migrations are applied on deploy. The data team runs the dashboards.",
        "We no longer run migrations by hand.",
        "Migrations run in CI instead of by hand.",
        "The web team runs the scripts in bin/ every morning.",
        "Never apply a migration manually.",
        "The release applies migrations before the new version starts.",
    ],
)
def test_other_sentences_do_not(text: str) -> None:
    assert deploy_order(MemoryTree({"README.md": text})).moment == "unknown"


def test_a_sentence_may_go_on_in_the_next_line() -> None:
    text = "# Migrations\n\nThe role of CI may not alter tables. A migration is merged alone and the data\nteam runs it on Tuesday.\n"

    order = deploy_order(MemoryTree({"docs/migrations.md": text}))

    assert order.moment == "by-hand"
    assert order.place is not None
    assert order.place.line == 3


def test_a_step_of_the_deploy_counts_more_than_a_document() -> None:
    tree = MemoryTree({"README.md": "Migrations are applied by hand.\n", "Procfile": "release: python manage.py migrate\n"})

    assert deploy_order(tree).moment == "before"


@pytest.mark.parametrize(
    ("comment", "found"), [("-- applied by hand by the DBAs", True), ("-- the web team runs this daily", False)]
)
def test_a_comment_of_the_migration_says_it(comment: str, *, found: bool) -> None:
    tree = MemoryTree({"db/migrations/0007_x.sql": f"{comment}\nALTER TABLE a ADD COLUMN b int;\n"})

    assert (by_its_comment(tree, "db/migrations/0007_x.sql") is not None) is found


@pytest.mark.parametrize(
    "line",
    [
        "- run: sam build && sam deploy --stack-name sessions",
        "- run: kubectl -n shop set image deploy/api api=r/x:1",
        "- run: helm -n shop upgrade --install api chart/",
        "- uses: aws-actions/amazon-ecs-deploy-task-definition@v1",
        "- run: npx serverless deploy --stage prod",
        "- run: aws lambda update-function-code --function-name x",
        "- run: docker stack deploy -c stack.yml shop",
        "- run: gcloud functions deploy x",
        "- run: terraform -chdir=infra apply -auto-approve",
    ],
)
def test_a_line_of_a_pipeline_rolls_the_service_out(line: str) -> None:
    assert rolls_out(line)


@pytest.mark.parametrize("line", ["# sam deploy", "- run: docker compose up -d postgres", "- run: npm test"])
def test_other_lines_do_not(line: str) -> None:
    assert not rolls_out(line)
