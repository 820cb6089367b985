"""The estate that benchmarks/graph_bench.py measures: made from its size alone, the same at every run."""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from context_graph.collecting import Collected, Mention, Scope, ScopeStatus
from gonogo.resource import Edge, Relation, Resource
from gonogo.word import ResourceId

APP = 25
"""A repository and the 24 resources that it deploys."""
HUBS_A_THOUSAND = 2
_KINDS = ("aws.lambda.function", "aws.sqs.queue", "aws.dynamodb.table", "aws.sns.topic", "aws.rds.instance", "aws.ecs.service")
_USES = ("connects_to", "invokes", "publishes_to", "reads_from", "writes_to", "triggers", "depends_on")
_ATTRIBUTES = '{"timeout_s": 30, "memory_mb": 512, "runtime": "python3.12", "environment_keys": ["A", "B", "C"]}'


def estate_nodes(size: int, in_degrees: Sequence[int]) -> Iterator[tuple[object, ...]]:
    """Rows of `node`: number, id, kind, name, account, region, attributes, scope, in_degree."""
    for number in range(1, size + 1):
        is_repository = number % APP == 1
        kind = "github.repository" if is_repository else _KINDS[number % len(_KINDS)]
        yield number, node_id(number), kind, f"n{number}", "1", "eu-west-1", _ATTRIBUTES, 1, in_degrees[number]


def node_id(number: int) -> ResourceId:
    """What a node is called."""
    if number % APP == 1:
        return ResourceId(f"github:acme/app{number // APP}")
    return ResourceId(f"arn:aws:lambda:eu-west-1:111122223333:function:n{number}")


def estate_edges(size: int) -> Iterator[tuple[int, str, int]]:
    """Source, relation and target numbers, each once, sorted by source."""
    chance = random.Random(7)
    hubs = [1 + APP * n + 1 for n in range(max(1, size * HUBS_A_THOUSAND // 1000 // APP))]
    for first in range(1, size - APP + 2, APP):
        for number in range(first, first + APP):
            found: set[tuple[str, int]] = set()
            if number == first:
                found = {("deploys_to", other) for other in range(first + 1, first + APP)}
            for _ in range(3):
                where = chance.random()
                if where < 0.85:
                    target = first + 1 + chance.randrange(APP - 1)
                elif where < 0.95:
                    target = 2 + chance.randrange(size - 1)
                else:
                    target = hubs[int(len(hubs) * chance.random() ** 3)]
                if target % APP == 1 or number in {target, first}:
                    continue
                found.add((chance.choice(_USES), min(target, size)))
            for relation, target in sorted(found):
                yield number, relation, target


def repositories(size: int, count: int) -> list[ResourceId]:
    """Some of the repositories, the same at every run."""
    chance = random.Random(11)
    return [node_id(1 + APP * chance.randrange(size // APP)) for _ in range(count)]


def synthetic_scopes(count: int) -> Iterator[tuple[Scope, int]]:
    """Twenty scopes that hold `count` resources together."""
    for number in range(20):
        yield Scope("aws", "111122223333", f"region-{number // 5}", f"service{number % 5}"), count // 20


class Synthetic:
    """A collector whose scope holds functions with settings, an edge each and two variables that name another."""

    def __init__(self, scope: Scope, count: int) -> None:
        self.scope, self._count = scope, count

    def collect(self) -> Collected:
        """Everything at once, as a real one answers."""
        ids = [
            ResourceId(f"arn:aws:lambda:{self.scope.region}:111122223333:function:{self.scope.service}-{n}")
            for n in range(self._count)
        ]
        attributes = {
            "timeout_s": 30,
            "memory_mb": 512,
            "runtime": "python3.12",
            "environment_keys": [f"K{n}" for n in range(30)],
        }
        return Collected(
            self.scope,
            ScopeStatus.OK,
            datetime.now(UTC),
            [Resource(id=at, kind="aws.lambda.function", name=at.rpartition(":")[2], attributes=attributes) for at in ids],
            [Edge(source=at, target=ids[n - 1], relation=Relation.TRIGGERS) for n, at in enumerate(ids) if n],
            [Mention(at, other, "environment variable NEXT") for at, other in zip(ids, reversed(ids), strict=True)],
        )
