"""Who a configuration's text names."""

from collections.abc import Collection, Mapping

import pytest

from context_graph.collecting import Mention, Scope
from context_graph.naming import edges_of
from gonogo.resource import Relation

HERE = Scope("aws", "111122223333", "eu-west-1", "lambda")
TABLE = "arn:aws:dynamodb:eu-west-1:111122223333:table/orders"
ELSEWHERE = "arn:aws:dynamodb:eu-west-2:111122223333:table/orders"
QUEUE = "arn:aws:sqs:eu-west-1:111122223333:jobs"
DATABASE = "arn:aws:rds:eu-west-1:111122223333:db:ledger"
SECRET = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:pay/key-AbCdEf"
TOPIC = "arn:aws:sns:eu-west-1:111122223333:paid"

KINDS = {
    TABLE: ("aws.dynamodb.table", "orders"),
    ELSEWHERE: ("aws.dynamodb.table", "orders"),
    QUEUE: ("aws.sqs.queue", "jobs"),
    DATABASE: ("aws.rds.instance", "ledger"),
    SECRET: ("aws.secretsmanager.secret", "pay/key"),
    TOPIC: ("aws.sns.topic", "paid"),
    "arn:aws:iam::111122223333:role/orders": ("aws.iam.role", "orders"),
}
CALLED = {
    "ledger.abc.eu-west-1.rds.amazonaws.com": {DATABASE},
    "https://sqs.eu-west-1.amazonaws.com/111122223333/jobs": {QUEUE},
    "sqs.eu-west-1.amazonaws.com": set(),
    "shared.example.com": {TABLE, QUEUE},
}


class Known:
    def kinds_of(self, ids: Collection[str]) -> Mapping[str, tuple[str, str]]:
        return {i: KINDS[i] for i in ids if i in KINDS}

    def named(self, kinds: Collection[str], names: Collection[str]) -> Mapping[str, tuple[str, str]]:
        return {i: k for i, k in KINDS.items() if k[0] in kinds and k[1] in names}

    def called(self, values: Collection[str]) -> Mapping[str, Collection[str]]:
        return {v: CALLED[v] for v in values if v in CALLED}


def named_by(value: str) -> dict[str, str]:
    edges = edges_of([Mention(source="arn:me", value=value, evidence="environment variable X")], HERE, Known())
    return {e.target: e.relation.value for e in edges}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("orders", {TABLE: "connects_to"}),  # the one of this region; the role of the same name is nothing a program is told
        (TABLE, {TABLE: "connects_to"}),
        (f"{TABLE}/stream/2026-01-01T00:00:00.000", {TABLE: "connects_to"}),
        (f"{TABLE}/index/by-date", {TABLE: "connects_to"}),
        ("https://sqs.eu-west-1.amazonaws.com/111122223333/jobs", {QUEUE: "connects_to"}),
        ("https://sqs.eu-west-1.amazonaws.com/111122223333/jobs?x=1", {QUEUE: "connects_to"}),
        ("postgres://app:s3cret@ledger.abc.eu-west-1.rds.amazonaws.com:5432/main", {DATABASE: "connects_to"}),
        ("ledger.abc.eu-west-1.rds.amazonaws.com", {DATABASE: "connects_to"}),
        ("LEDGER.abc.eu-west-1.rds.amazonaws.com:5432", {DATABASE: "connects_to"}),
        (f'{{"queue": "{QUEUE}", "tables": ["orders"]}}', {QUEUE: "connects_to", TABLE: "connects_to"}),
        ("jobs,orders", {QUEUE: "connects_to", TABLE: "connects_to"}),
        ("pay/key", {SECRET: "reads_from"}),
        ("orders-archive", {}),
        ("my orders table", {}),
        ("shared.example.com", {}),
        ("https://", {}),
        ("http://[", {}),
        ("", {}),
        ("[" * 50_000, {}),
    ],
)
def test_a_text_names_exactly_the_resource_it_says(value: str, expected: dict[str, str]) -> None:
    assert named_by(value) == expected


def test_an_arn_of_another_account_is_an_edge_although_nobody_listed_it() -> None:
    other = "arn:aws:sqs:eu-west-1:999900001111:theirs"

    assert named_by(other) == {other: Relation.CONNECTS_TO.value}


def test_an_arn_of_this_account_that_no_scope_listed_is_no_edge() -> None:
    assert named_by("arn:aws:sqs:eu-west-1:111122223333:gone") == {}


def test_the_value_is_neither_in_the_edge_nor_in_what_is_printed() -> None:
    mention = Mention(
        source="arn:me", value="postgres://u:hunter2@ledger.abc.eu-west-1.rds.amazonaws.com/x", evidence="variable D"
    )

    [edge] = edges_of([mention], HERE, Known())

    assert "hunter2" not in edge.model_dump_json() + repr(mention)


def test_what_stands_in_front_of_the_source_leads_to_it() -> None:
    host = "ledger.abc.eu-west-1.rds.amazonaws.com"
    mention = Mention(
        source="kubernetes:prod/shop/ingress/front", value=host, evidence="status", relation=Relation.ROUTES_TO, is_back=True
    )

    [edge] = edges_of([mention], HERE, Known())

    assert (edge.source, edge.relation, edge.target) == (DATABASE, Relation.ROUTES_TO, "kubernetes:prod/shop/ingress/front")
