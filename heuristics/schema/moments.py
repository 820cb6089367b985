"""The moment at which migrations run, seen from the deploy."""

from typing import Literal

from gonogo.record import Record
from gonogo.resource import Place

Moment = Literal["before", "boot", "after", "by-hand", "unknown"]


class DeployOrder(Record):
    """When migrations run, and the line that says so (None for a folder name or for nothing found)."""

    moment: Moment
    place: Place | None = None
    says: str = ""

    @property
    def meets_old_code(self) -> bool:
        """The schema changes while instances of the deployed version still run."""
        return self.moment in ("before", "boot")
