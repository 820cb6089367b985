"""A sync of an account that has one of everything: edges of every service, and the permissions that it takes."""

from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from bot.jobs.sync_graph import sync_graph
from bot.storage.graph import StoredGraph
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


def short(at: str) -> str:
    return at.replace(f"{REGION}:123456789012:", "").replace("arn:aws:", "")


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
    source, target = NODE.alias(), NODE.alias()
    with engine.connect() as connection:
        rows = connection.execute(
            sa.select(source.c.id, EDGE.c.relation, target.c.id, target.c.kind)
            .join(EDGE, EDGE.c.source == source.c.number)
            .join(target, target.c.number == EDGE.c.target)
        ).all()
        kinds = dict(connection.execute(sa.select(NODE.c.id, NODE.c.kind)).all())
    print("\n".join(sorted(f"{short(s)} {r} {short(t)}" for s, r, t, _ in rows)))
    assert 0
