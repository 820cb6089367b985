"""What an error of a cluster's API means for a scope."""

from context_graph.collecting import ScopeStatus
from context_graph.providers.kubernetes.api import ClusterRefused

_STATUSES = {
    401: ScopeStatus.DENIED,
    403: ScopeStatus.DENIED,
    404: ScopeStatus.UNSUPPORTED,  # a list is there, be it empty, unless the cluster does not serve the kind
    405: ScopeStatus.UNSUPPORTED,
    406: ScopeStatus.UNSUPPORTED,
    429: ScopeStatus.THROTTLED,
}


def status_of_fault(error: ClusterRefused) -> ScopeStatus:
    """How a scope ends when this error ended it."""
    return _STATUSES.get(error.status, ScopeStatus.PARTIAL)
