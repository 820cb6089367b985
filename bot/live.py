"""Puts live production together: the stored graph, and the collectors that fill it. `bootstrap` does the rest."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING

from bot.settings import Settings
from gonogo.errors import CallError

if TYPE_CHECKING:
    import sqlalchemy as sa

    from context_graph.collecting import Collector


def open_graph() -> "sa.Engine":
    """The database that holds the graph."""
    _needs("sqlalchemy", "server", "the graph is kept in a database")
    from bot.storage.database import open_database  # noqa: PLC0415  the base install has no database

    return open_database(Settings.from_environment(os.environ).database_url)


def aws_collectors(*, profile: str | None, regions: Sequence[str]) -> list["Collector"]:
    """A collector for every service of every region that is on, or of those named. Raises when the account cannot be opened."""
    _needs("boto3", "aws", "AWS is read through boto3")
    import boto3  # noqa: PLC0415
    from botocore.exceptions import ProfileNotFound  # noqa: PLC0415

    from context_graph.providers.aws.account import Account  # noqa: PLC0415
    from context_graph.providers.aws.registry import SERVICES  # noqa: PLC0415

    try:
        account = Account(boto3.Session(profile_name=profile))
    except ProfileNotFound as error:
        raise CallError(f"--profile {profile}: AWS has no such profile here; see: aws configure list-profiles") from error
    enabled = list(account.regions())
    if off := sorted(set(regions) - set(enabled)):
        raise CallError(f"--regions {','.join(off)}: not switched on in account {account.number}; it has {', '.join(enabled)}")
    return list(account.collectors(SERVICES, regions or enabled, now=datetime.now(UTC)))


def _needs(module: str, extra: str, why: str) -> None:
    try:
        import_module(module)
    except ImportError as error:
        raise CallError(f"{why}; install it with: pip install 'gonogo[{extra}]'") from error
