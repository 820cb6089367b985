"""Kinds of resources that something here reads: any other is kept, and the report says so once."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Protocol

_SERVICES: dict[str, str] = {
    "aws": "apigateway apigatewayv2 apprunner appsync autoscaling batch beanstalk cloudformation cloudfront cloudwatch cognito docdb "
    "dynamodb ebs ec2 ecr ecs efs eks elasticache elasticsearch elb events firehose iam kinesis kms lambda logs memorydb mq msk "
    "neptune opensearch opensearchserverless pipes rds redshift route53 s3 scheduler secretsmanager sns sqs ssm stepfunctions timestream",
    "azure": "app cdn compute cosmosdb eventhub key mssql postgresql redis servicebus sql storage vm",
    "cloudflare": "analytics_engine container d1 d1_database dispatch_namespace dns durable_object durable_object_namespace hyperdrive "
    "kv kv_namespace pipeline queue queue_consumer r2 r2_bucket vectorize worker workers_custom_domain workers_route workflow zone",
    "compose": "config secret service volume",
    "gcp": "cloudrun compute loadbalancer memorystore pubsub run sql storage",
    "github": "repository workflow",
    "kafka": "consumer_group topic",
    "rabbitmq": "exchange queue",
    "external": "api http service",
}
"""Provider → its services; every kind of one of them is known."""

_WHOLE = frozenset(("kubernetes", "docker", "team", "fly", "vercel"))
"""Providers all of whose kinds are known."""


class Kinded(Protocol):
    """Anything of a kind."""

    @property
    def kind(self) -> str:
        """`provider.service.type`, or a single word."""
        ...


def is_known(kind: str) -> bool:
    """Whether something here reads resources of this kind."""
    provider, _, rest = kind.partition(".")
    return provider in _WHOLE or rest.partition(".")[0] in _SERVICES.get(provider, "").split()


def unknown_kinds(resources: Iterable[Kinded]) -> Iterator[str]:
    """A sentence for each kind that is not known, however many resources are of it."""
    counted = Counter(one.kind for one in resources if one.kind and not is_known(one.kind))
    for kind, number in sorted(counted.items()):
        are = f"{number:,} resources are" if number > 1 else "one resource is"
        yield f"{are} of the kind {kind}, which gonogo does not know: read as it stands"
