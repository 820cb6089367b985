"""Amazon ECS: clusters, services, and the task definitions that say what they run."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import batched
from typing import Any

from context_graph.providers.aws.arns import unqualified
from context_graph.providers.aws.asking import Asking, chosen, dig, part
from gonogo.resource import Relation

SERVICE = "ecs"
PERMISSIONS = (
    "ecs:DescribeClusters",
    "ecs:DescribeServices",
    "ecs:DescribeTaskDefinition",
    "ecs:ListClusters",
    "ecs:ListServices",
    "ecs:ListTaskDefinitionFamilies",
    "elasticloadbalancing:DescribeTargetGroups",
)

_SERVICE = (
    "serviceName status desiredCount runningCount launchType schedulingStrategy platformVersion healthCheckGracePeriodSeconds"
)
Task = Mapping[str, Any]


def collect(ask: Asking) -> None:
    """Clusters, their services with what the containers are told, and task definitions that only schedules start."""
    tasks: dict[str, Task] = {}
    balanced: dict[str, list[str]] = {}
    clusters = list(ask.pages(SERVICE, "list_clusters", "clusterArns", maxResults=100))
    for some in batched(clusters, 100):
        with ask.detail("clusters"):
            for cluster in ask.one(SERVICE, "describe_clusters", clusters=list(some)).get("clusters", ()):
                attributes = chosen(cluster, "status capacityProviders runningTasksCount activeServicesCount")
                ask.resource(cluster["clusterArn"], "aws.ecs.cluster", cluster["clusterName"], attributes)
    for cluster in clusters:
        with ask.detail(f"services of {cluster}"):
            arns = ask.pages(SERVICE, "list_services", "serviceArns", cluster=cluster, maxResults=100)
            for some in batched(arns, 10):  # no more in one question
                for service in ask.one(SERVICE, "describe_services", cluster=cluster, services=list(some)).get("services", ()):
                    with ask.detail(f"service {service.get('serviceName')}"):
                        _service(ask, service, tasks, balanced)
    for family in ask.pages(SERVICE, "list_task_definition_families", "families", status="ACTIVE", maxResults=100):
        with ask.detail(f"task definition {family}"):
            if not any(task.get("family") == family for task in tasks.values()):
                _task(ask, family, tasks)
    if balanced:
        with ask.detail("balancers of services"):
            _balancers(ask, balanced)


def _service(ask: Asking, service: Mapping[str, Any], tasks: dict[str, Task], balanced: dict[str, list[str]]) -> None:
    if service.get("status") == "INACTIVE":  # deleted; listed for a while
        return
    arn = service["serviceArn"]
    attributes = chosen(service, _SERVICE) | {"deploymentConfiguration": service.get("deploymentConfiguration")}
    attributes["cluster"] = service["clusterArn"].rpartition("/")[2]
    used = service.get("taskDefinition")
    task: Task = {}
    with ask.detail(f"task definition of {service['serviceName']}"):
        task = _task(ask, used, tasks) if used else {}
    ask.resource(arn, "aws.ecs.service", service["serviceName"], attributes | _of_containers(task))
    ask.edge(arn, service["clusterArn"], Relation.DEPENDS_ON, "cluster")
    if used:
        ask.edge(arn, used, Relation.DEPENDS_ON, f"taskDefinition {used.rpartition('/')[2]}")
    _links(ask, arn, task)
    for balancer in service.get("loadBalancers") or ():
        if group := balancer.get("targetGroupArn"):
            ask.edge(group, arn, Relation.ROUTES_TO, f"container {balancer.get('containerName')}:{balancer.get('containerPort')}")
            balanced.setdefault(group, []).append(arn)


def _task(ask: Asking, revision: str, tasks: dict[str, Task]) -> Task:
    """The task definition, noted as one resource whatever its revision: every deployment makes another."""
    if revision in tasks:
        return tasks[revision]
    task = ask.one(SERVICE, "describe_task_definition", taskDefinition=revision)["taskDefinition"]
    tasks[revision] = task
    at = unqualified(task["taskDefinitionArn"])
    attributes = chosen(task, "family revision cpu networkMode requiresCompatibilities") | _of_containers(task)
    ask.resource(at, "aws.ecs.task_definition", task["family"], attributes)
    _links(ask, at, task)
    return task


def _of_containers(task: Task) -> dict[str, Any]:
    """What the containers are, the first one's settings as the definition's own; names of variables, never values."""
    containers: Sequence[Mapping[str, Any]] = task.get("containerDefinitions") or ()
    if not containers:
        return {}
    told = {variable["name"] for c in containers for variable in (*(c.get("environment") or ()), *(c.get("secrets") or ()))}
    first = containers[0]
    return {
        "environment_keys": sorted(told),
        "image": first.get("image"),
        "images": [c.get("image") for c in containers],
        "task_cpu": task.get("cpu"),
        "memory_limit_mib": int(task.get("memory") or first.get("memory") or 0) or None,
        "memory_request_mib": first.get("memoryReservation"),
        "termination_grace_s": first.get("stopTimeout"),
        "ports": [port.get("containerPort") for c in containers for port in c.get("portMappings") or ()],
    }


def _links(ask: Asking, at: str, task: Task) -> None:
    for value, evidence in _told(task):
        ask.mention(at, value, evidence)
    for container in task.get("containerDefinitions") or ():
        for secret in container.get("secrets") or ():
            ask.mention(at, secret["valueFrom"], f"secret {secret['name']} of {container['name']}", Relation.READS_FROM)
        if group := part(container, "logConfiguration.options").get("awslogs-group"):
            ask.mention(at, ask.arn("logs", f"log-group:{group}"), "awslogs-group", Relation.DEPENDS_ON)
        for file in container.get("environmentFiles") or ():
            ask.mention(at, file["value"], f"environment file of {container['name']}", Relation.READS_FROM)
    if role := task.get("taskRoleArn"):
        ask.acts_as(at, role, "taskRoleArn")
    if agent := task.get("executionRoleArn"):
        ask.edge(at, agent, Relation.DEPENDS_ON, "executionRoleArn")
    for volume in task.get("volumes") or ():
        if system := dig(volume, "efsVolumeConfiguration.fileSystemId"):
            ask.edge(
                at, ask.arn("elasticfilesystem", f"file-system/{system}"), Relation.CONNECTS_TO, f"volume {volume.get('name')}"
            )


def _told(task: Task) -> Iterator[tuple[str, str]]:
    for container in task.get("containerDefinitions") or ():
        for variable in container.get("environment") or ():
            yield variable.get("value", ""), f"environment variable {variable['name']} of {container['name']}"


def _balancers(ask: Asking, balanced: Mapping[str, Sequence[str]]) -> None:
    """The balancers straight in front of services, past their target groups."""
    for group in ask.pages("elbv2", "describe_target_groups", "TargetGroups", PageSize=400):
        for balancer in group.get("LoadBalancerArns") or ():
            for service in balanced.get(group["TargetGroupArn"], ()):
                ask.edge(balancer, service, Relation.ROUTES_TO, f"target group {group['TargetGroupName']}")
