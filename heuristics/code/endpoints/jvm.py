"""Routes of Spring, JAX-RS, Micronaut and Ktor, in Java and Kotlin."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.endpoints.route import VERBS, LocalRoute, LocalRoutes, Model, Wanted, joined
from heuristics.code.syntax import Node
from heuristics.code.views import Call, call_of, calls_in, string_of

_MAPPINGS = {
    "GetMapping": "GET",
    "PostMapping": "POST",
    "PutMapping": "PUT",
    "PatchMapping": "PATCH",
    "DeleteMapping": "DELETE",
    "RequestMapping": "ANY",
}
_MICRONAUT = {"Get": "GET", "Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE"}
_JAX = set(VERBS.values())
_GUARDS = pattern(r"^(PreAuthorize|Secured|RolesAllowed|Authenticated|PostAuthorize)$")
_FLAGS = pattern(r"^(ConditionalOn\w+|Profile|Requires)$")


def routes_jvm(root: Node) -> LocalRoutes:
    """What a Java or Kotlin file says about routes."""
    found = LocalRoutes()
    for node in root.find("class_declaration", "interface_declaration", "object_declaration", "record_declaration"):
        found.routes += _class(node)
        _model(node, found)
    if "routing" in root.source or "Route." in root.source:
        found.routes += _ktor(root)
    return found


def annotations(node: Node) -> list[Call]:
    """The annotations of a declaration."""
    holder = node.child("modifiers")
    around = [holder] if holder is not None else []
    if node.parent is not None and node.parent.kind == "prefix_expression":
        around.append(node.parent)  # Kotlin puts an annotation of a top-level class before it
    return [
        call
        for part in around
        for call in calls_in(part)
        if call.node.kind in ("annotation", "marker_annotation", "constructor_invocation")
    ] + _bare(holder)


def _bare(holder: Node | None) -> list[Call]:
    """Kotlin's annotations without arguments."""
    if holder is None:
        return []
    return [Call(node, node.text.lstrip("@"), ()) for node in holder.find("annotation") if node.child("user_type") is not None]


def _class(node: Node) -> Iterator[LocalRoute]:
    own = annotations(node)
    names = {call.name for call in own}
    if names & {"FeignClient", "RegisterRestClient", "HttpExchange", "Client"}:
        return
    bases = [path for call in own if call.name in ("RequestMapping", "Path", "Controller") for path in _paths(call)] or [""]
    is_spring = bool(names & {"RestController", "Controller", "RequestMapping"})
    is_conditional = any(_FLAGS.match(name) for name in names)
    body = node.child("class_body", "interface_body", "enum_class_body")
    for method in body.named if body is not None else []:
        if method.kind not in ("method_declaration", "function_declaration"):
            continue
        marks = annotations(method)
        name = next((c.text for c in method.named if c.kind in ("identifier", "simple_identifier")), "")
        wants = (
            *_wants(method),
            *(Wanted("auth", c.node.text[:80], line=c.line) for c in (*marks, *own) if _GUARDS.match(c.name)),
        )
        conditional = is_conditional or any(_FLAGS.match(call.name) for call in marks)
        for verb, paths, line, framework in _mapped(marks, is_spring=is_spring):
            for base in bases:
                for path in paths:
                    yield LocalRoute(
                        "spring:",
                        verb,
                        joined(base, path),
                        line,
                        framework,
                        name,
                        conditional,
                        "redirect:" in method.text,
                        wants,
                        tuple(_models(method)),
                    )


def _mapped(marks: list[Call], *, is_spring: bool) -> Iterator[tuple[str, list[str], int, str]]:
    for call in marks:
        if call.name in _MAPPINGS:
            methods = [
                m
                for m in re.findall(r"RequestMethod\.(\w+)|(?<=[{=,\s])(GET|POST|PUT|PATCH|DELETE)\b", call.node.text)
                for m in m
                if m
            ]
            for method in (methods or [_MAPPINGS[call.name]]) if call.name == "RequestMapping" else [_MAPPINGS[call.name]]:
                yield method, _paths(call) or [""], call.line, "spring"
        elif call.name in _MICRONAUT and is_spring:
            yield _MICRONAUT[call.name], _paths(call) or [""], call.line, "micronaut"
        elif call.name in _JAX:
            path = next((p for c in marks if c.name == "Path" for p in _paths(c)), "")
            yield call.name, [path], call.line, "jax-rs"


