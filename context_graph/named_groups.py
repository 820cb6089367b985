"""Live security groups that a change stops to name: the sources of the rules that go, by their id."""

from collections.abc import Iterator, Sequence
from typing import cast

from context_graph.affected import Start
from context_graph.providers.aws.arns import parse_arn
from gonogo.pattern import pattern
from gonogo.ports import Graph
from gonogo.resource import Declared, Setting, SettingChange
from gonogo.word import ResourceId

_RULES = pattern(r"aws\.ec2\.security_group\w*")
_GROUP = pattern(r"sg-[0-9a-z-]{1,40}")
MAX_GROUPS = 50


def named_groups(settings: Sequence[SettingChange], repository: ResourceId, graph: Graph) -> Iterator[Start]:
    """A start for every live group whose id a removed rule has.

    An id says neither account nor region: those of what the repository deploys to are tried.
    """
    named = dict(_ids(settings))
    if not named:
        return
    own = [parsed for e in graph.edges_from([repository]) if (parsed := parse_arn(e.target)) is not None]
    places = dict.fromkeys((arn.partition, arn.region, arn.account) for arn in own if arn.region and arn.account)
    for group, why in list(named.items())[:MAX_GROUPS]:
        possible = [ResourceId(group)]
        possible += [ResourceId(f"arn:{part}:ec2:{region}:{account}:security-group/{group}") for part, region, account in places]
        yield from (Start(at, why, is_named=False, steps=2) for at in graph.kinds_of(possible))


def _ids(settings: Sequence[SettingChange]) -> Iterator[tuple[str, str]]:
    for change in settings:
        before = change.before
        if before is None or _RULES.fullmatch(before.kind) is None:
            continue
        gone = before.settings.values() if change.key == "" else [change.old] if change.old is not None else []
        for setting in gone:
            yield from ((group, _why(before, setting)) for group in _groups_in(setting.value))


def _groups_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if _GROUP.fullmatch(value):
            yield value
    elif isinstance(value, list | tuple):
        for one in cast("Sequence[object]", value):
            yield from _groups_in(one)
    elif isinstance(value, dict):
        for one in cast("dict[str, object]", value).values():
            yield from _groups_in(one)


def _why(before: Declared, setting: Setting) -> str:
    return f"{setting.file or before.file} line {max(1, setting.line)} named it before the change"
