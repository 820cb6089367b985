"""Every manifest of one side of a change → declared resources, edges between them, and what could not be read."""

from collections.abc import Collection

from context_graph.manifests.assemble import assemble
from context_graph.manifests.documents import read_documents
from context_graph.manifests.node import Reading
from context_graph.manifests.pulumi_files import is_program, projects_in
from gonogo.ports import SourceTree
from gonogo.resource import Declared, DeclaredEdge
from gonogo.word import Word

_TERRAFORM = (".tf", ".tofu", ".tfvars")
_NEVER = {
    "package.json", "package-lock.json", "tsconfig.json", "pnpm-lock.yaml", "composer.json", "composer.lock", "npm-shrinkwrap.json",
    ".eslintrc.json", "angular.json", "renovate.json", ".pre-commit-config.yaml", "mkdocs.yml", ".travis.yml", "codecov.yml",
    "nest-cli.json", "turbo.json", "lerna.json", "openapi.json", "swagger.json", "manifest.json", "deno.json", "biome.json",
}  # fmt: skip
_NEVER_UNDER = ("node_modules/", "vendor/", ".terraform/", ".git/", ".serverless/", ".aws-sam/")


class NotRead(Word):
    """A manifest, or a part of one, that was not read, and why; never silently dropped."""

    file: str
    line: int | None
    why: str


class Manifests(Word):
    """What the manifests of one side declare.

    `(address, environment)` is unique among the resources; where two roots of the tree use one address, it begins with
    the root: `services/a/template.yaml//Resources.Queue`.
    """

    resources: tuple[Declared, ...] = ()
    edges: tuple[DeclaredEdge, ...] = ()
    not_read: tuple[NotRead, ...] = ()


def read_manifests(tree: SourceTree, paths: Collection[str] | None = None, *, with_settings: bool = True) -> Manifests:
    """Reads the manifests among `paths`, or of the whole tree; they are found by content, not only by name.

    Terraform is read as a whole when one of the paths is Terraform, since values and modules cross files. Without
    settings the resources have none: half the time, for those who only ask what is there and what it is joined to.
    """
    everything = tree.paths()
    wanted = set(everything if paths is None else paths)
    candidates = [path for path in everything if could_be_manifest(path)]
    reading = Reading()
    if any(path.endswith(_TERRAFORM) for path in wanted):
        from context_graph.manifests.terraform.read import read_terraform  # noqa: PLC0415 - only when there is HCL to read

        files = {path: text for path in candidates if path.endswith(_TERRAFORM) and (text := tree.text(path)) is not None}
        reading.add(read_terraform(files))
    projects = projects_in(everything)
    programs = [path for path in everything if is_program(path, projects)] if projects else []
    if wanted & set(programs):
        from context_graph.manifests.pulumi import read_pulumi  # noqa: PLC0415 - only when there is a program to read

        reading.add(read_pulumi({p: text for p in programs if (text := tree.text(p)) is not None}, projects))
    documents = [path for path in candidates if not path.endswith(_TERRAFORM)]
    reading.add(read_documents(documents, tree.text, wanted=None if paths is None else wanted, everything=everything))
    reading.not_read += [
        (path, None, "too large, or not text")
        for path in candidates
        if path in wanted and path.endswith(_TERRAFORM) and tree.text(path) is None
    ]
    resources, edges = assemble(reading, with_settings=with_settings)
    not_read = sorted(set(reading.not_read), key=lambda item: (item[0], item[1] or 0, item[2]))
    return Manifests(
        resources=resources, edges=edges, not_read=tuple(NotRead(file=file, line=line, why=why) for file, line, why in not_read)
    )


def touches_manifests(tree: SourceTree, paths: Collection[str]) -> bool:
    """Whether one of these files may declare infrastructure: by its name, or as a program of a project in the tree."""
    if any(could_be_manifest(path) for path in paths):
        return True
    projects = projects_in(tree.paths())
    return bool(projects) and any(is_program(path, projects) for path in paths)


def could_be_manifest(path: str) -> bool:
    """True when a file of this name may declare infrastructure; cheap, before the file is opened."""
    name = path.rpartition("/")[2]
    if name in _NEVER or any(part in f"/{path}" for part in map("/{}".format, _NEVER_UNDER)):
        return False
    if name == "Procfile" or name.endswith(_TERRAFORM):
        return True
    if name.endswith(".toml"):
        return name.startswith("wrangler")
    return name.endswith((".yaml", ".yml", ".json", ".jsonc", ".template", ".tpl"))
