"""What well-known releases took away: a table to look the code up in, one row a removed API."""

from gonogo.record import Record
from heuristics.dependencies.pins import Version


class Break(Record):
    """One thing that is gone from a version on.

    A line of code with one of the `words` that `pattern` matches uses it, when the file also matches `needs`. Code that
    has `unless` in the same file, or a package of `provided_by` among its libraries, copes.
    """

    ecosystem: str
    package: str
    since: Version
    words: tuple[str, ...]
    pattern: str
    what: str
    instead: str
    needs: str = ""
    unless: str = ""
    provided_by: tuple[str, ...] = ()
    only_functions: bool = False
    """It is only the runtime of functions that no longer brings it along."""
    until_runtime: Version = ()
    """From this version of the runtime on it works again."""


def gone(
    ecosystem: str,
    package: str,
    since: Version,
    words: str,
    pattern: str,
    what: str,
    instead: str,
    *,
    needs: str = "",
    unless: str = "",
) -> Break:
    """A row for one API."""
    return Break(ecosystem, package, since, tuple(words.split()), pattern, what, instead, needs, unless)
