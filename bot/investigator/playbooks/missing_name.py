"""Code reads a variable, secret or binding that nothing creates: not this change, no manifest, not the provider."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import quote
from bot.investigator.case import Case
from bot.investigator.chain import harm, mechanism, trigger, unknown
from bot.investigator.chains.referenced_keys import referenced_keys
from bot.investigator.facts.presence import Presence, asking_for, falls_back, presence_of
from bot.investigator.facts.runners import declarations_of, is_workload, runners
from bot.investigator.facts.stores import key_of, resolved, store_by_siblings, store_of
from bot.investigator.facts.traffic import busy
from bot.investigator.facts.worker_environments import deployed_workers
from bot.investigator.playbook import PlaybookInfo
from gonogo.resource import Resource
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.code import Creation, creations_of
from heuristics.names import NeededName, given_names, needed_names
from heuristics.names.given import STORES
from heuristics.names.missing import gives_to

INFO = PlaybookInfo(id="missing-name", question="Does production give the code every name that it reads from now on?")

_WORDS = {"env": "environment variable", "secret": "secret", "binding": "binding"}


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every name that is read from now on, and for every key that a pod asks for and its store lacks."""
    told: set[str] = set()
    for needed in case.diff.once(needed_names):
        found = _chain(case, needed)
        if found is not None:
            told |= {needed.name, *needed.read.aliases}
            yield found
    yield from referenced_keys(case, told)


def _chain(case: Case, needed: NeededName) -> Trajectory | None:
    programs = deployed_workers(case, runners(case, needed.read.file))
    spelled = tuple(dict.fromkeys((needed.name, *needed.read.aliases)))
    presences = [presence_of(case, program, spelled, needed.read.kind) for program in programs]
    present = next((p for p in presences if p.has is not None), None)
    absent = [p for p in presences if p.lacks is not None]
    chosen = present or next(iter(absent), None) or next(iter(presences), None)
    main = chosen.resource if chosen else None
    if needed.read.requirement != "required":
        return _copes(case, needed, present, main)
    left_out = next(
        (p for p in absent if p.resource.kind == "cloudflare.worker" and not _is_given(case, needed, p.resource)), None
    )
    if left_out is not None and len(programs) > 1 and needed.fails:
        return _absent(case, needed, left_out)  # each environment of a Worker has names of its own
    if present is not None and present.has is not None and not absent:
        claim = f"{needed.name} would be missing at {present.resource.name}; production gives it already"
        return _told(case, needed, main, [harm(claim, refuting=(present.has,))], path=[present.has.resource])
    creation = next((c for c in needed.creations if _reaches(case, needed, c, programs)), None)
    if creation is not None:
        return _created(case, needed, creation, main)
    if absent and len(absent) == len(presences) and needed.fails:
        return _absent(case, needed, absent[0])
    return _open(case, needed, main, next(iter(absent), None))


def _absent(case: Case, needed: NeededName, absent: Presence) -> Trajectory:
    resource, listed = absent.resource, absent.lacks
    claim = f"production gives {resource.name} no {needed.name}: {listed.key if listed else 'its list'} was read and lacks it"
    if listed is not None and listed.resource != resource.id:
        stores = [s.name if (s := case.production.resource(e.resource)) else e.resource for e in (listed, *absent.also)]
        claim = f"production gives {resource.name} no {needed.name}: it takes all from {' and '.join(stores)}, which {'has' if len(stores) == 1 else 'have'} no such key"
    links = [*_given_to_others(case, needed, resource), busy(case, resource, listed), harm(claim, listed, *absent.also)]
    path = [e.resource for e in (listed, *absent.also) if e is not None]
    return _told(case, needed, resource, links, certainty=Certainty.NAME_ABSENT, impact=Impact.HIGH, path=path)


def _given_to_others(case: Case, needed: NeededName, resource: Resource) -> Iterator[Link]:
    """Where this change gives the name to something else than the program that reads it."""
    other = next((c for c in needed.creations if c.has_value and _is_new(case, c)), None)
    if other is not None:
        why = "a named environment inherits no bindings" if resource.kind == "cloudflare.worker" else f"not to {resource.name}"
        yield mechanism(
            f"{other.file} line {other.line} gives {needed.name} elsewhere: {why}", quote(case, other.file, other.line)
        )


def _created(case: Case, needed: NeededName, creation: Creation, resource: Resource | None) -> Trajectory:
    """The manifest gives the name. What it takes the value from must have it too."""
    at = quote(case, creation.file, creation.line)
    for written in creation.needs:
        need = resolved(case, creation, written)
        key = need.key or needed.name
        store = store_of(case, resource, need.name, need.kind) or store_by_siblings(
            case, resource, creation, need, creations_of(case.diff.head, [creation.file])
        )
        held = key_of(case, store, key) if store is not None else None
        if store is not None and held is not None and not held.absent:
            claim = f"{needed.name} would be missing; {creation.file} takes it from {store.name}, which has it"
            return _told(case, needed, resource or store, [harm(claim, refuting=(held, at))], path=[store.id])
        declared = next((d for d in case.diff.declared["head"].resources if d.name == need.name and d.kind in STORES), None)
        if declared is not None and key in given_names(declared):
            line = given_names(declared)[key].setting.line
            claim = f"{needed.name} would be missing; {creation.file} takes it from {need.name}, which {declared.file} line {line} gives it"
            return _told(
                case,
                needed,
                resource,
                [harm(claim, refuting=(at, quote(case, declared.file, line)), refutation=Refutation.CREATED_HERE)],
            )
        if store is not None and held is not None and not need.is_optional:
            claim = f"{creation.file} takes {needed.name} from {store.name}, which has no key {key} in production: the program does not start"
            links = [
                mechanism(f"{needed.name} comes from {store.name}", at),
                busy(case, resource or store, held),
                harm(claim, held),
            ]
            return _told(
                case, needed, resource or store, links, certainty=Certainty.NAME_ABSENT, impact=Impact.HIGH, path=[store.id]
            )
        if need.kind in ("secret", "configmap", "parameter") and not need.is_optional and _is_new(case, creation):
            claim = f"{creation.file} takes {needed.name} from {need.name}, which this repository does not declare with it"
            question = f"Does {need.name} exist in production, with {key}?"
            query = (
                asking_for(resource, need.name, "secret")
                if need.kind == "parameter"
                else f"kubectl get {need.kind} {need.name} -o jsonpath='{{.data}}'"
            )
            return _told(case, needed, resource, [unknown(Role.HARM, claim, question, query, at)])
    claim = f"{needed.name} would be missing; {creation.file} line {creation.line} creates it"
    return _told(case, needed, resource, [harm(claim, refuting=(at,), refutation=Refutation.CREATED_HERE)])


