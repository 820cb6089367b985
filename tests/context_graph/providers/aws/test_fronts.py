"""What leads to something else: rules, schedules, APIs, balancers, distributions, names, alarms."""

import json

import pytest

HERE = "eu-west-1:111122223333"
FUNCTION = f"arn:aws:lambda:{HERE}:function:worker"
INVOCATION = f"arn:aws:apigateway:eu-west-1:lambda:path/2015-03-31/functions/{FUNCTION}/invocations"


def said(read) -> set[tuple[str, str | None]]:
    return {(m.value, m.relation and m.relation.value) for m in read.mentions}


@pytest.mark.parametrize(("state", "count"), [("ENABLED", 3), ("DISABLED", 1)])
def test_a_rule_triggers_its_targets_while_it_is_on(aws, edges, state: str, count: int) -> None:
    rule = {
        "Name": "paid",
        "Arn": f"arn:aws:events:{HERE}:rule/shop/paid",
        "EventBusName": "shop",
        "EventPattern": "{}",
        "State": state,
    }
    aws.answers |= {
        "ListEventBuses": {"EventBuses": [{"Name": "shop", "Arn": f"arn:aws:events:{HERE}:event-bus/shop"}]},
        "ListRules": {"Rules": [rule]},
        "ListTargetsByRule": {"Targets": [{"Id": "1", "Arn": f"{FUNCTION}:live", "DeadLetterConfig": {"Arn": f"arn:aws:sqs:{HERE}:dead"}}]},
    }  # fmt: skip

    found = edges(aws.collect("events"))

    assert len(found) == count
    assert "rule/shop/paid publishes_to dead" in found
    assert ("rule/shop/paid triggers function:worker" in found) == (state == "ENABLED")
    assert ("event-bus/shop triggers rule/shop/paid" in found) == (state == "ENABLED")


def test_a_schedule_of_any_call_triggers_whom_its_input_names(aws) -> None:
    aws.answers["ListSchedules"] = {"Schedules": [{"Name": "n", "GroupName": "g"}]}
    target = {
        "Arn": "arn:aws:scheduler:::aws-sdk:lambda:invoke",
        "RoleArn": "arn:r",
        "Input": json.dumps({"FunctionName": "worker"}),
    }
    aws.answers["GetSchedule"] = {"Arn": f"arn:aws:scheduler:{HERE}:schedule/g/n", "Name": "n", "Target": target}

    assert said(aws.collect("scheduler")) == {('{"FunctionName": "worker"}', "triggers")}


def test_a_pipe_stands_between_its_source_and_its_target(aws, edges) -> None:
    aws.answers["ListPipes"] = {"Pipes": [{"Name": "p"}]}
    aws.answers["DescribePipe"] = {
        "Arn": f"arn:aws:pipes:{HERE}:pipe/p", "Name": "p", "CurrentState": "RUNNING",
        "Source": f"arn:aws:dynamodb:{HERE}:table/orders/stream/2026-01-01T00:00:00.000",
        "Target": f"arn:aws:events:{HERE}:event-bus/shop", "Enrichment": FUNCTION,
    }  # fmt: skip

    assert edges(aws.collect("pipes")) == {
        "table/orders triggers pipe/p", "pipe/p triggers event-bus/shop", "pipe/p invokes function:worker"
    }  # fmt: skip


def test_routes_of_a_rest_api_lead_to_functions_queues_and_hosts_and_a_method_may_lead_nowhere(aws, edges) -> None:
    def to(uri: str) -> dict:
        return {"methodIntegration": {"uri": uri}}

    aws.answers |= {
        "GetRestApis": {"items": [{"id": "a1", "name": "shop"}]},
        "GetStages": {"item": [{"stageName": "prod", "variables": {"fn": "staged"}}]},
        "GetResources": {"items": [
            {"path": "/", "resourceMethods": {"GET": to(INVOCATION), "DELETE": {}}},
            {"path": "/q", "resourceMethods": {"POST": to("arn:aws:apigateway:eu-west-1:sqs:path/111122223333/jobs")}},
            {"path": "/h", "resourceMethods": {"GET": to("https://inner.example.com/{proxy}")}},
            {"path": "/s", "resourceMethods": {"GET": to(INVOCATION.replace("worker", "${stageVariables.fn}"))}},
            {"path": "/none"}]},
        "GetAuthorizers": {"items": [{"name": "who", "authorizerUri": INVOCATION}]},
    }  # fmt: skip

    read = aws.collect("apigateway")

    assert {
        "/restapis/a1 routes_to function:worker", "/restapis/a1 routes_to jobs", "/restapis/a1 routes_to function:staged",
        "/restapis/a1 invokes function:worker", "/restapis/a1/stages/prod depends_on /restapis/a1",
    } == edges(read)  # fmt: skip
    assert ("https://inner.example.com/", "routes_to") in said(read)
    assert read.aliases["a1.execute-api.eu-west-1.amazonaws.com"] == "arn:aws:apigateway:eu-west-1::/restapis/a1"


