"""Middleware that asks every caller for credentials before a route is reached: by its place in the file, or for the whole application.

Express, Koa, Fastify and chi run what is registered above a route; dependencies of an application, filters and default rules
of Spring, Django and Rails hold for all routes that they do not leave out.
"""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code import Route
from heuristics.code.paths import CODE_LANGUAGES, is_production_code, is_test_path, language_of

_NAME = r"[\w.]*(?:[aA]uth(?!or\b)|[tT]oken|[jJ][wW][tT]|[sS]ession[A-Z_]?\w*[rR]equire|[rR]equire_?[uU]ser|[lL]ogin_?[rR]equired|[aA]pi_?[kK]ey|[cC]redential|[bB]earer|[sS]ignature|passport|[pP]rotect)[\w.]*"
_USED = pattern(
    rf"^\s*(?P<on>[\w.]+)\.(?:use|Use|addHook|register|before|UseMiddleware|add_middleware)\(\s*(?:[\"'`](?P<path>[^\"'`]*)[\"'`]\s*,\s*)?(?P<what>{_NAME})"
)
_WHOLE = pattern(
    rf"\b(?:FastAPI|APIRouter|Litestar|Starlette)\([^\n]*dependencies\s*=\s*\[[^\]\n]*(?:Depends|Security)\(\s*(?P<what>{_NAME})"
    rf"|^\s*(?:before_action|before_filter)\s+:(?P<filter>{_NAME})\s*(?P<options>.*)$"
    r"|\.anyRequest\(\)\s*\.\s*(?P<spring>authenticated|hasRole|hasAuthority)|\banyRequest\s*,\s*(?P<kotlin>authenticated)"
    r"|[\"'](?P<django>[\w.]*LoginRequired\w*|[\w.]*AuthRequired\w*)[\"']"
)
_HARMLESS = pattern(
    r"(?i)csrf|xsrf|initiali[sz]e|pars|optional|attach|load|logg|metric|trac|context|limit|generate|refresh|issue|decode|passport\.session|\.session$|proxy|audit"
)
"""Middleware that has such a name and turns nobody away who only reads."""
_KNOWN = pattern(
    r"(?i)passport\.authenticate|express_?jwt|basic_?auth|requires_?auth|key_?auth|jwtauth|LoginRequired|AuthRequired|^authenticated$|^hasRole$|^hasAuthority$|authenticate_user!?$|login_required"
)
"""What libraries and frameworks bring, and what refuses by itself."""
_REFUSES = pattern(r"\b(401|403)\b|Unauthorized|unauthorized|UNAUTHORIZED|Forbidden|abort\(|AccessDenied|halt\b|authenticated")


class Wall(Record):
    """What asks for credentials, and the line that puts it before the routes."""

    name: str
    place: Place


def wall_before(tree: SourceTree, route: Route) -> Wall | None:
    """The middleware that a call without credentials meets before this route; None when none is sure to."""
    return next((w for w in _walls(tree, route) if not _lets_pass(tree, w, route)), None)


def _walls(tree: SourceTree, route: Route) -> Iterator[Wall]:
    lines = (tree.text(route.file) or "").split("\n")
    receiver = _receiver(lines, route.line)
    for number, line in enumerate(lines, start=1):
        used = _USED.search(line[:500])
        is_met = used is not None and number < route.line and used["on"] == receiver and _is_above(used["path"], route.path)
        if used is not None and is_met and _HARMLESS.search(used["what"]) is None:
            yield Wall(used["what"], Place(file=route.file, line=number))
        whole = _WHOLE.search(line[:500])
        if whole is not None and (whole["what"] or (whole["filter"] and "only" not in whole["options"])):
            yield Wall(whole["what"] or whole["filter"], Place(file=route.file, line=number))
    yield from _of_filters(route, lines)
    yield from _of_controller(tree, route)
    yield from _of_application(tree)


_FILTER = pattern(r"^\s*(?:@[\w.]+\.before_request\b|before\s+do\b|before_request\b)")
_LOOSE = pattern(r"startswith|start_with|endpoint|match\(|=~|\.include\?|regex|re\.\w+\(")


def _of_filters(route: Route, lines: list[str]) -> Iterator[Wall]:
    """Filters of Flask and Sinatra that refuse in their own body and know no way past for this path."""
    for number, line in enumerate(lines, start=1):
        if _FILTER.search(line[:200]) is None:
            continue
        body = _body(lines, number)
        end = route.path.rstrip("/").rpartition("/")[2]
        if re.search(r"\b40[13]\b", body) and not _LOOSE.search(body) and not re.search(rf"/{re.escape(end)}\b", body):
            yield Wall("authenticated", Place(file=route.file, line=number))


