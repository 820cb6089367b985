"""Which live role a policy is of, and which programs run with it."""

from collections.abc import Sequence
from typing import cast

from bot.investigator.asking import config
from bot.investigator.case import Case
from bot.investigator.facts.runners import is_workload, runners, workloads
from gonogo.evidence import ConfigEvidence
from gonogo.pattern import pattern
from gonogo.resource import Declared, Relation, Resource
from heuristics.code import Use

_HARMLESS = pattern(
    r"(?i)BasicExecution|VPCAccessExecution|XRay|CloudWatch|TaskExecution|SSMManagedInstance|ContainerRegistry|EKS_CNI|EKSWorkerNode|KMSPowerUser|LambdaInsights"
)
"""Policies of the provider that allow logs, traces, images and network interfaces, and nothing else."""


def role_of(case: Case, policy: Declared, role: Declared | None, action: str) -> Resource | None:
    """The live role of a policy: by declaration, by the name that stands in it, else the only one that fits."""
    for declared in (role, policy):
        found = case.live_of(declared)
        if found is not None:
            return found
    roles = [r for r in case.deployed() if r.kind == "aws.iam.role"]
    names = {d.name for d in (role, policy) if d is not None and d.kind == "aws.iam.role"}
    for declared in (role, policy):
        for key in ("role", "roles", "role_name"):
            setting = declared.settings.get(key) if declared is not None else None
            if setting is not None and isinstance(setting.value, str):
                names.add(setting.value.rpartition("/")[2])
    named = [r for r in roles if r.name in names] or _function(case, policy)
    if named:
        return named[0]
    fitting = [r for r in roles if _lists(r, action)] or roles
    return fitting[0] if len(fitting) == 1 and role is None else None


def programs_of(case: Case, role: Resource | None, uses: Sequence[Use]) -> list[Resource]:
    """Programs that run with the role, by the live graph; else those that run the code which needs the action."""
    found: dict[str, Resource] = {}
    if role is not None and is_workload(role.kind):
        return [role]
    if role is not None:
        for one in case.into(role.id):
            program = case.production.resource(one.source)
            if program is not None and is_workload(program.kind):
                found[program.id] = program
        if found:
            return list(found.values())
    for use in uses[:5]:
        for program in runners(case, use.file):
            found[program.id] = program
    return list(found.values()) or list(workloads(case))


def attached_elsewhere(case: Case, role: Resource | None) -> tuple[ConfigEvidence, str] | None:
    """A policy that production attaches to the role, that no manifest here declares, and that may allow what goes; with its name."""
    cited = (
        config(case, role.id, "attached_policies", "managed_policies", "attached_managed_policies") if role is not None else None
    )
    if cited is None or not isinstance(cited.value, list | tuple):
        return None
    own = {d.name for d in case.diff.declared["head"].resources if d.kind.startswith("aws.iam.")}
    for one in cast("list[object]", cited.value):
        name = str(one).rpartition("/")[2]
        if name and name not in own and _HARMLESS.search(name) is None:
            return cited, name
    return None


def is_own(case: Case, program: Resource) -> bool:
    """Whether this repository deploys the program, so that its code is here: by the graph, else by a manifest of the change."""
    targets = {e.target for e in case.out_of(case.repository, Relation.DEPLOYS_TO)}
    is_named = any(a.is_named and a.resource == program.id for a in case.affected)
    return is_named or (program.id in targets if targets else program in case.deployed())


def _function(case: Case, wanted: Declared) -> list[Resource]:
    """The function that a grant of code names, where it is no role."""
    return [r for r in case.deployed() if wanted.kind == r.kind == "aws.lambda.function" and r.name == wanted.name]


def _lists(role: Resource, action: str) -> bool:
    listed = role.attributes.get("actions")
    return isinstance(listed, list | tuple) and action in listed
