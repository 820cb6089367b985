"""Routes of FastAPI, Starlette, Flask, Django, aiohttp and their kin."""

import re
from collections.abc import Iterator

from gonogo.pattern import pattern
from heuristics.code.endpoints.route import VERBS, LocalRoute, LocalRoutes, Model, Mount, ViewClass, Wanted
from heuristics.code.syntax import Node
from heuristics.code.views import Call, call_of, calls_in, string_of
from heuristics.code.word_sets import words

_ROUTERS = pattern(r"(^|\.)(APIRouter|Blueprint|Router|RouteTableDef|InferringRouter|Namespace)$")
_APPS = pattern(r"(^|\.)(FastAPI|Flask|Starlette|Quart|Sanic|Chalice|Litestar|Application|Bottle|APIFlask|Robyn|App|Falcon|API)$")
_DECORATORS = words("route api_route websocket get post put patch delete head options trace view")
_AUTH = pattern(
    r"(?i)auth|login_required|current_user|permission|token_required|require_(user|role|scope)|verify_(token|jwt|key)|api_?key|jwt|oauth|Security\(|roles?_required|staff_member"
)


def routes_python(root: Node) -> LocalRoutes:
    """What a Python file says about routes."""
    found = LocalRoutes()
    found.imports = dict(_imports(root))
    for node in root.walk():
        if node.kind == "assignment":
            _router(node, found)
        elif node.kind == "decorated_definition":
            found.routes += _decorated(node)
        elif node.kind == "class_definition":
            _class(node, found)
        elif node.kind == "call":
            call = call_of(node)
            if call is not None:
                _call(call, found)
    return found


def _imports(root: Node) -> Iterator[tuple[str, tuple[str, str]]]:
    for node in root.find("import_from_statement"):
        module = node.field("module_name")
        for name in node.named:
            if module is None or name is module or (name.start, name.end) == (module.start, module.end):
                continue
            original = name.named[0].text if name.kind == "aliased_import" else name.text
            local = name.named[-1].text if name.kind == "aliased_import" else name.text
            yield local, (module.text, original)
    for node in root.find("import_statement"):
        for name in node.named:
            module = name.named[0].text if name.kind == "aliased_import" else name.text
            yield (name.named[-1].text if name.kind == "aliased_import" else name.text), (module, "")


def _router(node: Node, found: LocalRoutes) -> None:
    value = node.field("right")
    call = call_of(value) if value is not None else None
    if call is None:
        return
    name = node.named[0].text
    prefix = call.argument("prefix") or call.argument("url_prefix")
    if _ROUTERS.search(call.callee) and not call.callee.endswith("DefaultRouter"):
        found.routers[name] = (string_of(prefix, holes=True) or "") if prefix is not None else ""
    elif re.search(r"(Default|Simple|Nested\w*)Router$", call.callee):
        found.routers[name] = ""
    elif _APPS.search(call.callee):
        found.apps.add(name)


def is_conditional(node: Node) -> bool:
    """Whether the node stands in an `if` (but for the one that asks whether the file is the main program)."""
    return any(
        around.kind
        in ("if_statement", "conditional_expression", "if", "if_modifier", "if_expression", "unless", "ternary_expression")
        and "__main__" not in around.text[:40]
        for around in node.ancestors()
    )


def _decorated(node: Node) -> Iterator[LocalRoute]:
    definition = node.field("definition")
    if definition is None:
        return
    name = definition.field("name")
    decorators = [call for part in node.named if part.kind == "decorator" for call in calls_in(part) if call.node.parent is part]
    for call in decorators:
        router, _, verb = call.callee.rpartition(".")
        path = call.positional(0) or call.argument("path") or call.argument("rule")
        text = string_of(path, holes=True) if path is not None else None
        if (
            verb not in _DECORATORS
            or text is None
            or (not router and not _is_bare_framework(node.source))
            or (text and not text.startswith(("/", "<", "{", "^")))
        ):
            continue
        framework = (
            "fastapi"
            if verb in ("api_route", "websocket") or "fastapi" in node.source
            else "flask"
            if verb == "route"
            else "python"
        )
        for method in _methods(call, verb, framework):
            yield LocalRoute(
                router=router,
                method=method,
                path=text,
                line=call.line,
                framework=framework,
                handler=name.text if name is not None else "",
                conditional=is_conditional(node),
                is_redirect=re.search(r"\bredirect\(|RedirectResponse", definition.text) is not None,
                wants=tuple(_wants(definition, node, call)),
                models=tuple(_models(definition, call)),
                view=name.text
                if definition.kind == "class_definition" and name is not None and call.argument("methods") is None
                else "",
            )


