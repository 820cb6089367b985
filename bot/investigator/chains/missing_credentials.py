"""An endpoint asks for credentials from now on: do those who call it send any today?"""

from collections.abc import Sequence

from bot.investigator.asking import quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism
from bot.investigator.facts.credentials import ENOUGH, SOME, Credentials, credentials_of
from bot.investigator.facts.route_calls import serving
from bot.investigator.facts.traffic import per_second
from gonogo.trajectory import Link, Role
from heuristics.surface import NarrowedEndpoint


def settle_credentials(case: Case, one: NarrowedEndpoint, settled: Sequence[Link]) -> list[Link]:
    """The links that production's access log and metrics settle; none when they don't tell who sends credentials."""
    route = one.narrowed.route
    methods = () if route.method in ("ANY", "QUERY", "FIELD") else (route.method,)
    found = credentials_of(case, route, methods, serving(case, route.file))
    if found is None:
        return []
    at = mechanism(
        f"{one.place.file} line {one.place.line} refuses a call of {one.label} without credentials",
        quote(case, one.place.file, one.place.line),
    )
    seen = [link for link in settled if link.role is Role.EXPOSURE]
    judged = _judged(one.label, found)
    if judged is None:
        return []
    return [at, *(seen or _seen(one.label, found)), judged]


def _judged(label: str, found: Credentials) -> Link | None:
    without, with_some, counted = found.without, found.with_some, found.counted
    name = found.resource.name
    if without is not None and without.count >= SOME:
        said = f"{without.count} sampled calls of {label} at {name} carry no credentials; such calls are refused with 401"
        return harm(said, without, comparison=compare(without.count, ">", 0, "sampled calls"))
    if without is not None:
        return None
    if counted is not None and counted.value > 0:
        said = f"calls of {label} without credentials come {per_second(counted.value)}; they are refused with 401"
        return harm(said, counted, comparison=compare(counted, ">", 0)) if found.is_of_route else None
    if counted is not None:
        said = f"calls of {label} without credentials would be refused; there were none in {found.days:.0f} days"
        return harm(said, counted, with_some, comparison=compare(counted, ">", 0))
    if with_some is not None and with_some.count >= ENOUGH:
        said = f"calls of {label} without credentials would be refused; all {with_some.count} sampled calls at {name} carry some"
        return harm(said, refuting=(with_some,))
    return None


def _seen(label: str, found: Credentials) -> list[Link]:
    if found.counted is not None and found.counted.value > 0:
        return [exposure(f"{label} is called", found.counted)]
    cited = found.without or found.with_some
    return (
        [exposure(f"{cited.count} of the sampled log lines of {found.resource.name} are calls of {label}", cited)]
        if cited is not None
        else []
    )
