"""Everything that is not Terraform: opens the file, looks at its content, and gives it to the reader of its format."""

import posixpath
import re
from collections.abc import Callable, Collection, Sequence

from context_graph.manifests.cloudformation import is_template, read_template
from context_graph.manifests.compose import is_compose, read_compose, read_variables
from context_graph.manifests.helm import is_values, read_chart, read_values
from context_graph.manifests.json_source import JsonError, read_json
from context_graph.manifests.kubernetes import is_object, read_object
from context_graph.manifests.kustomize import is_kustomization, namespace_of, read_kustomization
from context_graph.manifests.node import Draft, Node, Reading
from context_graph.manifests.procfile import read_procfile
from context_graph.manifests.serverless import is_serverless, read_serverless
from context_graph.manifests.stack_parameters import give_parameters
from context_graph.manifests.toml_source import TomlError, read_toml
from context_graph.manifests.workflows import is_workflow, read_workflow
from context_graph.manifests.wrangler import is_wrangler, read_wrangler
from context_graph.manifests.yaml_source import YamlError, read_yaml
from gonogo.pattern import pattern

_SIGNS = pattern(
    r"^[ \t]*[\"']?(?:apiVersion|AWSTemplateFormatVersion|Transform|Resources|services|functions|jobs|containerDefinitions|provider)[\"']?\s*:"
    r"|AWS::|compatibility_date|\{[^\n]{0,200}\bapiVersion",
    re.MULTILINE,
)
_JSON_SIGNS = pattern(
    r"\"Type\"\s*:\s*\"AWS::|\"AWSTemplateFormatVersion\"|\"compatibility_date\"|\"containerDefinitions\"|\"apiVersion\"\s*:\s*\"[\w./]+\""
)
_ENVIRONMENTS = pattern(
    r"(?:^|[/._-])(prod|production|prd|live|staging|stage|stg|dev|develop|development|test|testing|qa|uat|preprod|sandbox|demo)(?=$|[/._-])"
)
Text = Callable[[str], str | None]


def read_documents(
    paths: Sequence[str], text_of: Text, *, wanted: Collection[str] | None, everything: Sequence[str] = ()
) -> Reading:
    """The manifests among these files; `everything` is what stands beside them. Helm charts are read as a whole when one of their files is wanted."""
    text_of = _inside(text_of)
    reading = Reading()
    charts = sorted(
        {posixpath.dirname(path) for path in paths if posixpath.basename(path) in ("Chart.yaml", "Chart.yml")}, key=len
    )
    in_chart: dict[str, list[str]] = {chart: [] for chart in charts}
    for path in paths:
        chart = next((c for c in reversed(charts) if path.startswith(f"{c}/" if c else "")), None)
        belongs = chart is not None and (_is_template_of(path, chart) or is_values(path))
        if belongs and chart is not None:
            in_chart[chart].append(path)
        elif wanted is None or path in wanted:
            reading.add(_read_file(path, text_of(path), text_of))
    for chart, files in in_chart.items():
        if files and (wanted is None or any(path in wanted for path in files)):
            reading.add(_read_chart(chart, files, text_of))
    _apply_namespaces(paths, text_of, reading)
    give_parameters(reading.stacks, everything, text_of)
    return reading


def _inside(text_of: Text) -> Text:
    """Paths in manifests come from strangers: one that leads out of the checkout is not even asked for."""
    return lambda path: None if path.startswith(("/", "../")) or path == ".." or "/../" in path else text_of(path)


def environment_in(path: str) -> str | None:
    """The deploy environment that a folder or file name speaks of, or None."""
    found = _ENVIRONMENTS.findall(path.rpartition("/")[0])
    return found[-1] if found else None


def _is_template_of(path: str, chart: str) -> bool:
    return path.startswith(f"{chart}/templates/" if chart else "templates/")


def _read_file(path: str, text: str | None, text_of: Text) -> Reading:
    name = posixpath.basename(path)
    if text is None:
        return (
            Reading(not_read=[(path, None, "too large, or not text")])
            if name.startswith(("wrangler", "serverless", "template"))
            else Reading()
        )
    if name == "Procfile":
        return read_procfile(text, path)
    is_known_name = name.startswith(("wrangler.", "serverless.", "kustomization.", "docker-compose", "compose.")) or is_values(
        path
    )
    signs = _JSON_SIGNS if name.endswith((".json", ".jsonc")) else _SIGNS
    if not is_known_name and not signs.search(text[:1_000_000]):
        return Reading()
    if (
        "{{" in text
        and name.endswith((".tpl", ".yaml", ".yml"))
        and re.search(r"\{\{-?\s*(?:if|range|include|define|\.Values|template)\b", text)
    ):
        return read_chart({path: text}, {})
    return _parsed(path, text, text_of)