def _body(lines: list[str], number: int) -> str:
    """What follows a line until the next empty line at the margin or the end of its block."""
    found: list[str] = []
    for line in lines[number : number + 25]:
        if (found and line[:1].strip() and not line.startswith(("def ", "async def "))) or line.strip() == "end":
            break
        found.append(line[:300])
    return "\n".join(found)


_ACTION = pattern(r"^(?P<controller>[\w/]+)#(?P<action>\w+)$")
_BEFORE = pattern(rf"^\s*(?:before_action|before_filter)\s+:(?P<name>{_NAME}[?!]?)\s*(?P<options>.*)$")


def _of_controller(tree: SourceTree, route: Route) -> Iterator[Wall]:
    """`before_action :authenticate_user!` of the controller that a route of Rails leads to."""
    named = _ACTION.match(route.handler)
    path = f"app/controllers/{named['controller']}_controller.rb" if named is not None else ""
    for number, line in enumerate((tree.text(path) or "").split("\n") if named is not None else [], start=1):
        found = _BEFORE.search(line[:300])
        if found is None or named is None:
            continue
        is_limited = re.search(r"only:|if:|unless:", found["options"]) is not None
        is_left_out = re.search(rf"(?<!\w){re.escape(named['action'])}(?!\w)", found["options"]) is not None
        if not is_limited and not is_left_out:
            yield Wall(found["name"], Place(file=path, line=number))


def _of_application(tree: SourceTree) -> Iterator[Wall]:
    """Rules of Spring Security and middleware of Django, wherever they stand."""
    for places in tree.search(["anyRequest", "MIDDLEWARE"]).values():
        for place in places:
            if not _is_code(place.file):
                continue
            lines = (tree.text(place.file) or "").split("\n")
            for number in range(place.line, min(place.line + 40, len(lines)) + 1):
                found = _WHOLE.search(lines[number - 1][:500])
                name = (found["spring"] or found["kotlin"] or found["django"]) if found is not None else None
                if name is not None:
                    yield Wall(name, Place(file=place.file, line=number))
                    break


def _receiver(lines: list[str], line: int) -> str:
    """What the route is registered on: `app` of `app.get("/readyz"`."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    found = re.search(r"([\w.]+)\.\w+\(", text[:300])
    return found[1] if found is not None else ""


def _is_above(mounted: str | None, path: str) -> bool:
    if mounted is None:
        return True
    start = mounted.rstrip("*").rstrip("/")
    return path == start or path.startswith(start + "/")


def _lets_pass(tree: SourceTree, wall: Wall, route: Route) -> bool:
    """Whether what defines the wall names the path, knows exceptions, or is not seen to refuse anyone."""
    name = wall.name.rpartition(".")[2]
    files = {p.file for places in tree.search([name]).values() for p in places if _is_code(p.file)} | {wall.place.file}
    end = route.path.rstrip("/").rpartition("/")[2]
    texts = [(f, tree.text(f) or "") for f in files]
    if any(re.search(rf"[\"'`/]{re.escape(end)}[\"'`/]", text) for f, text in texts if f != route.file):
        return True
    own = "\n".join((tree.text(wall.place.file) or "").split("\n")[max(0, wall.place.line - 25) : wall.place.line + 10])
    if wall.place.file != route.file and re.search(rf"/{re.escape(end)}\b", own):
        return True
    if any(
        re.search(
            rf"(?:except|unless|skip|exempt|exclude|permitAll|whitelist|allow_?list|public)\w*.{{0,80}}{re.escape(end)}", text
        )
        for _, text in texts
    ):
        return True
    return _KNOWN.search(wall.name) is None and not any(_refuses(text, name) for _, text in texts)


def _refuses(text: str, name: str) -> bool:
    """Whether what defines a name turns callers away within its first lines."""
    lines = text.split("\n")
    made = re.compile(
        rf"(?:function|def|func|fun|const|let|var|class|public|static)\b[^\n]{{0,80}}?\b{re.escape(name)}\b|\b{re.escape(name)}\s*[:=]\s*(?:async\s*)?(?:function|\()"
    )
    starts = [at for at, line in enumerate(lines) if made.search(line[:500])]
    return any(_REFUSES.search("\n".join(lines[at : at + 40])) for at in starts)


def _is_code(path: str) -> bool:
    return language_of(path) in CODE_LANGUAGES and is_production_code(path) and not is_test_path(path)
