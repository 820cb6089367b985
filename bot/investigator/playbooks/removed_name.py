"""A variable, binding or key goes from a manifest while the code that is deployed with it still reads it."""

from collections.abc import Iterator, Sequence

from bot.investigator.asking import edge, lists_name, quote, quote_removed
from bot.investigator.case import Case
from bot.investigator.chain import Cited, harm, mechanism, trigger, unknown
from bot.investigator.facts.presence import asking_for, falls_back
from bot.investigator.facts.runners import is_workload, runners, workloads
from bot.investigator.facts.stores import key_of, stores_of
from bot.investigator.facts.traffic import busy
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence, FileEvidence, GraphEvidence
from gonogo.resource import Relation, Resource
from gonogo.trajectory import Certainty, Impact, Link, Refutation, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.code import Creation, Read
from heuristics.code.reads_found import Kind
from heuristics.names import RemovedName, removed_names
from heuristics.names.given import STORES, given_names, sources_of, takes_from
from heuristics.names.missing import NeededName, gives_to
from heuristics.names.removed import has_code, new_sources

INFO = PlaybookInfo(id="removed-name", question="Does anything still read the name that the manifest takes away?")

_WORDS = {"env": "environment variable", "binding": "binding", "key": "key"}


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain for every name that goes, at the program that would miss it most."""
    for removed in case.diff.once(removed_names):
        chains = [found for program in _programs(case, removed) if (found := _chain(case, removed, program)) is not None]
        if chains:
            yield max(chains, key=_weight)


def _weight(found: Trajectory) -> int:
    is_refuted = any(link.refuting for link in found.links)
    return 2 if found.certainty is not None else 0 if is_refuted else 1


def _chain(case: Case, removed: RemovedName, program: Resource | None) -> Trajectory | None:
    deployed = workloads(case)
    if (
        program is not None
        and deployed
        and program.id not in {d.id for d in deployed}
        and removed.before.kind == "cloudflare.worker"
    ):
        return None  # the block of another environment than the one that this repository deploys
    reads = _reads_of(case, removed, program)
    required = next((r for r in reads if r.requirement == "required"), None)
    wanted = _wanted_by_manifest(case, removed)
    given = _given_elsewhere(case, removed, program)
    if given is not None:
        return _told(case, removed, program, [given])
    if wanted is not None:
        return _missed(case, removed, program, f"{wanted[1]} still takes it from there", quote(case, *wanted[0]))
    if required is not None:
        sources = new_sources(removed)
        at = quote(case, required.file, required.line)
        if sources:
            return _told(case, removed, program, [_ask_source(removed, sources[0], at)])
        return _missed(
            case, removed, program, f"{required.file} line {required.line} still reads it", at, is_soft=_is_soft(required)
        )
    if reads:
        return _told(case, removed, program, [_copes(case, removed, reads[0])])
    if removed.mentions or not has_code(case.diff):
        return _told(case, removed, program, [_ask_use(case, removed, program)])
    return _told(case, removed, program, [_unused(case, removed)])


# -- the ways it ends -----------------------------------------------------------------------------------


def _missed(
    case: Case, removed: RemovedName, program: Resource | None, reader: str, at: Cited, *, is_soft: bool = False
) -> Trajectory:
    link = mechanism(f"{reader}, and nothing else gives {removed.name}", at)
    if program is None or is_soft:
        where = program.name if program else removed.before.address
        question = (
            f"What does {where} do without {removed.name}?"
            if is_soft
            else f"Which live resource runs what {removed.before.address} configures?"
        )
        last = unknown(Role.HARM, f"{where} misses {removed.name}", question, asking_for(program, removed.name, _kind(removed)))
        return _told(case, removed, program, [link, last])
    listed = _listed(case, removed, program)
    consequence = "is undefined and every use of it throws" if removed.kind == "binding" else "is absent where the code needs it"
    links = [
        link,
        busy(case, program, listed or _deploys(case, program)),
        harm(f"with this deploy {removed.name} {consequence}: {program.name} fails", listed, *_gone(case, removed)),
    ]
    return _told(case, removed, program, links, certainty=Certainty.NAME_ABSENT, path=[listed.resource] if listed else ())


def _copes(case: Case, removed: RemovedName, read: Read) -> Link:
    how = falls_back(read) or "copes with its absence"
    claim = f"{removed.name} would be missed; {read.file} line {read.line} {how}"
    return harm(claim, refuting=(quote(case, read.file, read.line),), refutation=Refutation.HAS_DEFAULT)


def _unused(case: Case, removed: RemovedName) -> Link:
    before = next(iter(removed.reads_before), None)
    claim = f"{removed.name} would be missed; no code at head reads it"
    if before is not None:
        claim += f", and {before.file} line {before.line}, which did, goes with this change"
    cited = [quote(case, before.file, before.line, side="base")] if before is not None else []
    return harm(claim, refuting=(*_gone(case, removed), *cited), refutation=Refutation.NO_LONGER_USED)


def _ask_use(case: Case, removed: RemovedName, program: Resource | None) -> Link:
    mention = next(iter(removed.mentions), None)
    where = f"{mention[0]} line {mention[1]}" if mention else "the program, whose code is not in this repository,"
    cited = [quote(case, mention[0], mention[1])] if mention else []
    claim = f"{where} may still need {removed.name}"
    return unknown(
        Role.HARM, claim, f"Does {where} still read {removed.name}?", asking_for(program, removed.name, _kind(removed)), *cited
    )


def _ask_source(removed: RemovedName, source: str, at: Cited) -> Link:
    kind, _, name = source.partition("/")
    query = f"kubectl get {'secret' if kind.startswith('secret') else 'configmap'} {name} -o jsonpath='{{.data}}'"
    return unknown(
        Role.HARM,
        f"{removed.name} may be missing: {name}, taken whole from now on, may not hold it",
        f"Does {name} hold {removed.name}?",
        query,
        at,
    )


# -- facts ----------------------------------------------------------------------------------------------


def _programs(case: Case, removed: RemovedName) -> Sequence[Resource | None]:
    """The live programs that the declaration configures: itself, or all that take names from the ConfigMap; [None] when unknown."""
    for declared in (removed.after, removed.before):
        found = case.live_of(declared)
        if found is not None and is_workload(found.kind):
            return [found]
        if found is not None:
            edges = case.into(found.id, Relation.READS_FROM, Relation.DEPENDS_ON, Relation.CONNECTS_TO)
            takers = {r.id: r for e in edges if (r := case.production.resource(e.source)) is not None and is_workload(r.kind)}
            if takers:
                return [takers[at] for at in sorted(takers)]
    if removed.before.kind in STORES and removed.before.name:
        taking = [d for d in case.diff.declared["head"].resources if takes_from(d, removed.before.name)]
        takers = {r.id: r for d in taking if (r := case.live_of(d)) is not None}
        if takers:
            return [takers[at] for at in sorted(takers)]
    if removed.reads and removed.before.kind != "github.workflow":
        found = runners(case, removed.reads[0].file)
        if len(found) == 1:
            return found
    return [None]


def _reads_of(case: Case, removed: RemovedName, program: Resource | None) -> list[Read]:
    """Reads by code that this program may run, the strictest first."""
    kept = [r for r in removed.reads if not r.is_test and not (r.is_ambient and removed.kind == "env")]
    if program is not None:
        own = [r for r in kept if program.id in {p.id for p in runners(case, r.file)} or not runners(case, r.file)]
        kept = own
    return sorted(kept, key=lambda r: (("required", "optional", "default").index(r.requirement), not r.is_strict, r.file, r.line))


def _is_soft(read: Read) -> bool:
    return not NeededName(read, None, ()).fails


def _wanted_by_manifest(case: Case, removed: RemovedName) -> tuple[tuple[str, int], str] | None:
    """A pod that still names the key by itself does not start without it."""
    if removed.before.kind not in STORES or removed.before.name is None:
        return None
    for declared in case.diff.declared["head"].resources:
        for name, given in given_names(declared).items():
            words = given.setting.text.replace(":", " ").split()
            is_key = removed.name in words or (name == removed.name and "KeyRef" in given.setting.text)
            if removed.before.name in words and is_key and "optional" not in given.setting.text:
                at = declared.place(given.setting)
                return (at.file, at.line), declared.address
    return None


def _given_elsewhere(case: Case, removed: RemovedName, program: Resource | None) -> Link | None:
    claim = f"{removed.name} would be missing"
    if program is not None:
        for key in ("secrets", "secret_names", "secret_keys"):
            held = lists_name(case, program.id, key, removed.name)
            if held is not None and not held.absent:
                return harm(f"{claim}; {program.name} has a secret of that name", refuting=(held,))
    own = {declared for declared in (removed.before.name,) if removed.before.kind in STORES}
    if removed.after is not None:
        for source in sources_of(removed.after):
            name = source.partition("/")[2]
            for declared in case.diff.declared["head"].resources:
                if (
                    declared.kind in STORES
                    and declared.name == name
                    and name not in own
                    and removed.name in given_names(declared)
                ):
                    place = declared.place(given_names(declared)[removed.name].setting)
                    at = quote(case, place.file, place.line)
                    return harm(f"{claim}; {name}, taken whole, gives it", refuting=(at,), refutation=Refutation.CREATED_HERE)
    whole = {source.partition("/")[2] for source in sources_of(removed.after)} if removed.after is not None else set[str]()
    for store in stores_of(case, program) if program is not None else ():
        held = key_of(case, store, removed.name) if store.name in whole - own else None
        if held is not None and not held.absent and store.kind in STORES:
            return harm(f"{claim}; {store.name} holds it", refuting=(held,))
    creation = next((c for c in removed.elsewhere if _still_reaches(case, removed, c, program)), None)
    if creation is not None:
        at = quote(case, creation.file, creation.line)
        return harm(f"{claim}; {creation.file} line {creation.line} gives it", refuting=(at,), refutation=Refutation.CREATED_HERE)
    return None


def _still_reaches(case: Case, removed: RemovedName, creation: Creation, program: Resource | None) -> bool:
    if removed.before.kind == "cloudflare.worker" or creation.phase == "build":
        return False
    declared = case.diff.declared["head"].resources
    around = [d for d in declared if d.file == creation.file and d.line <= creation.line <= d.end_line]
    if any(d.kind in STORES for d in around):
        takers = [d for d in declared if any(takes_from(d, s.name or "") for s in around)]
        return any(program is not None and case.diff.live_of(d) == program.id for d in takers)
    workload = [d for d in around if is_workload(d.kind)]
    return gives_to(creation, workload, [program.id] if program else [], case.diff, phase="run")


def _listed(case: Case, removed: RemovedName, program: Resource) -> ConfigEvidence | None:
    """The live list that has the name today: it is in use until this is deployed."""
    for key in ("environment_keys", "bindings", "environment", "vars"):
        found = lists_name(case, program.id, key, removed.name)
        if found is not None and not found.absent:
            return found
    return None


def _deploys(case: Case, program: Resource) -> GraphEvidence | None:
    return edge(case, case.repository, program.id, Relation.DEPLOYS_TO)


def _gone(case: Case, removed: RemovedName) -> tuple[FileEvidence, ...]:
    place = removed.before.place(removed.setting, "base")
    return quote_removed(case, place.file, place.line)


def _kind(removed: RemovedName) -> Kind:
    return "binding" if removed.kind == "binding" else "env"


def _told(
    case: Case,
    removed: RemovedName,
    program: Resource | None,
    links: Sequence[Link],
    *,
    certainty: Certainty | None = None,
    path: Sequence[ResourceId] = (),
) -> Trajectory:
    place = removed.before.place(removed.setting, "base")
    target = program.id if program else case.diff.live_of(removed.before) or case.repository
    where = program.name if program else removed.before.name or removed.before.address
    store = case.diff.live_of(removed.before)
    refuted = any(link.refuting for link in links)
    cited = [e.resource for link in links for e in link.refuting if isinstance(e, ConfigEvidence)]
    ends = "is missing at" if certainty is not None else "is not missed by" if refuted else "may be missing at"
    return Trajectory(
        title=f"{removed.name} goes from {removed.before.file.rpartition('/')[2]} and {ends} {where}",
        impact=Impact.LOW if refuted else Impact.HIGH,
        resource=target,
        metric="Errors",
        links=(
            trigger(
                f"the {_WORDS[removed.kind]} {removed.name} goes from {place.file} (line {place.line} before the change)",
                *_gone(case, removed),
            ),
            *links,
        ),
        make_safe=f"Keep `{removed.name}` in `{removed.before.file}` until no deployed code reads it; remove it in a later change.",
        undo=f"Put `{removed.name}` back and deploy the manifest again.",
        certainty=certainty,
        path=tuple(dict.fromkeys((target, *path, *([store] if store else []), *cited))),
    )
