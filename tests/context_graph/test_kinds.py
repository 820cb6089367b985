"""A kind that nothing here reads is said once, however often it occurs."""

from types import SimpleNamespace

import pytest

from context_graph.kinds import is_known, unknown_kinds


@pytest.mark.parametrize(
    "kind", ["aws.lambda.function", "kubernetes.certificate", "team", "cloudflare.kv_namespace", "gcp.sql.instance"]
)
def test_what_is_read_is_known(kind: str) -> None:
    assert is_known(kind)


@pytest.mark.parametrize("kind", ["acme.widget.thing", "aws.quantum.braket", "nomad.job", "teams"])
def test_what_nothing_reads_is_not(kind: str) -> None:
    assert not is_known(kind)


def test_each_unknown_kind_is_said_once() -> None:
    kinds = ["nomad.job", "acme.widget.thing", "aws.sqs.queue", "nomad.job"]

    said = list(unknown_kinds(SimpleNamespace(kind=kind) for kind in kinds))

    assert said == [
        "one resource is of the kind acme.widget.thing, which gonogo does not know: read as it stands",
        "2 resources are of the kind nomad.job, which gonogo does not know: read as it stands",
    ]
