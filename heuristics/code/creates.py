"""Which names the repository itself creates for its programs: variables, secrets and bindings in manifests and build files."""

import re
from collections.abc import Collection, Iterator, Mapping

from gonogo.pattern import pattern
from gonogo.ports import SourceTree
from gonogo.record import Record
from gonogo.resource import Place
from heuristics.code.config_sites import Setting, settings_in
from heuristics.code.creates_in_code import INFRASTRUCTURE_LANGUAGES, names_in_infrastructure
from heuristics.code.paths import is_ci_path, is_docs_path, is_example_path, is_generated_path, is_test_path, language_of
from heuristics.code.prefilter import Look, holds_any
from heuristics.code.reads_found import Kind, Phase
from heuristics.code.word_sets import words


class Need(Record):
    """Something else that must exist for a created name to have its value: a key of a ConfigMap, a parameter, a host variable."""

    kind: str
    name: str
    key: str = ""
    is_optional: bool = False


class Creation(Record):
    """One place that gives a name its value.

    Without `has_value` the name is only passed through from the host. `may_be_empty`: the value can come out as an
    empty text, which is present and defeats defaults. `environment` is set where the manifest has several.
    """

    kind: Kind
    name: str
    file: str
    line: int
    how: str
    has_value: bool = True
    may_be_empty: bool = False
    phase: Phase = "run"
    environment: str | None = None
    needs: tuple[Need, ...] = ()


def created_names(tree: SourceTree, paths: Collection[str] | None = None) -> Mapping[str, tuple[Place, ...]]:
    """Every name that a file of the tree creates, with the places; names passed through from the host are not created."""
    found: dict[str, list[Place]] = {}
    for creation in creations_of(tree, paths):
        if creation.has_value:
            found.setdefault(creation.name, []).append(Place(file=creation.file, line=creation.line, side=tree.side))
    return {name: tuple(places) for name, places in found.items()}


def creations_of(tree: SourceTree, paths: Collection[str] | None = None) -> tuple[Creation, ...]:
    """Every creation in a tree, or in some of its paths. Examples, tests and docs create nothing."""
    found: list[Creation] = []
    for path in sorted(paths) if paths is not None else tree.paths():
        if not is_manifest_path(path):
            continue
        text = tree.text(path)
        if text and _may_create(path, text):
            found += creations_in(path, text)
    return tuple(found)


_MANIFEST_LANGUAGES = words("yaml json toml hcl dockerfile procfile env properties bash")
_LOOKS = (Look(("env", "Env", "ENV", "ariables", "vars", "data:", "binding", "ecret", "arameter")),)
_JSON_LOOKS = (Look(('"env', '"Env', '"ENV', 'ariables"', '"vars"', '"binding', 'ecrets"')),)


def _may_create(path: str, text: str) -> bool:
    """A cheap look before a file is parsed."""
    language = language_of(path)
    if language == "json":
        return _DOTNET.search(path) is not None or holds_any(text, _JSON_LOOKS)
    return language not in ("yaml", "toml", "hcl") or _SPRING.search(path) is not None or holds_any(text, _LOOKS)


_SPRING = pattern(r"(^|/)(application|bootstrap)[\w.-]*\.(ya?ml|properties)$")
_LOCAL_ENV = pattern(r"(^|/)\.env(\.[\w-]+)*\.?(local|dev(elopment)?|test|ci|docker)$|(^|/)\.env(rc)?$")


def is_manifest_path(path: str) -> bool:
    """Whether a file of that path can create names for what runs in production."""
    if language_of(path) not in (_MANIFEST_LANGUAGES | INFRASTRUCTURE_LANGUAGES) and not path.endswith((".service", ".envrc")):
        return False
    if is_test_path(path) or is_example_path(path) or is_docs_path(path) or is_generated_path(path):
        return False
    return not (language_of(path) == "env" and _LOCAL_ENV.search(path) and not path.endswith("/.env") and path != ".env")


def creations_in(path: str, text: str) -> tuple[Creation, ...]:
    """Every creation of one file, in the order of the text."""
    language = language_of(path) or ""
    name = path.rsplit("/", 1)[-1].lower()
    if language in INFRASTRUCTURE_LANGUAGES:
        return tuple(Creation("env", made, path, line, owner) for made, line, owner in names_in_infrastructure(text, language))
    if language == "dockerfile":
        return tuple(_dockerfile(path, text))
    if language in ("env", "procfile", "bash") or name.endswith(".service"):
        return tuple(_lines(path, text, language))
    settings = settings_in(text, language) or ()
    if name.startswith("wrangler."):
        return tuple(_wrangler(path, settings))
    if _DOTNET.search(path):
        return tuple(_dotnet(path, settings))
    if _SPRING.search(path):
        return tuple(_spring(path, settings))
    return tuple(_manifest(path, settings))


