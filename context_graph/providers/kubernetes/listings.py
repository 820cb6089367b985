"""What a cluster lists, each kind once, whoever asks first; how each list went stays with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

from context_graph.collecting import ScopeStatus
from context_graph.manifests.node import Draft
from context_graph.providers.kubernetes.api import ClusterApi, ClusterRefused, Object
from context_graph.providers.kubernetes.faults import status_of_fault
from context_graph.providers.kubernetes.kinds import Kind
from context_graph.providers.kubernetes.objects import balancers_of, draft_of, secrets_of

ODD_DATA = (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError)
"""What reading an object of a shape that we do not know raises."""


@dataclass(frozen=True)
class Listed:
    """One object, as a draft and as it is now."""

    draft: Draft
    status: Object
    annotations: Object
    secrets: Sequence[str] = ()
    """Names of the Secrets that it takes."""

    balancers: Sequence[str] = ()
    """Hosts of the cloud's balancers in front of it."""


@dataclass(frozen=True)
class Listing:
    """How one list went. With any other status than `ok`, `objects` is what could be read."""

    status: ScopeStatus
    objects: Sequence[Listed] = ()
    why: str = ""


class Listings:
    """The lists of a cluster, or of one namespace of it. Threads that want the same list wait for the one that reads it."""

    def __init__(self, api: ClusterApi, namespace: str = "", *, at_most: int | None = None) -> None:
        self._api, self.namespace, self._at_most = api, namespace, at_most
        self._read: dict[Kind, Listing] = {}
        self._locks: dict[Kind, Lock] = {}
        self._one_at_a_time = Lock()

    def of(self, kind: Kind) -> Listing:
        """The list of a kind; read when it is asked for first."""
        with self._one_at_a_time:
            lock = self._locks.setdefault(kind, Lock())
        with lock:
            if kind not in self._read:
                self._read[kind] = self._list(kind)
            return self._read[kind]

    def _list(self, kind: Kind) -> Listing:
        try:
            items = self._api.listed(
                kind.path(self.namespace), page=kind.page, metadata_only=kind.metadata_only, at_most=self._at_most
            )
        except ClusterRefused as error:
            return Listing(status_of_fault(error), why=str(error))
        objects: list[Listed] = []
        odd = 0
        for item in items:
            try:
                if _is_made_by_another(item):
                    continue
                objects.append(_listed(item, kind))
            except ODD_DATA:
                odd += 1
        if odd:
            return Listing(ScopeStatus.PARTIAL, objects, f"{odd} {kind.plural} could not be understood")
        return Listing(ScopeStatus.OK, objects)


def _listed(item: Object, kind: Kind) -> Listed:
    draft = draft_of(item, kind)
    status: Object = item.get("status") or {}
    annotations: Object = item["metadata"].get("annotations") or {}
    secrets = tuple(dict.fromkeys(name for name in secrets_of(draft) if name))
    return Listed(draft, {**status}, {**annotations}, secrets, balancers_of(status))


def _is_made_by_another(item: Object) -> bool:
    """A Job of a CronJob comes and goes with every run: the CronJob stands for it."""
    owners = item["metadata"].get("ownerReferences") or ()
    return any(owner.get("controller") and owner.get("kind") == "CronJob" for owner in owners)
