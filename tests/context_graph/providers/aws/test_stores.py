"""Tables, databases, caches, buckets, streams, secrets: what is set on them and what they answer to."""

HERE = "eu-west-1:111122223333"


def test_a_table_has_its_keys_indexes_capacity_expiry_and_stream(aws, attributes) -> None:
    index = {"IndexName": "by-day", "KeySchema": [{"KeyType": "HASH", "AttributeName": "day"}],
             "Projection": {"ProjectionType": "ALL"}, "ProvisionedThroughput": {"ReadCapacityUnits": 2, "WriteCapacityUnits": 1}}  # fmt: skip
    aws.answers |= {
        "ListTables": {"TableNames": ["orders"]},
        "DescribeTable": {"Table": {
            "TableArn": f"arn:aws:dynamodb:{HERE}:table/orders", "TableName": "orders", "ItemCount": 9, "TableSizeBytes": 900,
            "KeySchema": [{"KeyType": "HASH", "AttributeName": "id"}, {"KeyType": "RANGE", "AttributeName": "at"}],
            "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 6},
            "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}, "GlobalSecondaryIndexes": [index]}},
        "DescribeTimeToLive": {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}},
        "DescribeContinuousBackups": {"ContinuousBackupsDescription": {
            "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "ENABLED"}}},
    }  # fmt: skip

    found = attributes(aws.collect("dynamodb"), "orders")

    assert (found["hash_key"], found["range_key"], found["billing_mode"]) == ("id", "at", "PROVISIONED")
    assert (found["read_capacity"], found["write_capacity"], found["stream_view_type"]) == (5, 6, "NEW_IMAGE")
    assert (found["ttl_attribute"], found["ttl_enabled"], found["point_in_time_recovery"]) == ("expires", True, True)
    [first] = found["global_secondary_indexes"]
    assert (first["name"], first["hash_key"], first["projection_type"], first["read_capacity"]) == ("by-day", "day", "ALL", 2)


def test_a_table_that_is_paid_by_request_has_no_capacity_of_zero(aws, attributes) -> None:
    aws.answers |= {
        "ListTables": {"TableNames": ["t"]},
        "DescribeTable": {"Table": {
            "TableArn": f"arn:aws:dynamodb:{HERE}:table/t", "TableName": "t", "BillingModeSummary": {"BillingMode": "PAY_PER_REQUEST"},
            "ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0}}},
    }  # fmt: skip

    found = attributes(aws.collect("dynamodb"), "t")

    assert "read_capacity" not in found
    assert found["billing_mode"] == "PAY_PER_REQUEST"


def a_database(name: str, **more: object) -> dict:
    return {"DBInstanceArn": f"arn:aws:rds:{HERE}:db:{name}", "DBInstanceIdentifier": name, "Engine": "postgres",
            "Endpoint": {"Address": f"{name}.abc.eu-west-1.rds.amazonaws.com", "Port": 5432}, **more}  # fmt: skip


def test_databases_answer_to_every_endpoint_and_know_their_cluster_source_and_proxy(aws, edges, attributes) -> None:
    cluster = {
        "DBClusterArn": f"arn:aws:rds:{HERE}:cluster:shop", "DBClusterIdentifier": "shop", "Engine": "aurora-postgresql",
        "Endpoint": "shop.cluster-abc.rds.amazonaws.com", "ReaderEndpoint": "shop.cluster-ro-abc.rds.amazonaws.com",
        "CustomEndpoints": ["reports.cluster-custom-abc.rds.amazonaws.com"],
        "DBClusterMembers": [{"DBInstanceIdentifier": "shop-1", "IsClusterWriter": True}],
    }  # fmt: skip
    aws.answers |= {
        "DescribeDBClusters": {"DBClusters": [cluster]},
        "DescribeDBInstances": {"DBInstances": [
            a_database("shop-1", DBClusterIdentifier="shop"), a_database("copy", ReadReplicaSourceDBInstanceIdentifier="main"),
            a_database("far", ReadReplicaSourceDBInstanceIdentifier="arn:aws:rds:us-east-1:111122223333:db:main"),
            a_database("notes", Engine="docdb")]},
        "DescribeDBProxies": {"DBProxies": [{"DBProxyArn": f"arn:aws:rds:{HERE}:db-proxy:prx-1", "DBProxyName": "pool", "Endpoint": "pool.proxy"}]},
        "DescribeDBProxyTargets": {"Targets": [{"Type": "TRACKED_CLUSTER", "RdsResourceId": "shop"}]},
    }  # fmt: skip

    read = aws.collect("rds")

    assert {
        "cluster:shop routes_to db:shop-1", "db:shop-1 depends_on cluster:shop", "db:copy depends_on db:main",
        "db:far depends_on db:main", "db-proxy:prx-1 connects_to cluster:shop",
    } == edges(read)  # fmt: skip
    assert read.aliases["reports.cluster-custom-abc.rds.amazonaws.com"] == cluster["DBClusterArn"]
    assert read.aliases["copy.abc.eu-west-1.rds.amazonaws.com"].endswith(":db:copy")
    assert {r.kind for r in read.resources if r.name == "notes"} == {"aws.docdb.instance"}


def test_the_limit_of_connections_is_a_number_or_the_engines_formula_and_asked_once_a_group(aws, attributes) -> None:
    def parameters(asked: dict) -> dict:
        value = "500" if asked["DBParameterGroupName"] == "set" else "LEAST({DBInstanceClassMemory/9531392},5000)"
        return {
            "Parameters": [
                {"ParameterName": "max_wal_size", "ParameterValue": "1"},
                {"ParameterName": "max_connections", "ParameterValue": value},
            ]
        }

    aws.answers["DescribeDBParameters"] = parameters
    aws.answers["DescribeDBInstances"] = {
        "DBInstances": [a_database(n, DBParameterGroups=[{"DBParameterGroupName": g}]) for n, g in (("a", "set"), ("b", "set"), ("c", "default"))]
    }  # fmt: skip

    read = aws.collect("rds")

    assert attributes(read, "b")["max_connections"] == 500
    assert attributes(read, "c")["max_connections_formula"].startswith("LEAST(")
    assert len([o for o, _ in aws.calls if o == "DescribeDBParameters"]) == 2


def test_a_replication_group_is_one_cache_that_answers_for_its_nodes(aws, attributes) -> None:
    node = {"CacheClusterId": "sessions-001", "ReplicationGroupId": "sessions", "Engine": "redis", "EngineVersion": "7.1",
            "ARN": f"arn:aws:elasticache:{HERE}:cluster:sessions-001", "CacheNodeType": "cache.t4g.small",
            "CacheNodes": [{"Endpoint": {"Address": "sessions-001.abc.cache.amazonaws.com"}}]}  # fmt: skip
    group = {"ReplicationGroupId": "sessions", "ARN": f"arn:aws:elasticache:{HERE}:replicationgroup:sessions",
             "MemberClusters": ["sessions-001"], "NodeGroups": [{"PrimaryEndpoint": {"Address": "primary.abc.cache.amazonaws.com"}}]}  # fmt: skip
    aws.answers |= {
        "DescribeCacheClusters": {"CacheClusters": [node]},
        "DescribeReplicationGroups": {"ReplicationGroups": [group]},
    }

    read = aws.collect("elasticache")

    assert [r.name for r in read.resources] == ["sessions"]
    found = attributes(read, "sessions")
    assert (found["engine_version"], found["node_type"], found["node_count"]) == ("7.1", "cache.t4g.small", 1)
    assert set(read.aliases) == {
        "primary.abc.cache.amazonaws.com", "sessions-001.abc.cache.amazonaws.com", f"arn:aws:elasticache:{HERE}:cluster:sessions-001"
    }  # fmt: skip


def test_a_bucket_stands_in_its_own_region_and_starts_what_its_notifications_name(aws, edges) -> None:
    aws.answers["ListBuckets"] = {"Buckets": [{"Name": "old"}]}
    aws.answers["GetBucketLocation"] = {"LocationConstraint": "EU"}
    aws.answers["GetBucketNotificationConfiguration"] = {
        "QueueConfigurations": [{"QueueArn": "arn:aws:sqs:eu-west-1:999900001111:theirs", "Events": ["s3:ObjectCreated:*"]}],
        "EventBridgeConfiguration": {},
    }

    read = aws.collect("s3")

    assert (read.resources[0].region, read.resources[0].id) == ("eu-west-1", "arn:aws:s3:::old")
    assert edges(read) == {"old triggers theirs", "old publishes_to event-bus/default"}
    assert "old.s3.eu-west-1.amazonaws.com" in read.aliases


def test_a_delivery_stream_knows_its_source_its_function_and_its_bucket_and_keeps_no_key(aws, edges) -> None:
    aws.answers["ListDeliveryStreams"] = {"DeliveryStreamNames": ["d"], "HasMoreDeliveryStreams": False}
    processor = {
        "Type": "Lambda",
        "Parameters": [{"ParameterName": "LambdaArn", "ParameterValue": f"arn:aws:lambda:{HERE}:function:f:$LATEST"}],
    }
    aws.answers["DescribeDeliveryStream"] = {"DeliveryStreamDescription": {
        "DeliveryStreamARN": f"arn:aws:firehose:{HERE}:deliverystream/d",
        "Source": {"KinesisStreamSourceDescription": {"KinesisStreamARN": f"arn:aws:kinesis:{HERE}:stream/clicks"}},
        "Destinations": [{"HttpEndpointDestinationDescription": {"EndpointConfiguration": {"Url": "https://x.example.com?k=hunter2"}},
                          "ExtendedS3DestinationDescription": {"BucketARN": "arn:aws:s3:::archive", "RoleARN": "arn:aws:iam::1:role/r",
                                                               "ProcessingConfiguration": {"Processors": [processor]}}}]}}  # fmt: skip

    read = aws.collect("firehose")

    assert edges(read) == {
        "stream/clicks triggers deliverystream/d", "deliverystream/d writes_to archive",
        "deliverystream/d invokes function:f", "deliverystream/d depends_on role/r",
    }  # fmt: skip
    assert "hunter2" not in repr(read)


def test_of_secrets_and_parameters_only_the_names_are_asked_for(aws) -> None:
    arn = f"arn:aws:secretsmanager:{HERE}:secret:pay/key-AbCdEf"
    aws.answers["ListSecrets"] = {
        "SecretList": [{"ARN": arn, "Name": "pay/key", "RotationLambdaARN": f"arn:aws:lambda:{HERE}:function:turn"}]
    }
    aws.answers["DescribeParameters"] = {"Parameters": [{"Name": "/shop/limit", "Type": "SecureString"}]}

    secrets, parameters = aws.collect("secretsmanager"), aws.collect("ssm")

    assert secrets.aliases == {arn.removesuffix("-AbCdEf").lower(): arn}
    assert parameters.resources[0].id == f"arn:aws:ssm:{HERE}:parameter/shop/limit"
    assert {o for o, _ in aws.calls} == {"GetCallerIdentity", "ListSecrets", "DescribeParameters"}
