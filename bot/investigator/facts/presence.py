"""Whether production gives a name to a program: proved present, proved absent, or not known."""

import shlex
from collections.abc import Mapping

from bot.investigator.asking import lists_name
from bot.investigator.case import Case
from bot.investigator.facts.pod_sources import lacking_sources, taken_whole
from bot.investigator.facts.stores import STORE_LISTS, stores_of
from gonogo.evidence import ConfigEvidence
from gonogo.record import Record
from gonogo.redaction import is_secret_name, redacted
from gonogo.resource import Resource
from heuristics.code import Read
from heuristics.code.reads_found import Kind

_MAIN: dict[Kind, tuple[str, ...]] = {
    "env": (
        "environment_keys", "environment", "env_keys", "environment_variables", "config_keys", "variables", "vars", "env", "env_vars", "env_var_names", "envs",
        "environment_variable_names", "variable_names", "config_vars", "config_var_names", "app_settings", "application_settings", "environment_properties",
    ),
    "binding": ("bindings", "binding_names"),
    "secret": ("secrets", "secret_names", "parameters", "parameter_names"),
}  # fmt: skip
_WHOLE: dict[str, tuple[str, ...]] = {"fly.app": ("secrets", "secret_names")}
"""Platforms that keep all variables that no manifest of the repository gives in one list of another name."""
_ALSO = (
    "secrets", "secret_keys", "secret_names", "environment_keys", "bindings", "vars", "config_keys", "environment_secrets", "secret_environment", "secret_env",
    "secret_variables", "app_settings", "application_settings", "config_vars", "config_var_names", "env_vars", "env_var_names", "environment_variable_names", "variable_names",
    "env_from_keys", "settings",
)  # fmt: skip


class Presence(Record):
    """`has` or `lacks` is the citation; both are None when no list was read that could tell."""

    resource: Resource
    has: ConfigEvidence | None = None
    lacks: ConfigEvidence | None = None
    also: tuple[ConfigEvidence, ...] = ()
    """Further lists that lack it: a pod has all it is given from several."""


def presence_of(case: Case, resource: Resource, names: tuple[str, ...], kind: Kind) -> Presence:
    """Look for a name (or one of its spellings) in every list of names that was read of a resource and its stores."""
    lacking: ConfigEvidence | None = None
    whole = (*_MAIN[kind], *(_WHOLE.get(resource.kind, ()) if kind == "env" else ()))
    for key in dict.fromkeys((*_MAIN[kind], *_ALSO)):
        for name in names:
            found = lists_name(case, resource.id, key, name)
            if found is not None and not found.absent:
                return Presence(resource, has=found)
            if found is not None and key in whole and name == names[0]:
                lacking = lacking or found
    taken = taken_whole(case, resource) if resource.kind.startswith("kubernetes.") else None
    whole_stores: Mapping[str, Resource] = taken.stores if taken is not None else {}
    for store in {**{s.id: s for s in stores_of(case, resource)}, **whole_stores}.values():
        is_read = False
        for key in STORE_LISTS if store.kind.startswith("kubernetes.") else (*_MAIN[kind], *_ALSO):
            for name in names:
                found = lists_name(case, store.id, key, name)
                is_read = is_read or found is not None
                if found is not None and not found.absent:  # a key that the program's own list lacks may not be mapped to it
                    is_mapped = lacking is None or not store.kind.startswith("kubernetes.") or store.id in whole_stores
                    return Presence(resource, has=found) if is_mapped else Presence(resource)
        if not is_read:
            return Presence(resource)  # a source whose names were not read may hold it
    if taken is not None and not taken.is_read:
        return Presence(resource)
    if lacking is None and resource.kind.startswith("kubernetes."):
        found = lacking_sources(case, resource, names) or ()
        return Presence(resource, lacks=next(iter(found), None), also=found[1:])
    return Presence(resource, lacks=lacking)


def asking_for(resource: Resource | None, name: str, kind: Kind) -> str:
    """The read-only command that lists the names which a program of this kind is given."""
    if resource is None:
        return (
            f"kubectl get deploy,statefulset,cronjob -A -o yaml | grep -n -- {shlex.quote(f'name: {name}')}"
            "  # or, by platform: aws lambda get-function-configuration --function-name NAME --query 'keys(Environment.Variables)',"
            " npx wrangler secret list, fly secrets list"
        )
    name, label, provider = shlex.quote(name), shlex.quote(resource.name), resource.kind
    if kind == "secret" and not provider.startswith("kubernetes"):
        if name.startswith("/"):
            return f"aws ssm describe-parameters --parameter-filters Key=Name,Values={name}"
        return f"aws secretsmanager describe-secret --secret-id {name} --query Name"
    if provider.startswith("kubernetes."):
        space = str(resource.attributes.get("namespace") or "default")
        return f"kubectl -n {space} get {provider.rpartition('.')[2]} {label} -o jsonpath='{{..env[*].name}} {{..envFrom}}'"
    commands = {
        "aws.lambda.function": f"aws lambda get-function-configuration --function-name {label} --query 'keys(Environment.Variables)'",
        "aws.ecs.service": f"aws ecs describe-task-definition --task-definition {label} "
        "--query 'taskDefinition.containerDefinitions[].[environment[].name,secrets[].name]'",
        "cloudflare.worker": f"npx wrangler secret list --name {label}",
        "fly.app": f"fly secrets list --app {label}",
        "heroku.app": f"heroku config --app {label}",
        "nomad.job": f"nomad job inspect {label}",
        "vercel.project": "vercel env ls production",
    }
    return commands.get(provider, f"list the environment of {label} ({provider}) and look for {name}")


def falls_back(read: Read) -> str:
    """What the code does without the name, where it gives a value itself; the value of what may be a secret is not shown."""
    if read.default in (None, ""):
        return ""
    shown = str(read.default)
    if is_secret_name(read.name) or redacted(shown) != shown:
        return "has a fallback of its own"
    return f"falls back to {shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + '…'}"


_LONGEST_SHOWN = 80
