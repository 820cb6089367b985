"""Which settings of a stateful resource cannot change in place.

From the Terraform providers' documentation ('Forces new resource') and CloudFormation's ('Update requires:
Replacement'), in the normal form of settings. A key that is listed for a kind and differs between the sides makes the
tool delete the resource and create an empty one.
"""

from collections.abc import Mapping

from gonogo.word import Json

_SQL = ("identifier", "engine", "database_name", "master_username", "storage_encrypted", "kms_key_id", "snapshot_identifier")

FORCE_NEW: Mapping[str, frozenset[str]] = {
    kind: frozenset(keys)
    for kind, keys in {
        "aws.rds.instance": (*_SQL, "availability_zone", "character_set_name", "timezone", "nchar_character_set_name"),
        "aws.rds.cluster": (*_SQL, "engine_mode", "availability_zones", "subnet_group", "storage_type"),
        "aws.docdb.cluster": (*_SQL, "availability_zones", "cluster_identifier", "db_cluster_identifier"),
        "aws.neptune.cluster": (*_SQL, "availability_zones", "cluster_identifier", "db_cluster_identifier"),
        "aws.mq.broker": ("name", "broker_name", "engine_type", "deployment_mode", "storage_type", "subnet_ids", "encryption_options"),
        "aws.fsx.lustre_file_system": ("deployment_type", "storage_type", "subnet_ids", "kms_key_id"),
        "aws.fsx.windows_file_system": ("deployment_type", "storage_type", "subnet_ids", "kms_key_id"),
        "aws.keyspaces.table": ("table_name", "keyspace_name"),
        "azure.cosmosdb.account": ("name", "kind"),
        "aws.redshift.cluster": ("identifier", "name", "database_name", "username", "master_username", "snapshot_identifier"),
        "aws.dynamodb.table": ("name", "hash_key", "range_key", "local_secondary_index", "import_table"),
        "aws.sqs.queue": ("name", "fifo"),
        "aws.sns.topic": ("name", "fifo"),
        "aws.kinesis.stream": ("name",),
        "aws.s3.bucket": ("name", "object_lock_enabled"),
        "aws.ebs.volume": ("availability_zone", "encrypted", "kms_key_id", "snapshot_id", "outpost_arn"),
        "aws.efs.file_system": ("encrypted", "kms_key_id", "performance_mode", "availability_zone_name", "creation_token"),
        "aws.elasticache.cluster": (
            "name", "at_rest_encryption_enabled", "kms_key_id", "subnet_group_name", "availability_zone", "snapshot_arns",
            "data_tiering_enabled", "global_replication_group_id", "port",
        ),
        "aws.memorydb.cluster": ("name", "kms_key_arn", "subnet_group_name", "tls_enabled", "data_tiering"),
        "aws.cognito.user_pool": ("alias_attributes", "username_attributes", "username_configuration"),
        "aws.opensearch.domain": ("name", "domain_name"),
        "aws.elasticsearch.domain": ("name", "domain_name"),
        "aws.msk.cluster": ("name", "cluster_name"),
        "aws.logs.group": ("name",),
        "aws.ecr.repository": ("name", "encryption_configuration"),
        "aws.secretsmanager.secret": ("name",),
        "aws.route53.zone": ("name",),
        "aws.timestream.database": ("name", "database_name"),
        "aws.timestream.table": ("name", "table_name", "database_name"),
        "aws.backup.vault": ("name",),
        "google.sql.database_instance": ("name", "region", "encryption_key_name", "master_instance_name"),
        "google.storage.bucket": ("name", "location"),
        "google.bigquery.dataset": ("dataset_id", "location"),
        "google.bigquery.table": ("table_id", "dataset_id"),
        "google.pubsub.subscription": ("name", "topic", "enable_message_ordering"),
        "google.pubsub.topic": ("name",),
        "google.redis.instance": ("name", "region", "tier", "location_id", "transit_encryption_mode"),
        "google.spanner.instance": ("name",),
        "google.spanner.database": ("name", "instance"),
        "google.compute.disk": ("name", "zone", "image", "snapshot"),
        "azure.storage.account": ("name", "location", "account_kind"),
        "azure.postgresql.flexible_server": ("name", "location", "administrator_login", "delegated_subnet_id"),
        "azure.mssql.database": ("name", "server_id", "collation"),
        "azure.redis.cache": ("name", "location"),
    }.items()
}  # fmt: skip
"""Kind → settings whose change replaces the resource. The keys are also the kinds that hold state."""

_OF_STACKS: Mapping[str, frozenset[str]] = {
    "aws.rds.instance": frozenset({"subnet_group"}),
    "aws.docdb.cluster": frozenset({"subnet_group", "db_subnet_group_name"}),
    "aws.neptune.cluster": frozenset({"subnet_group", "db_subnet_group_name"}),
    "aws.elasticache.cluster": frozenset({"cache_subnet_group_name", "port"}),
    "aws.msk.cluster": frozenset({"broker_node_group_info.client_subnets"}),
}
"""What only CloudFormation replaces for: the provider of Terraform changes it in place."""

DEFAULTS: Mapping[str, Json] = {
    "storage_encrypted": False, "encrypted": False, "fifo": False, "at_rest_encryption_enabled": False, "object_lock_enabled": False,
    "tls_enabled": True, "performance_mode": "generalPurpose", "engine_mode": "provisioned", "enable_message_ordering": False,
    "import_table": None, "local_secondary_index": None, "range_key": None,
}  # fmt: skip
"""What an absent setting means. Of a key that is not here, an absent side is chosen by the provider: not known."""


WRITTEN: Mapping[str, tuple[str, ...]] = {
    "master_username": ("username",), "database_name": ("db_name",), "subnet_group": ("db_subnet_group_name",), "fifo": ("fifo_queue", "fifo_topic"),
}  # fmt: skip
"""Our name of a setting → how Terraform writes it, where that differs."""


def holds_state(kind: str) -> bool:
    """Whether deleting a resource of this kind deletes what it holds."""
    return kind in FORCE_NEW


def is_force_new(kind: str, key: str, *, is_stack: bool = False) -> bool:
    """Whether a change of this setting replaces a resource of this kind; nested keys count with their first part.

    `is_stack`: the declaration is of a CloudFormation template.
    """
    none = frozenset[str]()
    keys = FORCE_NEW.get(kind, none) | (_OF_STACKS.get(kind, none) if is_stack else none)
    return key in keys or key.partition(".")[0] in keys
