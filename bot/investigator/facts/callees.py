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


class Callee(Record):
    """A caller that this repository deploys, and what it calls. `is_certain` is False when several could be meant."""

    caller: Resource
    target: str
    relation: Relation
    is_certain: bool


def called(case: Case, changed: Changed) -> tuple[Callee, ...]:
    """The services that a client near the changed value may call, exactly one and certain when the code says which."""
    return _chosen(case, changed, [one for one in _outgoing(case) if not _kind(case, one.target).startswith(_STORES)])


def databases(case: Case) -> tuple[Callee, ...]:
    """Databases of the deployed resources."""
    return _certain_when_sole([one for one in _outgoing(case) if _kind(case, one.target).startswith(_DATABASES)])


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


_PLAIN = frozenset(
    words_of(
        "client clients api service services gateway adapter connector http https rest grpc sdk remote external proxy caller repository impl default"
    )
)


def _named_by_its_file(case: Case, file: str, candidates: list[Callee]) -> list[Callee]:
    """`CarrierClient.java` and `internal/inventory/client.go` are the clients of the carrier and of the inventory."""
    parts = file.split("/")
    for part in (parts[-1].partition(".")[0], *parts[-2:-1]):
        words = frozenset(words_of(part)) - _PLAIN
        if words:
            return [one for one in candidates if frozenset(words_of(short(case, one.target))) - _PLAIN == words]
    return []


def _shares_a_word(name: str, named: frozenset[str]) -> bool:
    mine = set(words_of(name))
    return any(mine & set(other.split("-")) for other in named)


def _certain_when_sole(candidates: list[Callee]) -> tuple[Callee, ...]:
    targets = {one.target for one in candidates}
    return tuple(Callee(c.caller, c.target, c.relation, is_certain=len(targets) == 1) for c in candidates)


def _kind(case: Case, resource: str) -> str:
    found = case.production.resource(resource)
    if found is not None:
        return found.kind
    return next((a.kind for a in case.affected if a.resource == resource), "")
