"""Every service that is read, in the order in which they are asked."""

from context_graph.providers.aws.asking import Service
from context_graph.providers.aws.services import lambda_, sns, sqs

SERVICES: tuple[Service, ...] = (
    Service("lambda", lambda_.collect),
    Service("sqs", sqs.collect),
    Service("sns", sns.collect),
)
