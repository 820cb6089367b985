"""Puts live production together: the stored graph, and the collectors that fill it. `bootstrap` does the rest."""

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bot.settings import Settings, Telemetry
from gonogo.errors import CallError, ProductionUnreachable

if TYPE_CHECKING:
    import sqlalchemy as sa

    from context_graph.collecting import Collector
    from context_graph.providers.aws.account import Account
    from context_graph.providers.cloudflare.api import CloudflareApi
    from context_graph.providers.kubernetes.access import Access
    from context_graph.providers.live import LiveProvider
    from context_graph.providers.postgres import PostgresSource
    from context_graph.telemetry import TelemetrySource


@contextmanager
def open_graph() -> Generator["sa.Engine"]:
    """The database that holds the graph; its connections are closed at the end."""
    _needs("sqlalchemy", "server", "the graph is kept in a database")
    from bot.storage.database import open_database  # noqa: PLC0415  the base install has no database

    engine = open_database(Settings.from_environment(os.environ).database_url)
    try:
        yield engine
    finally:
        engine.dispose()


def aws_collectors(*, profile: str | None, regions: Sequence[str]) -> list["Collector"]:
    """A collector for every service of every region that is on, or of those named. Raises when the account cannot be opened."""
    account = aws_account(profile=profile)
    from context_graph.providers.aws.registry import SERVICES  # noqa: PLC0415

    enabled = list(account.regions())
    if off := sorted(set(regions) - set(enabled)):
        raise CallError(f"--regions {','.join(off)}: not switched on in account {account.number}; it has {', '.join(enabled)}")
    return list(account.collectors(SERVICES, regions or enabled, now=datetime.now(UTC)))


def aws_account(*, profile: str | None) -> "Account":
    """The account that the profile, or whatever credentials boto3 finds, opens; nothing is asked yet."""
    _needs("boto3", "aws", "AWS is read through boto3")
    import boto3  # noqa: PLC0415
    from botocore.exceptions import ProfileNotFound  # noqa: PLC0415

    from context_graph.providers.aws.account import Account  # noqa: PLC0415

    try:
        return Account(boto3.Session(profile_name=profile))
    except ProfileNotFound as error:
        raise CallError(f"--profile {profile}: AWS has no such profile here; see: aws configure list-profiles") from error


def has_aws() -> bool:
    """True when the library that reads AWS is installed."""
    return find_spec("boto3") is not None


def kubernetes_collectors(
    environment: Mapping[str, str], *, context: str | None, cluster: str | None, namespaces: Sequence[str]
) -> list["Collector"]:
    """A collector for every kind of a cluster, or of the named namespaces of it. Raises CallError when it cannot be opened."""
    from context_graph.providers.kubernetes.api import ClusterApi  # noqa: PLC0415
    from context_graph.providers.kubernetes.cluster import collectors  # noqa: PLC0415

    access = kubernetes_access(environment, context=context, cluster=cluster)
    listed = namespaces or kubernetes_namespaces(environment)
    return list(collectors(ClusterApi(access.requests), access.cluster, namespaces=listed, now=datetime.now(UTC)))


def kubernetes_access(environment: Mapping[str, str], *, context: str | None, cluster: str | None) -> "Access":
    """The cluster of the context; GONOGO_KUBERNETES_CONTEXT and GONOGO_KUBERNETES_CLUSTER say what the call does not."""
    _needs("kubernetes", "kubernetes", "a kubeconfig is read through Kubernetes' own library")
    from context_graph.providers.kubernetes.access import opened  # noqa: PLC0415

    named = cluster or environment.get("GONOGO_KUBERNETES_CLUSTER") or None
    return opened(context=context or environment.get("GONOGO_KUBERNETES_CONTEXT") or None, cluster=named)


def kubernetes_namespaces(environment: Mapping[str, str]) -> list[str]:
    """Those that GONOGO_KUBERNETES_NAMESPACES names, by comma; none means the whole cluster."""
    return [one.strip() for one in environment.get("GONOGO_KUBERNETES_NAMESPACES", "").split(",") if one.strip()]


def cluster_role_of_sync(namespaces: Sequence[str]) -> str:
    """The role that allows exactly the lists that a sync of the cluster, or of these namespaces, reads."""
    from context_graph.providers.kubernetes.permissions import all_permissions, role_yaml  # noqa: PLC0415

    return role_yaml(all_permissions(), namespaces)


def iam_policy_of_sync() -> dict[str, object]:
    """The read-only policy that allows exactly the calls that a sync makes."""
    _needs("boto3", "aws", "the policy is made of the calls of AWS's own library")
    from context_graph.providers.aws.permissions import policy  # noqa: PLC0415
    from context_graph.providers.aws.registry import all_permissions  # noqa: PLC0415

    return policy(all_permissions())


def cloudflare_collectors(environment: Mapping[str, str], *, is_sample: bool = False) -> list["Collector"]:
    """A collector for every part of the accounts that CLOUDFLARE_ACCOUNT_ID names (by comma), else of those the token sees.

    A sample reads the first entry of every list.
    """
    from context_graph.providers.cloudflare.account import accounts_of, collectors_of  # noqa: PLC0415

    api = _cloudflare_api(environment, is_sample=is_sample)
    named = [part.strip() for part in environment.get("CLOUDFLARE_ACCOUNT_ID", "").split(",") if part.strip()]
    return list(collectors_of(api, named or accounts_of(api), now=datetime.now(UTC)))


