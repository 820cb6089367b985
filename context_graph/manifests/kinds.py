"""The kind of a resource from the type that Terraform or CloudFormation calls it by."""

from functools import cache

from context_graph.normal_form import snake

_TERRAFORM = {
    "aws_lambda_function": "aws.lambda.function",
    "aws_sqs_queue": "aws.sqs.queue",
    "aws_sns_topic": "aws.sns.topic",
    "aws_sns_topic_subscription": "aws.sns.subscription",
    "aws_db_instance": "aws.rds.instance",
    "aws_rds_cluster": "aws.rds.cluster",
    "aws_rds_cluster_instance": "aws.rds.cluster_instance",
    "aws_db_parameter_group": "aws.rds.parameter_group",
    "aws_rds_cluster_parameter_group": "aws.rds.cluster_parameter_group",
    "aws_db_subnet_group": "aws.rds.subnet_group",
    "aws_db_proxy": "aws.rds.proxy",
    "aws_elasticache_replication_group": "aws.elasticache.cluster",
    "aws_api_gateway_rest_api": "aws.apigateway.api",
    "aws_apigatewayv2_api": "aws.apigateway.api",
    "aws_lb": "aws.elb.loadbalancer",
    "aws_alb": "aws.elb.loadbalancer",
    "aws_elb": "aws.elb.classic_loadbalancer",
    "aws_lb_target_group": "aws.elb.target_group",
    "aws_alb_target_group": "aws.elb.target_group",
    "aws_lb_listener": "aws.elb.listener",
    "aws_alb_listener": "aws.elb.listener",
    "aws_lb_listener_rule": "aws.elb.listener_rule",
    "aws_alb_listener_rule": "aws.elb.listener_rule",
    "aws_lb_target_group_attachment": "aws.elb.target_group_attachment",
    "aws_security_group": "aws.ec2.security_group",
    "aws_security_group_rule": "aws.ec2.security_group_rule",
    "aws_vpc_security_group_ingress_rule": "aws.ec2.security_group_ingress",
    "aws_vpc_security_group_egress_rule": "aws.ec2.security_group_egress",
    "aws_cloudwatch_event_rule": "aws.events.rule",
    "aws_cloudwatch_event_target": "aws.events.target",
    "aws_cloudwatch_event_bus": "aws.events.bus",
    "aws_appsync_graphql_api": "aws.appsync.api",
    "aws_appsync_datasource": "aws.appsync.data_source",
    "aws_lambda_function_event_invoke_config": "aws.lambda.event_invoke_config",
    "aws_codepipeline": "aws.codepipeline.pipeline",
    "aws_cloudwatch_metric_alarm": "aws.cloudwatch.alarm",
    "aws_cloudwatch_log_group": "aws.logs.group",
    "aws_cloudwatch_log_subscription_filter": "aws.logs.subscription_filter",
    "aws_cloudwatch_log_metric_filter": "aws.logs.metric_filter",
    "aws_appautoscaling_target": "aws.autoscaling.target",
    "aws_appautoscaling_policy": "aws.autoscaling.policy",
    "aws_appautoscaling_scheduled_action": "aws.autoscaling.scheduled_action",
    "aws_sfn_state_machine": "aws.stepfunctions.state_machine",
    "aws_instance": "aws.ec2.instance",
    "aws_vpc": "aws.ec2.vpc",
    "aws_subnet": "aws.ec2.subnet",
    "aws_route_table": "aws.ec2.route_table",
    "aws_route": "aws.ec2.route",
    "aws_nat_gateway": "aws.ec2.nat_gateway",
    "aws_network_acl": "aws.ec2.network_acl",
    "aws_network_acl_rule": "aws.ec2.network_acl_rule",
    "aws_launch_template": "aws.ec2.launch_template",
    "aws_autoscaling_group": "aws.autoscaling.group",
    "aws_autoscaling_policy": "aws.autoscaling.group_policy",
    "aws_eip": "aws.ec2.eip",
    "aws_volume_attachment": "aws.ec2.volume_attachment",
    "aws_elasticsearch_domain": "aws.opensearch.domain",
    "aws_kinesis_firehose_delivery_stream": "aws.firehose.delivery_stream",
    "cloudflare_worker_script": "cloudflare.worker",
    "cloudflare_workers_script": "cloudflare.worker",
    "cloudflare_queue": "cloudflare.queue",
    "cloudflare_workers_kv_namespace": "cloudflare.kv_namespace",
    "cloudflare_d1_database": "cloudflare.d1.database",
    "cloudflare_r2_bucket": "cloudflare.r2.bucket",
    "cloudflare_record": "cloudflare.dns.record",
    "cloudflare_dns_record": "cloudflare.dns.record",
}
_TERRAFORM_PREFIXES = {
    "aws_api_gateway_": "aws.apigateway.", "aws_apigatewayv2_": "aws.apigateway.", "aws_cloudwatch_event_": "aws.events.",
    "aws_cloudwatch_log_": "aws.logs.", "aws_service_discovery_": "aws.servicediscovery.", "aws_db_": "aws.rds.",
    "aws_sfn_": "aws.stepfunctions.", "aws_kinesis_firehose_": "aws.firehose.",
}  # fmt: skip
_TERRAFORM_CLOUDS = {"google": "google", "azurerm": "azure", "azuread": "azure", "kubernetes": "kubernetes"}

