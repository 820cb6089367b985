"""How a cluster is opened: contexts, tokens, exec plugins, the pod's own account; and what is said when it cannot be."""

import json
import sys
from pathlib import Path

import pytest

from context_graph.providers.kubernetes import access
from context_graph.providers.kubernetes.access import is_reachable, opened
from context_graph.providers.kubernetes.api import ClusterApi, ClusterRefused
from context_graph.testing_kubernetes import FakeCluster, kubeconfig
from gonogo.errors import CallError

NAMES = "/api/v1/namespaces"


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    use(monkeypatch, tmp_path / "none")


def use(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr("kubernetes.config.kube_config.KUBE_CONFIG_DEFAULT_LOCATION", str(path))


def names(*, context: str | None = None) -> list[str]:
    api = ClusterApi(opened(context=context, cluster=None).requests, tries=1)
    return [one["metadata"]["name"] for one in api.listed(NAMES)]


def test_a_token_of_the_kubeconfig_opens_the_cluster(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, config)

    found = opened(context=None, cluster=None)

    assert names() == ["shop"]
    assert (found.cluster, found.namespace, is_reachable()) == ("prod", "shop", True)
    assert opened(context="prod", cluster="eu").cluster == "eu"


def test_an_exec_plugin_gives_the_token(url: str, cluster: FakeCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    credential = {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": cluster.token}}
    plugin = {
        "apiVersion": "client.authentication.k8s.io/v1", "command": sys.executable, "interactiveMode": "Never",
        "args": ["-c", f"print({json.dumps(json.dumps(credential))})"],
    }  # fmt: skip
    use(monkeypatch, kubeconfig(tmp_path, url, user={"exec": plugin}))

    assert names() == ["shop"]


@pytest.mark.parametrize("command", ["no-such-plugin-of-anybody", "false"])
def test_an_exec_plugin_that_fails_is_said_and_nothing_is_asked_without_a_token(
    url: str, cluster: FakeCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    plugin = {"apiVersion": "client.authentication.k8s.io/v1", "command": command, "interactiveMode": "Never"}
    use(monkeypatch, kubeconfig(tmp_path, url, user={"exec": plugin}))

    with pytest.raises(CallError, match=f"its plugin {command} gave no credentials"):
        names()
    assert cluster.requests == []


def test_a_wrong_token_is_denied(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, kubeconfig(tmp_path, url, user={"token": "old"}))

    with pytest.raises(ClusterRefused) as raised:
        names()

    assert raised.value.status == 401
    assert "old" not in str(raised.value)


def test_a_context_that_is_not_there_is_named_with_those_that_are(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, config)

    with pytest.raises(CallError, match="--context staging: the kubeconfig has prod"):
        opened(context="staging", cluster=None)


@pytest.mark.parametrize("text", ["", "{", "[]", "apiVersion: v1\nkind: Config\n", "clusters: 7\ncontexts: 7\n"])
def test_a_kubeconfig_that_cannot_be_used_is_a_mistake_of_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (tmp_path / "kubeconfig").write_text(text)
    use(monkeypatch, tmp_path / "kubeconfig")

    with pytest.raises(CallError, match="kubeconfig"):
        opened(context=None, cluster=None)


def test_without_a_kubeconfig_there_is_nothing_to_reach() -> None:
    assert not is_reachable()


def test_inside_a_cluster_its_name_has_to_be_told(
    url: str, cluster: FakeCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text(cluster.token)
    monkeypatch.setattr(access, "SERVICE_ACCOUNT", tmp_path)
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1")

    assert is_reachable()
    with pytest.raises(CallError, match="GONOGO_KUBERNETES_CLUSTER"):
        opened(context=None, cluster=None)
