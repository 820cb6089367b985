"""Routes that contracts and manifests declare: OpenAPI, SAM, serverless, API Gateway, protobuf, GraphQL, Workers."""

import re
from collections.abc import Iterator, Mapping

from gonogo.pattern import pattern
from heuristics.code.config_sites import Setting, settings_in
from heuristics.code.creates import plain
from heuristics.code.endpoints.route import METHODS, VERBS, LocalRoute, LocalRoutes, Wanted, joined
from heuristics.code.paths import language_of


def routes_of_contract(path: str, text: str) -> LocalRoutes:
    """What a contract or manifest says about routes; nothing when it is neither."""
    found = LocalRoutes()
    language = language_of(path) or ""
    if language == "proto":
        found.routes += _proto(text)
    elif language == "graphql":
        found.routes += graphql_fields(text)
    elif language == "hcl":
        found.routes += _gateway(text)
    else:
        found.routes += _manifest(path, settings_in(text, language) or ())
    return found


def _manifest(path: str, settings: tuple[Setting, ...]) -> Iterator[LocalRoute]:
    settings = tuple(setting for setting in settings if setting[0])
    top = {keys[0] for keys, _, _ in settings}
    by_path = {keys: (raw, line) for keys, raw, line in settings}
    if top & {"openapi", "swagger"} and "paths" in top:
        yield from _openapi(settings, by_path)
    if path.rsplit("/", 1)[-1].startswith("wrangler."):
        yield from _worker_routes(settings)
        return
    for keys, raw, line in settings:
        value = plain(raw)
        if keys[-1] == "Type" and value in ("Api", "HttpApi") and len(keys) > 2 and keys[-3] == "Events":
            event = keys[:-1]
            route, method = by_path.get((*event, "Properties", "Path")), by_path.get((*event, "Properties", "Method"))
            verb = plain(method[0]).upper() if method else "ANY"
            yield LocalRoute(
                "",
                "ANY" if verb in ("ANY", "*", "X-AMAZON-APIGATEWAY-ANY-METHOD") else verb,
                plain(route[0]) if route else "/{proxy+}",
                method[1] if method else line,
                "sam",
            )
        elif len(keys) > 2 and keys[-1] in ("http", "httpApi") and "events" in keys:
            match = re.fullmatch(r"([\w*]+)\s+(/?\S*)", value)
            if match:
                yield LocalRoute("", "ANY" if match[1] in ("*", "any", "ANY") else match[1].upper(), match[2], line, "serverless")
            elif value == "*":
                yield LocalRoute("", "ANY", "/{proxy+}", line, "serverless")
        elif len(keys) > 3 and keys[-2] in ("http", "httpApi") and keys[-1] == "path" and "events" in keys:
            method = by_path.get((*keys[:-1], "method"))
            verb = plain(method[0]).upper() if method else "ANY"
            yield LocalRoute("", "ANY" if verb in ("ANY", "*") else verb, value, line, "serverless")


def _openapi(settings: tuple[Setting, ...], by_path: Mapping[tuple[str, ...], tuple[str, int]]) -> Iterator[LocalRoute]:
    base = ""
    server = by_path.get(("servers", "0", "url")) or by_path.get(("basePath",))
    if server:
        base = re.sub(r"^https?://[^/]+", "", plain(server[0]))
    grouped: dict[tuple[str, str], list[Setting]] = {}
    for setting in settings:
        keys = setting[0]
        if keys[0] == "paths" and len(keys) > 2 and keys[2].lower() in VERBS:
            grouped.setdefault((keys[1], keys[2]), []).append(setting)
    for (path, verb), own in grouped.items():
        yield LocalRoute(
            "", VERBS[verb.lower()], joined(base, path), own[0][2], "openapi", wants=tuple(_openapi_wants(own, by_path))
        )


def _openapi_wants(own: list[Setting], by_path: Mapping[tuple[str, ...], tuple[str, int]]) -> Iterator[Wanted]:
    for keys, raw, line in own:
        rest, value = list(keys[3:]), plain(raw)
        if not rest:
            continue
        first, last, owner = rest[0], rest[-1], rest[-3] if len(rest) > 2 else ""
        around = keys[:-1]
        if first == "parameters" and len(rest) == 3 and last == "name":
            said = {
                name: plain(by_path.get((*around, *name.split(".")), ("", 0))[0])
                for name in ("in", "required", "schema.type", "type")
            }
            yield Wanted(said["in"] or "query", value, said["schema.type"] or said["type"], said["required"] == "true", line)
        elif first == "requestBody" and len(rest) > 2 and rest[-2] == "required":
            yield Wanted("body", value, "", is_required=True, line=line)
        elif first == "requestBody" and last == "type" and owner == "properties":
            yield Wanted("body", rest[-2], value, line=line)
        elif first == "responses" and last == "type" and owner == "properties":
            yield Wanted("response", rest[-2], value, line=line)
        elif first in ("requestBody", "responses") and last == "$ref":
            yield from _referenced(value, "body" if first == "requestBody" else "response", by_path)
        elif first == "security":
            yield Wanted("auth", last, line=line)


