"""One cluster: a collector for every kind of it, and one for what joins its objects."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from context_graph.collecting import Collected, Collector, Scope, ScopeStatus
from context_graph.providers.kubernetes.api import ClusterApi
from context_graph.providers.kubernetes.kinds import KINDS, Kind
from context_graph.providers.kubernetes.links import LinksCollector
from context_graph.providers.kubernetes.listings import ODD_DATA, Listed, Listings
from context_graph.providers.kubernetes.naming import id_of
from context_graph.providers.kubernetes.objects import attributes_of, hosts_of_ingress
from gonogo.resource import Resource
from gonogo.word import ResourceId


def collectors(api: ClusterApi, cluster: str, *, namespaces: Sequence[str] = (), now: datetime) -> Iterator[Collector]:
    """For the whole cluster, one for every kind; with namespaces, one for every kind of each: one that is refused costs no other."""
    everywhere = [Listings(api, namespace) for namespace in dict.fromkeys(namespaces or ("",))]
    for listings in everywhere:
        for kind in KINDS:
            if kind.is_namespaced or not listings.namespace:
                yield KindCollector(listings, cluster, kind, now)
        yield LinksCollector(listings, everywhere, cluster, now)


class KindCollector:
    """Implements context_graph.collecting.Collector for one kind of a cluster, or of one namespace."""

    def __init__(self, listings: Listings, cluster: str, kind: Kind, now: datetime) -> None:
        self._listings, self._cluster, self._kind, self._now = listings, cluster, kind, now
        self.scope = Scope("kubernetes", cluster, listings.namespace, kind.plural)

    def collect(self) -> Collected:
        """Read it. Objects of a shape that we do not know leave the scope partial, with what was found."""
        listing = self._listings.of(self._kind)
        resources: list[Resource] = []
        aliases: dict[str, ResourceId] = {}
        why, status = [listing.why] if listing.why else [], listing.status
        for one in listing.objects:
            try:
                resource = self._resource(one)
            except ODD_DATA as error:
                status = ScopeStatus.PARTIAL
                why.append(f"{one.draft.address}: {type(error).__name__}")
                continue
            resources.append(resource)
            aliases |= dict.fromkeys(hosts_of_ingress(one.draft), resource.id)
        return Collected(
            scope=self.scope,
            status=status,
            read_at=self._now,
            resources=resources,
            aliases=aliases,
            why="; ".join(why)[:1000],
            calls=[self._kind.permission],
            denied=[self._kind.permission] if listing.status is ScopeStatus.DENIED else [],
        )

    def _resource(self, one: Listed) -> Resource:
        namespace = one.draft.address.split("/")[1] if self._kind.is_namespaced else ""
        return Resource(
            id=id_of(self._cluster, one.draft, is_namespaced=self._kind.is_namespaced),
            kind=one.draft.kind,
            name=one.draft.name or "",
            account=self._cluster,
            region=namespace,
            attributes={"cluster": self._cluster, **attributes_of(one.draft, one.status)},
        )
