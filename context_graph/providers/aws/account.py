"""One AWS account: who we are in it, which regions are switched on, and a collector for every service of each."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from context_graph.collecting import Collected, Scope
from context_graph.providers.aws.asking import ODD_DATA, Asking, Service
from context_graph.providers.aws.faults import said
from context_graph.providers.aws.permissions import permission_of
from gonogo.errors import ProductionUnreachable

_SETTINGS = Config(
    retries={"mode": "adaptive", "max_attempts": 8},  # throttling slows the sync down; it does not end it
    connect_timeout=5,
    read_timeout=20,
    max_pool_connections=10,
    user_agent_appid="gonogo",
)

GLOBAL = "aws-global"
"""The region of services that have none."""


class Account:
    """The account that a `boto3.Session` opens. Clients are made once; boto3's are safe to share between threads."""

    def __init__(self, session: Any, *, settings: Config = _SETTINGS, endpoint_url: str | None = None) -> None:
        self._session, self._settings, self._endpoint_url = session, settings, endpoint_url
        self._clients: dict[tuple[str, str], Any] = {}
        self._one_at_a_time = Lock()
        self.calls: set[str] = set()

    @cached_property
    def number(self) -> str:
        """The twelve digits. Raises ProductionUnreachable when the credentials open nothing."""
        try:
            return str(self.client("sts", self.home).get_caller_identity()["Account"])
        except (ClientError, BotoCoreError) as error:
            raise ProductionUnreachable("context", f"AWS: {said(error)}", "check the credentials with `gonogo doctor`") from error

    @property
    def home(self) -> str:
        """The region that is asked about the account itself."""
        return self._session.region_name or "us-east-1"

    def regions(self) -> Sequence[str]:
        """The regions that are switched on, by the account's own list: one that is not opted into is never asked.

        Without `account:ListRegions`, EC2's list; without both, the home region alone.
        """
        enabled = ["ENABLED", "ENABLED_BY_DEFAULT"]
        account, ec2 = self.client("account", self.home), self.client("ec2", self.home)
        self.calls.add(permission_of(account, "list_regions"))
        try:
            pages = account.get_paginator("list_regions").paginate(RegionOptStatusContains=enabled)
            return sorted(region["RegionName"] for page in pages for region in page["Regions"])
        except (ClientError, BotoCoreError):
            pass
        try:
            return sorted(region["RegionName"] for region in ec2.describe_regions(AllRegions=False)["Regions"])
        except (ClientError, BotoCoreError):
            return [self.home]

    def client(self, service: str, region: str) -> Any:
        """boto3's client."""
        with self._one_at_a_time:
            key = service, self.home if region == GLOBAL else region
            if key not in self._clients:
                self._clients[key] = self._session.client(
                    service, region_name=key[1], config=self._settings, endpoint_url=self._endpoint_url
                )
            return self._clients[key]

    def collectors(self, services: Sequence[Service], regions: Sequence[str], *, now: datetime) -> Iterator["AwsCollector"]:
        """One for every service and region; a global service once."""
        for service in services:
            for region in (GLOBAL,) if service.is_global else regions:
                yield AwsCollector(self, service, Scope("aws", self.number, region, service.name), now)


class AwsCollector:
    """Implements context_graph.collecting.Collector for one service of one region."""

    def __init__(self, account: Account, service: Service, scope: Scope, now: datetime) -> None:
        self._account, self._service, self._now = account, service, now
        self.scope = scope

    def collect(self) -> Collected:
        """Read it. What AWS refuses is a status; data of a shape that we do not know leaves the scope partial, with what was found."""
        ask = Asking(self.scope, lambda service: self._account.client(service, self.scope.region), self._now)
        try:
            self._service.collect(ask)
        except (ClientError, BotoCoreError, *ODD_DATA) as error:
            return ask.collected(ended_by=error)
        return ask.collected()
