"""AWS Step Functions: state machines and what their tasks call. Definitions are read and not kept: their inputs may hold secrets."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from context_graph.providers.aws.asking import Asking, chosen, dig
from gonogo.resource import Relation

SERVICE = "stepfunctions"
PERMISSIONS = ("states:DescribeStateMachine", "states:ListStateMachines")

_VERBS = {
    "sqs:sendmessage": Relation.PUBLISHES_TO, "sqs:sendmessagebatch": Relation.PUBLISHES_TO, "sqs:receivemessage": Relation.READS_FROM,
    "sns:publish": Relation.PUBLISHES_TO, "events:putevents": Relation.PUBLISHES_TO, "eventbridge:putevents": Relation.PUBLISHES_TO,
    "dynamodb:putitem": Relation.WRITES_TO, "dynamodb:updateitem": Relation.WRITES_TO, "dynamodb:deleteitem": Relation.WRITES_TO,
    "dynamodb:batchwriteitem": Relation.WRITES_TO, "dynamodb:transactwriteitems": Relation.WRITES_TO,
    "dynamodb:getitem": Relation.READS_FROM, "dynamodb:query": Relation.READS_FROM, "dynamodb:scan": Relation.READS_FROM,
    "dynamodb:batchgetitem": Relation.READS_FROM, "s3:putobject": Relation.WRITES_TO, "s3:getobject": Relation.READS_FROM,
    "s3:listobjectsv2": Relation.READS_FROM, "s3:deleteobject": Relation.WRITES_TO, "kinesis:putrecord": Relation.PUBLISHES_TO,
    "firehose:putrecord": Relation.PUBLISHES_TO, "lambda:invoke": Relation.INVOKES, "ecs:runtask": Relation.INVOKES,
    "states:startexecution": Relation.INVOKES, "sfn:startexecution": Relation.INVOKES, "sfn:startsyncexecution": Relation.INVOKES,
    "apigateway:invoke": Relation.INVOKES, "http:invoke": Relation.INVOKES, "secretsmanager:getsecretvalue": Relation.READS_FROM,
    "ssm:getparameter": Relation.READS_FROM,
}  # fmt: skip
"""What a task does with whom its parameters name. Another call leaves it to the kind of the resource, and to the role."""

_STEPS = 10_000


def collect(ask: Asking) -> None:
    """Every state machine; every resource that a task of it calls."""
    for listed in ask.pages(SERVICE, "list_state_machines", "stateMachines", maxResults=1000):
        with ask.detail(f"state machine {listed.get('name')}"):
            _machine(ask, ask.one(SERVICE, "describe_state_machine", stateMachineArn=listed["stateMachineArn"]))


def _machine(ask: Asking, machine: Mapping[str, Any]) -> None:
    arn = machine["stateMachineArn"]
    definition = json.loads(machine["definition"])
    attributes = chosen(machine, "type status") | {"timeout_s": dig(definition, "TimeoutSeconds")}
    ask.resource(arn, "aws.stepfunctions.state_machine", machine["name"], attributes)
    if role := machine.get("roleArn"):
        ask.acts_as(arn, role, "roleArn")
    for name, state in _tasks(definition):
        _task(ask, arn, name, state)


def _tasks(definition: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Name and body of every task, those inside branches and maps too."""
    waiting: list[tuple[str, Any]] = [("", definition)]
    for _ in range(_STEPS):
        if not waiting:
            return
        name, value = waiting.pop()
        if isinstance(value, list):
            waiting += [(name, inner) for inner in cast("list[Any]", value)]
        elif isinstance(value, Mapping):
            body = cast("Mapping[str, Any]", value)
            if body.get("Type") == "Task" and isinstance(body.get("Resource"), str):
                yield name, body
            waiting += [(state, inner) for state, inner in cast("Mapping[str, Any]", body.get("States") or {}).items()]
            waiting += [(name, body[key]) for key in ("Branches", "Iterator", "ItemProcessor") if key in body]


def _task(ask: Asking, machine: str, name: str, state: Mapping[str, Any]) -> None:
    resource, evidence = state["Resource"], f"state {name}"
    integration = resource.partition(":states:::")[2]
    if not integration:
        relation = Relation.DEPENDS_ON if ":activity:" in resource else Relation.INVOKES
        ask.edge(machine, resource, relation, evidence)
        return
    verb = ":".join(integration.removeprefix("aws-sdk:").split(".")[0].split(":")[:2]).lower()
    for key in ("Parameters", "Arguments"):
        if isinstance(state.get(key), Mapping):
            ask.mention(machine, json.dumps(_named(state[key])), evidence, _VERBS.get(verb))
            task = state[key].get("TaskDefinition")
            if isinstance(task, str) and not task.startswith(("arn:", "{%", "$")):
                family = ask.arn("ecs", f"task-definition/{task.partition(':')[0]}")
                ask.mention(machine, family, evidence, Relation.INVOKES)


def _named(parameters: Mapping[str, Any]) -> list[str]:
    """Whom the call is about: what its own parameters name, not the payload that it carries."""
    kept: list[str] = []
    waiting: list[tuple[str, Any]] = list(parameters.items())
    while waiting and len(kept) < 100:
        key, value = waiting.pop()
        if isinstance(value, Mapping) and key.lower() not in ("payload", "input", "messagebody", "item", "key", "detail", "body"):
            waiting += list(cast("Mapping[str, Any]", value).items())
        elif isinstance(value, list):
            waiting += [(key, inner) for inner in cast("list[Any]", value)]
        elif isinstance(value, str) and value.startswith(("arn:", "https://")) and ":cluster/" not in value:
            kept.append(value)
        elif (
            isinstance(value, str)
            and not key.startswith("Cluster")
            and key.endswith(("Name", "Url", "Arn", "Bucket", "Id", "ApiEndpoint"))
        ):
            kept.append(value.partition(":")[0])  # a function's name may carry its alias
    return kept
