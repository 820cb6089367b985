"""The sources of the graph: which of them are set up here, and the collectors of those that are read."""

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bot.live import aws_collectors, cloudflare_collectors, has_aws, kubernetes_collectors
from gonogo.errors import CallError, GonogoError, ProductionUnreachable
from gonogo.record import Record

if TYPE_CHECKING:
    from context_graph.collecting import Collector

SOURCES = ("aws", "kubernetes", "cloudflare")


class Wanted(Record):
    """What of each source is read."""

    sources: Sequence[str] = ()
    """Their names; none means those that are set up here."""

    profile: str | None = None
    """Of AWS."""

    regions: Sequence[str] = ()
    """Of AWS; none means all that are switched on."""

    context: str | None = None
    """Of the kubeconfig; none means the current one."""

    cluster: str | None = None
    """What the cluster is called in the graph, instead of its name in the kubeconfig."""

    namespaces: Sequence[str] = ()
    """Of the cluster; none means the whole of it."""


def collectors_of(
    wanted: Wanted, environment: Mapping[str, str], *, told: Callable[[str, GonogoError], None]
) -> list["Collector"]:
    """The collectors of all sources. One that cannot be opened is told, and does not keep the others from being read.

    Raises CallError when a source is not known, none is set up, or the only one cannot be opened.
    """
    if unknown := sorted(set(wanted.sources) - set(SOURCES)):
        raise CallError(f"--sources {','.join(unknown)}: not known; there are {', '.join(SOURCES)}")
    opening: dict[str, Callable[[], list[Collector]]] = {
        "aws": lambda: aws_collectors(profile=wanted.profile, regions=wanted.regions),
        "kubernetes": lambda: kubernetes_collectors(
            environment, context=wanted.context, cluster=wanted.cluster, namespaces=wanted.namespaces
        ),
        "cloudflare": lambda: cloudflare_collectors(environment),
    }
    chosen = wanted.sources or set_up(wanted, environment)
    if not chosen:
        raise CallError(
            "nothing to read: no AWS credentials (AWS_PROFILE, or as boto3 finds them), no Kubernetes cluster (KUBECONFIG, or a service "
            "account), no CLOUDFLARE_API_TOKEN; set one up, with the extra that it needs (gonogo doctor lists them)"
        )
    found: list[Collector] = []
    failures: list[tuple[str, GonogoError]] = []
    for source in SOURCES:
        if source in chosen:
            try:
                found += opening[source]()
            except (CallError, ProductionUnreachable) as error:
                failures.append((source, error))
    if failures and not found:
        raise failures[0][1]
    for source, error in failures:
        told(source, error)
    return found


def set_up(wanted: Wanted, environment: Mapping[str, str]) -> list[str]:
    """The sources that have credentials here, or that the call says something about."""
    found: list[str] = []
    if wanted.profile or wanted.regions or _has_aws_credentials():
        found.append("aws")
    if wanted.context or wanted.cluster or wanted.namespaces or has_cluster():
        found.append("kubernetes")
    if environment.get("CLOUDFLARE_API_TOKEN", "").strip():
        found.append("cloudflare")
    return found


def has_cluster() -> bool:
    """True when a cluster can be asked: its library is installed, and there is a kubeconfig or a service account."""
    if find_spec("kubernetes") is None:
        return False
    from context_graph.providers.kubernetes.access import is_reachable  # noqa: PLC0415

    return is_reachable()


def _has_aws_credentials() -> bool:
    if not has_aws():
        return False
    import boto3  # noqa: PLC0415
    from botocore.exceptions import BotoCoreError  # noqa: PLC0415

    try:
        return boto3.Session().get_credentials() is not None
    except BotoCoreError:
        return True  # set up, and wrongly: opening the account says how
