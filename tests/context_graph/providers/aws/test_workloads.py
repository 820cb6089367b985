"""Functions, containers and state machines: what they are told, whom they call, and what must not be kept."""

import json

import pytest

HERE = "eu-west-1:111122223333"
FUNCTION = f"arn:aws:lambda:{HERE}:function:worker"
ROLE = "arn:aws:iam::111122223333:role/worker"


def a_function(**more: object) -> dict:
    return {
        "Functions": [
            {"FunctionArn": FUNCTION, "FunctionName": "worker", "Runtime": "python3.12", "Timeout": 7, "Role": ROLE, **more}
        ]
    }


def a_mapping(uuid: str, source: str, **more: object) -> dict:
    return {"UUID": uuid, "FunctionArn": f"{FUNCTION}:live", "EventSourceArn": source, "State": "Enabled", **more}


def test_a_function_carries_the_settings_of_its_event_source(aws, edges, attributes) -> None:
    aws.answers["ListFunctions"] = a_function(LoggingConfig={"LogGroup": "/shop/worker"})
    settings = {"BatchSize": 25, "FunctionResponseTypes": ["ReportBatchItemFailures"], "ScalingConfig": {"MaximumConcurrency": 4}}
    aws.answers["ListEventSourceMappings"] = {"EventSourceMappings": [a_mapping("1", f"arn:aws:sqs:{HERE}:jobs", **settings)]}

    read = aws.collect("lambda")

    found = attributes(read, "worker")
    assert (found["event_source_batch_size"], found["event_source_maximum_concurrency"]) == (25, 4)
    assert found["runtime"] == "python3.12"
    assert found["function_response_types"] == ["ReportBatchItemFailures"]
    assert found["log_group"] == "/shop/worker"
    assert "jobs triggers function:worker" in edges(read)


def test_of_several_sources_only_what_they_say_alike_is_the_functions(aws, attributes) -> None:
    aws.answers["ListFunctions"] = a_function()
    aws.answers["ListEventSourceMappings"] = {
        "EventSourceMappings": [
            a_mapping("1", f"arn:aws:sqs:{HERE}:a", BatchSize=10, MaximumBatchingWindowInSeconds=5),
            a_mapping("2", f"arn:aws:sqs:{HERE}:b", BatchSize=99, MaximumBatchingWindowInSeconds=5),
        ]
    }

    found = attributes(aws.collect("lambda"), "worker")

    assert "event_source_batch_size" not in found
    assert found["event_source_batching_window_s"] == 5
    assert [one["event_source_batch_size"] for one in found["event_sources"]] == [10, 99]


def test_a_mapping_that_is_switched_off_triggers_nothing(aws, edges) -> None:
    aws.answers["ListEventSourceMappings"] = {"EventSourceMappings": [a_mapping("1", "arn:aws:sqs:e:1:jobs", State="Disabled")]}

    assert edges(aws.collect("lambda")) == set()


def test_concurrency_asynchronous_settings_and_urls_are_asked_for(aws, attributes, edges) -> None:
    aws.answers |= {
        "ListFunctions": a_function(),
        "GetFunctionConcurrency": {"ReservedConcurrentExecutions": 3},
        "ListProvisionedConcurrencyConfigs": {"ProvisionedConcurrencyConfigs": [
            {"RequestedProvisionedConcurrentExecutions": 4}, {"RequestedProvisionedConcurrentExecutions": 2}]},
        "ListFunctionEventInvokeConfigs": {"FunctionEventInvokeConfigs": [{
            "FunctionArn": f"{FUNCTION}:$LATEST", "MaximumRetryAttempts": 0, "MaximumEventAgeInSeconds": 60,
            "DestinationConfig": {"OnFailure": {"Destination": f"arn:aws:sqs:{HERE}:failed"}}}]},
        "ListFunctionUrlConfigs": {"FunctionUrlConfigs": [{"FunctionUrl": "https://ABC.lambda-url.eu-west-1.on.aws/", "AuthType": "NONE"}]},
        "ListAliases": {"Aliases": [{"Name": "live", "FunctionVersion": "7"}]},
    }  # fmt: skip

    read = aws.collect("lambda")

    found = attributes(read, "worker")
    assert (found["reserved_concurrency"], found["provisioned_concurrency"]) == (3, 6)
    assert (found["max_retry_attempts"], found["max_event_age_s"], found["aliases"]) == (0, 60, {"live": "7"})
    assert read.aliases == {"abc.lambda-url.eu-west-1.on.aws": FUNCTION}
    assert "function:worker publishes_to failed" in edges(read)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"arn:aws:logs:{HERE}:log-group:/aws/lambda/other:*", {"log-group:/aws/lambda/other triggers function:worker"}),
        (f"arn:aws:cognito-idp:{HERE}:userpool/eu-west-1_abc", {"userpool/eu-west-1_abc triggers function:worker"}),
        (f"arn:aws:events:{HERE}:rule/left-behind", set()),  # rules say themselves what they trigger
        ("arn:aws:s3:::uploads", set()),
        (f"arn:aws:iot:{HERE}:rule/*", set()),
    ],
)
def test_the_functions_own_policy_names_triggers_that_are_listed_nowhere_else(aws, edges, source, expected) -> None:
    statement = {
        "Sid": "s", "Effect": "Allow", "Principal": {"Service": "x"}, "Action": "lambda:InvokeFunction",
        "Condition": {"ArnLike": {"AWS:SourceArn": source}},
    }  # fmt: skip
    aws.answers |= {"ListFunctions": a_function(), "GetPolicy": {"Policy": json.dumps({"Statement": statement})}}

    assert {e for e in edges(aws.collect("lambda")) if "triggers" in e} == expected


