"""Ports on which a program listens, in its code, its configuration, its start command or its image, and ports that are sent to."""

import re
from collections.abc import Iterator

from gonogo.change import ChangedFile
from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Declared, Place
from heuristics.code.paths import is_docs_path, is_production_code
from heuristics.rule import RuleContext
from heuristics.runtime.declared import base_place_of, place_of_change, production_settings
from heuristics.stages import is_elsewhere

_HOST = r"[\"'`]?(?:https?://)?(?:\[::1?\]|0\.0\.0\.0|127\.0\.0\.1|localhost|[*+])?:"
_LISTENS = (
    pattern(r"\.listen\(\s*(?:\{[^}]{0,80}?\bport\s*:\s*)?(?P<port>\d{2,5})\b"),
    pattern(r"(?i)\b(?:env(?:iron)?\b[^\n]{0,30}|getenv\(|ENV\.fetch\()[\[(.\"']*(?P<variable>\w*PORT)\b[\"'\])]*\s*(?:\|\||\?\?|,|or)\s*[\"']?:?(?P<port>\d{2,5})\b"),
    pattern(rf"(?i)\b(?:ListenAndServe(?:TLS)?|net\.Listen|Addr\b|bind|add_(?:in)?secure_port|UseUrls|TcpListener::bind|serve)\b[^\n]{{0,30}}?{_HOST}(?P<port>\d{{2,5}})\b"),
    pattern(r"(?i)\b(?:uvicorn\.run|app\.run|run_app|web\.run_app|serve|HTTPServer|createServer|Deno\.serve|Bun\.serve|WSGIServer|make_server)\([^\n]{0,120}?\bport\s*[=:]\s*(?P<port>\d{2,5})\b"),
    pattern(r"(?i)^\s*(?:const|let|var|static|final|val|public|private|int|\s)*\s*(?:SERVER_|HTTP_|LISTEN_|APP_|GRPC_)?PORT\s*(?::\s*\w+\s*)?(?::=|=)\s*(?P<port>\d{2,5})\s*;?\s*(?:(?:#|//).*)?$"),
    pattern(r"^\s*server\.port\s*[=:]\s*(?:\$\{(?P<variable>\w+):)?(?P<port>\d{2,5})\b"),
    pattern(r"^\s*(?:EXPOSE\s+(?P<port>\d{2,5})(?:/tcp)?\s*$|(?:ENV)\s+PORT[= ](?P<port2>\d{2,5}))"),
    pattern(r"^\s*(?:CMD|ENTRYPOINT|web:|command:|-\s*command)[^\n]{0,300}?(?:--port[=\s\"',]+|--bind[=\s\"',]+\S*?:|-b[\s\"',]+\S*?:|-p[\s\"',]+|--http-port[=\s\"',]+)(?P<port>\d{2,5})\b"),
    pattern(r"^\s*listen\s+(?:\[::\]:|[\d.]+:)?(?P<port>\d{2,5})\b[^;]*;"),
    pattern(r"^\s*port\s+(?:ENV\.fetch\([\"'](?P<variable>\w+)[\"']\)\s*\{\s*|ENV\.fetch\([\"']\w+[\"'],\s*)?(?P<port>\d{2,5})\b"),
)  # fmt: skip
_EXPOSED = pattern(r"^\s*EXPOSE\b")
_SENT_TO = {
    "kubernetes.service": re.compile(r"target_port(\.\d+)?"),
    "aws.ecs.service": re.compile(r"load_balancer(\.\d+)?\.container_port"),
}


class Listener(Record):
    """A line that says on which port the program listens. `variable` is what may say otherwise."""

    port: int
    place: Place
    variable: str
    is_said_only: bool
    """`EXPOSE` documents a port and opens none."""


class ClosedPort(Record):
    """Requests go to `sent_to` from now on while the program listens on `listens`."""

    sent_to: int
    listens: int
    changed: Place
    before: Place | None
    other: Place
    """The line of the side that did not change."""
    sender: Declared
    variable: str
    is_sender_changed: bool
    is_alone: bool
    """No manifest has a second container, which could listen there."""


def listeners_in(path: str, text: str) -> Iterator[Listener]:
    """Every line of a file that says so."""
    if is_docs_path(path) or is_elsewhere(path):
        return
    for number, line in enumerate(text[:400_000].split("\n"), start=1):
        if not re.search(r"\d{2,5}", line) or line.lstrip().startswith(("//", "*", "# ")):
            continue
        for one in _LISTENS:
            found = one.search(line[:600])
            if found is not None:
                groups = found.groupdict()
                port = int(groups.get("port") or groups.get("port2") or 0)
                yield Listener(
                    port, Place(file=path, line=number), groups.get("variable") or "", _EXPOSED.match(line) is not None
                )
                break


