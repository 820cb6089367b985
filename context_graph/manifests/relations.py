"""What a reference from one resource to another means: the relation, from both kinds and the place of the reference."""

from context_graph.normal_form import canonical
from gonogo.resource import Relation

_PUBLISHED = {
    "aws.sqs.queue", "aws.sns.topic", "aws.events.bus", "aws.kinesis.stream", "aws.firehose.delivery_stream",
    "google.pubsub.topic", "google.cloud.tasks_queue", "azure.servicebus.queue", "azure.servicebus.topic", "azure.eventhub",
}  # fmt: skip
_ANNOUNCED = {"aws.sns.topic", "aws.events.bus", "google.pubsub.topic"}
"""What is only ever published to by whoever holds its name."""
_STORES = _PUBLISHED | {
    "aws.dynamodb.table", "aws.s3.bucket", "aws.rds.instance", "aws.rds.cluster", "aws.rds.cluster_instance", "aws.rds.proxy",
    "aws.elasticache.cluster", "aws.elasticache.serverless_cache", "aws.memorydb.cluster", "aws.opensearch.domain",
    "aws.opensearchserverless.collection", "aws.docdb.cluster", "aws.neptune.cluster", "aws.redshift.cluster", "aws.msk.cluster",
    "aws.mq.broker", "aws.efs.file_system", "aws.timestream.table", "google.sql.database_instance", "google.storage.bucket",
    "google.redis.instance", "google.spanner.instance", "google.bigquery.dataset", "google.bigquery.table", "google.firestore.database",
    "azure.storage.account", "azure.mssql.server", "azure.postgresql.flexible_server", "azure.cosmosdb.account", "azure.redis.cache",
}  # fmt: skip
_READ_ONLY = {
    "aws.secretsmanager.secret", "aws.secretsmanager.secret_version", "aws.ssm.parameter", "google.secret.manager_secret",
    "google.secret.manager_secret_version", "azure.key.vault_secret",
}  # fmt: skip
_SERVED = {"aws.ecs.service", "aws.servicediscovery.service", "aws.ec2.instance"}
"""What runs all the time and is talked to by its host."""
_CALLED = {
    "aws.lambda.function", "aws.lambda.alias", "aws.stepfunctions.state_machine", "aws.apigateway.api", "aws.elb.loadbalancer",
    "aws.apprunner.service", "aws.appsync.api", "aws.lambda.function_url", "google.cloud.run_service",
    "google.cloud.run_v2_service", "google.cloudfunctions.function", "google.cloudfunctions2.function",
}  # fmt: skip
_ROLES = ("aws.iam.", "aws.lambda.permission", "aws.kms.", "aws.ec2.", "aws.cloudformation.stack")
_STATE_MACHINE = "aws.stepfunctions.state_machine"
_FRONTS = ("aws.apigateway.", "aws.elb.", "aws.cloudfront.", "aws.appsync.")
_PATHS: dict[str, dict[str, tuple[Relation, bool]]] = {
    # kind: start of the path → relation and whether the reference points backwards
    "aws.events.rule": {"targets": (Relation.TRIGGERS, False), "eventbusname": (Relation.TRIGGERS, True)},
    "aws.scheduler.schedule": {"target": (Relation.TRIGGERS, False)},
    "aws.pipes.pipe": {
        "target": (Relation.TRIGGERS, False), "source": (Relation.TRIGGERS, True), "enrichment": (Relation.INVOKES, False)},
    "aws.s3.bucket": {"notificationconfiguration": (Relation.TRIGGERS, False)},
    "aws.sns.topic": {"subscription": (Relation.PUBLISHES_TO, False)},
    "aws.ecs.service": {
        "loadbalancers": (Relation.ROUTES_TO, True), "loadbalancer": (Relation.ROUTES_TO, True),
        "serviceregistries": (Relation.ROUTES_TO, True)},
    "aws.lambda.function": {
        "eventinvokeconfig.destinationconfig": (Relation.PUBLISHES_TO, False), "destinations": (Relation.PUBLISHES_TO, False),
        "filesystemconfigs": (Relation.CONNECTS_TO, False), "filesystemconfig": (Relation.CONNECTS_TO, False)},
    "aws.ecs.task_definition": {"volumes": (Relation.CONNECTS_TO, False), "volume": (Relation.CONNECTS_TO, False)},
    "aws.autoscaling.group": {"targetgrouparns": (Relation.ROUTES_TO, True)},
    "aws.apigateway.api": {
        "auth": (Relation.INVOKES, False), "definitionbody": (Relation.ROUTES_TO, False), "body": (Relation.ROUTES_TO, False), "target": (Relation.ROUTES_TO, False)},
    "aws.elb.target_group": {"targets": (Relation.ROUTES_TO, False)},
    "aws.elb.listener": {"defaultactions": (Relation.ROUTES_TO, False), "defaultaction": (Relation.ROUTES_TO, False)},
    "aws.elb.listener_rule": {"actions": (Relation.ROUTES_TO, False), "action": (Relation.ROUTES_TO, False)},
    "aws.cloudfront.distribution": {
        "origin": (Relation.ROUTES_TO, False), "distributionconfig.origins": (Relation.ROUTES_TO, False),
        "defaultcachebehavior": (Relation.INVOKES, False), "orderedcachebehavior": (Relation.INVOKES, False),
        "distributionconfig.defaultcachebehavior": (Relation.INVOKES, False),
        "distributionconfig.cachebehaviors": (Relation.INVOKES, False)},
    "aws.rds.proxy": {"auth": (Relation.READS_FROM, False)},
    "aws.route53.record": {
        "alias": (Relation.ROUTES_TO, False), "aliastarget": (Relation.ROUTES_TO, False), "records": (Relation.ROUTES_TO, False),
        "resourcerecords": (Relation.ROUTES_TO, False)},
    "aws.cognito.user_pool": {"lambdaconfig": (Relation.TRIGGERS, False)},
    "aws.cloudwatch.alarm": {
        "alarmactions": (Relation.PUBLISHES_TO, False), "okactions": (Relation.PUBLISHES_TO, False),
        "insufficientdataactions": (Relation.PUBLISHES_TO, False)},
    "aws.cloudwatch.composite_alarm": {"alarmactions": (Relation.PUBLISHES_TO, False), "okactions": (Relation.PUBLISHES_TO, False)},
    "aws.appsync.data_source": {
        "lambdaconfig": (Relation.INVOKES, False), "httpconfig": (Relation.INVOKES, False),
        "eventbridgeconfig": (Relation.PUBLISHES_TO, False), "dynamodbconfig": (Relation.CONNECTS_TO, False),
        "relationaldatabaseconfig": (Relation.CONNECTS_TO, False), "elasticsearchconfig": (Relation.CONNECTS_TO, False),
        "opensearchserviceconfig": (Relation.CONNECTS_TO, False)},
    "aws.rds.proxy_target": {"dbinstanceidentifier": (Relation.CONNECTS_TO, False)},
    "aws.firehose.delivery_stream": {
        "kinesissourceconfiguration": (Relation.TRIGGERS, True), "kinesisstreamsourceconfiguration": (Relation.TRIGGERS, True),
        "s3configuration.bucketarn": (Relation.WRITES_TO, False), "extendeds3configuration.bucketarn": (Relation.WRITES_TO, False),
        "s3destinationconfiguration.bucketarn": (Relation.WRITES_TO, False),
        "extendeds3destinationconfiguration.bucketarn": (Relation.WRITES_TO, False),
        "opensearchconfiguration.domainarn": (Relation.WRITES_TO, False),
        "elasticsearchconfiguration.domainarn": (Relation.WRITES_TO, False),
        "amazonopensearchservicedestinationconfiguration.domainarn": (Relation.WRITES_TO, False),
        "extendeds3configuration.processingconfiguration": (Relation.INVOKES, False),
        "extendeds3destinationconfiguration.processingconfiguration": (Relation.INVOKES, False)},
}  # fmt: skip
_ENVIRONMENT = {
    "environment", "environmentfiles", "containerdefinitions", "containerproperties", "secrets", "env", "envvariables",
    "definitionsubstitutions", "appsettings", "defaultarguments",
}  # fmt: skip
"""Where a workload is told by name what it uses."""