_NAME = pattern(r"[A-Z_][A-Z0-9_]{0,100}")
_ENV_PARENT = pattern(
    r"(?i)(.*_?env(ironment)?(_?(variables?|vars?|map|config|secrets?))?|variables|vars|(extra|global|common|container|pod|plain|build|secret|app)_?env\w*"
    r"|.*_secrets?|secrets?|app_?settings|config_?vars|build[-_]args?|env\..*|environment\..*|parameters|secret_variables|string_?data)"
)


def _manifest(path: str, settings: tuple[Setting, ...]) -> Iterator[Creation]:
    phase: Phase = "build" if is_ci_path(path) else "run"
    kinds = {keys[:-1]: raw.strip("\"'") for keys, raw, _ in settings if keys[-1] == "kind"}
    items: dict[tuple[str, ...], dict[str, str]] = {}
    for keys, raw, _ in settings:
        for depth in range(1, min(4, len(keys)) + 1):
            items.setdefault(keys[:-depth], {}).setdefault(".".join(keys[-depth:]), raw)
    for keys, raw, line in settings:
        leaf, around = keys[-1], keys[:-1]
        owner = around[-1] if around else ""
        document = around[:1] if around and around[0].startswith("document ") else ()
        kind = kinds.get(document, "")
        if leaf == "secretKey" and kind.endswith("ExternalSecret"):
            item = items.get(around, {})
            remote = Need("parameter", plain(item.get("remoteRef.key", "")), plain(item.get("remoteRef.property", "")))
            yield Creation(
                "env",
                plain(raw),
                path,
                line,
                f"{kind} {_sibling(items, document, 'metadata.name')}",
                phase=phase,
                needs=(remote,),
            )
        elif owner in ("data", "stringData", "encryptedData") and kind in (
            "ConfigMap",
            "Secret",
            "SealedSecret",
            "ExternalSecret",
        ):
            yield Creation("env", leaf, path, line, f"{kind} {_sibling(items, document, 'metadata.name')}", phase=phase)
        elif leaf.lower() in ("name", "key", "envvar") and _NAME.fullmatch(plain(raw)) and _in_environment(around):
            item = items.get(around, {})
            yield _item(path, plain(raw), line, item, phase)
        elif (
            leaf.isdigit() and _in_environment(around[-1:]) and (match := re.fullmatch(r"([A-Z_][A-Z0-9_]*)(=(.*))?", plain(raw)))
        ):
            value = match[3]
            yield _valued("env", match[1], path, line, value, phase, how="environment list")
        elif (_NAME.fullmatch(leaf) and not leaf.isdigit() and (_ENV_PARENT.fullmatch(owner) or owner.startswith("env"))) or (
            owner in ("Variables", "variables") and re.fullmatch(r"[A-Za-z_]\w*", leaf)
        ):
            yield _valued("env", leaf, path, line, raw or None, phase, how=owner)
        elif leaf in ("name", "secret_id") and owner.startswith(
            ("resource.aws_ssm_parameter", "resource.aws_secretsmanager_secret.", "resource.google_secret_manager_secret.")
        ):
            yield Creation("secret", plain(raw), path, line, owner)


def _in_environment(keys: tuple[str, ...]) -> bool:
    named = [key for key in keys if not key.isdigit()]
    return bool(named) and _ENV_PARENT.fullmatch(named[-1]) is not None


def _item(path: str, name: str, line: int, item: Mapping[str, str], phase: Phase) -> Creation:
    """`- name: X` with `value`, `valueFrom` and the like beside it."""
    needs: list[Need] = []
    for kind, keys in (("configmap", "valueFrom.configMapKeyRef"), ("secret", "valueFrom.secretKeyRef")):
        if f"{keys}.name" in item:
            is_optional = item.get(f"{keys}.optional", "") == "true"
            needs.append(Need(kind, plain(item[f"{keys}.name"]), plain(item.get(f"{keys}.key", "")), is_optional))
    source = plain(item.get("valueFrom", item.get("value_from", "")))
    if source:
        needs.append(
            Need("parameter" if source.startswith("/") or ":ssm:" in source or ":parameter" in source else "secret", source)
        )
    value = item.get("value", item.get("Value"))
    has_value = value is not None or bool(needs) or "fromDatabase.name" in item or "sync" not in item
    found = _valued("env", name, path, line, value if value is not None else "set", phase, how="env list")
    return Creation("env", name, path, line, found.how, has_value, found.may_be_empty, phase, None, (*needs, *found.needs))


