"""The order of a pipeline's steps decides whether migrations run before or after the new version is live."""

import pytest

from context_graph.testing import MemoryTree
from heuristics.schema.deploy_order import deploy_order

WORKFLOW = ".github/workflows/deploy.yml"
ROLL = "      - run: aws ecs update-service --cluster c --service api --task-definition api:4\n"
HEAD = "on: push\njobs:\n  production:\n    steps:\n"
SCRIPT = {"package.json": '{"scripts": {"migrate": "knex migrate:latest"}}\n', "Makefile": "migrate:\n\tgoose up\n"}


def moment(text: str, path: str = WORKFLOW) -> str:
    return deploy_order(MemoryTree({path: text, **SCRIPT})).moment


@pytest.mark.parametrize(
    "step",
    [
        "aws ecs run-task --cluster c --task-definition api-migrate",
        "kubectl create -f deploy/migrate-job.yaml",
        "kubectl exec deploy/api -- ./migrate",
        "gcloud run jobs execute api-migrate --wait",
        "make migrate",
        "./ci/migrate.sh production",
        "docker compose run --rm api migrate",
        "heroku run migrate -a shop",
        "npm run migrate",
    ],
)
def test_a_step_that_stands_after_the_roll_out_runs_after_it(step: str) -> None:
    assert moment(f"{HEAD}{ROLL}      - run: {step}\n") == "after"
    assert moment(f"{HEAD}      - run: {step}\n{ROLL}") == "before"


@pytest.mark.parametrize(
    "roll",
    [
        "aws ecs update-service --cluster c --service api --force-new-deployment",
        "kubectl set image deploy/api api=registry/api:2",
        "helm upgrade api ./chart",
        "flyctl deploy --remote-only",
        "kamal deploy",
        "git push heroku main",
        "az containerapp update -n api",
    ],
)
def test_every_way_to_roll_out_counts(roll: str) -> None:
    assert moment(f"{HEAD}      - run: {roll}\n      - run: make migrate\n") == "after"


def test_waiting_for_the_roll_out_is_no_second_one() -> None:
    wait = "      - run: kubectl rollout status deploy/api\n"

    assert moment(f"{HEAD}      - run: kubectl set image deploy/api api=r:2\n      - run: make migrate\n{wait}") == "after"


def test_a_stage_that_was_rolled_out_first_says_nothing_of_production() -> None:
    assert moment(f"{HEAD}{ROLL}      - run: make migrate\n{ROLL}") == "before"


def test_a_step_that_only_looks_at_migrations_applies_none() -> None:
    assert moment(f"{HEAD}{ROLL}      - run: make check-migrations\n") == "before"


@pytest.mark.parametrize(
    ("deploy_needs", "migrate_needs", "expected"),
    [
        ("[migrate]", "[build]", "before"),
        ("[build]", "[deploy]", "after"),
        ("[build]", "[smoke]", "after"),
        ("[build]", "[build]", "before"),
    ],
)
def test_a_job_of_its_own_comes_after_the_roll_out_only_when_it_waits_for_it(
    deploy_needs: str, migrate_needs: str, expected: str
) -> None:
    jobs = (
        f"on: push\njobs:\n  build:\n    steps: []\n  deploy:\n    needs: {deploy_needs}\n    steps:\n      - run: kubectl set image deploy/api api=r:2\n"
        f"  smoke:\n    needs: deploy\n    steps: []\n  migrate:\n    needs: {migrate_needs}\n    steps:\n      - run: make migrate\n"
    )

    assert moment(jobs) == expected


@pytest.mark.parametrize(("stages", "expected"), [("[deploy, migrate]", "after"), ("[migrate, deploy]", "before")])
def test_the_stages_of_gitlab_give_the_order(stages: str, expected: str) -> None:
    text = (
        f"stages: {stages}\nroll:\n  stage: deploy\n  script:\n    - kubectl set image deploy/api api=r:2\n"
        "schema:\n  stage: migrate\n  script:\n    - make migrate\n"
    )

    assert moment(text, ".gitlab-ci.yml") == expected
