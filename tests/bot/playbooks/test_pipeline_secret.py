"""Secrets of the CI that a deploy reads from now on."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.evaluation import Evaluation
from gonogo.trajectory import Status

REPOSITORY = "github:acme/pay"
FUNCTION = "arn:aws:lambda:eu-west-1:1:function:pay"
WORKFLOW = (
    "name: deploy\non:\n  push:\n    branches: [main]\njobs:\n  deploy:\n    runs-on: ubuntu-24.04\n    steps:\n"
    '      - run: aws lambda update-function-configuration --function-name pay --environment "Variables={{API_KEY=$KEY}}"\n'
    "        env:\n          KEY: ${{{{ secrets.{name} }}}}\n"
)
GUARDED = 'import os\n\nkey = os.environ["API_KEY"]\nif not key:\n    raise RuntimeError("API_KEY is empty")\n\n\ndef handler(event, context):\n    return key\n'
UNGUARDED = 'import os\n\nkey = os.environ["API_KEY"]\n\n\ndef handler(event, context):\n    return key\n'
PASSED = {
    "pay/client.py": 'class Client:\n    def __init__(self, key):\n        if not key:\n            raise ValueError("no key")\n        self.key = key\n',
    "pay/handler.py": 'import os\n\nfrom .client import Client\n\nclient = Client(os.environ["API_KEY"])\n\n\ndef handler(event, context):\n    return client\n',
}
WHOLE = {"actions_secrets": ["OLD_KEY", "AWS_ROLE"], "actions_organization_secrets": ["NPM_TOKEN"]}


def _says(
    code: dict[str, str], lists: dict[str, list[str]], *, before: str = "OLD_KEY", after: str = "NEW_KEY", extra: str = ""
) -> Evaluation:
    production = MemoryProduction(REPOSITORY)
    production.resource(REPOSITORY, "github.repository", "acme/pay", is_deployed=False, **lists)
    production.resource(FUNCTION, "aws.lambda.function", "pay", is_deployed=True, environment_keys=["API_KEY"])
    production.metric(FUNCTION, "Invocations", "Count", 900)
    path = ".github/workflows/deploy.yml"
    return evaluation_of(
        {path: WORKFLOW.format(name=before) + extra, **code}, {path: WORKFLOW.format(name=after) + extra}, production
    )


def _statuses(evaluation: Evaluation) -> list[Status]:
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "pipeline-secret"]


@pytest.mark.parametrize("code", [{"pay/handler.py": GUARDED}, PASSED])
@pytest.mark.parametrize(
    "lists",
    [
        WHOLE,
        {"secrets": ["OLD_KEY"], "organization_secrets": []},
        {"repository_secrets": ["OLD_KEY"], "org_secrets": ["X"]},
        {"secret_names": ["OLD_KEY"], "organisation_secret_names": ["X"]},
        {"github_actions_secrets": ["OLD_KEY"], "github_org_secrets": ["X"]},
    ],
)
def test_a_secret_that_no_list_has_and_that_the_program_may_not_miss_is_confirmed(
    code: dict[str, str], lists: dict[str, list[str]]
) -> None:
    assert _statuses(_says(code, lists)) == [Status.CONFIRMED]


@pytest.mark.parametrize("key", ["actions_secrets", "actions_organization_secrets"])
def test_a_secret_that_a_list_has_is_refuted(key: str) -> None:
    lists = {**WHOLE, key: [*WHOLE[key], "NEW_KEY"]}

    assert _statuses(_says({"pay/handler.py": GUARDED}, lists)) == [Status.REFUTED]


def test_without_the_list_of_the_organisation_or_without_any_it_is_a_question() -> None:
    assert _statuses(_says({"pay/handler.py": GUARDED}, {"actions_secrets": ["OLD_KEY"]})) == [Status.PLAUSIBLE]
    assert _statuses(_says({"pay/handler.py": GUARDED}, {})) == [Status.PLAUSIBLE]


def test_code_that_does_not_fail_on_an_empty_value_is_a_question() -> None:
    assert _statuses(_says({"pay/handler.py": UNGUARDED}, WHOLE)) == [Status.PLAUSIBLE]


def test_a_name_that_is_not_new_is_silent() -> None:
    assert _statuses(_says({"pay/handler.py": GUARDED}, WHOLE, after="OLD_KEY", extra="# more\n")) == []
    assert _statuses(_says({"pay/handler.py": GUARDED}, WHOLE, after="GITHUB_TOKEN")) == []
