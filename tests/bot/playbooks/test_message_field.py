"""Fields of messages that go or come."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

TEMPLATE = (
    "Transform: AWS::Serverless-2016-10-31\nResources:\n"
    "  Api:\n    Type: AWS::Serverless::Function\n    Properties: {FunctionName: api, Handler: send.handler, CodeUri: api/}\n"
    "  Work:\n    Type: AWS::Serverless::Function\n    Properties: {FunctionName: work, Handler: take.handler, CodeUri: work/}\n"
)
SEND_PY = 'import boto3, json\n\ndef handler(event, _):\n    boto3.client("sqs").send_message(QueueUrl=Q, MessageBody=json.dumps({\n        "orderId": event["id"],\n        "customerId": event["customer"],\n    }))\n'
SEND_TS = 'export const handler = (e) =>\n  sqs.send(new SendMessageCommand({\n    MessageBody: JSON.stringify({\n      "orderId": e.id,\n      "customerId": e.customer,\n    }),\n  }));\n'
TAKE_PY = 'import json\n\ndef handler(event, _):\n    for record in event["Records"]:\n        message = json.loads(record["body"])\n        credit({read})\n'
TAKE_TS = "export const handler = async (event) => {\n  for (const r of event.Records) {\n    const message = JSON.parse(r.body);\n    await credit(message.customerId);\n  }\n};\n"


def _statuses(base: dict[str, str], head: dict[str, str | None], rate: float | None = 1200.0) -> list[Status]:
    production = MemoryProduction("github:acme/shop")
    api = production.resource("arn:aws:lambda:eu-west-1:1:function:api", "aws.lambda.function", "api", is_deployed=True)
    work = production.resource("arn:aws:lambda:eu-west-1:1:function:work", "aws.lambda.function", "work", is_deployed=True)
    queue = production.resource("arn:aws:sqs:eu-west-1:1:orders", "aws.sqs.queue", "orders")
    production.edge(api, queue, "publishes_to")
    production.edge(queue, work, "triggers")
    if rate is not None:
        production.metric(queue, "NumberOfMessagesSent", "Count", rate)
    evaluation = evaluation_of({"template.yaml": TEMPLATE, **base}, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "message-field"]


@pytest.mark.parametrize(
    ("path", "send", "take_path", "take"),
    [
        ("api/send.py", SEND_PY, "work/take.py", TAKE_PY.format(read='message["customerId"]')),
        ("api/send.ts", SEND_TS, "work/take.ts", TAKE_TS),
    ],
)
def test_a_renamed_field_that_the_consumer_needs_is_confirmed(path: str, send: str, take_path: str, take: str) -> None:
    assert _statuses({path: send, take_path: take}, {path: send.replace('"customerId"', '"customer_id"')}) == [Status.CONFIRMED]


def test_a_queue_without_messages_is_refuted() -> None:
    base = {"api/send.py": SEND_PY, "work/take.py": TAKE_PY.format(read='message["customerId"]')}

    assert _statuses(base, {"api/send.py": SEND_PY.replace('"customerId"', '"customer_id"')}, rate=0) == [Status.REFUTED]


def test_a_field_that_is_read_with_get_is_a_question() -> None:
    base = {"api/send.py": SEND_PY, "work/take.py": TAKE_PY.format(read='message.get("customerId")')}

    assert _statuses(base, {"api/send.py": SEND_PY.replace('"customerId"', '"customer_id"')}) == [Status.PLAUSIBLE]


def test_a_field_that_comes_is_refuted() -> None:
    base = {"api/send.py": SEND_PY, "work/take.py": TAKE_PY.format(read='message["customerId"]')}

    assert _statuses(base, {"api/send.py": SEND_PY.replace('"orderId"', '"channel": "web",\n        "orderId"')}) == [
        Status.REFUTED
    ]


def test_a_field_that_the_consumer_learns_to_read_in_the_same_change_and_the_old_one_stays_is_silent() -> None:
    base = {"api/send.py": SEND_PY, "work/take.py": TAKE_PY.format(read='message["customerId"]')}
    head: dict[str, str | None] = {"api/send.py": SEND_PY.replace("Q, M", "QUEUE, M")}

    assert _statuses(base, head) == []


PYDANTIC = "from pydantic import BaseModel\n\n\nclass Order(BaseModel):\n    orderId: str\n    {field}\n"
ZOD = 'import {{ z }} from "zod";\nexport const Order = z.object({{\n  orderId: z.string(),\n  {field}\n}});\n'
TAKES_SCHEMA_PY = "from schema import Order\n\ndef handler(event, _):\n    for r in event['Records']:\n        credit(Order.model_validate_json(r['body']))\n"
TAKES_SCHEMA_TS = 'import { Order } from "./schema";\nexport const handler = async (event) => {\n  for (const r of event.Records) await credit(Order.parse(JSON.parse(r.body)));\n};\n'


@pytest.mark.parametrize(
    ("schema", "field", "expected"),
    [
        (PYDANTIC, "customerId: str", [Status.CONFIRMED]),
        (PYDANTIC, "customerId: str | None = None", [Status.PLAUSIBLE]),
        (PYDANTIC, 'customer: str = Field(validation_alias=AliasChoices("customerId", "customer_id"))', []),
        (ZOD, "customerId: z.string(),", [Status.CONFIRMED]),
        (ZOD, "customerId: z.string().optional(),", [Status.PLAUSIBLE]),
    ],
)
def test_a_renamed_field_that_the_schema_of_the_consumer_holds(schema: str, field: str, expected: list[Status]) -> None:
    files = (
        {"work/schema.py": PYDANTIC.format(field=field), "work/take.py": TAKES_SCHEMA_PY}
        if schema is PYDANTIC
        else {"work/schema.ts": ZOD.format(field=field), "work/take.ts": TAKES_SCHEMA_TS}
    )

    assert (
        _statuses({"api/send.ts": SEND_TS, **files}, {"api/send.ts": SEND_TS.replace('"customerId"', '"customer_id"')})
        == expected
    )


def test_a_schema_of_the_web_that_takes_no_messages_is_silent() -> None:
    files = {"work/schema.py": PYDANTIC.format(field="customerId: str"), "work/take.py": "from schema import Order\n"}

    assert _statuses({"api/send.ts": SEND_TS, **files}, {"api/send.ts": SEND_TS.replace('"customerId"', '"customer_id"')}) == []


TAKE_ZOD = 'import {{ z }} from "zod";\n\nconst Order = z.object({{\n  orderId: z.string(),\n  customerId: z.string(){optional},\n}});\nexport const handler = async (event) => {{\n  for (const r of event.Records) {{\n    const message = Order.parse(JSON.parse(r.body));\n    await credit({read});\n  }}\n}};\n'


@pytest.mark.parametrize(
    ("optional", "read", "expected"),
    [
        (".optional()", "message.orderId", Status.REFUTED),
        (".optional()", "message.customerId", Status.PLAUSIBLE),
        ("", "message.orderId", Status.CONFIRMED),
    ],
)
def test_an_optional_field_of_a_schema_that_nothing_else_reads_is_refuted(optional: str, read: str, expected: Status) -> None:
    base = {"api/send.ts": SEND_TS, "work/take.ts": TAKE_ZOD.format(optional=optional, read=read)}

    assert _statuses(base, {"api/send.ts": SEND_TS.replace('      "customerId": e.customer,\n', "")}) == [expected]


DROPPED_PY = SEND_PY.replace('        "customerId": event["customer"],\n', "")
DROPPED_TS = SEND_TS.replace('      "customerId": e.customer,\n', "")
FAN_OUT = {
    "orders/send.py": 'import boto3, json\n\n\ndef placed(order):\n    boto3.client("sns").publish(TopicArn=T, Message=json.dumps({\n        "orderId": order["id"],\n        "customerId": order["customer"],\n    }))\n',
    "orders/api.py": "from .send import placed\n\n\ndef handler(event, _):\n    placed(event)\n",
}


def _fanned_out(read: str, metric: tuple[str, str]) -> list[Status]:
    """Two consumers behind one topic, each with a queue; `read` is how the first of them reads the field."""
    template = "Transform: AWS::Serverless-2016-10-31\nResources:\n" + "".join(
        f"  {n.title()}:\n    Type: AWS::Serverless::Function\n    Properties: {{FunctionName: {n}, Handler: {n}.{m}.handler}}\n"
        for n, m in (("orders", "api"), ("loyalty", "take"), ("picking", "take"))
    )
    production = MemoryProduction("github:acme/shop")
    ids = {n: f"arn:aws:lambda:eu-west-1:1:function:{n}" for n in ("orders", "loyalty", "picking")}
    for name, one in ids.items():
        production.resource(one, "aws.lambda.function", name, is_deployed=True)
    topic = production.resource("arn:aws:sns:eu-west-1:1:placed", "aws.sns.topic", "placed")
    production.edge(ids["orders"], topic, "publishes_to")
    for name in ("loyalty", "picking"):
        queue = production.resource(f"arn:aws:sqs:eu-west-1:1:{name}-orders", "aws.sqs.queue", f"{name}-orders")
        production.edge(topic, queue, "publishes_to")
        production.edge(queue, ids[name], "triggers")
    production.metric({"topic": topic, "function": ids["loyalty"]}[metric[0]], metric[1], "Count", 3300.0)
    files = {
        **FAN_OUT,
        "template.yaml": template,
        "loyalty/take.py": TAKE_PY.format(read=read),
        "picking/take.py": TAKE_PY.format(read='message["orderId"]'),
    }
    sent = FAN_OUT["orders/send.py"].replace('        "customerId": order["customer"],\n', "")
    evaluation = evaluation_of(files, {"orders/send.py": sent}, production)
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "message-field"]


@pytest.mark.parametrize("metric", [("topic", "NumberOfMessagesPublished"), ("function", "Invocations")])
def test_a_consumer_behind_a_topic_and_a_queue_is_found(metric: tuple[str, str]) -> None:
    assert _fanned_out('message["customerId"]', metric) == [Status.CONFIRMED]
    assert _fanned_out('message.get("customerId")', metric) == [Status.PLAUSIBLE]
    assert _fanned_out('message["orderId"]', metric) == []


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        ("work/take.ts", "const { orderId, customerId } = JSON.parse(r.body);", Status.CONFIRMED),
        ("work/take.ts", "const { orderId, customerId = null } = JSON.parse(r.body);", Status.PLAUSIBLE),
        ("work/take.ts", "credit(JSON.parse(r.body)?.customerId);", Status.PLAUSIBLE),
        ("work/take.ts", "credit(JSON.parse(r.body).customerId ?? 0);", Status.PLAUSIBLE),
        ("work/take.ts", 'credit(JSON.parse(r.body)["customerId"]);', Status.CONFIRMED),
        ("work/take.py", 'credit(json.loads(r["body"])["customerId"])', Status.CONFIRMED),
        ("work/take.py", 'credit(json.loads(r["body"]).get("customerId", 0))', Status.PLAUSIBLE),
        ("work/take.py", 'credit(m["customerId"] if "customerId" in (m := json.loads(r["body"])) else 0)', Status.PLAUSIBLE),
        ("work/take.rb", 'credit(JSON.parse(r["body"]).fetch("customerId"))', Status.CONFIRMED),
        ("work/take.rb", 'credit(JSON.parse(r["body"]).fetch("customerId", nil))', Status.PLAUSIBLE),
        ("work/Take.java", 'credit(new ObjectMapper().readTree(r.body()).get("customerId").asText());', Status.CONFIRMED),
        ("work/Take.java", 'credit(new ObjectMapper().readTree(r.body()).path("customerId").asText());', Status.PLAUSIBLE),
    ],
)
def test_how_the_consumer_reads_the_field_that_goes_decides(path: str, line: str, expected: Status) -> None:
    around = f"Records.each:\n    for r in event.Records:\n        {line}\n"

    assert _statuses({"api/send.ts": SEND_TS, path: around}, {"api/send.ts": DROPPED_TS}) == [expected]


def test_a_missing_field_that_the_consumer_catches_is_a_question() -> None:
    take = (
        TAKE_PY.format(read='message["customerId"]').replace("        credit(", "        try:\n            credit(")
        + "        except KeyError:\n            pass\n"
    )

    assert _statuses({"api/send.py": SEND_PY, "work/take.py": take}, {"api/send.py": DROPPED_PY}) == [Status.PLAUSIBLE]
