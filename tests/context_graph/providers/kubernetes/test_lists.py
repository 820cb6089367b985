"""Lists of a cluster's API: every page, what a busy or forgetful server does, and that no error is an empty list."""

import pytest

from context_graph.providers.kubernetes.api import ClusterApi, ClusterRefused
from context_graph.testing_kubernetes import FakeAnswer, FakeCluster

PATH = "/api/v1/configmaps"


def replying(*bodies: bytes, status: int = 200):
    left = list(bodies)
    return lambda _path, _query, _accept: FakeAnswer(status, left.pop(0) if len(left) > 1 else left[0], {})


def maps(number: int) -> FakeCluster:
    cluster = FakeCluster()
    cluster.hold(*({"kind": "ConfigMap", "metadata": {"name": f"m{n}", "namespace": "shop"}} for n in range(number)))
    return cluster


def no_pause(_seconds: float) -> None: ...


def test_every_page_is_read() -> None:
    cluster = maps(7)

    listed = ClusterApi(cluster.ask).listed(PATH, page=3)

    assert [one["metadata"]["name"] for one in listed] == [f"m{n}" for n in range(7)]
    assert [query.get("limit") for _, query, _ in cluster.requests] == ["3", "3", "3"]


def test_a_place_in_the_list_that_is_too_old_starts_it_again_whole_and_nothing_stands_there_twice() -> None:
    cluster = maps(7)
    cluster.expires.add("configmaps")

    listed = ClusterApi(cluster.ask).listed(PATH, page=3)

    assert [one["metadata"]["name"] for one in listed] == [f"m{n}" for n in range(7)]
    assert cluster.requests[-1][1] == {}


def test_a_busy_server_is_given_the_time_that_it_asks_for() -> None:
    cluster, paused = maps(2), list[float]()
    cluster.busy["configmaps"] = 2

    listed = ClusterApi(cluster.ask, pause=paused.append).listed(PATH)

    assert (len(listed), paused) == (2, [7.0, 7.0])


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_an_error_is_raised_with_its_status_and_what_the_api_said(status: int) -> None:
    cluster = maps(2)
    cluster.refused["configmaps"] = status

    with pytest.raises(ClusterRefused, match=f"answered {status} configmaps is forbidden") as raised:
        ClusterApi(cluster.ask, pause=no_pause).listed(PATH)

    assert raised.value.status == status


@pytest.mark.parametrize(
    "body",
    [
        b"<html>login</html>",
        b"[]",
        b"{}",
        b'{"kind":"Status","status":"Success"}',
        b'{"kind":"ConfigMapList","items":{}}',
        b"[" * 9000,
    ],
)
def test_what_is_no_list_is_an_error(body: bytes) -> None:
    with pytest.raises(ClusterRefused):
        ClusterApi(replying(body)).listed(PATH)


def test_items_that_are_null_are_an_empty_list_as_go_writes_them() -> None:
    assert ClusterApi(replying(b'{"kind":"ConfigMapList","metadata":{},"items":null}')).listed(PATH) == []


def test_a_list_that_never_ends_is_an_error() -> None:
    page = b'{"kind":"ConfigMapList","metadata":{"continue":"abc"},"items":[]}'

    with pytest.raises(ClusterRefused, match="same continue token twice"):
        ClusterApi(replying(page)).listed(PATH)


def test_a_server_that_does_not_answer_is_an_error_after_some_tries() -> None:
    asked: list[str] = []

    def nobody(path: str, _query, _accept) -> FakeAnswer:
        asked.append(path)
        raise ConnectionError("refused")

    with pytest.raises(ClusterRefused, match="nobody answers") as raised:
        ClusterApi(nobody, pause=no_pause).listed(PATH)

    assert (raised.value.status, len(asked)) == (0, 6)
