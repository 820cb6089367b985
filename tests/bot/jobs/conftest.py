"""AWS as moto has it, in this process, with the few lists that moto lacks answered by ourselves; and an empty graph."""

import io
import json
import zipfile
from collections.abc import Generator
from pathlib import Path

import pytest
import sqlalchemy as sa
from moto import mock_aws

from bot.storage.database import open_database

REGION = "eu-west-1"
ACCOUNT = "123456789012"

NOT_IN_MOTO = {
    "ListFunctionUrlConfigs": {"FunctionUrlConfigs": [{"FunctionUrl": "https://abc.lambda-url.eu-west-1.on.aws/", "AuthType": "NONE"}]},
    "ListProvisionedConcurrencyConfigs": {"ProvisionedConcurrencyConfigs": [{"RequestedProvisionedConcurrentExecutions": 4}]},
    "DescribeServerlessCaches": {"ServerlessCaches": []},
    "apigatewayv2.GetAuthorizers": {"Items": []},
    "account.ListRegions": {"Regions": [{"RegionName": REGION, "RegionOptStatus": "ENABLED_BY_DEFAULT"}]},
}  # fmt: skip


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Generator[object]:
    import boto3
    from botocore.client import BaseClient

    for name, value in {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": REGION}.items():
        monkeypatch.setenv(name, value)
    honest = BaseClient._make_api_call

    def answered(client, operation, parameters):
        own = NOT_IN_MOTO.get(operation) or NOT_IN_MOTO.get(f"{client.meta.service_model.service_name}.{operation}")
        return honest(client, operation, parameters) if own is None else own

    monkeypatch.setattr(BaseClient, "_make_api_call", answered)
    with mock_aws():
        yield boto3.Session(region_name=REGION)


@pytest.fixture
def engine(tmp_path: Path) -> Generator[sa.Engine]:
    engine = open_database(f"sqlite:///{tmp_path}/graph.db")
    yield engine
    engine.dispose()


@pytest.fixture
def estate(session) -> object:
    """One of everything that is read, joined as a small shop would join it."""
    of = Estate(session)
    of.network()
    of.roles()
    of.messages()
    of.tables()
    of.functions()
    of.events()
    of.databases()
    of.containers()
    of.fronts()
    of.watches()
    return session


class Estate:
    def __init__(self, session) -> None:
        self.session = session
        self.arns: dict[str, str] = {}

    def client(self, name: str):
        return self.session.client(name)

    def network(self) -> None:
        ec2 = self.client("ec2")
        self.vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        zones = [f"{REGION}a", f"{REGION}b"]
        self.nets = [
            ec2.create_subnet(VpcId=self.vpc, CidrBlock=f"10.0.{n}.0/24", AvailabilityZone=z)["Subnet"]["SubnetId"]
            for n, z in enumerate(zones)
        ]

    def roles(self) -> None:
        iam = self.client("iam")
        self.role = iam.create_role(RoleName="worker", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
        allowed = [
            {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": f"arn:aws:sqs:{REGION}:{ACCOUNT}:*"},
            {"Effect": "Allow", "Action": ["dynamodb:PutItem", "dynamodb:Query"], "Resource": table_arn("orders")},
            {"Effect": "Deny", "Action": "dynamodb:Query", "Resource": "*"},
            {"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::uploads/*"},
        ]
        iam.put_role_policy(RoleName="worker", PolicyName="p", PolicyDocument=json.dumps(a_policy(allowed)))
        document = a_policy({"Effect": "Allow", "Action": "sns:Publish", "Resource": f"arn:aws:sns:{REGION}:{ACCOUNT}:paid"})
        policy = iam.create_policy(PolicyName="tells", PolicyDocument=json.dumps(document))["Policy"]["Arn"]
        iam.attach_role_policy(RoleName="worker", PolicyArn=policy)

    def messages(self) -> None:
        sqs, sns = self.client("sqs"), self.client("sns")
        sqs.create_queue(QueueName="orders-dead")
        redrive = {"deadLetterTargetArn": queue_arn("orders-dead"), "maxReceiveCount": "4"}
        sqs.create_queue(QueueName="orders", Attributes={"RedrivePolicy": json.dumps(redrive)})
        topic = sns.create_topic(Name="paid")["TopicArn"]
        sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=queue_arn("orders"))
        self.client("kinesis").create_stream(StreamName="clicks", ShardCount=2)
        self.client("s3").create_bucket(Bucket="uploads", CreateBucketConfiguration={"LocationConstraint": REGION})
        self.client("firehose").create_delivery_stream(
            DeliveryStreamName="archive",
            DeliveryStreamType="KinesisStreamAsSource",
            KinesisStreamSourceConfiguration={
                "KinesisStreamARN": f"arn:aws:kinesis:{REGION}:{ACCOUNT}:stream/clicks", "RoleARN": self.role},
            ExtendedS3DestinationConfiguration={"RoleARN": self.role, "BucketARN": "arn:aws:s3:::uploads"},
        )  # fmt: skip

    def tables(self) -> None:
        self.client("dynamodb").create_table(
            TableName="orders", BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in ("id", "day")],
            GlobalSecondaryIndexes=[{"IndexName": "by-day", "KeySchema": [{"AttributeName": "day", "KeyType": "HASH"}],
                                     "Projection": {"ProjectionType": "ALL"}}],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        )  # fmt: skip
        self.client("secretsmanager").create_secret(Name="pay/key", SecretString="hunter2")
        self.client("ssm").put_parameter(Name="/shop/limit", Value="hunter2", Type="SecureString")

    def functions(self) -> None:
        functions = self.client("lambda")
        url = self.client("sqs").get_queue_url(QueueName="orders-dead")["QueueUrl"]
        variables = {"DEAD_LETTERS": url, "TABLE": "orders", "PASSWORD": "hunter2-and-more", "KEY": "pay/key"}
        for name in ("worker", "stream"):
            functions.create_function(
                FunctionName=name, Runtime="python3.12", Role=self.role, Handler="a.h", Code={"ZipFile": a_zip()}, Timeout=7,
                Environment={"Variables": variables if name == "worker" else {}},
            )  # fmt: skip
        functions.create_event_source_mapping(FunctionName="worker", EventSourceArn=queue_arn("orders"), BatchSize=5)
        self.client("logs").create_log_group(logGroupName="/aws/lambda/worker")
        notification = {"LambdaFunctionArn": function_arn("worker"), "Events": ["s3:ObjectCreated:*"]}
        self.client("s3").put_bucket_notification_configuration(
            Bucket="uploads", NotificationConfiguration={"LambdaFunctionConfigurations": [notification]}
        )

    def events(self) -> None:
        events = self.client("events")
        events.put_rule(Name="nightly", ScheduleExpression="rate(1 day)")
        events.put_targets(Rule="nightly", Targets=[{"Id": "1", "Arn": function_arn("worker")}])
        self.client("scheduler").create_schedule(
            Name="hourly", ScheduleExpression="rate(1 hour)", FlexibleTimeWindow={"Mode": "OFF"},
            Target={"Arn": function_arn("worker"), "RoleArn": self.role},
        )  # fmt: skip
        self.client("pipes").create_pipe(
            Name="through", Source=queue_arn("orders-dead"), Target=function_arn("stream"), RoleArn=self.role
        )
        task = {"Type": "Task", "Resource": function_arn("worker"), "End": True}
        definition = {"StartAt": "Work", "States": {"Work": task}}
        self.client("stepfunctions").create_state_machine(name="flow", definition=json.dumps(definition), roleArn=self.role)

    def databases(self) -> None:
        rds = self.client("rds")
        rds.create_db_instance(
            DBInstanceIdentifier="ledger", DBInstanceClass="db.m6g.large", Engine="postgres", AllocatedStorage=20,
            MasterUsername="u", MasterUserPassword="hunter2hunter2",
        )  # fmt: skip
        rds.create_db_cluster(
            DBClusterIdentifier="shop", Engine="aurora-postgresql", MasterUsername="u", MasterUserPassword="hunter2hunter2",
            DBClusterParameterGroupName="default.aurora-postgresql8.0",
        )  # fmt: skip
        rds.create_db_proxy(DBProxyName="pool", EngineFamily="POSTGRESQL", RoleArn=self.role, VpcSubnetIds=self.nets, Auth=[])
        self.client("elasticache").create_replication_group(
            ReplicationGroupId="sessions", ReplicationGroupDescription="x", Engine="redis", CacheNodeType="cache.t4g.small"
        )
        self.client("eks").create_cluster(name="main", roleArn=self.role, resourcesVpcConfig={})

    def containers(self) -> None:
        elb, ecs = self.client("elbv2"), self.client("ecs")
        balancer = elb.create_load_balancer(Name="front", Subnets=self.nets)["LoadBalancers"][0]
        self.balancer, self.balancer_host = balancer["LoadBalancerArn"], balancer["DNSName"]
        group = elb.create_target_group(Name="web", Protocol="HTTP", Port=80, VpcId=self.vpc, TargetType="ip")["TargetGroups"][0]
        self.group = group["TargetGroupArn"]
        forward = [{"Type": "forward", "TargetGroupArn": self.group}]
        elb.create_listener(LoadBalancerArn=self.balancer, Protocol="HTTP", Port=80, DefaultActions=forward)
        ecs.create_cluster(clusterName="core")
        database = self.client("rds").describe_db_instances()["DBInstances"][0]["Endpoint"]["Address"]
        container = {
            "name": "web", "image": "shop/web:1", "memory": 512,
            "environment": [{"name": "DB_HOST", "value": database}],
            "secrets": [{"name": "KEY", "valueFrom": f"arn:aws:ssm:{REGION}:{ACCOUNT}:parameter/shop/limit"}],
        }  # fmt: skip
        ecs.register_task_definition(family="web", containerDefinitions=[container], taskRoleArn=self.role)
        ecs.register_task_definition(family="report", containerDefinitions=[{"name": "r", "image": "r", "memory": 128}])
        ecs.create_service(
            cluster="core", serviceName="web", taskDefinition="web:1", desiredCount=2,
            loadBalancers=[{"targetGroupArn": self.group, "containerName": "web", "containerPort": 80}],
        )  # fmt: skip

    def fronts(self) -> None:
        rest, http = self.client("apigateway"), self.client("apigatewayv2")
        api = rest.create_rest_api(name="shop")["id"]
        root = rest.get_resources(restApiId=api)["items"][0]["id"]
        for verb in ("GET", "DELETE"):
            rest.put_method(restApiId=api, resourceId=root, httpMethod=verb, authorizationType="NONE")
        uri = f"arn:aws:apigateway:{REGION}:lambda:path/2015-03-31/functions/{function_arn('worker')}/invocations"
        rest.put_integration(
            restApiId=api, resourceId=root, httpMethod="GET", type="AWS_PROXY", integrationHttpMethod="POST", uri=uri
        )
        api = http.create_api(Name="web", ProtocolType="HTTP")["ApiId"]
        integration = http.create_integration(
            ApiId=api, IntegrationType="AWS_PROXY", IntegrationUri=function_arn("stream"), PayloadFormatVersion="2.0"
        )["IntegrationId"]
        http.create_route(ApiId=api, RouteKey="GET /", Target=f"integrations/{integration}")
        http.create_route(ApiId=api, RouteKey="GET /none")
        http.create_domain_name(DomainName="api.example.com")
        origin = {"Id": "o", "DomainName": self.balancer_host, "CustomOriginConfig": {
            "HTTPPort": 80, "HTTPSPort": 443, "OriginProtocolPolicy": "https-only"}}  # fmt: skip
        self.client("cloudfront").create_distribution(DistributionConfig={
            "CallerReference": "x", "Comment": "", "Enabled": True, "Origins": {"Quantity": 1, "Items": [origin]},
            "DefaultCacheBehavior": {"TargetOriginId": "o", "ViewerProtocolPolicy": "allow-all", "MinTTL": 0,
                                     "ForwardedValues": {"QueryString": False, "Cookies": {"Forward": "none"}}},
        })  # fmt: skip
        names = self.client("route53")
        zone = names.create_hosted_zone(Name="example.com", CallerReference="x")["HostedZone"]["Id"]
        record = {"Name": "www.example.com", "Type": "CNAME", "TTL": 60, "ResourceRecords": [{"Value": self.balancer_host}]}
        changes = [{"Action": "CREATE", "ResourceRecordSet": record}]
        names.change_resource_record_sets(HostedZoneId=zone, ChangeBatch={"Changes": changes})

    def watches(self) -> None:
        self.client("cloudwatch").put_metric_alarm(
            AlarmName="orders-old", Namespace="AWS/SQS", MetricName="ApproximateAgeOfOldestMessage", Statistic="Maximum", Period=60,
            EvaluationPeriods=1, Threshold=300, ComparisonOperator="GreaterThanThreshold",
            Dimensions=[{"Name": "QueueName", "Value": "orders"}], AlarmActions=[f"arn:aws:sns:{REGION}:{ACCOUNT}:paid"],
        )  # fmt: skip


def queue_arn(name: str) -> str:
    return f"arn:aws:sqs:{REGION}:{ACCOUNT}:{name}"


def table_arn(name: str) -> str:
    return f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}"


def function_arn(name: str) -> str:
    return f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:{name}"


def a_policy(statement: object) -> dict[str, object]:
    return {"Version": "2012-10-17", "Statement": statement}


def a_zip() -> bytes:
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("a.py", "def h(e, c): ...")
    return body.getvalue()
