"""What a change does to source code: values, calls, retries, reads of the environment, routes, uses. Nothing is executed."""

from heuristics.code.calls import AddedCall, CallSite, added_calls, call_sites
from heuristics.code.creates import Creation, Need, created_names, creations_in, creations_of, is_manifest_path
from heuristics.code.endpoints import (
    ClientCall,
    Narrowed,
    Rerouted,
    Route,
    RouteSet,
    Wanted,
    added_routes,
    client_calls,
    conditional_routes,
    covers,
    narrowed_routes,
    redirected_routes,
    removed_routes,
    rerouted_routes,
    route_callers,
    route_set,
    routes,
)
from heuristics.code.exports import exported_classes
from heuristics.code.paths import (
    is_ci_path,
    is_docs_path,
    is_example_path,
    is_generated_path,
    is_lock_path,
    is_production_code,
    is_test_path,
    language_of,
)
from heuristics.code.reads import Read, is_ambient, reads_in, reads_of
from heuristics.code.retries import RetryLoop, retry_shape
from heuristics.code.same import same_code
from heuristics.code.uses import Use, is_migration_path, spellings_of, uses_of
from heuristics.code.value_changes import ValueChange, value_changes, value_sites
from heuristics.code.value_sites import ValueSite

__all__ = [
    "AddedCall",
    "CallSite",
    "ClientCall",
    "Creation",
    "Narrowed",
    "Need",
    "Read",
    "Rerouted",
    "RetryLoop",
    "Route",
    "RouteSet",
    "Use",
    "ValueChange",
    "ValueSite",
    "Wanted",
    "added_calls",
    "added_routes",
    "call_sites",
    "client_calls",
    "conditional_routes",
    "covers",
    "created_names",
    "creations_in",
    "creations_of",
    "exported_classes",
    "is_ambient",
    "is_ci_path",
    "is_docs_path",
    "is_example_path",
    "is_generated_path",
    "is_lock_path",
    "is_manifest_path",
    "is_migration_path",
    "is_production_code",
    "is_test_path",
    "language_of",
    "narrowed_routes",
    "reads_in",
    "reads_of",
    "redirected_routes",
    "removed_routes",
    "rerouted_routes",
    "retry_shape",
    "route_callers",
    "route_set",
    "routes",
    "same_code",
    "spellings_of",
    "uses_of",
    "value_changes",
    "value_sites",
]
