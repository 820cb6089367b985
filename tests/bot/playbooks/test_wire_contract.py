"""Fields of protobuf, Thrift, Avro and JSON Schema files that go, change their number or change their type."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction
from gonogo.trajectory import Status

PROTO = 'syntax = "proto3";\npackage rates.v1;\nservice Rates {{\n  rpc Get(GetRequest) returns (Rate);\n}}\nmessage GetRequest {{ string pair = 1; }}\nmessage Rate {{\n  string pair = 1;\n{fields}}}\n'
VALUE = "  double value = 2;\n"
CLIENT_GO = "package shop\n\nfunc Price(r *pb.Rate) float64 {\n\treturn r.GetValue()\n}\n"
CLIENT_PY = "import rates_pb2\n\ndef price(rate):\n    return rate.value\n"
AVRO = '{{\n  "type": "record", "name": "Moved", "namespace": "stock",\n  "fields": [\n    {{"name": "sku", "type": "string"}}{more}\n  ]\n}}\n'
SHELF = ',\n    {"name": "shelf", "type": "string"}'


def _statuses(base: dict[str, str], head: dict[str, str | None], production: MemoryProduction) -> list[Status]:
    evaluation = evaluation_of(base, head, production)
    assert not evaluation.failures
    return [e.status for e in evaluation.ledger if e.trajectory.playbook == "wire-contract"]


def _calls(rate: float | None = 12.0) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    rates = production.resource("kubernetes:c/n/deployment/rates", "kubernetes.deployment", "rates", is_deployed=True)
    shop = production.resource("kubernetes:c/n/deployment/shop", "kubernetes.deployment", "shop", is_deployed=True)
    production.edge(shop, rates, "invokes")
    if rate is not None:
        production.metric(rates, "grpc_server_handled_per_second{grpc_method=Get}", "Count/Second", rate)
    return production


def _proto(fields: str) -> dict[str, str | None]:
    return {"rates/rate.proto": PROTO.format(fields=fields)}


@pytest.mark.parametrize(("path", "client"), [("shop/price.go", CLIENT_GO), ("shop/price.py", CLIENT_PY)])
@pytest.mark.parametrize("after", ["  reserved 2;\n  double value = 5;\n", "  reserved 2;\n", "  string value = 2;\n"])
def test_a_field_that_a_vendored_copy_still_decodes_is_confirmed(path: str, client: str, after: str) -> None:
    base = {"rates/rate.proto": PROTO.format(fields=VALUE), "shop/vendor/rate.proto": PROTO.format(fields=VALUE), path: client}

    assert _statuses(base, _proto(after), _calls()) == [Status.CONFIRMED]


def test_a_name_is_not_on_the_wire() -> None:
    base = {"rates/rate.proto": PROTO.format(fields=VALUE), "shop/vendor/rate.proto": PROTO.format(fields=VALUE)}

    assert _statuses(base, _proto("  double mid_value = 2;\n"), _calls()) == [Status.REFUTED]


def test_a_name_counts_where_messages_become_json() -> None:
    base = {"rates/rate.proto": PROTO.format(fields=VALUE), "rates/http.go": "package rates\n\nvar b, _ = protojson.Marshal(m)\n"}

    assert _statuses(base, _proto("  double mid_value = 2;\n"), _calls()) == [Status.PLAUSIBLE]


def test_types_that_share_an_encoding_and_new_fields_say_nothing() -> None:
    base = {"rates/rate.proto": PROTO.format(fields="  int32 depth = 2;\n")}

    assert _statuses(base, _proto("  int64 depth = 2;\n  string venue = 3;\n"), _calls()) == []


def test_a_field_of_a_request_that_the_server_stopped_reading_says_nothing() -> None:
    base = {
        "rates/rate.proto": PROTO.format(fields=VALUE).replace("string pair = 1; }", "string pair = 1; string venue = 2; }", 1)
    }

    assert _statuses(base, _proto(VALUE), _calls()) == []


def test_a_service_that_nobody_calls_is_refuted() -> None:
    base = {
        "rates/rate.proto": PROTO.format(fields=VALUE),
        "shop/vendor/rate.proto": PROTO.format(fields=VALUE),
        "shop/price.go": CLIENT_GO,
    }

    assert _statuses(base, _proto("  reserved 2;\n"), _calls(0.0)) == [Status.REFUTED]


def test_a_copy_without_code_that_reads_the_field_is_a_question() -> None:
    base = {"rates/rate.proto": PROTO.format(fields=VALUE), "shop/vendor/rate.proto": PROTO.format(fields=VALUE)}

    assert _statuses(base, _proto("  reserved 2;\n"), _calls()) == [Status.PLAUSIBLE]


def test_thrift_goes_by_numbers_too() -> None:
    thrift = "struct Rate {{\n  1: required string pair,\n  {number}: optional double value\n}}\n"
    base = {
        "rates/rate.thrift": thrift.format(number=2),
        "shop/idl/rate.thrift": thrift.format(number=2),
        "shop/price.py": "from gen import Rate\nx = rate.value\n",
    }

    assert _statuses(base, {"rates/rate.thrift": thrift.format(number=3)}, _calls()) == [Status.CONFIRMED]


def _events(*, is_own: bool = True) -> MemoryProduction:
    production = MemoryProduction("github:acme/shop")
    mover = production.resource("kubernetes:c/n/deployment/mover", "kubernetes.deployment", "mover", is_deployed=True)
    loader = production.resource("kubernetes:c/n/deployment/loader", "kubernetes.deployment", "loader", is_deployed=is_own)
    topic = production.resource("kafka:c:topic/moves", "kafka.topic", "moves")
    production.edge(mover, topic, "publishes_to")
    production.edge(topic, loader, "triggers")
    production.metric(topic, "MessagesInPerSec", "Count/Second", 6.0)
    return production


@pytest.mark.parametrize(
    ("kept", "expected"),
    [(SHELF, Status.CONFIRMED), (SHELF.replace('"string"}', '"string", "default": ""}'), Status.REFUTED)],
)
def test_an_avro_reader_needs_a_field_that_has_no_default(kept: str, expected: Status) -> None:
    base = {"mover/moved.avsc": AVRO.format(more=SHELF), "loader/moved.avsc": AVRO.format(more=kept)}

    assert _statuses(base, {"mover/moved.avsc": AVRO.format(more="")}, _events()) == [expected]


def test_a_consumer_whose_schema_cannot_be_read_is_a_question() -> None:
    base = {"mover/moved.avsc": AVRO.format(more=SHELF)}

    assert _statuses(base, {"mover/moved.avsc": AVRO.format(more="")}, _events(is_own=False)) == [Status.PLAUSIBLE]


def test_a_required_property_of_a_json_schema_is_confirmed() -> None:
    schema = '{{"$id": "moved", "type": "object", "properties": {{"sku": {{"type": "string"}}{more}}}, "required": ["sku"{required}]}}\n'
    whole = schema.format(more=', "shelf": {"type": "string"}', required=', "shelf"')
    base = {"mover/moved.schema.json": whole, "loader/moved.schema.json": whole}

    assert _statuses(base, {"mover/moved.schema.json": schema.format(more="", required="")}, _events()) == [Status.CONFIRMED]
