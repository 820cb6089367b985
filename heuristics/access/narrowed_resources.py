"""Resources that a policy names no more for an action that stays allowed: an index, a prefix, a second queue, a wildcard."""

import re
from collections.abc import Iterator, Mapping
from typing import cast

from gonogo.record import Record
from gonogo.resource import Declared, Place
from gonogo.word import Json
from heuristics.access.permissions import Allowed, allowed_by_role, is_grant
from heuristics.access.sdk import allows, known_actions
from heuristics.rule import Declarations, RuleContext
from heuristics.stages import is_for_production

ANY = "*"
"""What a statement without a list of resources is taken for: a managed policy, a template of SAM."""


class NarrowedGrant(Record):
    """Resources that go from what a role may do some actions on. Resources stand as they are written, without `${}` around a whole name."""

    actions: tuple[str, ...]
    gone: tuple[str, ...]
    """What base names and head covers no more."""
    was: tuple[str, ...]
    left: tuple[str, ...]
    """Everything that head still allows these actions on."""
    before: Declared
    place: Place
    """The removed line."""
    role: Declared | None


class _Key(Record):
    gone: tuple[str, ...]
    was: tuple[str, ...]
    left: tuple[str, ...]
    address: str


def narrowed_grants(context: RuleContext) -> tuple[NarrowedGrant, ...]:
    """One for every role, statement and set of resources that goes while its actions stay."""
    if not any(is_grant(c.before) and c.after is not None for c in context.settings if c.before is not None):
        return ()
    if _is_turned(context.declared["head"]):
        return ()
    olds, news = _roles(context.declared["base"]), _roles(context.declared["head"])
    found: list[NarrowedGrant] = []
    for role, allowed in olds.items():
        left = news.get(role, [])
        if not left:
            continue
        grouped: dict[_Key, list[str]] = {}
        for one in allowed:
            if is_for_production(context, one.declared):
                for key, action in _narrowed(one, allowed, left):
                    grouped.setdefault(key, []).append(action)
        for key, actions in grouped.items():
            one = next(o for o in allowed if o.declared.address == key.address and set(key.gone) <= set(written(o)))
            declared = next((d for d in context.declared["base"].resources if d.address == role), None)
            found.append(
                NarrowedGrant(
                    tuple(dict.fromkeys(actions)), key.gone, key.was, key.left, one.declared, _line(context, one, key), declared
                )
            )
    return tuple(found)


def written(one: Allowed) -> tuple[str, ...]:
    """The resources of a statement as they are written; `*` where it names none."""
    return tuple(dict.fromkeys(_bare(r) for r in one.resources)) or (ANY,)


def _narrowed(one: Allowed, allowed: list[Allowed], left: list[Allowed]) -> Iterator[tuple[_Key, str]]:
    for action in known_actions(one.action) or (one.action,):
        still = tuple(dict.fromkeys(r for o in left if allows(o.action, action) for r in written(o)))
        if not still:
            continue  # the action goes as a whole: another question
        gone = tuple(r for r in written(one) if not any(_covers(s, r) for s in still))
        if gone:
            was = tuple(dict.fromkeys(r for o in allowed if allows(o.action, action) for r in written(o)))
            yield _Key(gone, was, still, one.declared.address), action


def _covers(wider: str, pattern: str) -> bool:
    return wider == pattern or allows(wider, pattern)


def _bare(text: str) -> str:
    """`${aws_sqs_queue.a.arn}/x` and `aws_sqs_queue.a.arn` spell their references alike."""
    plain = re.sub(r"^!(?:Ref|Sub|GetAtt|ImportValue)\s+", "", text.strip("\"' "))
    return re.sub(r"^\$\{([^{}]+)\}", r"\1", plain)


def _roles(side: Declarations) -> Mapping[str, list[Allowed]]:
    """By role; policies that name the same role in words count as one."""
    known = {d.address: d for d in side.resources}
    named = {d.name: d.address for d in side.resources if d.kind == "aws.iam.role" and d.name}
    found: dict[str, list[Allowed]] = {}
    for address, allowed in allowed_by_role(side).items():
        declared = known.get(address)
        setting = declared.settings.get("role") if declared is not None else None
        role = setting.value if setting is not None and isinstance(setting.value, str) else None
        key = address if role is None else named.get(role, f"role {role}")
        found.setdefault(key, []).extend(allowed)
    return found


def _is_turned(side: Declarations) -> bool:
    """Whether a statement says what is not meant: everything else is allowed then."""
    statements = (s.value for d in side.resources for key, s in d.settings.items() if key.startswith("statement."))
    return any(_allows_the_rest(cast("Mapping[str, Json]", one)) for one in statements if isinstance(one, Mapping))


def _allows_the_rest(statement: Mapping[str, Json]) -> bool:
    is_turned = "not_actions" in statement or "not_resources" in statement
    return is_turned and str(statement.get("effect", "Allow")).lower() == "allow"


def _line(context: RuleContext, one: Allowed, key: _Key) -> Place:
    """The line of the first resource that goes inside its statement, else the statement's."""
    lines = (context.base.text(one.declared.file) or "").split("\n")
    for number in range(max(one.setting.line, 1), min(one.setting.line + 80, len(lines) + 1)):
        text = lines[number - 1][:1_000].replace("${", "").replace("}", "")
        if key.gone[0] != ANY and key.gone[0].replace("${", "").replace("}", "") in text:
            return Place(file=one.declared.file, line=number, side="base")
    return Place(file=one.declared.file, line=one.setting.line, side="base")
