"""Which labels tell a resource's series and log streams from others: one table, overridable by resource."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from gonogo.resource import Resource

_WORKLOADS = ("deployment", "statefulset", "daemonset", "replicaset", "rollout")
_NAMES = ("job", "service", "app", "service_name", "container", "app_kubernetes_io_name", "deployment")
"""Labels that usually hold a program's name."""


def selectors_of(resource: Resource, overrides: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """`{label="value", …}` selectors; series that any of them matches are the resource's.

    `overrides` (resource id → selectors) replace the table for that resource. A Kubernetes object is told by namespace and name,
    anything else by a label that holds exactly its name, or by the host and port that it answers on.
    """
    if resource.id in overrides:
        return tuple(overrides[resource.id])
    return tuple(dict.fromkeys(_by_kind(resource)))


def _by_kind(resource: Resource) -> Iterator[str]:
    provider, _, kind = resource.kind.partition(".")
    name, bare = resource.name, resource.name.rpartition("/")[2]
    if provider == "kubernetes":
        namespace = str(resource.attributes.get("namespace") or _namespace_in(resource) or "default")
        yield from _kubernetes(kind.rpartition(".")[2], namespace, bare)
        return
    if provider in ("github", "team"):
        return
    for label in _NAMES:
        yield selector({label: name})
    for host in _hosts(resource):
        yield selector({}, {"instance": f"{_escaped(host)}(:[0-9]+)?"})


def _kubernetes(kind: str, namespace: str, name: str) -> Iterator[str]:
    of = {"namespace": namespace}
    plain = _escaped(name)
    if kind in _WORKLOADS:
        pods = {
            "statefulset": f"{plain}-[0-9]+",
            "daemonset": f"{plain}-[a-z0-9]{{5}}",
            "replicaset": f"{plain}-[a-z0-9]{{5}}",
        }.get(kind, f"{plain}-[a-z0-9]{{5,10}}-[a-z0-9]{{5}}")
        yield selector(of, {"pod": pods})
        yield selector(of | {kind: name})
        yield selector(of | {"horizontalpodautoscaler": name})
    elif kind in ("job", "cronjob"):
        run = plain if kind == "job" else f"{plain}-[a-z0-9]+"
        yield selector(of, {"pod": f"{run}-[a-z0-9]{{5}}"})
        yield selector(of, {"job_name": run})
        yield selector(of | {kind: name})
    else:
        yield selector(of | {kind: name})


def _namespace_in(resource: Resource) -> str:
    """`kubernetes:deployment:shop/basket` and a name `shop/basket` carry it."""
    for text in (resource.name, resource.id.rpartition(":")[2]):
        head, slash, _ = text.rpartition("/")
        if slash:
            return head.rpartition("/")[2]
    return ""


def _hosts(resource: Resource) -> Iterator[str]:
    for key in ("endpoint", "endpoint.address", "address", "host", "dns_name", "private_ip", "hostname"):
        found = resource.attributes.get(key)
        if isinstance(found, str) and found:
            yield re.sub(r"^[a-z+]{1,20}://|[:/].*$", "", found)


def selector(exact: Mapping[str, str], matching: Mapping[str, str] | None = None) -> str:
    """Labels as a selector of Prometheus and Loki, quoted."""
    parts = [f"{label}={_quoted(value)}" for label, value in exact.items()]
    parts += [f"{label}=~{_quoted(expression)}" for label, expression in (matching or {}).items()]
    return "{" + ",".join(parts) + "}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _escaped(text: str) -> str:
    """RE2 knows the same escapes for these."""
    return re.sub(r"([.+*?()\[\]{}|^$\\])", r"\\\1", text)
