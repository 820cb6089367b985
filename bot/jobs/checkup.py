"""What gonogo finds when it looks around: tools, extras, database, AWS, key. Nothing is written and no secret is read out."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from enum import StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bot.settings import Settings
from bot.shadow.binaries import server_binaries
from gonogo.errors import ProductionUnreachable
from gonogo.record import Record

if TYPE_CHECKING:
    from context_graph.providers.aws.account import Account

EXTRAS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "aws": (("boto3",), "reading AWS: gonogo graph sync"),
    "kubernetes": (("kubernetes",), "reading a Kubernetes cluster: gonogo graph sync"),
    "server": (
        ("sqlalchemy", "alembic", "psycopg", "fastapi", "uvicorn", "arq", "redis", "githubkit", "pydantic_settings"),
        "the GitHub App: gonogo serve, worker; keeping the graph: gonogo graph sync, show, path",
    ),
    "claude": (("anthropic",), "a model investigates: gonogo check --investigator claude; without it the rules do"),
    "toto": (("torch", "toto2"), "forecasts with Toto; the built-in forecaster needs nothing"),
}
"""Extra → the modules that it brings, and what they are for."""


class Found(StrEnum):
    """How one thing is. Only what is `missing` keeps gonogo from what it was set up for."""

    OK = "ok"
    MISSING = "missing"
    UNUSED = "not set up"


class Look(Record):
    """One thing that was looked at, and what to do about it."""

    found: Found
    what: str
    said: str


def look_around(
    environment: Mapping[str, str], *, account: "Callable[[], Account] | None", now: datetime, path: str | None = None
) -> Iterator[Look]:
    """Every line of `gonogo doctor`, in order. `account` opens AWS; None when its library is not installed."""
    git = shutil.which("git", path=path)
    yield Look(found=Found.OK if git else Found.MISSING, what="git", said=git or "install git: changes are read through it")
    server = server_binaries()
    said = f"{server}; " if server else "no PostgreSQL server is installed; with one, "
    yield Look(
        found=Found.OK if server else Found.UNUSED, what="throw-away database", said=f"{said}a model may replay migrations"
    )
    for extra, (modules, purpose) in EXTRAS.items():
        absent = [module for module in modules if find_spec(module) is None]
        said = f"{purpose}; install it with: pip install 'gonogo[{extra}]'" if absent else purpose
        yield Look(found=Found.UNUSED if absent else Found.OK, what=f"extra {extra}", said=said)
    yield from _database(environment)
    yield from _aws(account, now)
    has_key = bool(environment.get("ANTHROPIC_API_KEY"))
    said = (
        "ANTHROPIC_API_KEY is set"
        if has_key
        else "ANTHROPIC_API_KEY is not set; gonogo works without, by rules and playbooks alone"
    )
    yield Look(found=Found.OK if has_key else Found.UNUSED, what="Anthropic key", said=said)


def _database(environment: Mapping[str, str]) -> Iterator[Look]:
    if find_spec("sqlalchemy") is None or find_spec("alembic") is None:
        return
    from bot.storage.database_state import database_state  # noqa: PLC0415  the base install has no database

    is_fine, said = database_state(Settings.from_environment(environment).database_url)
    yield Look(found=Found.OK if is_fine else Found.MISSING, what="database", said=said)


def _aws(account: "Callable[[], Account] | None", now: datetime) -> Iterator[Look]:
    if account is None:
        return
    opened = account()
    try:
        number = opened.number
    except ProductionUnreachable as error:
        is_unset = "NoCredentials" in error.why
        advice = "set AWS_PROFILE or AWS_ACCESS_KEY_ID" if is_unset else "sign in again, or check the clock and the key"
        yield Look(found=Found.UNUSED if is_unset else Found.MISSING, what="AWS", said=f"{error.why}; {advice}")
        return
    yield Look(found=Found.OK, what="AWS", said=f"account {number}, asked in {opened.home}")
    yield from _services(opened, now)


def _services(account: "Account", now: datetime) -> Sequence[Look]:
    """Each service: are the actions that a sync takes allowed?"""
    from context_graph.collecting import Collected, ScopeStatus  # noqa: PLC0415
    from context_graph.providers.aws.asking import Service  # noqa: PLC0415
    from context_graph.providers.aws.registry import SERVICES  # noqa: PLC0415
    from context_graph.providers.aws.sampling import sample  # noqa: PLC0415

    def said_of(service: Service, tried: Collected) -> Look:
        what, needed = f"AWS {service.name}", len(service.permissions)
        if tried.denied:
            return Look(
                found=Found.MISSING, what=what, said=f"not allowed: {', '.join(tried.denied)}; allow it as in the policy below"
            )
        if tried.status is ScopeStatus.UNSUPPORTED:
            return Look(found=Found.UNUSED, what=what, said=f"not in {account.home}")
        if tried.status is not ScopeStatus.OK:
            return Look(found=Found.MISSING, what=what, said=f"{tried.status.value}: {tried.why}; try again")
        untried = needed - len(set(tried.calls) & set(service.permissions))
        rest = f"; {untried} not tried, nothing there to try them on" if untried else ""
        return Look(found=Found.OK, what=what, said=f"{needed - untried} of {needed} actions allowed{rest}")

    def looked(service: Service) -> Look:
        return said_of(service, sample(account, service, now=now))

    with ThreadPoolExecutor(max_workers=8, thread_name_prefix="doctor") as pool:
        return list(pool.map(looked, SERVICES))
