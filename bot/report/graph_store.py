"""What the stored graph says, for a person: how a sync went, one resource, a path."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.report.printable import printable_line
from context_graph.collecting import ScopeStatus
from gonogo.resource import Edge, Resource
from gonogo.word import Instant

_SHOWN_EDGES = 50


def scope_line(scope: object, status: ScopeStatus, why: str, *, found: str = "") -> str:
    """One scope: `ok           aws/1/eu-west-1/lambda  12 resources, 4 edges`."""
    ends = "  ".join(part for part in (found, why) if part)
    return printable_line(f"{status.value:12} {scope}  {ends}".rstrip())


def resource_text(
    resource: Resource, out: Sequence[Edge], into: Sequence[Edge], *, seen: str, dependants: int, declared: Sequence[str] = ()
) -> str:
    """A resource with its configuration, where it is declared, who it leans on and who leans on it."""
    lines = [f"{resource.id}", f"  {resource.kind} {resource.name}", f"  {seen}"]
    lines += [f"  {key} = {value}" for key, value in sorted(resource.attributes.items())]
    lines += [f"  declared in {where}" for where in declared]
    lines += _listed("leads to", [f"{e.relation.value} {e.target}{_because(e)}" for e in out], len(out))
    lines += _listed("is reached from", [f"{e.source} {e.relation.value}{_because(e)}" for e in into], dependants)
    return "\n".join(map(printable_line, lines)) + "\n"


def path_text(chain: Iterable[Edge]) -> str:
    """One edge a line, each with what says so."""
    return "\n".join(printable_line(f"{e.source} {e.relation.value} {e.target}{_because(e)}") for e in chain) + "\n"


def age(then: Instant, now: datetime) -> str:
    """`12 minutes ago`."""
    seconds = max(0, int((now - then).total_seconds()))
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            count = seconds // length
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _listed(title: str, lines: Sequence[str], count: int) -> list[str]:
    if not count:
        return [f"  {title}: nothing"]
    left = count - min(len(lines), _SHOWN_EDGES)
    return [f"  {title}:", *(f"    {line}" for line in lines[:_SHOWN_EDGES]), *([f"    and {left:,} more"] if left else [])]


def _because(edge: Edge) -> str:
    said = ", ".join(part for part in (edge.origin.value if edge.origin.value != "live" else "", edge.evidence) if part)
    return f"  ({said})" if said else ""
