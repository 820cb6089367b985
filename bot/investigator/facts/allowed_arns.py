"""What the resources of a policy mean in production: patterns over ARNs, with the references of a manifest resolved to live resources."""

import re
from collections.abc import Sequence
from typing import Literal

from bot.investigator.case import Case
from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Declared, Resource
from heuristics.access.sdk import allows

_REFERENCE = pattern(
    r"^(?P<token>(?:data\.)?(?:module\.[\w-]+|aws_\w+\.[\w-]+)(?:\[[^\]]*\])?(?:\.\w+)*|(?:var|local|self|each)\.[\w.\[\]\"']+|[A-Za-z]\w*(?:\.\w+)?)(?P<rest>(?:[/:].*)?)$"
)
_INSERTED = pattern(r"\$\{([^{}]*)\}|%s|\{(\w+)\}")


class Patterns(Record):
    """Patterns over ARNs, with IAM's wildcards. `is_whole` is False when one could not be told: it may allow more."""

    globs: tuple[str, ...]
    is_whole: bool

    def allow(self, arn: str) -> bool:
        """Whether one of them allows the ARN."""
        return any(allows(glob, arn) for glob in self.globs)


def patterns_of(
    case: Case, texts: Sequence[str], side: Literal["base", "head"], service: str, programs: Sequence[Resource]
) -> Patterns:
    """The patterns of the resources of a statement as they are written."""
    found = [_glob(case, text, side, service, programs) for text in texts]
    return Patterns(tuple(f for f in found if f is not None), None not in found)


def _glob(case: Case, text: str, side: Literal["base", "head"], service: str, programs: Sequence[Resource]) -> str | None:
    if text == "*":
        return text
    if text.startswith("arn:"):
        return _INSERTED.sub(lambda m: _name_of(case, m[1] or "", side) or "*", text)
    match = _REFERENCE.match(text)
    if match is None:
        return None
    stem = _stem(case, match["token"], side, service) or _sole(case, service, programs)
    return None if stem is None else stem + _INSERTED.sub("*", match["rest"])


def _stem(case: Case, token: str, side: Literal["base", "head"], service: str) -> str | None:
    declared = _declared(case, token, side, service)
    if declared is None:
        return None
    live = case.diff.live_of(declared)
    if live is not None and live.startswith("arn:"):
        return str(live)
    return f"arn:*{declared.name}" if declared.name else None


def _name_of(case: Case, token: str, side: Literal["base", "head"]) -> str | None:
    """The physical name of what is inserted into an ARN."""
    declared = _declared(case, token.strip(), side, "")
    return declared.name if declared is not None else None


def _declared(case: Case, token: str, side: Literal["base", "head"], service: str) -> Declared | None:
    """The declaration that a reference names: an address of Terraform, the only one of the service in a module, a logical id."""
    every = case.diff.declared[side].resources
    parts = token.removeprefix("data.").split(".")
    if parts[0] == "module" and len(parts) > 1:
        inside = [d for d in every if d.address.startswith(f"module.{parts[1]}.") and _is_of(d.kind, service)]
        return inside[0] if len(inside) == 1 else None
    address = re.sub(r"\[.*\]", "", ".".join(parts[:2])) if parts[0].startswith("aws_") else f"Resources.{parts[0]}"
    found = [d for d in every if d.address == address] or [d for d in every if d.address.endswith("." + address)]
    return found[0] if len(found) == 1 else None


def _is_of(kind: str, service: str) -> bool:
    return kind.startswith(f"aws.{service}.") and not kind.endswith((".policy", "_policy"))


def _sole(case: Case, service: str, programs: Sequence[Resource]) -> str | None:
    """The only live resource of the service that the programs reach: what a variable must stand for."""
    targets = {e.target for p in programs for e in case.out_of(p.id)}
    kinds = {r.id: r.kind for r in case.production.resources}
    mine = [str(t) for t in targets if kinds.get(t, "").startswith(f"aws.{service}.") and "/index/" not in t]
    return mine[0] if len(mine) == 1 else None