def _is_new(case: Case, creation: Creation) -> bool:
    """Whether this change gives the name; what a running version already takes is there."""
    changed = case.diff.changes.file(creation.file)
    return changed is not None and any(abs(line - creation.line) <= 1 for line in changed.added_lines())


def _copes(case: Case, needed: NeededName, present: Presence | None, resource: Resource | None) -> Trajectory | None:
    """A read with a default or a guard is told when it could be taken for a hazard: the name is new to production."""
    if present is not None or needed.before is not None:
        return None
    read = needed.read
    back = falls_back(read)
    copes = f"it {back}" if back else "the code copes without it"
    at = quote(case, read.file, read.line)
    link = harm(f"{needed.name} would be missing; {copes}", refuting=(at,), refutation=Refutation.HAS_DEFAULT)
    return _told(case, needed, resource, [link], impact=Impact.LOW)


def _open(case: Case, needed: NeededName, resource: Resource | None, absent: Presence | None) -> Trajectory:
    read, where = needed.read, resource.name if resource else "the deployed service"
    query = asking_for(resource, needed.name, read.kind)
    if absent is not None and not needed.fails:
        claim = f"{absent.resource.name} has no {needed.name}; whether the code fails with an empty one is open"
        question = f"What does {read.file} do with an empty {needed.name} (line {read.line})?"
    else:
        claim = f"without {needed.name}, {where} {'fails where it reads it' if read.is_strict else 'works with an empty value'}"
        question = f"Does {where} have {needed.name} in production before this version starts?"
    links: list[Link] = [unknown(Role.HARM, claim, question, query, absent.lacks if absent else None)]
    if resource is not None and case.production.series_of(resource.id):
        links.insert(0, busy(case, resource))
    return _told(case, needed, resource, links, impact=Impact.HIGH if read.is_strict else Impact.MEDIUM)


def _told(
    case: Case,
    needed: NeededName,
    resource: Resource | None,
    links: Sequence[Link],
    *,
    certainty: Certainty | None = None,
    impact: Impact = Impact.MEDIUM,
    path: Sequence[ResourceId] = (),
) -> Trajectory:
    read, word = needed.read, _WORDS[needed.read.kind]
    at = quote(case, read.file, read.line)
    was = ", which had a default before" if needed.before is not None else ", which nothing read before"
    how = (
        "fails when it is absent"
        if read.is_strict
        else "uses it without a guard"
        if read.requirement == "required"
        else "copes with its absence"
    )
    problem = f" ({read.problem})" if read.problem else ""
    target = resource.id if resource else case.repository
    return Trajectory(
        title=f"{needed.name} is read by {resource.name if resource else read.file} and " + _outcome(certainty, links),
        impact=impact,
        resource=target,
        metric="Errors",
        links=(
            trigger(f"{read.file} line {read.line} reads the {word} {needed.name}{was}", at),
            mechanism(f"{_when(needed)}, and the code {how}{problem}", at),
            *links,
        ),
        make_safe=f"Create `{needed.name}` for {resource.name if resource else 'the service'} first, or give the read a default; deploy the code after it.",
        undo="Roll back to the previous version: it does not read the name.",
        certainty=certainty,
        path=(target, *path),
    )


def _outcome(certainty: Certainty | None, links: Sequence[Link]) -> str:
    if certainty is not None:
        return "exists nowhere in production"
    if any(link.question for link in links):
        return "may not exist in production"
    copes = any(link.refutation is Refutation.HAS_DEFAULT for link in links)
    return "need not exist" if copes else "is there when it is read"


def _when(needed: NeededName) -> str:
    return "it is read while the bundle is built" if needed.read.phase == "build" else "it is read when the program runs"


def _is_given(case: Case, needed: NeededName, program: Resource) -> bool:
    return any(_reaches(case, needed, creation, [program]) for creation in needed.creations)


def _reaches(case: Case, needed: NeededName, creation: Creation, programs: Sequence[Resource]) -> bool:
    """Whether the place that gives the name gives it to the programs that read it."""
    declared = case.diff.declared["head"].resources if "head" in case.diff.declared else ()
    owners = [p.id for p in programs]
    workers = [d for owner in owners for d in declarations_of(case, owner) if d.kind == "cloudflare.worker"]
    if workers and needed.read.kind != "secret":
        return any(needed.name in given_names(d) and creation.file == d.file for d in workers)
    inside = [d for d in declared if d.file == creation.file and d.line <= creation.line <= d.end_line and is_workload(d.kind)]
    return gives_to(creation, inside, owners, case.diff, phase=needed.read.phase)
