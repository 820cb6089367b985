"""What a role's policies make of its workload's connections."""

import pytest

from context_graph.collecting import Grants
from context_graph.permits import named_in, settle
from gonogo.resource import Edge, Relation

HERE = "eu-west-1:111122223333"
WORKER, ROLE = f"arn:aws:lambda:{HERE}:function:worker", "arn:aws:iam::111122223333:role/worker"
TABLE, QUEUE, BUCKET = f"arn:aws:dynamodb:{HERE}:table/orders", f"arn:aws:sqs:{HERE}:jobs", "arn:aws:s3:::uploads"
SECRET, API = f"arn:aws:secretsmanager:{HERE}:secret:pay-AbCdEf", "arn:aws:apigateway:eu-west-1::/restapis/a1"


def settled(target: str | None, allowed: list, denied: list = [], *, joined: set = frozenset()) -> set[tuple[str, str]]:  # noqa: B006
    grants = {ROLE: Grants(allowed, denied)}
    edges = [Edge(source=WORKER, target=target, relation=Relation.CONNECTS_TO, evidence="variable X")] if target else []
    found = settle(edges, {WORKER: ROLE}, grants, set(named_in([ROLE], grants)), joined)
    return {(e.relation.value, e.target) for e in (*found.left, *found.by_policy)}


@pytest.mark.parametrize(
    ("target", "allowed", "expected"),
    [
        (QUEUE, [("sqs:SendMessage", QUEUE)], {"publishes_to"}),
        (QUEUE, [("SQS:ReceiveMessage", "arn:aws:sqs:*:*:j?bs")], {"reads_from"}),
        (QUEUE, [("sqs:*", "*")], {"publishes_to", "reads_from"}),
        (QUEUE, [("sqs:DeleteMessage", QUEUE)], {"connects_to"}),  # says nothing of the direction
        (QUEUE, [("sqs:SendMessage", f"{QUEUE}-other")], {"connects_to"}),
        (TABLE, [("dynamodb:PutItem", TABLE), ("dynamodb:Query", f"{TABLE}/index/*")], {"writes_to", "reads_from"}),
        (TABLE, [("dynamodb:Update*", f"arn:aws:dynamodb:{HERE}:table/*")], {"writes_to"}),
        (BUCKET, [("s3:PutObject", f"{BUCKET}/in/*")], {"writes_to"}),
        (BUCKET, [("s3:Get*", "arn:aws:s3:::*")], {"reads_from"}),
        (WORKER + "-2", [("lambda:InvokeFunction", f"{WORKER}-2:*")], {"invokes"}),
        (API, [("execute-api:Invoke", f"arn:aws:execute-api:{HERE}:a1/prod/GET/*")], {"invokes"}),
        (SECRET, [("secretsmanager:GetSecretValue", f"arn:aws:secretsmanager:{HERE}:secret:pay-??????")], {"reads_from"}),
    ],
)  # fmt: skip
def test_a_policy_settles_the_direction_of_what_configuration_names(target, allowed, expected) -> None:
    assert {relation for relation, found in settled(target, allowed) if found == target} == expected


def test_what_is_forbidden_again_is_not_allowed() -> None:
    allowed = [("dynamodb:*", TABLE)]

    assert settled(TABLE, allowed, [("dynamodb:PutItem", "*")]) == {("writes_to", TABLE), ("reads_from", TABLE)}
    writes = [(f"dynamodb:{verb}", "*") for verb in ("Put*", "Update*", "Delete*", "BatchWrite*", "PartiQL*")]
    assert settled(TABLE, allowed, writes) == {("reads_from", TABLE)}
    assert settled(TABLE, allowed, [("*", "*")]) == {("connects_to", TABLE)}


def test_a_policy_alone_makes_an_edge_only_to_what_it_names_in_full() -> None:
    assert settled(None, [("sns:Publish", "arn:aws:sns:eu-west-1:1:paid"), ("s3:GetObject", f"{BUCKET}/*")]) == {
        ("publishes_to", "arn:aws:sns:eu-west-1:1:paid"), ("reads_from", BUCKET)
    }  # fmt: skip
    assert settled(None, [("dynamodb:*", "*"), ("sqs:SendMessage", f"arn:aws:sqs:{HERE}:*")]) == set()


def test_what_triggers_a_workload_is_not_said_again_as_reading() -> None:
    assert settled(None, [("sqs:ReceiveMessage", QUEUE)], joined={(QUEUE, WORKER)}) == set()


def test_many_stars_in_a_policy_do_not_take_for_ever() -> None:
    assert settled(QUEUE, [("sqs:*", "arn:" + "*a" * 30 + "!")]) == {("connects_to", QUEUE)}


def test_a_workload_without_a_known_role_keeps_its_connections() -> None:
    edge = Edge(source=WORKER, target=QUEUE, relation=Relation.CONNECTS_TO)

    assert settle([edge], {WORKER: ROLE}, {}, set(), set()).left == [edge]
