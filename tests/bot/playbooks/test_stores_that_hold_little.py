"""Whether a store that goes holds anything: what an empty one is still measured with, and signs of use by many names."""

import pytest

from bot.testing import evaluation_of
from context_graph.testing_production import MemoryProduction

TERRAFORM = """resource "aws_efs_file_system" "share" {{
  creation_token = "share"
  encrypted      = {}
}}
"""
BUCKET = """resource "aws_s3_bucket" "share" {{
  bucket = "share-{}"
}}
"""


def status(production, template=TERRAFORM, old="false", new="true"):
    evaluation = evaluation_of({"s.tf": template.format(old)}, {"s.tf": template.format(new)}, production)
    assert evaluation.failures == ()
    (entry,) = [e for e in evaluation.ledger if e.trajectory.playbook == "stateful-replacement"]
    return entry.status.value


def a_share(kind="aws.efs.file_system", *metrics, **attributes):
    production = MemoryProduction()
    share = production.resource("arn:aws:share:1:share", kind, "share", is_deployed=True, **attributes)
    for name, unit, value in metrics:
        production.metric(share, name, unit, value)
    return production


EMPTY = ("StorageBytes{StorageClass=Total}", "Bytes", 6144)
IDLE = ("ClientConnections", "Count", 0)


@pytest.mark.parametrize(
    "metrics",
    [
        (EMPTY, IDLE),
        (EMPTY,),
        (IDLE, ("StorageBytes", "Bytes", 6144)),
        (IDLE, ("TotalIOBytes", "Bytes", 0), EMPTY),
        (IDLE, ("DataReadIOBytes", "Bytes", 0), ("DataWriteIOBytes", "Bytes", 0)),
        (("MeteredIOBytes", "Bytes", 0), EMPTY),
    ],
)
def test_a_file_system_without_a_file_and_a_client_loses_nothing(metrics) -> None:
    assert status(a_share("aws.efs.file_system", *metrics)) == "refuted"


def test_the_size_may_be_an_attribute() -> None:
    assert status(a_share("aws.efs.file_system", IDLE, size_bytes=6144)) == "refuted"


@pytest.mark.parametrize(
    "metrics",
    [
        (("StorageBytes{StorageClass=Total}", "Bytes", 2.1e12), ("ClientConnections", "Count", 14)),
        (EMPTY, ("ClientConnections", "Count", 14)),
        (("StorageBytes", "Bytes", 2.1e12),),
        (("StorageBytes", "Bytes", 2.1e12), ("ClientConnections", "Count", 0), ("DataReadIOBytes", "Bytes", 4e6)),
        (("TotalIOBytes", "Bytes", 4e6),),
    ],
)
def test_a_file_system_with_data_or_clients_is_a_no_go(metrics) -> None:
    assert status(a_share("aws.efs.file_system", *metrics)) == "confirmed"


def test_data_that_nothing_read_for_a_week_stays_a_question() -> None:
    assert status(a_share("aws.efs.file_system", IDLE, ("StorageBytes", "Bytes", 2.1e12))) == "plausible"


def test_a_few_kilobytes_of_files_are_data_all_the_same() -> None:
    assert status(a_share("aws.efs.file_system", IDLE, ("StorageBytes", "Bytes", 200_000))) == "plausible"


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        ((("NumberOfObjects", "Count", 12_000), ("AllRequests", "Count", 0)), "plausible"),
        ((("NumberOfObjects", "Count", 0), ("AllRequests", "Count", 0)), "refuted"),
        ((("BucketSizeBytes", "Bytes", 0), ("GetRequests", "Count", 0)), "refuted"),
        ((("NumberOfObjects", "Count", 12_000), ("GetRequests", "Count", 40)), "confirmed"),
        ((("NumberOfObjects", "Count", 12_000),), "confirmed"),
    ],
)
def test_a_bucket_under_another_name(metrics, expected) -> None:
    production = MemoryProduction()
    bucket = production.resource("arn:aws:s3:::share-a", "aws.s3.bucket", "share-a", is_deployed=True)
    for name, unit, value in metrics:
        production.metric(bucket, name, unit, value)

    assert status(production, BUCKET, "a", "b") == expected