def _is_bare_framework(source: str) -> bool:
    return re.search(r"\b(litestar|bottle|robyn)\b", source) is not None


def _methods(call: Call, verb: str, framework: str) -> tuple[str, ...]:
    if verb == "websocket":
        return ("GET",)
    if verb in VERBS:
        return (VERBS[verb],)
    return _listed(call.argument("methods")) or (("GET",) if framework != "python" or verb == "route" else ("ANY",))


def _listed(node: Node | None) -> tuple[str, ...]:
    return tuple(text.upper() for part in node.walk() if (text := string_of(part))) if node is not None else ()


def _call(call: Call, found: LocalRoutes) -> None:
    receiver = call.callee.rpartition(".")[0]
    if call.name in ("include_router", "register_blueprint", "mount", "include_view", "add_routes"):
        _mount(call, receiver, found)
    elif (
        call.name in ("add_api_route", "add_url_rule", "add_route", "add_resource", "add_api_websocket_route") and call.arguments
    ):
        found.routes += _added(call, receiver)
    elif call.callee in ("Route", "WebSocketRoute", "Mount", "routing.Route"):
        found.routes += _starlette(call)
    elif call.callee in ("path", "re_path", "url", "urls.path", "django.urls.path") and _is_in_urlpatterns(call.node):
        _django(call, found)
    elif call.name == "register" and call.first_string() is not None and receiver in found.routers:
        view = call.positional(1)
        if view is not None:
            found.routes += _drf(receiver, call.first_string() or "", view.text.split(".")[-1], call.line)
    elif re.fullmatch(r"web\.(get|post|put|patch|delete|head|view|route)", call.callee):
        first = call.first_string()
        if first is not None:
            found.routes.append(LocalRoute("", VERBS.get(call.name, "ANY"), first, call.line, "aiohttp"))


def _mount(call: Call, receiver: str, found: LocalRoutes) -> None:
    prefix = call.argument("prefix") or call.argument("url_prefix") or (call.positional(0) if call.name == "mount" else None)
    child = call.positional(1) if call.name == "mount" else call.positional(0)
    child = child or call.argument("router") or call.argument("blueprint") or call.argument("app")
    if child is None:
        return
    text = string_of(prefix, holes=True) if prefix is not None else ""
    if not re.fullmatch(r"[\w.]+", child.text):
        found.has_open_mounts = True
        return
    first, _, rest = child.text.partition(".")
    if first in found.imports:
        module, name = found.imports[first]
        whole = f"{module}.{name}" if rest and name else module
        found.mounts.append(Mount(receiver, text or "", rest.split(".")[-1] if rest else name, whole, is_conditional(call.node)))
    else:
        is_local = first in found.routers or first in found.apps
        found.has_open_mounts |= not is_local
        found.mounts.append(Mount(receiver, text or "", child.text, "", is_conditional(call.node)))


def _added(call: Call, receiver: str) -> Iterator[LocalRoute]:
    strings = [
        text
        for a in call.arguments
        if a.name is None and (text := string_of(a.value, holes=True)) is not None and text.startswith("/")
    ]
    view = next(
        (a.value for a in call.arguments if a.name in (None, "view_func", "endpoint") and string_of(a.value) is None), None
    )
    handler = re.sub(r"\.as_view\(.*|\(.*", "", view.text, flags=re.DOTALL) if view is not None else ""
    is_class = call.name in ("add_resource", "add_route") or (view is not None and "as_view" in view.text)
    for path in strings:
        for method in _listed(call.argument("methods")) or (("ANY",) if is_class else ("GET",)):
            shown_view = handler.split(".")[-1] if is_class and call.argument("methods") is None else ""
            yield LocalRoute(receiver, method, path, call.line, "flask", handler, is_conditional(call.node), view=shown_view)


def _starlette(call: Call) -> Iterator[LocalRoute]:
    path = call.first_string()
    if path is None or call.name == "Mount":
        return
    prefix = ""
    for around in call.node.ancestors():
        outer = call_of(around)
        if outer is not None and outer.name == "Mount":
            prefix = (outer.first_string() or "") + prefix
    endpoint = call.positional(1) or call.argument("endpoint")
    for method in _listed(call.argument("methods")) or ("GET",):
        yield LocalRoute("", method, prefix + path, call.line, "starlette", endpoint.text if endpoint is not None else "")


