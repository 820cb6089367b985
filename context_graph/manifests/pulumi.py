"""Pulumi programs in TypeScript, JavaScript, Python and Go, and in YAML's `resources`: what they declare, under Terraform's kinds.

Only what is written out is read. A resource whose logical name is computed is conditional: how many there are is not known.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping

from context_graph.manifests.kinds import terraform_kind
from context_graph.manifests.node import Draft, Node, Reading
from context_graph.manifests.program_values import Language, ValueReader
from context_graph.manifests.pulumi_files import LANGUAGES
from context_graph.manifests.terraform.resources import physical_name
from context_graph.normal_form import snake
from gonogo.pattern import pattern
from gonogo.record import Record

MAX_BYTES = 400_000
MAX_RESOURCES = 2_000
_PROVIDERS = {"aws": "aws", "cloudflare": "cloudflare", "gcp": "google", "azure": "azurerm", "digitalocean": "digitalocean"}
_FLAT = {"ec2", "lb", "alb", "index"}
_TYPES = {
    "aws_lb_load_balancer": "aws_lb", "aws_alb_load_balancer": "aws_lb", "aws_rds_instance": "aws_db_instance", "aws_rds_proxy": "aws_db_proxy",
    "aws_rds_parameter_group": "aws_db_parameter_group", "aws_rds_subnet_group": "aws_db_subnet_group",
    "azurerm_dns_c_name_record": "azurerm_dns_cname_record", "azurerm_dns_aaaa_record": "azurerm_dns_aaaa_record",
}  # fmt: skip
_SCRIPT_IMPORTS = pattern(
    r"import\s+\*\s+as\s+(\w+)\s+from\s+[\"']@pulumi/([\w-]+)(?:/(\w+))?[\"']|(?:const|let|var)\s+(\w+)\s*=\s*require\([\"']@pulumi/([\w-]+)[\"']\)|import\s*\{([^}]{0,400})\}\s*from\s*[\"']@pulumi/([\w-]+)[\"']"
)
_PYTHON_IMPORTS = pattern(r"(?m)^\s*import\s+pulumi_(\w+)(?:\s+as\s+(\w+))?|^\s*from\s+pulumi_(\w+)\s+import\s+([\w, ]{1,400})")
_GO_IMPORTS = pattern(r"(?:(?!import\b)\b(\w+)[ \t]+)?\"github\.com/pulumi/pulumi-(\w+)/sdk/(?:v\d+/)?go/\w+(?:/(\w+))?\"")
_CONSTANT = pattern(
    r"(?m)^(?:export\s+)?(?:const\s+|let\s+|var\s+)?([A-Za-z_]\w*)(?:\s*:\s*\w+)?\s*(?::=|=)\s*((\"[^\"\n$]*\"|'[^'\n$]*')|-?\d+(?:\.\d+)?)\s*;?\s*$"
)
_NEW = pattern(r"\bnew\s+([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+)\s*(?=\()")
_CALL = pattern(r"(?<![\w.])([A-Za-z_]\w*(?:\.\w+)+)\s*(?=\()")
_GO_NEW = pattern(r"(?<![\w.])(\w+)\.New([A-Z]\w*)\s*(?=\(\s*ctx\b)")
_ASSIGNED = pattern(r"([A-Za-z_$][\w$]*)(?:\s*:\s*[\w.]+)?(?:\s*,\s*\w+)?\s*:?=\s*$")


class _Site(Record):
    """Where a program makes a resource; `at` is its opening parenthesis."""

    type: str
    start: int
    at: int


def read_pulumi(files: Mapping[str, str], projects: tuple[str, ...]) -> Reading:
    """Everything that the programs declare, by path → text."""
    reading = Reading()
    kept = {p: t for p, t in files.items() if len(t) <= MAX_BYTES and re.search(r"@pulumi/|pulumi_\w+|pulumi-\w+/sdk", t)}
    constants: dict[str, list[Node]] = {}
    for path, text in files.items():
        if len(text) <= MAX_BYTES:
            for name, node in _constants(path, text):
                constants.setdefault(name, []).append(node)
    known = {name: found[0] for name, found in constants.items() if len({n.string() for n in found}) == 1}
    for path, text in sorted(kept.items()):
        scope = max((p for p in projects if path.startswith(f"{p}/") or not p), key=len, default="")
        drafts = list(_drafts(path, text, known, scope))
        reading.drafts += drafts[: max(0, MAX_RESOURCES - len(reading.drafts))]
    return reading


def _constants(path: str, text: str) -> Iterator[tuple[str, Node]]:
    for found in _CONSTANT.finditer(text):
        value = ValueReader(found[2], _language(path)).value()
        yield found[1], Node(value.value, text.count("\n", 0, found.start()) + 1, text=found[2], file=path)


def _drafts(path: str, text: str, constants: Mapping[str, Node], scope: str) -> Iterator[Draft]:
    language = _language(path)
    sites = list(_sites(text, language))
    addresses: dict[str, str] = {}
    for site in sites:
        logical = _logical(text, site, language)
        assigned = _ASSIGNED.search(text[max(0, site.start - 200) : site.start])
        if logical is not None and assigned is not None:
            addresses[assigned[1]] = f"{site.type}.{logical}"
    local = {k: n for k, n in constants.items() if k not in addresses}
    for site in sites:
        reader = ValueReader(text, language, local, addresses, at=site.at)
        given, named = reader.arguments()
        given = given[1:] if language == "go" else given
        if not given:
            continue
        logical = given[0].string()
        body = (
            Node(dict(named), reader.line(site.start))
            if language == "python"
            else given[1]
            if len(given) > 1
            else Node({}, reader.line())
        )
        if not isinstance(body.value, dict):
            continue
        entries = {snake(k): v for k, v in body.value.items() if k != "opts"}
        node = Node(entries, reader.line(site.start), end_line=reader.line())
        draft = Draft(
            kind=terraform_kind(site.type), address=f"{site.type}.{logical or given[0].text}", file=path,
            line=reader.line(site.start), end_line=reader.line(), node=node, name=physical_name(site.type, node),
            is_conditional=logical is None, scope=scope,
        )  # fmt: skip
        options = given[2] if language != "python" and len(given) > 2 else named.get("opts")
        protect = options.get("protect") if options is not None else None
        if protect is not None:
            draft.extra["prevent_destroy"] = protect
        yield draft


def _logical(text: str, site: _Site, language: Language) -> str | None:
    given, _ = ValueReader(text, language, at=site.at).arguments()
    found = given[1:] if language == "go" else given
    return found[0].string() if found else None


def _sites(text: str, language: Language) -> Iterator[_Site]:
    roots = _roots(text, language)
    if language == "go":
        for found in _GO_NEW.finditer(text):
            if found[1] in roots:
                yield _Site(_type(*roots[found[1]], found[2]), found.start(), found.end())
        return
    for found in (_NEW if language == "script" else _CALL).finditer(text):
        root, *rest = found[1].split(".")
        if root in roots and rest and rest[-1][:1].isupper() and not rest[-1].endswith(("Args", "Provider")):
            provider, module = roots[root]
            modules = [m for m in (module, *rest[:-1]) if m]
            yield _Site(_type(provider, modules[0] if modules else "", rest[-1]), found.start(), found.end())


def _roots(text: str, language: Language) -> dict[str, tuple[str, str]]:
    """Name in the program → (provider, module)."""
    found: dict[str, tuple[str, str]] = {}
    if language == "script":
        for m in _SCRIPT_IMPORTS.finditer(text):
            for name, provider, module in ((m[1], m[2], m[3]), (m[4], m[5], "")):
                if name and provider in _PROVIDERS:
                    found[name] = (_PROVIDERS[provider], module or "")
            for name in (m[6] or "").split(","):
                if m[7] in _PROVIDERS and name.strip():
                    found[name.split()[-1]] = (_PROVIDERS[m[7]], name.split()[0])
    elif language == "python":
        for m in _PYTHON_IMPORTS.finditer(text):
            if m[1] in _PROVIDERS:
                found[m[2] or f"pulumi_{m[1]}"] = (_PROVIDERS[m[1]], "")
            for name in (m[4] or "").split(","):
                if m[3] in _PROVIDERS and name.strip():
                    found[name.split()[-1]] = (_PROVIDERS[m[3]], name.split()[0])
    else:
        for m in _GO_IMPORTS.finditer(text):
            if m[2] in _PROVIDERS:
                found[m[1] or m[3] or m[2]] = (_PROVIDERS[m[2]], m[3] or "")
    return found


def _type(provider: str, module: str, name: str) -> str:
    """Terraform's type of a Pulumi class: `aws`, `sqs`, `Queue` → `aws_sqs_queue`."""
    bare = re.sub(r"_?v\d$", "", snake(name))
    module = "" if provider == "cloudflare" else "api_gateway" if module == "apigateway" else module.lower()
    plain = "_".join(part for part in (provider, module, bare) if part)
    if plain in _TYPES:
        return _TYPES[plain]
    if module in _FLAT:
        return "_".join([provider, *(["lb"] if module in ("lb", "alb") else []), bare])
    return f"{provider}_{bare}" if module and bare.startswith(f"{module}_") else plain


def _language(path: str) -> Language:
    return LANGUAGES.get(posixpath.splitext(path)[1], "script")
