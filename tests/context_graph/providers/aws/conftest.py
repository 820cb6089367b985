"""AWS's answers as a test writes them, at boto3's last door: what the double of all of AWS lacks or has wrong."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from context_graph.collecting import Collected
from context_graph.providers.aws.account import Account
from context_graph.providers.aws.registry import SERVICES

REGION, ACCOUNT = "eu-west-1", "111122223333"


class FakeAws:
    """Operation → its answer, a list of answers for one call after the other, or a function of the parameters.

    An operation without an answer gives an empty one, as a service without resources does.
    """

    def __init__(self) -> None:
        self.answers: dict[str, object] = {"GetCallerIdentity": {"Account": ACCOUNT}}
        self.calls: list[tuple[str, dict]] = []

    def answer(self, operation: str, parameters: dict) -> dict:
        self.calls.append((operation, parameters))
        found = self.answers.get(operation, {})
        if isinstance(found, list):
            found = found.pop(0)
        if isinstance(found, Exception):
            raise found
        return found(parameters) if callable(found) else found

    def collect(self, service: str) -> Collected:
        import boto3

        session = boto3.Session(region_name=REGION, aws_access_key_id="a", aws_secret_access_key="b")
        [wanted] = [one for one in SERVICES if one.name == service]
        [collector] = Account(session).collectors([wanted], [REGION], now=datetime(2026, 11, 30, tzinfo=UTC))
        return collector.collect()


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> FakeAws:
    from botocore.client import BaseClient

    fake = FakeAws()
    monkeypatch.setattr(BaseClient, "_make_api_call", lambda _, operation, parameters: fake.answer(operation, parameters))
    return fake


@pytest.fixture
def refused() -> Callable[..., Exception]:
    """An error as botocore raises it."""
    from botocore.exceptions import ClientError

    def make(code: str, http: int = 400) -> Exception:
        return ClientError({"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": http}}, "Any")

    return make


@pytest.fixture
def edges() -> Callable[[Collected], set[str]]:
    """`source relation target`, ARNs without their first five parts."""

    def short(at: str) -> str:
        return at.split(":", 5)[-1] if at.startswith("arn:") else at

    return lambda one: {f"{short(e.source)} {e.relation.value} {short(e.target)}" for e in one.edges}


@pytest.fixture
def attributes() -> Callable[[Collected, str], dict]:
    """The attributes of the one resource of that name."""

    def of(one: Collected, name: str) -> dict:
        [found] = [r for r in one.resources if r.name == name]
        return dict(found.attributes)

    return of
