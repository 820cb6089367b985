"""A setting that forces replacement, held against what the live resource has already: then nothing differs after a refresh."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

RDS = 'resource "aws_db_instance" "main" {{\n  identifier = "main"\n  engine     = "mariadb"\n{}}}\n'
CLUSTER = 'resource "aws_rds_cluster" "main" {{\n  cluster_identifier = "main"\n  engine = "aurora-mysql"\n{}}}\n'
EFS = 'resource "aws_efs_file_system" "main" {{\n  creation_token = "main"\n{}}}\n'
REDIS = 'resource "aws_elasticache_replication_group" "main" {{\n  replication_group_id = "main"\n{}}}\n'
TABLE = 'resource "aws_dynamodb_table" "main" {{\n  name = "main"\n{}}}\n'
QUEUE = 'resource "aws_sqs_queue" "main" {{\n  name = "main"\n{}}}\n'
GOOGLE = 'resource "google_sql_database_instance" "main" {{\n  name = "main"\n{}}}\n'
STACK = """Resources:
  Main:
    Type: AWS::RDS::DBInstance
    Properties:
      DBInstanceIdentifier: main
{}      Engine: postgres
"""
STACK_TABLE = """Resources:
  Main:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: main
      KeySchema:
        - {{AttributeName: {}, KeyType: HASH}}