def test_an_http_api_leads_to_a_balancer_through_its_listener_and_has_names_in_front(aws, edges) -> None:
    listener = f"arn:aws:elasticloadbalancing:{HERE}:listener/app/front/1/2"
    aws.answers |= {
        "GetApis": {"Items": [{"ApiId": "h1", "Name": "web", "ApiEndpoint": "https://h1.execute-api.eu-west-1.amazonaws.com"}]},
        "GetRoutes": {"Items": [{"RouteKey": "GET /", "Target": "integrations/i"}, {"RouteKey": "GET /none"}]},
        "GetIntegrations": {"Items": [{"IntegrationId": "i", "IntegrationUri": listener, "ConnectionType": "VPC_LINK"}]},
        "GetDomainNames": {"Items": [{"DomainName": "api.example.com"}]},
        "GetApiMappings": {"Items": [{"ApiId": "h1", "Stage": "$default"}]},
    }

    read = aws.collect("apigateway")

    assert edges(read) == {"/apis/h1 routes_to listener/app/front/1/2"}
    assert ("arn:aws:apigateway:eu-west-1::/apis/h1", "routes_to") in said(read)
    assert "api.example.com" in read.aliases


def test_a_balancer_leads_to_every_group_that_a_listener_or_a_rule_forwards_to(aws, edges, attributes) -> None:
    balancer, group = (
        f"arn:aws:elasticloadbalancing:{HERE}:loadbalancer/app/f/1",
        f"arn:aws:elasticloadbalancing:{HERE}:targetgroup/",
    )
    listener = {"ListenerArn": f"arn:aws:elasticloadbalancing:{HERE}:listener/app/f/1/2", "Protocol": "HTTPS", "Port": 443}
    listener["DefaultActions"] = [{"Type": "forward", "TargetGroupArn": f"{group}web"}]
    rule = {"RuleArn": f"arn:aws:elasticloadbalancing:{HERE}:listener-rule/app/f/1/2/3", "Priority": "10",
            "Conditions": [{"Field": "path-pattern", "Values": ["/api/*"]}],
            "Actions": [{"Type": "forward", "ForwardConfig": {"TargetGroups": [{"TargetGroupArn": f"{group}api", "Weight": 0}]}}]}  # fmt: skip
    aws.answers |= {
        "DescribeLoadBalancers": {"LoadBalancers": [{"LoadBalancerArn": balancer, "LoadBalancerName": "f", "DNSName": "F-1.elb.amazonaws.com"}]},
        "DescribeLoadBalancerAttributes": {"Attributes": [{"Key": "idle_timeout.timeout_seconds", "Value": "60"}]},
        "DescribeListeners": {"Listeners": [listener]},
        "DescribeRules": {"Rules": [{"RuleArn": "arn:d", "IsDefault": True}, rule]},
        "DescribeTargetGroups": {"TargetGroups": [
            {"TargetGroupArn": f"{group}web", "TargetGroupName": "web", "TargetType": "lambda"},
            {"TargetGroupArn": f"{group}api", "TargetGroupName": "api", "TargetType": "instance"}]},
        "DescribeTargetHealth": lambda p: {"TargetHealthDescriptions": [
            {"Target": {"Id": FUNCTION if p["TargetGroupArn"].endswith("web") else "i-0abc"}}]},
    }  # fmt: skip

    read = aws.collect("elbv2")

    assert {
        "loadbalancer/app/f/1 routes_to targetgroup/web", "loadbalancer/app/f/1 routes_to targetgroup/api",
        "targetgroup/web routes_to function:worker", "targetgroup/api routes_to instance/i-0abc",
    } <= edges(read)  # fmt: skip
    assert attributes(read, "f")["idle_timeout_s"] == 60
    assert read.aliases["dualstack.f-1.elb.amazonaws.com"] == balancer


