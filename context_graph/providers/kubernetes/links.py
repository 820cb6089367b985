"""What joins the objects of a cluster: selectors, back ends, configuration, hosts; and the texts that may name something outside."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from context_graph.collecting import Collected, Mention, Scope, ScopeStatus
from context_graph.manifests.kubernetes_edges import kubernetes_links
from context_graph.manifests.node import Draft, Node
from context_graph.providers.aws.arns import parse_arn
from context_graph.providers.kubernetes.kinds import KINDS
from context_graph.providers.kubernetes.listings import ODD_DATA, Listed, Listing, Listings
from context_graph.providers.kubernetes.naming import id_at
from gonogo.resource import Edge, Relation, Resource
from gonogo.word import ResourceId

_WORKLOADS = ("deployment", "statefulset", "daemonset", "cronjob", "job")
_ROLE = "eks.amazonaws.com/role-arn"
_SERVICE = next(kind for kind in KINDS if kind.plural == "services")


class LinksCollector:
    """Implements context_graph.collecting.Collector for the edges of a cluster, or of one namespace.

    It answers in full only when every list did that the cluster serves: an edge whose end could not be read is not gone.
    """

    def __init__(self, listings: Listings, everywhere: Sequence[Listings], cluster: str, now: datetime) -> None:
        self._listings, self._everywhere, self._cluster, self._now = listings, everywhere, cluster, now
        self.scope = Scope("kubernetes", cluster, listings.namespace, "links")

    def collect(self) -> Collected:
        """Read every list, and join what they hold."""
        mine = {kind: self._listings.of(kind) for kind in KINDS if kind.is_namespaced}
        services = {other.namespace: other.of(_SERVICE) for other in self._everywhere if other is not self._listings}
        failed = [f"{kind.plural}: {listing.status.value}" for kind, listing in mine.items() if not _is_complete(listing)]
        failed += [f"services of {name}: {one.status.value}" for name, one in services.items() if not _is_complete(one)]
        listed = [one for listing in mine.values() for one in listing.objects]
        others = [one.draft for listing in services.values() for one in listing.objects]
        secrets = {f"secret/{_namespace(one.draft)}/{name}": name for one in listed for name in one.secrets}
        edges: list[Edge] = []
        mentions: list[Mention] = []
        try:
            edges += self._edges([one.draft for one in listed], [*others, *(_secret(*one) for one in secrets.items())])
            mentions += self._mentions(listed)
        except ODD_DATA as error:
            failed.append(f"an object of a shape that is not known ({type(error).__name__})")
        return Collected(
            scope=self.scope,
            status=_status([listing.status for listing in mine.values()]) if failed else ScopeStatus.OK,
            read_at=self._now,
            resources=[self._resource_of_secret(address, name) for address, name in secrets.items()],
            edges=edges,
            mentions=mentions,
            near=_account_around(self._cluster),
            why=f"not read in full: {', '.join(failed)}"[:1000] if failed else "",
            calls=[kind.permission for kind in KINDS if kind.is_namespaced],
        )

    def _edges(self, mine: Sequence[Draft], others: Sequence[Draft]) -> Sequence[Edge]:
        """Edges that leave objects of this scope; of several that say the same the first."""
        known = {draft.address for draft in mine}
        found: dict[tuple[str, str, Relation], Edge] = {}
        for link in kubernetes_links([*mine, *others]):
            if link.source in known and link.source != link.target:
                source, target = id_at(self._cluster, link.source), id_at(self._cluster, link.target)
                relation = Relation(link.relation)
                edge = Edge(source=source, target=target, relation=relation, evidence=link.evidence)
                found.setdefault((source, target, relation), edge)
        return list(found.values())

    def _resource_of_secret(self, address: str, name: str) -> Resource:
        return Resource(
            id=id_at(self._cluster, address),
            kind="kubernetes.secret",
            name=name,
            account=self._cluster,
            region=address.split("/")[1],
        )

    def _mentions(self, listed: Sequence[Listed]) -> Iterator[Mention]:
        maps = {one.draft.address: one.draft for one in listed if one.draft.kind == "kubernetes.configmap"}
        roles = {one.draft.address: one.annotations for one in listed if one.draft.kind == "kubernetes.serviceaccount"}
        for one in listed:
            draft = one.draft
            at = id_at(self._cluster, draft.address)
            kind = draft.kind.rpartition(".")[2]
            if kind in _WORKLOADS:
                yield from _told(at, draft, maps)
                account = draft.extra.get("service_account")
                name = (account.string() if account is not None else None) or "default"
                if role := roles.get(f"serviceaccount/{_namespace(draft)}/{name}", {}).get(_ROLE):
                    yield Mention(at, str(role), f"{_ROLE} of service account {name}", Relation.DEPENDS_ON)
            elif kind == "service":
                outside = draft.node.get("spec", "externalName")
                if outside is not None and (host := outside.string()):
                    yield Mention(at, host, "externalName", Relation.ROUTES_TO)
            for host in one.balancers:
                yield Mention(at, host, "status.loadBalancer", Relation.ROUTES_TO, is_back=True)


def _told(at: ResourceId, workload: Draft, maps: Mapping[str, Draft]) -> Iterator[Mention]:
    """What a workload's variables hold, written out or taken from a ConfigMap; what is mounted counts as told too."""
    for key, node in workload.extra.items():
        inner = key.partition(".")[2].partition(".")[2] if key.startswith(("container.", "init_container.")) else key
        if inner.startswith("environment."):
            name = inner.partition(".")[2]
            if node.is_known:
                yield Mention(at, node.string() or "", f"environment variable {name}")
            elif node.text.startswith("configMapKeyRef: "):
                source, _, field = node.text.removeprefix("configMapKeyRef: ").partition(" ")
                yield from _held(at, maps.get(f"configmap/{_namespace(workload)}/{source}"), field.partition(" ")[0])
        elif inner.startswith("environment_from.configMapRef/"):
            yield from _held(at, maps.get(f"configmap/{_namespace(workload)}/{inner.partition('/')[2]}"), None)
        elif inner in ("command", "args"):
            for item in node.items():
                yield Mention(at, (item.string() or "").partition("=")[2] or item.string() or "", inner)


def _account_around(cluster: str) -> Scope | None:
    """EKS names a cluster by its ARN: plain names in its configuration are of that account and region."""
    arn = parse_arn(cluster)
    return Scope("aws", arn.account, arn.region, "") if arn is not None and arn.service == "eks" else None


def _held(at: ResourceId, source: Draft | None, only: str | None) -> Iterator[Mention]:
    for key, node in (source.extra if source is not None else {}).items():
        name = key.removeprefix("data.")
        if source is not None and key.startswith("data.") and only in (None, name):
            yield Mention(at, node.string() or "", f"{name} of ConfigMap {source.name}")


def _secret(address: str, name: str) -> Draft:
    return Draft(
        kind="kubernetes.secret", address=address, file="live", line=0, end_line=0, node=Node({}, 0), name=name, scope="live"
    )


def _status(lists: Sequence[ScopeStatus]) -> ScopeStatus:
    """What all lists say, when not one of them could be read."""
    return lists[0] if ScopeStatus.OK not in lists and ScopeStatus.PARTIAL not in lists else ScopeStatus.PARTIAL


def _is_complete(listing: Listing) -> bool:
    return listing.status in (ScopeStatus.OK, ScopeStatus.UNSUPPORTED)


def _namespace(draft: Draft) -> str:
    return draft.address.split("/")[1]
