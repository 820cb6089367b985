"""Names that programs need and manifests give: variables, secrets and bindings that are missing, or taken away."""

from heuristics.names.given import Given, given_names
from heuristics.names.missing import NeededName, needed_names
from heuristics.names.removed import RemovedName, removed_names

__all__ = ["Given", "NeededName", "RemovedName", "given_names", "needed_names", "removed_names"]