def test_a_distribution_leads_to_its_origins_by_host_and_keeps_no_header_of_theirs(aws) -> None:
    origin = {
        "Id": "o",
        "DomainName": "front.elb.amazonaws.com",
        "CustomHeaders": {"Items": [{"HeaderName": "k", "HeaderValue": "hunter2"}]},
    }
    aws.answers["ListDistributions"] = {"DistributionList": {"Items": [
        {"ARN": "arn:aws:cloudfront::1:distribution/E1", "Id": "E1", "DomainName": "d1.cloudfront.net",
         "Aliases": {"Items": ["www.example.com"]}, "Origins": {"Items": [origin]}}]}}  # fmt: skip

    read = aws.collect("cloudfront")

    assert said(read) == {("front.elb.amazonaws.com", "routes_to")}
    assert set(read.aliases) == {"d1.cloudfront.net", "www.example.com"}
    assert "hunter2" not in repr(read)


def test_a_zone_lists_its_names_and_each_name_leads_to_its_target(aws, attributes) -> None:
    records = [
        {"Name": "www.example.com.", "Type": "A", "AliasTarget": {"DNSName": "d1.cloudfront.net."}},
        {"Name": "db.example.com.", "Type": "CNAME", "TTL": 30, "ResourceRecords": [{"Value": "ledger.rds.amazonaws.com"}]},
        {"Name": "example.com.", "Type": "TXT", "TTL": 300, "ResourceRecords": [{"Value": "token=hunter2"}]},
    ]
    aws.answers["ListHostedZones"] = {"HostedZones": [{"Id": "/hostedzone/Z1", "Name": "example.com."}]}
    aws.answers["ListResourceRecordSets"] = {"ResourceRecordSets": records}

    read = aws.collect("route53")

    assert attributes(read, "example.com")["records"]["db"] == {
        "type": "CNAME",
        "ttl": 30,
        "records": ["ledger.rds.amazonaws.com"],
    }
    assert {("d1.cloudfront.net", "routes_to"), ("ledger.rds.amazonaws.com", "routes_to")} == said(read)
    assert {r.region for r in read.resources} == {"global"}
    assert "hunter2" not in repr(read)


@pytest.mark.parametrize(
    ("namespace", "dimensions", "target"),
    [
        ("AWS/Lambda", {"FunctionName": "f", "Resource": "f:live"}, f"arn:aws:lambda:{HERE}:function:f"),
        ("AWS/RDS", {"DBClusterIdentifier": "shop"}, f"arn:aws:rds:{HERE}:cluster:shop"),
        ("AWS/ECS", {"ServiceName": "web", "ClusterName": "core"}, f"arn:aws:ecs:{HERE}:service/core/web"),
        ("AWS/ApplicationELB", {"LoadBalancer": "app/f/1"}, f"arn:aws:elasticloadbalancing:{HERE}:loadbalancer/app/f/1"),
        ("AWS/ApplicationELB", {"LoadBalancer": "app/f/1", "TargetGroup": "targetgroup/w/2"}, f"arn:aws:elasticloadbalancing:{HERE}:targetgroup/w/2"),
        ("AWS/ApiGateway", {"ApiId": "h1"}, "arn:aws:apigateway:eu-west-1::/apis/h1"),
        ("AWS/ApiGateway", {"ApiName": "shop"}, "shop"),
        ("AWS/S3", {"BucketName": "b", "StorageType": "x"}, "arn:aws:s3:::b"),
        ("AWS/CloudFront", {"DistributionId": "E1", "Region": "Global"}, "arn:aws:cloudfront::111122223333:distribution/E1"),
        ("Shop/Orders", {"FunctionName": "f"}, None),  # a namespace of one's own names nothing for sure
    ],
)  # fmt: skip
def test_an_alarm_watches_what_its_namespace_and_dimensions_name(aws, edges, namespace, dimensions, target) -> None:
    aws.answers["DescribeAlarms"] = lambda p: {"MetricAlarms": [{
        "AlarmName": "a", "AlarmArn": f"arn:aws:cloudwatch:{HERE}:alarm:a", "Namespace": namespace, "MetricName": "Errors",
        "Dimensions": [{"Name": n, "Value": v} for n, v in dimensions.items()],
        "AlarmActions": [f"arn:aws:sns:{HERE}:pages", "arn:aws:automate:eu-west-1:ec2:reboot"]}]} if p["AlarmTypes"] == ["MetricAlarm"] else {}  # fmt: skip

    read = aws.collect("cloudwatch")

    assert said(read) == ({(target, "depends_on")} if target else set())
    assert edges(read) == {"alarm:a publishes_to pages"}