def closed_ports(context: RuleContext) -> tuple[ClosedPort, ...]:
    """Where one of the two sides moved, and nothing at head says that the other one did."""
    return (*_sender_moved(context), *_program_moved(context))


def _sender_moved(context: RuleContext) -> Iterator[ClosedPort]:
    for change in production_settings(context):
        keys = _SENT_TO.get(change.declared.kind)
        if keys is None or keys.fullmatch(change.key) is None or change.after is None:
            continue
        old, new = (_number(side.value) if side is not None else None for side in (change.old, change.new))
        if old is None or new is None or old == new:
            continue
        said = listeners_of(context.head, {old, new})
        at_old = [one for one in said if one.port == old and not one.is_said_only]
        if at_old and not any(one.port == new for one in said) and not _is_named(context, new):
            yield ClosedPort(
                new, old, place_of_change(change), base_place_of(change), at_old[0].place, change.after, at_old[0].variable, is_sender_changed=True, is_alone=_is_alone(context)
            )  # fmt: skip


def _program_moved(context: RuleContext) -> Iterator[ClosedPort]:
    for file in context.changes.files:
        if not file.base_path or not file.head_path or not (is_production_code(file.path) or _is_image(file.path)):
            continue
        for old, new in _moved_in(context, file):
            if any(o.port == old.port and not o.is_said_only for o in listeners_of(context.head, {old.port})):
                continue  # something else of the repository listens there
            sender = _sends_to(context, old.port)
            if sender is not None and _sends_to(context, new.port) is None:
                declared, place = sender
                before = Place(file=file.base_path, line=old.place.line, side="base")
                yield ClosedPort(
                    old.port,
                    new.port,
                    new.place,
                    before,
                    place,
                    declared,
                    new.variable,
                    is_sender_changed=False,
                    is_alone=_is_alone(context),
                )


def _moved_in(context: RuleContext, file: ChangedFile) -> Iterator[tuple[Listener, Listener]]:
    sides = [
        [one for one in listeners_in(path, tree.text(path) or "") if not one.is_said_only]
        for tree, path in ((context.base, file.base_path or ""), (context.head, file.head_path or ""))
    ]
    before, after = ({one.port: one for one in side} for side in sides)
    gone, come = [p for p in before if p not in after], [p for p in after if p not in before]
    if len(gone) == len(come) == 1:
        yield before[gone[0]], after[come[0]]


def listeners_of(tree: SourceTree, ports: set[int]) -> list[Listener]:
    """Lines of a tree that say that a program listens on one of these ports."""
    places = [p for listed in tree.search({str(port) for port in ports}).values() for p in listed[:200]]
    files = dict.fromkeys(p.file for p in places if is_production_code(p.file) or _is_image(p.file))
    return [one for path in files for one in listeners_in(path, tree.text(path) or "") if one.port in ports]


def _sends_to(context: RuleContext, port: int) -> tuple[Declared, Place] | None:
    for declared in context.declared["head"].resources:
        keys = _SENT_TO.get(declared.kind)
        for key, setting in declared.settings.items() if keys is not None else ():
            if keys is not None and keys.fullmatch(key) and _number(setting.value) == port:
                return declared, declared.place(setting)
    return None


def _is_alone(context: RuleContext) -> bool:
    settings = [k for d in context.declared["head"].resources for k in d.settings]
    return not any(k.startswith("container.") and k.endswith((".image", ".args", ".command")) for k in settings)


def _number(value: object) -> int | None:
    """The port, where the value is one and not a name."""
    return int(value) if isinstance(value, int | float) or (isinstance(value, str) and value.isdigit()) else None


def _is_named(context: RuleContext, port: int) -> bool:
    """Whether a variable, an argument or a container port of a manifest has that number."""
    for declared in context.declared["head"].resources:
        for key, setting in declared.settings.items():
            if key.startswith(("container_port", "environment.", "data.", "ports")) and str(port) in str(setting.value):
                return True
            if key in ("args", "command") and re.search(rf"(?<!\d){port}(?!\d)", str(setting.value)):
                return True
    return False


def _is_image(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return name.startswith("dockerfile") or name.endswith((".dockerfile", ".conf", "procfile"))