def has_cloudflare(environment: Mapping[str, str]) -> bool:
    """True when there is a token."""
    return bool(environment.get("CLOUDFLARE_API_TOKEN", "").strip())


def _cloudflare_api(environment: Mapping[str, str], *, is_sample: bool) -> "CloudflareApi":
    from context_graph.providers.cloudflare.api import BASE, CloudflareApi  # noqa: PLC0415

    if not has_cloudflare(environment):
        raise CallError("Cloudflare is read with a token; set CLOUDFLARE_API_TOKEN (gonogo doctor prints what it must allow)")
    base = environment.get("CLOUDFLARE_BASE_URL") or BASE
    try:
        return CloudflareApi(environment["CLOUDFLARE_API_TOKEN"].strip(), base=base, is_sample=is_sample)
    except ValueError as error:
        raise CallError(f"CLOUDFLARE_BASE_URL: {error}; write it as {BASE}") from error


def cloudflare_token_of_sync() -> dict[str, object]:
    """The permissions of a token that allow exactly the calls that a sync makes."""
    from context_graph.providers.cloudflare.permissions import token_policy  # noqa: PLC0415
    from context_graph.providers.cloudflare.registry import all_permissions  # noqa: PLC0415

    return token_policy(all_permissions())


@contextmanager
def live_production() -> Generator["LiveProvider"]:
    """Production as it is now. ProductionUnreachable when there is no graph of it yet; a source that is not configured is not asked."""
    settings = Telemetry.from_environment(os.environ)
    with open_graph() as engine:
        yield _live_provider(engine, settings)


def _live_provider(engine: "sa.Engine", settings: Telemetry) -> "LiveProvider":
    from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415

    from bot.storage.graph import StoredGraph  # noqa: PLC0415
    from context_graph.providers.live import LiveProvider  # noqa: PLC0415

    stored = StoredGraph(engine)
    try:
        is_empty = stored.is_empty()
    except SQLAlchemyError as error:
        said = str(error).splitlines()[0]
        raise ProductionUnreachable(
            "context", f"the graph's database does not answer ({said})", "check GONOGO_DATABASE_URL"
        ) from error
    if is_empty:
        raise ProductionUnreachable("context", "the graph of production is empty", "fill it with: gonogo graph sync")
    databases = _postgres(settings)
    sources = [*_other_sources(settings), *([databases] if databases else []), *_cloudwatch(settings)]
    return LiveProvider(
        stored, sources, clock=lambda: datetime.now(UTC), held_tables=databases.held_tables if databases else None
    )


def _postgres(settings: Telemetry) -> "PostgresSource | None":
    if not settings.databases:
        return None
    _needs("psycopg", "server", "PostgreSQL is read through psycopg")
    from context_graph.providers.postgres import PostgresSource  # noqa: PLC0415

    return PostgresSource(settings.databases, interval_s=settings.statistics_interval_s)


def _other_sources(settings: Telemetry) -> Iterator["TelemetrySource"]:
    from context_graph.providers.http_json import JsonApi  # noqa: PLC0415

    def api(name: str, url: str, **more: Any) -> JsonApi:
        try:
            return JsonApi(url, **more)
        except ValueError as error:
            raise CallError(f"{name}: {error}; write it as http://HOST:PORT") from error

    if settings.prometheus_url:
        from context_graph.providers.prometheus import PrometheusSource  # noqa: PLC0415

        server = api("GONOGO_PROMETHEUS_URL", settings.prometheus_url, token=settings.prometheus_token)
        yield PrometheusSource(server, selectors=settings.prometheus_selectors)
    if settings.loki_url:
        from context_graph.providers.loki import LokiSource  # noqa: PLC0415

        headers = {"X-Scope-OrgID": settings.loki_tenant} if settings.loki_tenant else {}
        server = api("GONOGO_LOKI_URL", settings.loki_url, token=settings.loki_token, headers=headers)
        yield LokiSource(server, selectors=settings.loki_selectors)
    if settings.log_files:
        from context_graph.providers.log_files import LogFilesSource  # noqa: PLC0415

        yield LogFilesSource(settings.log_files)


def _cloudwatch(settings: Telemetry) -> Iterator["TelemetrySource"]:
    """CloudWatch and its logs with the credentials that boto3 finds; without boto3 or credentials there are none."""
    if not settings.is_cloudwatch_read:
        return
    try:
        import boto3  # noqa: PLC0415
    except ImportError:
        return
    session = boto3.Session()
    if session.get_credentials() is None:
        return
    from context_graph.providers.aws.account import Account  # noqa: PLC0415
    from context_graph.providers.cloudwatch import CloudWatchSource  # noqa: PLC0415
    from context_graph.providers.cloudwatch_logs import CloudWatchLogsSource  # noqa: PLC0415

    account = Account(session)
    yield CloudWatchSource(account.client, account=account.number)
    yield CloudWatchLogsSource(account.client, account=account.number)


def _needs(module: str, extra: str, why: str) -> None:
    try:
        import_module(module)
    except ImportError as error:
        raise CallError(f"{why}; install it with: pip install 'gonogo[{extra}]'") from error