def _referenced(reference: str, place: str, by_path: Mapping[tuple[str, ...], tuple[str, int]]) -> Iterator[Wanted]:
    base = tuple(reference.removeprefix("#/").split("/"))
    required = {plain(raw) for keys, (raw, _) in by_path.items() if keys[: len(base) + 1] == (*base, "required")}
    for keys, (raw, line) in by_path.items():
        if keys[: len(base) + 1] == (*base, "properties") and len(keys) == len(base) + 3 and keys[-1] in ("type", "$ref"):
            yield Wanted(place, keys[-2], plain(raw), place == "body" and keys[-2] in required, line)


def _worker_routes(settings: tuple[Setting, ...]) -> Iterator[LocalRoute]:
    for keys, raw, line in settings:
        inner = list(keys[2:] if keys[0] == "env" and len(keys) > 2 else keys)
        value = plain(raw)
        if (inner[0] == "routes" and (inner[-1] == "pattern" or (len(inner) == 2 and inner[1].isdigit()))) or inner == ["route"]:
            yield LocalRoute("", "ANY", value, line, "worker-route")
        elif inner == ["routes"] and value.startswith("["):
            for pattern in re.findall(r"""["']([^"']+/[^"']*)["']""", value):
                yield LocalRoute("", "ANY", pattern, line, "worker-route")


def _lines(text: str, first_line: int = 1) -> Iterator[tuple[int, str]]:
    """The lines that a person wrote; what is longer is data, and would cost the patterns a square of its length."""
    return ((number, line) for number, line in enumerate(text.split("\n"), start=first_line) if len(line) < 5_000)


def _gateway(text: str) -> Iterator[LocalRoute]:
    for line, raw in _lines(text):
        match = re.match(r"""\s*route_key\s*=\s*"(\w+)\s+(/[^"]*)\"""", raw)
        if match:
            yield LocalRoute("", match[1] if match[1] in METHODS else "ANY", match[2], line, "api-gateway")


def _proto(text: str) -> Iterator[LocalRoute]:
    package = re.search(r"(?m)^\s*package\s+([\w.]+)\s*;", text)
    service = ""
    for line, raw in _lines(text):
        code = raw.split("//")[0]
        if found := re.search(r"\bservice\s+(\w+)", code):
            service = found[1]
        for rpc in re.finditer(r"\brpc\s+(\w+)\s*\(", code):
            prefix = f"{package[1]}." if package else ""
            yield LocalRoute("", "POST", f"grpc:/{prefix}{service}/{rpc[1]}", line, "grpc", rpc[1])
        if http := re.search(r"\b(get|post|put|patch|delete):\s*\"(/[^\"]*)\"", code):
            yield LocalRoute("", http[1].upper(), http[2], line, "grpc-gateway")


_TYPE = pattern(r"(?:extend\s+)?(type|interface|input)\s+(\w+)[^{]*\{")


def graphql_fields(text: str, *, first_line: int = 1) -> Iterator[LocalRoute]:
    """The fields of a schema, with their arguments: `graphql:Query.orders`."""
    kind, owner = "", ""
    in_description = False
    for line, raw in _lines(text, first_line):
        if raw.count('"""') % 2:
            in_description = not in_description
            continue
        code = raw.split("#")[0]
        if in_description or not code.strip():
            continue
        if found := _TYPE.search(code):
            kind, owner = found[1], found[2]
            code = code[found.end() :]
        if owner and kind != "input":
            for field in re.finditer(
                r"(?:^|[\s{,;])(\w+)\s*(\(([^)]*)\))?\s*:\s*([\w\[\]!]+)",
                re.sub(r"\([^)]*\)", lambda m: m[0].replace(":", "\0"), code),
            ):
                arguments = (field[3] or "").replace("\0", ":")
                wants = tuple(
                    Wanted("query", name, type_, type_.strip().endswith("!") and "=" not in rest, line)
                    for name, type_, rest in re.findall(r"(\w+)\s*:\s*([\w\[\]!]+)\s*(=?[^,)]*)", arguments)
                )
                yield LocalRoute(
                    "",
                    "QUERY" if owner == "Query" else "MUTATION" if owner == "Mutation" else "FIELD",
                    f"graphql:{owner}.{field[1]}",
                    line,
                    "graphql",
                    wants=(*wants, Wanted("response", field[1], field[4], line=line)),
                )
        if "}" in code:
            owner = ""