"""
KEY = "arn:aws:kms:eu-west-1:1:key/0f1e2d3c-aaaa-bbbb-cccc-1234567890ab"


def ids(kind):
    return {"aws.efs.file_system": "arn:aws:elasticfilesystem:eu-west-1:1:file-system/fs-1"}.get(kind, f"arn:{kind}:main")


def statuses(kind, base, head, *, file="main.tf", use=("DatabaseConnections", "Count", 40.0), **attributes):
    production = MemoryProduction()
    live = production.resource(ids(kind), kind, "main", is_deployed=True, **attributes)
    production.metric(live, *use)
    evaluation = evaluation_of({file: base}, {file: head}, production)
    assert evaluation.failures == ()
    told = [e for e in evaluation.ledger if e.trajectory.playbook == "stateful-replacement"]
    return [e.status.value for e in told], [e.trajectory.title for e in told], told


SEEN = [
    ("aws.rds.instance", RDS, "", "  storage_encrypted = true\n", {"StorageEncrypted": True}, {"StorageEncrypted": False}),
    ("aws.rds.instance", RDS, "  storage_encrypted = false\n", "  storage_encrypted = true\n", {"storage_encrypted": "true"}, {"storage_encrypted": "false"}),
    ("aws.rds.instance", RDS, '  availability_zone = "a"\n', '  availability_zone = "b"\n', {"AvailabilityZone": "b"}, {"AvailabilityZone": "a"}),
    ("aws.rds.instance", RDS, '  username = "root"\n', '  username = "app"\n', {"MasterUsername": "app"}, {"MasterUsername": "root"}),
    ("aws.rds.cluster", CLUSTER, "  storage_encrypted = false\n", "  storage_encrypted = true\n", {"StorageEncrypted": True}, {}),
    ("aws.rds.cluster", CLUSTER, '  availability_zones = ["a", "b"]\n', '  availability_zones = ["b", "c", "a"]\n', {"AvailabilityZones": ["a", "b", "c"]}, {"AvailabilityZones": ["a", "b"]}),
    ("aws.efs.file_system", EFS, "", "  encrypted = true\n", {"Encrypted": True}, {"Encrypted": False}),
    ("aws.efs.file_system", EFS, "", '  encrypted = true\n  kms_key_id = "' + KEY + '"\n', {"Encrypted": True, "KmsKeyId": KEY.rpartition("/")[2]}, {"Encrypted": True, "KmsKeyId": "alias/aws/elasticfilesystem"}),
    ("aws.elasticache.cluster", REDIS, "", "  at_rest_encryption_enabled = true\n", {"AtRestEncryptionEnabled": True}, {"AtRestEncryptionEnabled": False}),
    ("aws.dynamodb.table", TABLE, '  hash_key = "id"\n', '  hash_key = "pk"\n', {"hash_key": "pk"}, {"hash_key": "id"}),
    ("aws.dynamodb.table", TABLE, '  hash_key = "id"\n', '  hash_key = "pk"\n', {"KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]}, {"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]}),
    ("aws.sqs.queue", QUEUE, "", "  fifo_queue = true\n", {"FifoQueue": "true"}, {}),
    ("google.sql.database_instance", GOOGLE, '  region = "europe-west1"\n', '  region = "europe-west4"\n', {"region": "europe-west4"}, {"region": "europe-west1"}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text", "old", "new", "same", "other"), SEEN)
def test_what_the_live_resource_has_already_replaces_nothing(kind, text, old, new, same, other) -> None:
    use = ("NumberOfMessagesSent", "Count", 300.0) if kind == "aws.sqs.queue" else ("Connections", "Count", 40.0)

    refuted, _, told = statuses(kind, text.format(old), text.format(new), use=use, **same)

    assert refuted == ["refuted"]
    assert any(e.kind == "config" for link in told[0].trajectory.links for e in link.refuting)
    assert statuses(kind, text.format(old), text.format(new), use=use, **other)[0] != ["refuted"]


def test_one_setting_that_is_live_does_not_excuse_another_one() -> None:
    changed = '  storage_encrypted = true\n  availability_zone = "b"\n'

    told, _, ledger = statuses("aws.rds.instance", RDS.format('  availability_zone = "a"\n'), RDS.format(changed), StorageEncrypted=True, AvailabilityZone="a")  # fmt: skip

    assert told == ["confirmed"]
    assert "`availability_zone`" in ledger[0].trajectory.links[0].claim
    assert "storage_encrypted" not in ledger[0].trajectory.links[0].claim


@pytest.mark.parametrize(("live", "expected"), [("pk", "refuted"), ("id", "confirmed")])
def test_cloudformation_is_held_against_live_configuration_too(live, expected) -> None:
    told, _, _ = statuses("aws.dynamodb.table", STACK_TABLE.format("id"), STACK_TABLE.format("pk"), file="stack.yaml", use=("ConsumedReadCapacityUnits", "Count", 90.0), hash_key=live)  # fmt: skip

    assert told == [expected]


@pytest.mark.parametrize("listed", ["[storage_encrypted]", "[engine_version, storage_encrypted]", "all", '["storage_encrypted"]'])
def test_a_setting_whose_changes_terraform_ignores_replaces_nothing(listed) -> None:
    kept = f"  lifecycle {{\n    ignore_changes = {listed}\n  }}\n"

    told, _, _ = statuses("aws.rds.instance", RDS.format(kept), RDS.format("  storage_encrypted = true\n" + kept))

    assert told == ["refuted"]


def test_another_setting_whose_changes_are_ignored_excuses_nothing() -> None:
    kept = "  lifecycle {\n    ignore_changes = [engine_version, password]\n  }\n"

    told, _, _ = statuses("aws.rds.instance", RDS.format(kept), RDS.format("  storage_encrypted = true\n" + kept))

    assert told == ["confirmed"]


def test_a_new_name_is_never_taken_for_drift() -> None:
    base, head = (RDS.format("").replace('"main"\n', f'"{name}"\n') for name in ("main", "next"))

    told, _, _ = statuses("aws.rds.instance", base, head, identifier="next")

    assert told != ["refuted"]


@pytest.mark.parametrize("name", ["storage_encrypted", "db_name", "snapshot_identifier"])
def test_a_value_that_no_manifest_says_stays_open(name) -> None:
    told, _, _ = statuses("aws.rds.instance", RDS.format(f'  {name} = "a"\n'), RDS.format(f"  {name} = var.unknown\n"))

    assert told == ["plausible"]


@pytest.mark.parametrize(
    ("kind", "resource_type", "old", "new"),
    [
        ("aws.rds.instance", "AWS::RDS::DBInstance", "DBInstanceIdentifier: main\n      DBSubnetGroupName: a", "DBInstanceIdentifier: main\n      DBSubnetGroupName: b"),
        ("aws.rds.instance", "AWS::RDS::DBInstance", "DBInstanceIdentifier: main\n      MasterUsername: a", "DBInstanceIdentifier: main\n      MasterUsername: b"),
        ("aws.docdb.cluster", "AWS::DocDB::DBCluster", "DBClusterIdentifier: main\n      StorageEncrypted: false", "DBClusterIdentifier: main\n      StorageEncrypted: true"),
        ("aws.ebs.volume", "AWS::EC2::Volume", "Size: 4\n      AvailabilityZone: a", "Size: 4\n      AvailabilityZone: b"),
        ("aws.efs.file_system", "AWS::EFS::FileSystem", "Encrypted: false", "Encrypted: true"),
        ("aws.elasticache.cluster", "AWS::ElastiCache::ReplicationGroup", "ReplicationGroupId: main\n      CacheSubnetGroupName: a", "ReplicationGroupId: main\n      CacheSubnetGroupName: b"),
    ],
)  # fmt: skip
def test_a_stack_replaces_by_property(kind, resource_type, old, new) -> None:
    text = "Resources:\n  Main:\n    Type: {}\n    Properties:\n      {}\n"

    told, _, _ = statuses(kind, text.format(resource_type, old), text.format(resource_type, new), file="stack.yaml")

    assert told == ["confirmed"]


def test_terraform_moves_an_instance_to_other_subnets_in_place() -> None:
    told, _, _ = statuses(
        "aws.rds.instance", RDS.format('  db_subnet_group_name = "a"\n'), RDS.format('  db_subnet_group_name = "b"\n')
    )

    assert told == []