def _valued(kind: Kind, name: str, path: str, line: int, value: str | None, phase: Phase, *, how: str) -> Creation:
    text = plain(value) if value is not None else ""
    needs = [
        Need("host", found, is_optional=bool(fallback))
        for found, fallback in re.findall(r"\$\{([A-Z_][A-Z0-9_]*)(:?[-?][^}]*)?\}", text)
    ]
    for source, found, fallback in re.findall(
        r"\$\{(env|ssm|aws:ssm|secretsmanager)(?:\([^)]*\))?:([^,}~]+)[^,}]*(,[^}]*)?\}", text
    ):
        needs.append(Need("host" if source == "env" else "parameter", found.strip(), is_optional=bool(fallback)))
    needs += [Need("ci-secret", found) for found in re.findall(r"\$\{\{\s*secrets\.(\w+)\s*\}\}", text)]
    empty = re.fullmatch(r"\$\{[A-Z_][A-Z0-9_]*:?-\}", text) is not None or (value is not None and text == "")
    return Creation(kind, name, path, line, how, value is not None, empty, phase, None, tuple(needs))


def plain(raw: str) -> str:
    """A scalar without its quotes."""
    text = raw.strip()
    return text[1:-1] if len(text) > 1 and text[0] in "'\"" and text[-1] == text[0] else text


def _sibling(items: Mapping[tuple[str, ...], Mapping[str, str]], document: tuple[str, ...], key: str) -> str:
    return plain(items.get(document, {}).get(key, ""))


_BINDING_NAME = frozenset(("binding", "name"))
_NAMED_BINDINGS = words("bindings send_email unsafe logfwdr")


def _wrangler(path: str, settings: tuple[Setting, ...]) -> Iterator[Creation]:
    """Variables and bindings of a Worker. Named environments inherit neither."""
    for keys, raw, line in settings:
        environment = keys[1] if len(keys) > 2 and keys[0] == "env" else None
        inner = keys[2:] if environment else keys
        if len(inner) > 1 and inner[0] == "vars":
            yield Creation("env", inner[1], path, line, "vars", environment=environment)
        elif len(inner) > 1 and (inner[-1] == "binding" or (inner[-1] == "name" and set(inner) & _NAMED_BINDINGS)):
            yield Creation("binding", plain(raw), path, line, inner[0], environment=environment)


def _spring(path: str, settings: tuple[Setting, ...]) -> Iterator[Creation]:
    profile = re.search(r"(?:application|bootstrap)-([\w-]+)\.", path)
    for keys, raw, line in settings:
        name = ".".join(key for key in keys if not key.isdigit() and not key.startswith("document "))
        needs = tuple(
            Need("host", found, is_optional=bool(fallback)) for found, fallback in re.findall(r"\$\{([\w.]+)(:[^}]*)?\}", raw)
        )
        yield Creation(
            "env", name, path, line, "application properties", environment=profile[1] if profile else None, needs=needs
        )


_DOTNET = pattern(r"(^|/)appsettings(?:\.([\w-]+))?\.json$")


def _dotnet(path: str, settings: tuple[Setting, ...]) -> Iterator[Creation]:
    """Keys of appsettings.json as the environment spells them: `Payments__ApiKey`."""
    stage = _DOTNET.search(path)
    for keys, raw, line in settings:
        value = plain(raw)
        yield Creation(
            "env", "__".join(keys), path, line, "appsettings", may_be_empty=value in ("", "null"), environment=stage[2] if stage else None
        )  # fmt: skip


def _dockerfile(path: str, text: str) -> Iterator[Creation]:
    continued = ""
    for line, raw in enumerate(text.split("\n"), start=1):
        stripped = raw.strip()
        word = continued or (stripped.split(None, 1) or [""])[0].upper()
        if word in ("ENV", "ARG") and not stripped.startswith("#"):
            body = stripped if continued else stripped.split(None, 1)[-1]
            pairs = re.findall(r"([A-Za-z_]\w*)=", body) or ([] if continued else re.findall(r"^(\w+)", body))
            for name in pairs:
                has_value = word == "ENV" or "=" in body
                yield Creation("env", name, path, line, word, has_value=has_value, phase="build" if word == "ARG" else "run")
        continued = word if stripped.endswith("\\") and word in ("ENV", "ARG") else ""


def _lines(path: str, text: str, language: str) -> Iterator[Creation]:
    phase: Phase = "build" if language == "env" else "run"
    pattern = {
        "env": r"\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$",
        "procfile": r"[\w-]+:.*?\b([A-Z_][A-Z0-9_]*)=(\S+)",
        "bash": r"\s*export\s+([A-Z_][A-Z0-9_]*)=(.*)$",
    }.get(language, r"\s*Environment=\"?([A-Za-z_]\w*)=(.*)$")
    for line, raw in enumerate(text.split("\n"), start=1):
        match = re.match(pattern, raw)
        if match:
            yield Creation(
                "env", match[1], path, line, path.rsplit("/", 1)[-1], phase=phase, may_be_empty=not match[2].strip("\"' ")
            )
