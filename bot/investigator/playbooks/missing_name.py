"""Code reads a variable, secret or binding that nothing creates: not this change, no manifest, not the provider."""

from collections.abc import Iterator

from bot.investigator.asking import Reading, edge, quote
from bot.investigator.case import Case
from bot.investigator.chain import compare, exposure, harm, mechanism, trigger, unknown
from bot.investigator.playbook import PlaybookInfo
from bot.investigator.presence import Presence, asking_for, presence_of
from bot.investigator.runners import runners
from bot.investigator.traffic import traffic_of
from gonogo.evidence import Evidence
from gonogo.resource import Declared, Relation, Resource
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from heuristics.code import Creation
from heuristics.names import NeededName, given_names, needed_names
from heuristics.names.missing import gives_to

INFO = PlaybookInfo(id="missing-name", question="Does production give the code every name that it reads from now on?")

_WORDS = {"env": "environment variable", "secret": "secret", "binding": "binding"}


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every name that is read from now on."""
    for needed in needed_names(case.diff):
        found = _chain(case, needed)
        if found is not None:
            yield found


def _chain(case: Case, needed: NeededName) -> Trajectory | None:
    programs = runners(case, needed.read.file)
    names = tuple(dict.fromkeys((needed.name, *needed.read.aliases)))
    presences = [presence_of(case, program, names, needed.read.kind) for program in programs]
    present = next((p for p in presences if p.has is not None), None)
    absent = [p for p in presences if p.lacks is not None]
    creation = _creation(case, needed, programs)
    if needed.read.requirement != "required":
        return _copes(case, needed, present, programs)
    if present is not None and (not absent or len(programs) == 1):
        return _built(case, needed, present.resource, _given_by_production(needed, present), None)
    if creation is not None:
        return _built(case, needed, programs[0] if programs else None, *_created(case, needed, creation))
    certain = absent[0] if absent and len(absent) == len(presences) else None
    if certain is not None and needed.fails:
        return _absent(case, needed, certain)
    return _open(case, needed, programs[0] if programs else None, certain)


# -- the ways it ends -----------------------------------------------------------------------------------


def _absent(case: Case, needed: NeededName, absent: Presence) -> Trajectory:
    resource, name = absent.resource, needed.name
    rate = traffic_of(case, resource.id)
    listed = absent.lacks
    links = [_how(case, needed), _traffic(case, resource, rate, fallback=listed)]
    consequence = "the program fails where it reads it" if needed.read.is_strict else "every use gets nothing"
    links.append(harm(f"{resource.name} has no {name} in production ({listed.key if listed else 'its names'}), so {consequence}", listed))
    return _trajectory(case, needed, resource, links, certainty=Certainty.NAME_ABSENT, impact=Impact.HIGH)


def _given_by_production(needed: NeededName, present: Presence) -> list[Link]:
    claim = f"{needed.name} would be missing at {present.resource.name}; production gives it already"
    return [harm(claim, refuting=(present.has,))]


def _created(case: Case, needed: NeededName, creation: Creation) -> tuple[list[Link], Certainty | None]:
    at = quote(case, creation.file, creation.line)
    for need in creation.needs:
        store = next((r for r in case.production.resources if r.name == need.name and r.kind.endswith((".secret", ".configmap"))), None)
        held = presence_of_key(case, store, need.key or needed.name) if store is not None else None
        if store is not None and held is not None and held.absent:
            claim = f"{creation.file} takes {needed.name} from {need.name}, which has no key {need.key or needed.name} in production"
            return [exposure(f"{store.name} exists and its keys were read", held), harm(claim, held, at)], Certainty.NAME_ABSENT
        if held is not None:
            return [harm(f"{needed.name} would be missing; it comes from {need.name}, which has it", refuting=(held, at))], None
    claim = f"{needed.name} would be missing; {creation.file} creates it"
    return [harm(claim, refuting=(at,), refutation=Refutation.CREATED_HERE)], None


def _copes(case: Case, needed: NeededName, present: Presence | None, programs: tuple[Resource, ...]) -> Trajectory | None:
    """A read with a default or a guard is told when somebody could take it for a hazard: the name is new to production."""
    if present is not None or needed.before is not None:
        return None
    read = needed.read
    default = f"it falls back to {read.default!r}" if read.default not in (None, "") else "the code copes without it"
    at = quote(case, read.file, read.line)
    link = harm(f"{needed.name} would be missing in production; {default}", refuting=(at,), refutation=Refutation.HAS_DEFAULT)
    return _built(case, needed, programs[0] if programs else None, [link], None, impact=Impact.LOW)


def _open(case: Case, needed: NeededName, resource: Resource | None, absent: Presence | None) -> Trajectory:
    name = needed.name
    if absent is not None:
        claim = f"{name} is not set at {absent.resource.name}; whether the code that gets an empty {name} then fails is open"
        question = f"What happens at {needed.read.file}:{needed.read.line} when {name} is empty?"
        last = unknown(Role.HARM, claim, question, asking_for(absent.resource, name, needed.read.kind), absent.lacks)
        return _trajectory(case, needed, absent.resource, [_how(case, needed), last], impact=Impact.MEDIUM)
    where = resource.name if resource else "the deployed service"
    question = f"Does {where} have {name} in production before this version starts?"
    last = unknown(Role.HARM, f"without {name}, {where} fails where it is read", question, asking_for(resource, name, needed.read.kind))
    links = [_how(case, needed), last]
    rate = traffic_of(case, resource.id) if resource else None
    if resource is not None and rate is not None:
        links.insert(1, exposure(f"{resource.name} serves {rate.value:.3g} requests a second at its peak", rate))
    return _trajectory(case, needed, resource, links, impact=Impact.HIGH if needed.read.is_strict else Impact.MEDIUM)


def _built(
    case: Case, needed: NeededName, resource: Resource | None, links: list[Link], certainty: Certainty | None, *, impact: Impact = Impact.MEDIUM
) -> Trajectory:
    return _trajectory(case, needed, resource, [_how(case, needed), *links], certainty=certainty, impact=impact)


# -- links and facts ------------------------------------------------------------------------------------


def presence_of_key(case: Case, store: Resource, key: str) -> Presence | None:
    """Never used alone: see `_key_of`."""
    raise NotImplementedError
