"""Which live resource runs a file of the repository, as far as the graph and the manifests tell."""

import re
from collections.abc import Sequence

from bot.investigator.case import Case
from gonogo.change import Side
from gonogo.pattern import pattern
from gonogo.resource import Declared, Relation, Resource
from heuristics.code.word_sets import words
from heuristics.stages import is_for_production

_WORKLOAD = pattern(
    r"aws\.(lambda\.function|ecs\.service|ecs\.task_definition|apprunner\.service|batch\.\w+|ec2\.instance|autoscaling\.group|amplify\.\w+"
    r"|elasticbeanstalk\.\w+|stepfunctions\.state_machine|glue\.job)"
    r"|kubernetes\.(deployment|statefulset|daemonset|cronjob|job|rollout|replicaset|pod)"
    r"|cloudflare\.(worker|pages\w*)(\.\w+)?"
    r"|(?!aws\.|kubernetes\.|cloudflare\.|github\.)[\w-]+\.([\w-]+\.)*(app|service|job|function|worker|project|site|dyno|web_app|function_app"
    r"|container_app|unit|container|process|machine|vm|instance|run|release)"
)
_INFRA = words(
    "infra infrastructure terraform tf k8s kubernetes deploy deployment deployments manifests helm charts chart ops cloudformation cdk iac"
    " config kustomize base overlays prod production templates stacks aws cloud"
)


def is_workload(kind: str) -> bool:
    """Whether resources of this kind run programs."""
    return _WORKLOAD.fullmatch(kind) is not None


def workloads(case: Case) -> tuple[Resource, ...]:
    """The programs that this repository deploys; where the graph names none, those that a changed manifest names."""
    found = tuple(r for r in case.deployed() if is_workload(r.kind))
    targets = {e.target for e in case.out_of(case.repository, Relation.DEPLOYS_TO)}
    return tuple(r for r in found if r.id in targets) or found


def runners(case: Case, path: str) -> tuple[Resource, ...]:
    """The deployed programs that may run this file; one when handler, folder or manifest says which.

    Several come back when nothing tells them apart, none when the repository deploys no program.
    """
    found = workloads(case)
    if len(found) < 2:
        return found
    scored = [(max((_ownership(d, path) for d in declarations_of(case, r.id)), default=0), r) for r in found]
    best = max(score for score, _ in scored)
    if best < max((_ownership(d, path) for d in _not_live_yet(case)), default=0):
        return ()
    if best > 0:
        return tuple(r for score, r in scored if score == best)
    folders = path.lower().replace("_", "-").split("/")[:-1]
    named = tuple(r for r in found if r.name.lower().replace("_", "-") in folders)
    return named or found


def _not_live_yet(case: Case) -> Sequence[Declared]:
    """Programs that this change adds: the file may be theirs alone."""
    added = [c.after for c in case.diff.settings if c.key == "" and c.before is None and c.after is not None]
    return [d for d in added if is_workload(d.kind) and case.diff.live_of(d) is None and is_for_production(case.diff, d)]


def declarations_of(case: Case, resource: str, side: Side = "head") -> Sequence[Declared]:
    """The declarations of one side that were joined to a live resource."""
    declared = case.diff.declared.get(side)
    return [d for d in declared.resources if case.diff.live_of(d) == resource] if declared else []


def _ownership(declared: Declared, path: str) -> int:
    """How closely a declaration points at a path: its handler file, its code folder, the folder that its manifest lies in."""
    stem = path.rpartition(".")[0] or path
    handler = declared.settings.get("handler")
    if handler is not None and isinstance(handler.value, str):
        file = handler.value.partition("::")[0]
        module = file if "::" in handler.value else file.rpartition(".")[0]
        written = module.removeprefix("./").replace(".", "/")
        if written and (stem == written or stem.endswith("/" + written) or stem.replace("/", ".").endswith("." + module)):
            return 1_000
        beside = written.rpartition("/")[0] + "/"
        if beside != "/" and f"/{beside}" in f"/{path}":
            return 200 + len(beside)
    main = declared.settings.get("main") or declared.settings.get("entry")
    if main is not None and isinstance(main.value, str) and path == _joined(declared.file, main.value):
        return 1_000
    code = declared.settings.get("code")
    if code is not None and isinstance(code.value, str) and not re.search(r"\.(zip|jar|tar)$|^s3:|\$", code.value):
        folder = _joined(declared.file, code.value).strip("/") + "/"
        if folder != "/" and path.startswith(folder):
            return 500 + len(folder)
    folder = _owner_folder(declared.file)
    return len(folder) if folder and path.startswith(folder) else 0


def _joined(manifest: str, relative: str) -> str:
    parts = manifest.split("/")[:-1]
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def _owner_folder(manifest: str) -> str:
    parts = manifest.split("/")[:-1]
    while parts and parts[-1].lower() in _INFRA:
        parts.pop()
    return "/".join(parts) + "/" if parts else ""