def _parsed(path: str, text: str, text_of: Text) -> Reading:
    try:
        if path.endswith(".toml"):
            roots = [read_toml(text)]
        elif path.endswith((".json", ".jsonc")) or text.lstrip()[:1] == "{":
            roots = [read_json(text)]
        else:
            roots = read_yaml(text)
    except (YamlError, JsonError, TomlError) as error:
        return Reading(not_read=[(path, error.line, error.why)])
    reading = Reading()
    for root in roots:
        reading.add(_read_root(root, path, text_of))
    return reading


def _read_root(root: Node, path: str, text_of: Text) -> Reading:
    environment = environment_in(path)
    if is_workflow(root, path):
        return read_workflow(root, path)
    if is_kustomization(root, path):
        return read_kustomization(root, path, environment=environment, text_of=text_of)
    if is_object(root):
        return read_object(root, path, environment=environment)
    if is_template(root):
        return read_template(root, path)
    if is_serverless(root):
        return read_serverless(root, path)
    if is_wrangler(root, path):
        return read_wrangler(root, path)
    if is_compose(root, path):
        variables = text_of(posixpath.join(posixpath.dirname(path), ".env"))
        return read_compose(root, path, given=read_variables(variables) if variables is not None else None, text_of=text_of)
    if root.get("containerDefinitions") is not None and root.get("family") is not None:
        return _task_definition(root, path)
    return read_values(path, root) if is_values(path) else Reading()


def _task_definition(root: Node, path: str) -> Reading:
    family = root.get("family")
    name = family.string() if family is not None else None
    draft = Draft(
        "aws.ecs.task_definition", f"taskDefinition/{name or path}", path, root.line, max(root.line, root.end_line), root, name
    )
    draft.scope = path
    return Reading(drafts=[draft])


def _read_chart(chart: str, files: list[str], text_of: Text) -> Reading:
    values: dict[str, Node] = {}
    reading = Reading()
    for path in files:
        text = text_of(path) if is_values(path) and "/templates/" not in path else None
        if text is None:
            continue
        try:
            documents = read_yaml(text)
        except YamlError as error:
            reading.not_read.append((path, error.line, error.why))
            continue
        if documents:
            values[path] = documents[0]
    templates = {
        p: t for p in files if "templates/" in p and not p.endswith(".tpl") and (t := text_of(p)) is not None and "kind:" in t
    }
    helpers = {p: t for p in files if "templates/" in p and p not in templates and (t := text_of(p)) is not None}
    reading.add(read_chart(templates, values, helpers=helpers, chart=_about(chart, text_of)))
    if not any(draft.kind.startswith("kubernetes.") and "image" in draft.extra for draft in reading.drafts):
        for path, root in values.items():
            reading.add(read_values(path, root))
    return reading


def _about(chart: str, text_of: Text) -> Node | None:
    text = text_of(posixpath.join(chart, "Chart.yaml")) or text_of(posixpath.join(chart, "Chart.yml"))
    try:
        return next(iter(read_yaml(text or "")), None)
    except YamlError:
        return None


def _apply_namespaces(paths: Sequence[str], text_of: Text, reading: Reading) -> None:
    """A kustomization's namespace holds for the objects that stand beside it and name none."""
    for path in paths:
        if not posixpath.basename(path).lower().startswith("kustomization"):
            continue
        text = text_of(path)
        if text is None or "namespace:" not in text:
            continue
        try:
            space = next((s for root in read_yaml(text) if (s := namespace_of(root))), None)
        except YamlError:
            continue
        directory = posixpath.dirname(path)
        for draft in reading.drafts:
            if (
                space
                and draft.kind.startswith("kubernetes.")
                and posixpath.dirname(draft.file) == directory
                and "/default/" in draft.address
            ):
                draft.address = draft.address.replace("/default/", f"/{space}/", 1)
                draft.extra["namespace"] = Node(space, draft.line, text=space)
