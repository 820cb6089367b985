"""Providers' attributes in normal form."""

import pytest

from context_graph.normal_form import cores, mebibytes, normal_attributes, seconds, snake


def test_names_of_providers_become_ours() -> None:
    attributes = {"Timeout": 30, "MemorySize": "512", "ReservedConcurrentExecutions": 5}

    assert normal_attributes("aws.lambda.function", attributes) == {"timeout_s": 30, "memory_mb": 512, "reserved_concurrency": 5}


def test_variables_become_names() -> None:
    attributes = {"Environment": {"Variables": {"B": "secret", "A": "x"}}}

    assert normal_attributes("aws.lambda.function", attributes) == {"environment_keys": ["A", "B"]}


@pytest.mark.parametrize(
    "given",
    [
        {"RedrivePolicy": '{"maxReceiveCount": "5"}'},
        {"RedrivePolicy": {"maxReceiveCount": 5}},
        {"RedrivePolicy.maxReceiveCount": 5},
        {"redrive_max_receive_count": 5},
    ],
)
def test_redrive_is_read_however_it_is_written(given: dict[str, object]) -> None:
    assert normal_attributes("aws.sqs.queue", given) == {"redrive_max_receive_count": 5}


def test_a_key_in_normal_form_wins_over_its_alias() -> None:
    assert normal_attributes("aws.lambda.function", {"Timeout": 30, "timeout_s": 3}) == {"timeout_s": 3}


def test_what_the_table_lacks_is_kept_as_it_stands() -> None:
    attributes = {"Other": {"a": [1]}, "channel": "#x", "flag": "true", "db_pool_per_task": 20}

    assert normal_attributes("aws.ecs.service", attributes) == attributes


def test_quantities_have_one_unit() -> None:
    assert [mebibytes(q) for q in ("1Gi", "512Mi", "1048576", "512m", "1g")] == [1024, 512, 1, 512, 1024]
    assert [cores(q) for q in ("250m", "2", 1)] == [0.25, 2, 1]
    assert [seconds(q) for q in ("5m", "1h30m", "45", 7, "soon")] == [300, 5400, 45, 7, "soon"]
    assert [snake(n) for n in ("VPCZoneIdentifier", "visibility_timeout", "maxReceiveCount")] == [
        "vpc_zone_identifier",
        "visibility_timeout",
        "max_receive_count",
    ]