def _is_in_urlpatterns(node: Node) -> bool:
    return any(
        around.kind in ("assignment", "augmented_assignment")
        and re.match(r"\w*url_?patterns\b|\w*_patterns\b|urls\b", around.named[0].text)
        for around in node.ancestors()
    )


def _django(call: Call, found: LocalRoutes) -> None:
    path, view = call.first_string(), call.positional(1) or call.argument("view")
    if path is None or view is None:
        return
    inner = call_of(view)
    if inner is not None and inner.name == "include":
        target = inner.positional(0)
        module = string_of(target) if target is not None else None
        if module is None and target is not None and target.kind == "tuple" and target.named:
            module = string_of(target.named[0])
        if module is not None:
            found.mounts.append(Mount("", path, "", module, is_conditional(call.node)))
        elif target is not None and (router := re.fullmatch(r"(\w+)\.urls", target.text)):
            found.mounts.append(Mount("", path, router[1], "", is_conditional(call.node)))
        elif target is not None and target.kind in ("identifier", "attribute"):
            first = target.text.partition(".")[0]
            module, name = found.imports.get(first, ("", first))
            found.mounts.append(Mount("", path, "", f"{module}.{name}" if name else module, is_conditional(call.node)))
        return
    is_class = "as_view" in view.text or (inner is not None and inner.name == "as_view")
    handler = re.sub(r"\.as_view.*", "", view.text, flags=re.DOTALL)
    found.routes.append(
        LocalRoute(
            "",
            "ANY",
            path,
            call.line,
            "django",
            handler,
            is_conditional(call.node),
            "RedirectView" in view.text,
            view=handler.split(".")[-1] if is_class else "",
        )
    )


_DRF_METHODS = {
    "list": ("GET", ""), "create": ("POST", ""), "retrieve": ("GET", "{}/"), "update": ("PUT", "{}/"), "partial_update": ("PATCH", "{}/"), "destroy": ("DELETE", "{}/"),
}  # fmt: skip


def _drf(router: str, prefix: str, view: str, line: int) -> Iterator[LocalRoute]:
    for action, (method, suffix) in _DRF_METHODS.items():
        yield LocalRoute(router, method, f"{prefix}/{suffix}", line, "django", f"{view}.{action}", view=f"{view}#{action}")


_GENERIC = {
    "ListAPIView": "GET", "RetrieveAPIView": "GET", "CreateAPIView": "POST", "DestroyAPIView": "DELETE", "UpdateAPIView": "PUT PATCH", "ListCreateAPIView": "GET POST",
    "RetrieveUpdateAPIView": "GET PUT PATCH", "RetrieveDestroyAPIView": "GET DELETE", "RetrieveUpdateDestroyAPIView": "GET PUT PATCH DELETE",
    "TemplateView": "GET", "ListView": "GET", "DetailView": "GET", "RedirectView": "GET", "CreateView": "GET POST", "UpdateView": "GET POST", "DeleteView": "GET POST DELETE",
    "FormView": "GET POST",
}  # fmt: skip
_SETS = {
    "ModelViewSet": "list create retrieve update partial_update destroy", "ReadOnlyModelViewSet": "list retrieve", "ListModelMixin": "list", "CreateModelMixin": "create",
    "RetrieveModelMixin": "retrieve", "UpdateModelMixin": "update partial_update", "DestroyModelMixin": "destroy",
}  # fmt: skip
_VIEW_BASE = pattern(r"(View|Resource|Endpoint|ViewSet|Handler|Mixin|HTTPEndpoint|MethodView|View\w*)$")
_MODEL_BASE = pattern(
    r"(BaseModel|Model|Schema|SQLModel|Serializer|Struct|TypedDict|Base|In|Out|Request|Response|Create|Update)$"
)


