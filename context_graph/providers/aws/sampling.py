"""One of everything: what may be read of an account, tried on the first entry of the first page of each list."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, override

from botocore.exceptions import BotoCoreError, ClientError

from context_graph.collecting import Collected, Scope
from context_graph.providers.aws.account import Account
from context_graph.providers.aws.asking import ODD_DATA, Asking, Service


class Sampling(Asking):
    """Asks as a sync does, for at most one entry of each list."""

    @override
    def pages(self, service: str, operation: str, key: str, **parameters: Any) -> Iterator[Any]:
        for entry in super().pages(service, operation, key, **parameters):
            yield entry
            return


def sample(account: Account, service: Service, *, now: datetime) -> Collected:
    """How reading this service in the account's home region would go; `denied` has the permissions that are missing.

    A permission that is not in `calls` was not tried: there was nothing to try it on.
    """
    scope = Scope("aws", account.number, account.home, service.name)
    ask = Sampling(scope, lambda name: account.client(name, account.home), now)
    try:
        service.collect(ask)
    except (ClientError, BotoCoreError, *ODD_DATA) as error:
        return ask.collected(ended_by=error)
    return ask.collected()
