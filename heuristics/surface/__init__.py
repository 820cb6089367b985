"""What callers may ask of the program, and what a change takes from them: endpoints, fields, hosts."""

from heuristics.surface.endpoints import MovedEndpoints, RemovedEndpoint, moved_endpoints, removed_endpoints
from heuristics.surface.inputs import NarrowedEndpoint, narrowed_endpoints

__all__ = ["MovedEndpoints", "NarrowedEndpoint", "RemovedEndpoint", "moved_endpoints", "narrowed_endpoints", "removed_endpoints"]