_CLOUDFORMATION = {
    "AWS::Serverless::Function": "aws.lambda.function",
    "AWS::Serverless::Api": "aws.apigateway.api",
    "AWS::Serverless::HttpApi": "aws.apigateway.api",
    "AWS::Serverless::SimpleTable": "aws.dynamodb.table",
    "AWS::Serverless::StateMachine": "aws.stepfunctions.state_machine",
    "AWS::Serverless::LayerVersion": "aws.lambda.layer_version",
    "AWS::Serverless::Application": "aws.cloudformation.stack",
    "AWS::RDS::DBInstance": "aws.rds.instance",
    "AWS::RDS::DBCluster": "aws.rds.cluster",
    "AWS::RDS::DBParameterGroup": "aws.rds.parameter_group",
    "AWS::RDS::DBClusterParameterGroup": "aws.rds.cluster_parameter_group",
    "AWS::RDS::DBSubnetGroup": "aws.rds.subnet_group",
    "AWS::RDS::DBProxy": "aws.rds.proxy",
    "AWS::DocDB::DBCluster": "aws.docdb.cluster",
    "AWS::DocDB::DBInstance": "aws.docdb.instance",
    "AWS::Neptune::DBCluster": "aws.neptune.cluster",
    "AWS::Neptune::DBInstance": "aws.neptune.instance",
    "AWS::EC2::Volume": "aws.ebs.volume",
    "AWS::AmazonMQ::Broker": "aws.mq.broker",
    "AWS::DynamoDB::GlobalTable": "aws.dynamodb.table",
    "AWS::ElastiCache::CacheCluster": "aws.elasticache.cluster",
    "AWS::ElastiCache::ReplicationGroup": "aws.elasticache.cluster",
    "AWS::ApiGateway::RestApi": "aws.apigateway.api",
    "AWS::ApiGatewayV2::Api": "aws.apigateway.api",
    "AWS::ElasticLoadBalancingV2::LoadBalancer": "aws.elb.loadbalancer",
    "AWS::ElasticLoadBalancing::LoadBalancer": "aws.elb.classic_loadbalancer",
    "AWS::IAM::ManagedPolicy": "aws.iam.policy",
    "AWS::Route53::HostedZone": "aws.route53.zone",
    "AWS::Route53::RecordSet": "aws.route53.record",
    "AWS::ApplicationAutoScaling::ScalableTarget": "aws.autoscaling.target",
    "AWS::ApplicationAutoScaling::ScalingPolicy": "aws.autoscaling.policy",
    "AWS::AutoScaling::AutoScalingGroup": "aws.autoscaling.group",
    "AWS::Logs::LogGroup": "aws.logs.group",
    "AWS::EC2::VPC": "aws.ec2.vpc",
    "AWS::KinesisFirehose::DeliveryStream": "aws.firehose.delivery_stream",
    "AWS::Elasticsearch::Domain": "aws.opensearch.domain",
    "AWS::OpenSearchService::Domain": "aws.opensearch.domain",
    "AWS::SNS::Subscription": "aws.sns.subscription",
    "AWS::Events::EventBus": "aws.events.bus",
    "AWS::AppSync::GraphQLApi": "aws.appsync.api",
    "AWS::AppSync::GraphQLSchema": "aws.appsync.schema",
    "AWS::IAM::OIDCProvider": "aws.iam.openid_connect_provider",
}
_CLOUDFORMATION_SERVICES = {
    "elasticloadbalancingv2": "elb",
    "elasticloadbalancing": "elb",
    "apigatewayv2": "apigateway",
    "applicationautoscaling": "autoscaling",
    "kinesisfirehose": "firehose",
    "serverless": "serverless",
}


@cache
def terraform_kind(resource_type: str) -> str:
    """`aws_sqs_queue` → `aws.sqs.queue`; a type that the table lacks is `provider.service.rest`, mechanically."""
    if resource_type in _TERRAFORM:
        return _TERRAFORM[resource_type]
    for prefix, kind in _TERRAFORM_PREFIXES.items():
        if resource_type.startswith(prefix):
            return kind + resource_type[len(prefix) :]
    provider, _, rest = resource_type.partition("_")
    provider = _TERRAFORM_CLOUDS.get(provider, provider)
    if provider == "kubernetes":
        return "kubernetes." + rest.removesuffix("_v1").removesuffix("_v2").replace("_", "")
    service, _, what = rest.partition("_")
    return ".".join(part for part in (provider, service, what) if part)


@cache
def cloudformation_kind(resource_type: str) -> str:
    """`AWS::SQS::Queue` → `aws.sqs.queue`; a type that the table lacks is mapped mechanically."""
    if resource_type in _CLOUDFORMATION:
        return _CLOUDFORMATION[resource_type]
    parts = resource_type.split("::")
    provider = parts[0].lower()
    service = parts[1].lower() if len(parts) > 1 else ""
    service = _CLOUDFORMATION_SERVICES.get(service, service)
    return ".".join(part for part in (provider, service, "_".join(snake(p) for p in parts[2:])) if part)
