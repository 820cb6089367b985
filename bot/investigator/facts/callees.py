"""What a changed client calls: live edges of the deployed resources, told apart only by exact names in the code."""

from collections.abc import Iterator

from bot.investigator.case import Case
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from heuristics.limits.changed import Changed, normal_name, words_of
from heuristics.limits.named import addresses_in_manifests, services_named

_CALLS = (
    Relation.INVOKES,
    Relation.CONNECTS_TO,
    Relation.READS_FROM,
    Relation.WRITES_TO,
    Relation.PUBLISHES_TO,
    Relation.DEPENDS_ON,
)
_STORES = (
    "aws.rds", "aws.dynamodb", "aws.elasticache", "aws.s3", "aws.sqs", "aws.sns", "aws.kinesis", "aws.iam", "aws.ec2", "aws.secretsmanager",
    "aws.ssm", "aws.docdb", "aws.opensearch", "aws.msk", "gcp.sql", "gcp.pubsub", "gcp.storage", "gcp.memorystore", "google.sql", "azure.sql",
    "cloudflare.kv", "cloudflare.d1", "cloudflare.r2", "cloudflare.queue", "kafka", "rabbitmq", "redis", "postgres", "mysql", "mongodb", "memcached",
    "team", "github", "host", "kubernetes.configmap", "kubernetes.secret",
)  # fmt: skip
_DATABASES = (
    "aws.rds",
    "gcp.sql",
    "google.sql",
    "azure.sql",
    "postgres",
    "mysql",
    "mongodb",
    "aws.docdb",
    "cloudflare.d1",
    "neon",
    "supabase",
    "planetscale",
)
_CACHES = ("aws.elasticache", "gcp.memorystore", "redis", "memcached", "upstash", "aws.memorydb")
_WORKLOADS = (
    "aws.lambda", "aws.ecs.service", "kubernetes.deployment", "kubernetes.statefulset", "kubernetes.daemonset", "kubernetes.cronjob", "kubernetes.job",
    "cloudflare.worker", "gcp.run", "google.cloudrun", "fly", "nomad", "docker", "heroku", "azure.app", "aws.apprunner", "render", "aws.beanstalk", "aws.ec2.instance",
)  # fmt: skip

PLAIN_NAMES = frozenset(
    words_of(
        "client clients api service services gateway adapter connector http https rest grpc sdk remote external proxy caller repository impl default"
    )
)
"""Words of a service's or a file's name that tell it from no other."""


class Callee(Record):
    """A caller that this repository deploys, and what it calls. `is_certain` is False when several could be meant."""

    caller: Resource
    target: str
    relation: Relation
    is_certain: bool


def called(case: Case, changed: Changed) -> tuple[Callee, ...]:
    """The services that a client near the changed value may call, exactly one and certain when the code says which."""
    return _chosen(case, changed, list(called_services(case)))


def called_services(case: Case) -> tuple[Callee, ...]:
    """All services, no stores, that the deployed workloads call."""
    return tuple(
        one for one in _outgoing(case) if not _kind(case, one.target).startswith(_STORES) and not is_database(case, one.target)
    )


def databases(case: Case) -> tuple[Callee, ...]:
    """Databases of the deployed resources."""
    return _certain_when_sole([one for one in _outgoing(case) if is_database(case, one.target)])


_ENGINES = ("postgres", "mysql", "maria", "aurora", "oracle", "sqlserver", "mssql", "mongo", "cockroach", "clickhouse", "timescale", "percona", "tidb", "yugabyte", "cassandra", "scylla")  # fmt: skip


def is_database(case: Case, resource: str) -> bool:
    """By its kind, by statistics that were read of it, or by the engine that its configuration names (a StatefulSet, a VM)."""
    found = case.production.resource(resource)
    engine = str(found.attributes.get("engine", "")).lower() if found is not None else ""
    return (
        _kind(case, resource).startswith(_DATABASES)
        or case.production.database(resource) is not None
        or engine.startswith(_ENGINES)
        or any(word in _kind(case, resource) for word in ("postgresql", "mysql", "mariadb", "mongodb"))
    )


def caches(case: Case) -> tuple[Callee, ...]:
    """Caches of the deployed resources."""
    return _certain_when_sole([one for one in _outgoing(case) if _kind(case, one.target).startswith(_CACHES)])


def own_workloads(case: Case) -> tuple[Resource, ...]:
    """The workloads that this very repository deploys to."""
    mine = {e.target for e in case.out_of(case.repository, Relation.DEPLOYS_TO)}
    return tuple(r for r in case.deployed() if r.kind.startswith(_WORKLOADS) and r.id in mine)


def workload_of(case: Case, file: str) -> Resource | None:
    """The one workload that runs a file: the only one, or the one whose name is a folder of the path."""
    mine = own_workloads(case)
    if len(mine) == 1:
        return mine[0]
    folders = {normal_name(part.rpartition(".")[0] or part) for part in file.split("/")}
    named = [r for r in mine if normal_name(r.name) in folders]
    return named[0] if len(named) == 1 else None


def short(case: Case, resource: str) -> str:
    """The name of a resource for a sentence."""
    found = case.production.resource(resource)
    return found.name if found is not None and found.name else resource.rpartition(":")[2].rpartition("/")[2] or resource


def _outgoing(case: Case) -> Iterator[Callee]:
    for caller in own_workloads(case):
        for edge in case.out_of(caller.id, *_CALLS):
            if edge.target != caller.id:
                yield Callee(caller, edge.target, edge.relation, is_certain=True)


def _chosen(case: Case, changed: Changed, candidates: list[Callee]) -> tuple[Callee, ...]:
    targets = {one.target for one in candidates}
    named = services_named(changed, case.diff) if targets else frozenset[str]()
    known = addresses_in_manifests(case.diff) if targets else {}
    named = named | {known[name] for name in named if name in known}
    exact = [one for one in candidates if normal_name(short(case, one.target)) in named]
    if len({one.target for one in exact}) == 1:
        return (exact[0],)
    own = _named_by_its_file(case, changed.file, candidates) if not exact and len(targets) > 1 else []
    if len({one.target for one in own}) == 1:
        return (own[0],)
    if len(targets) == 1 and (not named or _shares_a_word(short(case, candidates[0].target), named)):
        return (candidates[0],)
    return tuple(Callee(c.caller, c.target, c.relation, is_certain=False) for c in candidates)


def _named_by_its_file(case: Case, file: str, candidates: list[Callee]) -> list[Callee]:
    """`CarrierClient.java` and `internal/inventory/client.go` are the clients of the carrier and of the inventory."""
    parts = file.split("/")
    for part in (parts[-1].partition(".")[0], *parts[-2:-1]):
        words = frozenset(words_of(part)) - PLAIN_NAMES
        if words:
            return [one for one in candidates if frozenset(words_of(short(case, one.target))) - PLAIN_NAMES == words]
    return []


def _shares_a_word(name: str, named: frozenset[str]) -> bool:
    """Whether a word is in both, also as a plural: `RATES_URL` is of `rate-engine`."""
    mine = {_singular(word) for word in words_of(name)}
    return any(mine & {_singular(word) for word in other.split("-")} for other in named)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _certain_when_sole(candidates: list[Callee]) -> tuple[Callee, ...]:
    targets = {one.target for one in candidates}
    return tuple(Callee(c.caller, c.target, c.relation, is_certain=len(targets) == 1) for c in candidates)


def _kind(case: Case, resource: str) -> str:
    found = case.production.resource(resource)
    if found is not None:
        return found.kind
    return next((a.kind for a in case.affected if a.resource == resource), "")
