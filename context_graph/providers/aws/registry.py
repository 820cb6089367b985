"""Every service that is read, in the order in which they are asked."""

from context_graph.providers.aws.asking import Service
from context_graph.providers.aws.services import (
    apigateway,
    cloudfront,
    cloudwatch,
    dynamodb,
    ecs,
    eks,
    elasticache,
    elbv2,
    events,
    firehose,
    iam,
    kinesis,
    lambda_,
    logs,
    pipes,
    rds,
    route53,
    s3,
    scheduler,
    secretsmanager,
    sns,
    sqs,
    ssm,
    stepfunctions,
)

SERVICES: tuple[Service, ...] = (
    Service("lambda", lambda_.collect, lambda_.PERMISSIONS),
    Service("sqs", sqs.collect, sqs.PERMISSIONS),
    Service("sns", sns.collect, sns.PERMISSIONS),
    Service("iam", iam.collect, iam.PERMISSIONS, is_global=True),
    Service("events", events.collect, events.PERMISSIONS),
    Service("scheduler", scheduler.collect, scheduler.PERMISSIONS),
    Service("pipes", pipes.collect, pipes.PERMISSIONS),
    Service("stepfunctions", stepfunctions.collect, stepfunctions.PERMISSIONS),
    Service("apigateway", apigateway.collect, apigateway.PERMISSIONS),
    Service("dynamodb", dynamodb.collect, dynamodb.PERMISSIONS),
    Service("rds", rds.collect, rds.PERMISSIONS),
    Service("elasticache", elasticache.collect, elasticache.PERMISSIONS),
    Service("ecs", ecs.collect, ecs.PERMISSIONS),
    Service("eks", eks.collect, eks.PERMISSIONS),
    Service("elbv2", elbv2.collect, elbv2.PERMISSIONS),
    Service("s3", s3.collect, s3.PERMISSIONS, is_global=True),
    Service("kinesis", kinesis.collect, kinesis.PERMISSIONS),
    Service("firehose", firehose.collect, firehose.PERMISSIONS),
    Service("cloudfront", cloudfront.collect, cloudfront.PERMISSIONS, is_global=True),
    Service("route53", route53.collect, route53.PERMISSIONS, is_global=True),
    Service("secretsmanager", secretsmanager.collect, secretsmanager.PERMISSIONS),
    Service("ssm", ssm.collect, ssm.PERMISSIONS),
    Service("cloudwatch", cloudwatch.collect, cloudwatch.PERMISSIONS),
    Service("logs", logs.collect, logs.PERMISSIONS),
)
"""One module a service, each with `collect(ask)` and the permissions that takes."""

ACCOUNT_PERMISSIONS = ("account:ListRegions", "sts:GetCallerIdentity")
"""What opening the account takes, whatever is read of it. AWS allows the last to everybody; it is listed so that nothing is silent."""


def all_permissions() -> list[str]:
    """Every permission that a sync uses, sorted."""
    return sorted({*ACCOUNT_PERMISSIONS, *(permission for service in SERVICES for permission in service.permissions)})
