"""Builds the links of a chain. Evidence that was not found is passed as None and simply is not there."""

from collections.abc import Iterable

from bot.investigator.asking import Reading
from gonogo.evidence import Evidence
from gonogo.pattern import pattern
from gonogo.trajectory import Comparison, Link, Refutation, Role

Cited = Evidence | Reading | None
_SCIENTIFIC = pattern(r"(?<![\w.])\d(?:\.\d+)?e\+\d\d(?!\w)")


def trigger(claim: str, *cited: Cited) -> Link:
    """What in the change sets it off."""
    return _link(Role.TRIGGER, claim, cited)


def mechanism(claim: str, *cited: Cited, refuting: Iterable[Cited] = (), refutation: Refutation | None = None) -> Link:
    """How the changed code or configuration leads to trouble."""
    return _link(Role.MECHANISM, claim, cited, refuting=refuting, refutation=refutation)


def exposure(
    claim: str,
    *cited: Cited,
    comparison: Comparison | None = None,
    refuting: Iterable[Cited] = (),
    refutation: Refutation | None = None,
) -> Link:
    """Who meets it: traffic, existence, rate."""
    return _link(Role.EXPOSURE, claim, cited, comparison=comparison, refuting=refuting, refutation=refutation)


def harm(
    claim: str,
    *cited: Cited,
    comparison: Comparison | None = None,
    refuting: Iterable[Cited] = (),
    refutation: Refutation | None = None,
) -> Link:
    """What degrades; true numbers in `comparison` mean harm, false ones refute."""
    return _link(Role.HARM, claim, cited, comparison=comparison, refuting=refuting, refutation=refutation)


def unknown(role: Role, claim: str, question: str, query: str, *cited: Cited) -> Link:
    """A link that no fact settles: it stays, with the exact question and the read-only query that answers it."""
    return Link(role=role, claim=spelled(claim), question=question, query=query, evidence=_evidence(cited))


def compare(observed: Reading | float, operator: str, limit: Reading | float, unit: str = "") -> Comparison:
    """`observed operator limit`; the unit comes from the first reading unless it is given."""
    values = [side.value if isinstance(side, Reading) else float(side) for side in (observed, limit)]
    units = [side.unit for side in (observed, limit) if isinstance(side, Reading) and side.unit]
    return Comparison.model_validate(
        {"observed": values[0], "operator": operator, "limit": values[1], "unit": unit or next(iter(units), "")}
    )


def spelled(claim: str) -> str:
    """Figures as people write them: `1.29e+03` is 1,290."""
    return _SCIENTIFIC.sub(lambda found: f"{float(found[0]):,.0f}", claim)


def _link(
    role: Role,
    claim: str,
    cited: Iterable[Cited],
    *,
    comparison: Comparison | None = None,
    refuting: Iterable[Cited] = (),
    refutation: Refutation | None = None,
) -> Link:
    return Link(
        role=role,
        claim=spelled(claim),
        evidence=_evidence(cited),
        comparison=comparison,
        refuting=_evidence(refuting),
        refutation=refutation,
    )


def _evidence(cited: Iterable[Cited]) -> tuple[Evidence, ...]:
    found: list[Evidence] = []
    for one in cited:
        evidence = one.evidence if isinstance(one, Reading) else one
        if evidence is not None and evidence not in found:
            found.append(evidence)
    return tuple(found)
