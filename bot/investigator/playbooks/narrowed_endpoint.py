"""An endpoint asks more of its callers, or gives them less, than deployed callers know."""

from collections.abc import Iterator

from bot.investigator.asking import quote
from bot.investigator.case import Case
from bot.investigator.chain import Cited, mechanism, trigger, unknown
from bot.investigator.chains.missing_credentials import settle_credentials
from bot.investigator.facts.route_calls import calls_of
from bot.investigator.facts.runners import runners
from bot.investigator.playbook import PlaybookInfo
from bot.investigator.playbooks.removed_endpoint import settle_calls
from gonogo.trajectory import Impact, Link, Role, Trajectory
from heuristics.surface import NarrowedEndpoint, narrowed_endpoints

INFO = PlaybookInfo(id="narrowed-endpoint", question="Do the callers meet what the endpoint asks from now on?")

_SAID = {
    "new required": "asks for {name} in its {place} from now on",
    "now required": "takes calls without {name} no more",
    "stricter type": "accepts less in {name} than before",
    "auth added": "asks for authentication from now on",
    "removed from response": "answers without {name} from now on",
}


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every new demand."""
    for one in case.diff.once(narrowed_endpoints)[:40]:
        yield _chain(case, one)


def _chain(case: Case, one: NarrowedEndpoint) -> Trajectory:
    narrowed = one.narrowed
    said = _SAID.get(narrowed.how, "changes what it asks for").format(name=narrowed.name, place=narrowed.place)
    at = quote(case, one.place.file, one.place.line)
    calls = calls_of(
        case, narrowed.route, () if narrowed.route.method in ("ANY", "QUERY", "FIELD") else (narrowed.route.method,), ()
    )
    settled = settle_calls(one.label, calls, narrowed.route) if calls is not None else []
    is_idle = any(link.refuting or (link.comparison is not None and not link.comparison.holds()) for link in settled)
    knows = one.behind[0] if one.behind else None
    judged = settle_credentials(case, one, settled) if narrowed.how == "auth added" else []
    links: list[Link] = []
    if judged:
        links, is_idle = judged, False
    elif is_idle:
        links = settled
    elif (settled and narrowed.how == "new required" and (one.behind or not one.callers)) or (
        settled
        and narrowed.how in ("now required", "removed from response")
        and knows is not None
        and narrowed.how == "now required"
    ):
        links = [_unaware(case, one), *settled]
    else:
        links = [*(link for link in settled if link.role is Role.EXPOSURE), _ask(case, one)]
    own = runners(case, narrowed.route.file)
    resource = calls.resource if calls is not None else own[0] if own else None
    target = resource.id if resource is not None else case.repository
    open_question = any(link.question for link in links)
    complies = not is_idle and any(link.refuting or (link.comparison and not link.comparison.holds()) for link in links)
    return Trajectory(
        title=f"{one.label} {said} and "
        + (
            "is not called"
            if is_idle
            else "callers comply already"
            if complies
            else "callers may not comply"
            if open_question
            else "callers don't comply"
        ),
        impact=Impact.LOW if is_idle or complies else Impact.HIGH if not open_question else Impact.MEDIUM,
        resource=target,
        metric="HTTPCode_4XX_Count",
        links=(trigger(f"{one.label} {said} ({one.place.file} line {one.place.line})", at), *links),
        make_safe=f"Accept calls without the new demand first (a default for `{narrowed.name}`), move the callers, and demand it in a later change.",
        undo="Deploy the previous version.",
        path=tuple(dict.fromkeys((target, *((r.id for r in calls.asked) if calls is not None else ())))),
    )


def _unaware(case: Case, one: NarrowedEndpoint) -> Link:
    name = one.narrowed.name
    if one.behind:
        caller = one.behind[0]
        claim = f"{caller.file} line {caller.line} of this repository calls it without {name}, and clients that are out there cannot know of it"
        return mechanism(claim, *(quote(case, c.file, c.line) for c in one.behind[:3]))
    return mechanism(
        f"{name} is new with this change, so no caller that is out there sends it", quote(case, one.place.file, one.place.line)
    )


def _ask(case: Case, one: NarrowedEndpoint) -> Link:
    cited: list[Cited] = [quote(case, c.file, c.line) for c in one.callers[:2]]
    name = one.narrowed.name
    question = f"Which deployed callers of {one.label} don't comply with the new demand on {name}?"
    query = f"count the calls of {one.label} over 7 days by client, with and without {name}"
    return unknown(Role.HARM, f"calls of {one.label} that don't comply are rejected", question, query, *cited)
