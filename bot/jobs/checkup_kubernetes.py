"""Kubernetes as `gonogo doctor` finds it: may every kind that a sync lists be listed? One object of each is asked for."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from bot.jobs.checkup import Found, Look
from gonogo.errors import CallError

if TYPE_CHECKING:
    from context_graph.providers.kubernetes.access import Access


def look_at_kubernetes(access: "Callable[[], Access] | None", *, namespaces: Sequence[str] = ()) -> Iterator[Look]:
    """A line for the cluster, and one for what may not be listed. `access` opens it; None when there is none to open."""
    if access is None:
        said = "no kubeconfig and no service account; with one, gonogo graph sync reads the cluster"
        yield Look(found=Found.UNUSED, what="Kubernetes", said=said)
        return
    try:
        cluster = access()
    except CallError as error:
        yield Look(found=Found.MISSING, what="Kubernetes", said=str(error))
        return
    from context_graph.collecting import ScopeStatus  # noqa: PLC0415
    from context_graph.providers.kubernetes.api import ClusterApi  # noqa: PLC0415
    from context_graph.providers.kubernetes.kinds import KINDS  # noqa: PLC0415
    from context_graph.providers.kubernetes.listings import Listings  # noqa: PLC0415

    api = ClusterApi(cluster.requests, tries=1)
    for namespace in namespaces or ("",):
        listings = Listings(api, namespace, at_most=1)
        kinds = [kind for kind in KINDS if kind.is_namespaced or not namespace]
        with ThreadPoolExecutor(max_workers=8, thread_name_prefix="doctor") as pool:
            found = dict(zip(kinds, pool.map(listings.of, kinds), strict=True))
        what = f"Kubernetes {cluster.cluster}" + (f"/{namespace}" if namespace else "")
        denied = [kind.permission for kind, listing in found.items() if listing.status is ScopeStatus.DENIED]
        failed = {listing.why for listing in found.values() if listing.status in (ScopeStatus.PARTIAL, ScopeStatus.THROTTLED)}
        absent = [kind.plural for kind, listing in found.items() if listing.status is ScopeStatus.UNSUPPORTED]
        if failed:
            yield Look(found=Found.MISSING, what=what, said=f"{min(failed)}; check the address, and try again")
        elif denied:
            said = f"{len(denied)} of {len(kinds)} lists not allowed: {', '.join(denied)}; allow them as in the role below"
            yield Look(found=Found.MISSING, what=what, said=said)
        else:
            rest = f"; it does not serve {', '.join(absent)}" if absent else ""
            yield Look(found=Found.OK, what=what, said=f"{len(kinds) - len(absent)} of {len(kinds)} lists allowed{rest}")
