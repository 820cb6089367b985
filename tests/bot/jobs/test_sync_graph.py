"""A sync of a whole account: what is found, what is joined, and what an error must not do. AWS is moto, in this process."""

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.jobs.sync_graph import sync_graph
from bot.storage.graph import StoredGraph
from context_graph.collecting import Collected, ScopeStatus
from context_graph.providers.aws.account import Account
from context_graph.providers.aws.registry import SERVICES

REGION = "eu-west-1"
FEW = [service for service in SERVICES if service.name in ("lambda", "sqs", "sns", "iam")]
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
ACCOUNT = "123456789012"
WORKER = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:worker"
ORDERS = f"arn:aws:sqs:{REGION}:{ACCOUNT}:orders"
DEAD = f"arn:aws:sqs:{REGION}:{ACCOUNT}:orders-dead"


def a_shop(session) -> None:
    queues = session.client("sqs")
    queues.create_queue(QueueName="orders-dead")
    redrive = json.dumps({"deadLetterTargetArn": DEAD, "maxReceiveCount": "4"})
    queues.create_queue(QueueName="orders", Attributes={"RedrivePolicy": redrive})
    url = queues.get_queue_url(QueueName="orders-dead")["QueueUrl"]
    role = session.client("iam").create_role(RoleName="worker", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("a.py", "def h(e, c): ...")
    session.client("lambda").create_function(
        FunctionName="worker", Runtime="python3.12", Role=role, Handler="a.h", Code={"ZipFile": body.getvalue()}, Timeout=7,
        Environment={"Variables": {"DEAD_LETTERS": url, "PASSWORD": "hunter2-and-more"}},
    )  # fmt: skip
    session.client("lambda").create_event_source_mapping(FunctionName="worker", EventSourceArn=ORDERS, BatchSize=5)


def sync(session, engine: sa.Engine, *, hours: int = 0) -> dict[str, Collected]:
    told: list[Collected] = []
    collectors = Account(session).collectors(FEW, [REGION], now=NOON + timedelta(hours=hours))
    sync_graph(collectors, engine, told=told.append)
    return {one.scope.service: one for one in told}


def test_an_account_is_read_and_its_resources_are_joined(session, engine: sa.Engine) -> None:
    a_shop(session)

    told = sync(session, engine)

    graph = StoredGraph(engine)
    edges = {(e.source, e.relation.value, e.target) for e in graph.edges_from([WORKER, ORDERS])}
    assert {(ORDERS, "triggers", WORKER), (ORDERS, "publishes_to", DEAD), (WORKER, "connects_to", DEAD)} <= edges
    assert {one.status for one in told.values()} == {ScopeStatus.OK}
    [worker] = graph.resources([WORKER])
    assert (worker.attributes["timeout_s"], worker.attributes["environment_keys"]) == (7, ["DEAD_LETTERS", "PASSWORD"])


def test_no_value_of_a_variable_reaches_the_database(session, engine: sa.Engine, tmp_path: Path) -> None:
    a_shop(session)

    sync(session, engine)

    engine.dispose()
    assert b"hunter2" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_a_refused_listing_is_denied_and_retires_nothing(session, engine: sa.Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    from botocore.client import BaseClient
    from botocore.exceptions import ClientError

    a_shop(session)
    sync(session, engine)
    honest = BaseClient._make_api_call

    def refuse(client, operation, parameters):
        if operation in ("ListFunctions", "ListEventSourceMappings"):
            raise ClientError({"Error": {"Code": "AccessDeniedException", "Message": "not authorized"}}, operation)
        return honest(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", refuse)
    told = sync(session, engine, hours=1)

    assert told["lambda"].status is ScopeStatus.DENIED
    assert told["lambda"].denied == ["lambda:ListEventSourceMappings", "lambda:ListFunctions"]
    assert StoredGraph(engine).kinds_of([WORKER])
    assert told["sqs"].status is ScopeStatus.OK


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("QueueDoesNotExist", ScopeStatus.OK),  # gone between the listing and the question: nobody's fault
        ("AWS.SimpleQueueService.NonExistentQueue", ScopeStatus.OK),
        ("AccessDenied", ScopeStatus.PARTIAL),
        ("ThrottlingException", ScopeStatus.PARTIAL),
        ("InternalFailure", ScopeStatus.PARTIAL),
    ],
)
def test_a_detail_that_fails_costs_that_detail_only(
    session, engine: sa.Engine, monkeypatch: pytest.MonkeyPatch, code: str, status: ScopeStatus
) -> None:
    from botocore.client import BaseClient
    from botocore.exceptions import ClientError

    a_shop(session)
    honest = BaseClient._make_api_call

    def fail(client, operation, parameters):
        if operation == "GetQueueAttributes" and parameters["QueueUrl"].endswith("-dead"):
            raise ClientError({"Error": {"Code": code, "Message": "no"}}, operation)
        return honest(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", fail)
    told = sync(session, engine)

    assert told["sqs"].status is status
    assert set(StoredGraph(engine).kinds_of([ORDERS, DEAD])) == {ORDERS}


def test_a_resource_that_was_deleted_is_retired_by_the_next_sync(session, engine: sa.Engine) -> None:
    a_shop(session)
    sync(session, engine)
    session.client("lambda").delete_function(FunctionName="worker")

    sync(session, engine, hours=1)

    assert StoredGraph(engine).kinds_of([WORKER, ORDERS]) == {ORDERS: ("aws.sqs.queue", "orders")}


@pytest.mark.long
def test_more_queues_than_one_page_holds_are_all_read(session, engine: sa.Engine) -> None:
    queues = session.client("sqs")
    for number in range(1003):
        queues.create_queue(QueueName=f"q{number}")

    told = sync(session, engine)

    assert len(told["sqs"].resources) == 1003
