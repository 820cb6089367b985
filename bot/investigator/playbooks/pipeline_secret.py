"""A deploy reads a secret or variable of the CI that does not exist: the program gets an empty value."""

from collections.abc import Iterator

from bot.investigator.asking import lists_name, quote
from bot.investigator.case import Case
from bot.investigator.chain import harm, mechanism, trigger, unknown
from bot.investigator.facts.runners import runners
from bot.investigator.facts.traffic import busy
from bot.investigator.playbook import PlaybookInfo
from gonogo.evidence import ConfigEvidence
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Resource
from gonogo.trajectory import Certainty, Impact, Link, Role, Trajectory
from gonogo.word import ResourceId
from heuristics.names.pipeline_secrets import PipelineName, pipeline_names

INFO = PlaybookInfo(id="pipeline-secret", question="Does the CI have every secret that the deploy reads from now on?")

_OWN = r"(?i)(?:(?:github|gitlab|circleci|actions|action|ci|pipeline|repo|repository|project|workflow)_)*"
_SHARED = r"(?:org|organi[sz]ation|group|context|account|enterprise|shared)_"
_LISTS = {
    "secrets": r"secrets?(?:_?names|_?keys)?",
    "vars": r"(?:variables?|vars?)(?:_?names|_?keys)?",
}
_ENVIRONMENTS = pattern(r"(?i)(?:\w+_)?environments(?:_?names)?")
_OF_ENVIRONMENTS = r"(?:environments?|env|deployment)_"


class _Lists(Record):
    has: ConfigEvidence | None
    lacks: tuple[ConfigEvidence, ...]
    is_whole: bool
    """The lists of the repository, of what is above it and of its environments were read."""


def investigate(case: Case) -> Iterator[Trajectory]:
    """One chain a name."""
    for one in case.diff.once(pipeline_names)[:20]:
        found = _chain(case, one)
        if found is not None:
            yield found


def _chain(case: Case, one: PipelineName) -> Trajectory | None:
    repository = case.production.resource(case.repository)
    lists = _lists(case, repository, one) if repository is not None else _Lists(None, (), is_whole=False)
    programs = runners(case, one.read.file) if one.read is not None else ()
    program = programs[0] if len(programs) == 1 else None
    at = quote(case, one.place.file, one.place.line)
    word = "secret" if one.what == "secrets" else "variable"
    first = trigger(
        f"the deploy takes {', '.join(one.given_as) or 'a value'} from the {word} {one.name}, which no pipeline read before", at
    )
    if lists.has is not None:
        links = [first, harm(f"{one.name} would be empty; {lists.has.key} has it", refuting=(lists.has,))]
        return _told(case, one, program, links, is_certain=False)
    code = [quote(case, one.read.file, one.read.line)] if one.read is not None else []
    code += [quote(case, one.guard.file, one.guard.line)] if one.guard is not None else []
    query = f"gh {'secret' if one.what == 'secrets' else 'variable'} list; gh {'secret' if one.what == 'secrets' else 'variable'} list --org ORGANISATION"
    if not lists.lacks or not lists.is_whole:
        asked = unknown(
            Role.HARM,
            f"{one.name} is an empty string where it does not exist",
            f"Does the {word} {one.name} exist?",
            query,
            at,
            *lists.lacks,
        )
        return _told(case, one, program, [first, asked], is_certain=False)
    empty = f"no list has {one.name} ({', '.join(c.key for c in lists.lacks)}): it becomes an empty string"
    if one.read is None or one.guard is None or program is None:
        links = [first, mechanism(empty, at, *lists.lacks)]
        claim = f"{one.name} is empty in the deploy" + (
            f", and so is {one.read.name} of the program" if one.read is not None else ""
        )
        question = "Does the deploy fail on it before anything is changed, or does the program run with an empty value?"
        return _told(case, one, program, [*links, unknown(Role.HARM, claim, question, query, *code)], is_certain=False)
    fails = f"{one.read.file} line {one.read.line} reads {one.read.name}, and {one.guard.file} line {one.guard.line} fails where it is empty"
    links = [first, mechanism(f"{empty}; {fails}", at, *lists.lacks, *code), busy(case, program, *lists.lacks)]
    links.append(harm(f"{program.name} fails when it starts with the new value", *lists.lacks))
    return _told(case, one, program, links, is_certain=True)


def _lists(case: Case, repository: Resource, one: PipelineName) -> _Lists:
    own = pattern(_OWN + _LISTS[one.what])
    shared = pattern(_OWN + _SHARED + "(?:actions_)?" + _LISTS[one.what])
    of_environments = pattern(_OWN + _OF_ENVIRONMENTS + _LISTS[one.what])
    lacking: dict[str, ConfigEvidence] = {}
    for key in sorted(repository.attributes):
        group = (
            "own"
            if own.fullmatch(key)
            else "shared"
            if shared.fullmatch(key)
            else "environments"
            if of_environments.fullmatch(key)
            else ""
        )
        if not group:
            continue
        for name in dict.fromkeys((one.name, one.name.upper())):
            found = lists_name(case, repository.id, key, name)
            if found is not None and not found.absent:
                return _Lists(found, (), is_whole=True)
            if found is not None:
                lacking.setdefault(group, found)
    has_none = any(_ENVIRONMENTS.fullmatch(k) and not v for k, v in repository.attributes.items())
    is_whole = {"own", "shared"} <= lacking.keys() and (not one.has_environment or has_none or "environments" in lacking)
    return _Lists(None, tuple(lacking.values()), is_whole=is_whole)


def _told(case: Case, one: PipelineName, program: Resource | None, links: list[Link], *, is_certain: bool) -> Trajectory:
    target = program.id if program is not None else case.repository
    is_safe = any(link.refuting for link in links)
    return Trajectory(
        title=f"The deploy reads {one.name}, which "
        + ("exists" if is_safe else "does not exist" if is_certain else "may not exist"),
        impact=Impact.LOW if is_safe else Impact.HIGH,
        resource=target,
        metric="Errors",
        links=tuple(links),
        make_safe=f"Create `{one.name}` first, then merge.",
        undo=f"Point the deploy back to the name that it read before, and deploy again; {one.name} may be created meanwhile.",
        certainty=Certainty.NAME_ABSENT if is_certain else None,
        path=tuple(dict.fromkeys((ResourceId(target), case.repository))),
    )