def relation_of(kind: str, path: tuple[str, ...], target_kind: str) -> tuple[Relation, bool]:
    """The relation of a reference at `path` of a resource of this kind; True when the edge runs against the reference."""
    parts = [canonical(part) for part in path]
    whole = ".".join(parts)
    if (
        (target_kind.startswith(_ROLES) and target_kind not in _SERVED)
        or not parts
        or any(part.startswith(("deadletter", "dependson")) for part in parts)
    ):
        return Relation.DEPENDS_ON, False
    for start, found in _PATHS.get(kind, {}).items():
        if whole == start or whole.startswith(start + "."):
            return _as_target(found, target_kind)
    if kind == _STATE_MACHINE and parts[0].startswith("definition"):
        return _used(target_kind), False
    if kind == "aws.lambda.function" and parts[0] == "policies":
        return _used(target_kind), False
    if any(part in _ENVIRONMENT or part.endswith(("environmentvariables", "environmentsecrets")) for part in parts):
        return _used(target_kind), False
    return Relation.DEPENDS_ON, False


def _as_target(found: tuple[Relation, bool], target_kind: str) -> tuple[Relation, bool]:
    """What the path says, as far as it can be meant of a target of this kind."""
    if found[0] is Relation.PUBLISHES_TO and (target_kind in _CALLED or target_kind.startswith("aws.autoscaling.")):
        return Relation.TRIGGERS, False
    if found[0] is Relation.CONNECTS_TO and target_kind in _READ_ONLY:
        return Relation.READS_FROM, False
    is_called = target_kind in _CALLED or not target_kind.startswith("aws.")
    return found if found[0] is not Relation.INVOKES or is_called else (Relation.DEPENDS_ON, False)


def joined_relation(source_kind: str, target_kind: str, usual: Relation) -> Relation:
    """What a subscription, permission or integration between the two makes of them."""
    if source_kind.startswith(_FRONTS) and usual is not Relation.INVOKES:
        return Relation.ROUTES_TO
    if usual is Relation.PUBLISHES_TO and target_kind in _CALLED:
        return Relation.TRIGGERS
    return usual


def is_store(kind: str) -> bool:
    """True for what holds data or messages: something that is read, written or published to."""
    return kind in _STORES


def is_published(kind: str) -> bool:
    """True for what takes messages and events."""
    return kind in _PUBLISHED


def is_called(kind: str) -> bool:
    """True for what runs when it is asked to."""
    return kind in _CALLED


def _used(target_kind: str) -> Relation:
    """What somebody who knows its name does with a resource, as long as nothing says more."""
    if target_kind in _ANNOUNCED:
        return Relation.PUBLISHES_TO
    if target_kind in _READ_ONLY:
        return Relation.READS_FROM
    if target_kind in _STORES or target_kind in _SERVED:
        return Relation.CONNECTS_TO
    return Relation.INVOKES if target_kind in _CALLED else Relation.DEPENDS_ON
