"""Whether production gives a name to a program: proved present, proved absent, or not known."""

import shlex
from collections.abc import Iterator

from bot.investigator.asking import lists_name
from bot.investigator.case import Case
from gonogo.evidence import ConfigEvidence
from gonogo.record import Record
from gonogo.resource import Relation, Resource
from heuristics.code.reads_found import Kind

_MAIN: dict[Kind, tuple[str, ...]] = {
    "env": ("environment_keys", "environment", "env_keys", "environment_variables", "config_keys", "variables", "vars", "env"),
    "binding": ("bindings", "binding_names"),
    "secret": ("secrets", "secret_names", "parameters", "parameter_names"),
}
_ALSO = (
    "secrets", "secret_keys", "secret_names", "environment_keys", "bindings", "vars", "config_keys", "environment_secrets", "secret_environment", "secret_env",
    "secret_variables", "app_settings", "application_settings", "config_vars", "config_var_names", "env_vars", "env_var_names", "environment_variable_names", "variable_names",
    "env_from_keys", "settings",
)  # fmt: skip
_STORE_LISTS = (
    "keys", "environment_keys", "data_keys", "data", "secret_keys", "key_names", "string_data", "json_keys", "entries", "config_keys", "names"
)  # fmt: skip
_STORES = (
    "kubernetes.configmap",
    "kubernetes.secret",
    "kubernetes.externalsecret",
    "aws.ecs.task_definition",
    "doppler.",
    "vault.",
)
_TAKES = (Relation.READS_FROM, Relation.DEPENDS_ON, Relation.CONNECTS_TO)


class Presence(Record):
    """`has` or `lacks` is the citation; both are None when no list was read that could tell."""

    resource: Resource
    has: ConfigEvidence | None = None
    lacks: ConfigEvidence | None = None


def presence_of(case: Case, resource: Resource, names: tuple[str, ...], kind: Kind) -> Presence:
    """Look for a name (or one of its spellings) in every list of names that was read of a resource and its stores."""
    lacking: ConfigEvidence | None = None
    for key in dict.fromkeys((*_MAIN[kind], *_ALSO)):
        for name in names:
            found = lists_name(case, resource.id, key, name)
            if found is not None and not found.absent:
                return Presence(resource, has=found)
            if found is not None and key in _MAIN[kind] and name == names[0]:
                lacking = lacking or found
    for store in stores_of(case, resource):
        is_read = False
        for key in _STORE_LISTS if store.kind.startswith("kubernetes.") else (*_MAIN[kind], *_ALSO):
            for name in names:
                found = lists_name(case, store.id, key, name)
                is_read = is_read or found is not None
                if found is not None and not found.absent:  # a key that the program's own list lacks may not be mapped to it
                    is_mapped = lacking is None or not store.kind.startswith("kubernetes.")
                    return Presence(resource, has=found) if is_mapped else Presence(resource)
        if not is_read:
            return Presence(resource)  # a source whose names were not read may hold it
    return Presence(resource, lacks=lacking)


def stores_of(case: Case, resource: Resource) -> Iterator[Resource]:
    """ConfigMaps, Secrets and task definitions that the program takes names from, by the live graph."""
    for edge in case.out_of(resource.id, *_TAKES):
        found = case.production.resource(edge.target)
        if found is not None and found.kind.startswith(_STORES):
            yield found


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


def key_of(case: Case, store: Resource, key: str) -> ConfigEvidence | None:
    """Whether a ConfigMap, Secret or parameter store has a key; None when its keys were not read."""
    for name in _STORE_LISTS:
        found = lists_name(case, store.id, name, key)
        if found is not None:
            return found
    return None
