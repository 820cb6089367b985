"""How a cluster is reached: a context of the kubeconfig, or the service account of the pod that this runs in.

kubernetes' own library reads the kubeconfig (several files, client certificates, tokens, exec plugins such as `aws eks get-token`);
requests are plain HTTP, since its models of every object are not needed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from threading import Lock
from typing import Any, cast

import yaml

from context_graph.providers.kubernetes.api import Answer, Ask
from gonogo.errors import CallError

_CONNECT_S, _READ_S = 5.0, 60.0
_ODD = (OSError, KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What the library raises for a kubeconfig of a shape that it does not know."""

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")


@dataclass(frozen=True)
class Access:
    """A cluster's name, and how to ask it."""

    cluster: str
    requests: Ask
    namespace: str = ""
    """The context's own."""


def is_reachable() -> bool:
    """True when there is a kubeconfig with a context, or a service account of this pod. Nothing is asked."""
    config = _library("config")
    if _is_in_cluster():
        return True
    try:
        return bool(config.list_kube_config_contexts()[0])
    except (config.ConfigException, yaml.YAMLError, *_ODD):
        return Path(_library("config.kube_config").KUBE_CONFIG_DEFAULT_LOCATION).exists()  # there, and wrong: opening it says how


def opened(*, context: str | None, cluster: str | None) -> Access:
    """The named or current context, or without a kubeconfig the pod's service account. `cluster` is what to call it.

    Raises CallError for a context that is not there, or one whose credentials cannot be had.
    """
    config = _library("config")
    configuration: Any = _library("client").Configuration()
    try:
        if context is None and _is_in_cluster():
            if not cluster:
                raise CallError("this runs inside a cluster; say what to call it: --cluster NAME or GONOGO_KUBERNETES_CLUSTER")
            config.load_incluster_config(client_configuration=configuration)
            return Access(cluster, Requests(configuration))
        contexts, current = config.list_kube_config_contexts()
        named = {str(one["name"]): cast("Mapping[str, Any]", one["context"]) for one in contexts}
        chosen = context or (str(current["name"]) if current else "")
        if chosen not in named:
            raise CallError(f"--context {chosen or '(none is current)'}: the kubeconfig has {', '.join(sorted(named)) or 'none'}")
        config.load_kube_config(context=chosen, client_configuration=configuration)
    except (config.ConfigException, yaml.YAMLError, *_ODD) as error:
        raise CallError(f"the kubeconfig cannot be used: {error}") from error
    of = named[chosen]
    requests = Requests(configuration)
    if (plugin := _plugin_of(str(of.get("user") or ""))) and not requests.has_credentials():
        raise CallError(f"--context {chosen}: its plugin {plugin} gave no credentials; run it by hand to see why")
    return Access(cluster or str(of["cluster"]), requests, str(of.get("namespace") or ""))


def _plugin_of(user: str) -> str:
    """The command of the exec plugin of this user; the library only logs that it failed, and goes on without credentials."""
    library = _library("config.kube_config")
    users: Any = library.KubeConfigMerger(library.KUBE_CONFIG_DEFAULT_LOCATION).config.value.get("users") or ()
    for one in users:
        if one["name"] == user:
            told: Mapping[str, Any] = getattr(one["user"], "value", None) or {}
            plugin: Mapping[str, Any] = told.get("exec") or {}
            return str(plugin.get("command") or "")
    return ""


def _library(part: str) -> Any:
    """A part of the extra's library, which has no types; loading it takes a second."""
    return import_module(f"kubernetes.{part}")


def _is_in_cluster() -> bool:
    import os  # noqa: PLC0415

    return bool(os.environ.get("KUBERNETES_SERVICE_HOST")) and (SERVICE_ACCOUNT / "token").is_file()


class Requests:
    """GET, with what the configuration says about certificates, proxy and token; a token that has run out is fetched again."""

    def __init__(self, configuration: Any) -> None:
        import urllib3  # noqa: PLC0415  comes with the extra

        self._configuration, self._one_at_a_time = configuration, Lock()
        self._failure = urllib3.exceptions.HTTPError
        how: dict[str, Any] = {
            "cert_reqs": "CERT_REQUIRED" if configuration.verify_ssl else "CERT_NONE",
            "ca_certs": configuration.ssl_ca_cert,
            "cert_file": configuration.cert_file,
            "key_file": configuration.key_file,
            "maxsize": 8,
            "timeout": urllib3.Timeout(connect=_CONNECT_S, read=_READ_S),
        }
        if getattr(configuration, "tls_server_name", None):
            how |= {"server_hostname": configuration.tls_server_name, "assert_hostname": configuration.tls_server_name}
        self._pool: Any = urllib3.ProxyManager(configuration.proxy, **how) if configuration.proxy else urllib3.PoolManager(**how)

    def __call__(self, path: str, query: Mapping[str, str], accept: str) -> Answer:
        """One answer, redirects not followed: they would carry the token to whoever they name. Raises OSError."""
        headers = {"Accept": accept, "User-Agent": "gonogo", **self._authorization()}
        try:
            answer: Answer = self._pool.request(
                "GET", f"{self._configuration.host.rstrip('/')}{path}", fields=dict(query), headers=headers,
                redirect=False, retries=False,
            )  # fmt: skip
        except self._failure as error:
            raise ConnectionError(type(error).__name__) from error
        return answer

    def has_credentials(self) -> bool:
        """True when there is a token or a client certificate to show."""
        return bool(self._configuration.cert_file or self._authorization())

    def _authorization(self) -> Mapping[str, str]:
        """Versions of the library keep the token under two names, with its scheme before it or without."""
        with self._one_at_a_time:
            if self._configuration.refresh_api_key_hook is not None:
                self._configuration.refresh_api_key_hook(self._configuration)
            keys = self._configuration.api_key
            token = str(keys.get("BearerToken") or keys.get("authorization") or "")
        if not token:
            return {}
        return {"Authorization": token if token.startswith(("Bearer ", "Basic ")) else f"Bearer {token}"}
