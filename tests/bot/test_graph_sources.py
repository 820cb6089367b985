"""Which sources `gonogo graph sync` reads: those that are named, else those that are set up; and what is said when there is none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot import graph_sources
from bot.graph_sources import Wanted, collectors_of, set_up
from context_graph.testing_kubernetes import kubeconfig
from gonogo.errors import CallError, GonogoError, ProductionUnreachable

Told = list[tuple[str, GonogoError]]


def opening(monkeypatch: pytest.MonkeyPatch, **sources: object) -> None:
    """Each source gives what is named here: collectors, or the error that it raises."""

    def of(answer: object) -> Callable[..., object]:
        def give(*_args: object, **_named: object) -> object:
            if isinstance(answer, Exception):
                raise answer
            return answer

        return give

    for name, answer in sources.items():
        monkeypatch.setattr(graph_sources, f"{name}_collectors", of(answer))


@pytest.fixture(autouse=True)
def _nothing_is_set_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_PROFILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "KUBERNETES_SERVICE_HOST"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setattr("kubernetes.config.kube_config.KUBE_CONFIG_DEFAULT_LOCATION", str(tmp_path / "kubeconfig"))


def test_nothing_set_up_is_one_mistake_that_names_every_source() -> None:
    with pytest.raises(CallError, match=r"AWS_PROFILE.*KUBECONFIG.*CLOUDFLARE_API_TOKEN"):
        collectors_of(Wanted(), {}, told=lambda *_: None)


def test_a_source_that_is_not_known_is_named_with_those_that_are() -> None:
    with pytest.raises(CallError, match="--sources gcp: not known; there are aws, kubernetes, cloudflare"):
        collectors_of(Wanted(sources=("gcp", "aws")), {}, told=lambda *_: None)


def test_what_is_set_up_is_read_without_being_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert set_up(Wanted(), {}) == []

    assert set_up(Wanted(), {"CLOUDFLARE_API_TOKEN": "t"}) == ["cloudflare"]
    kubeconfig(tmp_path, "http://127.0.0.1:1", user={"token": "t"})
    assert set_up(Wanted(), {}) == ["kubernetes"]
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
    assert set_up(Wanted(), {}) == ["aws", "kubernetes"]


@pytest.mark.parametrize(
    ("wanted", "source"),
    [
        (Wanted(profile="p"), "aws"), (Wanted(regions=("eu-west-1",)), "aws"), (Wanted(context="c"), "kubernetes"),
        (Wanted(namespaces=("shop",)), "kubernetes"), (Wanted(cluster="eu"), "kubernetes"),
    ],
)  # fmt: skip
def test_a_call_that_says_something_about_a_source_means_it(wanted: Wanted, source: str) -> None:
    assert set_up(wanted, {}) == [source]


def test_only_named_sources_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    opening(monkeypatch, aws=["a"], kubernetes=["k"], cloudflare=["c"])

    found = collectors_of(Wanted(sources=("cloudflare", "aws")), {}, told=lambda *_: None)

    assert found == ["a", "c"]


def test_a_source_that_cannot_be_opened_does_not_keep_the_others_from_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    expired = ProductionUnreachable("context", "AWS: ExpiredToken", "sign in again")
    opening(monkeypatch, aws=expired, kubernetes=["k"])
    told: Told = []

    found = collectors_of(Wanted(sources=("aws", "kubernetes")), {}, told=lambda *failure: told.append(failure))

    assert (found, told) == (["k"], [("aws", expired)])


def test_when_none_can_be_opened_the_first_failure_ends_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    opening(monkeypatch, aws=ProductionUnreachable("context", "AWS: ExpiredToken", "sign in again"), kubernetes=CallError("no"))

    with pytest.raises(ProductionUnreachable, match="ExpiredToken"):
        collectors_of(Wanted(sources=("aws", "kubernetes")), {}, told=lambda *_: None)
