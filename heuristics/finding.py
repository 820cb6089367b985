"""A finding at a place: what every rule hands over that points at one line."""

from collections.abc import Mapping

from gonogo.finding import Finding, RuleId
from gonogo.resource import Place
from gonogo.word import Json


def finding_at(
    rule: RuleId, place: Place, message: str, safe_alternative: str, facts: Mapping[str, Json] | None = None
) -> Finding:
    """A finding at a line, on the side that the place is on."""
    return Finding(
        rule=rule,
        file=place.file,
        line=max(place.line, 1),
        side=place.side,
        message=message,
        safe_alternative=safe_alternative,
        facts=facts or {},
    )