def _class(node: Node, found: LocalRoutes) -> None:
    name, bases = node.field("name"), node.field("superclasses")
    if name is None or bases is None:
        return
    base_names = [
        re.split(r"[.\[]", part.text)[-1] if "[" not in part.text else part.text.split("[")[0].split(".")[-1]
        for part in bases.named
        if part.kind != "keyword_argument"
    ]
    if any(_VIEW_BASE.search(base) for base in base_names):
        methods: dict[str, int] = {}
        for base in base_names:
            methods.update(dict.fromkeys(_GENERIC.get(base, "").split(), node.line))
            methods.update(dict.fromkeys(_SETS.get(base, "").split(), node.line))
        for definition in _functions(node):
            plain = (definition.field("name") or definition).text.removeprefix("on_")
            if plain in VERBS or plain in _DRF_METHODS:
                methods[VERBS.get(plain, plain)] = definition.line
        found.classes[name.text] = ViewClass(name.text, node.line, methods, base_names)
    elif any(_MODEL_BASE.search(base) for base in base_names):
        found.models[name.text] = Model(name.text, "", node.line, dict(_fields(node)), base_names)


def _functions(node: Node) -> Iterator[Node]:
    body = node.field("body")
    for statement in body.named if body is not None else []:
        inner = statement.field("definition") if statement.kind == "decorated_definition" else statement
        if inner is not None and inner.kind == "function_definition":
            yield inner


def _fields(node: Node) -> Iterator[tuple[str, Wanted]]:
    body = node.field("body")
    for statement in body.named if body is not None else []:
        assignment = statement.named[0] if statement.kind == "expression_statement" and statement.named else None
        if assignment is None or assignment.kind != "assignment":
            continue
        kind, value = assignment.field("type"), assignment.field("right")
        name = assignment.named[0].text
        if name.startswith("_") or name == "model_config" or (kind is None and (value is None or "Field(" not in value.text)):
            continue
        call = call_of(value) if value is not None else None
        default = value
        alias: str | None = None
        if call is not None and call.name == "Field":
            default = call.argument("default") or call.argument("default_factory") or call.positional(0)
            aliased = call.argument("alias") or call.argument("validation_alias")
            alias = string_of(aliased) if aliased is not None else None
        is_required = default is None or default.text == "..."
        if call is not None and call.callee.startswith("serializers."):
            is_required = not re.search(
                r"required\s*=\s*False|read_only\s*=\s*True|default\s*=", value.text if value is not None else ""
            )
        yield alias or name, Wanted("body", alias or name, kind.text if kind is not None else "", is_required, assignment.line)


_INJECTED = pattern(
    r"(Request|Response|BackgroundTasks|WebSocket|Session|AsyncSession|HTTPConnection|SecurityScopes)\b|Depends\(|Security\(|Provide\["
)


def _wants(definition: Node, decorated: Node, call: Call) -> Iterator[Wanted]:
    path = call.first_string() or ""
    for parameter in (definition.field("parameters") or definition).named:
        kind, name, default = (
            parameter.field("type"),
            parameter.field("name") or next(iter(parameter.named), None),
            parameter.field("value"),
        )
        text = parameter.text
        if (
            name is None
            or name.text in ("self", "cls", "request")
            or parameter.kind in ("list_splat_pattern", "dictionary_splat_pattern", "keyword_separator")
        ):
            continue
        if _AUTH.search(text) and _INJECTED.search(text):
            yield Wanted("auth", name.text, line=parameter.line)
        elif (
            kind is not None
            and not _INJECTED.search(text)
            and "{" + name.text not in path
            and not re.search(r"\b[A-Z]\w+\b(?<!Optional)(?<!Annotated)(?<!Query)(?<!Header)(?<!List)(?<!Literal)", kind.text)
        ):
            is_header = "Header(" in text
            has_default = (
                default is not None and not re.search(r"\((\.\.\.|\s*)\)|\(\s*\.\.\.", default.text) and default.text != "..."
            )
            yield Wanted("header" if is_header else "query", name.text, kind.text, not has_default, parameter.line)
    for decorator in decorated.named:
        if decorator.kind == "decorator" and decorator.line != call.line and _AUTH.search(decorator.text):
            yield Wanted("auth", decorator.text.lstrip("@").split("(")[0], line=decorator.line)
    dependencies = call.argument("dependencies")
    if dependencies is not None and _AUTH.search(dependencies.text):
        yield Wanted("auth", dependencies.text, line=dependencies.line)


def _models(definition: Node, call: Call) -> Iterator[tuple[str, str]]:
    for parameter in (definition.field("parameters") or definition).named:
        kind = parameter.field("type")
        if kind is not None and not _INJECTED.search(parameter.text):
            yield from (("body", name) for name in re.findall(r"\b[A-Z]\w+\b", kind.text))
    shown = call.argument("response_model") or definition.field("return_type")
    if shown is not None:
        yield from (("response", name) for name in re.findall(r"\b[A-Z]\w+\b", shown.text))
