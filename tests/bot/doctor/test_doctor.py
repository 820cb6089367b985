"""`gonogo doctor`: each line says how a thing is and what to do; the exit status says whether something is missing."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.jobs.checkup import Found, look_around
from bot.storage.database import open_database
from bot.storage.database_state import database_state
from context_graph.providers.aws.account import Account
from context_graph.providers.aws.registry import SERVICES, all_permissions

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def looks(environment: dict, *, account=None, path: str | None = None) -> dict[str, tuple[Found, str]]:
    return {look.what: (look.found, look.said) for look in look_around(environment, account=account, now=NOW, path=path)}


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> dict:
    """Operation → answer or error; an empty answer without one."""
    from botocore.client import BaseClient

    found: dict = {"GetCallerIdentity": {"Account": "111122223333"}}

    def answer(_client, operation, _parameters):
        if isinstance(found.get(operation), Exception):
            raise found[operation]
        return found.get(operation, {})

    monkeypatch.setattr(BaseClient, "_make_api_call", answer)
    return found


def an_account() -> Account:
    import boto3

    return Account(boto3.Session(region_name="eu-west-1", aws_access_key_id="a", aws_secret_access_key="b"))


def refused(code: str) -> Exception:
    from botocore.exceptions import ClientError

    return ClientError({"Error": {"Code": code, "Message": "no"}}, "Any")


def test_without_git_it_says_to_install_it(tmp_path: Path) -> None:
    found = looks({"GONOGO_DATA_DIR": str(tmp_path)}, path=str(tmp_path))

    assert found["git"] == (Found.MISSING, "install git: changes are read through it")


def test_a_key_is_only_said_to_be_there(tmp_path: Path) -> None:
    environment = {"GONOGO_DATA_DIR": str(tmp_path), "ANTHROPIC_API_KEY": "sk-hunter2"}

    found = looks(environment)

    assert found["Anthropic key"][0] is Found.OK
    assert "hunter2" not in repr(found)
    assert looks({"GONOGO_DATA_DIR": str(tmp_path)})["Anthropic key"][0] is Found.UNUSED


def test_each_service_of_aws_is_allowed_or_the_missing_actions_are_named(answers: dict, tmp_path: Path) -> None:
    answers["ListQueues"] = refused("AccessDeniedException")
    answers["ListFunctions"] = {"Functions": [{"FunctionArn": "arn:aws:lambda:e:1:function:f", "FunctionName": "f"}]}
    answers["GetPolicy"] = refused("AccessDeniedException")

    found = looks({"GONOGO_DATA_DIR": str(tmp_path)}, account=an_account)

    assert found["AWS sqs"][0] is Found.MISSING
    assert "not allowed: sqs:ListQueues" in found["AWS sqs"][1]
    assert "not allowed: lambda:GetPolicy" in found["AWS lambda"][1]
    assert found["AWS eks"] == (Found.OK, "1 of 2 actions allowed; 1 not tried, nothing there to try them on")
    assert {what for what in found if what.startswith("AWS ")} == {f"AWS {service.name}" for service in SERVICES}


def test_only_the_first_of_a_list_is_looked_into(answers: dict, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from botocore.client import BaseClient

    asked: list[str] = []
    honest = BaseClient._make_api_call
    monkeypatch.setattr(BaseClient, "_make_api_call", lambda c, o, p: (asked.append(o), honest(c, o, p))[1])
    answers["ListTables"] = {"TableNames": ["a", "b", "c"], "LastEvaluatedTableName": "c"}

    looks({"GONOGO_DATA_DIR": str(tmp_path)}, account=an_account)

    assert (asked.count("ListTables"), asked.count("DescribeTable")) == (1, 1)


def test_credentials_that_open_nothing_are_missing_and_none_at_all_are_not_set_up(answers: dict, tmp_path: Path) -> None:
    from botocore.exceptions import NoCredentialsError

    environment = {"GONOGO_DATA_DIR": str(tmp_path)}
    answers["GetCallerIdentity"] = refused("ExpiredToken")
    assert looks(environment, account=an_account)["AWS"][0] is Found.MISSING

    answers["GetCallerIdentity"] = NoCredentialsError()
    assert looks(environment, account=an_account)["AWS"][0] is Found.UNUSED


def test_a_database_is_looked_at_and_not_changed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/g.db"

    assert "not there yet" in database_state(url)[1]
    assert not (tmp_path / "g.db").exists()
    open_database(url).dispose()
    assert "tables current" in database_state(url)[1]


@pytest.mark.parametrize("url", ["mysql://u:hunter2@h/x", "postgresql://u:hunter2@127.0.0.1:1/x", "nonsense"])
def test_a_database_that_cannot_be_used_is_said_without_its_password(url: str) -> None:
    is_fine, said = database_state(url)

    assert not is_fine
    assert "hunter2" not in said


def test_the_command_prints_the_exact_policy_and_ends_with_0(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "AWS_EC2_METADATA_DISABLED": "true"}
    command = [sys.executable, "-m", "bot.entrypoints.cli"]

    policy = subprocess.run([*command, "doctor", "--iam-policy"], capture_output=True, text=True, check=True, env=environment)
    whole = subprocess.run([*command, "doctor"], capture_output=True, text=True, check=False, env=environment)

    assert json.loads(policy.stdout)["Statement"][0]["Action"] == all_permissions()
    assert whole.returncode == 0
    assert policy.stdout.strip() in whole.stdout
    assert "GRANT pg_monitor" in whole.stdout


def test_something_missing_ends_with_3(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "AWS_EC2_METADATA_DISABLED": "true",
        "GONOGO_DATABASE_URL": "mysql://h/x",
    }

    done = subprocess.run(
        [sys.executable, "-m", "bot.entrypoints.cli", "doctor"], capture_output=True, text=True, check=False, env=environment
    )

    assert done.returncode == 3
    assert "missing     database" in done.stdout
