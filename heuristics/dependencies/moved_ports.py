"""Images whose new version listens on another port: those of ASP.NET Core from 8 on, on 8080 instead of 80."""

from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import is_docs_path, is_production_code
from heuristics.dependencies.base_breaks import is_dockerfile
from heuristics.dependencies.bases import runs_on
from heuristics.dependencies.pins import version_of
from heuristics.rule import RuleContext
from heuristics.stages import is_elsewhere

VARIABLES = ("ASPNETCORE_URLS", "ASPNETCORE_HTTP_PORTS", "HTTP_PORTS", "DOTNET_URLS")
"""What gives the server a port of its own: https://learn.microsoft.com/dotnet/core/compatibility/containers/8.0/aspnet-port."""

_OWN_PORT = (*VARIABLES, "UseUrls", "ListenAnyIP", "ListenLocalhost", "UseKestrel", "Kestrel", "ConfigureKestrel")
_SERVER = pattern(r"(?i)(?:^|/)dotnet/(?:[\w-]+/)*aspnet:")
_PORT_80 = pattern(
    r"(?i)\b(?:containerPort|container_port|targetPort|target_port|containerPorts)\b[\"']?\s*[:=]\s*[\"']?80\b|^\s*EXPOSE\s+(?:\d+\s+)*80\b"
)
_SINCE = 8


class MovedPort(Record):
    """The image of a server that leaves port 80, and a line of the repository that still sends there."""

    place: Place
    old_text: str
    new_text: str
    sent_to: Place


def moved_ports(context: RuleContext) -> Iterator[MovedPort]:
    """Servers of this change that nothing of the repository gives a port of its own."""
    for file in context.changes.files:
        if not is_dockerfile(file) or not file.base_path or not file.head_path:
            continue
        old, new = (runs_on(text or "") for text in (context.base.text(file.base_path), context.head.text(file.head_path)))
        if old is None or new is None or not (_SERVER.search(old.image) and _SERVER.search(new.image)):
            continue
        before, after = (version_of(base.image.rpartition(":")[2]) or (0,) for base in (old, new))
        if not 0 < before[0] < _SINCE <= after[0] or _has_its_own(context):
            continue
        sent = _sent_to(context)
        if sent is not None:
            yield MovedPort(Place(file=file.head_path, line=new.line, side="head"), old.image, new.image, sent)


def _has_its_own(context: RuleContext) -> bool:
    return any(not is_docs_path(p.file) for places in context.head.search(set(_OWN_PORT)).values() for p in places)


def _sent_to(context: RuleContext) -> Place | None:
    """A manifest's port before the image's own `EXPOSE`."""
    places = [p for listed in context.head.search({"80"}).values() for p in listed[:200]]
    for place in sorted(places, key=lambda p: ("docker" in p.file.lower(), p.file, p.line)):
        lines = (context.head.text(place.file) or "").split("\n")
        if is_docs_path(place.file) or is_elsewhere(place.file) or place.line > len(lines):
            continue
        if _PORT_80.search(lines[place.line - 1][:400]) and (is_production_code(place.file) or "docker" in place.file.lower()):
            return place
    return None