TASK = {
    "taskDefinitionArn": f"arn:aws:ecs:{HERE}:task-definition/web:12", "family": "web", "revision": 12, "memory": "1024",
    "taskRoleArn": ROLE, "executionRoleArn": f"{ROLE}-agent",
    "containerDefinitions": [{
        "name": "web", "image": "shop/web:1", "stopTimeout": 30,
        "environment": [{"name": "DB", "value": "postgres://app:hunter2@db.example.com/x"}],
        "secrets": [{"name": "KEY", "valueFrom": f"arn:aws:secretsmanager:{HERE}:secret:pay-AbCdEf:key::"}],
        "logConfiguration": {"options": {"awslogs-group": "/ecs/web"}},
    }],
}  # fmt: skip
SERVICE = {
    "serviceArn": f"arn:aws:ecs:{HERE}:service/core/web", "serviceName": "web", "clusterArn": f"arn:aws:ecs:{HERE}:cluster/core",
    "status": "ACTIVE", "desiredCount": 3, "taskDefinition": TASK["taskDefinitionArn"],
    "deploymentConfiguration": {"minimumHealthyPercent": 50, "maximumPercent": 200},
    "loadBalancers": [{"targetGroupArn": f"arn:aws:elasticloadbalancing:{HERE}:targetgroup/web/1", "containerName": "web"}],
}  # fmt: skip


def a_cluster(**more: object) -> dict:
    return {
        "ListClusters": {"clusterArns": [SERVICE["clusterArn"]]},
        "ListServices": {"serviceArns": [SERVICE["serviceArn"]]},
        "DescribeServices": {"services": [{**SERVICE, **more}]},
        "DescribeTaskDefinition": {"taskDefinition": TASK},
        "DescribeTargetGroups": {"TargetGroups": [{
            "TargetGroupArn": SERVICE["loadBalancers"][0]["targetGroupArn"], "TargetGroupName": "web",
            "LoadBalancerArns": [f"arn:aws:elasticloadbalancing:{HERE}:loadbalancer/app/front/1"]}]},
    }  # fmt: skip


def test_a_service_is_what_its_task_definition_says_and_balancers_lead_to_it(aws, attributes, edges) -> None:
    aws.answers |= a_cluster()

    read = aws.collect("ecs")

    [service] = [r for r in read.resources if r.kind == "aws.ecs.service"]
    assert service.attributes["desired_count"] == 3
    assert (service.attributes["min_healthy_percent"], service.attributes["memory_limit_mib"]) == (50, 1024)
    assert service.attributes["environment_keys"] == ["DB", "KEY"]
    assert {
        "loadbalancer/app/front/1 routes_to service/core/web",
        "targetgroup/web/1 routes_to service/core/web",
        "service/core/web depends_on task-definition/web",
        "service/core/web depends_on role/worker-agent",
    } <= edges(read)
    assert read.roles[SERVICE["serviceArn"]] == ROLE  # what the agent may do, the service does not do
    assert "hunter2" not in repr(read.resources) + repr(read.edges) + repr(read.mentions)


def test_a_task_definition_is_one_resource_whatever_its_revision(aws) -> None:
    aws.answers |= a_cluster()

    found = [r.id for r in aws.collect("ecs").resources if r.kind == "aws.ecs.task_definition"]

    assert found == [f"arn:aws:ecs:{HERE}:task-definition/web"]


def test_a_deleted_service_that_is_still_listed_is_none(aws) -> None:
    aws.answers |= a_cluster(status="INACTIVE")

    assert [r for r in aws.collect("ecs").resources if r.kind == "aws.ecs.service"] == []


def test_tasks_of_every_depth_lead_to_what_they_call_and_payloads_are_not_looked_at(aws, edges) -> None:
    called = {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke.waitForTaskToken",
              "Parameters": {"FunctionName": f"{FUNCTION}:live", "Payload": {"Url": "https://hidden.example.com"}}}  # fmt: skip
    sent = {"Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage", "Parameters": {"QueueUrl": "https://sqs/1/jobs"}}
    put = {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:dynamodb:putItem", "Arguments": {"TableName": "orders"}}
    direct = {"Type": "Task", "Resource": f"{FUNCTION}-2"}
    states = {
        "All": {"Type": "Parallel", "Branches": [{"States": {"Call": called}}, {"States": {"Send": sent}}]},
        "Each": {"Type": "Map", "ItemProcessor": {"States": {"Put": put, "Direct": direct}}},
    }
    machine = f"arn:aws:states:{HERE}:stateMachine:flow"
    aws.answers["ListStateMachines"] = {"stateMachines": [{"name": "flow", "stateMachineArn": machine}]}
    aws.answers["DescribeStateMachine"] = {
        "name": "flow",
        "stateMachineArn": machine,
        "roleArn": ROLE,
        "definition": json.dumps({"States": states}),
    }

    read = aws.collect("stepfunctions")

    said = {(text, m.relation and m.relation.value, m.evidence) for m in read.mentions for text in json.loads(m.value)}
    assert said == {
        (f"{FUNCTION}:live", "invokes", "state Call"),
        ("https://sqs/1/jobs", "publishes_to", "state Send"),
        ("orders", "writes_to", "state Put"),
    }
    assert "stateMachine:flow invokes function:worker-2" in edges(read)
    assert "definition" not in read.resources[0].attributes
