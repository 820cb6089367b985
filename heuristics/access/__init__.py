"""Access that a change takes away: IAM actions, network rules, DNS targets, TLS versions, CORS origins."""

from heuristics.access.dns import MovedRecord, moved_records
from heuristics.access.network import ClosedRule, closed_rules
from heuristics.access.origins import RemovedOrigin, removed_origins
from heuristics.access.permissions import RemovedAction, removed_actions
from heuristics.access.tls import NarrowedTls, narrowed_tls

__all__ = [
    "ClosedRule",
    "MovedRecord",
    "NarrowedTls",
    "RemovedAction",
    "RemovedOrigin",
    "closed_rules",
    "moved_records",
    "narrowed_tls",
    "removed_actions",
    "removed_origins",
]
