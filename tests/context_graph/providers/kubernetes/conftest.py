"""A shop in a cluster, as its API would list it."""

from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from context_graph.testing_kubernetes import FakeCluster, a_shop, kubeconfig, serving

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def cluster() -> FakeCluster:
    held = FakeCluster()
    held.hold(*a_shop())
    return held


@pytest.fixture
def url(cluster: FakeCluster) -> Generator[str]:
    with serving(cluster) as address:
        yield address


@pytest.fixture
def config(url: str, cluster: FakeCluster, tmp_path: Path) -> Path:
    return kubeconfig(tmp_path, url, user={"token": cluster.token})
