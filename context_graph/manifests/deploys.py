"""Which workflow deploys what: the commands and actions of its steps, led to the workloads that they name by path."""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from context_graph.manifests.node import Draft, Link, Node
from gonogo.pattern import pattern
from gonogo.resource import Relation

TO_FIND = "@deploy"
"""Scope of a target that is a tool and a path until all manifests are read."""
MAX_SCRIPT = 20_000
MAX_COMMANDS = 20
"""Commands of one tool that are looked at in one step."""
MAX_DEPLOYMENTS = 200
"""Deployments of one workflow."""
_ARGUMENT = r"(?:[=\s]\s*[\"']?([\w./-]{1,300})[\"']?)"
_FOLDER = pattern(r"(?:^|[;&|\n])\s*cd\s+[\"']?([\w./-]{1,300})[\"']?")
_TOOLS = {
    "wrangler": pattern(r"wrangler\s+(?:deploy|publish|versions\s+deploy)([^\n;&|]{0,500})"),
    "kubernetes": pattern(r"(?:kubectl|oc)\s+apply([^\n;&|]{0,500})"),
    "template": pattern(r"(?:sam\s+deploy|cloudformation\s+(?:deploy|update-stack|create-stack))([^\n;&|]{0,500})"),
    "terraform": pattern(r"(?:terraform|tofu)((?:\s+-chdir=[\w./-]{1,300})?)\s+apply"),
    "serverless": pattern(r"(?:serverless|sls)\s+deploy([^\n;&|]{0,500})"),
}
_PATHS = {
    "wrangler": pattern(r"(?:--config|-c)" + _ARGUMENT),
    "kubernetes": pattern(r"(?:--filename|--kustomize|-f|-k)" + _ARGUMENT),
    "template": pattern(r"(?:--template-file|--template|-t)" + _ARGUMENT),
    "terraform": pattern(r"-chdir" + _ARGUMENT),
    "serverless": pattern(r"(?:--config|-c)" + _ARGUMENT),
}
_ENVIRONMENT = pattern(r"(?:--env|-e)" + _ARGUMENT)
_WORKLOADS = (
    "aws.lambda.function", "aws.ecs.service", "aws.ecs.task_definition", "aws.stepfunctions.state_machine", "aws.apprunner.service",
    "aws.batch.job_definition", "aws.ec2.instance", "google.cloud.run_service", "google.cloud.run_v2_service",
    "google.cloudfunctions.function", "google.cloudfunctions2.function", "cloudflare.worker", "kubernetes.deployment",
    "kubernetes.statefulset", "kubernetes.daemonset", "kubernetes.cronjob", "kubernetes.job", "kubernetes.rollout", "kubernetes.pod",
)  # fmt: skip


def deploys_of(root: Node, workflow: Draft) -> Iterator[Link]:
    """The deployments that the steps of a workflow make, their targets still to be found."""
    jobs = root.get("jobs")
    usual = root.get("defaults", "run", "working-directory")
    for job in (jobs.entries() if jobs is not None else {}).values():
        inside = job.get("defaults", "run", "working-directory") or usual
        steps = job.get("steps")
        for step in steps.items() if steps is not None else []:
            folder = _text(step.get("working-directory") or inside)
            run, uses = step.get("run"), step.get("uses")
            if run is not None and (script := run.string()) is not None:
                yield from _in_script(script[:MAX_SCRIPT], folder, run, workflow)
            elif uses is not None and "wrangler-action" in _text(uses):
                given = step.get("with") or Node({}, step.line)
                command = _text(given.get("command")) or "deploy"
                environment = _text(given.get("environment"))
                folder = _text(given.get("workingDirectory")) or folder
                script = f"wrangler {command}" + (f" --env {environment}" if environment else "")
                yield from _in_script(script, folder, uses, workflow)


def _text(node: Node | None) -> str:
    return (node.string() if node is not None else None) or ""


def _in_script(script: str, folder: str, where: Node, workflow: Draft) -> Iterator[Link]:
    for tool, command in _TOOLS.items():
        for found in islice(command.finditer(script), MAX_COMMANDS):
            before = script[: found.start()]
            moved = [m.group(1) for m in _FOLDER.finditer(before)]
            at = posixpath.normpath(posixpath.join(folder, *moved[-1:]))
            named = [m.group(1) for m in _PATHS[tool].finditer(found.group(0))] or [""]
            environment = _ENVIRONMENT.search(found.group(0)) if tool == "wrangler" else None
            line = where.line + (before.count("\n") + 1 if "\n" in script else 0)
            for path in named:
                target = "\n".join(
                    (tool, posixpath.normpath(posixpath.join(at, path)), environment.group(1) if environment else "")
                )
                evidence = " ".join(found.group(0).split())
                yield Link(
                    workflow.address, target, Relation.DEPLOYS_TO, workflow.file, line, evidence[:200], workflow.scope, TO_FIND
                )


def find_deployed(drafts: Sequence[Draft], links: Iterable[Link]) -> list[Link]:
    """Every deployment as one edge to each workload that it names; one that names none of the tree is left out."""
    workloads = [d for d in drafts if d.kind in _WORKLOADS and not d.part_of and "is_reference" not in d.extra]
    found: list[Link] = []
    for link in links:
        if link.target_scope != TO_FIND:
            found.append(link)
            continue
        tool, path, environment = link.target.split("\n")
        chosen = [d for d in workloads if _FITS[tool](d, path, environment)]
        found += [replace(link, target=draft.address, target_scope=draft.scope) for draft in chosen]
    return found


def _folder(draft: Draft) -> str:
    return posixpath.dirname(draft.file) or "."


def _is_worker(draft: Draft, path: str, environment: str) -> bool:
    return draft.kind == "cloudflare.worker" and path in (draft.file, _folder(draft)) and (draft.environment or "") == environment


def _is_object(draft: Draft, path: str, _environment: str) -> bool:
    return draft.kind.startswith("kubernetes.") and (path in (draft.file, ".") or draft.file.startswith(path + "/"))


def _is_templated(draft: Draft, path: str, _environment: str) -> bool:
    return draft.address.startswith("Resources.") and path in (draft.file, _folder(draft))


def _is_applied(draft: Draft, path: str, _environment: str) -> bool:
    return draft.file.endswith((".tf", ".tofu")) and (draft.scope or ".") == path


def _is_service(draft: Draft, path: str, _environment: str) -> bool:
    return draft.address.startswith("functions.") and path in (draft.file, _folder(draft))


_FITS: Mapping[str, Callable[[Draft, str, str], bool]] = {
    "wrangler": _is_worker,
    "kubernetes": _is_object,
    "template": _is_templated,
    "terraform": _is_applied,
    "serverless": _is_service,
}
