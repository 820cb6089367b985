"""What a change does to source code: values, calls, retries, reads of the environment, routes, uses. Nothing is executed."""

from heuristics.code.creates import Creation, Need, created_names, creations_in, creations_of, is_manifest_path
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
from heuristics.code.same import same_code
from heuristics.code.uses import Use, is_migration_path, spellings_of, uses_of
from heuristics.code.value_changes import ValueChange, value_changes, value_sites
from heuristics.code.value_sites import ValueSite

__all__ = [
    "Creation",
    "Need",
    "Read",
    "Use",
    "ValueChange",
    "ValueSite",
    "created_names",
    "creations_in",
    "creations_of",
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
    "reads_in",
    "reads_of",
    "same_code",
    "spellings_of",
    "uses_of",
    "value_changes",
    "value_sites",
]
