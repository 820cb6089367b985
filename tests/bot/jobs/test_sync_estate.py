"""A sync of an account that has one of everything: edges of every service, and the permissions that it takes."""

from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from bot.jobs.sync_graph import sync_graph
from bot.live import iam_policy_of_sync
from bot.storage.tables import EDGE, NODE
from context_graph.collecting import ScopeStatus
from context_graph.providers.aws.account import Account
from context_graph.providers.aws.permissions import permission_of
from context_graph.providers.aws.registry import SERVICES, all_permissions

REGION = "eu-west-1"
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The permission of every call that leaves boto3, seen at its last door."""
    from botocore.client import BaseClient

    calls: set[str] = set()
    honest = BaseClient._make_api_call

    def noted(client, operation, parameters):
        method = next(m for m, o in client.meta.method_to_api_mapping.items() if o == operation)
        calls.add(permission_of(client, method))
        return honest(client, operation, parameters)

    monkeypatch.setattr(BaseClient, "_make_api_call", noted)
    return calls


@pytest.mark.slow
def test_every_service_is_read_joined_and_takes_exactly_the_permissions_that_are_printed(
    estate, recorded: set[str], engine: sa.Engine
) -> None:
    recorded.clear()
    account = Account(estate)

    regions = account.regions()
    ended = sync_graph(account.collectors(SERVICES, [REGION], now=NOON), engine, told=lambda _: None)

    assert REGION in regions
    assert {f"{one.scope.service}: {one.status.value} {one.why}" for one in ended if one.status is not ScopeStatus.OK} == set()
    assert sorted(recorded) == all_permissions()
    assert iam_policy_of_sync()["Statement"][0]["Action"] == sorted(recorded)
    with engine.connect() as connection:
        kept = "".join(map(str, connection.execute(sa.select(NODE.c.attributes, NODE.c.name)).all()))
    assert "hunter2" not in kept
    assert edges_in(engine) == {tuple(line.split()) for line in EDGES.strip().splitlines()}


def edges_in(engine: sa.Engine) -> set[tuple[str, ...]]:
    """`lambda.function/worker writes_to dynamodb.table/orders`; what has a made-up id goes by its kind and name."""
    source, target = NODE.alias(), NODE.alias()
    with engine.connect() as connection:
        rows = connection.execute(
            sa.select(source.c.kind, source.c.name, EDGE.c.relation, target.c.kind, target.c.name)
            .join(EDGE, EDGE.c.source == source.c.number)
            .join(target, target.c.number == EDGE.c.target)
        ).all()
    made_up = ("aws.cloudfront.distribution",)
    return {
        (
            f"{sk.removeprefix('aws.')}/{'?' if sk in made_up else sn}",
            relation,
            f"{tk.removeprefix('aws.')}/{tn}",
        )
        for sk, sn, relation, tk, tn in rows
    }


EDGES = """
apigateway.api/shop routes_to lambda.function/worker
apigateway.api/web routes_to lambda.function/stream
cloudfront.distribution/? routes_to elb.loadbalancer/front
cloudwatch.alarm/orders-old depends_on sqs.queue/orders
cloudwatch.alarm/orders-old publishes_to sns.topic/paid
ecs.service/web connects_to rds.instance/ledger
ecs.service/web depends_on ecs.cluster/core
ecs.service/web depends_on ecs.task_definition/web
ecs.service/web depends_on iam.role/worker
ecs.service/web publishes_to sns.topic/paid
ecs.service/web reads_from s3.bucket/uploads
ecs.service/web reads_from ssm.parameter//shop/limit
ecs.service/web writes_to dynamodb.table/orders
ecs.task_definition/web connects_to rds.instance/ledger
ecs.task_definition/web depends_on iam.role/worker
ecs.task_definition/web publishes_to sns.topic/paid
ecs.task_definition/web reads_from s3.bucket/uploads
ecs.task_definition/web reads_from ssm.parameter//shop/limit
ecs.task_definition/web writes_to dynamodb.table/orders
eks.cluster/main depends_on iam.role/worker
elb.listener/HTTP:80 depends_on elb.loadbalancer/front
elb.listener/HTTP:80 routes_to elb.target_group/web
elb.loadbalancer/front routes_to ecs.service/web
elb.loadbalancer/front routes_to elb.target_group/web
elb.target_group/web routes_to ecs.service/web
events.rule/nightly triggers lambda.function/worker
firehose.delivery_stream/archive depends_on iam.role/worker
firehose.delivery_stream/archive writes_to s3.bucket/uploads
iam.role/worker depends_on iam.policy/tells
kinesis.stream/clicks triggers firehose.delivery_stream/archive
lambda.function/stream depends_on iam.role/worker
lambda.function/stream publishes_to sns.topic/paid
lambda.function/stream reads_from s3.bucket/uploads
lambda.function/stream writes_to dynamodb.table/orders
lambda.function/worker depends_on iam.role/worker
lambda.function/worker depends_on logs.group//aws/lambda/worker
lambda.function/worker publishes_to sns.topic/paid
lambda.function/worker publishes_to sqs.queue/orders-dead
lambda.function/worker reads_from secretsmanager.secret/pay/key
lambda.function/worker writes_to dynamodb.table/orders
pipes.pipe/through depends_on iam.role/worker
pipes.pipe/through triggers lambda.function/stream
route53.record/www.example.com depends_on route53.zone/example.com
route53.record/www.example.com routes_to elb.loadbalancer/front
route53.zone/example.com routes_to elb.loadbalancer/front
s3.bucket/uploads triggers lambda.function/worker
scheduler.schedule/hourly depends_on iam.role/worker
scheduler.schedule/hourly triggers lambda.function/worker
sns.topic/paid publishes_to sqs.queue/orders
sqs.queue/orders publishes_to sqs.queue/orders-dead
sqs.queue/orders triggers lambda.function/worker
sqs.queue/orders-dead triggers pipes.pipe/through
stepfunctions.state_machine/flow depends_on iam.role/worker
stepfunctions.state_machine/flow invokes lambda.function/worker
stepfunctions.state_machine/flow publishes_to sns.topic/paid
stepfunctions.state_machine/flow reads_from s3.bucket/uploads
stepfunctions.state_machine/flow writes_to dynamodb.table/orders
"""