def _paths(call: Call) -> list[str]:
    values = [a.value for a in call.arguments if a.name in (None, "value", "path", "uri")]
    return [text for value in values for part in value.walk() if (text := string_of(part, holes=True)) is not None]


def _wants(method: Node) -> Iterator[Wanted]:
    parameters = method.child("formal_parameters", "function_value_parameters")
    if parameters is None:
        return
    for parameter in re.finditer(
        r"@(RequestParam|RequestHeader)\s*(\(([^()]*)\))?\s*(?:final\s+)?([\w<>.\[\]]+)?\s*(\w+)\s*(?::\s*([\w<>?]+))?",
        parameters.text[:5_000],
    ):
        options = parameter[3] or ""
        named = re.search(r'"([^"]+)"', options)
        is_optional = (
            re.search(r"required\s*=\s*false|defaultValue", options) is not None
            or "Optional<" in (parameter[4] or "")
            or (parameter[6] or "").endswith("?")
        )
        place = "query" if parameter[1] == "RequestParam" else "header"
        line = parameters.line + parameters.text[: parameter.start()].count("\n")
        yield Wanted(place, named[1] if named else parameter[5], parameter[6] or parameter[4] or "", not is_optional, line)


def _models(method: Node) -> Iterator[tuple[str, str]]:
    for first, second in re.findall(r"@RequestBody\s*(?:@\w+\s*)*(?:(\w+)\s+\w+|\w+\s*:\s*(\w+))", method.text[:2_000]):
        yield "body", first or second
    kind = method.field("type")
    if kind is not None:
        yield from (("response", name) for name in re.findall(r"\b[A-Z]\w+\b", kind.text))


def _model(node: Node, found: LocalRoutes) -> None:
    name = next((c.text for c in node.named if c.kind in ("identifier", "type_identifier", "simple_identifier")), "")
    fields: dict[str, Wanted] = {}
    for member in node.find("field_declaration", "formal_parameter", "class_parameter"):
        if member.inside("method_declaration", "constructor_declaration", "function_declaration") is not None:
            continue
        declared = member.child("variable_declarator", "identifier", "simple_identifier")
        kind = member.field("type") or member.child("user_type", "nullable_type", "type_identifier")
        field = (
            declared.named[0].text if declared is not None and declared.named else declared.text if declared is not None else ""
        )
        is_kotlin = member.kind == "class_parameter"
        is_required = re.search(r"@(\w+:)?(NotNull|NotBlank|NotEmpty)\b|required\s*=\s*true", member.text) is not None
        is_required = is_required or (is_kotlin and "?" not in member.text and not any(c.kind == "=" for c in member.children))
        fields[field] = Wanted("body", field, kind.text if kind is not None else "", is_required, member.line)
    if name and fields:
        found.models[name] = Model(name, "", node.line, fields)


def _ktor(root: Node) -> Iterator[LocalRoute]:
    for call in calls_in(root):
        if call.callee not in VERBS or call.node.kind != "call_expression" or call.node.inside("lambda_literal") is None:
            continue
        prefix = ""
        is_routing = False
        for around in call.node.ancestors():
            outer = call_of(around)
            if outer is not None and outer.name == "route":
                prefix = joined(outer.first_string() or "", prefix)
            is_routing = (
                is_routing or (outer is not None and outer.name in ("routing", "route")) or around.text.startswith("fun Route.")
            )
        if is_routing:
            yield LocalRoute("", VERBS[call.callee], joined(prefix, call.first_string() or ""), call.line, "ktor")
